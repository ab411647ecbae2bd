"""Histogram of magnitudes in powers of two, on demand: it takes several passes over the bytes."""

from __future__ import annotations

import time

import torch

from .chunks import Scratch, chunk_length, cut, distinct
from .statistics import obstacle, read_back

# Where the exponent lies in the bits: integer type, bits to its right, mask.
_FIELDS = {torch.float32: (torch.int32, 23, 0xFF), torch.float64: (torch.int64, 52, 0x7FF)}
_LIFT = 200  # a subnormal number times 2**200 is a normal float64


def log2_histogram(
    tensor: torch.Tensor, deadline: float | None, start: int = 0
) -> tuple[dict[int, int], int | None]:
    """Count the finite non-zero elements by exponent, from `start` on until the deadline.

    Bin k holds the elements with 2**k <= |x| < 2**(k + 1), exactly; |x| of a complex number is
    its modulus, rounded to float64. At least one chunk is done in every call.

    Args:
        tensor: strided, of any dtype and device that `statistics.measure` takes.
        deadline: a value of `time.monotonic()`; None for no budget.
        start: the last cursor, an offset into the tensor's distinct elements.

    Returns:
        Counts of the visited part by exponent, and the cursor to go on from, None at the end.

    Raises:
        RuntimeError: the tensor cannot be read now or at all; the text is a capability label
            ("device busy", "capturing", "meta") or torch's own.
    """
    label = obstacle(tensor)
    if label is not None:
        raise RuntimeError(label)
    counts: dict[int, int] = {}
    if not tensor.numel():
        return counts, None
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    view, repeat = distinct(tensor)
    limit, scratch = chunk_length(tensor.dtype), Scratch()
    while True:
        chunk = cut(view, start, limit)
        work = scratch.load(chunk).reshape(-1)
        work = work.abs() if work.is_complex() else work
        found = _on_cpu(work) if work.is_cpu else _on_device(work, deadline)
        for exponent, count in found.items():
            counts[exponent] = counts.get(exponent, 0) + count * repeat
        start += chunk.numel()
        if start >= view.numel():
            return counts, None
        if deadline is not None and time.monotonic() >= deadline:
            return counts, start


def _on_cpu(work: torch.Tensor) -> dict[int, int]:
    """Count by the exponent field of the bits, shape (n,), float32 or float64."""
    bits, shift, mask = _FIELDS[work.dtype]
    fields = (work.view(bits) >> shift).bitwise_and_(mask)
    by_field = torch.bincount(fields, minlength=mask + 1).tolist()
    found = {k - mask // 2: by_field[k] for k in range(1, mask) if by_field[k]}
    if by_field[0]:  # zeros and subnormal numbers
        tiny = work[fields == 0]
        tiny = tiny[tiny != 0]
        if tiny.numel():
            for exponent, count in _on_cpu(tiny.double() * 2.0**_LIFT).items():
                found[exponent - _LIFT] = found.get(exponent - _LIFT, 0) + count
    return found


def _on_device(work: torch.Tensor, deadline: float | None) -> dict[int, int]:
    """Count without a branch on values, deterministically; see `statistics.read_back`."""
    counted = work.isfinite() & (work != 0)
    exponents = torch.frexp(work)[1].masked_fill(~counted, 2000).sort()[0]
    edges = torch.arange(-1080, 1026, dtype=exponents.dtype, device=work.device)
    counts = torch.searchsorted(exponents, edges).diff().unsqueeze(0)
    lists = read_back(counts, deadline)
    if lists is None:
        raise RuntimeError("device busy")
    return {k - 1081: int(count) for k, count in enumerate(lists[0]) if count}
