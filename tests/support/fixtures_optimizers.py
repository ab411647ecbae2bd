"""Optimizers, gradient scalers and schedulers that have made a step, as programs hold them.

A kind that the running torch lacks is left out. Works from Python 3.8 and torch 2.0 on, as the
probe does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.optim import lr_scheduler

from support.tables import into

OPTIMIZERS: dict[str, Callable[[], Any]] = {}
SCALERS: dict[str, Callable[[], Any]] = {}
SCHEDULERS: dict[str, Callable[[], Any]] = {}

GradScaler = getattr(torch.amp, "GradScaler", None) or torch.cuda.amp.GradScaler


def weights() -> list[Any]:
    """Two parameters, of 6 and of 4 elements."""
    return [nn.Parameter(torch.ones(2, 3)), nn.Parameter(torch.ones(4))]


def stepped(optimizer: Any, steps: int = 2) -> Any:
    """The optimizer after some steps on the squares of its parameters."""

    def closure() -> Any:
        optimizer.zero_grad()
        parameters = [one for group in optimizer.param_groups for one in group["params"]]
        loss = sum((one * one).sum() for one in parameters)
        loss.backward()
        return loss

    for _ in range(steps):
        optimizer.step(closure)
    return optimizer


def _plain(name: str, **options: Any) -> None:
    cls = getattr(torch.optim, name)
    suffix = "".join(f" {key}={value}" for key, value in options.items())
    OPTIMIZERS[name + suffix] = lambda: stepped(cls(weights(), **{"lr": 0.01, **options}))


for _name in ("AdamW", "Adagrad", "Adadelta", "RMSprop", "NAdam", "ASGD", "LBFGS"):
    _plain(_name)
_plain("SGD")
_plain("SGD", momentum=0.9)
_plain("Adam", amsgrad=True)
_plain("AdamW", foreach=True)
_plain("AdamW", foreach=False)
if torch.__version__ >= "2.4":  # a fused AdamW for the CPU
    _plain("AdamW", fused=True)
    OPTIMIZERS["a tensor for the learning rate"] = lambda: stepped(
        torch.optim.AdamW(weights(), lr=torch.tensor(0.25))
    )


@into(OPTIMIZERS)
def _not_stepped() -> Any:
    return torch.optim.AdamW(weights())


@into(OPTIMIZERS)
def _two_groups() -> Any:
    first, second = weights()
    groups = [{"params": [first]}, {"params": [second], "lr": 0.5, "name": "head"}]
    return stepped(torch.optim.SGD(groups, lr=0.1, momentum=0.9, weight_decay=0.01))


@into(OPTIMIZERS)
def _parameters_that_came_late() -> Any:
    first, second = weights()
    optimizer = stepped(torch.optim.Adam([first]), 3)
    optimizer.add_param_group({"params": [second]})
    return stepped(optimizer)


@into(OPTIMIZERS)
def _sparse() -> Any:
    table = nn.Embedding(5, 2, sparse=True)
    optimizer = torch.optim.SparseAdam(list(table.parameters()))
    table(torch.tensor([1, 3])).sum().backward()
    optimizer.step()
    return optimizer


@into(OPTIMIZERS)
def _meta() -> Any:
    weight = nn.Parameter(torch.ones(2, 3, device="meta"))
    optimizer = torch.optim.AdamW([weight], foreach=False)
    weight.grad = torch.ones(2, 3, device="meta")
    optimizer.state[weight] = {
        "step": torch.tensor(1.0, device="meta"),
        "exp_avg": torch.ones(2, 3, device="meta"),
    }
    return optimizer


def has_scaler_on_cpu() -> bool:
    """Whether this torch has a scaler that is enabled without CUDA."""
    return hasattr(torch.amp, "GradScaler")


@into(SCALERS)
def _disabled() -> Any:
    return GradScaler(enabled=False)


if has_scaler_on_cpu():

    @into(SCALERS)
    def _not_used() -> Any:
        return torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=7)

    @into(SCALERS)
    def _used() -> Any:
        scaler = torch.amp.GradScaler("cpu", init_scale=2.0**40, backoff_factor=0.25)
        weight = nn.Parameter(torch.ones(3))
        optimizer = torch.optim.SGD([weight], lr=0.1)
        scaler.scale((weight * float("inf")).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        return scaler


def _scheduler(name: str, make: Callable[[Any], Any], *metrics: float) -> None:
    def made() -> Any:
        first, second = weights()
        groups = [{"params": [first]}, {"params": [second], "lr": 0.5}]
        optimizer = torch.optim.SGD(groups, lr=0.1, momentum=0.9)
        scheduler = make(optimizer)
        stepped(optimizer)
        for _ in range(3):
            scheduler.step(*metrics)
        return scheduler

    SCHEDULERS[name] = made


_scheduler("StepLR", lambda o: lr_scheduler.StepLR(o, 2))
_scheduler("MultiStepLR", lambda o: lr_scheduler.MultiStepLR(o, [1, 2]))
_scheduler("CosineAnnealingLR", lambda o: lr_scheduler.CosineAnnealingLR(o, 10))
_scheduler("OneCycleLR", lambda o: lr_scheduler.OneCycleLR(o, 0.1, total_steps=10))
_scheduler("LambdaLR", lambda o: lr_scheduler.LambdaLR(o, lambda epoch: 0.9**epoch))
_scheduler("ReduceLROnPlateau", lambda o: lr_scheduler.ReduceLROnPlateau(o, patience=1), 3.5)
_scheduler(
    "SequentialLR",
    lambda o: lr_scheduler.SequentialLR(
        o, [lr_scheduler.ConstantLR(o), lr_scheduler.ExponentialLR(o, 0.9)], [2]
    ),
)
SETTINGS: dict[str, Callable[[], Any]] = {**OPTIMIZERS, **SCALERS, **SCHEDULERS}
