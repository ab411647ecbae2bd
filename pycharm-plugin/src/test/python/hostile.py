"""Modules whose names are markup and more lines than one; objects that resent being looked at."""

import torch
from torch import nn

NAMES = [
    "<html><b>bold</b>",
    "<html><img src='file:///etc/passwd'>",
    "two\nlines\r\ttabs\0",
    "rtl \u202egnp.exe",
    'it\'s \\ a "quote"',
    "x" * 10_000,
    "last",
]


class Hostile:
    """Counts whoever calls what it would rather not have called."""

    calls = 0

    def __repr__(self) -> str:
        Hostile.calls += 1
        raise RuntimeError("<html>no</html>")

    def __getattr__(self, name: str) -> object:
        Hostile.calls += 1
        raise RuntimeError(name)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        for name in NAMES:
            self._modules[name] = nn.Linear(1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for module in self._modules.values():
            x = module(x)
        return x

    def __repr__(self) -> str:
        Hostile.calls += 1
        raise RuntimeError("<html>no</html>")


Net.__name__ = Net.__qualname__ = "<html><i>Net</i>"


def main() -> None:
    torch.manual_seed(0)
    model = Net()
    small = nn.Linear(2, 1)
    model(torch.ones(1, 1)).sum().backward()
    hostile = [Hostile()]
    print(len(hostile), small.in_features)  # @bp hostile


main()
