"""Measures tensors within a time budget: full statistics in about one pass over the bytes.

The caller has switched off grad mode, user modes, autocast and garbage collection. No state is
kept from call to call: the cursor says where to go on and the caller merges the parts.
"""

from __future__ import annotations

import time
from typing import Any, Tuple, Union

import torch

from .chunks import STRETCH, Scratch, chunk_length, cut, distinct, reduce
from .moments import Moments

Cursor = Tuple[int, int]
Result = Union[Moments, str]

SMALL = 1 << 16  # elements; up to here a tensor is stacked with others of its length
WINDOW = 1024  # tensors looked at ahead for others of the same length
DEVICE_ELEMENTS = 1 << 26  # queued on a device a call, so that its answer fits into the budget
DEVICE_GRACE_S = 0.05  # a device gets this long even if the budget is spent, or nothing would end
DEVICE_WAIT_S = 10.0  # at most, where there is no budget


def measure(
    tensors: list[torch.Tensor], deadline: float | None, start: Cursor = (0, 0)
) -> tuple[list[tuple[int, Result]], Cursor | None]:
    """Measure `tensors` from `start` on, until the deadline has passed or all are done.

    At least one chunk is done in every call. A tensor that the deadline cut appears with the
    moments of the visited part, and with the rest in later calls: merge them.

    Args:
        tensors: strided, with storage, of any dtype, device and order in memory; only read.
        deadline: a value of `time.monotonic()`; None for no budget.
        start: index of a tensor and offset into its distinct elements, from the last cursor.

    Returns:
        `(index, moments)` in order of index, and the cursor to go on from, None if all is done.
        Instead of moments a short label says why a tensor cannot be measured (it overrides
        moments of an earlier part): "device busy", "capturing", "unsupported dtype ...", ...
    """
    return _Pass(tensors, deadline).run(start)


def label_of(error: Exception, tensor: torch.Tensor) -> str:
    """Return the label of a tensor whose measurement raised `error`."""
    text = str(error)
    if isinstance(error, (NotImplementedError, TypeError)) or "not implemented for" in text:
        return "unsupported dtype " + str(tensor.dtype).replace("torch.", "")
    first = text.strip().split("\n")[0][:200]
    return f"error: {type(error).__name__}: {first}"


def obstacle(tensor: torch.Tensor) -> str | None:
    """Return the label of a tensor that no operation may be issued on now, else None."""
    if tensor.device.type == "meta":
        return "meta"
    if tensor.device.type == "cuda" and torch.cuda.is_current_stream_capturing():
        return "capturing"
    return None


def answers_later(device: torch.device) -> bool:
    """Whether operations on the device are only queued, and reading a result would wait."""
    return device.type != "cpu"  # type: ignore[no-any-return]


def read_back(columns: torch.Tensor, deadline: float | None) -> list[list[float]] | None:
    """Return a device's results as lists, or None if the device has not got to them in time.

    Never synchronizes: copies into pinned memory behind the queued work and polls an event.
    Limits: written to the documented behaviour of CUDA streams and not run on a GPU so far; only
    capturing by the current stream is noticed.
    """
    device = columns.device
    if device.type == "cpu":
        return columns.tolist()  # type: ignore[no-any-return]
    backend = getattr(torch, device.type)
    pinned = torch.empty(columns.shape, dtype=columns.dtype, pin_memory=device.type == "cuda")
    pinned.copy_(columns, non_blocking=True)
    event = backend.Event()
    stream = getattr(backend, "current_stream", None)
    event.record(*(() if stream is None else (stream(device),)))
    now = time.monotonic()
    until = now + DEVICE_WAIT_S if deadline is None else max(deadline, now + DEVICE_GRACE_S)
    while not event.query():
        if time.monotonic() >= until:
            return None
        time.sleep(0.0005)
    return pinned.tolist()  # type: ignore[no-any-return]


class _Pass:
    """One call of `measure`: what was found, what waits on devices, and the scratch memory."""

    def __init__(self, tensors: list[torch.Tensor], deadline: float | None) -> None:
        self.tensors = tensors
        self.deadline = deadline
        self.scratch = Scratch()
        self.found: dict[int, Result] = {}
        self.pending: dict[torch.device, list[tuple[list[int], int, torch.Tensor]]] = {}
        self.alike: dict[Any, list[int]] = {}
        self.window_end = 0
        self.queued = 0
        self.worked = False

    def run(self, start: Cursor) -> tuple[list[tuple[int, Result]], Cursor | None]:
        """See `measure`."""
        index, offset = start
        while index < len(self.tensors):
            if index not in self.found or offset:
                if self.spent():
                    break
                offset = self.attempt(index, offset)
                if offset:
                    break
            index += 1
        busy = self.settle()
        while index < len(self.tensors) and not offset and self.tensors[index].device in busy:
            self.found[index] = "device busy"
            index += 1
        end = index + 1 if offset else index  # what was stacked from beyond is measured again
        results = [(i, self.found[i]) for i in sorted(self.found) if i < end]
        return results, None if index >= len(self.tensors) else (index, offset)

    def spent(self) -> bool:
        """Whether the budget allows no further chunk."""
        if self.queued >= DEVICE_ELEMENTS:
            return True
        return self.worked and self.deadline is not None and time.monotonic() >= self.deadline

    def attempt(self, index: int, offset: int) -> int:
        """Measure tensor `index` from `offset`; return where it was cut, 0 if it is done."""
        tensor = self.tensors[index]
        try:
            label = obstacle(tensor)
            if label is not None:
                self.found[index] = label
                return 0
            key = _likeness(tensor)
            if key is not None and not offset:
                self.stacked(index, key)
                return 0
            return self.chunked(index, offset)
        except Exception as error:
            self.found[index] = label_of(error, tensor)
            return 0

    def stacked(self, index: int, key: Any) -> None:
        """Measure small tensor `index` and those of its length in the window, in one block."""
        if index >= self.window_end:
            self.window_end = index + WINDOW
            self.alike = {}
            for place in range(index, min(self.window_end, len(self.tensors))):
                other = _likeness(self.tensors[place])
                if other is not None:
                    self.alike.setdefault(other, []).append(place)
        numel = key[0]
        waiting = [place for place in self.alike.get(key, ()) if place >= index] or [index]
        most = max(1, chunk_length(key[1]) // numel)
        places, self.alike[key] = waiting[:most], waiting[most:]
        rows = [self.tensors[place].view(-1) for place in places]
        if len(rows) == 1:
            block = rows[0].unsqueeze(0)
        else:
            shape = rows[0].unsqueeze(0).expand(len(rows), numel)
            block = torch.stack(rows, out=self.scratch.get("stack", shape, key[1]))
        self.worked = True
        self.keep(places, 1, reduce(block, self.scratch), block.numel())

    def chunked(self, index: int, offset: int) -> int:
        """Measure one tensor chunk by chunk; return where the deadline cut it, 0 if it is done."""
        tensor = self.tensors[index]
        self.found[index] = Moments()
        if not tensor.numel():
            return 0
        if tensor.is_quantized and "channel" in str(tensor.qscheme()):
            if tensor.numel() > chunk_length(tensor.dtype):
                self.found[index] = "unsupported: large per-channel quantized"
                return 0
            tensor = tensor.dequantize()
        view, repeat = distinct(tensor)
        numel, limit = view.numel(), chunk_length(tensor.dtype)
        plain = view.is_contiguous() and tensor.is_cpu
        plain = plain and not tensor.is_quantized and not tensor.is_complex()
        while True:
            self.worked = True
            chunk = cut(view, offset, limit * STRETCH if plain else limit)
            block = chunk if plain else self.scratch.load(chunk)
            columns = reduce(block.reshape(1, -1), self.scratch)
            self.keep([index], repeat, columns, chunk.numel())
            offset += chunk.numel()
            if offset >= numel:
                return 0
            if self.spent():
                return offset

    def keep(self, places: list[int], repeat: int, columns: torch.Tensor, numel: int) -> None:
        """Add the reduced columns to the tensors at `places`, at once or when the device is."""
        if not answers_later(columns.device):
            self.add(places, repeat, columns.t().tolist())
            return
        self.queued += numel
        self.pending.setdefault(columns.device, []).append((places, repeat, columns))
        for place in places:
            self.found.setdefault(place, Moments())

    def add(self, places: list[int], repeat: int, lists: list[list[float]]) -> None:
        """Merge one list of columns into each tensor at `places`."""
        for place, columns in zip(places, lists):
            part = Moments.from_columns(columns, is_complex=self.tensors[place].is_complex())
            if repeat > 1:
                part.repeat(repeat)
            found = self.found.get(place)
            if isinstance(found, Moments) and found.count:
                found.merge(part)
            elif not isinstance(found, str):
                self.found[place] = part

    def settle(self) -> list[torch.device]:
        """Read back what was queued, once a device; return the devices that are busy."""
        busy = []
        for device, entries in self.pending.items():
            label = "device busy"
            try:
                lists = read_back(torch.cat([e[2] for e in entries], 1).t(), self.deadline)
            except Exception as error:
                lists, label = None, label_of(error, self.tensors[entries[0][0][0]])
            if lists is None:
                busy.append(device)
            for places, repeat, columns in entries:
                if lists is None:
                    self.found.update(dict.fromkeys(places, label))
                else:
                    self.add(places, repeat, lists[: columns.shape[1]])
                    del lists[: columns.shape[1]]
        return busy


def _likeness(tensor: torch.Tensor) -> Any:
    """Return what tensors that may be stacked have in common, None for one measured by itself."""
    numel = tensor.numel()
    if not 0 < numel <= SMALL or not tensor.is_contiguous() or tensor.is_quantized:
        return None
    if tensor.is_conj() or tensor.is_neg():
        return None
    return numel, tensor.dtype, tensor.device
