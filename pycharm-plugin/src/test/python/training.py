"""Two steps of training with a frame below another; waits between them, and ends with an exception.

argv: a pipe to read a line from at the gate, and one to write a line to before that.
"""

import sys

import torch
from torch import nn


def gate() -> nn.Linear:
    with open(sys.argv[1]) as key, open(sys.argv[2], "w") as arrival:
        print(file=arrival, flush=True)
        key.readline()
    return nn.Linear(5, 1)


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
        model = self.model
        texts = {'it\'s "ü"\n\\ ∇': model[0].weight}
        loss = model(batch).square().mean()
        loss.backward()  # @bp before backward
        self.optimizer.zero_grad()  # @bp after backward
        return float(loss) * len(texts)


def main() -> None:
    trainer = Trainer()
    teacher = nn.Linear(4, 2)
    for epoch in range(2):
        value = trainer.step(torch.ones(2, 4))
        print(f"epoch {epoch}: {value:.3f}")
        if epoch == 0:
            gate()
    raise ValueError(f"over <b>{tuple(teacher.weight.shape)}</b>")


main()
