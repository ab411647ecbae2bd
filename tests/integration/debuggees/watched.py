"""Prints whatever a look at its stop could have changed."""

import random
import sys
import warnings
import weakref
from typing import Any

import torch

warnings.simplefilter("default")
torch.manual_seed(7)
random.seed(7)


def inner(given: torch.Tensor) -> torch.Tensor:
    loss = given.square().sum()
    return loss  # noqa: RET504  # @bp watched


def outer() -> tuple[Any, bool, bool]:
    net: Any = torch.nn.Linear(2, 2)
    kept: Any = torch.ones(2, requires_grad=True)
    config = locals()
    config["net"] = "written by the program"
    loss = inner(kept)
    loss.backward()
    freed = [weakref.ref(one) for one in (net, kept, loss)]
    del net, kept, loss
    return config["net"], freed[0]() is None, freed[2]() is None


print(outer())
print(torch.rand(1).item(), random.random(), torch.is_grad_enabled())
print(sorted(name for name in sys.modules if name.split(".")[0] == "torch"))
