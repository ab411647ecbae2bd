"""A program that runs for a while, stops without torch, and then where there is nothing to look at.

argv: a pipe to read a line from at the gate, and one to write a line to before that.
"""

import sys


def gate() -> None:
    with open(sys.argv[1]) as key, open(sys.argv[2], "w") as arrival:
        print(file=arrival, flush=True)
        key.readline()


def add(left: int, right: int) -> int:
    return left + right  # @bp without torch


def work() -> None:
    gate()
    x = add(1, 2)
    import torch

    print(torch.__version__, x)  # @bp nothing


work()
