"""The log2 histogram against Python's own frexp."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
import torch

from gradpeek.probe import chunks, histogram
from gradpeek.probe.histogram import log2_histogram

NAN, INF = math.nan, math.inf
CASES: dict[str, list[float]] = {
    "powers of two": [1.0, 2.0, 4.0, 0.5, -1.0, -2.0],
    "just below": [0.99999994, 1.9999999, -3.9999998],
    "zeros and non-finite": [0.0, -0.0, NAN, INF, -INF, 1.0],
    "subnormal": [1e-45, -3e-45, 1e-39, 1e-38, 1.2e-38, 0.0],
    "largest": [3.4028235e38, -1e38],
    "none": [],
    "nothing to count": [0.0, NAN],
}


def expected(tensor: torch.Tensor) -> dict[int, int]:
    wide = torch.complex128 if tensor.is_complex() else torch.float64
    values: list[Any] = tensor.to(wide).reshape(-1).tolist()
    sizes = [abs(value) for value in values]
    return dict(Counter(math.frexp(x)[1] - 1 for x in sizes if x and math.isfinite(x)))


def in_pieces(tensor: torch.Tensor) -> tuple[dict[int, int], int]:
    counts: Counter[int] = Counter()
    cursor: int | None = 0
    calls = 0
    while cursor is not None:
        part, cursor = log2_histogram(tensor, 0.0, cursor)
        counts.update(part)
        calls += 1
    return dict(counts), calls


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16], ids=str
)
def test_bins_are_those_of_frexp(case: str, dtype: torch.dtype) -> None:
    tensor = torch.tensor(CASES[case]).to(dtype)
    assert log2_histogram(tensor, None) == (expected(tensor), None)


@pytest.mark.parametrize("case", CASES)
def test_the_way_of_devices_finds_the_same_bins(case: str) -> None:
    tensor = torch.tensor(CASES[case], dtype=torch.float64)
    assert histogram._on_device(tensor, None) == expected(tensor)


def test_float64_is_counted_over_its_whole_range() -> None:
    tensor = torch.tensor([5e-324, 2.3e-308, 2.2e-308, 1e-310, 1.7e308], dtype=torch.float64)
    assert log2_histogram(tensor, None)[0] == expected(tensor)


@pytest.mark.parametrize(
    "tensor",
    [
        torch.tensor([3 + 4j, 0j, 1e-3j]),
        torch.tensor([True, False, True]),
        torch.tensor([-(2**40), 7, 0, 8]),
        torch.arange(24.0).view(2, 3, 4).transpose(0, 2)[:, 1:],
    ],
    ids=["complex", "bool", "int64", "strided"],
)
def test_every_kind_of_element_has_a_magnitude(tensor: torch.Tensor) -> None:
    assert log2_histogram(tensor, None)[0] == expected(tensor)


def test_a_spent_budget_reaches_the_same_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 64)
    tensor = torch.arange(200.0).view(10, 20)[:, 3:]
    found, calls = in_pieces(tensor)
    assert found == expected(tensor)
    assert calls > 5


def test_an_expanded_tensor_counts_each_element_as_often_as_it_shows() -> None:
    assert log2_histogram(torch.full((1,), 5.0).expand(10**9), None) == ({2: 10**9}, None)


def test_what_cannot_be_read_is_named() -> None:
    with pytest.raises(RuntimeError, match=r"^meta$"):
        log2_histogram(torch.empty(3, device="meta"), None)
