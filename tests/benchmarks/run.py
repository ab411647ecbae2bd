"""Measures GradPeek beside what people use today; prints a table and writes it as JSON.

`python tests/benchmarks/run.py` takes minutes; `--quick` measures small models once, to see that
it runs: its numbers mean nothing.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import editor_figures, probe_figures, statistics_figures, stop_figures
from benchmarks.figure import Figure

OUTPUT = Path(__file__).resolve().parents[2] / "build" / "bench.json"
LARGE = "64 Mi float32 / sum"
LARGE_BYTES = 4 * (64 << 20)
PEAK_SHARE = 1 / 4
ROUNDS = 5


def statistics_rows(*, quick: bool) -> list[Figure]:
    """The cases of `statistics_figures`, and the memory that the largest one takes."""
    names = set() if quick else set(statistics_figures.CASES)
    measured = {row["name"]: row for row in statistics_figures.figures(ROUNDS, names)}
    found = []
    for name, case in statistics_figures.CASES.items():
        row = measured.get(name, {})
        what, baseline = name.rsplit(" / ", 1)
        found.append(
            Figure(
                "statistics: " + name,
                "statistics of " + what,
                "one sum of each" if baseline == "sum" else baseline,
                "s",
                row.get("ours_s"),
                row.get("baseline_s"),
                None if case.target is None else "ratio",
                case.target,
                row.get("peak_extra_bytes"),
            )
        )
    extra = measured.get(LARGE, {}).get("peak_extra_bytes")
    what = "extra memory for 64 Mi float32"
    memory = Figure("peak_memory", what, "the tensor", "bytes", extra, LARGE_BYTES)
    return [*found, replace(memory, bound="ratio", target=PEAK_SHARE)]


PARTS: dict[str, Callable[..., list[Figure]]] = {
    "rows and small tensors, in this process": probe_figures.figures,
    "the tree of an editor, in this process": editor_figures.figures,
    "a stop under the debugger, and the walk of its Variables": stop_figures.figures,
    "large tensors": statistics_rows,
}


def table(figures: list[Figure]) -> Table:
    """The figures for people."""
    shown = Table(title=f"torch {torch.__version__}, {torch.get_num_threads()} threads")
    shown.add_column("figure")
    shown.add_column("compared with", style="dim")
    for title in ("ours", "baseline", "ratio", "target", "extra memory"):
        shown.add_column(title, justify="right", no_wrap=True)
    shown.add_column("met")
    for one in figures:
        shown.add_row(
            one.what,
            one.baseline_what,
            _quantity(one.ours, one.unit),
            _quantity(one.baseline, one.unit),
            "" if one.ratio is None else _ratio(one.ratio),
            _target(one),
            _quantity(one.peak_extra_bytes, "bytes"),
            {True: "[green]yes", False: "[red]no", None: ""}[one.met],
        )
    return shown


def _quantity(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    if unit == "s":
        return f"{value * 1e3:,.1f} ms" if value < 1 else f"{value:,.2f} s"
    return f"{value / 1e6:,.1f} MB" if unit == "bytes" else f"{value:g}"


def _ratio(value: float) -> str:
    return f"{value:.2g}x" if value < 1 else f"{value:.1f}x"


def _target(figure: Figure) -> str:
    if figure.target is None:
        return ""
    if figure.bound == "ratio":
        return "<= " + _ratio(figure.target)
    return "<= " + _quantity(figure.target, figure.unit)


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small models, once")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT, help="the JSON file")
    options = parser.parse_args()
    figures: list[Figure] = []
    for what, measure in PARTS.items():
        print(f"measuring {what}", file=sys.stderr, flush=True)
        figures += measure(quick=options.quick)
    Console(width=None if sys.stdout.isatty() else 150).print(table(figures))
    for note in dict.fromkeys(f"{one.what}: {one.note}" for one in figures if one.note):
        print(note)
    facts = {
        "quick": options.quick,
        "torch": str(torch.__version__),
        "python": platform.python_version(),
        "threads": torch.get_num_threads(),
        "figures": [one.as_json() for one in figures],
    }
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(facts, indent=1) + "\n")
    print(f"written to {options.output}")


if __name__ == "__main__":
    main()
