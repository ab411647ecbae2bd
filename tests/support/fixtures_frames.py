"""Names of frames as training scripts have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from support.tables import into

FRAMES: dict[str, Callable[[], dict[str, Any]]] = {}

_frame = into(FRAMES)


class Trainer:
    """Keeps everything on itself, as trainers do."""

    def __init__(self) -> None:
        self.model = nn.Linear(3, 2)
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 1)
        self.scaler = (getattr(torch.amp, "GradScaler", None) or torch.cuda.amp.GradScaler)(
            enabled=False
        )
        self.history = [0.5]

    @property
    def loss(self) -> Any:
        """Never to be run by us."""
        raise RuntimeError("touched")


@_frame
def _training() -> dict[str, Any]:
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    batch = torch.randn(5, 3)
    loss = model(batch).square().mean()
    return {
        "batch": batch,
        "criterion": nn.MSELoss(),
        "loss": loss,
        "model": model,
        "optimizer": optimizer,
        "scheduler": scheduler,
        "step": 3,
    }


@_frame
def _trainer() -> dict[str, Any]:
    return {"self": Trainer(), "batch": torch.randn(5, 3)}


@_frame
def _gradients_of_a_model() -> dict[str, Any]:
    model = nn.Linear(3, 2)
    gradients = torch.autograd.grad(model(torch.randn(4, 3)).sum(), tuple(model.parameters()))
    return {"model": model, "params": list(model.parameters()), "gradients": gradients}


@_frame
def _several_models() -> dict[str, Any]:
    generator, critic = nn.Linear(2, 3), nn.Linear(3, 1)
    return {
        "generator": generator,
        "alias": generator,
        "models": {"generator": generator, "critic": critic},
        "stages": [nn.Linear(1, 1), nn.Linear(1, 2)],
    }
