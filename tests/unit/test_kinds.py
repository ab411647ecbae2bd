"""Every kind of tensor has an answer: its metadata, and statistics or the reason for none."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import pytest
import torch

from gradpeek.probe import kinds, slots
from gradpeek.probe.moments import Moments
from support.fixtures_subclasses import CALLS
from support.kinds import INSIDE, TENSORS
from support.moments_oracle import assert_agrees, oracle
from support.probing import look

if TYPE_CHECKING:
    from collections.abc import Callable

OPAQUE = "opaque: its class defines __torch_dispatch__"
RELEASED = "storage released: held elsewhere"
LABELS = {
    **dict.fromkeys(("float4_e2m1fn_x2", "int4", "uint4", "bits8"), "opaque dtype: no arithmetic"),
    **dict.fromkeys(("meta", "meta sparse", "meta parameter"), "meta: no data"),
    **dict.fromkeys(("fake", "fake with symbolic shape"), "fake: no data"),
    **dict.fromkeys(("lazy parameter", "lazy buffer"), "uninitialized"),
    **dict.fromkeys(("pending collective", "sharded and pending"), "pending collective"),
    "with its storage released": RELEASED,
    "with its storage shrunk": RELEASED,
    "view of a released storage": RELEASED,
    "mkldnn": "opaque layout: _mkldnn",
    "functional": "functional: not read while in a transform",
    "nested jagged with holes": "jagged with holes",
    "masked tensor": OPAQUE,
    "subclass with torch dispatch": OPAQUE,
    "wrapper subclass": OPAQUE,
    "wrapper subclass that requires grad": OPAQUE,
    "wrapper subclass whose size dispatches": OPAQUE,
    "packed 4 bit subclass": OPAQUE,
}
"""What stands for the statistics of kinds that have none."""

TYPES = {
    "subclass": "Labelled",
    "subclass that raises": "Raising",
    "subclass of a hostile metaclass": "HostileClass",
    "parameter subclass": "Weight",
    "masked tensor": "MaskedTensor",
    "packed 4 bit subclass": "Int4Packed",
    "lazy parameter": "UninitializedParameter",
    "fake": "FakeTensor",
    "nested jagged": "NestedTensor jagged",
    "escaped from grad": "ended functorch transform",
    "sharded": "DTensor Shard(0) of [4, 3]",
    "replicated": "DTensor Replicate of [4, 3]",
    "partial sum": "DTensor Partial of [4, 3]: local partial sum, not the gradient",
    "sharded to nothing here": "DTensor Shard(0) of [1, 3]",
    "functional": None,
    "meta parameter": None,
    "float32": None,
}
"""What is said of a tensor that is neither a Tensor nor a Parameter."""


def dense(tensor: Any) -> Any:
    """The elements of a readable tensor, by the ways that torch gives to its users."""
    if hasattr(tensor, "to_local"):
        tensor = tensor.to_local()
    if tensor.is_nested:
        return torch.cat([part.reshape(-1) for part in tensor.detach().unbind()])
    if tensor.layout is not torch.strided:
        wide = tensor.detach().to_dense() if tensor.dtype != torch.float16 else None
        return wide if wide is not None else tensor.detach().to(torch.float32).to_dense()
    return tensor


def expected(name: str, tensor: Any) -> Moments:
    if name == "expanded over a trillion":
        moments = oracle(tensor[:, 0, 0])
        moments.repeat(10**12)
        return moments
    if name.startswith("escaped"):
        tensor = torch._C._functorch.get_unwrapped(tensor)
    with warnings.catch_warnings(), torch._C.DisableTorchFunction():
        warnings.simplefilter("ignore")
        return oracle(torch.Tensor.detach(dense(tensor)).as_subclass(torch.Tensor))


@pytest.mark.parametrize("name", TENSORS)
def test_a_tensor_has_statistics_or_says_why_it_has_none(name: str) -> None:
    tensor = TENSORS[name]()
    (row,) = look(tensor)
    assert row.facts is not None
    assert row.facts["capability"] == LABELS.get(name, "full")
    if name in LABELS:
        assert row.data == LABELS[name]
        return
    assert isinstance(row.data, Moments), row.data
    assert row.data.count == row.facts["numel"]
    CALLS.clear()
    assert_agrees(row.data, expected(name, tensor))


@pytest.mark.parametrize("name", TENSORS)
def test_nothing_of_a_tensor_class_is_run(name: str) -> None:
    tensor = TENSORS[name]()
    CALLS.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        look(tensor)
    assert CALLS == []


@pytest.mark.parametrize(
    "name",
    [name for name in TENSORS if LABELS.get(name, "")[:6] not in ("opaque", "pendin", "uninit")],
)
def test_metadata_is_that_of_the_tensor_itself(name: str) -> None:
    tensor = TENSORS[name]()
    (row,) = look(tensor)
    facts = row.facts
    assert facts is not None
    if name == "fake with symbolic shape":
        assert (facts["shape"], facts["numel"]) == (None, None)
        return
    if name == "nested jagged with holes":
        assert (facts["shape"], facts["dtype"]) == (None, "float32")
        return
    with torch._C.DisableTorchFunction():
        base = torch._C.TensorBase if hasattr(torch._C, "TensorBase") else torch._C._TensorBase
        read = {key: getattr(base, key).__get__(tensor) for key in ("dtype", "device", "layout")}
        assert facts["dtype"] == str(read["dtype"])[6:]
        assert facts["device"] == str(tensor.fake_device if name == "fake" else read["device"])
        if not base.is_nested.__get__(tensor):
            assert facts["layout"] == str(read["layout"])[6:]
            local = tensor.to_local() if facts["type"] and "DTensor" in facts["type"] else tensor
            assert facts["shape"] == list(base.shape.__get__(local))
            if not name.startswith("escaped from vmap"):
                assert facts["numel"] == math.prod(facts["shape"])


@pytest.mark.parametrize("name", ["nested strided", "nested jagged"])
def test_the_ragged_dimension_of_a_nested_tensor_is_minus_one(name: str) -> None:
    if name not in TENSORS:
        pytest.skip("this torch has no jagged layout")
    (row,) = look(TENSORS[name]())
    assert row.facts is not None
    assert (row.facts["shape"], row.facts["numel"]) == ([2, -1, 3], 18)


@pytest.mark.parametrize("name", [name for name in TYPES if name in TENSORS])
def test_what_goes_without_saying_is_not_said_of_a_class(name: str) -> None:
    (row,) = look(TENSORS[name]())
    assert row.facts is not None
    assert row.facts["type"] == TYPES[name]


SEEN_INSIDE = {
    "inside of vmap": ("vmap level 1 of [3, 4]", [3], 12),
    "inside of grad": ("grad level 1", [3, 4], 12),
    "inside of vmap of grad": ("grad level 2, vmap level 1 of [3, 4]", [4], 12),
    "inside of grad of vmap": ("vmap level 2 of [3, 4], grad level 1", [4], 12),
    "inside of jvp": ("grad level 1", [3, 4], 12),
    "inside of functionalize": (None, [3, 4], 12),
    **{
        name: (None, [3, 4], 12)
        for name in (
            "plain inside of a fake mode",
            "plain inside of a meta device",
            "plain inside of inference mode",
            "plain inside of forward differentiation",
        )
    },
}
"""Type, shape of one lane, and elements over all lanes."""


@pytest.mark.parametrize("name", INSIDE)
def test_a_tensor_inside_of_a_transform_or_mode_is_read_past_it(name: str) -> None:
    plain = torch.randn(3, 4, generator=torch.Generator().manual_seed(7))
    seen: list[Any] = []
    INSIDE[name](lambda value: seen.append(look(value)))
    ((row,),) = seen
    kind, shape, numel = SEEN_INSIDE[name]
    assert row.facts is not None
    assert (row.facts["type"], row.facts["shape"], row.facts["numel"]) == (kind, shape, numel)
    if name == "inside of functionalize":
        assert row.data == row.facts["capability"] == LABELS["functional"]
    else:
        assert row.facts["capability"] == "full"
        assert_agrees(row.data, oracle(plain))


def test_a_transform_goes_on_as_if_nothing_had_looked() -> None:
    def loss(values: Any, visit: Callable[[Any], Any]) -> Any:
        visit(values)
        return (values * values).sum()

    plain = torch.randn(3, 4)
    for visit in (look, repr):
        result = torch.func.vmap(torch.func.grad(lambda x, v=visit: loss(x, v)))(plain)
        assert torch.equal(result, 2 * plain)


def test_a_parameter_made_inside_of_vmap_is_read_past_its_wrapper() -> None:
    seen: list[Any] = []

    def body(value: Any) -> Any:
        model = torch.nn.Module()
        model.weight = torch.nn.Parameter(value, requires_grad=False)
        seen.extend(look(model))
        return value

    torch.func.vmap(body)(torch.ones(3, 2, 2))
    (weight,) = [row for row in seen if row.name == "weight"]
    assert weight.facts["type"] == "vmap level 1 of [3, 2, 2]"
    assert weight.data.count == 12


GRADIENTS = {
    "leaf with gradient": lambda tensor: tensor.grad,
    "non leaf that retains its gradient": lambda tensor: tensor.grad,
    "leaf with a sparse gradient": lambda tensor: tensor.grad,
    "subclass that raises, with gradient": slots.readable_grad,
}


@pytest.mark.parametrize("name", TENSORS)
def test_a_gradient_is_there_where_the_tensor_has_one(name: str) -> None:
    tensor = TENSORS[name]()
    (row,) = look(tensor)
    assert (row.gradient is not None) == (name in GRADIENTS) == (row.grad is not None)


@pytest.mark.parametrize("name", GRADIENTS)
def test_a_gradient_is_measured_like_a_tensor(name: str) -> None:
    tensor = TENSORS[name]()
    (row,) = look(tensor)
    with torch._C.DisableTorchFunction():
        gradient = GRADIENTS[name](tensor)
        assert row.gradient is not None
        assert row.gradient["shape"] == list(gradient.shape)
        assert row.gradient["layout"] == str(gradient.layout)[6:]
        assert_agrees(row.grad, oracle(gradient.to_dense()))


STATES = {
    "leaf without gradient": (True, True, False, None),
    "float32": (False, True, False, None),
    "non leaf": (True, False, False, "TanhBackward0"),
    "non leaf that retains its gradient": (True, False, True, "TanhBackward0"),
    "meta parameter": (True, True, False, None),
    "inference": (False, True, False, None),
    "lazy parameter": (True, True, False, None),
    "lazy buffer": (False, True, False, None),
    "wrapper subclass that requires grad": (True, True, False, None),
}


@pytest.mark.parametrize("name", STATES)
def test_the_state_says_how_a_tensor_stands_to_autograd(name: str) -> None:
    (row,) = look(TENSORS[name]())
    assert row.state is not None
    found = tuple(row.state[key] for key in ("requires_grad", "is_leaf", "retains_grad", "grad_fn"))
    assert found == STATES[name]


def test_a_tensor_that_cannot_be_described_is_labelled_and_the_rest_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = torch.nn.Linear(2, 2)
    model.register_buffer("odd", torch.ones(3).to_sparse())
    layout = slots.layout

    def fails(tensor: Any) -> Any:
        if layout(tensor) is torch.sparse_coo:
            raise NotImplementedError("no layout on this device")
        return layout(tensor)

    monkeypatch.setattr(slots, "layout", fails)
    rows = {row.name: row for row in look(model)}
    assert rows["odd"].facts is not None
    assert rows["odd"].facts["capability"] == "not readable: NotImplementedError"
    assert isinstance(rows["weight"].data, Moments)


def test_the_sum_of_a_large_uncoalesced_tensor_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kinds, "COALESCE_LIMIT", 2)
    (row,) = look(TENSORS["sparse coo uncoalesced"]())
    assert row.data == "uncoalesced sparse, too large to sum"


def test_a_released_storage_is_told_from_one_of_the_same_shape_that_is_kept() -> None:
    model = torch.nn.ParameterList([torch.ones(3, 4), torch.ones(3, 4), torch.ones(3, 4)])
    model[1].untyped_storage().resize_(0)
    model[2].untyped_storage().resize_(40)
    found = [row.facts["capability"] for row in look(model) if row.facts is not None]
    assert found == ["full", RELEASED, RELEASED]


def test_a_weight_of_which_only_the_gradient_is_kept_elsewhere_is_still_shown() -> None:
    leaf = torch.ones(3, requires_grad=True)
    leaf.sum().backward()
    assert leaf.grad is not None
    leaf.grad.untyped_storage().resize_(0)
    (row,) = look(leaf)
    assert isinstance(row.data, Moments)
    assert row.grad == RELEASED


def test_a_copy_on_write_tensor_is_not_copied() -> None:
    if not hasattr(torch, "_lazy_clone"):
        pytest.skip("this torch has no copy-on-write tensors")
    original = torch.randn(3, 4)
    clone = torch._lazy_clone(original)
    (row,) = look(clone)
    assert_agrees(row.data, oracle(original))
    assert torch._C._is_cow_tensor(clone)
