"""Strided tensors of every data type, autograd role, view and storage, and tensors without data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from support.tables import into, seeded

TENSORS: dict[str, Callable[[], Any]] = {}

FLOATS = (
    *("float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"),
    *("float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "complex32", "complex64"),
    "complex128",
)
INTEGERS = ("bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64")
SHELLS = ("float4_e2m1fn_x2", "int4", "uint4", "bits8")
"""Types that hold bytes and know no arithmetic."""


def _of_dtype(name: str) -> Callable[[], Any]:
    dtype = getattr(torch, name)

    def make() -> Any:
        if name in SHELLS:
            return torch.empty(4, 6, dtype=torch.uint8).zero_().view(dtype)
        if dtype.is_complex:
            return torch.complex(seeded(4, 6), seeded(4, 6, seed=8)).to(dtype)
        numbers = seeded(4, 6)
        if name == "float8_e8m0fnu" or name.startswith("uint"):
            numbers = numbers.abs() * 4
        return numbers.to(dtype)

    return make


for _name in FLOATS + INTEGERS + SHELLS:
    if hasattr(torch, _name):
        TENSORS[_name] = _of_dtype(_name)

_kind = into(TENSORS)


@_kind
def _empty() -> Any:
    return torch.empty(0, 3)


@_kind
def _scalar() -> Any:
    return torch.tensor(-2.5)


@_kind
def _leaf_with_gradient() -> Any:
    leaf = seeded(3, 4).requires_grad_()
    leaf.square().sum().backward()
    return leaf


@_kind
def _leaf_without_gradient() -> Any:
    return seeded(3, 4).requires_grad_()


@_kind
def _non_leaf() -> Any:
    return seeded(3, 4).requires_grad_().tanh()


@_kind
def _non_leaf_that_retains_its_gradient() -> Any:
    result = seeded(3, 4).requires_grad_().tanh()
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
    return seeded(6, 8)[1::2, ::3]


@_kind
def _transposed() -> Any:
    return seeded(6, 8).t()


@_kind
def _expanded_over_a_trillion() -> Any:
    return seeded(3, 1, 1).expand(3, 1_000_000, 1_000_000)


@_kind
def _overlapping() -> Any:
    return seeded(10).as_strided((6, 4), (1, 1))


@_kind
def _conjugated() -> Any:
    return torch.complex(seeded(4), seeded(4, seed=8)).conj()


@_kind
def _negated() -> Any:
    return torch.complex(seeded(4), seeded(4, seed=8)).conj().imag


@_kind
def _channels_last() -> Any:
    return seeded(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)


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
def _meta() -> Any:
    return torch.empty(3, 4, device="meta")


@_kind
def _meta_parameter() -> Any:
    return torch.nn.Parameter(torch.empty(3, 4, device="meta"))


@_kind
def _fake() -> Any:
    return FakeTensorMode().from_tensor(seeded(3, 4))


@_kind
def _fake_with_symbolic_shape() -> Any:
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    return FakeTensorMode(shape_env=ShapeEnv()).from_tensor(seeded(3, 4))


@_kind
def _lazy_parameter() -> Any:
    return torch.nn.UninitializedParameter()


@_kind
def _lazy_buffer() -> Any:
    return torch.nn.UninitializedBuffer()


@_kind
def _with_its_storage_released() -> Any:
    tensor = seeded(3, 4)
    tensor.untyped_storage().resize_(0)
    return tensor


@_kind
def _with_its_storage_shrunk() -> Any:
    tensor = seeded(3, 4)
    tensor.untyped_storage().resize_(20)
    return tensor


@_kind
def _view_of_a_released_storage() -> Any:
    tensor = seeded(300, 4)
    view = tensor[5:, 1:]
    tensor.untyped_storage().resize_(0)
    return view


@_kind
def _inference() -> Any:
    with torch.inference_mode():
        return seeded(3, 4) * 2


@_kind
def _shared_memory() -> Any:
    return seeded(3, 4).share_memory_()
