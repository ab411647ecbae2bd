"""The lines of one root before they are laid out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from gradpeek.inspection import RootInspection, Row
from gradpeek.rendering.labels import CleanNames, Node, nodes
from gradpeek.rendering.layout import TYPE, Entry
from gradpeek.rendering.numbers import count, number, shape
from gradpeek.rendering.settings import differing, has_settings, settings_entry
from gradpeek.rendering.symbols import Symbols
from gradpeek.rendering.words import (
    BAD,
    INFO,
    Note,
    common_badges,
    gradient_words,
    kind_words,
    measure,
    notes,
    place_words,
    tally,
)

_NAMES_SHOWN = 3
_PAD_LIMIT = 24
"""Widest name that its siblings are padded to."""


def root_entries(
    root: RootInspection, symbols: Symbols, max_rows: int | None = None
) -> tuple[list[Entry], list[Row], int]:
    """Lines of a root, the rows that they show, and how many lines `max_rows` left out."""
    if root.root.kind == "module" and root.rows:
        return ModuleEntries(root, symbols).build(max_rows)
    if root.root.kind == "gradients":
        return _gradients(root, symbols, max_rows)
    if root.root.kind == "tensor" and root.rows:
        return [tensor_root_entry(root, symbols)], root.rows[:1], 0
    if has_settings(root):
        return _listed_below(plain_root_entry(root, symbols), root, symbols, max_rows)
    return [plain_root_entry(root, symbols)], [], 0


def plain_root_entry(root: RootInspection, symbols: Symbols) -> Entry:
    """The line of an optimizer and the like, or what went wrong."""
    entry = heading(root, symbols)
    kind_said = kind_words(root.root.kind)
    if root.root.error is not None:
        error = root.root.error
        kind = symbols.clean(error.remote_type or "")
        message = symbols.told(error.message, 400)
        entry.facts = message if kind in message else f"{kind}: {message}"
        entry.facts_style = BAD
    elif kind_said and kind_said.replace(" ", "") != root.root.type.lower():
        entry.place = symbols.say("({kind})", kind=kind_said)
    return entry


def common_dtype(rows: Sequence[Row]) -> str:
    """The dtype that most tensors have, "" where there are none."""
    dtypes = Counter(row.tensor.dtype for row in rows if row.tensor and row.tensor.dtype)
    return dtypes.most_common(1)[0][0] if dtypes else ""


def heading(root: RootInspection, symbols: Symbols) -> Entry:
    """Expression, further names and class of a root."""
    name = symbols.clean(root.root.expression)
    if root.root.aliases:
        name = symbols.say("{name} (also {others})", name=name, others=other_names(root, symbols))
    entry = Entry("", name, symbols.clean(root.root.type), name_style="bold", facts_style=TYPE)
    if root.root.frame == 1:
        entry.notes.append((symbols.say("in the caller"), INFO))
    elif root.root.frame > 1:
        entry.notes.append((symbols.say("in caller {number}", number=root.root.frame), INFO))
    return entry


def other_names(root: RootInspection, symbols: Symbols) -> str:
    """Names of a root besides its expression, "" where there are none."""
    return _listed(root.root.aliases, len(root.root.aliases), symbols)


def _listed(names: Sequence[str], total: int, symbols: Symbols) -> str:
    """`a, b and 3 more`."""
    shown = [symbols.clean(name) for name in names[:_NAMES_SHOWN]]
    rest = total - len(shown)
    if rest <= 0:
        return ", ".join(shown)
    return symbols.say("{names} and {count} more", names=", ".join(shown), count=count(rest))


def tensor_root_entry(root: RootInspection, symbols: Symbols) -> Entry:
    """The one line of a root that is a tensor."""
    entry, row = heading(root, symbols), root.rows[0]
    assert row.tensor is not None
    entry.facts = shape(row.tensor.shape)
    entry.facts_style = "dim"
    entry.place = place_words(row.tensor, symbols)
    entry.weight = measure(row.tensor.statistics, symbols, symbols.say("norm"))
    entry.gradient, entry.gradient_style = gradient_words(row, symbols)
    entry.has_numbers = row.gradient is not None
    entry.notes[:0] = notes(row, symbols)
    return entry


def _gradients(
    root: RootInspection, symbols: Symbols, max_rows: int | None
) -> tuple[list[Entry], list[Row], int]:
    return _listed_below(gradients_entry(root, symbols), root, symbols, max_rows)


def _listed_below(
    top: Entry, root: RootInspection, symbols: Symbols, max_rows: int | None
) -> tuple[list[Entry], list[Row], int]:
    """The line of a root and those of its rows, which do not hold each other."""
    rows = root.rows[:max_rows]
    entries = [top]
    below = item_entries(root, rows, symbols)
    width = _pad_width([entry.name for entry in below])
    for row, entry in zip(rows, below, strict=True):
        entry.guide = "L" if row is root.rows[-1] else "+"
        entry.name_width = width
        entries.append(entry)
    return entries, rows, len(root.rows) - len(rows)


def item_entries(root: RootInspection, rows: Sequence[Row], symbols: Symbols) -> list[Entry]:
    """The lines of some rows of a root that is neither a module nor a tensor."""
    varying = differing(root)
    return [
        gradients_item_entry(row, symbols)
        if row.settings is None
        else settings_entry(row, row.settings, varying, symbols)
        for row in rows
    ]


def gradients_entry(root: RootInspection, symbols: Symbols) -> Entry:
    """The line of a tuple, list or dict of gradients."""
    entry = heading(root, symbols)
    elements = sum(row.tensor.numel or 0 for row in root.tensors() if row.tensor)
    found = [row.tensor.statistics for row in root.tensors() if row.tensor]
    entry.extra = symbols.dot.join(
        (
            symbols.plural(len(root.rows), "{count} tensor", "{count} tensors"),
            symbols.plural(elements, "{count} element", "{count} elements"),
        )
    )
    norms = [one.norm for one in found if one is not None and one.norm is not None]
    if norms:
        entry.weight = f"{symbols.say('norm')} {number(math.hypot(*norms))}"
    return entry


def gradients_item_entry(row: Row, symbols: Symbols) -> Entry:
    """The line of one tensor among gradients."""
    assert row.tensor is not None
    entry = Entry("", symbols.clean(row.name), shape(row.tensor.shape))
    entry.place = place_words(row.tensor, symbols)
    entry.weight = measure(row.tensor.statistics, symbols, symbols.say("norm"))
    if row.gradient is not None:
        entry.gradient, entry.gradient_style = gradient_words(row, symbols)
    entry.notes = notes(row, symbols)
    return entry


def _pad_width(names: Sequence[str]) -> int:
    fitting = [len(name) for name in names if len(name) <= _PAD_LIMIT]
    return max(fitting, default=0)


class ModuleEntries:
    """The lines of a module root, of all its nodes or of one."""

    def __init__(self, root: RootInspection, symbols: Symbols) -> None:
        self._root = root
        self._symbols = symbols
        self._names = CleanNames(root.rows)
        self._by_index = {row.index: row for row in root.rows}
        self._holding = _modules_with_parameters(root.rows, self._by_index)
        self._shares = _shares(root.rows)
        self._common = common_badges(root.rows)

    def build(self, max_rows: int | None) -> tuple[list[Entry], list[Row], int]:
        """Lines, the rows that they show, and how many lines are left out."""
        entries: list[Entry] = []
        rows: list[Row] = []
        waiting: list[tuple[str, Node, int]] = [("", node, 0) for node in nodes(self._root.rows)]
        waiting.reverse()
        left_out = 0
        while waiting:
            guide, node, name_width = waiting.pop()
            if max_rows is not None and len(entries) > max_rows:
                left_out += 1
            else:
                entry = self.entry(node)
                entry.guide, entry.name_width = guide, name_width
                entries.append(entry)
                rows.append(node.row)
            below = guide.replace("+", "|").replace("L", " ")
            width = _pad_width([n.label for n in node.children if n.row.tensor is not None])
            last = len(node.children) - 1
            for at in range(last, -1, -1):
                child = node.children[at]
                code = "L" if at == last else "+"
                padded = width if child.row.tensor is not None else 0
                waiting.append((below + code, child, padded))
        return entries, rows, left_out

    def entry(self, node: Node) -> Entry:
        """The line of a node, without what its place in the tree gives it."""
        return self._module(node) if node.row.tensor is None else self._tensor(node)

    def holds_parameters(self, row: Row) -> bool:
        """Whether there is a parameter below a module's row, first or shared."""
        return row.index in self._holding

    def _module(self, node: Node) -> Entry:
        row, symbols = node.row, self._symbols
        if row.parent < 0:
            entry = heading(self._root, symbols)
            entry.extra = self._size()
            entry.notes += [(symbols.say.text(one), "yellow") for one in self._common.values()]
        else:
            entry = Entry("", symbols.clean(node.label), "", facts_style=TYPE)
        entry.facts = _nested([symbols.clean(one) for one in node.types])
        entry.weight = measure(row.data_total, symbols, symbols.weight)
        total = row.grad_total
        if total is not None:
            entry.gradient = measure(total, symbols, symbols.gradients, symbols.gradient)
            entry.gradient_style = BAD if total.norm is None else "green"
        if row.names_total > 1:
            entry.notes.append((symbols.say("also {others}", others=self._others(row)), INFO))
        shared = self._shares.get(row.index, [])
        if row.index not in self._holding:
            if row.parent >= 0:
                entry.facts += "  " + symbols.say("(no parameters)")
                entry.name_style = entry.facts_style = "dim"
        elif shared:
            names = [self._names.clean(one.name) for one in shared]
            listed = _listed(names, len(names), symbols)
            entry.notes.append((symbols.say("shares {names}", names=listed), INFO))
        return entry

    def _size(self) -> str:
        counts, symbols = tally(self._root), self._symbols
        if not counts.parameters:
            return symbols.say("no parameters")
        return symbols.dot.join(
            (
                symbols.plural(counts.parameters, "{count} tensor", "{count} tensors"),
                symbols.plural(counts.elements, "{count} parameter", "{count} parameters"),
            )
        )

    def _tensor(self, node: Node) -> Entry:
        row, symbols = node.row, self._symbols
        assert row.tensor is not None
        entry = Entry("", symbols.clean(node.label), shape(row.tensor.shape))
        entry.place = place_words(row.tensor, symbols)
        entry.weight = measure(row.tensor.statistics, symbols, symbols.weight)
        entry.gradient, entry.gradient_style = gradient_words(row, symbols)
        entry.has_numbers = row.gradient is not None
        entry.notes = list(self._tied(row)) + notes(row, symbols, self._common)
        if row.kind == "buffer":
            entry.name_style = "dim"
        return entry

    def _tied(self, row: Row) -> Iterator[Note]:
        """Where else the tensor is; not where only a module around it is shared: that says so."""
        holder = self._by_index.get(row.parent)
        same = holder is not None and holder.names_total == row.names_total
        if row.names_total > 1 and not (same and not row.more_parents):
            yield self._symbols.say("tied: also {others}", others=self._others(row)), INFO

    def _others(self, row: Row) -> str:
        names = [self._names.clean(name) for name in row.aliases[:_NAMES_SHOWN]]
        return _listed(names, row.names_total - 1, self._symbols)


def _nested(types: Sequence[str]) -> str:
    """`OptimizedModule(Net)`."""
    return "(".join(types) + ")" * (len(types) - 1)


def _modules_with_parameters(rows: Sequence[Row], by_index: dict[int, Row]) -> set[int]:
    """Indices of module rows that hold a parameter, directly or below, first or shared."""
    found: set[int] = set()
    waiting: list[int] = []
    for row in rows:
        if row.kind in ("parameter", "tensor"):
            waiting += [row.parent, *row.more_parents]
    while waiting:
        index = waiting.pop()
        if index in by_index and index not in found:
            found.add(index)
            waiting += [by_index[index].parent, *by_index[index].more_parents]
    return found


def _shares(rows: Sequence[Row]) -> dict[int, list[Row]]:
    """By module row what it holds that is shown elsewhere."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        for holder in row.more_parents:
            found.setdefault(holder, []).append(row)
    return found
