"""Finds what is worth looking at in a frame: models, optimizers, losses, gradients."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

from . import slots
from .frames import Scope
from .modules import is_module, is_tensor, module_rows
from .objects import attributes, is_kind, loaded

CONTAINER_LIMIT = 64
"""Items of a plain container to look at when roots are searched for."""
GRADIENTS_LIMIT = 1 << 17
"""Items above which a container is not looked through for gradients."""

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
    single, groups = _candidates(scope)
    modules = [root.value for root in single if root.kind == "module"]
    tables = [parameters(module) for module in modules] if groups else []
    owned = {id(tensor) for table in tables for tensor in table.values()}
    for group, items in groups:
        if any(align(group.value, table) for table in tables):
            single.append(group)
        else:
            single += [item for item in items if item.kind and id(item.value) not in owned]
    wanted = [root for root in single if root.kind != "tensor" or slots.requires_grad(root.value)]
    return sorted(wanted, key=lambda root: _ORDER.index(root.kind))


def find_optimizers(scope: Scope) -> list[Any]:
    """Optimizers among what `find_roots` searches; looks into no module."""
    return [root.value for root in _candidates(scope)[0] if root.kind == "optimizer"]


def _candidates(scope: Scope) -> tuple[list[Found], list[tuple[Found, list[Found]]]]:
    """What is a root by itself; and containers of tensors, which may be gradients, with items."""
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
    return single, groups


_ORDER = ("module", "gradients", "tensor", "optimizer", "grad_scaler", "scheduler")


_KEPT_BY_MODULES = ("optimizer", "grad_scaler", "scheduler")
"""What a module may keep that is not among its own rows."""


def _named(scope: Scope) -> Iterator[Found]:
    """Candidates by name, then those one level into `self`."""
    names = [(name, where) for name, where in scope.names() if name in scope.namespace]
    for name, where in names:
        if name.isidentifier():
            yield Found(name, where, "", scope.namespace[name])
    for name, where in names:
        if name == "self":
            owner = scope.namespace[name]
            inside = is_module(owner)
            for attribute, value in list(attributes(owner).items()):
                if type(attribute) is not str or not attribute.isidentifier():
                    continue
                if not inside or root_kind(value) in _KEPT_BY_MODULES:
                    yield Found("self." + attribute, where, "", value)


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
    """(label, tensor) of a plain tuple, list or dict of tensors, else [].

    An item may be None: a gradient that did not come back.
    """
    cls = type(value)
    if not (cls is dict or cls is tuple or cls is list) or len(value) > GRADIENTS_LIMIT:
        return []
    pairs: list[tuple[Any, Any]] = list(value.items() if cls is dict else enumerate(value))
    some = False
    for label, item in pairs:
        if item is not None:
            if not is_tensor(item):
                return []
            some = True
        if cls is dict and type(label) is not str:
            return []
    if not some:
        return []
    return pairs if cls is dict else [(f"[{at}]", item) for at, item in pairs]


def parameters(module: Any) -> dict[str, Any]:
    """Parameters of a module by their first name, in model order."""
    table = module_rows(module)
    return {
        name: tensor
        for name, kind, tensor in zip(table.names, table.kinds, table.tensors)
        if kind == "parameter"
    }


def align(value: Any, table: dict[str, Any]) -> list[tuple[str, Any]]:
    """(parameter name, tensor or None) of gradients that fit a module's parameters, else [].

    A dict fits by its names and shapes, as `torch.func.grad` over a dict of parameters returns it;
    a tuple or list by order and shapes, as `torch.autograd.grad` over `parameters()` returns it.
    Neither the parameters nor what shares their memory (`state_dict()`, detached copies for
    `functional_call`) nor leaves that require grad are gradients. A copy of the weights under their
    names cannot be told from gradients.
    """
    tensors = gradient_tensors(value)
    if not tensors or _are_weights([item for _, item in tensors if item is not None], table):
        return []
    if type(value) is dict:
        fits = all(label in table and _fits(item, table[label]) for label, item in tensors)
        return tensors if fits else []
    trainable = {name: tensor for name, tensor in table.items() if slots.requires_grad(tensor)}
    for wanted in (table, trainable):
        if len(value) == len(wanted) and all(map(_fits, value, wanted.values())):
            return list(zip(wanted, value))
    return []


def _are_weights(tensors: list[Any], table: dict[str, Any]) -> bool:
    if any(slots.is_leaf(one) and slots.requires_grad(one) for one in tensors):
        return True
    weights = list(table.values())
    owned = {id(one) for one in weights} | {_storage(one) for one in weights} - {None}
    return any(id(one) in owned or _storage(one) in owned for one in tensors)


def _storage(tensor: Any) -> Any:
    """What tells memory apart, or None where it cannot be asked; reads no pointer to the data."""
    if slots.dispatches(type(tensor)):
        return None
    try:
        return "storage", slots.untyped_storage(tensor)._cdata
    except Exception:
        return None


def _fits(item: Any, tensor: Any) -> bool:
    if item is None:
        return True
    if slots.dispatches(type(item)) or slots.dispatches(type(tensor)):
        return type(item) is type(tensor)
    return bool(slots.shape(item) == slots.shape(tensor))


def optimized(optimizers: list[Any]) -> tuple[dict[int, bool], bool]:
    """By `id` of each tensor in an optimizer whether it has state there; and whether any has."""
    table: dict[int, bool] = {}
    for _, optimizer in with_wrapped(optimizers):
        held = attributes(optimizer)
        state = held.get("state")
        with_state = set()
        if state is not None and is_kind(state, dict):
            with_state = {id(tensor) for tensor, slot in dict.items(state) if _not_empty(slot)}
        groups = held.get("param_groups")
        for group in groups if type(groups) is list else ():
            members = dict.get(group, "params") if is_kind(group, dict) else None
            for tensor in members if type(members) is list else ():
                table[id(tensor)] = table.get(id(tensor), False) or id(tensor) in with_state
    return table, any(table.values())


def with_wrapped(optimizers: list[Any]) -> list[tuple[str | None, Any]]:
    """The optimizers, and those that one without groups of its own wraps.

    With each goes what follows the expression of the one given, e.g. `.optimizer`; None where its
    attribute is no name.
    """
    cls = loaded("torch.optim.optimizer", "Optimizer")
    found: list[tuple[str | None, Any]] = []
    waiting: list[tuple[str | None, Any]] = [("", optimizer) for optimizer in optimizers]
    while waiting:
        path, optimizer = waiting.pop(0)
        if any(optimizer is one for _, one in found):
            continue
        found.append((path, optimizer))
        held = attributes(optimizer)
        if cls is not None and "param_groups" not in held:
            for name, one in list(held.items()):
                if is_kind(one, cls):
                    named = path is not None and type(name) is str and name.isidentifier()
                    waiting.append((f"{path}.{name}" if named else None, one))
    return found


def _not_empty(slot: Any) -> bool:
    """Whether an optimizer's state of a tensor holds anything; SGD without momentum keeps None."""
    return is_kind(slot, dict) and any(value is not None for value in dict.values(slot))
