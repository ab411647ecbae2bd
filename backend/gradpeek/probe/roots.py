"""Finds what is worth looking at in a frame: models, optimizers, losses, gradients."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

from . import slots
from .frames import Scope
from .modules import is_module, is_tensor, module_rows
from .objects import attributes, is_kind, loaded

CONTAINER_LIMIT = 64
"""Items of a plain container to look at when roots are searched for."""

_LATE_CLASSES = {
    "optimizer": (("torch.optim.optimizer", "Optimizer"),),
    "grad_scaler": (
        ("torch.amp.grad_scaler", "GradScaler"),
        ("torch.cuda.amp.grad_scaler", "GradScaler"),
    ),
    "scheduler": (
        ("torch.optim.lr_scheduler", "LRScheduler"),
        ("torch.optim.lr_scheduler", "_LRScheduler"),
        ("torch.optim.lr_scheduler", "ReduceLROnPlateau"),
    ),
}


class Found(NamedTuple):
    """A root: the object, the expression that reaches it, and what it is."""

    expression: str
    scope: str
    kind: str
    value: Any


def root_kind(value: Any) -> str | None:
    """What `value` is as a root, or None where it is nothing that GradPeek shows."""
    if is_module(value):
        return "module"
    if is_tensor(value):
        return "tensor"
    for kind, classes in _LATE_CLASSES.items():
        for module, name in classes:
            cls = loaded(module, name)
            if cls is not None and is_kind(value, cls):
                return kind
    if gradient_tensors(value):
        return "gradients"
    return None


def find_roots(scope: Scope) -> list[Found]:
    """Roots of a frame, models first, else in the order of its names.

    Searched: the frame's names, the attributes of `self`, and the items of plain lists, tuples and
    dicts that these names hold. Of tensors only those that require grad count; a tuple or dict of
    tensors counts as gradients where it fits the parameters of a module of the frame.
    """
    single: list[Found] = []
    groups: list[tuple[Found, list[Found]]] = []
    for root in _named(scope):
        kind = root_kind(root.value)
        if kind is not None and kind != "gradients":
            single.append(root._replace(kind=kind))
            continue
        items = [item._replace(kind=root_kind(item.value) or "") for item in _items(root)]
        if kind == "gradients":
            groups.append((root._replace(kind=kind), items))
        else:
            single += [item for item in items if item.kind not in ("", "gradients")]
    modules = [root.value for root in single if root.kind == "module"]
    tables = [parameters(module) for module in modules] if groups else []
    owned = {id(tensor) for table in tables for tensor in table.values()}
    for group, items in groups:
        if any(align(group.value, table) for table in tables):
            single.append(group)
        else:
            single += [item for item in items if id(item.value) not in owned]
    wanted = [root for root in single if root.kind != "tensor" or slots.requires_grad(root.value)]
    return sorted(wanted, key=lambda root: _ORDER.index(root.kind))


_ORDER = ("module", "gradients", "tensor", "optimizer", "grad_scaler", "scheduler")


def _named(scope: Scope) -> Iterator[Found]:
    """Candidates by name, then those one level into a `self` that is no module."""
    names = [(name, where) for name, where in scope.names() if name in scope.namespace]
    for name, where in names:
        if name.isidentifier():
            yield Found(name, where, "", scope.namespace[name])
    owner = scope.namespace.get("self")
    if ("self", "local") in names and not is_module(owner):
        for name, value in list(attributes(owner).items()):
            if type(name) is str and name.isidentifier():
                yield Found("self." + name, "local", "", value)


def _items(root: Found) -> Iterator[Found]:
    """Candidates inside a plain list, tuple or dict."""
    container = root.value
    pairs: list[tuple[Any, Any]] = []
    if type(container) is dict:
        pairs = [(key, item) for key, item in list(container.items())[:CONTAINER_LIMIT]]
    elif type(container) is list or type(container) is tuple:
        pairs = list(enumerate(container[:CONTAINER_LIMIT]))
    for key, item in pairs:
        if type(key) is str or type(key) is int:
            yield Found(f"{root.expression}[{key!r}]", root.scope, "", item)


def gradient_tensors(value: Any) -> list[tuple[str, Any]]:
    """(label, tensor) of a plain tuple, list or dict that holds tensors and None only, else []."""
    if type(value) is dict:
        pairs = list(value.items())
    elif type(value) is tuple or type(value) is list:
        pairs = [(f"[{at}]", item) for at, item in enumerate(value)]
    else:
        return []
    tensors = [(label, item) for label, item in pairs if item is not None]
    fits = all(type(label) is str and is_tensor(item) for label, item in tensors)
    return tensors if fits else []


def parameters(module: Any) -> dict[str, Any]:
    """Parameters of a module by their first name, in model order."""
    rows, tensors = module_rows(module)
    return {row.names[0]: tensor for row, tensor in zip(rows, tensors) if row.kind == "parameter"}


def align(value: Any, table: dict[str, Any]) -> list[tuple[str, Any]]:
    """(parameter name, tensor) of gradients that fit a module's parameters, else [].

    A dict fits by its names, as `torch.func.grad` over a dict of parameters returns it; a tuple or
    list by order and shapes, as `torch.autograd.grad` over `parameters()` returns it. The
    parameters themselves are not their gradients.
    """
    tensors = gradient_tensors(value)
    if not tensors or any(item is owned for _, item in tensors for owned in table.values()):
        return []
    if type(value) is dict:
        return tensors if all(label in table for label, _ in tensors) else []
    trainable = {name: tensor for name, tensor in table.items() if slots.requires_grad(tensor)}
    for wanted in (table, trainable):
        if len(value) == len(wanted) and all(
            item is None or _same_shape(item, tensor)
            for item, tensor in zip(value, wanted.values())
        ):
            return [(name, item) for name, item in zip(wanted, value) if item is not None]
    return []


def _same_shape(one: Any, other: Any) -> bool:
    if slots.dispatches(type(one)) or slots.dispatches(type(other)):
        return type(one) is type(other)
    return bool(slots.shape(one) == slots.shape(other))


def optimized(optimizers: list[Any]) -> tuple[dict[int, bool], bool]:
    """By `id` of each tensor in an optimizer whether it has state there; and whether any has."""
    table: dict[int, bool] = {}
    for optimizer in optimizers:
        held = attributes(optimizer)
        state = held.get("state")
        with_state = set()
        if state is not None and is_kind(state, dict):
            with_state = {id(tensor) for tensor, slot in dict.items(state) if _not_empty(slot)}
        groups = held.get("param_groups")
        for group in groups if type(groups) is list else ():
            members = group.get("params") if type(group) is dict else None
            for tensor in members if type(members) is list else ():
                table[id(tensor)] = table.get(id(tensor), False) or id(tensor) in with_state
    return table, any(table.values())


def _not_empty(slot: Any) -> bool:
    """Whether an optimizer's state of a tensor holds anything; SGD without momentum keeps None."""
    return is_kind(slot, dict) and any(value is not None for value in dict.values(slot))
