"""A model whose names make a reply longer than any debugger shows by itself."""

import json
import random

import torch

random.seed(0)
torch.manual_seed(0)


def main() -> None:
    model = torch.nn.Module()
    for _ in range(3000):
        name = "layer_" + random.randbytes(24).hex()
        model.add_module(name, torch.nn.Linear(3, 2, bias=False))
    sum(layer.weight.sum() * at for at, layer in enumerate(model.children())).backward()
    rows = [
        [n, p.double().norm().item(), p.grad.norm().item()] for n, p in model.named_parameters()
    ]
    print(json.dumps(rows))  # @bp big


main()
