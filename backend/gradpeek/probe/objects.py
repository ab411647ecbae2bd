"""Looks at objects of the program without running any code of theirs."""

from __future__ import annotations

import sys
import types
from typing import Any

_MRO = type.__dict__["__mro__"]
_NAME = type.__dict__["__name__"]
_TYPE_DICT = type.__dict__["__dict__"]


def mro(cls: type) -> tuple[type, ...]:
    """The method resolution order of a class, past any metaclass."""
    order: tuple[type, ...] = _MRO.__get__(cls)
    return order


def inherits(cls: type, base: type) -> bool:
    """Whether `base` is in the resolution order; by identity, `==` may be a metaclass's code."""
    return any(one is base for one in mro(cls))


def is_kind(value: Any, base: type) -> bool:
    """Whether `value` is an instance of `base` by its real type; `__class__` is not asked."""
    return inherits(type(value), base)


class Membership:
    """`is_kind` for one pass over many values: each class is looked at once.

    Classes are told apart by identity, since the hash of a class may be code of its metaclass; so
    an instance must not outlive the pass.
    """

    __slots__ = ("_base", "_inside", "outside")

    def __init__(self, base: type) -> None:
        self._base = base
        self._inside: set[int] = set()
        self.outside: set[int] = set()
        """`id` of the classes found not to belong, for tight loops."""

    def __call__(self, value: Any) -> bool:
        """Whether `value` is an instance of the base by its real type."""
        key = id(type(value))
        if key in self._inside:
            return True
        if key in self.outside:
            return False
        inside = inherits(type(value), self._base)
        (self._inside if inside else self.outside).add(key)
        return inside


def attributes(value: Any) -> dict[str, Any]:
    """The instance dict of `value`, empty where it has none; a user's `__dict__` is passed by."""
    slot = dict_slot(type(value))
    found = {} if slot is None else slot.__get__(value)
    return found if is_kind(found, dict) else {}


def dict_slot(cls: type) -> Any:
    """What reads the instance dict of instances of `cls`, or None where they have none."""
    for base in mro(cls):
        slot = _TYPE_DICT.__get__(base).get("__dict__")
        if type(slot) is types.GetSetDescriptorType:
            return slot
    return None


def attribute(value: Any, name: str) -> Any:
    """What `value` keeps under `name` in its instance dict or a slot, or None."""
    found = attributes(value).get(name)
    if found is not None:
        return found
    for cls in mro(type(value)):
        slot = _TYPE_DICT.__get__(cls).get(name)
        if type(slot) is types.MemberDescriptorType:
            try:
                return slot.__get__(value, type(value))
            except AttributeError:  # an empty slot
                return None
    return None


def type_name(value: Any) -> str:
    """The class name of `value`, e.g. `Conv2d`."""
    return class_name(type(value))


def class_name(cls: type) -> str:
    """The name of a class, past any metaclass."""
    name: str = _NAME.__get__(cls)
    return name


def home(cls: type) -> str:
    """The top package of a class, e.g. `torch`; "" where the class does not tell."""
    module = _TYPE_DICT.__get__(cls).get("__module__")
    return module.split(".")[0] if type(module) is str else ""


def loaded(module: str, name: str) -> Any:
    """`name` of a module that the program has loaded, or None; nothing is imported."""
    return vars(sys.modules[module]).get(name) if module in sys.modules else None
