"""A trainer with things to pin by hand: attributes of `self`, a method whose calls are counted."""

import torch
from torch import nn


class Trainer:
    def __init__(self) -> None:
        torch.manual_seed(0)
        self.model = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.calls = 0

    def sample(self) -> torch.Tensor:
        self.calls += 1
        return torch.full((2, 4), float(self.calls))

    def step(self, batch: torch.Tensor) -> float:
        count = 7
        scale = torch.ones(4, requires_grad=True)
        loss = self.model(batch * scale).square().mean()
        loss.backward()  # @bp before backward
        self.optimizer.step()  # @bp after backward
        self.optimizer.zero_grad()
        return float(loss) * count


def main() -> None:
    trainer = Trainer()
    for epoch in range(3):
        value = trainer.step(torch.ones(2, 4))
        print(f"epoch {epoch}: {value:.3f}")


main()
