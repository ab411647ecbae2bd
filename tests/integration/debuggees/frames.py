"""Stops in every kind of frame; the names of each are told by the test."""
# ruff: noqa: A001, F841, RUF059

import asyncio
import threading
from collections.abc import Iterator

import torch

shared = torch.nn.Linear(2, 1)
unused = torch.nn.Linear(3, 1)


def function() -> None:
    local = torch.nn.Linear(2, 2)
    shared(local(torch.ones(2))).sum().backward()
    print("function", local.weight.grad is not None)  # @bp function


def generator() -> Iterator[int]:
    inside = torch.nn.Linear(2, 2)
    yield 1
    yield len(list(inside.parameters()))  # @bp generator


async def coroutine() -> None:
    awaited = torch.nn.Linear(2, 2)
    await asyncio.sleep(0)
    print("coroutine", awaited.in_features)  # @bp coroutine


def closure() -> None:
    held = torch.nn.Linear(2, 2)
    hidden = torch.nn.Linear(2, 2)

    def nested(given: torch.nn.Module) -> None:
        print("closure", held is not given)  # @bp closure

    nested(hidden)


def comprehension() -> None:
    outer = torch.nn.Linear(2, 2)
    found = [
        module.in_features  # @bp comprehension
        for module in (outer,)
    ]
    print("comprehension", found)


def class_body() -> None:
    outer = torch.nn.Linear(2, 2)

    class Holder:
        member = torch.nn.Linear(2, 2)
        count = 1  # @bp class_body

    print("class body", Holder.count)


class Trainer:
    def __init__(self) -> None:
        self.model = torch.nn.Linear(2, 2)
        self.history = [1, 2]

    def fit(self) -> None:
        print("method", self.history)  # @bp method


def in_thread() -> None:
    theirs = torch.nn.Linear(2, 2)
    print("thread", theirs.in_features)  # @bp thread


def make_three() -> list[torch.nn.Module]:
    return [torch.nn.Linear(2, 2) for _ in range(3)]


def shadowing() -> None:
    globals, locals, grads = make_three()
    torch = sys = 5
    print("shadowing", torch, globals.out_features)  # @bp shadowing


function()
print("generator", list(generator()))
asyncio.run(coroutine())
closure()
comprehension()
class_body()
Trainer().fit()
worker = threading.Thread(target=in_thread)
worker.start()
worker.join()
shadowing()
print("module")  # @bp module
