"""On a terminal the program keeps it: input, pdb and progress bars; ours is the tree's width."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest
from rich.cells import cell_len

from support.command_line import COMMAND, at, watched

WAIT_S = 120
TRAINING = """\
import torch

layer = torch.nn.Linear(3, 2)
layer(torch.ones(1, 3)).sum().backward()
print("ready")  # @bp here
"""
INTERACTIVE = """\
import pdb
import sys

import torch
import tqdm

layer = torch.nn.Linear(3, 2)
print("terminal", [stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)])
name = input("your name? ")
print("hello", name)  # @bp here
for _ in tqdm.tqdm(range(3), desc="epochs"):
    pass
answer = 41
pdb.set_trace()
print("answer", answer)
name = input("again? ")
print("bye", name)
"""
ENDLESS = """\
import time

import torch

layer = torch.nn.Linear(3, 2)
print("looping", flush=True)  # @bp here
while True:
    time.sleep(0.05)
"""


@contextmanager
def on_terminal(
    script: Path, source: str, *arguments: str, columns: int = 100, **environ: str
) -> Iterator[tuple[Any, io.StringIO]]:
    """`gradpeek run` on a terminal of its own, and all that appears there."""
    script.write_text(source)
    with watched({"TERM": "xterm", **environ}) as environment:
        child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], "run", *arguments, str(script)],
            env=environment,
            cwd=str(script.parent),
            dimensions=(40, columns),
            encoding="utf-8",
            timeout=WAIT_S,
        )
        seen = io.StringIO()
        child.logfile_read = seen
        try:
            yield child, seen
        finally:
            child.close(force=True)


def write(script: Path, source: str) -> str:
    script.write_text(source)
    return at(script, "here")


def finish(child: Any) -> int:
    """Wait for its end; its exit status."""
    child.expect(pexpect.EOF)
    child.close()
    assert child.signalstatus is None
    return int(child.exitstatus)


def test_input_progress_bars_and_pdb_work_as_without_us(script: Path) -> None:
    place = write(script, INTERACTIVE)
    with on_terminal(script, INTERACTIVE, place) as (child, seen):
        child.expect_exact("terminal [True, True, True]")
        child.expect_exact("your name? ")
        child.sendline("Ada")
        child.expect_exact("Linear")
        child.expect_exact("hello Ada")
        child.expect_exact("epochs: 100%")
        child.expect_exact("(Pdb) ")
        child.sendline("answer + 1")
        child.expect(r"\b42\r\n")
        child.expect_exact("(Pdb) ")
        child.sendline("continue")
        child.expect_exact("answer 41")
        child.expect_exact("again? ")
        child.sendline("Bob")
        child.expect_exact("bye Bob")
        assert finish(child) == 0, seen.getvalue()


@pytest.mark.parametrize("columns", [40, 72, 120])
def test_the_tree_is_coloured_and_never_wider_than_the_terminal(script: Path, columns: int) -> None:
    place = write(script, TRAINING)
    with on_terminal(script, TRAINING, place, columns=columns) as (child, seen):
        assert finish(child) == 0, seen.getvalue()
    text = seen.getvalue()
    assert "\x1b[" in text
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    assert "weight" in plain
    assert max(cell_len(line.split("\r")[-1]) for line in plain.split("\r\n")) <= columns


def test_no_color_is_respected(script: Path) -> None:
    place = write(script, TRAINING)
    with on_terminal(script, TRAINING, place, NO_COLOR="1") as (child, seen):
        assert finish(child) == 0, seen.getvalue()
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", seen.getvalue())
    assert "weight" in seen.getvalue()


def test_a_tree_that_goes_to_a_file_leaves_the_terminal_to_the_program(
    script: Path, tmp_path: Path
) -> None:
    place, shown = write(script, TRAINING), tmp_path / "shown.txt"
    with on_terminal(script, TRAINING, place, f"--output={shown}") as (child, seen):
        assert finish(child) == 0, seen.getvalue()
    assert seen.getvalue().strip() == "ready"
    assert "\x1b" not in shown.read_text()
    assert "layer  Linear" in shown.read_text()


@pytest.mark.parametrize("when", ["before a stop", "after the last stop"])
def test_ctrl_c_ends_the_program_and_leaves_no_process(script: Path, when: str) -> None:
    place = write(script, ENDLESS)
    places = (place,) if when == "after the last stop" else ()
    with on_terminal(script, ENDLESS, *places) as (child, seen):
        child.expect_exact("looping\r\n")
        child.sendintr()
        assert finish(child) == 130, seen.getvalue()
    assert "gradpeek: interrupted" in seen.getvalue()
    assert "asyncio" not in seen.getvalue()


def test_the_terminal_is_echoing_again_after_a_kill(script: Path) -> None:
    place = write(script, INTERACTIVE)
    with on_terminal(script, INTERACTIVE, place, "--then=kill") as (child, seen):
        child.expect_exact("your name? ")
        child.sendline("Ada")
        assert finish(child) == 0, seen.getvalue()
        assert "hello" not in seen.getvalue()
