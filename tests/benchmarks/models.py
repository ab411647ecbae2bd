"""Models to measure: many small parameters, in blocks as a transformer has them."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

WIDTH = 8
PARAMETERS_A_BLOCK = 10


class Block(nn.Module):
    """One norm and four projections: ten parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.query = nn.Linear(WIDTH, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH)
        self.value = nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)


def many_parameters(count: int) -> Any:
    """A model of `count` parameters (a multiple of ten), each with a gradient."""
    model = nn.Sequential(*(Block() for _ in range(count // PARAMETERS_A_BLOCK)))
    for parameter in model.parameters():
        parameter.grad = torch.randn_like(parameter)
    return model


def parameters_and_gradients(model: Any) -> list[Any]:
    """Each parameter of a model and its gradient."""
    return [tensor for one in model.parameters() for tensor in (one.detach(), one.grad)]
