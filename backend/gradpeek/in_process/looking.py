"""One look at a frame of this process, from its names to measured rows."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Coroutine
from types import FrameType
from typing import Any, TypeVar

from gradpeek.in_process.client import GIVEN, LocalClient
from gradpeek.inspection import Inspection
from gradpeek.inspector import Inspector
from gradpeek.probe.frames import Scope

_T = TypeVar("_T")
_OWN_REFERENCES = 3
"""To a frame's `f_locals`: the frame's, ours, and the argument of `getrefcount`."""


class Looker:
    """Looks at this process, one stop after another; between them it holds nothing of it."""

    def __init__(self) -> None:
        self._client = LocalClient()
        self._inspector = Inspector(self._client)

    def look(
        self, scope: Scope, *objects: Any, name: str | None = None, again: bool = False
    ) -> Inspection:
        """Roots, rows and statistics of the object, or without one of all that the frame holds.

        Args:
            scope: names of the frame.
            objects: one object at most.
            name: what the object is called; None takes what the frame calls it, else its class.
            again: the program still stands where it did at the look before.
        """
        expressions = None
        if objects:
            (scope.namespace[GIVEN],) = objects
            expressions = [GIVEN]
        self._client.scope, self._client.given_name = scope, name
        try:
            inspection = _finish(self._inspector.inspect(0, expressions, again=again))
            _finish(self._inspector.measure(0, inspection))
        finally:
            self._client.forget()
            scope.namespace.clear()
        return inspection


def locals_of(frame: FrameType) -> dict[str, Any]:
    """A copy of a frame's locals, which keeps nothing of them alive.

    Before Python 3.13 a function's `f_locals` is a dict that stays with the frame; it is emptied,
    unless the program holds it as what its `locals()` returned.
    """
    names = frame.f_locals
    found = dict(names)
    is_copy = sys.version_info < (3, 13) and frame.f_code.co_flags & inspect.CO_OPTIMIZED
    if is_copy and sys.getrefcount(names) <= _OWN_REFERENCES:
        names.clear()
    return found


def name_of(value: Any, scope: Scope) -> str | None:
    """Variable of the frame that holds the object, locals before globals; None where none does."""
    names = dict.fromkeys([*scope.local_names, *scope.namespace])
    for name in names:
        held = scope.namespace.get(name)
        if held is value and name.isidentifier() and not name.startswith("_"):
            return name
    return None


def _finish(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Result of a coroutine that never waits: no event loop is needed, and one may be running."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: _T = stop.value
        return result
    coroutine.close()
    raise AssertionError("an in-process question has waited")
