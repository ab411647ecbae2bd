"""Statistics of arbitrary numbers: any split merges to the whole, any values meet the oracle."""

from __future__ import annotations

from itertools import chain

import pytest
import torch

pytest.importorskip("hypothesis")

from hypothesis import given, settings
from hypothesis import strategies as st

from gradpeek.probe import chunks, statistics
from gradpeek.probe.moments import Moments
from gradpeek.probe.statistics import measure
from support.moments_oracle import assert_agrees, in_pieces, oracle, whole

numbers = st.one_of(
    st.floats(width=32),
    st.sampled_from([0.0, -0.0, 1.0, 1e30, 1e-30, float("nan"), float("inf"), float("-inf")]),
)
dtypes = st.sampled_from([torch.float32, torch.float64, torch.float16, torch.bfloat16])


@settings(max_examples=150, deadline=None)
@given(st.lists(numbers, max_size=40), dtypes, st.integers(1, 60))
def test_arbitrary_numbers_agree_with_the_oracle(
    values: list[float], dtype: torch.dtype, times: int
) -> None:
    tensor = torch.tensor(values, dtype=torch.float64).to(dtype).repeat(times)
    assert_agrees(whole([tensor])[0], oracle(tensor))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_arbitrary_strides_agree_with_the_oracle_in_pieces(data: st.DataObject) -> None:
    shape = data.draw(st.lists(st.integers(0, 5), max_size=4))
    strides = [data.draw(st.integers(0, 12)) for _ in shape]
    base = torch.arange(300.0) - 20
    tensor = base.as_strided(shape, strides, data.draw(st.integers(0, 50)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "CHUNK_BYTES", data.draw(st.sampled_from([16, 64, 256])))
        patch.setattr(statistics, "STRETCH", 1)
        patch.setattr(statistics, "SMALL", 8)
        assert_agrees(in_pieces([tensor])[0][0], oracle(tensor))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.floats(width=64), max_size=8), max_size=6))
def test_any_split_merges_to_the_whole(parts: list[list[float]]) -> None:
    parts = [[x / 1e3 for x in part] for part in parts]  # a norm above 1.8e308 has no float
    merged = Moments()
    with torch.no_grad():
        for part in parts:
            results, cursor = measure([torch.tensor(part, dtype=torch.float64)], None)
            assert cursor is None
            found = results[0][1]
            assert isinstance(found, Moments)
            merged.merge(found)
    assert_agrees(merged, oracle(torch.tensor(list(chain(*parts)), dtype=torch.float64)))
