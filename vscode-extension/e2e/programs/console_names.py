"""A model to print in the Debug Console, below a frame with a variable of its own named grads."""

import torch
from torch import nn


def own_name(model: nn.Module) -> int:
    grads = [parameter.grad for parameter in model.parameters()]
    return len(grads)  # @bp own name


def main() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
    model(torch.ones(2, 4)).sum().backward()
    print(own_name(model))


main()
