"""A progress bar is for a terminal, and for statistics that take long."""

from __future__ import annotations

import sys
from pathlib import Path

import pexpect
import pytest

from support.command_line import ROOT, RUN_TIMEOUT_S, gradpeek, placed, watched
from support.programs import TRAINING

LARGE = TRAINING.replace("(3, 2)", "(2000, 2000)").replace("(1, 3)", "(1, 2000)")
SLOW = """\
from functools import partialmethod
from gradpeek import inspector, stops
from gradpeek.cli import main

inspector.Inspector.measure = partialmethod(inspector.Inspector.measure, budget_s=1e-6)
stops.BAR_AFTER_S = {threshold}
main(prog_name="gradpeek")
"""


@pytest.mark.parametrize(("threshold", "is_shown"), [(0, True), (3600, False)])
def test_a_progress_bar_is_shown_on_a_terminal_only_when_statistics_take_long(
    script: Path, *, threshold: int, is_shown: bool
) -> None:
    command = (sys.executable, "-c", SLOW.format(threshold=threshold))
    arguments = placed(script, LARGE, ("@here", "--show=layer"))
    with watched({"TERM": "xterm"}) as environment:
        text = pexpect.run(
            " ".join(f"'{word}'" for word in (*command, "run", *arguments, str(script))),
            env=environment,
            cwd=str(ROOT),
            encoding="utf-8",
            timeout=RUN_TIMEOUT_S,
        )
    assert "weight" in text
    assert ("statistics" in text) is is_shown


def test_a_progress_bar_is_never_piped(script: Path) -> None:
    command = (sys.executable, "-c", SLOW.format(threshold=0))
    arguments = placed(script, LARGE, ("@here", "--show=layer"))
    ended = gradpeek("run", *arguments, str(script), command=command)
    assert ended.status == 0
    assert ended.stderr == ""
    assert "statistics" not in ended.stdout
