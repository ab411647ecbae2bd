"""Rows of a module: each distinct module and tensor once, under the names that torch gives it."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from gradpeek.probe.moments import Moments
from gradpeek.probe.objects import attributes
from support.fixtures_hostile import TOUCHED
from support.kinds import MODULES
from support.moments_oracle import assert_agrees, oracle
from support.probing import Seen, look

HOSTILE = {"hostile tables", "hostile", "of a hostile metaclass"}
"""Modules that torch itself cannot list either, for what they define."""
UNLISTED = {
    *HOSTILE,
    *("cyclic", "cyclic and shared"),  # torch recurses without end
    *("dotted and odd names", "holding a liar", "half built", "torn down"),
    "shared 16 levels deep",  # torch takes minutes
    "nested 2000 levels deep",  # torch exceeds the recursion limit
}
LISTED = [name for name in MODULES if name not in UNLISTED]


def tensors(rows: list[Seen]) -> list[Seen]:
    return [row for row in rows if row.kind != "module"]


def grouped(named: Any) -> list[list[str]]:
    """Names by the identity of what they name, in the order of the first."""
    groups: dict[int, tuple[Any, list[str]]] = {}
    for name, value in named:
        groups.setdefault(id(value), (value, []))[1].append(name)
    return [names for _, names in groups.values()]


@pytest.mark.parametrize("name", LISTED)
def test_tensor_rows_have_the_names_of_torch_each_once(name: str) -> None:
    model = MODULES[name]()
    wanted = [
        *model.named_parameters(remove_duplicate=False),
        *model.named_buffers(remove_duplicate=False),
    ]
    found = [row.names for row in tensors(look(model)) if row.kind != "tensor"]
    assert sorted(map(sorted, found)) == sorted(map(sorted, grouped(wanted)))


@pytest.mark.parametrize("name", LISTED)
def test_parameters_come_in_the_order_of_torch(name: str) -> None:
    model = MODULES[name]()
    found = [row.name for row in look(model) if row.kind == "parameter"]
    assert found == [name for name, _ in model.named_parameters()]


@pytest.mark.parametrize("name", LISTED)
def test_module_rows_are_the_modules_of_torch_with_their_classes(name: str) -> None:
    model = MODULES[name]()
    rows = [row for row in look(model) if row.kind == "module"]
    named = list(model.named_modules(remove_duplicate=False))
    assert [row.names for row in rows] == grouped(named)
    assert [row.module_type for row in rows] == [type(m).__name__ for _, m in model.named_modules()]


@pytest.mark.parametrize("name", MODULES)
def test_each_row_stands_below_the_module_that_holds_it(name: str) -> None:
    rows = look(MODULES[name]())
    assert rows[0].parent == -1
    for at, row in enumerate(rows[1:], 1):
        assert 0 <= row.parent < at
        assert rows[row.parent].kind == "module"
        assert row.parent not in row.more_parents
        for parent in row.more_parents:
            assert rows[parent].kind == "module"


@pytest.mark.parametrize("name", MODULES)
def test_every_tensor_of_a_module_is_measured_or_labelled(name: str) -> None:
    for row in tensors(look(MODULES[name]())):
        assert row.facts is not None
        if row.facts["capability"] == "full":
            assert isinstance(row.data, Moments), (row.name, row.data)
            assert row.data.count == row.facts["numel"]
        else:
            assert row.data == row.facts["capability"]
        assert (row.gradient is None) == (row.grad is None)


WITH_GRADIENTS = [
    *("sequential with gradients", "tied weights", "in bfloat16 with gradients"),
    *("distributed data parallel", "fully sharded with gradients"),
]


@pytest.mark.parametrize("name", [name for name in WITH_GRADIENTS if name in MODULES])
def test_values_and_gradients_agree_with_the_oracle(name: str) -> None:
    model = MODULES[name]()
    rows = {row.name: row for row in look(model)}
    for key, parameter in model.named_parameters():
        for value, found in ((parameter, rows[key].data), (parameter.grad, rows[key].grad)):
            assert value is not None
            local = value.to_local() if hasattr(value, "to_local") else value
            assert_agrees(found, oracle(local.detach()))


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_module_is_shown_and_nothing_of_it_is_run(name: str) -> None:
    model = MODULES[name]()
    TOUCHED.clear()
    rows = look(model)
    assert TOUCHED == []
    layer = "layer" if name == "hostile" else "0"
    assert {f"{layer}.weight", f"{layer}.bias"} <= {row.name for row in rows}
    for row in tensors(rows):
        assert isinstance(row.data, Moments)


def test_a_dict_property_does_not_hide_the_attributes_of_an_object() -> None:
    class Shy:
        @property
        def __dict__(self) -> Any:  # type: ignore[override]
            raise RuntimeError("touched")

    class Base:
        pass

    class Derived(Base):
        __dict__ = property(lambda self: 1 / 0)

    value = Derived()
    value.kept = 3  # type: ignore[attr-defined]
    assert attributes(value) == {"kept": 3}
    assert attributes(Shy()) == {}
    assert attributes(object()) == {}


def test_a_tensor_shared_16_levels_deep_has_64_of_its_131072_names() -> None:
    rows = look(MODULES["shared 16 levels deep"]())
    weight, bias = tensors(rows)
    assert (weight.names_total, bias.names_total) == (131072, 131072)
    first = [format(at, "017b") for at in range(64)]
    assert weight.names == [".".join(bits) + ".weight" for bits in first]
    assert len(rows) == 18 + 2


def test_a_cycle_is_cut_where_a_module_meets_itself() -> None:
    names = [row.name for row in look(MODULES["cyclic"]())]
    assert names == ["", "0", "0.weight", "0.bias", "1", "1.0", "1.0.weight", "1.0.bias"]
    shared = look(MODULES["cyclic and shared"]())
    assert len(tensors(shared)) == 2
    assert "0.sibling" in [row.name for row in shared]


def test_a_chain_of_2000_modules_is_walked_without_recursion() -> None:
    rows = look(MODULES["nested 2000 levels deep"]())
    assert len(rows) == 2001 + 2
    assert rows[-2].name == "0." * 2000 + "weight"


def test_tied_tensors_and_modules_are_one_row_with_all_names() -> None:
    tied = {row.name: row for row in look(MODULES["tied weights"]())}
    assert tied["embedding.weight"].names == ["embedding.weight", "head.weight"]
    assert "head.weight" not in tied
    twice = {row.name: row for row in look(MODULES["one module under two names"]())}
    assert twice["first"].names == ["first", "second"]
    assert twice["first.weight"].names == ["first.weight", "second.weight"]


def test_a_tensor_that_is_parameter_and_buffer_is_a_parameter() -> None:
    (row,) = tensors(look(MODULES["parameter that is a buffer too"]()))
    assert (row.kind, row.names) == ("parameter", ["weight", "child.copy"])


def test_unregistered_tensors_that_require_grad_are_shown_the_others_are_not() -> None:
    rows = {row.name: row.kind for row in look(MODULES["unregistered tensors"]())}
    assert rows == {
        "": "module",
        "weight": "parameter",
        "bias": "parameter",
        "temperature": "tensor",
        "output": "tensor",
    }


def test_odd_names_are_kept_and_names_that_are_no_text_are_left_out() -> None:
    rows = [row.name for row in look(MODULES["dotted and odd names"]())]
    assert {"p.q", "naïve ∇ \ud800", "dotted.name.weight", "weight"} <= set(rows)
    assert len(rows) == 3 + 2 + 2 + 2


@pytest.mark.parametrize("name", ["half built", "torn down", "with nones", "without parameters"])
def test_a_module_without_parameters_has_its_own_row(name: str) -> None:
    rows = look(MODULES[name]())
    assert rows[0].kind == "module"
    assert [row.name for row in rows if row.kind == "parameter"] == []


def test_what_only_says_that_it_is_a_module_is_none() -> None:
    names = [row.name for row in look(MODULES["holding a liar"]())]
    assert names == ["", "0", "0.weight", "0.bias"]


def test_values_of_a_parameter_put_in_from_outside_are_seen() -> None:
    model = nn.Linear(2, 2)
    model.weight.data = torch.full((2, 2), 3.0)
    model.weight.grad = torch.full((2, 2), -1.0)
    (weight,) = [row for row in look(model) if row.name == "weight"]
    assert isinstance(weight.data, Moments)
    assert isinstance(weight.grad, Moments)
    assert (weight.data.norm, weight.grad.mean) == (6.0, -1.0)
