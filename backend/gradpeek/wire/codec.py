"""Requests and replies: JSON of the wire's types on one side, ASCII text on the other.

A reply is `GP1:<length>:<base64(zlib(json))>`; whatever the debugger put around it is ignored, and
what it cut off is told by the length.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import cattrs

from gradpeek.errors import ProbeError, WireError
from gradpeek.wire import types

VERSION = 1
_ENVELOPE = re.compile(r"GP(\d+):(\d+):([A-Za-z0-9+/=:]*)")
_T = TypeVar("_T")


class CutReplyError(WireError):
    """The debugger cut the reply.

    Attributes:
        length: characters that the whole body has.
    """

    def __init__(self, got: int, length: int) -> None:
        super().__init__(f"the debugger cut a reply: {got} of {length} characters arrived")
        self.length = length


def encode_request(request: types.Request) -> str:
    """Base64 of the request's JSON, fit for a string literal in an expression."""
    text = json.dumps(_converter.unstructure(request), separators=(",", ":"))
    return base64.b64encode(text.encode()).decode("ascii")


def has_envelope(text: str) -> bool:
    """Whether the probe answered at all, as opposed to the debugger by itself."""
    return _ENVELOPE.search(text) is not None


def open_envelope(text: str) -> str:
    """Body of the reply inside the debugger's text.

    Raises:
        WireError: there is no reply in the text, or it is of another version.
        CutReplyError: its body is shorter than its length says.
    """
    found = _ENVELOPE.search(text)
    if found is None:
        raise WireError(f"no reply of the probe in what the debugger returned: {text[:200]!r}")
    version, length, body = int(found[1]), int(found[2]), found[3]
    if version != VERSION:
        raise WireError(f"the probe speaks wire version {version}, this host {VERSION}")
    if len(body) < length:
        raise CutReplyError(len(body), length)
    return body[:length]


def decode_reply(body: str, result_type: type[_T]) -> _T:
    """The typed result in the body of a reply.

    Raises:
        ProbeError: the probe answered with an error.
        WireError: the body is not what the schema says.
    """
    try:
        reply = json.loads(zlib.decompress(base64.b64decode(body, validate=True)))
    except (binascii.Error, zlib.error, ValueError) as error:
        raise WireError(f"a reply of the probe is damaged: {error}") from error
    if not isinstance(reply, dict) or reply.get("version") != VERSION:
        raise WireError(f"a reply of unknown version: {str(reply)[:200]}")
    if reply.get("error") is not None:
        raise _probe_error(structure(reply["error"], types.Error))
    return structure(reply.get("ok"), result_type)


def structure(value: object, wire_type: type[_T]) -> _T:
    """`value` as a type of the wire; unknown keys are ignored, since newer probes may add some.

    Raises:
        WireError: it breaks the schema.
    """
    try:
        return _converter.structure(value, wire_type)
    except (cattrs.BaseValidationError, KeyError, TypeError, ValueError) as error:
        reason = "; ".join(cattrs.transform_error(error))
        raise WireError(f"not a {wire_type.__name__}: {reason}") from error


def _probe_error(error: types.Error) -> ProbeError:
    return ProbeError(
        error.code,
        error.message,
        remote_type=error.remote_type,
        remote_traceback=error.traceback,
        expression=error.expression,
    )


_SCALARS = (bool, int, float, str, NoneType)


def _is_union(annotation: object) -> bool:
    return get_origin(annotation) in (Union, UnionType)


def _is_scalar(annotation: Any) -> bool:
    """Whether a value of this type is a plain JSON scalar."""
    if _is_union(annotation):
        return all(_is_scalar(one) for one in get_args(annotation))
    return annotation in _SCALARS or get_origin(annotation) is Literal


def _accepted(annotation: Any) -> tuple[set[type], set[object]]:
    """Types and literal values that a scalar annotation accepts."""
    kinds: set[type] = set()
    literals: set[object] = set()
    for one in get_args(annotation) if _is_union(annotation) else (annotation,):
        if get_origin(one) is Literal:
            literals.update(get_args(one))
        else:
            kinds.update((int, float) if one is float else (one,))
    return kinds, literals


def _scalar_hook(annotation: Any) -> Callable[[Any, Any], Any]:
    kinds, literals = _accepted(annotation)

    def structure_scalar(value: Any, _: Any) -> Any:
        if type(value) in kinds or (type(value) in _SCALARS and value in literals):
            return value
        raise ValueError(f"{str(value)[:60]!r} is not {annotation}")

    return structure_scalar


def _column_hook(annotation: Any) -> Callable[[Any, Any], Any]:
    """Checks a column by the set of its types: one pass in C, not one call an element."""
    (item,) = get_args(annotation)
    kinds, literals = _accepted(item)

    def structure_column(values: Any, _: Any) -> Any:
        if type(values) is not list:
            raise TypeError("expected a list")
        strange = set(map(type, values)) - kinds
        if strange:
            odd = {value for value in values if type(value) in strange & set(_SCALARS)}
            if strange - set(_SCALARS) or not odd <= literals:
                raise ValueError(f"an element is not {item}")
        return values

    return structure_column


def _is_column(annotation: Any) -> bool:
    return get_origin(annotation) is list and _is_scalar(get_args(annotation)[0])


def _is_scalar_or_column(annotation: Any) -> bool:
    """Whether a value of this type is a plain JSON scalar, or a list of such."""
    return _is_union(annotation) and all(
        _is_scalar(one) or _is_column(one) for one in get_args(annotation)
    )


def _scalar_or_column_hook(annotation: Any) -> Callable[[Any, Any], Any]:
    scalar = _scalar_hook(annotation)
    (column,) = [_column_hook(one) for one in get_args(annotation) if _is_column(one)]

    def structure_either(value: Any, _: Any) -> Any:
        return (column if type(value) is list else scalar)(value, _)

    return structure_either


_converter = cattrs.Converter()
_converter.register_structure_hook_factory(_is_scalar_or_column, _scalar_or_column_hook)
_converter.register_structure_hook_factory(_is_scalar, _scalar_hook)
_converter.register_structure_hook_factory(_is_column, _column_hook)
for _scalar in (str, int, float, bool):  # cattrs would convert, e.g. 3 to "3"
    _converter.register_structure_hook(_scalar, _scalar_hook(_scalar))
