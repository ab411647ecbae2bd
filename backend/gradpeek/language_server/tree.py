"""The tree of an editor: places, in the order and through the filters that the user has chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from gradpeek.inspection import Row
from gradpeek.language_server.lines import has_gradient_line, tone
from gradpeek.language_server.shown import ShownProcess, ShownRoot
from gradpeek.rendering import labels
from gradpeek.rendering.entries import ModuleEntries
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor

BUCKET = 500
"""Nodes below one node; more are put into buckets of so many."""

PlaceKind = Literal["process", "failure", "root", "row", "gradient", "bucket"]


@dataclass(slots=True, eq=False)
class Place:
    """One place of the tree.

    Attributes:
        id: the same for the same thing at the next stop.
        kind: what stands there.
        node: module or tensor of a root; of the root of a module that module.
        tree: the root that it belongs to.
        range: of a bucket, the first and the last of its places among those of its parent.
    """

    id: str
    kind: PlaceKind
    parent: Place | None
    process: ShownProcess
    tree: RootTree | None = None
    node: labels.Node | None = None
    range: tuple[int, int] = (0, 0)
    children: list[Place] = field(default_factory=list)

    def path(self) -> list[Place]:
        """Places from the top down to this one."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]

    def row(self) -> Row | None:
        """The row of a module or tensor; of a gradient that of its tensor."""
        return None if self.node is None else self.node.row


class RootTree:
    """A root with what its lines need to know of all its rows."""

    def __init__(self, root: ShownRoot, symbols: Symbols) -> None:
        self.root = root
        self.inspection = root.inspection
        self.symbols = symbols
        rows = root.inspection.rows
        self.top = labels.nodes(rows)
        self.names = labels.CleanNames(rows)
        self.by_index = {row.index: row for row in rows}
        is_module = root.inspection.root.kind == "module" and bool(rows)
        self.entries = ModuleEntries(root.inspection, symbols) if is_module else None

    def tone(self, row: Row) -> editor.Tone:
        """How much a row wants to be looked at."""
        holds = self.entries is None or self.entries.holds_parameters(row)
        return tone(row, holds_parameters=holds)

    def elements(self, node: labels.Node) -> int:
        """Elements of a tensor, or of all tensors below a module."""
        found, waiting = 0, [node]
        while waiting:
            one = waiting.pop()
            waiting += one.children
            if one.row.tensor is not None:
                found += one.row.tensor.numel or 0
        return found


class Tree:
    """All places of what is shown, by their ids.

    Args:
        processes: debuggees that have something to show.
        options: order and filters.
        symbols: signs and language of the lines.
    """

    def __init__(
        self, processes: Iterable[ShownProcess], options: editor.Options, symbols: Symbols
    ) -> None:
        self._options = options
        self._symbols = symbols
        self._places: dict[str, Place] = {}
        shown = list(processes)
        self.top: list[Place] = []
        for process in shown:
            holder = None
            if len(shown) > 1:
                holder = self._add(Place(f"{process.slot}", "process", None, process))
                self.top.append(holder)
            below = list(self._roots(process, holder))
            if holder is None:
                self.top += below
            else:
                holder.children = below

    def find(self, node: str) -> Place | None:
        """The place with this id, None where there is none any more."""
        return self._places.get(node)

    def rows(self) -> Iterator[Place]:
        """Roots and rows, in the order of the tree."""
        waiting = self.top[::-1]
        while waiting:
            place = waiting.pop()
            if place.kind in ("root", "row"):
                yield place
            waiting += place.children[::-1]

    def _add(self, place: Place) -> Place:
        self._places[place.id] = place
        return place

    def _roots(self, process: ShownProcess, holder: Place | None) -> Iterator[Place]:
        if process.failure is not None and holder is not None:
            yield self._add(Place(f"{process.slot}!", "failure", holder, process))
        for root in process.roots:
            mark = "^" if root.pinned else ":"
            prefix = f"{process.slot}{mark}{root.inspection.root.expression}"
            tree = RootTree(root, self._symbols)
            place = self._add(Place(prefix, "root", holder, process, tree))
            if root.inspection.root.kind in ("module", "tensor") and tree.top:
                place.node = tree.top[0]
                self._fill(place, place.node.children)
            else:
                self._fill(place, tree.top)
            if self._keeps_root(place):
                yield place

    def _keeps_root(self, place: Place) -> bool:
        """Whether the filters leave a root: always where the user asked for it, or it failed."""
        tree = place.tree
        assert tree is not None
        if not self._options.only_problems or tree.root.pinned:
            return True
        if tree.inspection.root.kind in (None, "module", "gradients"):
            return tree.inspection.root.kind is None or bool(place.children)
        return place.node is not None and self._keeps(tree, place.node.row)

    def _fill(self, top: Place, nodes: list[labels.Node]) -> None:
        """Put places for `nodes` and all that is below them under `top`."""
        assert top.tree is not None
        kept = self._kept(top.tree, nodes)
        waiting = [(top, nodes)]
        while waiting:
            parent, below = waiting.pop()
            if parent.node is not None and parent.node.row.tensor is not None:
                if has_gradient_line(parent.node.row):
                    parent.children = [self._below(parent, "gradient", parent.node, "∇")]
                continue
            found = [node for node in self._ordered(parent.tree, below) if id(node) in kept]
            holders = self._holders(parent, len(found))
            for at, node in enumerate(found):
                holder = holders[at // BUCKET] if holders else parent
                name = f"\n{node.row.kind}\n{node.row.name}"
                place = Place(top.id + name, "row", holder, top.process, top.tree, node)
                holder.children.append(self._add(place))
                waiting.append((place, node.children))

    def _below(self, parent: Place, kind: PlaceKind, node: labels.Node, mark: str) -> Place:
        place = Place(f"{parent.id}\n{mark}", kind, parent, parent.process, parent.tree, node)
        return self._add(place)

    def _holders(self, parent: Place, amount: int) -> list[Place]:
        """Buckets for so many nodes, none where they fit below their parent."""
        if amount <= BUCKET:
            return []
        for start in range(0, amount, BUCKET):
            bucket = Place(f"{parent.id}\n#{start}", "bucket", parent, parent.process, parent.tree)
            bucket.range = (start, min(start + BUCKET, amount) - 1)
            parent.children.append(self._add(bucket))
        return list(parent.children)

    def _kept(self, tree: RootTree, nodes: list[labels.Node]) -> set[int]:
        """Ids of the nodes that the filters leave, and of all above them."""
        order, waiting = list[labels.Node](), list(nodes)
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting += node.children
        kept: set[int] = set()
        for node in reversed(order):
            if any(id(child) in kept for child in node.children) or self._keeps(tree, node.row):
                kept.add(id(node))
        return kept

    def _keeps(self, tree: RootTree, row: Row) -> bool:
        if self._options.only_problems:
            return row.tensor is not None and tree.tone(row) in ("warning", "error")
        if self._options.hide_plain and row.tensor is None:
            return tree.entries is None or tree.entries.holds_parameters(row)
        return True

    def _ordered(self, tree: RootTree | None, nodes: list[labels.Node]) -> list[labels.Node]:
        assert tree is not None
        if self._options.order == "name":
            return sorted(nodes, key=lambda node: natural(node.label))
        if self._options.order == "gradient":
            return sorted(nodes, key=lambda node: -gradient_norm(node.row))
        if self._options.order == "size":
            return sorted(nodes, key=lambda node: -tree.elements(node))
        return nodes


def natural(name: str) -> list[tuple[int, str]]:
    """Key by which `layer2` comes before `layer10`."""
    return [
        (int(piece), "") if piece.isdecimal() and len(piece) < 19 else (-1, piece.casefold())
        for piece in re.split(r"([0-9]+)", name)
    ]


def gradient_norm(row: Row) -> float:
    """Norm of a row's gradient; infinite where it is not finite, negative where there is none."""
    if row.tensor is None:
        numbers = row.grad_total
    else:
        numbers = None if row.gradient is None else row.gradient.statistics
    if numbers is None:
        return -1.0
    if numbers.nan or numbers.posinf or numbers.neginf or numbers.norm is None:
        return float("inf")
    return numbers.norm
