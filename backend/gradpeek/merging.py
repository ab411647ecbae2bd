"""Makes rows of the probe's answers: metadata, statistics, totals of modules; pure."""

from __future__ import annotations

from collections.abc import Sequence

from gradpeek.analysis.badges import number_badges
from gradpeek.inspection import MomentsTable, Part, RootInspection, Row, Statistics, TensorFacts
from gradpeek.probe.moments import Moments
from gradpeek.wire import types

_PARTS: tuple[Part, Part] = ("data", "grad")


def page_rows(page: types.Rows, before: list[Row]) -> list[Row]:
    """Rows of one page; `before` are those of the pages before it, whose modules they may name."""
    shared = {one.row: one for one in page.shared}
    rows: list[Row] = []
    for at, (name, kind, parent, module_type, facts, gradient, state) in enumerate(
        zip(
            *(page.name, page.kind, page.parent, page.module_type),
            *(page.facts_of, page.gradient_of, page.state_of),
            strict=True,
        )
    ):
        index = page.offset + at
        row = Row(index, parent, kind, name, module_type=module_type)
        rows.append(row)
        if index in shared:
            row.aliases = shared[index].aliases
            row.names_total = shared[index].names_total
            row.more_parents = shared[index].more_parents
        if facts is None or state is None:
            continue
        if parent >= 0:
            holder = rows[parent - page.offset] if parent >= page.offset else before[parent]
            row.module_type = holder.module_type
        row.state = page.states[state]
        row.tensor = _facts(page.facts[facts])
        row.gradient = None if gradient is None else _facts(page.facts[gradient])
    return rows


def _facts(facts: types.TensorFacts) -> TensorFacts:
    return TensorFacts(
        *(facts.type, facts.shape, facts.dtype, facts.device),
        *(facts.layout, facts.numel, facts.capability),
    )


def add_moments(table: MomentsTable, answer: types.Statistics) -> None:
    """Merge one answer of the probe into what earlier answers brought; a label overrides."""
    numbers = (
        *(answer.count, answer.zeros, answer.nan, answer.posinf, answer.neginf),
        *(answer.norm, answer.mean, answer.mean_imag, answer.deviation),
        *(answer.min, answer.max, answer.max_abs),
    )
    for row, part, label, *values in zip(
        answer.row, answer.part, answer.label, *numbers, strict=True
    ):
        key = (row, part)
        known = table.get(key)
        if label is not None or isinstance(known, str):
            table[key] = label or known or ""
            continue
        moments = _moments(values)
        if known is not None:
            known.merge(moments)
        else:
            table[key] = moments


def _moments(values: Sequence[int | float | str | None]) -> Moments:
    moments = Moments()
    counts = [value if isinstance(value, int) else 0 for value in values[:5]]
    moments.count, moments.zeros, moments.nan, moments.posinf, moments.neginf = counts
    numbers = [None if value is None else float(value) for value in values[5:]]
    moments.norm, moments.mean = numbers[0] or 0.0, numbers[1] or 0.0
    moments.mean_imag, moments.deviation = numbers[2] or 0.0, numbers[3] or 0.0
    moments.min, moments.max, moments.max_abs = numbers[4:]
    return moments


def fill(root: RootInspection, table: MomentsTable) -> None:
    """Put statistics, labels, badges of numbers and totals of modules into the rows of a root."""
    measured: dict[tuple[int, Part], Moments] = {}
    for row in root.tensors():
        for part, facts in zip(_PARTS, (row.tensor, row.gradient), strict=True):
            result = table.get((row.index, part))
            if facts is None or result is None:
                continue
            if isinstance(result, str):
                facts.capability = result
                continue
            facts.statistics = Statistics.of(result)
            if row.kind == "parameter":
                measured[row.index, part] = result
        data, grad = row.tensor, row.gradient
        row.badges += number_badges(
            data.statistics if data else None, grad.statistics if grad else None
        )
    for part in _PARTS:
        for index, moments in _totals(root.rows, measured, part).items():
            total = Statistics.of(moments) if moments.count else None
            if part == "data":
                root.rows[index].data_total = total
            else:
                root.rows[index].grad_total = total


def _totals(
    rows: list[Row], measured: dict[tuple[int, Part], Moments], part: Part
) -> dict[int, Moments]:
    """Moments over the distinct parameters below each module row.

    Buffers do not count: a step counter would drown the norm of the weights.
    Modules without shared parts add up along the tree; those that reach a shared tensor or module
    collect their tensors as a set first, so that none is counted twice or left out.
    """
    sharing = _sharing(rows)
    members: dict[int, set[int]] = {index: set() for index in sharing}
    children: dict[int, list[int]] = {}
    for row in rows:
        for parent in (row.parent, *row.more_parents):
            children.setdefault(parent, []).append(row.index)
    totals: dict[int, Moments] = {}
    for index in _children_first(rows, children):
        total = totals[index] = Moments()
        if index in sharing:
            for child in children.get(index, ()):
                if rows[child].tensor is not None:
                    members[index].add(child)
                elif child in sharing:
                    members[index] |= members[child]
                else:
                    members[index] |= _tensors_below(child, rows, children)
            parts = [measured.get((member, part)) for member in sorted(members[index])]
        else:
            parts = [
                totals.get(child) or measured.get((child, part))
                for child in children.get(index, ())
            ]
        for one in parts:
            if one is not None:
                total.merge(one)
    return totals


def _sharing(rows: list[Row]) -> set[int]:
    """Module rows that reach a row with several parents."""
    found: set[int] = set()
    waiting = [parent for r in rows if r.more_parents for parent in (r.parent, *r.more_parents)]
    while waiting:
        index = waiting.pop()
        if index >= 0 and index not in found:
            found.add(index)
            waiting += [rows[index].parent, *rows[index].more_parents]
    return found


def _children_first(rows: list[Row], children: dict[int, list[int]]) -> list[int]:
    """Module rows in an order in which all that a module holds comes before it."""
    order: list[int] = []
    done: set[int] = set()
    for start in (row.index for row in rows if row.tensor is None):
        stack = [(start, iter(children.get(start, ())))]
        while stack:
            index, rest = stack[-1]
            if index in done:
                stack.pop()
                continue
            following = next((c for c in rest if rows[c].tensor is None and c not in done), None)
            if following is None:
                done.add(index)
                order.append(index)
                stack.pop()
            else:
                stack.append((following, iter(children.get(following, ()))))
    return order


def _tensors_below(index: int, rows: list[Row], children: dict[int, list[int]]) -> set[int]:
    found: set[int] = set()
    waiting = [index]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if rows[child].tensor is None:
                waiting.append(child)
            else:
                found.add(child)
    return found
