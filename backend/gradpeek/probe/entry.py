"""Answers the host's questions: `handle` takes a request and returns a reply, and never raises."""

from __future__ import annotations

import base64
import json
from typing import Any, Callable

from . import reply
from .answers import METHODS
from .debugger import answer_at_once
from .frames import Scope, selected_scope
from .params import BadRequestError, check
from .runtime import eager
from .stop import Stop, UnknownRootError

HOLD_FROM = 60000
"""Replies longer than this are held for slices until the next question."""

_stop = Stop("")
_held: tuple[int, str] = (-1, "")


def handle(request: str, global_names: dict[str, Any], local_names: dict[str, Any]) -> str:
    """Answer one question; the reply is packed as `reply.pack` says.

    Args:
        request: base64 of the JSON of a Request.
        global_names: `globals()` at the place of the evaluate.
        local_names: `locals()` there; both serve only where the frame itself cannot be found.
    """
    global _held
    _held = (-1, "")
    answer_at_once()
    try:
        with eager():
            number, answer = _reply(request, lambda: selected_scope(global_names, local_names))
            text = reply.pack(answer)
    except BaseException:  # not even the error could be told: the stack or the memory has run out
        return _LOST
    if len(text) > HOLD_FROM:
        _held = (number, text)
    return text


def _reply(request: str, scope: Callable[[], Scope]) -> tuple[int, dict[str, Any]]:
    """Number of the question, and the answer or what went wrong."""
    number = -1
    try:
        question = _decode(request)
        number = question["id"]
        answer = _answer(question, scope)
    except BadRequestError as raised:
        answer = {"error": reply.error("bad_request", str(raised))}
    except UnknownRootError as raised:
        answer = {"error": reply.error("unknown_root", str(raised))}
    except BaseException as raised:
        answer = {"error": reply.error("internal", reply.one_line(raised), raised)}
    answer["version"] = reply.VERSION
    return number, answer


_LOST = reply.pack(
    {
        "error": reply.error("internal", "no stack or memory is left to answer with"),
        "version": reply.VERSION,
    }
)


def part(number: int, start: int, end: int) -> str:
    """Characters start … end of the held reply to question `number`, in an envelope of their own.

    The reply is let go with its last slice; an empty body says that it is not held.
    """
    global _held
    text = _held[1] if _held[0] == number else ""
    if end >= len(text):
        _held = (-1, "")
    return reply.envelope(text[start:end])


def _decode(request: str) -> dict[str, Any]:
    try:
        question = json.loads(base64.b64decode(request))
        if question["version"] != reply.VERSION:
            raise BadRequestError(
                f"wire version {question['version']!r}, this probe speaks {reply.VERSION}"
            )
        if question["method"] not in METHODS:
            raise BadRequestError("unknown method {!r}".format(question["method"]))
        if type(question["id"]) is not int or type(question["params"]) is not dict:
            raise BadRequestError("id must be an integer and params an object")
        if type(question["stop"]) is not str:
            raise BadRequestError("stop must be a text")
        check(question["method"], question["params"])
    except BadRequestError:
        raise
    except Exception as raised:
        raise BadRequestError(reply.one_line(raised)) from None
    return question  # type: ignore[no-any-return]


def _answer(question: dict[str, Any], scope: Callable[[], Scope]) -> dict[str, Any]:
    global _stop
    if _stop.name != question["stop"]:
        _stop = Stop(question["stop"])
    return {"ok": METHODS[question["method"]](_stop, question["params"], scope)}
