"""What the statistics of a tensor have to be, in exact arithmetic, and how to ask for them."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import Any

import pytest
import torch

from gradpeek.probe.moments import Moments
from gradpeek.probe.statistics import Cursor, measure

COUNTS = ("count", "zeros", "nan", "posinf", "neginf")


def oracle(tensor: torch.Tensor) -> Moments:
    """The moments of a tensor, element by element in Python, means as exact fractions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if tensor.is_quantized:
            tensor = tensor.dequantize()
        wide = torch.complex128 if tensor.is_complex() else torch.float64
        values: list[Any] = tensor.detach().to(wide).reshape(-1).tolist()
    expected = Moments()
    expected.count = len(values)
    expected.nan = sum(v != v for v in values)
    values = [v for v in values if v == v]
    finite = [v for v in values if math.isfinite(abs(v))]
    infinite = [v for v in values if not math.isfinite(abs(v))]
    expected.neginf = sum(not isinstance(v, complex) and v < 0 for v in infinite)
    expected.posinf = len(infinite) - expected.neginf
    expected.zeros = sum(v == 0 for v in finite)
    if not finite:
        return expected
    expected.max_abs = largest = max(abs(v) for v in finite)
    if not tensor.is_complex():
        expected.min, expected.max = min(finite), max(finite)
    reals = [complex(v).real for v in finite]
    imags = [complex(v).imag for v in finite]
    squares = Fraction()
    for name, part in (("mean", reals), ("mean_imag", imags)):
        exact = [Fraction(v) for v in part]
        mean = sum(exact, Fraction()) / len(exact)
        setattr(expected, name, float(mean))
        squares += sum(((v - mean) ** 2 for v in exact), Fraction())
    expected.deviation = root(squares)
    scale = largest or 1.0
    expected.norm = scale * math.sqrt(math.fsum((abs(v) / scale) ** 2 for v in finite))
    return expected


def root(square: Fraction) -> float:
    """Square root of a fraction of any magnitude."""
    if not square:
        return 0.0
    shift = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    return math.ldexp(math.sqrt(square / Fraction(4) ** shift), shift)


def assert_agrees(found: Any, expected: Moments, tolerance: float = 1e-5) -> None:
    assert isinstance(found, Moments), found
    for name in COUNTS:
        assert getattr(found, name) == getattr(expected, name), name
        assert type(getattr(found, name)) is int
    assert (found.min, found.max) == (expected.min, expected.max)
    assert (found.max_abs is None) == (expected.max_abs is None)
    assert (found.max_abs or 0.0) == pytest.approx(expected.max_abs or 0.0, rel=1e-15, abs=0)
    assert found.norm == pytest.approx(expected.norm, rel=tolerance, abs=0)
    rms = expected.norm / math.sqrt(expected.finite or 1)
    for name in ("mean", "mean_imag"):
        assert abs(getattr(found, name) - getattr(expected, name)) <= tolerance * rms, name
    rounding = 1e-13 * expected.norm
    assert found.deviation == pytest.approx(expected.deviation, rel=tolerance, abs=rounding)


def whole(tensors: list[torch.Tensor]) -> list[Any]:
    """Measure without a budget."""
    with torch.no_grad():
        results, cursor = measure(tensors, None)
    assert cursor is None
    assert [index for index, _ in results] == list(range(len(tensors)))
    return [result for _, result in results]


def in_pieces(tensors: list[torch.Tensor]) -> tuple[list[Any], int]:
    """Measure with a budget that is always spent, merging as the host does."""
    merged: dict[int, Any] = {}
    cursor: Cursor | None = (0, 0)
    calls = 0
    with torch.no_grad():
        while cursor is not None:
            before = cursor
            results, cursor = measure(tensors, 0.0, cursor)
            assert cursor is None or cursor > before
            for index, result in results:
                if isinstance(result, Moments) and index in merged:
                    merged[index].merge(result)
                else:
                    merged[index] = result
            calls += 1
    return [merged[index] for index in range(len(tensors))], calls
