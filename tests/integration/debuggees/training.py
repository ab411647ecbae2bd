"""Trains for three iterations and prints, in float64, the norms that a stop has to show."""

import json
import sys

import torch

torch.manual_seed(0)


def norms(tensors: dict[str, torch.Tensor | None]) -> dict[str, float | None]:
    return {
        name: None if tensor is None else tensor.detach().double().norm().item()
        for name, tensor in tensors.items()
    }


def report(model: torch.nn.Module, loss: torch.Tensor) -> None:
    named = dict(model.named_parameters())
    line = {
        "data": norms(dict(named)),
        "grad": norms({name: tensor.grad for name, tensor in named.items()}),
        "loss": loss.item(),
        "versions": [tensor._version for tensor in named.values()],
        "random": torch.get_rng_state().sum().item(),
    }
    print(json.dumps(line))


def train() -> None:
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        torch.nn.LayerNorm(8 * 36),
        torch.nn.Dropout(0.25),
        torch.nn.Linear(8 * 36, 4),
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for _ in range(3):
        loss = model(torch.randn(5, 3, 8, 8)).square().mean()
        loss.backward()  # @bp backward
        report(model, loss)  # @bp report
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)


train()
sys.stdout.write("∇ done\t\x00\r\n\n")
print(torch.rand(3).tolist())
