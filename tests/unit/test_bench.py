"""The benchmark runs, and its JSON has every figure; what it measures is judged by people."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.figure import Figure
from benchmarks.statistics_figures import CASES

RUN = Path(__file__).parents[1] / "benchmarks" / "run.py"
KEYS = {
    *("tree_10000", "first_rows_1000", "decode_10000", "naive_10000", "sum_10000"),
    *("tracker_gpt2", "naive_gpt2", "peak_memory"),
    *("editor_1000", "editor_20000", "editor_search_20000"),
    *("gpt2_stop_rows", "gpt2_stop", "gpt2_first_stop_rows", "idle_stop"),
    *("statistics: " + name for name in CASES),
}


def test_a_quick_benchmark_writes_every_figure(tmp_path: Path) -> None:
    output = tmp_path / "bench.json"
    command = [sys.executable, str(RUN), "--quick", "-o", str(output)]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    found = json.loads(output.read_text())
    assert {figure["key"] for figure in found["figures"]} == KEYS
    by_key = {figure["key"]: figure for figure in found["figures"]}
    assert by_key["idle_stop"]["ours"] == 0
    for key in ("tree_10000", "gpt2_stop_rows", "gpt2_stop", "tracker_gpt2"):
        assert by_key[key]["ours"] > 0
        assert by_key[key]["ratio"] == pytest.approx(by_key[key]["ours"] / by_key[key]["baseline"])
    assert "Variables view" in shown.stdout


@pytest.mark.parametrize(
    ("ours", "baseline", "bound", "target", "met"),
    [
        (1.0, 4.0, "ratio", 0.25, True),
        (1.1, 4.0, "ratio", 0.25, False),
        (0.1, 4.0, "ours", 0.1, True),
        (0.2, None, "ours", 0.1, False),
        (None, 4.0, "ratio", 0.25, None),
        (1.0, 4.0, None, None, None),
    ],
)
def test_a_target_bounds_the_ratio_or_ours(
    ours: float | None,
    baseline: float | None,
    bound: str | None,
    target: float | None,
    *,
    met: bool | None,
) -> None:
    figure = Figure("key", "", "", "s", ours, baseline, bound, target)  # type: ignore[arg-type]
    assert figure.met is met
