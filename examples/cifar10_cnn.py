"""A CIFAR-10-shaped CNN: convolutions and pooling in turn, in an attribute `modle1`.

Look at: at `loss_result.backward()` no layer has a gradient yet; one line later every Conv2d and
Linear has one, and the pooling layers say that they have no parameters. With `--forget-zero-grad`
stop at `loss_result.backward()` twice: the second time the gradients are the first batch's.

The images are scikit-learn's handwritten digits, scaled to 3x32x32: nothing is downloaded.
"""

from __future__ import annotations

import argparse

import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn

BATCH_SIZE = 64


class Net(nn.Module):
    """The network of many first tutorials, for images of 3x32x32 and 10 classes."""

    def __init__(self) -> None:
        super().__init__()
        self.modle1 = nn.Sequential(
            nn.Conv2d(3, 32, 5, padding=2),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 32, 5, padding=2),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 5, padding=2),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(1024, 64),
            nn.Linear(64, 10),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Scores of the classes, float32 [batch, 10], for images, float32 [batch, 3, 32, 32]."""
        scores: Tensor = self.modle1(x)
        return scores


def digits(batches: int) -> list[tuple[Tensor, Tensor]]:
    """Batches of images, float32 [64, 3, 32, 32] from 0 to 1, and their classes, int64 [64]."""
    data = load_digits()
    images = torch.tensor(data.images, dtype=torch.float32)[:, None] / 16
    images = nn.functional.interpolate(images, scale_factor=4).repeat(1, 3, 1, 1)
    targets = torch.tensor(data.target)
    chosen = list(zip(images.split(BATCH_SIZE), targets.split(BATCH_SIZE), strict=True))
    return chosen[:batches]


def train(batches: int = 2, *, forget_zero_grad: bool = False) -> Net:
    """A network after one step on each of the first `batches` batches."""
    torch.manual_seed(0)
    dataloader = digits(batches)
    model = Net()
    loss = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for number, (imgs, targets) in enumerate(dataloader):
        outputs = model(imgs)
        loss_result = loss(outputs, targets)
        if not forget_zero_grad:
            optimizer.zero_grad()
        loss_result.backward()  # @bp before backward
        optimizer.step()  # @bp after backward
        print(f"batch {number}: loss {loss_result.item():.4f}")
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a small CNN on a few batches.")
    parser.add_argument("--batches", type=int, default=2)
    parser.add_argument("--forget-zero-grad", action="store_true", help="a common mistake")
    arguments = parser.parse_args()
    train(arguments.batches, forget_zero_grad=arguments.forget_zero_grad)
