"""What our figures are compared with: the ways in which people look at gradients today."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from collections.abc import Iterable
from typing import Any

import torch

BINS = 64


def named_parameters(model: Any) -> list[tuple[Any, ...]]:
    """Names, shapes and types of a model's parameters and gradients, by torch's own walk."""
    return [
        (name, *_shape_and_type(tensor), tensor.requires_grad, *_shape_and_type(tensor.grad))
        for name, tensor in model.named_parameters()
    ]


def _shape_and_type(tensor: Any) -> tuple[Any, Any]:
    return (None, None) if tensor is None else (tuple(tensor.shape), str(tensor.dtype))


def naive_loop(tensors: Iterable[Any]) -> list[tuple[float, ...]]:
    """What people write by hand: five numbers a tensor, each read back by itself."""
    return [
        (
            tensor.norm().item(),
            tensor.mean().item(),
            tensor.std().item(),
            tensor.min().item(),
            tensor.max().item(),
        )
        for tensor in tensors
    ]


def tracker_statistics(tensors: Iterable[Any]) -> list[tuple[list[float], list[float]]]:
    """What `wandb.watch` computes in its hooks: a histogram of 64 bins over the finite elements."""
    found = []
    for tensor in tensors:
        flat = tensor.detach().reshape(-1).cpu().float()
        flat = flat[~torch.isnan(flat)]
        flat = flat[~torch.isinf(flat)]
        low, high = flat.min().item(), flat.max().item()
        counts = torch.histc(flat, bins=BINS, min=low, max=high)
        edges = torch.linspace(low, high, BINS + 1)
        found.append((counts.tolist(), edges.tolist()))
    return found


def parse(body: str) -> Any:
    """The JSON in the body of a reply, neither checked nor made into rows."""
    return json.loads(zlib.decompress(b64decode(body)))
