"""The answers to the wire's questions, each a JSON object."""

from __future__ import annotations

import sys
from typing import Any, Callable

from . import columns, evidence, measure, reply, slots, source
from .frames import Scope, caller_scopes
from .objects import type_name
from .roots import Found, find_optimizers, find_roots, optimized, parameters, root_kind
from .runtime import eager, quiet
from .slots import dispatches
from .stop import Stop, UnknownRootError, is_temporary

FindScope = Callable[[], Scope]


def _roots(stop: Stop, params: dict[str, Any], find_scope: FindScope) -> dict[str, Any]:
    scope = find_scope()
    expressions = params.get("expressions")
    evaluated = None if expressions is None else [_evaluate(scope, text) for text in expressions]
    values = [] if evaluated is None else [one.pop() for one in evaluated]
    with quiet():
        callers = caller_scopes(scope, asked=bool(params.get("callers")))
        found = [(0, root) for root in find_roots(scope)]
        if params.get("callers") or (evaluated is None and not found):
            for depth, caller in enumerate(callers, 1):
                found += [(depth, root) for root in find_roots(caller)]
                if found and not params.get("callers"):
                    break
        reached = [one for each in (scope, *callers) for one in find_optimizers(each)]
        optimizers = {id(one): one for one in reached}
        table, stepped = optimized(list(optimizers.values()))
        stop.optimizer_state = table if optimizers else None
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
        del reached, optimizers, callers
        if evaluated is None:
            shown = [_root(stop, group, modules, found) for group in names]
        else:
            shown = [
                _shown(stop, text, failure, values, at, names, modules, found)
                for at, (text, failure) in enumerate(evaluated)
            ]
    return {"roots": shown, "facts": facts}


def _evaluate(scope: Scope, expression: str) -> list[Any]:
    """[expression, error, value]; runs as the program does, outside of `quiet`, but uncompiled."""
    try:
        with eager():
            return [expression, None, scope.evaluate(expression)]
    except BaseException as raised:
        message = f"{expression} raised {reply.one_line(raised)}"
        return [expression, reply.error("expression_failed", message, raised, expression), None]


def _merged(found: list[tuple[int, Found]]) -> list[list[tuple[int, Found]]]:
    """The names of each distinct object together, in the order of the first."""
    groups: dict[int, list[tuple[int, Found]]] = {}
    for depth, root in found:
        groups.setdefault(id(root.value), []).append((depth, root))
    return list(groups.values())


def _leaves(kind: str | None, value: Any, found: list[tuple[int, Found]]) -> list[str]:
    """Where the gradient of a non-leaf root flows to: tensors and modules of the frame by name."""
    if kind != "tensor" or dispatches(type(value)) or slots.is_leaf(value):
        return []
    owners: dict[int, str] = {}
    for _, root in found:
        if root.kind == "tensor":
            owners.setdefault(id(root.value), root.expression)
    for _, root in found:
        if root.kind == "module":
            for tensor in parameters(root.value).values():
                owners.setdefault(id(tensor), root.expression)
    node = slots.grad_fn(value)
    reached = [] if node is None else evidence.leaves(node)
    return list(dict.fromkeys(owners[id(leaf)] for leaf in reached if id(leaf) in owners))


def _root(
    stop: Stop, group: list[tuple[int, Found]], modules: list[Any], found: list[tuple[int, Found]]
) -> dict[str, Any]:
    depth, first = group[0]
    return {
        "id": stop.add(first.kind, first.value, modules),
        "expression": first.expression,
        "aliases": [root.expression for at, root in group[1:] if at == depth],
        "frame": depth,
        "scope": first.scope,
        "kind": first.kind,
        "type": type_name(first.value),
        "leaves": _leaves(first.kind, first.value, found),
    }


def _shown(
    stop: Stop,
    expression: str,
    failure: dict[str, Any] | None,
    values: list[Any],
    at: int,
    names: list[list[tuple[int, Found]]],
    modules: list[Any],
    found: list[tuple[int, Found]],
) -> dict[str, Any]:
    """The root that an expression of the user gives, with the frame's own names for it.

    Its value is item `at` of `values`, which holds it alone if it is temporary.
    """
    temporary = is_temporary(values, at)
    value = values[at]
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
        "leaves": _leaves(kind, value, found),
    }
    if kind is None:
        answer["error"] = failure or reply.error(
            "expression_failed",
            f"{expression} is of type {type_name(value)}: nothing with gradients",
            expression=expression,
        )
        return answer
    answer["id"] = stop.add(kind, value, modules)
    if temporary:
        stop.own(answer["id"], value)
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


def _rows(stop: Stop, params: dict[str, Any], _: FindScope) -> dict[str, Any]:
    with quiet():
        table = stop.rows(params["root"])
        offset, limit = params.get("offset", 0), params.get("limit", 100000)
        return columns.rows(table, offset, limit, stop.optimizer_state)


def _statistics(stop: Stop, params: dict[str, Any], _: FindScope) -> dict[str, Any]:
    with quiet():
        return measure.statistics(stop.rows(params["root"]), params)


def _histogram(stop: Stop, params: dict[str, Any], _: FindScope) -> dict[str, Any]:
    with quiet():
        return measure.histogram(stop.rows(params["root"]), params)


def _source(stop: Stop, params: dict[str, Any], _: FindScope) -> dict[str, Any]:
    with quiet():
        module = stop.module(params["root"], params["row"])
        if module is None:
            raise UnknownRootError("no module stands in this row")
        return source.class_source(type(module))


def _release(stop: Stop, params: dict[str, Any], _: FindScope) -> dict[str, Any]:
    return {"released": stop.release(params.get("roots"))}


METHODS: dict[str, Callable[[Stop, dict[str, Any], FindScope], dict[str, Any]]] = {
    "roots": _roots,
    "rows": _rows,
    "statistics": _statistics,
    "histogram": _histogram,
    "source": _source,
    "release": _release,
}
"""Each takes the stop, the params of the question and what finds the frame."""
