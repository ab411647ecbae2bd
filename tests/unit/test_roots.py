"""What is found in a frame: models first, gradients aligned with parameters, no weights twice."""

from __future__ import annotations

import sys
from collections import OrderedDict
from typing import Any

import pytest
import torch
from torch import nn

from gradpeek.probe import roots as probe_roots
from gradpeek.probe.frames import Scope
from gradpeek.probe.roots import find_roots, optimized
from gradpeek.probe.runtime import quiet
from support.fixtures_frames import Trainer
from support.kinds import FRAMES
from support.probing import ask, look, new_stop, roots, rows_of


def found(namespace: dict[str, Any]) -> list[tuple[str, str]]:
    return [(root["expression"], root["kind"]) for root in roots(namespace)]


def functional_gradients(model: nn.Module) -> dict[str, Any]:
    weights = {name: tensor.detach() for name, tensor in model.named_parameters()}
    batch = torch.ones(4, 3)
    return torch.func.grad(  # type: ignore[no-any-return]
        lambda table: torch.func.functional_call(model, table, (batch,)).sum()
    )(weights)


FOUND = {
    "training": [
        ("criterion", "module"),
        ("model", "module"),
        ("loss", "tensor"),
        ("optimizer", "optimizer"),
        ("scheduler", "scheduler"),
    ],
    "trainer": [
        ("self.model", "module"),
        ("self.optimizer", "optimizer"),
        ("self.scaler", "grad_scaler"),
        ("self.scheduler", "scheduler"),
    ],
    "gradients of a model": [("model", "module"), ("gradients", "gradients")],
    "several models": [
        ("generator", "module"),
        ("models['critic']", "module"),
        ("stages[0]", "module"),
        ("stages[1]", "module"),
    ],
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_shows_its_roots_models_first(name: str) -> None:
    assert found(FRAMES[name]()) == FOUND[name]


def test_one_object_under_several_names_is_one_root_with_aliases() -> None:
    (generator, *_) = roots(FRAMES["several models"]())
    assert generator["aliases"] == ["alias", "models['generator']"]


def test_no_property_of_self_is_run() -> None:
    names = [name for name, _ in found({"self": Trainer()})]
    assert "self.loss" not in names


def test_a_module_that_is_self_shows_its_optimizer_too() -> None:
    model = nn.Linear(2, 2)
    model.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.note = torch.ones(2, requires_grad=True)
    assert found({"self": model}) == [("self", "module"), ("self.optimizer", "optimizer")]


@pytest.mark.parametrize("container", [list, tuple])
def test_gradients_by_order_get_the_names_of_the_parameters(container: Any) -> None:
    model = nn.Linear(3, 2)
    gradients = container(torch.autograd.grad(model(torch.ones(4, 3)).sum(), model.parameters()))
    rows = look(gradients, model=model)
    assert [row.name for row in rows] == ["weight", "bias"]


def test_gradients_of_the_trainable_parameters_only_are_aligned_with_those() -> None:
    model = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
    model[0].requires_grad_(requires_grad=False)
    trainable = [p for p in model.parameters() if p.requires_grad]
    gradients = torch.autograd.grad(model(torch.ones(4, 3)).sum(), trainable)
    rows = look(gradients, model=model)
    assert [row.name for row in rows] == ["1.weight", "1.bias"]


def test_a_hole_among_gradients_keeps_its_place_and_its_name() -> None:
    model = nn.ModuleDict({"used": nn.Linear(3, 2), "unused": nn.Linear(3, 5)})
    loss = model["used"](torch.ones(4, 3)).sum()
    gradients = torch.autograd.grad(loss, list(model.parameters()), allow_unused=True)
    rows = look(gradients, model=model)
    labels = {row.name: row.facts["capability"] for row in rows if row.facts is not None}
    hole = "None: no gradient came back"
    assert labels == {
        "used.weight": "full",
        "used.bias": "full",
        "unused.weight": hole,
        "unused.bias": hole,
    }


def test_gradients_with_holes_that_fit_no_model_are_no_root_and_do_no_harm() -> None:
    model = nn.Linear(3, 2)
    assert found({"model": model, "odd": (None, torch.ones(7)), "none": [None, None]}) == [
        ("model", "module")
    ]


def test_gradients_by_name_are_a_root() -> None:
    model = nn.Linear(3, 2)
    gradients = functional_gradients(model)
    assert found({"model": model, "gradients": gradients})[1] == ("gradients", "gradients")
    assert [row.name for row in look(gradients, model=model)] == ["weight", "bias"]


def no_gradients(model: nn.Module) -> dict[str, Any]:
    return {
        "a list of the parameters": list(model.parameters()),
        "named parameters": dict(model.named_parameters()),
        "a state dict": model.state_dict(),
        "a plain state dict": dict(model.state_dict()),
        "detached parameters": [p.detach() for p in model.parameters()],
        "fast weights": [p.detach().clone().requires_grad_() for p in model.parameters()],
        "tensors of other shapes": {"weight": torch.ones(1), "bias": torch.ones(1)},
        "tensors of other names": {"w": torch.ones(2, 3), "b": torch.ones(2)},
        "too few": (torch.ones(2, 3),),
        "numbers among them": (torch.ones(2, 3), 3.0),
        "an ordered dict": OrderedDict(weight=torch.ones(2, 3)),
        "nothing": (),
    }


@pytest.mark.parametrize("what", no_gradients(nn.Linear(3, 2)))
def test_weights_are_not_taken_for_gradients(what: str) -> None:
    model = nn.Linear(3, 2)
    value = no_gradients(model)[what]
    shown = found({"model": model, "value": value})
    assert ("value", "gradients") not in shown
    if what != "fast weights":
        assert shown == [("model", "module")]


def test_leaves_in_a_plain_container_are_shown_by_their_place() -> None:
    weights = {"w": torch.ones(2, requires_grad=True), "b": torch.ones(1)}
    assert found({"weights": weights}) == [("weights['w']", "tensor")]


def test_tensors_that_need_no_gradient_are_no_roots() -> None:
    assert found({"batch": torch.ones(3), "label": 3, "text": "model"}) == []


def test_a_container_of_a_million_numbers_is_not_looked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(probe_roots, "GRADIENTS_LIMIT", 100)
    assert probe_roots.gradient_tensors([torch.ones(1)] * 101) == []
    assert len(probe_roots.gradient_tensors([torch.ones(1)] * 100)) == 100


def test_a_root_is_local_or_global_as_the_frame_has_it() -> None:
    source = """
model = nn.Linear(2, 2)
unused = nn.Linear(2, 2)
def train():
    head = nn.Linear(2, 2)
    model.weight
    return sys._getframe()
"""
    namespace: dict[str, Any] = {"nn": nn, "sys": sys}
    exec(source, namespace)
    frame = namespace["train"]()
    with quiet():
        shown = find_roots(Scope(frame, frame.f_globals, frame.f_locals))
    assert [(root.expression, root.scope) for root in shown] == [
        ("head", "local"),
        ("model", "global"),
    ]


def test_an_optimizer_that_only_wraps_another_tells_its_parameters() -> None:
    class Wrapping(torch.optim.Optimizer):
        def __init__(self, optimizer: Any) -> None:
            self.optimizer = optimizer

        @property
        def param_groups(self) -> Any:
            raise RuntimeError("touched")

        @property
        def state(self) -> Any:
            raise RuntimeError("touched")

    weight = nn.Parameter(torch.ones(2))
    inner = torch.optim.Adam([weight])
    weight.sum().backward()
    assert optimized([Wrapping(inner)]) == ({id(weight): False}, False)
    inner.step()
    assert optimized([Wrapping(inner)]) == ({id(weight): True}, True)


OPTIMIZERS = {
    "SGD without momentum": (lambda p: torch.optim.SGD(p, lr=0.1), False),
    "SGD with momentum": (lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9), True),
    "Adam": (torch.optim.Adam, True),
    "LBFGS": (torch.optim.LBFGS, True),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_an_optimizer_knows_its_tensors_and_whether_it_has_stepped(name: str) -> None:
    make, keeps_state = OPTIMIZERS[name]
    weight, other = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
    optimizer = make([weight])

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (weight * weight).sum()
        loss.backward()
        return loss

    table, stepped = optimized([optimizer])
    assert (table, stepped) == ({id(weight): False}, False)
    optimizer.step(closure)
    table, stepped = optimized([optimizer])
    assert (table, stepped) == ({id(weight): keeps_state}, keeps_state)
    assert id(other) not in table


def test_rows_of_a_root_say_what_its_optimizer_holds() -> None:
    model = nn.Linear(2, 2)
    optimizer = torch.optim.Adam([model.weight])
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    stop = new_stop()
    first = ask(stop, "roots", {}, {"model": model, "optimizer": optimizer})["roots"][0]
    states = {row.name: row.state for row in rows_of(stop, first["id"])}
    for name, expected in (("weight", (True, True)), ("bias", (False, False))):
        state = states[name]
        assert state is not None
        assert (state["in_optimizer"], state["optimizer_state"]) == expected


def test_a_value_that_an_expression_makes_lives_until_the_stop_ends() -> None:
    leaf = torch.ones(3, requires_grad=True)
    stop = new_stop()
    params = {"expressions": ["(leaf * 2).sum()"]}
    (root,) = ask(stop, "roots", params, {"leaf": leaf})["roots"]
    (row,) = rows_of(stop, root["id"])
    assert row.facts is not None
    assert row.facts["shape"] == []
