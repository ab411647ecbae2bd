"""Tensors of other layouts: sparse, nested, quantized, packed, and MKL-DNN's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from support.tables import into, seeded

TENSORS: dict[str, Callable[[], Any]] = {}

_kind = into(TENSORS)


@_kind
def _sparse_coo_coalesced() -> Any:
    return torch.sparse_coo_tensor([[0, 2], [1, 0]], [3.0, -4.0], (3, 4)).coalesce()


@_kind
def _sparse_coo_uncoalesced() -> Any:
    return torch.sparse_coo_tensor([[0, 2, 0], [1, 0, 1]], [3.0, -4.0, -3.0], (3, 4))


@_kind
def _sparse_coo_hybrid() -> Any:
    return torch.sparse_coo_tensor([[0, 2, 0]], seeded(3, 5), (4, 5))


@_kind
def _sparse_coo_without_elements() -> Any:
    return torch.sparse_coo_tensor(torch.empty(2, 0, dtype=torch.int64), torch.empty(0), (3, 4))


@_kind
def _sparse_coo_of_halves() -> Any:
    values = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float16)
    return torch.sparse_coo_tensor([[0, 2, 0]], values, (3,))


def _checkered() -> Any:
    return seeded(4, 6) * (torch.arange(24).reshape(4, 6) % 3 == 0)


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
    return torch.nested.nested_tensor([seeded(2, 3), seeded(4, 3)])


@_kind
def _nested_strided_parameter() -> Any:
    return torch.nested.nested_tensor([seeded(2, 3), seeded(4, 3)], requires_grad=True)


if hasattr(torch, "jagged"):

    @_kind
    def _nested_jagged() -> Any:
        return torch.nested.nested_tensor([seeded(2, 3), seeded(4, 3)], layout=torch.jagged)

    @_kind
    def _nested_jagged_with_holes() -> Any:
        values, offsets = seeded(8, 3), torch.tensor([0, 4, 8])
        lengths = torch.tensor([2, 3])
        return torch.nested.nested_tensor_from_jagged(values, offsets, lengths)


@_kind
def _quantized_per_tensor() -> Any:
    return torch.quantize_per_tensor(seeded(3, 4), 0.1, 10, torch.quint8)


@_kind
def _quantized_per_channel() -> Any:
    scales, zeros = torch.tensor([0.1, 0.2, 0.4]), torch.tensor([0, 1, 2])
    return torch.quantize_per_channel(seeded(3, 4), scales, zeros, 0, torch.qint8)


@_kind
def _quantized_by_floats_per_channel() -> Any:
    scales, zeros = torch.tensor([0.1, 0.2, 0.4]), torch.tensor([0.0, 1.5, 2.0])
    return torch.quantize_per_channel(seeded(3, 4), scales, zeros, 0, torch.quint8)


@_kind
def _quantized_to_32_bits() -> Any:
    return torch.quantize_per_tensor(seeded(3, 4), 0.1, 0, torch.qint32)


@_kind
def _quantized_to_4_bits() -> Any:
    scales, zeros = torch.full((3,), 0.2), torch.zeros(3)
    return torch.quantize_per_channel(seeded(3, 4), scales, zeros, 0, torch.quint4x2)


@_kind
def _packed_4_bit() -> Any:
    codes = torch.arange(24, dtype=torch.uint8) % 16
    return (codes[::2] << 4) | codes[1::2]


@_kind
def _meta_sparse() -> Any:
    return torch.empty(3, 4, device="meta", layout=torch.sparse_coo)


@_kind
def _mkldnn() -> Any:
    return seeded(3, 4).to_mkldnn()
