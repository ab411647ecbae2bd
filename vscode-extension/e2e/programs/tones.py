"""A model whose rows have every tone: fine, frozen, NaN, Inf, all zero, without parameters."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Linear(4, 4)
        self.frozen = nn.Linear(4, 4).requires_grad_(False)
        self.unused = nn.Linear(4, 4)
        self.broken = nn.Linear(4, 4)
        self.infinite = nn.Linear(4, 4)
        self.dead = nn.Linear(4, 4)
        self.tied = nn.Linear(4, 4)
        self.tied.weight = self.fine.weight
        self.activation = nn.ReLU()
        self.forgotten = nn.Linear(4, 4)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.norm(self.tied(self.frozen(self.fine(x))))
        return (
            self.forgotten(x).sum()
            + self.broken(x).sum()
            + self.infinite(x).sum()
            + (self.dead(x) * 0).sum()
            + self.activation(x).sum()
        )


def main() -> None:
    torch.manual_seed(0)
    model = Net()
    optimizer = torch.optim.SGD(
        [p for n, p in model.named_parameters() if not n.startswith("forgotten")], lr=0.1
    )
    model(torch.rand(8, 4)).backward()
    model.broken.weight.grad[0, 0] = float("nan")
    model.infinite.weight.grad[0, 0] = float("inf")
    optimizer.step()  # @bp after backward
    print("end")


main()
