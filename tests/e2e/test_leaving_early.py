"""Who leaves early, the user or a reader of stdout, ends the program too, and leaves no process."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from support.command_line import COMMAND, RUN_TIMEOUT_S, lines, placed
from support.processes import finish, hear, hear_error, started
from support.programs import TRAINING

LOOP = """\
import sys

import torch

layer = torch.nn.Linear(3, 2)
for step in range(1000):
    last = step  # @bp here
"""
MEASURING = """\
import asyncio, sys
from gradpeek import inspector
from gradpeek.cli import main

measure = inspector.Inspector.measure

async def forever(self, *arguments):
    print("measuring", file=sys.stderr, flush=True)
    while True:
        await measure(self, *arguments)
        await asyncio.sleep(0)  # once all is measured, the line above never waits

inspector.Inspector.measure = forever
main(prog_name="gradpeek")
"""


@pytest.mark.parametrize("style", ["text", "json"])
def test_a_reader_of_stdout_that_leaves_ends_the_run_in_silence(
    script: Path, environment: dict[str, str], style: str
) -> None:
    arguments = placed(script, LOOP, ("@here", "--stops=0", f"--format={style}"))
    with started(environment, *COMMAND, "run", *arguments, str(script)) as process:
        assert hear(process)
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        stderr = process.stderr.read()
        assert process.wait(RUN_TIMEOUT_S) == 141
    assert stderr == ""


@pytest.mark.parametrize(
    ("when", "how"),
    [
        ("statistics", "SIGINT to the terminal"),
        ("an expression", "SIGINT to the terminal"),
        ("an expression", "SIGTERM"),
        ("a run", "SIGINT to the terminal"),
        ("a run", "SIGINT"),
        ("a run", "SIGTERM"),
    ],
)
def test_leaving_early_ends_the_program_too(
    script: Path, environment: dict[str, str], when: str, how: str
) -> None:
    arguments = placed(script, TRAINING, ("@here",))
    command: Sequence[str] = COMMAND
    show: tuple[str, ...] = ()
    if when == "statistics":
        command = (sys.executable, "-c", MEASURING)
    elif when == "an expression":
        show = ("--show=[print('asked', flush=True), time.sleep(600)]",)
    else:
        script.write_text("import time\nprint('asked', flush=True)\ntime.sleep(600)\n")
        arguments = ["--break=uncaught"]
    with started(environment, *command, "run", *arguments, *show, str(script)) as process:
        if when == "statistics":
            hear_error(process, "measuring")
        else:
            assert hear(process) == "asked"
        if how == "SIGINT to the terminal":
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.Signals[how])
        ended = finish(process)
    assert ended.status == 130
    assert lines(ended.stderr) == ["gradpeek: interrupted"]
