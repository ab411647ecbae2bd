"""A program that has imported torch and stops where there is nothing to look at."""

import torch


def outer() -> None:
    x = 1
    x += 1  # @bp nothing
    x += 1
    print(f"x {x} {torch.tensor(1)}")


outer()
