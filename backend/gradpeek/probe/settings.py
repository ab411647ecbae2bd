"""Rows of optimizers, gradient scalers and schedulers: what their instance dicts hold.

No method or property of theirs is called, so that a subclass of the program cannot run code here;
what cannot be told without that is named by its class.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator, NamedTuple

import torch

from . import reply, slots
from .kinds import describe, plain_key
from .modules import Setting, Settings, Table, is_tensor
from .objects import Membership, attributes, is_kind, type_name
from .roots import with_wrapped

TEXT_LIMIT = 200
"""Characters of a text of the program that are told."""
ITEMS_LIMIT = 16
"""Items of a list or tuple that are told."""
VALUES_LIMIT = 64
"""Values of one row, and kinds of state of one optimizer, that are told."""
BITS_LIMIT = 1024
"""Of an integer: JSON's readers refuse very long ones."""

_NOT_SETTINGS = ("params", "param_names")


class _Row(NamedTuple):
    name: str
    kind: str
    path: str | None
    values: list[Setting]
    tensors: int | None = None
    elements: int | None = None


def settings_table(kind: str, value: Any) -> Table:
    """Rows of a root whose kind is optimizer, grad_scaler or scheduler; holds nothing of it."""
    rows = _ROWS[kind](value)
    count = len(rows)
    return Table(
        [row.name for row in rows],
        [row.kind for row in rows],
        [-1] * count,
        [None] * count,
        [None] * count,
        {},
        tuple(
            Settings(at, row.path, row.tensors, row.elements, row.values)
            for at, row in enumerate(rows)
        ),
    )


def _optimizer(root: Any) -> list[_Row]:
    rows: list[_Row] = []
    state: dict[str, list[Any]] = {}
    for path, optimizer in with_wrapped([root]):
        held = dict(_named(attributes(optimizer)))
        groups = held.get("param_groups")
        for at, group in enumerate(groups if type(groups) is list else ()):
            if is_kind(group, dict):
                where = None if path is None else f"{path}.param_groups[{at}]"
                rows.append(_group(f"group {len(rows)}", where, group))
        _collect(held.get("state"), state)
    return rows + [_state(name, values) for name, values in state.items()]


def _group(name: str, path: str | None, group: Any) -> _Row:
    members: Any = ()
    values: list[Setting] = []
    for key, value in _named(group):
        if key == "params" and type(value) is list:
            members = value
        elif key not in _NOT_SETTINGS and len(values) < VALUES_LIMIT:
            values.append(_setting(key, value))
    is_tensor = Membership(torch.Tensor)
    sizes = [_facts(one)[0] for one in members if is_tensor(one)]
    return _Row(name, "group", path, values, len(sizes), sum(one or 0 for one in sizes))


def _collect(state: Any, found: dict[str, list[Any]]) -> None:
    """Put what an optimizer keeps for each of its tensors by its name into `found`."""
    if not is_kind(state, dict):
        return
    for slot in list(dict.values(state)):
        for name, value in _named(slot) if is_kind(slot, dict) else ():
            if value is not None and (name in found or len(found) < VALUES_LIMIT):
                found.setdefault(name, []).append(value)


def _state(name: str, values: list[Any]) -> _Row:
    """The row of one kind of state: a number such as the step, or tensors such as momenta."""
    is_tensor = Membership(torch.Tensor)
    facts = [_facts(one) for one in values if is_tensor(one)]
    if any(elements != 1 for elements, _, _ in facts):
        said = [_setting("dtype", _distinct([dtype for _, dtype, _ in facts]))]
        devices = _distinct([device for _, _, device in facts])
        if devices != "cpu":
            said.append(_setting("device", devices))
        elements = sum(one or 0 for one, _, _ in facts)
        return _Row(name, "state", None, said, len(facts), elements)
    told = list(dict.fromkeys((type(value), value, label) for value, label in map(_told, values)))
    if len(told) == 1:
        return _Row(name, "state", None, [_setting("value", values[0])])
    if all(kind in (int, float) for kind, _, _ in told):
        numbers = [value for _, value, _ in told]
        ends = [Setting("min", min(numbers), None), Setting("max", max(numbers), None)]
        return _Row(name, "state", None, ends)
    texts = [label if value is None else value for _, value, label in told]
    return _Row(name, "state", None, [_setting("values", texts)])


def _distinct(values: list[Any]) -> Any:
    """The one dtype or device that all are, else the list of those that there are; as text."""
    found = [str(one).replace("torch.", "") for one in dict.fromkeys(values)]
    return found[0] if len(found) == 1 else found


def _grad_scaler(scaler: Any) -> list[_Row]:
    held = dict(_named(attributes(scaler)))
    rows: list[_Row] = []
    for name, spare in (("_scale", "_init_scale"), ("_growth_tracker", "_init_growth_tracker")):
        # torch makes the tensors at the first use; until then the initial values hold.
        source = name if held.get(name) is not None else spare
        if source in held:
            rows.append(_single(name[1:], source, held[source]))
    names = ("_enabled", "_growth_factor", "_backoff_factor", "_growth_interval")
    rest = [_setting(name[1:], held[name]) for name in names if name in held]
    return [*rows, _Row("settings", "state", None, rest)] if rest else rows


_OF_SCHEDULERS = {
    "last_epoch": "last_epoch",
    "last_lr": "_last_lr",
    "base_lrs": "base_lrs",
    "best": "best",
    "num_bad_epochs": "num_bad_epochs",
}
"""What of a scheduler changes or is asked for most, with the attribute that holds it."""


def _scheduler(scheduler: Any) -> list[_Row]:
    held = dict(_named(attributes(scheduler)))
    rows = [
        _single(name, source, held[source])
        for name, source in _OF_SCHEDULERS.items()
        if source in held
    ]
    rest = [
        _setting(name, value)
        for name, value in held.items()
        if not name.startswith("_") and name not in _OF_SCHEDULERS and name != "optimizer"
    ]
    rest = rest[:VALUES_LIMIT]
    return [*rows, _Row("settings", "state", None, rest)] if rest else rows


_ROWS: dict[str, Callable[[Any], list[_Row]]] = {
    "optimizer": _optimizer,
    "grad_scaler": _grad_scaler,
    "scheduler": _scheduler,
}


def _single(name: str, source: str, value: Any) -> _Row:
    return _Row(name, "state", f".{source}", [_setting("value", value)])


def _named(mapping: Any) -> Iterator[tuple[str, Any]]:
    """Items of a dict under plain texts; it is not asked for a key, whose `__eq__` may be code."""
    for name, value in list(dict.items(mapping)):
        if type(name) is str:
            yield (name if len(name) <= TEXT_LIMIT else name[:TEXT_LIMIT] + "…"), value


def _setting(name: str, value: Any) -> Setting:
    told, label = _told(value)
    return Setting(name, list(told) if type(told) is tuple else told, label)


def _told(value: Any) -> tuple[Any, str | None]:
    """A plain value fit for JSON, or None with the label that stands for it."""
    if type(value) is tuple or type(value) is list:
        return _told_items(value)
    return _told_scalar(value)


def _told_items(value: Any) -> tuple[Any, str | None]:
    items = [_told_scalar(one) for one in value[:ITEMS_LIMIT]]
    labels = [label for _, label in items if label is not None]
    if labels:
        return None, labels[0] if labels[0].startswith("on ") else type_name(value)
    shown = tuple(one for one, _ in items)
    cut = len(value) > len(shown)
    return shown, _beginning(len(shown), len(value)) if cut else None


def _beginning(told: int, total: int) -> str:
    return f"first {told} of {total}"


def _elsewhere(device: Any) -> str:
    return f"on {device}"


def _told_scalar(value: Any) -> tuple[Any, str | None]:
    cls = type(value)
    if value is None or cls is bool:
        return value, None
    if cls is float:
        return reply.number(value), None
    if cls is str:
        return (value, None) if len(value) <= TEXT_LIMIT else (value[:TEXT_LIMIT] + "…", None)
    if cls is torch.Tensor or is_tensor(value):
        return _told_tensor(value)
    # A subclass, e.g. NumPy's float64, is read by the slots of the class below it.
    if is_kind(value, float):
        return reply.number(float.__mul__(value, 1.0)), None
    if is_kind(value, int):
        number = int.__add__(value, 0)
        return (number, None) if number.bit_length() <= BITS_LIMIT else (None, type_name(value))
    return None, type_name(value)


def _told_tensor(tensor: Any) -> tuple[Any, str | None]:
    """The number in a plain tensor of one element in main memory; never waits for a device."""
    elements, _, device = _facts(tensor)
    if device is not None and str(device) != "cpu":
        return None, _elsewhere(device)
    if elements != 1 or plain_key(tensor) is None:
        return None, type_name(tensor)
    number = slots.item(tensor)
    return (None, type_name(number)) if type(number) is complex else _told_scalar(number)


def _facts(tensor: Any) -> tuple[int | None, Any, Any]:
    """(elements, dtype, device) of a tensor, as far as they can be asked."""
    if type(tensor) is torch.Tensor or type(tensor) is torch.nn.Parameter:
        return slots.numel(tensor), slots.dtype(tensor), slots.device(tensor)
    facts = describe(tensor)
    return facts.numel, facts.dtype, facts.device
