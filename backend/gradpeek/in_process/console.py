"""`grads` as it is typed in a debug console: a text, whatever happens.

Nothing is raised: a debugger keeps an exception, and with its traceback the frame of the stop and
all that the frame holds.
"""

from __future__ import annotations

import ast
import sys
from types import FrameType
from typing import Any

from gradpeek.in_process.looking import Looker, locals_of, name_of
from gradpeek.probe import reply
from gradpeek.probe.frames import Scope, evaluated_text, is_debuggers, selected_scope
from gradpeek.rendering import tree

NAMES = ("grads", "show_gradients")
WIDTH = 100
ROWS = 200
"""Of one root that are shown at most."""
LENGTH = 59_000
"""Characters that are shown at most: pydevd cuts a text of more than 65,540."""

_WAIT, _MARK = "_do_wait_suspend", "gradpeek was here"

_looker = Looker()
"""Remembers from stop to stop what speaks for an earlier backward."""


def answer(objects: tuple[Any, ...], caller: FrameType) -> str:
    """The text tree of an object, or without one of all that the stopped frame holds.

    Args:
        objects: what `grads` was given.
        caller: the frame that called it: what the debugger evaluates, or the program's own.
    """
    if len(objects) > 1:
        return f"TypeError: grads takes one object, not {len(objects)}"
    try:
        scope = selected_scope(caller.f_globals, locals_of(caller))
        again = _is_same_stop()
        if not objects:
            inspection = _looker.look(scope, again=again)
        else:
            name = _typed_argument(evaluated_text()) or _own_name(objects[0], scope)
            # What has no name is known by its class, and so must not be taken for another.
            looker = _looker if name is not None else Looker()
            inspection = looker.look(scope, *objects, name=name, again=again)
        return _cut(tree.text(inspection, WIDTH, max_rows=ROWS).rstrip("\n"))
    except BaseException as raised:  # noqa: BLE001 - see above
        return f"grads failed, which is a defect of GradPeek: {reply.one_line(raised)}"


def _is_same_stop() -> bool:
    """Whether the debugger waits as it did at the call before.

    Each stop is a call of a function of pydevd's; what we leave among the names of that call ends
    with it.
    """
    here: FrameType | None = sys._getframe(1)
    while here is not None:
        if here.f_code.co_name == _WAIT and is_debuggers(here.f_code.co_filename):
            names = here.f_locals
            is_same = _MARK in names
            names[_MARK] = True
            return is_same
        here = here.f_back
    return False


def _typed_argument(text: str | None) -> str | None:
    """Source of the argument where no more than `grads(argument)` was typed."""
    try:
        call = ast.parse(text.strip(), mode="eval").body if text else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    if call.func.id not in NAMES or len(call.args) != 1 or call.keywords:
        return None
    if isinstance(call.args[0], ast.Starred):
        return None
    segment = ast.get_source_segment((text or "").strip(), call.args[0]) or ""
    return segment if segment and "\n" not in segment else ast.unparse(call.args[0])


def _own_name(value: Any, scope: Scope) -> str | None:
    """Variable of the stopped frame that holds the object, not one of what is being evaluated."""
    if scope.frame is None:
        return name_of(value, scope)
    return name_of(value, Scope(scope.frame, scope.frame.f_globals, scope.frame.f_locals))


def _cut(text: str) -> str:
    """The text, or the lines of it that a debugger shows whole."""
    if len(text) <= LENGTH:
        return text
    kept = text[:LENGTH].rpartition("\n")[0]
    left_out = text.count("\n", len(kept))
    lines = "line" if left_out == 1 else "lines"
    return f"{kept}\n… {left_out:,} more {lines} (ask for a part of it)"
