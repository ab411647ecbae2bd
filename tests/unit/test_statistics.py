"""Statistics against an oracle in exact or 64-bit arithmetic, for every dtype and layout."""

# ruff: noqa: B905 - zip(strict=) is missing in Python 3.8, where the probe has to work too

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from gradpeek.probe import chunks, statistics
from gradpeek.probe.moments import Moments
from support.moments_oracle import assert_agrees, in_pieces, oracle, whole

DTYPES = [
    getattr(torch, name)
    for name in (
        *("float32", "float64", "float16", "bfloat16", "bool", "uint8", "int8", "int16", "int32"),
        *("int64", "uint16", "uint32", "complex64", "complex128", "complex32"),
        *("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"),
    )
    if hasattr(torch, name)
]


def values(dtype: torch.dtype, *shape: int) -> torch.Tensor:
    """Values of every sign, with zeros."""
    generator = torch.Generator().manual_seed(1)
    numbers = torch.randn(shape, generator=generator, dtype=torch.float64) * 3
    numbers.masked_fill_(torch.rand(shape, generator=generator) < 0.1, 0)
    if dtype.is_complex:
        numbers = torch.complex(numbers, numbers.flip(0).roll(1, -1))
    elif dtype is torch.bool or str(dtype).startswith("torch.u"):
        numbers = numbers.abs().round()
    return numbers.to(dtype)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.filterwarnings("ignore:ComplexHalf support")
def test_every_dtype_agrees_with_the_oracle(dtype: torch.dtype) -> None:
    tensors = [values(dtype, 7, 5), values(dtype, 1), values(dtype, 0), values(dtype, 3, 2049)]
    tensors += [values(dtype, 3, 2049), values(dtype, 4, 6).t(), values(dtype, 7, 5)[1:, ::2]]
    for tensor, found in zip(tensors, whole(tensors)):
        assert_agrees(found, oracle(tensor))


LAYOUTS = {
    "no dimension": lambda x: x[0, 0, 0],
    "transposed": lambda x: x.transpose(0, 2),
    "channels last": lambda x: x.unsqueeze(0).contiguous(memory_format=torch.channels_last),
    "every other": lambda x: x[::2, :, ::3],
    "columns": lambda x: x[:, :, 1:3],
    "expanded": lambda x: x[:, :1, :].expand(-1, 9, -1),
    "expanded twice": lambda x: x[:1, :, :1].expand(4, -1, 7),
    "expanded from one": lambda x: x[1, 1, 1].expand(3, 3, 3),
    "overlapping": lambda x: x.reshape(-1).unfold(0, 5, 2),
    "diagonal": lambda x: x[0].diagonal(),
    "empty": lambda x: x[:0],
    "empty expanded": lambda x: x[:, :1, :0].expand(-1, 5, -1),
    "reversed": lambda x: x.flip(0),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.complex64], ids=str)
@pytest.mark.parametrize("chunk_bytes", [chunks.CHUNK_BYTES, 64])
def test_every_layout_agrees_with_the_oracle_whole_and_in_pieces(
    layout: str, dtype: torch.dtype, chunk_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "CHUNK_BYTES", chunk_bytes)
    monkeypatch.setattr(statistics, "STRETCH", 1)
    monkeypatch.setattr(statistics, "SMALL", 0)
    tensor = LAYOUTS[layout](values(dtype, 4, 6, 10))
    expected = oracle(tensor)
    assert_agrees(whole([tensor])[0], expected)
    pieces, calls = in_pieces([tensor])
    assert_agrees(pieces[0], expected)
    assert chunk_bytes > 64 or calls > 1 or len(set(map(str, tensor.reshape(-1).tolist()))) < 30


NAN, INF = math.nan, math.inf
HOSTILE = {
    "norm beyond float32": [1e30] * 4,
    "norm below float32": [1e-30] * 4,
    "subnormal": [1e-45, -1e-45, 0.0],
    "huge and tiny": [3e38, 1e-45, -3e38, 1.0],
    "nan": [1.0, NAN, 3.0],
    "infinities": [1.0, INF, -INF, -INF, 0.0],
    "infinities that cancel": [INF, -INF],
    "all nan": [NAN, NAN],
    "nan and infinities": [NAN, INF, 2.0, -INF, 0.0, -0.0],
    "zeros of both signs": [0.0, -0.0, 0.0],
    "one zero": [1.0] * 63 + [0.0],
    "constant": [0.1] * 3000,
    "near one": [1.0, 1.0000001, 0.9999999] * 700,
    "one in many": [1.0] * 2047 + [1.0000001],
    "far from zero": [1e6, 1e6 + 1, 1e6 - 1],
    "negative": [-1.5, -2.5, -1e-3],
    "positive": [1.5, 2.5, 1e-3],
    "signs": [0.1] * 1900 + [-0.1] * 100,
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
def test_hostile_values_agree_with_the_oracle(case: str, dtype: torch.dtype) -> None:
    tensor = torch.tensor(HOSTILE[case], dtype=dtype)
    strided = torch.stack((tensor, tensor), 1)[:, 0]
    long = tensor.repeat(4200 // len(tensor) + 1)
    found = whole([tensor, strided, long, tensor])
    for one in found[:2] + found[3:]:
        assert_agrees(one, oracle(tensor))
    assert_agrees(found[2], oracle(long))


@pytest.mark.parametrize("scale", [1e200, 1e-200, 5e-324, 1.7e308])
def test_float64_extremes_neither_overflow_nor_vanish(scale: float) -> None:
    tensor = torch.tensor([scale, -scale, 0.0, scale / 2], dtype=torch.float64)[[0, 1, 2]]
    assert_agrees(whole([tensor])[0], oracle(tensor), 1e-12) if scale < 1e308 else None
    pairs = torch.complex(tensor, tensor)
    if scale < 1e308:
        assert_agrees(whole([pairs])[0], oracle(pairs), 1e-12)
    rows = torch.full((5000,), scale, dtype=torch.float64)
    assert whole([rows])[0].mean == pytest.approx(scale)


def test_a_complex_number_is_nan_before_it_is_infinite() -> None:
    tensor = torch.tensor([complex(NAN, INF), complex(INF, 1), complex(1, -INF), 3 + 4j])
    found = whole([tensor])[0]
    assert (found.nan, found.posinf, found.neginf, found.zeros) == (1, 2, 0, 0)
    assert (found.norm, found.max_abs, found.mean, found.mean_imag) == (5.0, 5.0, 3.0, 4.0)
    assert found.min is None
    assert found.max is None


def test_views_with_a_conjugate_or_negative_bit_are_read_as_they_look() -> None:
    numbers = values(torch.complex64, 6, 5)
    tensors = [numbers.conj(), numbers.conj().imag, numbers.conj().t(), numbers.imag]
    assert tensors[0].is_conj()
    assert tensors[1].is_neg()
    for tensor, found in zip(tensors, whole(tensors)):
        assert_agrees(found, oracle(tensor.resolve_conj().resolve_neg()))


@pytest.mark.parametrize("dtype", [torch.qint8, torch.quint8, torch.qint32], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_quantized_tensors_are_measured_as_what_they_stand_for(dtype: torch.dtype) -> None:
    numbers = values(torch.float32, 6, 8)
    tensor = torch.quantize_per_tensor(numbers, 0.1, 3, dtype)
    by_row = torch.quantize_per_channel(
        numbers, torch.full((6,), 0.1), torch.zeros(6, dtype=torch.long), 0, dtype
    )
    tensors = [tensor, tensor.t(), tensor[1:3], by_row]
    for one, found in zip(tensors, whole(tensors)):
        assert_agrees(found, oracle(one))


def test_integers_keep_exact_extremes() -> None:
    tensor = torch.tensor([-(2**52) - 1, 2**53 - 1, 0, 7])
    found = whole([tensor])[0]
    assert (found.min, found.max) == (-(2**52) - 1, 2**53 - 1)


@pytest.mark.parametrize("number", [1, 7, 65537, 2**20 + 3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.float64], ids=str)
def test_long_tensors_agree_with_float64(number: int, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(2)
    tensor = (torch.randn(number, generator=generator) + 0.5).to(dtype)
    tensor[::1000] = 0
    found, wide = whole([tensor])[0], tensor.double()
    assert found.zeros == int((tensor == 0).sum())
    assert found.norm == pytest.approx(float(wide.norm()), rel=1e-6)
    assert found.mean == pytest.approx(float(wide.mean()), rel=1e-6)
    assert found.deviation**2 == pytest.approx(float((wide - wide.mean()).square().sum()), rel=1e-5)
    assert (found.min, found.max) == (float(wide.min()), float(wide.max()))


@pytest.mark.parametrize("density", [0, 1e-6, 1e-4, 0.01, 0.5, 1])
def test_zeros_are_counted_exactly_however_many_there_are(density: float) -> None:
    generator = torch.Generator().manual_seed(3)
    tensor = torch.randn(3 * 2**20, generator=generator)
    tensor[torch.rand(tensor.shape, generator=generator) < density] = 0
    tensor[5] = tensor[-1] = 0
    assert whole([tensor])[0].zeros == int((tensor == 0).sum())
    tiny = tensor * 1e-12
    assert whole([tiny])[0].zeros == int((tiny == 0).sum())


@pytest.mark.parametrize("hidden", [NAN, INF, 1e30, -1e20])
def test_zeros_are_counted_next_to_hostile_values(hidden: float) -> None:
    tensor = torch.rand(2**16 + 2**20) - 0.5
    tensor[::128] = hidden
    tensor[64::64] = 0
    assert whole([tensor])[0].zeros == int((tensor == 0).sum())
    assert whole([tensor[:4096]])[0].zeros == int((tensor[:4096] == 0).sum())
    one = torch.ones(2**14)
    one[3], one[2**11 + 3], one[7] = hidden, 0, -1
    assert_agrees(whole([one])[0], oracle(one))
    for found in whole([one, one.roll(5)]):
        assert found.zeros == 1


def test_a_huge_expanded_tensor_is_measured_by_its_distinct_elements() -> None:
    tensor = torch.full((1,), 3.0).expand(10**9)
    batch = torch.tensor([[3.0], [4.0]]).expand(2, 10**9)
    one, two = whole([tensor, batch])
    assert (one.count, one.zeros, one.mean, one.deviation) == (10**9, 0, 3.0, 0.0)
    assert one.norm == pytest.approx(3 * math.sqrt(10**9))
    assert (two.count, two.mean, two.min, two.max) == (2 * 10**9, 3.5, 3.0, 4.0)
    assert two.deviation == pytest.approx(0.5 * math.sqrt(2 * 10**9))
    assert whole([torch.zeros(1).expand(10**9)])[0].zeros == 10**9


def test_tensors_of_equal_length_are_measured_together_and_keep_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blocks: list[tuple[int, ...]] = []
    reduce = chunks.reduce

    def counted(block: torch.Tensor, scratch: chunks.Scratch) -> torch.Tensor:
        blocks.append(tuple(block.shape))
        return reduce(block, scratch)

    monkeypatch.setattr(statistics, "reduce", counted)
    tensors = [values(torch.float32, 3, 4 + i % 3) * (i + 1) for i in range(30)]
    for tensor, found in zip(tensors, whole(tensors)):
        assert_agrees(found, oracle(tensor))
    assert blocks == [(10, 12), (10, 15), (10, 18)]


@pytest.mark.parametrize("chunk_bytes", [256, 4096])
def test_a_spent_budget_still_makes_progress_and_reaches_the_same_result(
    chunk_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "CHUNK_BYTES", chunk_bytes)
    monkeypatch.setattr(statistics, "SMALL", 64)
    lengths = (3000, 5, 5, 0, 70, 5, 8000, 5)
    tensors = [values(torch.float32, length) for length in lengths]
    tensors[4:4] = [values(torch.bfloat16, 40, 30).t(), values(torch.complex64, 9, 8)]
    tensors[2:2] = [torch.empty(3, device="meta"), values(torch.float32, 90).expand(4, 90)]
    pieces, calls = in_pieces(tensors)
    assert calls >= len(tensors) - 4
    for tensor, piece, together in zip(tensors, pieces, whole(tensors)):
        if tensor.is_meta:
            assert piece == together == "meta"
        else:
            assert_agrees(piece, oracle(tensor))
            assert_agrees(together, oracle(tensor))


def test_a_tensor_that_cannot_be_measured_gets_a_label_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fine = torch.ones(3)
    freed = torch.ones(100_000)
    freed.untyped_storage().resize_(0)
    tensors = [fine, torch.empty(2, device="meta"), fine]
    if hasattr(torch, "float4_e2m1fn_x2"):
        tensors.append(torch.zeros(4, dtype=torch.uint8).view(torch.float4_e2m1fn_x2))
    found = whole(tensors)
    assert [type(one) for one in found[::2]] == [Moments, Moments]
    assert found[1] == "meta"
    assert found[3:] == ["unsupported dtype float4_e2m1fn_x2"] * (len(tensors) - 3)

    def broken(*_: Any) -> Any:
        raise RuntimeError("out of luck\nmore")

    monkeypatch.setattr(statistics, "reduce", broken)
    assert whole([fine, fine.expand(2, 3)]) == ["error: RuntimeError: out of luck"] * 2


def test_nothing_that_the_program_can_see_is_changed(recwarn: pytest.WarningsRecorder) -> None:
    tensors = [values(dtype, 3, 50) for dtype in DTYPES if "complex32" not in str(dtype)]
    tensors += [torch.ones(2, 3000, requires_grad=True), torch.ones(5000).t()]
    tensors[-2].grad = torch.zeros(2, 3000)
    copies = [tensor.detach().clone() for tensor in tensors]
    versions = [tensor._version for tensor in tensors]
    state = torch.get_rng_state()
    recwarn.clear()
    whole(tensors)
    assert not recwarn.list
    assert [tensor._version for tensor in tensors] == versions
    assert torch.equal(torch.get_rng_state(), state)
    for tensor, copy in zip(tensors, copies):
        assert torch.equal(tensor.detach().view(torch.uint8), copy.view(torch.uint8))


@pytest.fixture(params=["deterministic", "float64 by default", "inference", "flushing"])
def setting(request: pytest.FixtureRequest) -> Any:
    """A global setting that a program may have made."""
    if request.param == "deterministic":
        torch.use_deterministic_algorithms(True)
        yield
        torch.use_deterministic_algorithms(False)
    elif request.param == "inference":
        with torch.inference_mode():
            yield
    elif request.param == "flushing":
        torch.set_flush_denormal(True)
        yield
        torch.set_flush_denormal(False)
    else:
        torch.set_default_dtype(torch.float64)
        yield
        torch.set_default_dtype(torch.float32)


def test_settings_of_the_program_do_not_matter(setting: None) -> None:
    tensors = [values(dtype, 3, 1500) for dtype in (torch.float32, torch.float16, torch.int64)]
    tensors += [tensors[0].t(), torch.tensor([NAN, 1e30, 2e30]), torch.ones(3000) * 1.5]
    for tensor, found in zip(tensors, whole(tensors)):
        assert_agrees(found, oracle(tensor))


def test_inference_tensors_are_measured_outside_of_inference_mode() -> None:
    with torch.inference_mode():
        tensors = [values(torch.float32, 100), values(torch.float32, 100, 3).t()]
    for tensor, found in zip(tensors, whole(tensors)):
        assert_agrees(found, oracle(tensor))


@pytest.mark.parametrize("case", HOSTILE)
def test_the_way_of_devices_gives_what_the_way_of_the_cpu_gives(case: str) -> None:
    tensor = torch.tensor(HOSTILE[case]).repeat(2).unsqueeze(0)
    columns = chunks._combine(chunks._careful(tensor.view(2, -1)).view(12, 1, 2), (6,))
    assert_agrees(Moments.from_columns(columns[:, 0].tolist()), oracle(tensor))


class FakeStream:
    """Stands in for a device whose results arrive when `ready` says so."""

    ready = True


def test_a_device_that_does_not_answer_is_busy_and_asked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[torch.Size] = []

    def read_back(columns: torch.Tensor, deadline: float | None) -> Any:
        asked.append(columns.shape)
        return columns.tolist() if FakeStream.ready else None

    monkeypatch.setattr(statistics, "read_back", read_back)
    monkeypatch.setattr(statistics, "answers_later", lambda device: True)
    tensors = [values(torch.float32, 5) for _ in range(3)] + [values(torch.float32, 9, 7).t()]
    for tensor, found in zip(tensors, whole(tensors)):
        assert_agrees(found, oracle(tensor))
    assert asked == [(4, 12)]
    monkeypatch.setattr(FakeStream, "ready", False)
    monkeypatch.setattr(statistics, "DEVICE_ELEMENTS", 10)
    assert whole(tensors) == ["device busy"] * 4


HALVES: list[tuple[list[float], list[float]]] = [
    ([1.0, 2.0], [3.0, -4.0, 0.0]),
    ([], [1.0]),
    ([NAN], [2.0, INF]),
    ([1e200, 1e200], [-1e200]),
    ([1e-200], [1e-200, 2e-200]),
    ([1e308], [-1e308]),
    ([1e16, 1e16 + 2], [1e16 + 4]),
    ([NAN, INF], [NAN]),
]


@pytest.mark.parametrize(("one", "other"), HALVES)
def test_merged_moments_are_those_of_both_sets(one: list[float], other: list[float]) -> None:
    merged = oracle(torch.tensor(one, dtype=torch.float64))
    merged.merge(oracle(torch.tensor(other, dtype=torch.float64)))
    assert_agrees(merged, oracle(torch.tensor(one + other, dtype=torch.float64)), 1e-14)


def test_implicit_zeros_count_as_elements() -> None:
    found = whole([torch.tensor([3.0, -1.0])])[0]
    found.add_zeros(4)
    found.add_zeros(0)
    assert_agrees(found, oracle(torch.tensor([3.0, -1.0, 0, 0, 0, 0])))
    pair = whole([torch.tensor([3 + 1j])])[0]
    pair.add_zeros(2, is_complex=True)
    assert_agrees(pair, oracle(torch.tensor([3 + 1j, 0, 0])))


def test_repeated_moments_are_those_of_the_repeated_set() -> None:
    numbers = torch.tensor([1.0, 0.0, NAN, -5.0, INF, -INF], dtype=torch.float64)
    found = oracle(numbers)
    found.repeat(7)
    assert_agrees(found, oracle(numbers.repeat(7)), 1e-14)
