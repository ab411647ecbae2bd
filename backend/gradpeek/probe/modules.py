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
from .objects import Membership, attributes, is_kind, mro, type_name

NAMES_LIMIT = 64


class Row(NamedTuple):
    """One module or tensor of a root; `parent` and `more_parents` are the rows that hold it."""

    value: Any
    names: list[str]
    names_total: int
    kind: str
    parent: int = -1
    more_parents: Sequence[int] = ()
    module_type: str | None = None


def is_module(value: Any) -> bool:
    """Whether `value` is a `torch.nn.Module`, asked of its real type."""
    return is_kind(value, torch.nn.Module)


def is_tensor(value: Any) -> bool:
    """Whether `value` is a `torch.Tensor`, asked of its real type."""
    cls = type(value)
    return cls is torch.nn.Parameter or torch.Tensor in mro(cls)


def module_rows(root: Any) -> list[Row]:
    """Rows of a module tree in model order: a module, its tensors, then its children.

    A tensor that is both a parameter and a buffer, or is shared, is one row of its first kind.
    """
    order, children, parent_of = _walk(root)
    names, totals = _names(order, children)
    tensors = _tensors(order)
    sites: dict[int, list[tuple[str, int]]] = {}
    for at, entries in enumerate(tensors):
        for _, name, tensor in entries:
            sites.setdefault(id(tensor), []).append((name, at))
    first_row, count = [], 0
    seen: set[int] = set()
    for entries in tensors:
        first_row.append(count)
        fresh = {id(tensor) for _, _, tensor in entries} - seen
        seen |= fresh
        count += 1 + len(fresh)
    holders = _more_holders(children, parent_of)
    rows: list[Row] = []
    seen.clear()
    for at, module in enumerate(order):
        here, owner = first_row[at], type_name(module)
        parent = first_row[parent_of[at]] if at else -1
        more = [first_row[holder] for holder in holders.get(at, ())]
        rows.append(Row(module, names[at], totals[at], "module", parent, more, owner))
        for kind, name, tensor in tensors[at]:
            if id(tensor) in seen:
                continue
            seen.add(id(tensor))
            where = sites[id(tensor)]
            if len(where) == 1 and totals[at] == 1:
                full = [_join(names[at][0], name)]
                rows.append(Row(tensor, full, 1, kind, here, (), owner))
                continue
            full, total = _all_names(where, names, totals)
            more = sorted({first_row[holder] for _, holder in where} - {here})
            rows.append(Row(tensor, full, total, kind, here, more, owner))
    return rows


def _more_holders(
    children: list[list[tuple[str, int]]], parent_of: list[int]
) -> dict[int, list[int]]:
    """By module the modules that hold it besides its first parent."""
    found: dict[int, list[int]] = {}
    for holder, edges in enumerate(children):
        for _, child in edges:
            if holder != parent_of[child] and holder not in found.setdefault(child, []):
                found[child].append(holder)
    return found


def _all_names(
    where: list[tuple[str, int]], names: list[list[str]], totals: list[int]
) -> tuple[list[str], int]:
    full = [_join(prefix, name) for name, at in where for prefix in names[at]]
    return full[:NAMES_LIMIT], sum(totals[at] for _, at in where)


def _join(prefix: str, name: str) -> str:
    return prefix + "." + name if prefix else name


def _walk(root: Any) -> tuple[list[Any], list[list[tuple[str, int]]], list[int]]:
    """Distinct modules in pre-order, the edges between them (cycles cut), and first parents."""
    order, children, parent_of = [root], [[]], [-1]  # type: Tuple[List[Any], List[List[Tuple[str, int]]], List[int]]
    index = {id(root): 0}
    ancestors = {0}
    is_module = Membership(torch.nn.Module)
    stack = [(0, iter(_entries(attributes(root).get("_modules"))))]
    while stack:
        at, entries = stack[-1]
        for name, child in entries:
            if not is_module(child):
                continue
            known = index.get(id(child))
            if known is None:
                known = index[id(child)] = len(order)
                order.append(child)
                children.append([])
                parent_of.append(at)
                children[at].append((name, known))
                ancestors.add(known)
                stack.append((known, iter(_entries(attributes(child).get("_modules")))))
                break
            if known not in ancestors:
                children[at].append((name, known))
        else:
            stack.pop()
            ancestors.discard(at)
    return order, children, parent_of


def _names(
    order: list[Any], children: list[list[tuple[str, int]]]
) -> tuple[list[list[str]], list[int]]:
    """All paths to each module, in the order in which torch lists them, capped; and their counts.

    A path is compared by the positions of its edges. The first N paths to a module continue the
    first N paths to its parents, so capping early loses none of them.
    """
    paths = [[] for _ in order]  # type: List[List[Tuple[Tuple[int, ...], str]]]
    totals = [0] * len(order)
    paths[0], totals[0] = [((), "")], 1
    for at in _topological(children):
        found = paths[at]
        if len(found) > 1:
            found.sort()
            del found[NAMES_LIMIT:]
        for position, (name, child) in enumerate(children[at]):
            totals[child] += totals[at]
            paths[child].extend(
                ((*steps, position), _join(prefix, name)) for steps, prefix in found
            )
    return [[name for _, name in found] for found in paths], totals


def _topological(children: list[list[tuple[str, int]]]) -> Iterator[int]:
    """Parents before children; the edges form no cycle."""
    waiting = [0] * len(children)
    for edges in children:
        for _, child in edges:
            waiting[child] += 1
    ready = [0]
    while ready:
        at = ready.pop()
        yield at
        for _, child in children[at]:
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)


def _tensors(order: list[Any]) -> list[list[tuple[str, str, Any]]]:
    """Per module its (kind, name, tensor): parameters, buffers, tensors that are not registered."""
    is_tensor = Membership(torch.Tensor)
    outside = is_tensor.outside
    found = []
    for module in order:
        held = attributes(module)
        entries = [
            (kind, name, tensor)
            for kind, table in (("parameter", "_parameters"), ("buffer", "_buffers"))
            for name, tensor in _entries(held.get(table))
            if is_tensor(tensor)
        ]
        for name, value in held.items():
            if id(type(value)) in outside or not is_tensor(value):
                continue
            if type(name) is str and slots.requires_grad(value):
                entries.append(("tensor", name, value))
        found.append(entries)
    return found


def _entries(table: Any) -> list[tuple[str, Any]]:
    """Items of a module's table; those of a ScriptModule are wrappers with `items`, not dicts."""
    cls = type(table)
    if cls is dict or cls is OrderedDict or is_kind(table, dict):
        return [entry for entry in dict.items(table) if type(entry[0]) is str]
    if cls.__module__ == "torch.jit._script" and cls.__name__ in _SCRIPT_TABLES:
        return list(table.items())
    return []


_SCRIPT_TABLES = ("OrderedDictWrapper", "OrderedModuleDict")
