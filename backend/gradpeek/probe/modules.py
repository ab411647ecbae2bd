"""Walks a module into rows: each distinct module and tensor once, under all of its names.

Names are torch's: those of `named_parameters(remove_duplicate=False)`. Where a module contains
itself the walk cuts at the first repeated ancestor. A row lists at most `NAMES_LIMIT` names and
counts all of them: sharing on 16 levels gives one tensor 131,072 names.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Iterator, NamedTuple, Sequence

import torch

from . import slots
from .objects import Membership, attribute, attributes, dict_slot, inherits, is_kind, type_name

NAMES_LIMIT = 64


class Row(NamedTuple):
    """One module or tensor of a root; `parent` and `more_parents` are the rows that hold it."""

    names: list[str]
    names_total: int
    kind: str
    parent: int = -1
    module_type: str | None = None
    more_parents: Sequence[int] = ()


class Table(NamedTuple):
    """The rows of a root, and the tensor of each (None for a module)."""

    rows: list[Row]
    tensors: list[Any]


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
    rows: list[Row] = []
    tensors: list[Any] = []
    listed: set[int] = set()
    for at, entries in enumerate(graph.tensors):
        here, parent = first_row[at], graph.parent[at]
        more = [first_row[holder] for holder in holders.get(at, ())]
        above = first_row[parent] if at else -1
        rows.append(Row(names[at], totals[at], "module", above, graph.types[at], more))
        tensors.append(None)
        prefix = names[at][0] + "." if names[at][0] else ""
        for kind, name, tensor in entries:
            if id(tensor) in listed:
                continue
            tensors.append(tensor)
            where = shared.get(id(tensor))
            if where is None and totals[at] == 1:
                rows.append(Row([prefix + name], 1, kind, here))
                continue
            if where is None:
                where = [(name, at)]
            else:
                listed.add(id(tensor))
            full = [_join(above_it, own) for own, holder in where for above_it in names[holder]]
            total = sum(totals[holder] for _, holder in where)
            more = sorted({first_row[holder] for _, holder in where} - {here})
            rows.append(Row(full[:NAMES_LIMIT], total, kind, here, None, more))
    return Table(rows, tensors)


class _Graph(NamedTuple):
    """Distinct modules in pre-order: class, first parent, edges (cycles cut), own tensors."""

    types: list[str]
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
        graph.types.append(type_name(module))
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
    found = [
        (kind, name, tensor)
        for kind, table in (("parameter", "_parameters"), ("buffer", "_buffers"))
        for name, tensor in _entries(held.get(table))
        if type(tensor) is torch.nn.Parameter or is_tensor(tensor)
    ]
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
