"""A model of more than 20,000 parameters with names that no compression makes short."""

import hashlib

import torch
from torch import nn

GROUPS = 50
SIZE = 400


def name(*numbers: int) -> str:
    return "w_" + hashlib.sha256(repr(numbers).encode()).hexdigest()[:12]


class Group(nn.Module):
    def __init__(self, number: int) -> None:
        super().__init__()
        for index in range(SIZE):
            self.register_parameter(name(number, index), nn.Parameter(torch.ones(1 + index % 7)))


class Big(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        for number in range(GROUPS):
            self.add_module(f"group{number}", Group(number))
        self.end = nn.Linear(2, 1)


def main() -> None:
    model = Big()
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    gradient = model.end.weight.grad
    gradient.fill_(1)  # @bp many
    gradient.fill_(2)
    print("end")


main()
