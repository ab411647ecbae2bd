"""Tensors of every kind, gradients as functions return them, and tensors inside of transforms."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from support.fixtures_subclasses import SUBCLASSES

TENSORS: dict[str, Callable[[], Any]] = dict(SUBCLASSES)
GRADIENTS: dict[str, Callable[[], Any]] = {}
INSIDE: dict[str, Callable[[Callable[[Any], Any]], None]] = {}

FLOATS = (
    *("float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"),
    *("float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "complex32", "complex64"),
    "complex128",
)
INTEGERS = ("bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64")
SHELLS = ("float4_e2m1fn_x2", "int4", "uint4", "bits8")
"""Types that hold bytes and know no arithmetic."""


def _seeded(*shape: int, seed: int = 7) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def _of_dtype(name: str) -> Callable[[], Any]:
    dtype = getattr(torch, name)

    def make() -> Any:
        if name in SHELLS:
            return torch.empty(4, 6, dtype=torch.uint8).zero_().view(dtype)
        if dtype.is_complex:
            return torch.complex(_seeded(4, 6), _seeded(4, 6, seed=8)).to(dtype)
        numbers = _seeded(4, 6)
        if name == "float8_e8m0fnu" or name.startswith("uint"):
            numbers = numbers.abs() * 4
        return numbers.to(dtype)

    return make


for _name in FLOATS + INTEGERS + SHELLS:
    if hasattr(torch, _name):
        TENSORS[_name] = _of_dtype(_name)


def _quiet(make: Callable[[], Any]) -> Callable[[], Any]:
    def quietly() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return make()

    quietly.__name__ = make.__name__
    return quietly


def _kind(make: Callable[[], Any]) -> Callable[[], Any]:
    TENSORS[make.__name__.strip("_").replace("_", " ")] = _quiet(make)
    return make


def _gradients(make: Callable[[], Any]) -> Callable[[], Any]:
    GRADIENTS[make.__name__.strip("_").replace("_", " ")] = _quiet(make)
    return make


def _inside(run: Callable[[Callable[[Any], Any]], None]) -> Callable[..., None]:
    INSIDE[run.__name__.strip("_").replace("_", " ")] = run
    return run


@_kind
def _empty() -> Any:
    return torch.empty(0, 3)


@_kind
def _scalar() -> Any:
    return torch.tensor(-2.5)


@_kind
def _leaf_with_gradient() -> Any:
    leaf = _seeded(3, 4).requires_grad_()
    leaf.square().sum().backward()
    return leaf


@_kind
def _leaf_without_gradient() -> Any:
    return _seeded(3, 4).requires_grad_()


@_kind
def _non_leaf() -> Any:
    return _seeded(3, 4).requires_grad_().tanh()


@_kind
def _non_leaf_that_retains_its_gradient() -> Any:
    result = _seeded(3, 4).requires_grad_().tanh()
    result.retain_grad()
    result.square().sum().backward()
    return result


@_kind
def _leaf_with_a_sparse_gradient() -> Any:
    table = torch.nn.Embedding(10, 3, sparse=True)
    table(torch.tensor([1, 2, 1])).sum().backward()
    return table.weight


@_kind
def _view() -> Any:
    return _seeded(6, 8)[1::2, ::3]


@_kind
def _transposed() -> Any:
    return _seeded(6, 8).t()


@_kind
def _expanded_over_a_trillion() -> Any:
    return _seeded(3, 1, 1).expand(3, 1_000_000, 1_000_000)


@_kind
def _overlapping() -> Any:
    return _seeded(10).as_strided((6, 4), (1, 1))


@_kind
def _conjugated() -> Any:
    return torch.complex(_seeded(4), _seeded(4, seed=8)).conj()


@_kind
def _negated() -> Any:
    return torch.complex(_seeded(4), _seeded(4, seed=8)).conj().imag


@_kind
def _channels_last() -> Any:
    return _seeded(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)


@_kind
def _float16_whose_sum_overflows() -> Any:
    return torch.full((300, 40), 60000.0).to(torch.float16)


@_kind
def _huge() -> Any:
    return torch.full((4,), 1e30)


@_kind
def _tiny() -> Any:
    return torch.full((4,), 1e-30)


@_kind
def _not_finite() -> Any:
    return torch.tensor([1.0, 0.0, math.nan, math.inf, -math.inf, -math.inf, -3.0])


@_kind
def _nothing_finite() -> Any:
    return torch.tensor([math.nan, math.inf])


@_kind
def _sparse_coo_coalesced() -> Any:
    return torch.sparse_coo_tensor([[0, 2], [1, 0]], [3.0, -4.0], (3, 4)).coalesce()


@_kind
def _sparse_coo_uncoalesced() -> Any:
    return torch.sparse_coo_tensor([[0, 2, 0], [1, 0, 1]], [3.0, -4.0, -3.0], (3, 4))


@_kind
def _sparse_coo_hybrid() -> Any:
    return torch.sparse_coo_tensor([[0, 2, 0]], _seeded(3, 5), (4, 5))


@_kind
def _sparse_coo_without_elements() -> Any:
    return torch.sparse_coo_tensor(torch.empty(2, 0, dtype=torch.int64), torch.empty(0), (3, 4))


@_kind
def _sparse_coo_of_halves() -> Any:
    values = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float16)
    return torch.sparse_coo_tensor([[0, 2, 0]], values, (3,))


def _checkered() -> Any:
    return _seeded(4, 6) * (torch.arange(24).reshape(4, 6) % 3 == 0)


@_kind
def _sparse_csr() -> Any:
    return _checkered().to_sparse_csr()


@_kind
def _sparse_csc() -> Any:
    return _checkered().to_sparse_csc()


@_kind
def _sparse_bsr() -> Any:
    return _checkered().to_sparse_bsr((2, 2))


@_kind
def _sparse_bsc() -> Any:
    return _checkered().to_sparse_bsc((2, 3))


@_kind
def _nested_strided() -> Any:
    return torch.nested.nested_tensor([_seeded(2, 3), _seeded(4, 3)])


@_kind
def _nested_strided_parameter() -> Any:
    return torch.nested.nested_tensor([_seeded(2, 3), _seeded(4, 3)], requires_grad=True)


if hasattr(torch, "jagged"):

    @_kind
    def _nested_jagged() -> Any:
        return torch.nested.nested_tensor([_seeded(2, 3), _seeded(4, 3)], layout=torch.jagged)

    @_kind
    def _nested_jagged_with_holes() -> Any:
        values, offsets = _seeded(8, 3), torch.tensor([0, 4, 8])
        lengths = torch.tensor([2, 3])
        return torch.nested.nested_tensor_from_jagged(values, offsets, lengths)


@_kind
def _quantized_per_tensor() -> Any:
    return torch.quantize_per_tensor(_seeded(3, 4), 0.1, 10, torch.quint8)


@_kind
def _quantized_per_channel() -> Any:
    scales, zeros = torch.tensor([0.1, 0.2, 0.4]), torch.tensor([0, 1, 2])
    return torch.quantize_per_channel(_seeded(3, 4), scales, zeros, 0, torch.qint8)


@_kind
def _quantized_by_floats_per_channel() -> Any:
    scales, zeros = torch.tensor([0.1, 0.2, 0.4]), torch.tensor([0.0, 1.5, 2.0])
    return torch.quantize_per_channel(_seeded(3, 4), scales, zeros, 0, torch.quint8)


@_kind
def _quantized_to_32_bits() -> Any:
    return torch.quantize_per_tensor(_seeded(3, 4), 0.1, 0, torch.qint32)


@_kind
def _quantized_to_4_bits() -> Any:
    scales, zeros = torch.full((3,), 0.2), torch.zeros(3)
    return torch.quantize_per_channel(_seeded(3, 4), scales, zeros, 0, torch.quint4x2)


@_kind
def _packed_4_bit() -> Any:
    codes = torch.arange(24, dtype=torch.uint8) % 16
    return (codes[::2] << 4) | codes[1::2]


@_kind
def _meta() -> Any:
    return torch.empty(3, 4, device="meta")


@_kind
def _meta_sparse() -> Any:
    return torch.empty(3, 4, device="meta", layout=torch.sparse_coo)


@_kind
def _meta_parameter() -> Any:
    return torch.nn.Parameter(torch.empty(3, 4, device="meta"))


@_kind
def _fake() -> Any:
    return FakeTensorMode().from_tensor(_seeded(3, 4))


@_kind
def _fake_with_symbolic_shape() -> Any:
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    return FakeTensorMode(shape_env=ShapeEnv()).from_tensor(_seeded(3, 4))


@_kind
def _lazy_parameter() -> Any:
    return torch.nn.UninitializedParameter()


@_kind
def _lazy_buffer() -> Any:
    return torch.nn.UninitializedBuffer()


@_kind
def _mkldnn() -> Any:
    return _seeded(3, 4).to_mkldnn()


@_kind
def _with_its_storage_released() -> Any:
    tensor = _seeded(3, 4)
    tensor.untyped_storage().resize_(0)
    return tensor


@_kind
def _with_its_storage_shrunk() -> Any:
    tensor = _seeded(3, 4)
    tensor.untyped_storage().resize_(20)
    return tensor


@_kind
def _view_of_a_released_storage() -> Any:
    tensor = _seeded(300, 4)
    view = tensor[5:, 1:]
    tensor.untyped_storage().resize_(0)
    return view


@_kind
def _inference() -> Any:
    with torch.inference_mode():
        return _seeded(3, 4) * 2


@_kind
def _shared_memory() -> Any:
    return _seeded(3, 4).share_memory_()


def _kept(run: Callable[[Callable[[Any], Any]], Any]) -> Any:
    kept: list[Any] = []
    run(kept.append)
    return kept[0]


@_kind
def _escaped_from_grad() -> Any:
    return _kept(lambda keep: torch.func.grad(lambda x: keep(x) or (x * x).sum())(_seeded(3, 4)))


@_kind
def _escaped_from_vmap() -> Any:
    return _kept(lambda keep: torch.func.vmap(lambda x: keep(x) or x * 2)(_seeded(3, 4)))


@_kind
def _functional() -> Any:
    return torch._to_functional_tensor(_seeded(3, 4))


@_gradients
def _gradients_by_order() -> Any:
    model = torch.nn.Linear(3, 2)
    return torch.autograd.grad(model(_seeded(4, 3)).sum(), tuple(model.parameters()))


@_gradients
def _gradients_with_holes() -> Any:
    used, unused = _seeded(3).requires_grad_(), _seeded(2).requires_grad_()
    return torch.autograd.grad(used.sum(), (used, unused), allow_unused=True)


@_gradients
def _gradients_by_name() -> Any:
    model = torch.nn.Linear(3, 2)
    table = {name: tensor.detach() for name, tensor in model.named_parameters()}

    def loss(values: Any) -> Any:
        return torch.func.functional_call(model, values, (_seeded(4, 3),)).sum()

    return torch.func.grad(loss)(table)


@_inside
def _inside_of_vmap(visit: Callable[[Any], Any]) -> None:
    torch.func.vmap(lambda x: visit(x) or x * 2, in_dims=1)(_seeded(3, 4))


@_inside
def _inside_of_grad(visit: Callable[[Any], Any]) -> None:
    torch.func.grad(lambda x: visit(x) or (x * x).sum())(_seeded(3, 4))


@_inside
def _inside_of_vmap_of_grad(visit: Callable[[Any], Any]) -> None:
    torch.func.vmap(torch.func.grad(lambda x: visit(x) or (x * x).sum()))(_seeded(3, 4))


@_inside
def _inside_of_grad_of_vmap(visit: Callable[[Any], Any]) -> None:
    lanes = torch.func.vmap(lambda x: visit(x) or x * x)
    torch.func.grad(lambda x: lanes(x).sum())(_seeded(3, 4))


@_inside
def _inside_of_jvp(visit: Callable[[Any], Any]) -> None:
    value = _seeded(3, 4)
    torch.func.jvp(lambda x: visit(x) or x * x, (value,), (torch.ones_like(value),))


@_inside
def _inside_of_functionalize(visit: Callable[[Any], Any]) -> None:
    torch.func.functionalize(lambda x: visit(x) or x * 2)(_seeded(3, 4))


@_inside
def _plain_inside_of_a_fake_mode(visit: Callable[[Any], Any]) -> None:
    tensor = _seeded(3, 4)
    with FakeTensorMode(allow_non_fake_inputs=True):
        visit(tensor)


@_inside
def _plain_inside_of_a_meta_device(visit: Callable[[Any], Any]) -> None:
    tensor = _seeded(3, 4)
    with torch.device("meta"):
        visit(tensor)


@_inside
def _plain_inside_of_inference_mode(visit: Callable[[Any], Any]) -> None:
    tensor = _seeded(3, 4)
    with torch.inference_mode():
        visit(tensor)


@_inside
def _plain_inside_of_forward_differentiation(visit: Callable[[Any], Any]) -> None:
    import torch.autograd.forward_ad as forward

    with forward.dual_level():
        visit(forward.make_dual(_seeded(3, 4), torch.ones(3, 4)))
