"""A model in the main process and another one in a child process, at the same time."""

import multiprocessing

import torch
from torch import nn


def work(width: int) -> None:
    model = nn.Sequential(nn.Linear(width, 1))
    model(torch.ones(1, width)).sum().backward()
    print(f"width {width}: done")  # @bp after backward


def main() -> None:
    child = multiprocessing.get_context("spawn").Process(target=work, args=(3,))
    child.start()
    work(2)
    child.join()
    print(f"child: {child.exitcode}")


if __name__ == "__main__":
    main()
