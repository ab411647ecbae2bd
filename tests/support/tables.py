"""Tables of makers by name, which the files `fixtures_*` fill, and what their makers share."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import torch

_T = TypeVar("_T")


def named(function: Callable[..., Any]) -> str:
    """What a function is called in a table."""
    return function.__name__.strip("_").replace("_", " ")


def into(table: dict[str, Callable[[], _T]]) -> Callable[[Callable[[], _T]], Callable[[], _T]]:
    """A decorator that puts a maker into a table; there it makes without torch's warnings."""

    def put(make: Callable[[], _T]) -> Callable[[], _T]:
        def quietly() -> _T:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return make()

        quietly.__name__ = make.__name__
        table[named(make)] = quietly
        return make

    return put


def seeded(*shape: int, seed: int = 7) -> Any:
    """Normal float32 numbers of this shape, the same at each call."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
