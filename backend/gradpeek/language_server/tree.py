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
from gradpeek.rendering.settings import differing
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
        node: module, tensor, group or state of a root; of the root of a module that module.
        tree: the root that it belongs to.
        range: of a bucket, the first and the last of its places among those of its parent.
        nodes: of a bucket, what it holds.
        below: its children, None until somebody has asked for them.
    """

    id: str
    kind: PlaceKind
    parent: Place | None
    process: ShownProcess
    tree: RootTree | None = None
    node: labels.Node | None = None
    range: tuple[int, int] = (0, 0)
    nodes: list[labels.Node] = field(default_factory=list)
    below: list[Place] | None = None

    def path(self) -> list[Place]:
        """Places from the top down to this one."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]

    def row(self) -> Row | None:
        """The row of a module or tensor; of a gradient that of its tensor."""
        return None if self.node is None else self.node.row

    def is_open(self) -> bool:
        """Whether it is unfolded when it is first shown: processes, and the first root of each."""
        if self.kind == "process":
            return True
        first = next(iter(self.process.roots), None)
        return self.kind == "root" and self.tree is not None and self.tree.root is first


class RootTree:
    """A root with what its lines need to know of all its rows.

    Args:
        name: id of its place.
        root: what is shown.
        options: order and filters.
        symbols: signs and language of the lines.
    """

    def __init__(
        self, name: str, root: ShownRoot, options: editor.Options, symbols: Symbols
    ) -> None:
        self.name = name
        self.root = root
        self.inspection = root.inspection
        rows = root.inspection.rows
        top = labels.nodes(rows)
        self.is_module = root.inspection.root.kind == "module" and bool(rows)
        is_single = self.is_module or root.inspection.root.kind == "tensor"
        self.node = top[0] if is_single and top else None
        self.top = top if self.node is None else self.node.children
        self.names = labels.CleanNames(rows)
        self.differing = differing(root.inspection)
        self.entries = ModuleEntries(root.inspection, symbols) if self.is_module else None
        self._options = options
        self._kept = self._filtered() if options.only_problems or options.hide_plain else None

    def tone(self, row: Row) -> editor.Tone:
        """How much a row wants to be looked at."""
        holds = self.entries is None or self.entries.holds_parameters(row)
        return tone(row, holds_parameters=holds)

    def is_kept(self) -> bool:
        """Whether the filters leave the root; always where the user asked for it, or it failed."""
        kind = self.inspection.root.kind
        if not self._options.only_problems or self.root.pinned or kind is None:
            return True
        return self.has_below(None) or (self.node is not None and self._keeps(self.node.row))

    def has_below(self, node: labels.Node | None) -> bool:
        """Whether anything is shown below a node, or below the root."""
        return bool(self._shown(node))

    def _shown(self, node: labels.Node | None) -> list[labels.Node]:
        nodes = self.top if node is None else node.children
        kept = self._kept
        return nodes if kept is None else [one for one in nodes if id(one) in kept]

    def below(self, node: labels.Node | None) -> list[labels.Node]:
        """What is shown below a node, or below the root, in the order that the user has chosen."""
        nodes = self._shown(node)
        order = self._options.order
        if order == "name":
            return sorted(nodes, key=lambda one: natural(one.label))
        if order == "gradient":
            return sorted(nodes, key=lambda one: -gradient_norm(one.row))
        if order == "size":
            return sorted(nodes, key=lambda one: -elements(one))
        return nodes

    def _filtered(self) -> set[int]:
        """Ids of the nodes that the filters leave, and of all above them."""
        order, waiting = list[labels.Node](), list(self.top)
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting += node.children
        kept: set[int] = set()
        for node in reversed(order):
            if any(id(child) in kept for child in node.children) or self._keeps(node.row):
                kept.add(id(node))
        return kept

    def _keeps(self, row: Row) -> bool:
        if self._options.only_problems:
            return row.tensor is not None and self.tone(row) in ("warning", "error")
        if row.tensor is None:
            return self.entries is None or self.entries.holds_parameters(row)
        return True


class Tree:
    """All places of what is shown, by their ids; those below a place only when they are asked for.

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
                holder.below = below

    def find(self, node: str) -> Place | None:
        """The place with this id, None where there is none any more."""
        if node not in self._places:
            for _ in self.rows():  # it may be below what nobody has unfolded yet
                pass
        return self._places.get(node)

    def children(self, place: Place) -> list[Place]:
        """Places below a place."""
        if place.below is None:
            place.below = self._below(place)
        return place.below

    def rows(self) -> Iterator[Place]:
        """Roots and rows, in the order of the tree."""
        waiting = self.top[::-1]
        while waiting:
            place = waiting.pop()
            if place.kind in ("root", "row"):
                yield place
            waiting += self.children(place)[::-1]

    def _add(self, place: Place) -> Place:
        self._places[place.id] = place
        return place

    def _roots(self, process: ShownProcess, holder: Place | None) -> Iterator[Place]:
        if process.failure is not None and holder is not None:
            yield self._add(Place(f"{process.slot}!", "failure", holder, process, below=[]))
        for root in process.roots:
            mark = "^" if root.pinned else ":"
            name = f"{process.slot}{mark}{root.inspection.root.expression}"
            tree = RootTree(name, root, self._options, self._symbols)
            if tree.is_kept():
                yield self._add(Place(name, "root", holder, process, tree, tree.node))

    def _below(self, place: Place) -> list[Place]:
        tree, row = place.tree, place.row()
        if tree is None or place.kind == "gradient":
            return []
        if place.kind == "bucket":
            return [self._row(place, tree, node) for node in place.nodes]
        if row is not None and row.tensor is not None:
            if not has_gradient_line(row):
                return []
            name = f"{place.id}\n∇"
            return [self._add(Place(name, "gradient", place, place.process, tree, place.node))]
        nodes = tree.below(None if place.kind == "root" else place.node)
        if len(nodes) <= BUCKET:
            return [self._row(place, tree, node) for node in nodes]
        return [self._bucket(place, nodes, start) for start in range(0, len(nodes), BUCKET)]

    def _row(self, holder: Place, tree: RootTree, node: labels.Node) -> Place:
        name = f"{tree.name}\n{node.row.kind}\n{node.row.name}"
        return self._add(Place(name, "row", holder, holder.process, tree, node))

    def _bucket(self, holder: Place, nodes: list[labels.Node], start: int) -> Place:
        part = nodes[start : start + BUCKET]
        bucket = Place(f"{holder.id}\n#{start}", "bucket", holder, holder.process, holder.tree)
        bucket.range, bucket.nodes = (start, start + len(part) - 1), part
        return self._add(bucket)


def elements(node: labels.Node) -> int:
    """Elements of a tensor, or of all tensors below a module."""
    found, waiting = 0, [node]
    while waiting:
        one = waiting.pop()
        waiting += one.children
        if one.row.tensor is not None:
            found += one.row.tensor.numel or 0
    return found


def natural(name: str) -> list[tuple[int, str]]:
    """Key by which `layer2` comes before `layer10`."""
    return [
        (int(piece), "") if piece.isdecimal() and len(piece) < 4000 else (-1, piece.casefold())
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
