"""A model with layers of every fate: used, frozen, never called, without parameters; then waits."""

import sys
import time
from pathlib import Path

import torch
from torch import nn


class Body(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.wide = nn.Linear(8, 16)
        self.act = nn.ReLU()
        self.narrow = nn.Linear(16, 4)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return self.narrow(self.act(self.wide(inputs)))


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = Body()
        self.frozen = nn.Linear(4, 4).requires_grad_(False)
        self.spare = nn.Linear(4, 6)
        self.head = nn.Linear(4, 2)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return self.head(self.frozen(self.body(inputs)))


def update(network: Network, optimizer: torch.optim.Optimizer, inputs: torch.Tensor) -> float:
    loss = network(inputs).square().mean()
    loss.backward()  # @bp before backward
    optimizer.step()  # @bp after backward
    return loss.item()


def wait_for(file: Path) -> None:
    while not file.exists():
        time.sleep(0.02)


def main(file: Path) -> None:
    torch.manual_seed(0)
    network = Network()
    teacher = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for _ in range(3):
        inputs = torch.rand(5, 8)
        update(network, optimizer, inputs)
        optimizer.zero_grad()
    wait_for(file)
    print(teacher(inputs).shape)


main(Path(sys.argv[1]))
