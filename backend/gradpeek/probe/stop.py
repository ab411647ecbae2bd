"""What the probe holds between the questions of one stop, and lets go of when it ends."""

from __future__ import annotations

import sys
import weakref
from typing import Any, NamedTuple

from . import slots
from .modules import Table, is_tensor, module_at, module_rows, tensor_table
from .roots import align, gradient_tensors, parameters
from .settings import settings_table


class UnknownRootError(LookupError):
    """The root belongs to an ended stop, or its object is gone."""


class Tensors(NamedTuple):
    """The rows of a root without its tensors, and a weak reference to each (None for none)."""

    columns: Table
    references: list[Any]

    def tensor(self, at: int) -> Any:
        """The tensor of row `at`; None for a module, a hole, and a tensor that is gone."""
        reference = self.references[at] if 0 <= at < len(self.references) else None
        return None if reference is None else reference()


class _Entry:
    __slots__ = ("kind", "owned", "reference", "table")

    def __init__(self, kind: str, value: Any, modules: list[Any]) -> None:
        self.kind = kind
        self.owned: Any = None
        self.table: Tensors | None = None
        self.reference: Any = None
        if kind == "gradients":
            self.table = _weak(_gradients(value, modules))
        else:
            self.reference = weakref.ref(value)

    def value(self) -> Any:
        value = self.reference() if self.reference is not None else None
        if value is None:
            raise UnknownRootError("the object of this root is gone")
        return value

    def module(self, row: int) -> Any:
        return module_at(self.value(), row) if self.kind == "module" else None

    def rows(self) -> Tensors:
        if self.table is None:
            value = self.value()
            if self.kind == "module":
                self.table = _weak(module_rows(value))
            elif self.kind == "tensor":
                self.table = _weak(tensor_table([""], [value]))
            else:
                self.table = _weak(settings_table(self.kind, value))
        return self.table


class Stop:
    """Roots of one stop by number, held weakly unless nothing else owns them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._entries: dict[int, _Entry] = {}
        self._last = 0
        self.optimizer_state: dict[int, bool] | None = None

    def add(self, kind: str, value: Any, modules: list[Any]) -> int:
        """Number for an object that something else keeps alive."""
        self._last += 1
        number = self._last
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
        return self._entry(number).rows()

    def module(self, number: int, row: int) -> Any:
        """The module in a row of a root, None where no module is; raises as `rows`."""
        return self._entry(number).module(row)

    def _entry(self, number: int) -> _Entry:
        entry = self._entries.get(number)
        if entry is None:
            raise UnknownRootError(f"no root {number} at this stop")
        return entry

    def release(self, numbers: list[int] | None = None) -> int:
        """Let go of these roots, or of everything; the number of roots that were known."""
        if numbers is not None:
            return sum(self._entries.pop(number, None) is not None for number in numbers)
        count = len(self._entries)
        self._entries.clear()
        self._last = 0
        self.optimizer_state = None
        return count


_ALONE = [object()]
_REFERENCES = sys.getrefcount(_ALONE[0])
"""That Python counts of what only one list holds: how many it adds has changed over time."""


def is_temporary(values: list[Any], at: int) -> bool:
    """Whether only the list keeps its item alive: torch keeps gradients and saved tensors."""
    if sys.getrefcount(values[at]) > _REFERENCES:
        return False
    count = slots.BASE.__dict__.get("_use_count")
    if count is None or not is_tensor(values[at]) or slots.dispatches(type(values[at])):
        return True
    return bool(count(values[at]) <= 1)


def _gradients(value: Any, modules: list[Any]) -> Table:
    named = gradient_tensors(value)
    for module in modules:
        aligned = align(value, parameters(module))
        if aligned:
            named = aligned
            break
    return tensor_table([name for name, _ in named], [tensor for _, tensor in named])


def _weak(table: Table) -> Tensors:
    references = [None if tensor is None else weakref.ref(tensor) for tensor in table.tensors]
    return Tensors(table._replace(tensors=[]), references)
