"""What the probe holds between the questions of one stop, and lets go of when it ends."""

from __future__ import annotations

import sys
import weakref
from typing import Any, NamedTuple

from .modules import Row, module_rows
from .roots import align, gradient_tensors, parameters


class UnknownRootError(LookupError):
    """The root belongs to an ended stop, or its object is gone."""


class Tensors(NamedTuple):
    """The rows of a root: the table without its objects, and a weak reference for each."""

    rows: list[Row]
    references: list[Any]


class _Entry:
    __slots__ = ("kind", "owned", "reference", "table")

    def __init__(self, kind: str, value: Any, modules: list[Any]) -> None:
        self.kind = kind
        self.owned: Any = None
        self.table: Tensors | None = None
        self.reference: Any = None
        if kind == "gradients":
            self.table = _table(_gradient_rows(value, modules))
        else:
            self.reference = weakref.ref(value)

    def value(self) -> Any:
        value = self.reference() if self.reference is not None else None
        if value is None:
            raise UnknownRootError("the object of this root is gone")
        return value

    def rows(self) -> Tensors:
        if self.table is None:
            value = self.value()
            if self.kind == "module":
                self.table = _table(module_rows(value))
            elif self.kind == "tensor":
                self.table = _table([Row(value, [""], 1, "tensor")])
            else:
                self.table = Tensors([], [])
        return self.table


class Stop:
    """Roots of one stop by number, held weakly unless nothing else owns them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._entries: dict[int, _Entry] = {}
        self.optimizer_state: dict[int, bool] | None = None

    def add(self, kind: str, value: Any, modules: list[Any]) -> int:
        """Number for an object that something else keeps alive."""
        number = len(self._entries) + 1
        self._entries[number] = _Entry(kind, value, modules)
        return number

    def own(self, number: int, value: Any) -> None:
        """Keep a value that an expression has made until the stop ends."""
        self._entries[number].owned = value

    def rows(self, number: int) -> Tensors:
        """Rows of a root.

        Raises:
            UnknownRootError: there is no such root at this stop, or its object is gone.
        """
        entry = self._entries.get(number)
        if entry is None:
            raise UnknownRootError(f"no root {number} at this stop")
        return entry.rows()

    def release(self) -> int:
        """Let go of everything; the number of roots that were known."""
        count = len(self._entries)
        self._entries.clear()
        self.optimizer_state = None
        return count


def is_temporary(value: Any, references: int) -> bool:
    """Whether nothing but the caller, which holds `references` of its own, keeps `value` alive."""
    return sys.getrefcount(value) <= references + 2


def _gradient_rows(value: Any, modules: list[Any]) -> list[Row]:
    named = gradient_tensors(value)
    for module in modules:
        aligned: list[tuple[str, Any]] = align(value, parameters(module))
        if aligned:
            named = aligned
            break
    return [Row(tensor, [name], 1, "tensor") for name, tensor in named]


def _table(rows: list[Row]) -> Tensors:
    return Tensors([row._replace(value=None) for row in rows], [weakref.ref(r.value) for r in rows])
