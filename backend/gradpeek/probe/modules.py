"""Walks a module into rows: each distinct module and tensor once, under all of its names.

Names are torch's: those of `named_parameters(remove_duplicate=False)`. Where a module contains
itself the walk cuts at the first repeated ancestor. A row lists at most `NAMES_LIMIT` names and
counts all of them: sharing on 16 levels gives one tensor 131,072 names.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Iterator, NamedTuple

import torch

from . import slots
from .objects import Membership, attribute, attributes, dict_slot, inherits, is_kind, type_name

NAMES_LIMIT = 64
WITHOUT_TENSORS = ("module", "group", "state")
"""Kinds of rows that stand for no tensor."""


class Shared(NamedTuple):
    """A row that has several names; `more_parents` are further rows that hold it."""

    aliases: list[str]
    names_total: int
    more_parents: list[int]


class Setting(NamedTuple):
    """A plain value fit for JSON; `label` says why it is not there, or not whole."""

    name: str
    value: Any
    label: str | None


class Settings(NamedTuple):
    """What a row of kind "group" or "state" says; `path` leads to it from the root."""

    row: int
    path: str | None
    tensors: int | None
    elements: int | None
    values: list[Setting]


class Table(NamedTuple):
    """The rows of a root as columns of equal length.

    Attributes:
        names: first name of each row, "" for the root itself.
        kinds: "module", "parameter", "buffer", "tensor", "group" or "state".
        parents: row of the module that holds the row, -1 for the top.
        types: class of a module, None for a tensor.
        tensors: the tensor, None for a module and for a hole among gradients.
        shared: by row what is known of those that have several names.
        settings: one for each row of kind "group" or "state", in their order.
    """

    names: list[str]
    kinds: list[str]
    parents: list[int]
    types: list[str | None]
    tensors: list[Any]
    shared: dict[int, Shared]
    settings: tuple[Settings, ...] = ()


def tensor_table(names: list[str], tensors: list[Any]) -> Table:
    """A table of tensors that no module holds."""
    count = len(names)
    return Table(names, ["tensor"] * count, [-1] * count, [None] * count, tensors, {})


def is_module(value: Any) -> bool:
    """Whether `value` is a `torch.nn.Module`, asked of its real type."""
    return is_kind(value, torch.nn.Module)


def is_tensor(value: Any) -> bool:
    """Whether `value` is a `torch.Tensor`, asked of its real type."""
    cls = type(value)
    return cls is torch.nn.Parameter or inherits(cls, torch.Tensor)


def module_rows(root: Any) -> Table:
    """Rows of a module tree in model order: a module, its tensors, then its children.

    A tensor that is both a parameter and a buffer, or is shared, is one row of its first kind.
    """
    graph = _walk(root)
    names, totals = _names(graph.children)
    first_row, shared = _first_rows(graph)
    holders = _more_holders(graph)
    table = Table([], [], [], [], [], {})
    listed: set[int] = set()
    for at, entries in enumerate(graph.tensors):
        here, parent = first_row[at], graph.parent[at]
        table.names.append(names[at][0])
        table.kinds.append("module")
        table.parents.append(first_row[parent] if at else -1)
        table.types.append(type_name(graph.modules[at]))
        table.tensors.append(None)
        if totals[at] > 1:
            more = [first_row[holder] for holder in holders.get(at, ())]
            table.shared[here] = Shared(names[at][1:], totals[at], more)
        prefix = names[at][0] + "." if names[at][0] else ""
        for kind, name, tensor in entries:
            where = shared.get(id(tensor))
            if where is not None or totals[at] > 1:
                if id(tensor) in listed:
                    continue
                listed.add(id(tensor))
                table.shared[len(table.names)] = _shared(
                    where or [(name, at)], names, totals, first_row
                )
            table.names.append(prefix + name)
            table.kinds.append(kind)
            table.parents.append(here)
            table.types.append(None)
            table.tensors.append(tensor)
    return table


def module_at(root: Any, row: int) -> Any:
    """The module that stands in a row of `module_rows(root)`, None where no module does."""
    graph = _walk(root)
    first_row, _ = _first_rows(graph)
    return graph.modules[first_row.index(row)] if row in first_row else None


def _shared(
    where: list[tuple[str, int]], names: list[list[str]], totals: list[int], first_row: list[int]
) -> Shared:
    """All names of a tensor from its (name, module) places, the first place first."""
    full = [_join(prefix, name) for name, holder in where for prefix in names[holder]]
    total = sum(totals[holder] for _, holder in where)
    first = first_row[where[0][1]]
    more = sorted({first_row[holder] for _, holder in where} - {first})
    return Shared(full[1:NAMES_LIMIT], total, more)


class _Graph(NamedTuple):
    """Distinct modules in pre-order: itself, first parent, edges (cycles cut), own tensors."""

    modules: list[Any]
    parent: list[int]
    children: list[list[tuple[str, int]]]
    tensors: list[list[tuple[str, str, Any]]]


def _first_rows(graph: _Graph) -> tuple[list[int], dict[int, list[tuple[str, int]]]]:
    """The row of each module; and by `id` of each tensor held twice its (name, module) places."""
    first_row: list[int] = []
    seen: set[int] = set()
    shared: dict[int, list[tuple[str, int]]] = {}
    for at, entries in enumerate(graph.tensors):
        first_row.append(at + len(seen))
        for _, _, tensor in entries:
            if id(tensor) in seen:
                shared[id(tensor)] = []
            seen.add(id(tensor))
    for at, entries in enumerate(graph.tensors if shared else ()):
        for _, name, tensor in entries:
            if id(tensor) in shared:
                shared[id(tensor)].append((name, at))
    return first_row, shared


def _more_holders(graph: _Graph) -> dict[int, list[int]]:
    """By module the modules that hold it besides its first parent."""
    found: dict[int, list[int]] = {}
    for holder, edges in enumerate(graph.children):
        for _, child in edges:
            if holder != graph.parent[child] and holder not in found.setdefault(child, []):
                found[child].append(holder)
    return found


def _join(prefix: str, name: str) -> str:
    return prefix + "." + name if prefix else name


def _walk(root: Any) -> _Graph:
    graph = _Graph([], [], [], [])
    is_module, is_tensor = Membership(torch.nn.Module), Membership(torch.Tensor)
    index: dict[int, int] = {}
    readers: dict[int, Any] = {}
    stack: list[tuple[int, Iterator[tuple[str, Any]]]] = []
    ancestors = set()

    def enter(module: Any, parent: int) -> int:
        at = index[id(module)] = len(index)
        held = _held(module, readers)
        graph.modules.append(module)
        graph.parent.append(parent)
        graph.children.append([])
        graph.tensors.append(_tensors(held, is_tensor))
        entries = _entries(held.get("_modules"))
        if entries:
            ancestors.add(at)
            stack.append((at, iter(entries)))
        return at

    enter(root, -1)
    while stack:
        at, entries = stack[-1]
        for name, child in entries:
            if not is_module(child):
                continue
            known = index.get(id(child))
            if known is None:
                graph.children[at].append((name, enter(child, at)))
                break
            if known not in ancestors:
                graph.children[at].append((name, known))
        else:
            stack.pop()
            ancestors.discard(at)
    return graph


def _names(children: list[list[tuple[str, int]]]) -> tuple[list[list[str]], list[int]]:
    """All paths to each module, in the order in which torch lists them, capped; and their counts.

    A path is compared by the positions of its edges. The first N paths to a module continue the
    first N paths to its parents, so capping early loses none of them.
    """
    edges_to = [0] * len(children)
    for edges in children:
        for _, child in edges:
            edges_to[child] += 1
    if max(edges_to) <= 1:
        return _only_names(children), [1] * len(children)
    totals = [1] + [0] * (len(children) - 1)
    paths: list[list[tuple[tuple[int, ...], str]]] = [[] for _ in children]
    paths[0] = [((), "")]
    for at in _topological(children, list(edges_to)):
        found = paths[at]
        if edges_to[at] > 1:
            found.sort()
            del found[NAMES_LIMIT:]
        for position, (name, child) in enumerate(children[at]):
            totals[child] += totals[at]
            paths[child] += [((*steps, position), _join(prefix, name)) for steps, prefix in found]
    return [[name for _, name in found] for found in paths], totals


def _only_names(children: list[list[tuple[str, int]]]) -> list[list[str]]:
    """The path to each module where there is one only; parents come before children."""
    names = [[""] for _ in children]
    for at, edges in enumerate(children):
        prefix = names[at][0] + "." if names[at][0] else ""
        for name, child in edges:
            names[child][0] = prefix + name
    return names


def _topological(children: list[list[tuple[str, int]]], waiting: list[int]) -> Iterator[int]:
    """Parents before children; the edges form no cycle. `waiting` counts the edges to each."""
    ready = [0]
    while ready:
        at = ready.pop()
        yield at
        for _, child in children[at]:
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)


def _held(module: Any, readers: dict[int, Any]) -> dict[str, Any]:
    """Instance dict of a module; a traced one keeps its tables in a module of its own.

    `readers` keeps by `id` of each class what reads the dict, for one pass.
    """
    reader = readers.get(id(type(module)))
    if reader is None:
        reader = readers[id(type(module))] = dict_slot(type(module)).__get__
    held: dict[str, Any] = reader(module)
    if held.get("_modules") is None:
        held = attributes(attribute(module, "_actual_script_module")) or held
    return held


def _tensors(held: dict[str, Any], is_tensor: Membership) -> list[tuple[str, str, Any]]:
    """A module's own (kind, name, tensor): parameters, buffers, tensors it has not registered."""
    found = []
    for kind, table in (("parameter", "_parameters"), ("buffer", "_buffers")):
        for name, tensor in _entries(held.get(table)):
            if type(tensor) is torch.nn.Parameter or is_tensor(tensor):
                found.append((kind, name, tensor))
    if is_tensor.outside.issuperset(map(id, map(type, list(dict.values(held))))):
        return found
    for name, value in list(dict.items(held)):
        if is_tensor(value) and type(name) is str and slots.requires_grad(value):
            found.append(("tensor", name, value))
    return found


def _entries(table: Any) -> list[tuple[str, Any]]:
    """Items of a module's table; those of a ScriptModule are wrappers with `items`, not dicts."""
    cls = type(table)
    if cls is dict or cls is OrderedDict or is_kind(table, dict):
        if not dict.__len__(table):
            return []
        return [entry for entry in list(dict.items(table)) if type(entry[0]) is str]
    if cls.__module__ == "torch.jit._script" and cls.__name__ in _SCRIPT_TABLES:
        return list(table.items())
    return []


_SCRIPT_TABLES = ("OrderedDictWrapper", "OrderedModuleDict")
