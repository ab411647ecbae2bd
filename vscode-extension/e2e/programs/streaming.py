"""A model so large that its numbers take a while, after the rows are there."""

import torch
from torch import nn


def main() -> None:
    model = nn.ParameterList([torch.full((4_000_000,), float(index)) for index in range(96)])
    print(len(model))  # @bp many elements


main()
