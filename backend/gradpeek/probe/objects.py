"""Looks at objects of the program without running any code of theirs."""

from __future__ import annotations

import sys
import types
from typing import Any

_MRO = type.__dict__["__mro__"]
_TYPE_DICT = type.__dict__["__dict__"]


def mro(cls: type) -> tuple[type, ...]:
    """The method resolution order of a class, past any metaclass."""
    order: tuple[type, ...] = _MRO.__get__(cls)
    return order


def is_kind(value: Any, base: type) -> bool:
    """Whether `value` is an instance of `base` by its real type; `__class__` is not asked."""
    return base in mro(type(value))


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
        inside = self._base in mro(type(value))
        (self._inside if inside else self.outside).add(key)
        return inside


def attributes(value: Any) -> dict[str, Any]:
    """The instance dict of `value`, empty where it has none; a user's `__dict__` is not called."""
    for cls in mro(type(value)):
        slot = _TYPE_DICT.__get__(cls).get("__dict__")
        if slot is None:
            continue
        if type(slot) is types.GetSetDescriptorType:
            found = slot.__get__(value, type(value))
            return found if is_kind(found, dict) else {}
        return {}
    return {}


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
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name


def loaded(module: str, name: str) -> Any:
    """`name` of a module that the program has loaded, or None; nothing is imported."""
    return vars(sys.modules[module]).get(name) if module in sys.modules else None
