"""A model that takes its time to be had: an evaluate of `slow()` lasts until `go` exists."""

import sys
import time
from pathlib import Path

import torch
from torch import nn

GO = Path(sys.argv[1])


def slow() -> nn.Module:
    while not GO.exists():
        time.sleep(0.02)
    return nn.Linear(5, 1)


def main() -> None:
    model = nn.Linear(2, 1)
    model(torch.ones(1, 2)).sum().backward()
    print("one")  # @bp after backward
    print("two")
    print("three")
    print("four")
    print("done")


main()
