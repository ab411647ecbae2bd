"""How long full statistics take against one sum of the same tensors, and how much memory.

Run `python tests/benchmarks/statistics_figures.py`; both sides alternate in one process, and the
median of the rounds counts. Peak memory is that of a process of its own.
"""

from __future__ import annotations

import statistics as stdlib_statistics
import subprocess
import sys
import time
from collections.abc import Callable, Container
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch

from gradpeek.probe.statistics import measure

ROUNDS = 7


def large(dtype: torch.dtype = torch.float32) -> list[torch.Tensor]:
    """One tensor of 64 Mi elements."""
    return [torch.randn(64 << 20).to(dtype)]


def small() -> list[torch.Tensor]:
    """2,000 tensors of 4,096 elements."""
    return [torch.randn(4096) for _ in range(2000)]


def gpt2() -> list[torch.Tensor]:
    """The 148 parameters of GPT-2 (124 M), as initialized."""
    width = 768
    tensors = [torch.randn(50257, width) * 0.02, torch.randn(1024, width) * 0.02]
    for _ in range(12):
        for inner, outer in ((width, 3 * width), (width, width)):
            tensors += [torch.randn(inner, outer) * 0.02, torch.zeros(outer)]
        tensors += [torch.randn(width, 4 * width) * 0.02, torch.zeros(4 * width)]
        tensors += [torch.randn(4 * width, width) * 0.02, torch.zeros(width)]
        tensors += [torch.ones(width), torch.zeros(width)] * 2
    return [*tensors, torch.ones(width), torch.zeros(width)]


def sums(tensors: list[torch.Tensor]) -> None:
    """The limit: one read of the bytes."""
    for tensor in tensors:
        tensor.sum()


def norms(tensors: list[torch.Tensor]) -> None:
    """What people write by hand, for one of the eleven numbers (wrong by 0.5 % on 64 Mi)."""
    for tensor in tensors:
        tensor.norm().item()


class Case(NamedTuple):
    """Tensors, what their statistics are compared with, and the ratio not to exceed."""

    tensors: Callable[[], list[torch.Tensor]]
    baseline: Callable[[list[torch.Tensor]], None]
    target: float | None


CASES = {
    "64 Mi float32 / sum": Case(large, sums, 4.0),
    "64 Mi float32, half zeros / sum": Case(lambda: [large()[0].relu_()], sums, None),
    "64 Mi float32, far from 0 / sum": Case(lambda: [large()[0] + 5], sums, None),
    "64 Mi float32, of 1e-6 / sum": Case(lambda: [large()[0] * 1e-6], sums, 4.0),
    "64 Mi bfloat16 / sum": Case(lambda: large(torch.bfloat16), sums, None),
    "64 Mi float32, transposed / sum": Case(lambda: [large()[0].view(8192, -1).t()], sums, None),
    "2,000 x 4,096 float32 / sum": Case(small, sums, 6.0),
    "GPT-2 float32 / sum": Case(gpt2, sums, 6.0),
    "GPT-2 float32 / norm().item()": Case(gpt2, norms, None),
}


def figures(rounds: int = ROUNDS, names: Container[str] = tuple(CASES)) -> list[dict[str, Any]]:
    """Measure the cases of the given names.

    Returns:
        One dict a case: name, ours_s, baseline_s, ratio, target (None if there is none), and
        peak_extra_bytes (None where the system does not tell).
    """
    rows = []
    for name, case in CASES.items():
        if name not in names:
            continue
        tensors = case.tensors()
        sides: list[Callable[[], Any]]
        sides = [partial(measure, tensors, None), partial(case.baseline, tensors)]
        times: tuple[list[float], list[float]] = ([], [])
        with torch.no_grad():
            for turn in range(rounds + 1):
                for side, spent in zip(sides, times, strict=True):
                    begin = time.perf_counter()
                    side()
                    if turn:  # the first round warms up
                        spent.append(time.perf_counter() - begin)
        ours, baseline = (stdlib_statistics.median(spent) for spent in times)
        rows.append(
            {
                "name": name,
                "ours_s": ours,
                "baseline_s": baseline,
                "ratio": ours / baseline,
                "target": case.target,
                "peak_extra_bytes": peak_extra_bytes(name),
            }
        )
    return rows


def peak_extra_bytes(name: str) -> int | None:
    """Return the growth of resident memory while a process of its own measures the case."""
    command = [sys.executable, __file__, "--peak", name]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(answer.stdout) if answer.stdout.strip() else None


def resident(field: str) -> int:
    """Return VmRSS or VmHWM (its peak) of this process, bytes; Linux only."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise OSError(f"no {field} in /proc/self/status")


def print_peak(name: str) -> None:
    """Print the peak of one case, or nothing where the system does not tell it."""
    tensors = CASES[name].tensors()
    with torch.no_grad():
        sums(tensors)
        measure([torch.randn(100_000)], None)  # starts the threads
        try:
            Path("/proc/self/clear_refs").write_text("5")  # the peak starts from here
            before = resident("VmRSS")
            measure(tensors, None)
            print(resident("VmHWM") - before)
        except OSError:
            return


def main() -> None:
    """Print a table."""
    if sys.argv[1:2] == ["--peak"]:
        print_peak(sys.argv[2])
        return
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, medians of {ROUNDS}")
    print(f"{'':34}{'ours ms':>9}{'base ms':>9}{'ratio':>7}{'target':>8}{'extra MB':>10}")
    for row in figures():
        target = "" if row["target"] is None else f"{row['target']:.0f}x"
        extra = row["peak_extra_bytes"]
        print(
            f"{row['name']:34}{row['ours_s'] * 1e3:9.1f}{row['baseline_s'] * 1e3:9.1f}"
            f"{row['ratio']:6.1f}x{target:>8}{'?' if extra is None else f'{extra / 1e6:.1f}':>10}"
        )


if __name__ == "__main__":
    main()
