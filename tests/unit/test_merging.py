"""Answers of the probe become rows; totals count each distinct tensor once."""

from __future__ import annotations

import math
from itertools import pairwise

import torch
from hypothesis import given
from hypothesis import strategies as st

from gradpeek import grads
from gradpeek.inspection import MomentsTable, Row, Statistics
from gradpeek.merging import add_moments
from gradpeek.wire import types


def answer(parts: list[list[float]], label: str | None = None) -> types.Statistics:
    """What the probe answers for each list of numbers, all of row 0's data."""
    count = len(parts)
    means = [sum(part) / len(part) for part in parts]
    deviations = [
        math.sqrt(sum((x - m) ** 2 for x in part)) for part, m in zip(parts, means, strict=True)
    ]
    return types.Statistics(
        row=[0] * count,
        part=["data"] * count,
        label=[label] * count,
        count=[len(part) for part in parts],
        zeros=[part.count(0.0) for part in parts],
        nan=[0] * count,
        posinf=[0] * count,
        neginf=[0] * count,
        norm=[math.sqrt(sum(x * x for x in part)) for part in parts],
        mean=list(means),
        mean_imag=[0.0] * count,
        deviation=list(deviations),
        min=[min(part) for part in parts],
        max=[max(part) for part in parts],
        max_abs=[max(map(abs, part)) for part in parts],
        cursor=None,
        items=1,
    )


numbers = st.lists(st.floats(-1e3, 1e3).map(lambda x: round(x, 3)), min_size=1, max_size=30)


@given(st.lists(numbers, min_size=1, max_size=5))
def test_parts_of_a_tensor_merge_to_the_statistics_of_the_whole(parts: list[list[float]]) -> None:
    table: MomentsTable = {}
    for part in parts:
        add_moments(table, answer([part]))
    moments = table[0, "data"]
    assert not isinstance(moments, str)
    found = Statistics.of(moments)
    whole = torch.tensor([x for part in parts for x in part], dtype=torch.float64)
    scale = whole.abs().max().item() or 1.0
    assert found.count == whole.numel()
    assert found.zeros == int((whole == 0).sum())
    assert math.isclose(found.norm or 0, whole.norm().item(), rel_tol=1e-9, abs_tol=1e-9)
    assert isinstance(found.mean, float)
    assert abs(found.mean - whole.mean().item()) <= 1e-9 * scale
    assert abs((found.std or 0) - whole.std(correction=0).item()) <= 1e-6 * scale
    assert (found.min, found.max) == (whole.min().item(), whole.max().item())


def test_a_label_overrides_moments_before_and_after_it() -> None:
    table: MomentsTable = {}
    add_moments(table, answer([[1.0]]))
    add_moments(table, answer([[0.0]], label="device busy"))
    add_moments(table, answer([[2.0]]))
    assert table[0, "data"] == "device busy"


def totals(rows: list[Row]) -> dict[str, float]:
    return {row.name: row.data_total.norm or 0.0 for row in rows if row.data_total is not None}


def oracle(module: torch.nn.Module) -> float:
    """Norm over the distinct parameters of a module, in float64."""
    return math.sqrt(sum(p.detach().double().norm().item() ** 2 for p in module.parameters()))


class Shared(torch.nn.Module):
    """A tied weight across branches, a module under two parents, one nested in another."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = torch.nn.Embedding(5, 4)
        inner = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))
        self.left = torch.nn.Sequential(inner, torch.nn.Linear(4, 4))
        self.right = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Sequential(inner))
        self.head = torch.nn.Linear(4, 5, bias=False)
        self.head.weight = self.embed.weight
        self.alone = torch.nn.Sequential(torch.nn.Linear(2, 2))


def test_the_total_of_every_module_is_over_its_distinct_parameters_however_they_are_shared() -> (
    None
):
    model = Shared()
    found = totals(grads(model).inspection.roots[0].rows)
    modules = dict(model.named_modules())
    assert found.keys() == {name for name, module in modules.items() if [*module.parameters()]}
    for name, norm in found.items():
        assert math.isclose(norm, oracle(modules[name]), rel_tol=1e-5), name


def test_totals_of_a_deep_chain_of_modules_do_not_recurse() -> None:
    chain = [torch.nn.Sequential() for _ in range(3000)]
    for outer, inner in pairwise(chain):
        outer.append(inner)
    chain[-1].append(torch.nn.Linear(1, 1))
    found = totals(grads(chain[0]).inspection.roots[0].rows)
    assert len(found) == 3001
    assert math.isclose(found[""], oracle(chain[-1]), rel_tol=1e-6)
