"""Checks a question before anything is done with it: the host may be another version, or wrong."""

from __future__ import annotations

import math
from typing import Any, Callable


class BadRequestError(ValueError):
    """The question breaks the wire."""


def check(method: str, params: dict[str, Any]) -> None:
    """Check the params of a method; what a method does not know is ignored.

    Raises:
        BadRequestError: one is missing, or is not what the wire says.
    """
    for name, (is_needed, fits, what) in _FIELDS[method].items():
        if name not in params:
            if is_needed:
                raise BadRequestError(f"params of {method} lack {name}")
        elif not fits(params[name]):
            raise BadRequestError(f"{name} of {method} must be {what}")


def _is_whole(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_span(value: Any) -> bool:
    if value is None:
        return True
    return type(value) is dict and all(_is_whole(value.get(n)) for n in ("item", "element"))


def _is_time(value: Any) -> bool:
    return (type(value) is float and math.isfinite(value) and value >= 0) or _is_whole(value)


def _is_part(value: Any) -> bool:
    return type(value) is str and value in ("data", "grad")


def _list_of(fits: Callable[[Any], bool], *, or_none: bool = True) -> Callable[[Any], bool]:
    return lambda value: (
        (value is None and or_none) or (type(value) is list and all(map(fits, value)))
    )


_ROOT = (True, lambda value: type(value) is int, "an integer")
_CURSOR = (False, _is_span, "null or an object of item and element, whole numbers")
_BUDGET = (False, _is_time, "a finite number of seconds")

_FIELDS: dict[str, dict[str, tuple[bool, Callable[[Any], bool], str]]] = {
    "roots": {
        "expressions": (False, _list_of(lambda one: type(one) is str), "null or a list of texts"),
        "callers": (False, lambda value: type(value) is bool, "true or false"),
    },
    "rows": {
        "root": _ROOT,
        "offset": (False, _is_whole, "a whole number"),
        "limit": (False, _is_whole, "a whole number"),
    },
    "statistics": {
        "root": _ROOT,
        "rows": (False, _list_of(_is_whole), "null or a list of whole numbers"),
        "parts": (False, _list_of(_is_part, or_none=False), 'a list of "data" and "grad"'),
        "cursor": _CURSOR,
        "budget_s": _BUDGET,
    },
    "histogram": {
        "root": _ROOT,
        "row": (True, _is_whole, "a whole number"),
        "part": (True, _is_part, '"data" or "grad"'),
        "cursor": _CURSOR,
        "budget_s": _BUDGET,
    },
    "source": {"root": _ROOT, "row": (True, _is_whole, "a whole number")},
    "release": {
        "roots": (False, _list_of(lambda one: type(one) is int), "null or a list of integers")
    },
}
