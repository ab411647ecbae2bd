"""Modules that break torch's rules, or object when they are asked anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from support.tables import into

MODULES: dict[str, Callable[[], Any]] = {}
TOUCHED: list[str] = []
"""What was run of the hostile modules here."""

_kind = into(MODULES)


def _touch(what: str) -> Any:
    TOUCHED.append(what)
    raise RuntimeError("touched: " + what)


@_kind
def _dotted_and_odd_names() -> Any:
    model = nn.Module()
    model._modules["dotted.name"] = nn.Linear(2, 2)
    model._modules[""] = nn.Linear(2, 2)
    model._parameters["p.q"] = nn.Parameter(torch.randn(2))
    model._parameters["naïve ∇ \ud800"] = nn.Parameter(torch.randn(2))
    model._parameters[3] = nn.Parameter(torch.randn(2))
    return model


class _HostileDict(dict):  # type: ignore[type-arg]
    def __getitem__(self, key: Any) -> Any:
        return _touch("getitem")

    def __iter__(self) -> Any:
        return _touch("iter")

    def __len__(self) -> int:
        return int(_touch("len"))

    def items(self) -> Any:
        return _touch("items")

    def values(self) -> Any:
        return _touch("values")

    def get(self, *_: Any) -> Any:
        return _touch("get")


@_kind
def _hostile_tables() -> Any:
    model = nn.Sequential(nn.Linear(2, 2))
    for module in (model, model[0]):
        for table in ("_parameters", "_buffers", "_modules"):
            module.__dict__[table] = _HostileDict(module.__dict__[table])
    return model


def _is_armed(module: Any) -> bool:
    """Whether a hostile module has been built and is on its guard from now on."""
    return "armed" in nn.Module.__dict__["__dict__"].__get__(module)


class _Hostile(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.weight = nn.Parameter(torch.randn(3))
        self.armed = True

    def __getattribute__(self, name: str) -> Any:
        if _is_armed(self) and name != "__class__":
            return _touch("getattribute " + name)
        return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if _is_armed(self):
            _touch("setattr " + name)
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return str(_touch("repr"))

    def __len__(self) -> int:
        return int(_touch("len"))

    def __bool__(self) -> bool:
        return bool(_touch("bool"))

    def __eq__(self, other: object) -> bool:
        return bool(_touch("eq"))

    def __hash__(self) -> int:
        return int(_touch("hash"))

    def named_parameters(self, *_: Any, **__: Any) -> Any:
        return _touch("named_parameters")

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        return _touch("dict") if _is_armed(self) else nn.Module.__dict__["__dict__"].__get__(self)


@_kind
def _hostile() -> Any:
    return _Hostile()


class _HostileMeta(type):
    def __getattribute__(cls, name: str) -> Any:
        if name in ("__mro__", "__name__", "__dict__", "__module__"):
            return _touch("meta " + name)
        return super().__getattribute__(name)

    def __instancecheck__(cls, instance: Any) -> bool:
        return bool(_touch("instancecheck"))

    def __eq__(cls, other: object) -> bool:
        return bool(_touch("meta eq"))

    def __hash__(cls) -> int:
        return int(_touch("meta hash"))


@_kind
def _of_a_hostile_metaclass() -> Any:
    model = nn.Sequential(nn.Linear(2, 2))
    model.__class__ = _HostileMeta("Strange", (nn.Sequential,), {})
    return model


class _Slotted(nn.Module):
    __slots__ = ("extra",)

    def __init__(self) -> None:
        super().__init__()
        self.extra = 3
        self.add_module("layer", nn.Linear(2, 2))


@_kind
def _slotted() -> Any:
    return _Slotted()


class _Lying:
    """Says that it is a module, and is none."""

    __class__ = nn.Linear


@_kind
def _holding_a_liar() -> Any:
    model = nn.Sequential(nn.Linear(2, 2))
    model._modules["liar"] = _Lying()
    model._parameters["text"] = "no tensor"
    return model


@_kind
def _half_built() -> Any:
    class Unfinished(nn.Module):
        def __init__(self) -> None:
            pass

    return Unfinished()


@_kind
def _torn_down() -> Any:
    model = nn.Linear(2, 2)
    del model.__dict__["_parameters"], model.__dict__["_buffers"]
    model.__dict__["_modules"] = None
    return model
