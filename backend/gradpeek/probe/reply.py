"""Packs an answer: `GP1:<length>:<base64(zlib(json))>`, one ASCII text whatever is inside."""

from __future__ import annotations

import base64
import json
import math
import zlib
from typing import Any

PREFIX = "GP1"
VERSION = 1
TRACEBACK_LIMIT = 20
MESSAGE_LIMIT = 2000


def pack(answer: dict[str, Any]) -> str:
    """The envelope around an answer; `length` counts the characters of the base64 body."""
    text = json.dumps(answer, separators=(",", ":"), allow_nan=False)
    return envelope(base64.b64encode(zlib.compress(text.encode("ascii"), 1)).decode("ascii"))


def envelope(body: str) -> str:
    """`body` with the prefix and its length; the host tells a cut from the two."""
    return f"{PREFIX}:{len(body)}:{body}"


def number(value: float | None) -> Any:
    """A float for JSON: non-finite ones as the strings NaN, Infinity, -Infinity."""
    if value is None or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def error(
    code: str, message: str, raised: BaseException | None = None, expression: Any = None
) -> dict[str, Any]:
    """An answer that says why there is none."""
    answer: dict[str, Any] = {"code": code, "message": message[:MESSAGE_LIMIT]}
    if raised is not None:
        answer["remote_type"] = type.__dict__["__name__"].__get__(type(raised))
        answer["traceback"] = _traceback(raised)
    if expression is not None:
        answer["expression"] = expression
    return answer


def one_line(raised: BaseException) -> str:
    """Type and text of an exception; its own `__str__` may be hostile and is fenced."""
    name = type.__dict__["__name__"].__get__(type(raised))
    try:
        text = " ".join(str.split(str(raised)))
    except BaseException:
        text = "its text cannot be had"
    return f"{name}: {text}" if text else str(name)


def _traceback(raised: BaseException) -> str:
    """Where it was raised, outermost first.

    The places only: formatting the exception runs its code, and showing the source reads files
    into a cache that the program shares.
    """
    places: list[str] = []
    step = BaseException.__dict__["__traceback__"].__get__(raised)
    while step is not None and len(places) < TRACEBACK_LIMIT:
        code = step.tb_frame.f_code
        places.append(f'  File "{code.co_filename}", line {step.tb_lineno}, in {code.co_name}\n')
        step = step.tb_next
    return "".join(places)
