"""A program without torch, and one frame of it without anything to look at."""


def add(left: int, right: int) -> int:
    total = left + right
    total -= 0  # @bp without torch
    return total


print(add(1, 2))
print(add(3, 4))
