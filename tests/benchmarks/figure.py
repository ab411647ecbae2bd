"""One measured figure: ours beside a baseline of the same run, and the target it has to meet."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

Bound = Literal["ratio", "ours"]
"""What a target bounds from above: ours over the baseline, or ours itself."""


@dataclass(frozen=True)
class Figure:
    """A figure of the table.

    Attributes:
        key: its name in the JSON.
        what: what was measured, for people.
        baseline_what: what it is compared with.
        unit: of `ours` and `baseline`.
        ours: median of the runs, or None where it was not measured.
        baseline: the same of what it is compared with.
        bound: what the target bounds, None where there is no target.
        target: the bound, in `unit` or as a ratio.
        peak_extra_bytes: growth of resident memory while ours ran, None where not measured.
        note: what a reader has to know to judge it.
    """

    key: str
    what: str
    baseline_what: str
    unit: Literal["s", "bytes", "evaluates"]
    ours: float | None
    baseline: float | None
    bound: Bound | None = None
    target: float | None = None
    peak_extra_bytes: int | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours over the baseline: below 1 we are faster, or smaller."""
        if self.ours is None or not self.baseline:
            return None
        return self.ours / self.baseline

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none, or nothing was measured."""
        value = self.ratio if self.bound == "ratio" else self.ours
        if self.bound is None or self.target is None or value is None:
            return None
        return value <= self.target

    def as_json(self) -> dict[str, Any]:
        """Return the figure as a JSON object, with `ratio` and `met`."""
        return {**asdict(self), "ratio": self.ratio, "met": self.met}


def side_by_side(
    ours: Callable[[], object], baseline: Callable[[], object], rounds: int
) -> tuple[float, float]:
    """Return the median seconds of each, run in turn `rounds` times after one run to warm up."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(rounds + 1):
        for side, spent in zip((ours, baseline), times, strict=True):
            seconds = timed(side)
            if turn:
                spent.append(seconds)
    return statistics.median(times[0]), statistics.median(times[1])


def timed(side: Callable[[], object]) -> float:
    """Return the seconds that one run takes."""
    begin = time.perf_counter()
    side()
    return time.perf_counter() - begin
