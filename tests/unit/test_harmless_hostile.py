"""No code of the program runs, however much its objects ask for it."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import gradpeek
from support.probing import ask, look, measure, new_stop, rows_of

TOUCHED: list[str] = []
SPECIAL = (
    *("__repr__", "__str__", "__format__", "__bytes__", "__len__", "__bool__", "__iter__"),
    *("__contains__", "__getitem__", "__eq__", "__ne__", "__lt__", "__hash__", "__call__"),
    *("__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__dir__", "__reduce__"),
    *("__enter__", "__exit__", "__index__", "__int__", "__float__", "__complex__", "__array__"),
    *("__add__", "__radd__", "__mod__", "__fspath__", "__length_hint__", "__sizeof__", "__copy__"),
    *("__instancecheck__", "__subclasscheck__", "__torch_function__", "__cuda_array_interface__"),
    *("keys", "items", "values", "get", "numel", "size", "shape", "dtype", "grad", "is_leaf"),
    *("parameters", "named_parameters", "state_dict", "param_groups", "state", "split"),
)


def touch(name: str) -> Callable[..., Any]:
    def touched(*_: Any, **__: Any) -> Any:
        TOUCHED.append(name)
        raise RuntimeError("touched: " + name)

    return touched


def traps(*without: str) -> dict[str, Any]:
    """Attributes for a class: every special method, some as properties, each a trap."""
    members: dict[str, Any] = {name: touch(name) for name in SPECIAL if name not in without}
    for name in ("__class__", "__dict__", "__weakref__", "loss", "model"):
        if name not in without:
            members[name] = property(touch(name))
    return members


_OF_CLASSES = ("__name__", "__bases__", "__mro__", "__class__", "__dict__")
Meta: Any = type(
    "Meta",
    (type,),
    {
        **{name: touch("metaclass " + name) for name in SPECIAL},
        **{name: property(touch("metaclass " + name)) for name in _OF_CLASSES},
    },
)
"""A metaclass of traps; only `mro` and what makes a class are left alone."""

Hostile = type("Hostile", (), traps())
HostileByMeta: Any = type.__new__(Meta, "HostileByMeta", (), {})
HostileText = type("HostileText", (str,), {**traps(), "__hash__": str.__hash__})
HostileList = type("HostileList", (list,), traps())
HostileTuple = type("HostileTuple", (tuple,), traps())
HostileDict = type("HostileDict", (dict,), traps("__setattr__"))
HostileInt = type("HostileInt", (int,), traps())
HostileTensor = type(torch.Tensor)(
    "HostileTensor",
    (torch.Tensor,),
    {name: trap for name, trap in traps().items() if name not in ("__weakref__", "__dict__")},
)


@pytest.fixture(autouse=True)
def _untouched() -> Any:
    TOUCHED.clear()
    yield
    assert TOUCHED == []


def hostile_tensor() -> Any:
    tensor = torch.Tensor._make_subclass(HostileTensor, torch.full((2, 3), 2.0), True)
    TOUCHED.clear()  # torch itself asks while it makes one
    return tensor


def everything(namespace: dict[str, Any], *expressions: str) -> list[dict[str, Any]]:
    """Every question about the frame and about the expressions; their roots."""
    stop = new_stop()
    ask(stop, "roots", {"callers": True}, namespace)
    found: list[dict[str, Any]] = []
    for asked in ({}, {"expressions": list(expressions)}):
        found += ask(stop, "roots", asked, namespace)["roots"]
    for root in found:
        if root["id"]:
            rows = rows_of(stop, root["id"])
            measure(stop, root["id"], rows, budget_s=0.0)
            for row in range(len(rows)):
                if rows[row].facts and rows[row].data is not None:
                    where = {"root": root["id"], "row": row, "part": "data"}
                    ask(stop, "histogram", where, namespace)
    ask(stop, "release", {}, namespace)
    return found


OBJECTS: dict[str, Callable[[], Any]] = {
    "an object": Hostile,
    "its class": lambda: Hostile,
    "an object of a hostile metaclass": lambda: object.__new__(HostileByMeta),
    "a class of a hostile metaclass": lambda: HostileByMeta,
    "a text": lambda: HostileText("text"),
    "a list": lambda: list.__new__(HostileList),
    "a tuple": lambda: tuple.__new__(HostileTuple),
    "a dict": lambda: dict.__new__(HostileDict),
    "a number": lambda: int.__new__(HostileInt, 3),
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_an_object_anywhere_in_the_frame_is_not_touched(kind: str) -> None:
    value = OBJECTS[kind]()
    model = nn.Linear(2, 2)
    model.__dict__["strange"] = value
    model._buffers["strange"] = value
    model._modules["strange"] = value
    model._parameters["strange"] = value
    optimizer = torch.optim.SGD(model.parameters.__func__(nn.Linear(2, 2)), lr=0.1)
    optimizer.param_groups[0]["strange"] = value
    optimizer.param_groups[0]["params"].append(value)
    optimizer.param_groups.append(value)
    optimizer.state[nn.Parameter(torch.ones(1))] = value
    optimizer.__dict__["strange"] = value

    class Plain:
        pass

    owner = Plain()
    owner.__dict__.update({"value": value, "model": model, "values": [value]})
    namespace = {
        "value": value,
        "values": [value, model],
        "pair": (value, value),
        "table": {"value": value, "model": model},
        "self": owner,
        "model": model,
        "optimizer": optimizer,
    }
    found = everything(namespace, "value", "model", "optimizer", "pair", "values")
    kinds = [root["kind"] for root in found[-5:]]
    assert kinds == [None, "module", "optimizer", None, None]
    assert {root["expression"] for root in found if root["kind"]} >= {"model", "optimizer"}


@pytest.mark.parametrize("kind", ["an object", "an object of a hostile metaclass"])
def test_an_object_named_self_is_not_touched(kind: str) -> None:
    everything({"self": OBJECTS[kind](), "model": nn.Linear(2, 2)}, "model", "self")


def test_names_and_keys_of_a_hostile_text_are_not_touched() -> None:
    model, key = nn.Linear(2, 2), HostileText("strange")
    for table in (model.__dict__, model._parameters, model._modules, model._buffers):
        dict.__setitem__(table, key, torch.ones(1, requires_grad=True))
    namespace: dict[Any, Any] = {"model": model, "table": {key: model, 3: model}, key: model}
    found = everything(namespace, "model", "table")
    assert {root["expression"] for root in found} == {"model", "table"}


def test_a_hostile_namespace_is_not_asked() -> None:
    names: Any = dict.__new__(HostileDict)
    dict.__setitem__(names, "model", nn.Linear(2, 2))
    (root,) = ask(new_stop(), "roots", {}, names)["roots"]
    assert root["expression"] == "model"


@pytest.mark.parametrize("is_parameter", [True, False])
def test_a_tensor_of_a_hostile_class_is_measured_and_not_touched(*, is_parameter: bool) -> None:
    tensor = hostile_tensor()
    value = tensor
    if is_parameter:
        value = nn.Linear(2, 3)
        value._parameters["weight"] = tensor
    found = everything({"value": value, "pair": (tensor, tensor)}, "value", "pair")
    assert [root["kind"] for root in found[-2:]] == [found[0]["kind"], "gradients"]
    rows = look(value)
    data = next(row.data for row in rows if row.facts and row.facts["shape"] == [2, 3])
    assert (data.count, data.norm) == (6, pytest.approx(24**0.5))  # type: ignore[union-attr]


def test_an_exception_of_the_users_expression_may_be_hostile_in_every_way() -> None:
    class HostileError(Exception):
        def __getattribute__(self, name: str) -> Any:
            return touch("exception " + name)()

    class UnspeakableError(Exception):
        def __str__(self) -> str:
            raise SystemExit(3)

    class OddError(Exception):
        def __str__(self) -> str:
            text: str = HostileText("odd text")
            return text

    for failure, message in (
        (HostileError("x"), "x"),
        (UnspeakableError(), "cannot"),
        (OddError(), "odd text"),
    ):

        def fail(failure: BaseException = failure) -> None:
            raise failure

        (root,) = ask(new_stop(), "roots", {"expressions": ["fail()"]}, {"fail": fail})["roots"]
        error = root["error"]
        assert error["code"] == "expression_failed"
        assert error["remote_type"] == type(failure).__name__
        assert message in error["message"]
        assert "in fail" in error["traceback"]


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the host's code needs Python 3.10")
def test_a_program_whose_objects_would_end_it_lives_on(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import os, sys
            import torch
            from gradpeek.injection import probe
            from gradpeek.wire import codec, types

            class Bomb:
                def __getattribute__(self, name):
                    os._exit(9)
                __repr__ = __str__ = __len__ = __bool__ = __iter__ = __eq__ = lambda *a: os._exit(9)
                __hash__ = lambda self: os._exit(9)
                __class__ = property(lambda self: os._exit(9))

            class Net(torch.nn.Linear):
                weight_norm = property(lambda self: os._exit(9))
                __repr__ = __len__ = lambda self: os._exit(9)

            model, bomb = Net(2, 2), Bomb()
            model.__dict__["bomb"] = bombs = [bomb, {"bomb": bomb}]
            assert eval(probe().expression) == "loaded"
            for method, params in (
                ("roots", {}), ("roots", {"expressions": ["model", "bomb", "bombs"]}),
                ("rows", {"root": 2}), ("statistics", {"root": 2}),
            ):
                request = types.Request(version=1, id=1, stop="s", method=method, params=params)
                reply = eval(probe().call(codec.encode_request(request)))
                assert codec.has_envelope(reply)
            print("alive")
            """
        ),
        encoding="utf-8",
    )
    source = str(Path(gradpeek.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, str(program)],
        env={"PYTHONPATH": source, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "alive\n", "")
