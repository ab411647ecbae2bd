"""Makes rows of the probe's answers: metadata, statistics, totals of modules; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradpeek.analysis.badges import NUMBER_BADGES, number_badges
from gradpeek.inspection import MomentsTable, Part, RootInspection, Row, Statistics, TensorFacts
from gradpeek.probe.moments import Moments
from gradpeek.wire import types

_PARTS: tuple[Part, Part] = ("data", "grad")


def page_rows(page: types.Rows, before: list[Row]) -> list[Row]:
    """Rows of one page; `before` are those of the pages before it, whose modules they may name."""
    shared = {one.row: one for one in page.shared}
    settings = {one.row: one for one in page.settings}
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
        row.settings = settings.get(index)
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
    numbers = (answer.norm, answer.mean, answer.mean_imag, answer.deviation)
    extremes = (answer.min, answer.max, answer.max_abs)
    for row, part, label, *values in zip(
        *(answer.row, answer.part, answer.label),
        *(answer.count, answer.zeros, answer.nan, answer.posinf, answer.neginf),
        *(_floats(column) for column in (*numbers, *extremes)),
        strict=True,
    ):
        key = (row, part)
        known = table.get(key)
        if label is not None or isinstance(known, str):
            table[key] = label or known or ""
        elif known is not None:
            known.merge(_moments(*values))
        else:
            table[key] = _moments(*values)


def _floats(column: Sequence[Any]) -> Sequence[Any]:
    """A column with the names of non-finite floats as floats."""
    if str not in set(map(type, column)):
        return column
    return [float(value) if isinstance(value, str) else value for value in column]


def _moments(
    count: int,
    zeros: int,
    nan: int,
    posinf: int,
    neginf: int,
    norm: float,
    mean: float,
    mean_imag: float,
    deviation: float,
    *extremes: float | None,
) -> Moments:
    moments = Moments()
    moments.count, moments.zeros = count, zeros
    moments.nan, moments.posinf, moments.neginf = nan, posinf, neginf
    moments.norm, moments.deviation = norm, deviation
    moments.mean, moments.mean_imag = mean, mean_imag
    moments.min, moments.max, moments.max_abs = extremes
    return moments


def fill(root: RootInspection, table: MomentsTable, *, whole: bool = True) -> None:
    """Put statistics, labels, badges of numbers and totals of modules into the rows of a root.

    Args:
        root: what to fill in; again and again while more is measured.
        table: all that has been measured of it so far.
        whole: nothing is left to be measured; only then modules get their totals.
    """
    for row in root.tensors():
        for part, facts in zip(_PARTS, (row.tensor, row.gradient), strict=True):
            result = table.get((row.index, part))
            if facts is None or result is None or facts.statistics is not None:
                continue
            if isinstance(result, str):
                facts.capability = result
            elif whole or result.count >= (facts.numel or 0):  # else the rest of it comes yet
                facts.statistics = Statistics.of(result)
        data, grad = row.tensor, row.gradient
        row.badges = [badge for badge in row.badges if badge not in NUMBER_BADGES]
        row.badges += number_badges(
            data.statistics if data else None, grad.statistics if grad else None
        )
    if not whole:
        return
    root.measured = True
    parameters = {row.index for row in root.rows if row.kind == "parameter"}
    measured = {
        (row, part): moments
        for (row, part), moments in table.items()
        if row in parameters and not isinstance(moments, str)
    }
    tree = _Tree(root.rows)
    for part in _PARTS:
        for index, moments in _totals(tree, measured, part).items():
            total = Statistics.of(moments) if moments.count else None
            if part == "data":
                root.rows[index].data_total = total
            else:
                root.rows[index].grad_total = total


class _Tree:
    """What holds what among the rows of a root.

    Attributes:
        children: rows by each of their parents.
        order: module rows, all that a module holds before it.
        members: tensors below each module that reaches a shared tensor or module. Those of the
            others follow from their children.
    """

    def __init__(self, rows: list[Row]) -> None:
        self.children: dict[int, list[int]] = {}
        for row in rows:
            self.children.setdefault(row.parent, []).append(row.index)
            for parent in row.more_parents:
                self.children.setdefault(parent, []).append(row.index)
        self.order = _children_first(rows, self.children)
        sharing = _sharing(rows)
        self.members: dict[int, set[int]] = {index: set() for index in sharing}
        for index in self.order:
            for child in self.children.get(index, ()) if index in sharing else ():
                if rows[child].tensor is not None:
                    self.members[index].add(child)
                elif child in sharing:
                    self.members[index] |= self.members[child]
                else:
                    self.members[index] |= _tensors_below(child, rows, self.children)


def _totals(
    tree: _Tree, measured: dict[tuple[int, Part], Moments], part: Part
) -> dict[int, Moments]:
    """Moments over the distinct parameters below each module row.

    Buffers do not count: a step counter would drown the norm of the weights.
    Modules without shared parts add up along the tree; those that reach a shared tensor or module
    go through their tensors as a set, so that none is counted twice or left out.
    """
    totals: dict[int, Moments] = {}
    for index in tree.order:
        total = Moments()
        members = tree.members.get(index)
        for below in tree.children.get(index, ()) if members is None else sorted(members):
            one = totals.get(below) or measured.get((below, part))
            if one is not None:
                total.merge(one)
        totals[index] = total
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
