"""Answers the host's questions: `handle` takes a request and returns a reply, and never raises."""

from __future__ import annotations

import base64
import json
import sys
from typing import Any, Callable

from . import columns, evidence, measure, reply, slots
from .frames import Scope, caller_scopes, selected_scope
from .objects import type_name
from .roots import Found, find_roots, optimized, parameters, root_kind
from .runtime import quiet
from .slots import dispatches
from .stop import Stop, UnknownRootError, is_temporary

HOLD_FROM = 60000
"""Replies longer than this are held for slices until the next question."""

_stop = Stop("")
_held: tuple[int, str] = (-1, "")


class BadRequestError(ValueError):
    """The question breaks the wire."""


def handle(request: str, global_names: dict[str, Any], local_names: dict[str, Any]) -> str:
    """Answer one question; the reply is packed as `reply.pack` says.

    Args:
        request: base64 of the JSON of a Request.
        global_names: `globals()` at the place of the evaluate.
        local_names: `locals()` there; both serve only where the frame itself cannot be found.
    """
    global _held
    number = -1
    try:
        question = _decode(request)
        number = question["id"]
        answer = _answer(question, lambda: selected_scope(global_names, local_names))
    except BadRequestError as raised:
        answer = {"error": reply.error("bad_request", str(raised))}
    except UnknownRootError as raised:
        answer = {"error": reply.error("unknown_root", str(raised))}
    except BaseException as raised:
        answer = {"error": reply.error("internal", reply.one_line(raised), raised)}
    answer["version"] = reply.VERSION
    text = reply.pack(answer)
    _held = (number, text) if len(text) > HOLD_FROM else (-1, "")
    return text


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
        if question["method"] not in _METHODS:
            raise BadRequestError("unknown method {!r}".format(question["method"]))
        if type(question["id"]) is not int or type(question["params"]) is not dict:
            raise BadRequestError("id must be an integer and params an object")
    except BadRequestError:
        raise
    except Exception as raised:
        raise BadRequestError(reply.one_line(raised)) from None
    return question  # type: ignore[no-any-return]


def _answer(question: dict[str, Any], scope: Callable[[], Scope]) -> dict[str, Any]:
    global _stop
    if _stop.name != question["stop"]:
        _stop = Stop(question["stop"])
    method, params = question["method"], question["params"]
    try:
        return {"ok": _METHODS[method](params, scope)}
    except KeyError as raised:
        raise BadRequestError(f"params of {method} lack {raised}") from None


def _roots(params: dict[str, Any], find_scope: Callable[[], Scope]) -> dict[str, Any]:
    scope = find_scope()
    expressions = params.get("expressions")
    evaluated = None if expressions is None else [_evaluate(scope, text) for text in expressions]
    with quiet():
        callers = caller_scopes(scope)
        found = [(0, root) for root in find_roots(scope)]
        if params.get("callers") or (evaluated is None and not found):
            for depth, caller in enumerate(callers, 1):
                found += [(depth, root) for root in find_roots(caller)]
                if found and not params.get("callers"):
                    break
        everywhere = found + [(0, root) for caller in callers for root in find_roots(caller)]
        optimizers = {id(r.value): r.value for _, r in everywhere if r.kind == "optimizer"}
        table, stepped = optimized(list(optimizers.values()))
        _stop.optimizer_state = table if optimizers else None
        facts = {
            "function": scope.function,
            "torch_version": str(sys.modules["torch"].__dict__.get("__version__")),
            "pending_backward": evidence.pending_backward(scope.frame),
            "may_retain_graph": evidence.may_retain_graph(scope.frame),
            "graphs": _graphs(found),
            "optimizers": len(optimizers),
            "stepped": stepped,
            "shadowed_grads": "grads" in scope.local_names,
        }
        modules = [root.value for _, root in found if root.kind == "module"]
        names = _merged(found)
        owners = _owners(found)
        del found, everywhere, optimizers, callers
        if evaluated is None:
            shown = [_root(group, modules, owners) for group in names]
        else:
            shown = []
            while evaluated:
                shown.append(_shown(evaluated.pop(0), names, modules, owners))
    return {"roots": shown, "facts": facts}


def _evaluate(scope: Scope, expression: str) -> tuple[str, Any, dict[str, Any] | None]:
    """(expression, value, error); runs as the program does, outside of `quiet`."""
    try:
        return expression, scope.evaluate(expression), None
    except BaseException as raised:
        message = f"{expression} raised {reply.one_line(raised)}"
        return expression, None, reply.error("expression_failed", message, raised, expression)


def _merged(found: list[tuple[int, Found]]) -> list[list[tuple[int, Found]]]:
    """The names of each distinct object together, in the order of the first."""
    groups: dict[int, list[tuple[int, Found]]] = {}
    for depth, root in found:
        groups.setdefault(id(root.value), []).append((depth, root))
    return list(groups.values())


def _owners(found: list[tuple[int, Found]]) -> dict[int, str]:
    """By `id` of a leaf the expression of the frame that holds it: a tensor, or a whole module."""
    owners: dict[int, str] = {}
    for _, root in found:
        if root.kind == "tensor":
            owners.setdefault(id(root.value), root.expression)
    for _, root in found:
        if root.kind == "module":
            for tensor in parameters(root.value).values():
                owners.setdefault(id(tensor), root.expression)
    return owners


def _leaves(kind: str | None, value: Any, owners: dict[int, str]) -> list[str]:
    """Where the gradient of a non-leaf root flows to, in names of the frame."""
    if kind != "tensor" or slots.is_leaf(value) or dispatches(type(value)):
        return []
    reached = evidence.leaves(slots.grad_fn(value))
    return list(dict.fromkeys(owners[id(leaf)] for leaf in reached if id(leaf) in owners))


def _root(
    group: list[tuple[int, Found]], modules: list[Any], owners: dict[int, str]
) -> dict[str, Any]:
    depth, first = group[0]
    return {
        "id": _stop.add(first.kind, first.value, modules),
        "expression": first.expression,
        "aliases": [root.expression for at, root in group[1:] if at == depth],
        "frame": depth,
        "scope": first.scope,
        "kind": first.kind,
        "type": type_name(first.value),
        "leaves": _leaves(first.kind, first.value, owners),
    }


def _shown(
    evaluated: tuple[str, Any, dict[str, Any] | None],
    names: list[list[tuple[int, Found]]],
    modules: list[Any],
    owners: dict[int, str],
) -> dict[str, Any]:
    """The root that an expression of the user gives, with the frame's own names for it."""
    expression, value, failure = evaluated
    kind = root_kind(value) if failure is None else None
    same = [r.expression for group in names for _, r in group if r.value is value]
    answer: dict[str, Any] = {
        "id": 0,
        "expression": expression,
        "aliases": [name for name in same if name != expression],
        "frame": 0,
        "scope": "expression",
        "kind": kind,
        "type": type_name(value) if failure is None else "",
        "leaves": _leaves(kind, value, owners),
    }
    if kind is None:
        answer["error"] = failure or reply.error(
            "expression_failed",
            f"{expression} is of type {type_name(value)}: nothing with gradients",
            expression=expression,
        )
        return answer
    answer["id"] = _stop.add(kind, value, modules)
    del evaluated
    if not same and is_temporary(value, 1):
        _stop.own(answer["id"], value)
    return answer


def _graphs(found: list[tuple[int, Found]]) -> list[dict[str, str]]:
    states = []
    for _, root in found:
        if root.kind != "tensor" or dispatches(type(root.value)):
            continue
        node = slots.grad_fn(root.value)
        if node is not None:
            states.append({"expression": root.expression, "state": evidence.graph_state(node)})
    return states


def _rows(params: dict[str, Any], scope: Callable[[], Scope]) -> dict[str, Any]:
    with quiet():
        table = _stop.rows(params["root"])
        offset, limit = params.get("offset", 0), params.get("limit", 100000)
        return columns.rows(table, offset, limit, _stop.optimizer_state)


def _statistics(params: dict[str, Any], scope: Callable[[], Scope]) -> dict[str, Any]:
    with quiet():
        return measure.statistics(_stop.rows(params["root"]), params)


def _histogram(params: dict[str, Any], scope: Callable[[], Scope]) -> dict[str, Any]:
    with quiet():
        return measure.histogram(_stop.rows(params["root"]), params)


def _release(params: dict[str, Any], scope: Callable[[], Scope]) -> dict[str, Any]:
    return {"released": _stop.release()}


_METHODS: dict[str, Callable[[dict[str, Any], Callable[[], Scope]], dict[str, Any]]] = {
    "roots": _roots,
    "rows": _rows,
    "statistics": _statistics,
    "histogram": _histogram,
    "release": _release,
}
