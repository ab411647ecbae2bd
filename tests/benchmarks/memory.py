"""Resident memory of a process and its peak; Linux only, None elsewhere."""

from __future__ import annotations

from pathlib import Path


def start_peak(process_id: int) -> int | None:
    """Let the peak start from here; return what is resident now, bytes."""
    try:
        Path(f"/proc/{process_id}/clear_refs").write_text("5")
    except OSError:
        return None
    return _field(process_id, "VmRSS")


def peak_extra_bytes(process_id: int, before: int | None) -> int | None:
    """Return how far the peak has risen above `before`, the result of `start_peak`."""
    peak = _field(process_id, "VmHWM")
    return None if before is None or peak is None else max(0, peak - before)


def _field(process_id: int, name: str) -> int | None:
    try:
        text = Path(f"/proc/{process_id}/status").read_text()
    except OSError:
        return None
    for line in text.splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    return None
