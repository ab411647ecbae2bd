"""`handle` never raises and never prints, whatever it is given."""

from __future__ import annotations

import base64
import contextlib
import json
import sys
import zlib
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gradpeek.probe import entry
from support.probing import ask, new_stop

CODES = {"bad_request", "unknown_root", "expression_failed", "internal"}
METHODS = ["roots", "rows", "statistics", "histogram", "release"]
FIELDS = ["root", "row", "rows", "part", "parts", "cursor", "budget_s", "offset", "limit"]


def answer(request: Any, namespace: dict[str, Any] | None = None) -> dict[str, Any]:
    """The answer inside of the envelope, which is checked."""
    names = {} if namespace is None else namespace
    text = entry.handle(request, names, names)
    assert text.isascii()
    prefix, length, body = text.split(":")
    assert (prefix, int(length)) == ("GP1", len(body))
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(body)))
    assert found["version"] == 1
    assert ("ok" in found) != ("error" in found)
    if "error" in found:
        assert found["error"]["code"] in CODES
        assert isinstance(found["error"]["message"], str)
    return found


def encoded(question: Any) -> str:
    return base64.b64encode(json.dumps(question).encode()).decode()


def question(method: str, params: Any, stop: Any = "fuzz") -> str:
    return encoded({"version": 1, "id": 5, "stop": stop, "method": method, "params": params})


def code_of(request: Any, namespace: dict[str, Any] | None = None) -> str:
    code: str = answer(request, namespace).get("error", {"code": "ok"})["code"]
    return code


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**30, -1, 2**63, 1])
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["data", "grad", "w", "model", "1/0", "(", "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*FIELDS, "item", "element"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60) | values)
def test_anything_as_a_request_gets_an_error_that_says_so(request: Any) -> None:
    assert code_of(request) == "bad_request"


@settings(max_examples=150, deadline=None)
@given(values)
def test_any_json_as_a_request_gets_an_error_that_says_so(value: Any) -> None:
    assert code_of(encoded(value)) == "bad_request"


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(METHODS),
    st.dictionaries(
        st.sampled_from([*FIELDS, "expressions", "callers"]), st.just(1) | values, max_size=6
    ),
)
def test_any_params_get_an_answer_and_are_never_a_defect_of_ours(method: str, params: Any) -> None:
    weight = torch.ones(3, requires_grad=True)
    stop = new_stop()
    ask(stop, "roots", {"expressions": ["weight"]}, {"weight": weight})
    assert code_of(question(method, params, stop), {"weight": weight}) != "internal"


BAD: dict[str, Any] = {
    "nothing": None,
    "bytes that are no text": b"\xff\xfe",
    "base64 of no JSON": base64.b64encode(b"{").decode(),
    "another version": encoded({"version": 2, "id": 1, "stop": "", "method": "release"}),
    "an unknown method": question("explode", {}),
    "a method that is a list": encoded({"version": 1, "id": 1, "stop": "", "method": ["rows"]}),
    "no stop": encoded({"version": 1, "id": 1, "method": "release", "params": {}}),
    "a stop that is a number": question("release", {}, stop=3),
    "params that are a list": question("rows", []),
    "no root": question("rows", {}),
    "a root that is a list": question("rows", {"root": []}),
    "a root that is true": question("rows", {"root": True}),
    "an offset below zero": question("rows", {"root": 1, "offset": -1}),
    "a limit that is a text": question("rows", {"root": 1, "limit": "all"}),
    "rows that are a number": question("statistics", {"root": 1, "rows": 3}),
    "an unknown part": question("statistics", {"root": 1, "parts": ["momentum"]}),
    "a budget that is no number": question("statistics", {"root": 1, "budget_s": float("nan")}),
    "a budget without end": question("statistics", {"root": 1, "budget_s": float("inf")}),
    "half a cursor": question("statistics", {"root": 1, "cursor": {"item": 1}}),
    "a histogram of no row": question("histogram", {"root": 1, "part": "data"}),
    "expressions that are one text": question("roots", {"expressions": "model"}),
    "an expression that is a number": question("roots", {"expressions": [3]}),
    "deep nesting": base64.b64encode(b"[" * 100_000).decode(),
    "a number of 5000 digits": base64.b64encode(b"9" * 5000).decode(),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_request_is_told_and_nothing_is_printed(
    kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert code_of(BAD[kind]) == "bad_request"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("method", ["rows", "statistics", "histogram"])
@pytest.mark.parametrize("root", [0, -1, 7, 10**40])
def test_a_root_that_is_not_there_is_told(method: str, root: int) -> None:
    params = {"root": root, "row": 0, "part": "data"}
    assert code_of(question(method, params, new_stop())) == "unknown_root"


@pytest.mark.parametrize("place", [(7, 0), (10**30, 0), (0, 99), (0, 10**30), (1, 5)])
def test_a_cursor_beyond_the_end_ends(place: tuple[int, int]) -> None:
    weight, stop = torch.ones(3), new_stop()
    ask(stop, "roots", {"expressions": ["weight"]}, {"weight": weight})
    params = {"root": 1, "cursor": {"item": place[0], "element": place[1]}}
    assert answer(question("statistics", params, stop))["ok"]["cursor"] is None
    params = {**params, "row": 0, "part": "data"}
    assert answer(question("histogram", params, stop))["ok"]["cursor"] is None


RAISING = {
    "KeyboardInterrupt": KeyboardInterrupt(),
    "SystemExit": SystemExit(3),
    "GeneratorExit": GeneratorExit(),
    "MemoryError": MemoryError(),
    "KeyError": KeyError("key"),
    "StopIteration": StopIteration(),
}


@pytest.mark.parametrize("name", [*RAISING, "RecursionError", "SyntaxError", "ValueError"])
def test_whatever_an_expression_raises_is_its_answer(name: str) -> None:
    def fail() -> None:
        raise RAISING[name]

    def endless() -> Any:
        return endless()

    expression = {
        "RecursionError": "endless()",
        "SyntaxError": "x = ",
        "ValueError": "'\\ud800\\0'.encode('ascii')",
    }.get(name, "fail()")
    names = {"fail": fail, "endless": endless}
    (root,) = ask(new_stop(), "roots", {"expressions": [expression]}, names)["roots"]
    error = root["error"]
    assert error["code"] == "expression_failed"
    if name != "ValueError":
        assert error["remote_type"] == name
    assert error["expression"] == expression
    assert "\n" not in error["message"]


def test_an_answer_comes_back_wherever_the_stack_ends() -> None:
    weight = torch.ones(3, requires_grad=True)
    request = question("roots", {"expressions": ["weight"]}, new_stop())
    seen: list[str] = []

    def descend() -> None:
        with contextlib.suppress(RecursionError):
            descend()
        if len(seen) < 200:
            seen.append("")
            try:
                seen[-1] = code_of_raw(request, {"weight": weight})
            except RecursionError:  # our frame itself had no room
                seen[-1] = "no room"

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        descend()
    finally:
        sys.setrecursionlimit(limit)
    codes = [code_of_reply(one) for one in seen if one != "no room"]
    assert set(codes) <= {"ok", *CODES}
    assert codes[-1] == "ok"


def code_of_raw(request: str, names: dict[str, Any]) -> str:
    return entry.handle(request, names, names)


def code_of_reply(text: str) -> str:
    found = json.loads(zlib.decompress(base64.b64decode(text.split(":")[2])))
    return str(found.get("error", {"code": "ok"})["code"])


@given(st.integers(), st.integers(), st.integers())
def test_any_slice_is_an_envelope(number: int, start: int, end: int) -> None:
    assert entry.part(number, start, end).startswith("GP1:")
