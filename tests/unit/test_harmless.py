"""Whatever the probe is asked about whatever a frame holds, the run is the same afterwards."""

from __future__ import annotations

import contextlib
import gc
import itertools
import json
import sys
import weakref
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
import torch
from torch import nn

from gradpeek.probe import entry
from support.fingerprint import nothing_changes, process_state
from support.fixtures_hostile import TOUCHED
from support.kinds import FRAMES, INSIDE, KINDS
from support.probing import ProbeAnsweredError, ask, new_stop

if TYPE_CHECKING:
    from collections.abc import Iterator

CALLS_LIMIT = 40
"""Questions with a budget of nothing, before one is asked with a budget that suffices."""


@pytest.fixture(autouse=True)
def _silence(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Fails a test in which something was printed or warned of while the probe was asked."""
    yield
    out, err = capfd.readouterr()
    assert out + err == ""


@pytest.fixture(scope="module", autouse=True)
def _frozen() -> Iterator[None]:
    """Lets `gc.get_objects` list only what the tests make."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def ask_everything(namespace: dict[str, Any]) -> None:
    """All methods, well and badly asked, for every root, and then the release."""
    stop = new_stop()
    ask(stop, "roots", {}, namespace)
    ask(stop, "roots", {"callers": True}, namespace)
    expressions = [*namespace, "1 / 0", "no_such_name", "[", "None", "(lambda: 3)()"]
    found = ask(stop, "roots", {"expressions": expressions}, namespace)["roots"]
    for root in found:
        if not root["id"]:
            continue
        page = ask(stop, "rows", {"root": root["id"]}, namespace)
        ask(stop, "rows", {"root": root["id"], "offset": 1, "limit": 1}, namespace)
        cursor: Any = {"item": 0, "element": 0}
        for call in itertools.count():
            params = {"root": root["id"], "cursor": cursor, "budget_s": 9.0}
            if call < CALLS_LIMIT:
                params["budget_s"] = 0.0
            cursor = ask(stop, "statistics", params, namespace)["cursor"]
            if cursor is None:
                break
        for row in range(min(len(page["name"]), 6)):
            for part in ("data", "grad"):
                with contextlib.suppress(ProbeAnsweredError):
                    params = {"root": root["id"], "row": row, "part": part}
                    ask(stop, "histogram", params, namespace)
    for method, params in (("rows", {"root": 999}), ("no", {}), ("statistics", {})):
        with pytest.raises(ProbeAnsweredError):
            ask(stop, method, params, namespace)
    entry.handle("no request", namespace, namespace)
    entry.part(-1, 0, 60000)
    ask(stop, "release", {}, namespace)


@pytest.mark.parametrize("kind", KINDS)
def test_no_question_about_any_kind_changes_the_run(kind: str) -> None:
    value = KINDS[kind]()
    namespace = {"value": value}
    if kind == "non leaf":  # torch makes a Python object for what it saved when it is asked
        getattr(value.grad_fn._raw_saved_result, "data", None)
    gc.collect()
    touched = list(TOUCHED)
    with nothing_changes(namespace):
        ask_everything(namespace)
    assert touched == TOUCHED


@pytest.mark.parametrize("kind", FRAMES)
def test_no_question_about_any_frame_changes_the_run(kind: str) -> None:
    namespace = FRAMES[kind]()
    gc.collect()
    with nothing_changes(
        namespace, *[vars(v) for v in namespace.values() if hasattr(v, "history")]
    ):
        ask_everything(namespace)


@pytest.mark.parametrize("kind", INSIDE)
def test_no_question_inside_a_transform_or_mode_changes_it(kind: str) -> None:
    looks = []

    def visit(value: Any) -> None:
        before = process_state()
        ask_everything({"value": value})
        looks.append((before, process_state()))

    INSIDE[kind](visit)
    ((before, after),) = looks
    assert before == after


def test_a_tensor_that_the_program_deletes_after_the_questions_is_freed() -> None:
    model, loss = nn.Linear(3, 2), None
    loss = model(torch.ones(1, 3)).sum()
    loss.backward()
    namespace = {"model": model, "loss": loss, "pair": (model.weight.grad, model.bias.grad)}
    dead = [weakref.ref(one) for one in (model, model.weight, model.weight.grad, loss)]
    stop = new_stop()
    for root in ask(stop, "roots", {"expressions": list(namespace)}, namespace)["roots"]:
        ask(stop, "rows", {"root": root["id"]}, {})
        ask(stop, "statistics", {"root": root["id"]}, {})
    namespace.clear()
    del model, loss
    assert [one() for one in dead] == [None] * 4


def test_a_gradient_that_only_torch_holds_is_freed_by_zero_grad_though_it_was_asked_for() -> None:
    model = nn.Linear(3, 2)
    model(torch.ones(1, 3)).sum().backward()
    stop = new_stop()
    (root,) = ask(stop, "roots", {"expressions": ["model.weight.grad"]}, {"model": model})["roots"]
    assert ask(stop, "statistics", {"root": root["id"]}, {})["count"] == [6]
    gone = weakref.ref(model.weight.grad)
    model.zero_grad(set_to_none=True)
    if hasattr(torch.Tensor, "_use_count"):
        assert gone() is None
    ask(stop, "release", {}, {})
    assert gone() is None


@pytest.mark.parametrize("ends", ["release", "next stop"])
def test_what_an_expression_made_lives_until_the_stop_ends(ends: str) -> None:
    made: list[Any] = []

    def make() -> Any:
        tensor = torch.ones(4, requires_grad=True)
        made.append(weakref.ref(tensor))
        return tensor

    stop, namespace = new_stop(), {"make": make}
    expressions = [
        "make()",
        "(make(), make())",
        "{'a': make()}",
        "__import__('torch').nn.Linear(2, 2)",
    ]
    roots = ask(stop, "roots", {"expressions": expressions}, namespace)["roots"]
    assert [root["kind"] for root in roots] == ["tensor", "gradients", "gradients", "module"]
    gc.collect()
    counts = [ask(stop, "statistics", {"root": r["id"]}, {})["count"] for r in roots]
    assert counts == [[4], [4, 4], [4], [4, 2]]
    assert all(one() is not None for one in made)
    if ends == "release":
        ask(stop, "release", {}, {})
    else:
        ask(new_stop(), "roots", {}, {})
    assert [one() for one in made] == [None] * 4
    with pytest.raises(ProbeAnsweredError, match="unknown_root"):
        ask(stop, "rows", {"root": roots[0]["id"]}, {})


def test_an_expression_that_raises_keeps_nothing_alive() -> None:
    made: list[Any] = []

    def fail() -> Any:
        tensor = torch.ones(4)
        made.append(weakref.ref(tensor))
        raise ValueError(tensor.shape)

    ask(new_stop(), "roots", {"expressions": ["fail()"]}, {"fail": fail})
    assert made[0]() is None


def test_an_expression_that_changes_state_runs_once_a_question() -> None:
    model = nn.Linear(2, 2)
    calls: list[int] = []
    namespace = {"model": model, "calls": calls}
    stop = new_stop()
    expression = "[calls.append(1), model][1]"
    (root,) = ask(stop, "roots", {"expressions": [expression]}, namespace)["roots"]
    for _ in range(2):
        ask(stop, "rows", {"root": root["id"]}, namespace)
        ask(stop, "statistics", {"root": root["id"]}, namespace)
    assert calls == [1]


def test_a_long_reply_is_held_until_its_last_slice_and_not_longer() -> None:
    model = nn.Sequential(*[nn.Linear(1, 1) for _ in range(3000)])
    for at, layer in enumerate(model):
        layer.register_buffer(f"b{at * 7919 % 100003}_{hash(str(at))}", torch.ones(1))
    stop = new_stop()
    (root,) = ask(stop, "roots", {"expressions": ["model"]}, {"model": model})["roots"]
    question = {"version": 1, "id": 77, "stop": stop, "method": "rows"}
    text = json.dumps({**question, "params": {"root": root["id"]}})
    whole = entry.handle(b64encode(text.encode()).decode(), {}, {})
    assert len(whole) > 60000
    pieces = [entry.part(77, at, at + 60000) for at in range(0, len(whole), 60000)]
    assert "".join(piece.split(":", 2)[2] for piece in pieces) == whole
    assert entry.part(77, 0, 60000) == "GP1:0:"
    assert sys.getsizeof(entry._held[1]) < 100
