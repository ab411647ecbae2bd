"""Looking at optimizers, scalers and schedulers changes nothing and runs no code of theirs."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.optim import lr_scheduler

from support.fingerprint import nothing_changes
from support.fixtures_optimizers import SETTINGS, GradScaler, stepped, weights
from support.probing import ProbeAnsweredError, ask, new_stop

TOUCHED: list[str] = []
SPECIAL = (
    *("__repr__", "__str__", "__format__", "__len__", "__bool__", "__iter__", "__contains__"),
    *("__getitem__", "__eq__", "__ne__", "__hash__", "__call__", "__getattr__", "__dir__"),
    *("__getattribute__", "__setattr__", "__delattr__", "__reduce__", "__getstate__"),
    *("__float__", "__int__", "__index__", "__add__", "__radd__", "__mul__", "__rmul__"),
    *("keys", "items", "values", "get", "is_integer", "bit_length", "state_dict", "step"),
    *("get_last_lr", "get_lr", "get_scale", "is_enabled"),
)
PROPERTIES = (
    *("__class__", "__dict__", "param_groups", "state", "defaults", "_scale", "_enabled"),
    *("last_epoch", "_last_lr", "base_lrs", "best", "optimizer"),
)


def touch(name: str) -> Callable[..., Any]:
    def touched(*_: Any, **__: Any) -> Any:
        TOUCHED.append(name)
        raise RuntimeError("touched: " + name)

    return touched


TRAPS: dict[str, Any] = {
    **{name: touch(name) for name in SPECIAL},
    **{name: property(touch(name)) for name in PROPERTIES},
}


@pytest.fixture(autouse=True)
def _untouched(capfd: pytest.CaptureFixture[str]) -> Any:
    TOUCHED.clear()
    yield
    assert TOUCHED == []
    out, err = capfd.readouterr()
    assert out + err == ""


@pytest.fixture(scope="module", autouse=True)
def _frozen() -> Any:
    """Lets `gc.get_objects` list only what the tests make."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def ask_everything(value: Any) -> Any:
    """Every question about an object; the answer about its rows."""
    stop, namespace = new_stop(), {"value": value}
    ask(stop, "roots", {"callers": True}, namespace)
    (root,) = ask(stop, "roots", {"expressions": ["value"]}, namespace)["roots"]
    where = {"root": root["id"]}
    page = ask(stop, "rows", where, namespace)
    ask(stop, "statistics", {**where, "budget_s": 0.0}, namespace)
    for method, more in (("histogram", {"row": 0, "part": "data"}), ("source", {"row": 0})):
        with pytest.raises(ProbeAnsweredError, match="unknown_root"):
            ask(stop, method, {**where, **more}, namespace)
    ask(stop, "release", {}, namespace)
    return page


@pytest.mark.parametrize("kind", SETTINGS)
def test_no_question_about_any_kind_changes_the_run(kind: str) -> None:
    value = SETTINGS[kind]()
    held = vars(value)
    owner = vars(held["optimizer"]) if "optimizer" in held else {}
    gc.collect()
    with nothing_changes(held, owner, list(held.get("state", ()))):
        assert ask_everything(value)["total"]


@pytest.mark.parametrize("kind", SETTINGS)
def test_no_mode_of_the_program_sees_the_questions(kind: str) -> None:
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    seen: list[str] = []

    class Functions(TorchFunctionMode):
        def __torch_function__(self, function: Any, *_: Any, **__: Any) -> Any:
            seen.append(str(function))

    class Operations(TorchDispatchMode):
        def __torch_dispatch__(self, function: Any, *_: Any, **__: Any) -> Any:
            seen.append(str(function))

    value = SETTINGS[kind]()
    with Operations(), Functions():
        assert ask_everything(value)["total"]
    assert seen == []


def hostile(value: Any) -> Any:
    """The object as one of a subclass that traps whatever may be called or asked of it."""
    cls: Any = type("Hostile" + type(value).__name__, (type(value),), TRAPS)
    made: Any = object.__new__(cls)
    slot = next(vars(one)["__dict__"] for one in type(value).__mro__ if "__dict__" in vars(one))
    slot.__get__(made).update(vars(value))
    return made


@pytest.mark.parametrize("kind", SETTINGS)
def test_no_method_or_property_of_a_subclass_is_run(kind: str) -> None:
    value = SETTINGS[kind]()
    plain, trapped = ask_everything(value), ask_everything(hostile(value))
    assert trapped == plain


def odd(base: type, *arguments: Any) -> Any:
    return base.__new__(type("Odd" + base.__name__, (base,), TRAPS), *arguments)


ODD: dict[str, Callable[[], Any]] = {
    "an object": lambda: odd(object),
    "a text": lambda: odd(str, "text"),
    "a number": lambda: odd(int, 3),
    "a float": lambda: odd(float, 2.5),
    "a list": lambda: odd(list),
    "a tuple": lambda: odd(tuple),
    "a dict": lambda: odd(dict),
}
TOLD = {"a number": (3, None), "a float": (2.5, None)}


@pytest.mark.parametrize("kind", ODD)
def test_a_hostile_value_anywhere_is_told_by_its_class(kind: str) -> None:
    value = ODD[kind]()
    optimizer = stepped(torch.optim.SGD(weights(), lr=0.1, momentum=0.9))
    optimizer.param_groups[0].update({"strange": value, "pair": (value, value)})
    optimizer.param_groups[0]["params"].append(value)
    next(iter(optimizer.state.values()))["strange"] = value
    optimizer.param_groups.append(value)
    page = ask_everything(optimizer)
    values = {one["name"]: one for one in page["settings"][0]["values"]}
    name = type.__dict__["__name__"].__get__(type(value))
    expected = TOLD.get(kind, (None, name))
    assert (values["strange"]["value"], values["strange"]["label"]) == expected
    assert page["settings"][0]["tensors"] == 2
    assert "strange" in page["name"]

    scheduler = lr_scheduler.StepLR(torch.optim.SGD(weights(), lr=0.1), 2)
    scheduler.__dict__.update({"base_lrs": [value], "best": value, "more": value})
    assert "best" in ask_everything(scheduler)["name"]
    scaler = GradScaler(enabled=False)
    scaler.__dict__.update({"_scale": value, "_growth_factor": value})
    assert "scale" in ask_everything(scaler)["name"]


def test_names_of_a_hostile_text_are_passed_by() -> None:
    cls = type("OddText", (str,), {**TRAPS, "__hash__": str.__hash__})
    optimizer = torch.optim.SGD(weights(), lr=0.1)
    for table in (optimizer.param_groups[0], optimizer.state, optimizer.__dict__):
        for name in ("lr ", "params ", "group "):
            dict.__setitem__(table, str.__new__(cls, name), 3)
    page = ask_everything(optimizer)
    assert page["name"] == ["group 0"]
    assert "lr" in [one["name"] for one in page["settings"][0]["values"]]


def test_state_is_freed_with_the_optimizer_though_it_was_asked_for() -> None:
    optimizer = stepped(torch.optim.AdamW(weights()))
    stop = new_stop()
    (root,) = ask(stop, "roots", {"expressions": ["o"]}, {"o": optimizer})["roots"]
    ask(stop, "rows", {"root": root["id"]}, {})
    dead = [weakref.ref(one) for slot in optimizer.state.values() for one in slot.values()]
    del optimizer
    gc.collect()
    assert [one() for one in dead] == [None] * len(dead)
    ask(stop, "release", {}, {})
