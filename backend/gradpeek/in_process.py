"""`gradpeek.grads` for plain code, pdb and notebooks: the same probe, asked in the same process."""

from __future__ import annotations

import inspect
import shutil
import sys
from collections.abc import Coroutine
from types import FrameType
from typing import Any, TypeVar

from gradpeek.errors import EvaluateError
from gradpeek.inspection import Inspection
from gradpeek.inspector import Inspector
from gradpeek.probe_client import ProbeClient
from gradpeek.rendering import tree

_T = TypeVar("_T")
_MISSING: Any = object()
_OWN_REFERENCES = 3
"""To a frame's `f_locals`: the frame's, ours, and the argument of `getrefcount`."""


class Gradients:
    """What `grads` found; its repr is the text tree, in a notebook it shows as HTML.

    Attributes:
        inspection: roots and rows as data.
    """

    def __init__(self, inspection: Inspection) -> None:
        self.inspection = inspection

    def __repr__(self) -> str:
        width = shutil.get_terminal_size((100, 24)).columns
        return tree.text(self.inspection, width=width).rstrip("\n")

    def _repr_html_(self) -> str:
        return tree.html(self.inspection)


class _LocalEvaluator:
    """Evaluates in the namespace of the caller; never waits."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace

    async def evaluate(self, expression: str, frame_id: int) -> str:
        """Value of `expression` as text; only ever asked for expressions of our own."""
        try:
            return str(eval(expression, dict(self._namespace)))  # noqa: S307
        except KeyError as error:
            raise EvaluateError(str(error)) from error


def grads(obj: Any = _MISSING, *, _depth: int = 1) -> Gradients:
    """Weights and gradients of `obj`, with statistics and the reason where one is missing.

    Args:
        obj: a module, a tensor, an optimizer, or gradients as `torch.autograd.grad` returns them;
            without it, all that the calling frame holds of these.

    Returns:
        An object whose repr is the text tree.

    Raises:
        ProbeError: torch is not loaded, or `obj` is nothing with gradients.
    """
    caller = sys._getframe(_depth)
    local_names = _locals(caller)
    namespace = {**caller.f_globals, **local_names}
    expressions = None
    if obj is not _MISSING:
        name = _name_of(obj, local_names, caller.f_globals)
        namespace[name] = obj
        expressions = [name]
    inspector = Inspector(ProbeClient(_LocalEvaluator(namespace)))
    try:
        inspection = _finish(inspector.inspect(0, expressions))
        _finish(inspector.measure(0, inspection))
        _finish(inspector.release(0))
    finally:
        namespace.clear()
        local_names.clear()
    return Gradients(inspection)


def _locals(frame: FrameType) -> dict[str, Any]:
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


def _name_of(obj: Any, *namespaces: dict[str, Any]) -> str:
    """Variable of the calling frame that holds the object, or its class in lower case."""
    for names in namespaces:
        for name, value in list(names.items()):
            if value is obj and name.isidentifier() and not name.startswith("_"):
                return name
    name = type(obj).__name__.lower()
    return name if name.isidentifier() else "value"


def _finish(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Result of a coroutine that never waits: no event loop is needed, and one may be running."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: _T = stop.value
        return result
    coroutine.close()
    raise AssertionError("an in-process evaluate has waited")
