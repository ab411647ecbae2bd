"""One training step of a small model, with a frame to look into below another."""

import torch
from torch import nn


class Trainer:
    def __init__(self) -> None:
        torch.manual_seed(0)
        self.model = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self, batch: torch.Tensor) -> float:
        model = self.model
        loss = model(batch).square().mean()
        loss.backward()  # @bp before backward
        self.optimizer.step()  # @bp after backward
        return float(loss)


def main() -> None:
    trainer = Trainer()
    for epoch in range(2):
        loss = trainer.step(torch.ones(2, 4))
        print(f"epoch {epoch}: loss {loss:.3f}")


main()
