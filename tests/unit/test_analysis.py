"""Reasons for a missing gradient, and badges: rules over rows made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gradpeek.analysis.absence import BackwardEvidence, explain
from gradpeek.analysis.badges import fact_badges, number_badges
from gradpeek.analysis.explaining import gradients_are_earlier
from gradpeek.inspection import Row, Statistics, TensorFacts
from gradpeek.wire import types

NOTHING = BackwardEvidence(any_gradient=False, seen_before=False, stepped=False, graph_freed=False)
STATE = types.AutogradState(
    requires_grad=True,
    is_leaf=True,
    retains_grad=False,
    grad_fn=None,
    in_optimizer=None,
    optimizer_state=False,
)
FACTS = types.FrameFacts(
    function="train",
    torch_version="2.13.0",
    pending_backward=False,
    may_retain_graph=False,
    graphs=[],
    optimizers=0,
    stepped=False,
    shadowed_grads=False,
)


def root(expression: str = "model", leaves: tuple[str, ...] = ()) -> types.Root:
    return types.Root(
        id=1,
        expression=expression,
        aliases=[],
        frame=0,
        scope="local",
        kind="module",
        type="Net",
        leaves=list(leaves),
    )


def row(state: types.AutogradState = STATE, *, kind: str = "parameter", name: str = "w") -> Row:
    made = Row(1, 0, kind, name, module_type="Linear")
    made.tensor = TensorFacts(None, [2], "float32", "cpu", "strided", 2, "full")
    made.state = state
    return made


def test_no_backward_yet_is_inferred_where_nothing_contradicts_it() -> None:
    absence = explain(row(), root(), NOTHING)
    assert (absence.reason, absence.evidence) == ("no_backward_yet", "inferred")
    assert "model" in absence.text


@pytest.mark.parametrize("fact", ["any_gradient", "seen_before", "stepped", "graph_freed"])
def test_each_trace_of_a_backward_forbids_to_say_no_backward_yet(fact: str) -> None:
    known: dict[str, Any] = {fact: True}
    absence = explain(row(), root(), replace(NOTHING, **known))
    assert (absence.reason, absence.evidence) == ("unknown", "unknown")
    assert NOTHING.contradiction is None
    assert str(replace(NOTHING, **known).contradiction) in absence.text


@pytest.mark.parametrize(
    ("kind", "word"), [("parameter", "frozen"), ("buffer", "buffer"), ("tensor", "requires_grad")]
)
def test_what_requires_no_grad_is_observed_and_named_for_what_it_is(kind: str, word: str) -> None:
    absence = explain(row(replace(STATE, requires_grad=False), kind=kind), root(), NOTHING)
    assert (absence.reason, absence.evidence) == ("requires_grad_false", "observed")
    assert word in absence.text


def test_an_integer_tensor_is_said_to_have_no_gradient_by_nature() -> None:
    integer = row(replace(STATE, requires_grad=False))
    assert integer.tensor is not None
    integer.tensor.dtype = "int64"
    assert "int64 cannot have one" in explain(integer, root(), NOTHING).text


def test_a_non_leaf_names_its_node_and_where_its_gradient_goes() -> None:
    state = replace(STATE, is_leaf=False, grad_fn="MulBackward0")
    made = row(state, kind="tensor", name="")
    before = explain(made, root("cx", ("ox",)), NOTHING)
    after = explain(made, root("cx", ("ox",)), replace(NOTHING, graph_freed=True))
    assert (before.reason, before.evidence) == ("non_leaf", "observed")
    assert "MulBackward0" in before.text
    assert before.label.endswith("gradient flows to ox")
    assert after.label.endswith("gradient flowed to ox")


@pytest.mark.parametrize(
    ("graph", "verb"), [("held", "flows"), ("freed", "flowed"), ("unknown", "flowed")]
)
def test_the_graph_of_a_non_leaf_itself_tells_whether_its_gradient_has_flowed(
    graph: Any, verb: str
) -> None:
    state = replace(STATE, is_leaf=False, grad_fn="MeanBackward0")
    loss = row(state, kind="tensor", name="")
    evidence = replace(NOTHING, stepped=True, own_graph=graph)
    assert f"gradient {verb} " in explain(loss, root("loss", ("model",)), evidence).text


def test_a_non_leaf_that_retains_its_gradient_is_explained_like_a_leaf() -> None:
    state = replace(STATE, is_leaf=False, retains_grad=True, grad_fn="MulBackward0")
    assert explain(row(state), root(), NOTHING).reason == "no_backward_yet"


def test_an_uninitialized_parameter_says_that_the_first_forward_makes_it() -> None:
    lazy = row()
    assert lazy.tensor is not None
    lazy.tensor.capability = "uninitialized"
    assert explain(lazy, root(), NOTHING).reason == "uninitialized"


@pytest.mark.parametrize(
    ("graphs", "pending", "retain", "earlier"),
    [
        ([], False, False, False),
        ([], True, False, True),
        (["held"], False, False, True),
        (["held"], False, True, False),
        (["held", "freed"], False, False, False),
        (["freed"], False, False, False),
        (["unknown"], False, False, False),
    ],
)
def test_present_gradients_are_earlier_where_the_graph_is_unused_or_backward_is_next(
    graphs: list[str],
    pending: bool,  # noqa: FBT001
    retain: bool,  # noqa: FBT001
    earlier: bool,  # noqa: FBT001
) -> None:
    made = [types.Graph(expression="loss", state=state) for state in graphs]  # type: ignore[arg-type]
    facts = replace(FACTS, graphs=made, pending_backward=pending, may_retain_graph=retain)
    assert gradients_are_earlier(facts) is earlier


def test_badges_of_facts_tell_tied_frozen_forgotten_and_unregistered_tensors() -> None:
    tied = row()
    tied.names_total = 2
    assert fact_badges(tied, earlier_backward=True) == ["tied"]
    tied.gradient = tied.tensor
    assert fact_badges(tied, earlier_backward=True) == ["tied", "earlier_backward"]
    frozen = row(replace(STATE, requires_grad=False, in_optimizer=False))
    assert fact_badges(frozen, earlier_backward=False) == ["frozen"]
    forgotten = row(replace(STATE, in_optimizer=False))
    assert fact_badges(forgotten, earlier_backward=False) == ["not_in_optimizer"]
    assert fact_badges(row(kind="tensor"), earlier_backward=False) == ["unregistered"]


def numbers(**counts: int) -> Statistics:
    known = {"count": 4, "zeros": 0, "nan": 0, "posinf": 0, "neginf": 0} | counts
    return Statistics(**known, norm=1, mean=0, std=1, min=-1, max=1, max_abs=1)


def test_badges_of_numbers_tell_non_finite_elements_and_gradients_of_zeros() -> None:
    assert number_badges(numbers(), numbers()) == []
    assert number_badges(numbers(nan=1), numbers(neginf=2)) == ["data_nan", "grad_inf"]
    assert number_badges(numbers(zeros=4), numbers(zeros=4)) == ["grad_all_zero"]
    assert number_badges(None, numbers(count=0)) == []
