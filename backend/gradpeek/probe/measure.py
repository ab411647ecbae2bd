"""Statistics of a root's rows within a time budget; the host asks again and merges."""

from __future__ import annotations

import math
import time
from operator import attrgetter
from typing import Any, NamedTuple, Tuple

from . import kinds, reply, slots
from .histogram import log2_histogram
from .modules import WITHOUT_TENSORS
from .moments import Moments
from .statistics import Cursor, Result, measure
from .stop import Tensors, UnknownRootError

BATCH = 1024
"""Items measured in one pass, so that small tensors of equal length are reduced together."""

_COUNTS = ("count", "zeros", "nan", "posinf", "neginf")
_NUMBERS = ("norm", "mean", "mean_imag", "deviation", "min", "max", "max_abs")

Item = Tuple[int, str]


def statistics(table: Tensors, params: dict[str, Any]) -> dict[str, Any]:
    """Moments of rows x parts from the cursor on, as columns; a part that is absent is left out."""
    rows = params.get("rows")
    if rows is None:
        rows = [at for at, kind in enumerate(table.columns.kinds) if kind not in WITHOUT_TENSORS]
    items = [(row, part) for row in rows for part in params.get("parts", ("data", "grad"))]
    deadline = time.monotonic() + params.get("budget_s", 0.25)
    cursor = params.get("cursor") or {"item": 0, "element": 0}
    at, element = cursor["item"], cursor["element"]
    found: list[tuple[Item, Result]] = []
    while at < len(items):
        batch = _batch(table, items, at)
        parts, rest = _measure(batch, deadline, element)
        found += parts
        if rest is not None:
            at, element = at + rest[0], rest[1]
            break
        at, element = at + len(batch), 0
        if time.monotonic() >= deadline:
            break
    return _columns(found, len(items), None if at >= len(items) else (at, element))


def histogram(table: Tensors, params: dict[str, Any]) -> dict[str, Any]:
    """Counts of elements by exponent for one row and part, from the cursor on.

    Raises:
        UnknownRootError: the tensor is gone.
    """
    item = params["row"], params["part"]
    tensor = _tensor(table, item)
    if tensor is None:
        raise UnknownRootError("this row has no {}".format(params["part"]))
    load = _load(item, tensor)
    cursor = params.get("cursor") or {"item": 0, "element": 0}
    at, element = cursor["item"], cursor["element"]
    deadline = time.monotonic() + params.get("budget_s", 0.25)
    counts: dict[int, int] = {}
    rest: Cursor | None = None
    label = load.label
    while at < len(load.tensors):
        try:
            part, offset = log2_histogram(load.tensors[at], deadline, element)
        except RuntimeError as raised:  # its text is the label
            label = str(raised)
            break
        for exponent, count in part.items():
            counts[exponent] = counts.get(exponent, 0) + count
        if offset is not None:
            rest = (at, offset)
            break
        at, element = at + 1, 0
    bins = sorted(counts)
    return {
        "exponent": bins,
        "count": [counts[one] for one in bins],
        "label": label,
        "cursor": _span(rest),
    }


class _Load(NamedTuple):
    """What one item asks to be measured, or the label that stands for it."""

    item: Item
    tensors: list[Any]
    zeros: int = 0
    label: str | None = None


def _batch(table: Tensors, items: list[Item], start: int) -> list[_Load | None]:
    """Loads of the next items; one that needs memory of its own makes a batch by itself."""
    batch: list[_Load | None] = []
    for item in items[start : start + BATCH]:
        tensor = _tensor(table, item)
        if tensor is None:
            batch.append(None)
        elif kinds.is_own_payload(tensor):
            batch.append(_Load(item, [tensor]))
        elif not kinds.needs_memory(tensor):
            batch.append(_load(item, tensor))
        else:
            return batch or [_load(item, tensor)]
    return batch


def _tensor(table: Tensors, item: Item) -> Any:
    row, part = item
    tensor = table.tensor(row)
    return slots.readable_grad(tensor) if part == "grad" and tensor is not None else tensor


def _load(item: Item, tensor: Any) -> _Load:
    capability = kinds.describe(tensor).capability
    if capability != kinds.FULL:
        return _Load(item, [], label=capability)
    try:
        tensors, zeros = kinds.payload(tensor)
    except kinds.UnreadableError as raised:
        return _Load(item, [], label=str(raised))
    except Exception as raised:
        return _Load(item, [], label=reply.one_line(raised))
    return _Load(item, tensors, zeros)


def _measure(
    batch: list[_Load | None], deadline: float, element: int
) -> tuple[list[tuple[Item, Result]], Cursor | None]:
    """Results of a batch and, if the budget ended, (place in the batch, element) to go on at.

    `element` counts through all tensors of the first item.
    """
    tensors: list[Any] = []
    owners: list[int] = []
    for place, load in enumerate(batch):
        for tensor in load.tensors if load is not None else ():
            tensors.append(tensor)
            owners.append(place)
    start = 0
    while start < len(tensors) and element and element >= slots.numel(tensors[start]):
        element -= slots.numel(tensors[start])
        start += 1
    results, cursor = measure(tensors, deadline, (start, element))
    done = len(batch) if cursor is None else owners[cursor[0]]
    by_place: dict[int, list[Result]] = {}
    for index, result in results:
        by_place.setdefault(owners[index], []).append(result)
    found: list[tuple[Item, Result]] = []
    for place, load in enumerate(batch[: done + 1]):
        if load is not None:
            mine = by_place.get(place, [])
            found += [(load.item, one) for one in _results(load, mine, whole=place < done)]
    if cursor is None:
        return found, None
    before = sum(slots.numel(t) for t, o in zip(tensors[: cursor[0]], owners) if o == done)
    return found, (done, before + cursor[1])


def _results(load: _Load, measured: list[Result], *, whole: bool) -> list[Result]:
    """What one item answers; the zeros that it does not store count when its end is reached."""
    if not whole:
        return measured
    if load.label is not None:
        return [load.label]
    if load.zeros and not isinstance(measured[-1], str):
        measured[-1].add_zeros(load.zeros, is_complex=slots.dtype(load.tensors[0]).is_complex)
    return measured


def _columns(found: list[tuple[Item, Result]], items: int, cursor: Cursor | None) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "row": [item[0] for item, _ in found],
        "part": [item[1] for item, _ in found],
        "label": [result if isinstance(result, str) else None for _, result in found],
        "items": items,
        "cursor": _span(cursor),
    }
    results = [_LABELLED if isinstance(result, str) else result for _, result in found]
    for name in _COUNTS:
        answer[name] = list(map(attrgetter(name), results))
    for name in _NUMBERS:
        answer[name] = _numbers(list(map(attrgetter(name), results)))
    return answer


def _numbers(column: list[Any]) -> list[Any]:
    """`reply.number` of each, at little cost where all are finite."""
    try:
        if all(map(math.isfinite, column)):
            return column
    except TypeError:  # one is None
        pass
    return [reply.number(value) for value in column]


_LABELLED = Moments()
"""Stands in the columns for what has a label instead."""


def _span(cursor: Cursor | None) -> dict[str, int] | None:
    return None if cursor is None else {"item": cursor[0], "element": cursor[1]}
