"""A trainer class, as frameworks have it: model, optimizer and scheduler are attributes of `self`.

Look at: in `train_step` GradPeek finds `self.model`, `self.optimizer` and `self.scheduler` by
itself, and the local `loss`. The last layer was left out of the optimizer by mistake: its rows say
so.
"""

from __future__ import annotations

import argparse

import torch
from torch import Tensor, nn


class Trainer:
    """Holds what a training needs, and makes its steps."""

    def __init__(self, lr: float) -> None:
        self.model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
        self.optimizer = torch.optim.SGD(self.model[0].parameters(), lr=lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=1, gamma=0.5)

    def train_step(self, inputs: Tensor, wanted: Tensor) -> float:
        """Make one step on inputs, float32 [batch, 4], and wanted, [batch, 1]; return the loss."""
        loss = nn.functional.mse_loss(self.model(inputs), wanted)
        loss.backward()
        self.optimizer.step()  # @bp after backward
        self.scheduler.step()
        self.optimizer.zero_grad()
        value: float = loss.item()
        return value


def main(lr: float, steps: int) -> None:
    """Learn the sum of four numbers."""
    torch.manual_seed(0)
    trainer = Trainer(lr)
    for step in range(steps):
        inputs = torch.rand(8, 4)
        loss = trainer.train_step(inputs, inputs.sum(dim=1, keepdim=True))
        print(f"step {step}: loss {loss:.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a small perceptron.")
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--steps", type=int, default=2)
    arguments = parser.parse_args()
    main(arguments.lr, arguments.steps)
