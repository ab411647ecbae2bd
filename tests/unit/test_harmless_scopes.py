"""What a frame holds is read as its own code would, and its namespaces stay as they were.

A stand-in for pydevd's `evaluate_expression`, compiled under its file name, evaluates in a frame.
"""

from __future__ import annotations

import asyncio
import base64
import gc
import json
import sys
import weakref
import zlib
from typing import Any

import pytest
import torch
from torch import nn

from gradpeek.probe.entry import handle
from support.probing import new_stop

_PYDEVD: dict[str, Any] = {}
_SOURCE = """
def evaluate_expression(frame, expression, names):
    merged = {**frame.f_globals, **frame.f_locals, **names}
    return eval(expression, merged, merged)
"""
exec(compile(_SOURCE, "/x/_pydevd_bundle/pydevd_vars.py", "exec"), _PYDEVD)

MODEL = nn.Linear(2, 2)


def stop_here(depth: int = 1, **params: Any) -> dict[str, Any]:
    """What the probe answers about the roots of the calling frame."""
    question = {"version": 1, "id": 1, "stop": new_stop(), "method": "roots", "params": params}
    request = base64.b64encode(json.dumps(question).encode()).decode()
    expression = f"handle_({request!r}, globals(), locals())"
    names = {"handle_": handle}
    text = _PYDEVD["evaluate_expression"](sys._getframe(depth), expression, names)
    answer: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(text.split(":")[2])))
    assert "ok" in answer, answer
    found: dict[str, Any] = answer["ok"]
    return found


def names(answer: dict[str, Any]) -> dict[str, str]:
    return {root["expression"]: root["scope"] for root in answer["roots"]}


def in_a_function() -> Any:
    net = nn.Linear(1, 1)
    return stop_here(), net


def in_a_function_that_names_a_global() -> Any:
    net = nn.Linear(1, 1)
    return stop_here(), net, MODEL


def in_a_closure() -> Any:
    net = nn.Linear(1, 1)

    def inner() -> Any:
        return stop_here(), net

    return inner()


def in_a_generator() -> Any:
    def pieces(net: Any) -> Any:
        yield stop_here()

    return next(pieces(nn.Linear(1, 1)))


def in_a_coroutine() -> Any:
    async def step(net: Any) -> Any:
        await asyncio.sleep(0)
        return stop_here()

    return asyncio.run(step(nn.Linear(1, 1)))


def in_a_comprehension() -> Any:
    return [stop_here() for net in [nn.Linear(1, 1)]]


def in_a_lambda() -> Any:
    look: Any = lambda net: stop_here()  # noqa: E731
    return look(nn.Linear(1, 1))


def in_a_class_body() -> Any:
    class Body:
        net = nn.Linear(1, 1)
        answer = stop_here()

    return Body.answer


PLACES = {
    in_a_function: {"net": "local"},
    in_a_function_that_names_a_global: {"net": "local", "MODEL": "global"},
    in_a_closure: {"net": "local"},
    in_a_generator: {"net": "local"},
    in_a_coroutine: {"net": "local"},
    in_a_comprehension: {"net": "local"},
    in_a_lambda: {"net": "local"},
    in_a_class_body: {"net": "local"},
}


@pytest.mark.parametrize("place", PLACES)
def test_a_frame_shows_the_roots_that_its_code_sees(place: Any) -> None:
    answer = place()
    answer = answer[0] if isinstance(answer, (tuple, list)) else answer
    assert names(answer) == PLACES[place]


class Keeper:
    def __init__(self) -> None:
        self.__net = nn.Linear(1, 1)

    def ask(self, *expressions: str) -> list[Any]:
        found = stop_here(expressions=list(expressions))
        return [root["kind"] for root in found["roots"]]


def test_private_names_and_nested_scopes_work_in_expressions() -> None:
    expressions = [
        "self.__net",
        "[one for one in [self.__net]][0]",
        "(lambda __x: __x)(self.__net)",
        "(lambda: [self.__net for _ in range(1)][0])()",
        "(found := self.__net)",
    ]
    assert Keeper().ask(*expressions) == ["module"] * len(expressions)


def test_what_an_expression_assigns_does_not_reach_the_frame() -> None:
    net = nn.Linear(1, 1)
    stop_here(expressions=["(net := 3)", "(other := net)", "globals().update(MODEL=3)"])
    assert type(net) is nn.Linear
    assert "other" not in locals()
    assert type(MODEL) is nn.Linear


def test_a_caller_is_read_where_the_frame_has_nothing_and_keeps_nothing_alive() -> None:
    def inner() -> Any:
        return stop_here()

    def outer() -> Any:
        net: Any = nn.Linear(1, 1)
        found = inner()
        dead = weakref.ref(net)
        del net
        return found, dead() is None

    found, is_dead = outer()
    assert [(root["expression"], root["frame"]) for root in found["roots"]] == [("net", 1)]
    assert is_dead


@pytest.mark.parametrize("asked", [False, True])
def test_the_dict_that_a_caller_got_from_locals_stays_its_own(*, asked: bool) -> None:
    def inner() -> Any:
        return stop_here(callers=asked)

    def outer(rate: float, net: Any) -> Any:
        config = locals()
        config["rate"] = 0.5 if not asked else rate
        config["added"] = 1
        inner()
        return config, rate

    net = nn.Linear(1, 1)
    config, rate = outer(0.1, net)
    assert rate == 0.1
    assert config["net"] is net
    assert config["added"] == 1
    assert config["rate"] == (0.1 if asked else 0.5)


def test_a_stop_in_what_a_stop_evaluates_empties_no_frame_that_is_being_traced() -> None:
    answers: list[dict[str, Any]] = []

    def inner() -> None:
        answers.append(stop_here(callers=True))

    def traced() -> Any:
        net = nn.Linear(1, 1)
        return net  # noqa: RET504 - the line at which it is traced

    def trace(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code is not traced.__code__:
            return None
        if event == "line" and "net" in frame.f_locals:
            _PYDEVD["evaluate_expression"](frame, "inner_()", {"inner_": inner})
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        net = traced()
    finally:
        sys.settrace(before)
    assert type(net) is nn.Linear
    assert "net" in names(answers[0])


def test_a_function_of_the_program_that_is_called_like_pydevds_is_not_taken_for_it() -> None:
    def evaluate_expression(frame: Any) -> Any:
        net = nn.Linear(1, 1)
        return stop_here(), net, frame

    def decoy() -> Any:
        wrong = nn.Linear(1, 1)
        return evaluate_expression(sys._getframe()), wrong

    (answer, _, _), _ = decoy()
    assert names(answer) == {"net": "local"}


def test_a_class_body_whose_namespace_is_the_programs_own_mapping_is_not_asked() -> None:
    touched: list[str] = []

    class Namespace(dict):  # type: ignore[type-arg]
        def items(self) -> Any:
            touched.append("items")
            return super().items()

    class Prepared(type):
        @classmethod
        def __prepare__(cls, *_: Any, **__: Any) -> Any:
            return Namespace()

    class Body(metaclass=Prepared):
        net = nn.Linear(1, 1)
        answer = stop_here_quietly(touched)

    assert names(Body.answer) == {"net": "local"}


def stop_here_quietly(touched: list[str]) -> dict[str, Any]:
    """As `stop_here`, where the debugger itself copies the namespace."""
    frame = sys._getframe(1)
    from gradpeek.probe.frames import Scope
    from gradpeek.probe.roots import find_roots

    found = find_roots(Scope(frame, frame.f_globals, frame.f_locals))
    assert touched == []
    return {"roots": [{"expression": one.expression, "scope": one.scope} for one in found]}


def test_a_tensor_of_the_frame_is_freed_once_the_program_deletes_it() -> None:
    def work() -> Any:
        weight: Any = torch.ones(3, requires_grad=True)
        answer = stop_here()
        dead = weakref.ref(weight)
        del weight
        sys._getframe().f_locals  # noqa: B018 - as the debugger does at its next stop
        return answer, dead() is None

    gc.disable()
    try:
        answer, is_dead = work()
    finally:
        gc.enable()
    assert names(answer) == {"weight": "local"}
    assert is_dead
