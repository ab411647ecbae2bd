"""A model of 20,000 parameter tensors: 12,000 in one list, 8,000 deep in blocks of blocks."""

from __future__ import annotations

import torch
from torch import nn


def blocks(depth: int) -> nn.Module:
    return nn.Linear(1, 1) if depth == 0 else nn.ModuleList(blocks(depth - 1) for _ in range(10))


class Big(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.zeros(1))
        self.flat = nn.ParameterList(torch.ones(1) for _ in range(11_999))
        self.deep = nn.ModuleList(blocks(3) for _ in range(4))


def main() -> None:
    model = Big()
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    assert model.first.grad is not None
    gradient = model.first.grad
    gradient.fill_(1)  # @bp many
    gradient.fill_(2)
    gradient.fill_(3)
    gradient.fill_(4)
    gradient.fill_(5)
    gradient.fill_(6)
    gradient.fill_(7)
    gradient.fill_(8)
    gradient.fill_(9)
    gradient.fill_(10)
    gradient.fill_(11)
    gradient.fill_(12)
    print("end")


main()
