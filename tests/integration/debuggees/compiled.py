"""A stop inside a compiled region: a generator that Dynamo runs as plain Python."""

from collections.abc import Iterator
from typing import Any

import torch
import torch._dynamo

graphs: list[int] = []


def counting(graph: torch.fx.GraphModule, inputs: list[Any]) -> Any:
    graphs.append(len(graph.graph.nodes))
    return graph.forward


def halves(given: torch.Tensor) -> Iterator[torch.Tensor]:
    scale = torch.nn.Parameter(torch.full((2,), 0.5))
    yield given * scale
    yield given * scale * scale  # @bp compiled


def twice(given: torch.Tensor) -> torch.Tensor:
    return given * 2


@torch.compile(backend=counting)  # type: ignore[untyped-decorator]  # torch is not typed here
def region(given: torch.Tensor) -> torch.Tensor:
    doubled = given * 2
    torch._dynamo.graph_break()
    total = doubled
    for part in halves(doubled):
        total = total + part
    return total


for _ in range(2):
    print(region(torch.ones(2, requires_grad=True)).tolist())
print(graphs, dict(torch._dynamo.utils.counters["stats"]))
