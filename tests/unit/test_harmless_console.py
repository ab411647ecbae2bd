"""Neither registering `grads` nor calling it in a debug console changes the run."""

from __future__ import annotations

import builtins
import gc
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from support.consoles import registered, typed
from support.fingerprint import nothing_changes, process_state
from support.fixtures_hostile import TOUCHED
from support.kinds import FRAMES, INSIDE, KINDS


@pytest.fixture(autouse=True)
def _silence(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Fails a test in which something was printed or warned of."""
    yield
    out, err = capfd.readouterr()
    assert out + err == ""


@pytest.fixture(scope="module")
def _loaded() -> Iterator[None]:
    """`grads` is registered, and its code loaded; `gc.get_objects` lists what the tests make."""
    with registered():
        vars(builtins)["grads"](torch.ones(1))
        gc.collect()
        gc.freeze()
        yield
        gc.unfreeze()


def test_registering_adds_two_names_to_builtins_and_loading_nothing() -> None:
    before = process_state()
    with registered():
        put = process_state()
        assert put.pop("builtins") == sorted([*before["builtins"], "grads", "show_gradients"])
        vars(builtins)["grads"](torch.ones(1))
        called = process_state()
        called.pop("builtins")
    left = process_state()
    assert left == before
    before.pop("builtins")
    assert put == called == before


def ask(**names: Any) -> None:
    """All that may be typed at a stop that has these names."""
    space: dict[str, Any] = {"typed": typed}
    code = f"def stop(typed, {', '.join(names)}):\n    return typed(*EXPRESSIONS)\n"
    each = [f"grads({name})" for name in names]
    space["EXPRESSIONS"] = [*each, "grads()", "show_gradients(3)", "grads(1, 2)", *each]
    exec(code, space)
    for value in space["stop"](typed, **names):
        assert not repr(value).startswith("grads failed")


@pytest.mark.usefixtures("_loaded")
@pytest.mark.parametrize("kind", KINDS)
def test_no_call_about_any_kind_changes_the_run(kind: str) -> None:
    value = KINDS[kind]()
    if kind == "non leaf":  # torch makes a Python object for what it saved when it is asked
        getattr(value.grad_fn._raw_saved_result, "data", None)
    gc.collect()
    touched = list(TOUCHED)
    with nothing_changes(value):
        ask(value=value)
    assert touched == TOUCHED


@pytest.mark.usefixtures("_loaded")
@pytest.mark.parametrize("kind", FRAMES)
def test_no_call_in_any_frame_changes_the_run(kind: str) -> None:
    names = FRAMES[kind]()
    gc.collect()
    with nothing_changes(names):
        ask(**{name: value for name, value in names.items() if name.isidentifier()})


@pytest.mark.usefixtures("_loaded")
@pytest.mark.parametrize("kind", INSIDE)
def test_no_call_inside_a_transform_or_mode_changes_it(kind: str) -> None:
    looks = []

    def visit(value: Any) -> None:
        before = process_state()
        ask(value=value)
        looks.append((before, process_state()))

    INSIDE[kind](visit)
    ((before, after),) = looks
    assert before == after
