"""A program that is wrong, ends early or holds what raises is told of in one line each.

Exit statuses of programs that are well are in test_command_line.py.
"""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest

from support.command_line import COMMAND, gradpeek, line, lines, placed, run
from support.processes import finish, hear, started
from support.programs import PLAIN, TRAINING

WORKERS = """\
import multiprocessing
import os
import sys

import torch

layer = torch.nn.Linear(3, 2)
PARENT = os.getpid()


def work(number):
    print("worker", number, flush=True)  # @bp worker


if __name__ == "__main__":
    for number in range(2):
        process = multiprocessing.get_context("fork").Process(target=work, args=(number,))
        process.start()
        process.join()
    print("end", flush=True)  # @bp end
"""


def test_a_breakpoint_on_a_line_without_code_moves_on_and_says_so(script: Path) -> None:
    script.write_text(PLAIN)
    ended = run(script, PLAIN, f"--break={script}:4")
    moved, torch = lines(ended.stderr)
    assert moved == f"gradpeek: {script}:4 holds no code, it will stop at line 5"
    assert "torch is not loaded in this process: stop after `import torch`" in torch
    assert (ended.status, ended.stdout) == (4, "end 1\n")


def test_a_syntax_error_in_the_script_is_pythons_to_tell(script: Path) -> None:
    script.write_text("def f(:\n")
    ended = gradpeek("run", f"--break={script}:1", str(script))
    assert line(ended) == f"gradpeek: the program ended with status 1 before it came to {script}:1"
    assert "SyntaxError" in ended.stderr
    assert (ended.status, ended.stdout) == (3, "")


def test_a_program_ended_by_a_signal_is_told_so(script: Path) -> None:
    ended = run(script, "import os\nos.kill(os.getpid(), 9)\nx = 1  # @bp end\n", "@end")
    assert "the program was ended by SIGKILL before it came to" in line(ended)
    assert ended.status == 3


def test_what_an_expression_raises_is_one_line_each_and_the_others_are_shown(script: Path) -> None:
    wrong = ("1 / 0", "sys.exit(3)", "exit()", "layer.", "hostile()", "nope", "layer.weight")
    shows = [f"--show={expression}" for expression in wrong]
    ended = run(script, TRAINING, "@here", "--format=json", *shows)
    told = lines(ended.stderr)
    for text, words in zip(
        told,
        ("ZeroDivisionError", "SystemExit", "SystemExit", "SyntaxError", "ValueError", "NameError"),
        strict=True,
    ):
        assert words in text
    assert r"lines \x1b[31mred\x1b[0m \u202e" in told[4]
    assert "\x1b" not in ended.stderr
    shown, own = ended.stdout.splitlines()
    assert (ended.status, own) == (4, "end")
    assert [len(root["rows"]) for root in json.loads(shown)["roots"]] == [0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("expression", "how"),
    [
        ("[print(os.getpid(), flush=True), time.sleep(600)]", "was ended by SIGKILL"),
        ("[print(os.getpid(), flush=True), os._exit(3)]", "ended with status 3"),
    ],
)
def test_a_program_that_ends_during_a_question_is_told_so(
    script: Path, environment: dict[str, str], expression: str, how: str
) -> None:
    arguments = placed(script, TRAINING, ("@here",))
    with started(
        environment, *COMMAND, "run", *arguments, f"--show={expression}", str(script)
    ) as process:
        program = int(hear(process))
        if "SIGKILL" in how:
            os.kill(program, signal.SIGKILL)
        ended = finish(process)
    assert (ended.status, ended.stdout) == (4, "")
    assert re.search(f"{how}|The program ended", line(ended))


def test_a_child_that_ends_at_its_stop_does_not_hide_the_other_stops(script: Path) -> None:
    deadly = "[layer, os.getpid() == PARENT or number == 1 or os._exit(1)][0]"
    ended = run(
        script, WORKERS, "@worker", "@end", "--stops=0", "--format=json", f"--show={deadly}"
    )
    assert re.fullmatch(r"gradpeek: process \d+ ended while it was looked at", line(ended))
    stops = [json.loads(one) for one in ended.stdout.splitlines() if one.startswith("{")]
    assert [stop["stop"]["function"] for stop in stops] == ["work", "<module>"]
    assert ended.status == 4


def test_a_stop_in_a_worker_names_its_process(script: Path) -> None:
    ended = run(script, WORKERS, "@worker", "@end", "--stops=3", "--format=json", "--show=layer")
    stops = [json.loads(one)["stop"] for one in ended.stdout.splitlines() if one.startswith("{")]
    assert [stop["function"] for stop in stops] == ["work", "work", "<module>"]
    assert len({stop["process"] for stop in stops}) == 3
    assert [one for one in ended.stdout.splitlines() if not one.startswith("{")] == [
        "worker 0",
        "worker 1",
        "end",
    ]
    assert lines(ended.stderr) == []
    assert ended.status == 0
