"""Cuts strided tensors into cache-sized chunks and reduces a chunk to the columns of `Moments`.

Nothing here keeps state, changes a tensor that is not its own, or holds more than a few chunks.
"""

from __future__ import annotations

from typing import Any, Sequence

import torch

CHUNK_BYTES = 1 << 22  # in its work type; stays in the cache while every reduction reads it again
ROW = 2048  # a row is summed in its own type: short enough that float32 keeps 1e-5
STRETCH = 16  # chunks of plain memory reduced at a time, to share the cost of small operations
CAREFUL_ROWS = 128  # rows at a time in float64, so that its temporaries stay below a chunk each
COLUMNS = 12  # of `Moments.from_columns`
_FINITE, _ZEROS, _NAN, _POSINF, _NEGINF, _NORM, _MEAN, _IMAG, _DEV, _MIN, _MAX, _ABS = range(12)
CANCELS = 7 / 9  # n * mean^2 / norm^2 where mean^2 is 3.5 variances: a digit is lost, so centre
_EXACT_IN_FLOAT32 = ("float16", "bfloat16", "bool", "uint8", "int8", "int16", "uint16", "float32")
_SAFE_ABS = {torch.float32: (1e-15, 1e15), torch.float64: (1e-140, 1e140)}


def work_dtype(dtype: torch.dtype) -> torch.dtype:
    """Return the fastest type that holds every value of `dtype` (int64: to 53 bits)."""
    if dtype.is_complex:
        return torch.complex128
    name = str(dtype)[6:]
    if name in _EXACT_IN_FLOAT32 or name.startswith(("float8", "qint", "quint")):
        return torch.float32
    return torch.float64


def chunk_length(dtype: torch.dtype) -> int:
    """Return how many elements of `dtype` make one chunk once they are in their work type."""
    work = work_dtype(dtype)
    return CHUNK_BYTES // (4 if work is torch.float32 else 8 if work is torch.float64 else 16)


def distinct(tensor: torch.Tensor) -> tuple[torch.Tensor, int]:
    """Return a view of the elements that expanding did not repeat, and how often each occurs.

    The dimensions of the view are sorted by stride and merged where memory allows; the order of
    elements is not the tensor's, which no statistic depends on. Never copies.
    """
    if tensor.is_contiguous():
        return tensor.view(-1), 1
    repeat = 1
    for dim, (size, stride) in enumerate(zip(tensor.shape, tensor.stride())):
        if stride == 0 and size > 1:
            tensor, repeat = tensor.narrow(dim, 0, 1), repeat * size
    sizes, strides = tensor.shape, tensor.stride()
    kept = sorted((d for d in range(len(sizes)) if sizes[d] != 1), key=lambda d: -strides[d])
    merged = [1]
    for place, dim in enumerate(kept):
        before = kept[place - 1]
        if place and strides[before] == strides[dim] * sizes[dim]:
            merged[-1] *= sizes[dim]
        else:
            merged.append(sizes[dim])
    ones = [d for d in range(len(sizes)) if sizes[d] == 1]
    return tensor.permute(ones + kept).view(merged[1:] or [1]), repeat


def cut(view: torch.Tensor, offset: int, limit: int) -> torch.Tensor:
    """Return a box of `view` from element `offset` on: at least 1, at most `limit` elements."""
    if view.dim() == 1:
        return view[offset : offset + limit]
    inner = view[0].numel()
    index, rest = divmod(offset, inner)
    if rest or inner > limit:
        return cut(view[index], rest, limit)
    return view[index : index + limit // inner]


class Scratch:
    """Buffers that one call reuses, because fresh memory costs more than what is done in it."""

    __slots__ = ("_buffers",)

    def __init__(self) -> None:
        self._buffers: dict[Any, torch.Tensor] = {}

    def get(self, use: str, like: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        """Return uninitialized memory of the shape and device of `like`, one buffer for a `use`."""
        key, numel = (use, dtype, like.device), like.numel()
        buffer = self._buffers.get(key)
        if buffer is None or buffer.numel() < numel:
            self._buffers[key] = buffer = torch.empty(numel, dtype=dtype, device=like.device)
        return buffer[:numel].view(like.shape)

    def load(self, chunk: torch.Tensor) -> torch.Tensor:
        """Return `chunk` contiguous and in its work type: itself if it is so, else a copy."""
        if chunk.dtype in _SAFE_ABS and chunk.is_contiguous() and not chunk.is_neg():
            return chunk
        if chunk.is_quantized:
            return chunk.dequantize().contiguous()
        work = work_dtype(chunk.dtype)
        return self.get("load", chunk, work).copy_(chunk)

    def pick(self, rows: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
        """Return the rows at the sorted indices `where` as `load` does, if possible no copy."""
        first, number = int(where[0]), where.numel()
        if int(where[-1]) - first + 1 == number:
            return self.load(rows[first : first + number])
        like = rows[:1].expand(number, -1)
        return self.load(torch.index_select(rows, 0, where, out=self.get("pick", like, rows.dtype)))


def reduce(block: torch.Tensor, scratch: Scratch) -> torch.Tensor:
    """Return the columns of `Moments` for each of T equally long sets of numbers.

    On CPU the sums run in the work type, and rows for which that is not good enough are looked at
    again, which reads results back. On any other device every row is done carefully instead, so
    that nothing waits for the device.

    Args:
        block: shape (T, n), n >= 1, contiguous; more than a chunk only if T = 1.
        scratch: the call's buffers.

    Returns:
        Shape (12, T), float64 (float32 on devices without), on the block's device.
    """
    sets, numel = block.shape
    count = -(-numel // ROW)
    count = next((n for n in range(count, count + 8) if numel % n == 0), numel // ROW)
    width = numel // count
    split = count * width
    parts = []
    for piece in (block[:, :split], block[:, split:]):
        if piece.shape[1]:
            width = min(width, piece.shape[1])
            rows = piece.reshape(-1, width)
            if block.is_cpu and not block.is_complex():
                columns = _rows(rows, scratch, alone=sets == 1)
            else:
                columns = _careful(scratch.load(rows))
            parts.append(columns.view(COLUMNS, sets, -1))
    columns = parts[0] if len(parts) == 1 else torch.cat(parts, 2)
    return _combine(columns, (_MEAN, _IMAG) if block.is_complex() else (_MEAN,))


def _rows(rows: torch.Tensor, scratch: Scratch, *, alone: bool) -> torch.Tensor:
    """Return the columns, shape (12, R), of `rows`, shape (R, width), real and on CPU.

    `alone` if all rows belong to one set.
    """
    width, work = rows.shape[1], work_dtype(rows.dtype)
    norm, step = torch.linalg.vector_norm, max(1, chunk_length(rows.dtype) // width)
    least, most = _SAFE_ABS[work]
    sums = torch.empty((5, rows.shape[0]), dtype=work)
    look_closer = False  # a chunk of many zeros predicts one
    for begin in range(0, rows.shape[0], step):
        part, into = scratch.load(rows[begin : begin + step]), sums[:, begin : begin + step]
        torch.sum(part, -1, dtype=work, out=into[2])
        norm(part, dim=-1, out=into[3])
        if alone:  # rows of one set may share their extremes, found in one read
            low, high = (float(extreme) for extreme in torch.aminmax(part.view(-1)))
            into[0], into[1] = low, high
        if not alone or not (low >= -most and high <= most):
            torch.amin(part, -1, out=into[0])
            torch.amax(part, -1, out=into[1])
            low, high = float(into[0].amin()), float(into[1].amax())
        if low > 0 or high < 0:
            into[4] = width
        elif low == high == 0:
            into[4] = 0
        elif look_closer or not _few_zeros(part, float(into[3, 0]), into[4], scratch):
            _nonzeros(part, into[4], scratch)
            look_closer = float(into[4].amin()) < width
    out = torch.zeros((COLUMNS, rows.shape[0]), dtype=torch.float64)
    out[_FINITE] = width
    out[_MIN], out[_MAX], total, out[_NORM], nonzeros = sums.double()
    out[_ZEROS] = width - nonzeros
    torch.maximum(out[_MAX], -out[_MIN], out=out[_ABS])
    out[_MEAN] = total / width
    square, mean_square = out[_NORM].square(), total.square() / width
    out[_DEV] = (square - mean_square).clamp_(min=0).sqrt_()
    offset = mean_square > CANCELS * square
    smallest, biggest = (float(extreme) for extreme in torch.aminmax(out[_ABS]))
    if least <= smallest and biggest <= most and not bool(offset.any()):
        return out
    safe = (out[_ABS] <= most) & ((out[_ABS] >= least) | (out[_ABS] == 0))
    offset &= safe
    for where in _batches(offset, step):
        part = scratch.pick(rows, where)
        means = out[_MEAN][where].to(work).unsqueeze(1)
        centred = torch.sub(part, means, out=scratch.get("centred", part, work))
        square = norm(centred, dim=-1).double().square_()
        mean_square = centred.sum(-1, dtype=work).double().square_() / width
        out[_DEV].index_copy_(0, where, (square - mean_square).clamp_(min=0).sqrt_())
        safe.index_copy_(0, where, mean_square <= CANCELS * square)
    for where in _batches(~safe, CAREFUL_ROWS):
        out.index_copy_(1, where, _careful(scratch.pick(rows, where)))
    return out


def _batches(mask: torch.Tensor, size: int) -> tuple[torch.Tensor, ...]:
    """Return the indices where `mask` is true, at most `size` at a time."""
    found = mask.nonzero()[:, 0]
    return found.split(size) if found.numel() else ()


def _few_zeros(part: torch.Tensor, norm: float, out: torch.Tensor, scratch: Scratch) -> bool:
    """Write the number of non-zero elements of each row to `out` if nearly all are non-zero.

    Products of eight elements each, in one read, are 0 where an element is (or where they
    underflow: fewer are multiplied if the first row's `norm` is small); only those are looked at
    again. False where they are too many: `out` is not set.
    """
    usual = norm / part.shape[1] ** 0.5
    factors = 8 if usual > 1e-4 else 4 if usual > 1e-9 else 2
    if part.numel() % factors:
        return False
    slabs = part.view(factors, -1)
    products = torch.prod(slabs, 0, out=scratch.get("products", slabs[0], part.dtype))
    out.fill_(part.shape[1])
    if float(products.abs_().amin()) > 0:
        return True
    suspects = (products > 0).logical_not_().nonzero()[:, 0]  # a NaN hides the zero it met
    if suspects.numel() > 1024:
        return False
    zeros = (slabs[:, suspects] == 0).nonzero()
    rows = (zeros[:, 0] * slabs.shape[1] + suspects[zeros[:, 1]]) // part.shape[1]
    out -= torch.bincount(rows, minlength=out.numel())
    return True


def _nonzeros(part: torch.Tensor, out: torch.Tensor, scratch: Scratch) -> None:
    """Write the number of non-zero elements of each row to `out`: the signs' sum of squares."""
    signs = torch.sign(part, out=scratch.get("signs", part, part.dtype))
    torch.linalg.vector_norm(signs, dim=-1, out=out)
    out.square_().round_()


def _careful(rows: torch.Tensor) -> torch.Tensor:
    """Return the columns, shape (12, R), of `rows`, shape (R, width), in two passes of float64.

    Each row is scaled by its largest finite magnitude, so nothing overflows or vanishes; there is
    no branch on a value, so nothing is read back.
    """
    imag = None
    if rows.is_complex():
        parts = torch.view_as_real(rows)
        rows, imag = parts[..., 0], parts[..., 1]
    wide = torch.float32 if rows.device.type == "mps" else torch.float64
    rows = rows.to(wide)
    nan = rows.isnan() if imag is None else rows.isnan() | imag.isnan()
    infinite = rows.isinf() if imag is None else (rows.isinf() | imag.isinf()) & ~nan
    neginf = infinite & (rows < 0) if imag is None else torch.zeros_like(infinite)
    left_out = nan | infinite
    rows = rows.masked_fill(left_out, 0)
    if imag is not None:
        imag = imag.masked_fill(left_out, 0)
    absolute = rows.abs() if imag is None else torch.hypot(rows, imag)
    absolute.clamp_(max=torch.finfo(wide).max)
    largest = absolute.amax(-1)
    out = torch.zeros((COLUMNS, rows.shape[0]), dtype=wide, device=rows.device)
    lost = left_out.sum(-1)
    out[_FINITE] = finite = rows.shape[1] - lost
    out[_ZEROS] = (absolute == 0).sum(-1) - lost
    out[_NAN], out[_NEGINF] = nan.sum(-1), neginf.sum(-1)
    out[_POSINF] = infinite.sum(-1) - out[_NEGINF]
    out[_MIN] = rows.masked_fill(left_out, float("inf")).amin(-1)
    out[_MAX] = rows.masked_fill(left_out, float("-inf")).amax(-1)
    out[_ABS] = largest
    scale = largest.masked_fill(largest == 0, 1).unsqueeze(1)
    out[_NORM] = torch.linalg.vector_norm(absolute.div_(scale), dim=-1)
    for part, mean in ((rows, _MEAN), (imag, _IMAG)):
        if part is not None:
            scaled = part / scale
            middle = scaled.sum(-1) / finite.clamp(min=1)
            centred = scaled.sub_(middle.unsqueeze(1)).masked_fill_(left_out, 0)
            deviation = torch.linalg.vector_norm(centred, dim=-1)
            out[_DEV] = torch.hypot(out[_DEV], deviation)
            out[mean] = middle * scale[:, 0]
    out[_NORM] *= scale[:, 0]
    out[_DEV] *= scale[:, 0]
    return out


def _combine(columns: torch.Tensor, means: Sequence[int]) -> torch.Tensor:
    """Return columns of shape (12, T) from those of the rows, (12, T, rows): see Moments.merge."""
    if columns.shape[2] == 1:
        return columns[:, :, 0]
    norm, finite = torch.linalg.vector_norm, columns[_FINITE]
    out = columns.sum(-1)  # of use for the counts only
    number = out[_FINITE].clamp(min=1).unsqueeze(1)
    scale = columns[_ABS].amax(-1, keepdim=True)
    scale.masked_fill_(scale == 0, 1)
    out[_NORM] = norm(columns[_NORM] / scale, dim=-1) * scale[:, 0]
    within = norm(columns[_DEV] / scale, dim=-1)
    for mean in means:
        middle = (columns[mean] * (finite / number)).sum(-1)
        between = ((columns[mean] / scale) - (middle.unsqueeze(1) / scale)) * finite.sqrt()
        within = torch.hypot(within, norm(between, dim=-1))
        out[mean] = middle
    out[_DEV] = within * scale[:, 0]
    out[_MIN], out[_MAX] = columns[_MIN].amin(-1), columns[_MAX].amax(-1)
    out[_ABS] = columns[_ABS].amax(-1)
    return out
