"""A program that runs already is debugged for a while, and runs on as if nobody had been there."""

from __future__ import annotations

import shutil
import signal
import sys
from pathlib import Path

import pytest

from support.command_line import COMMAND, at, gradpeek, line, lines
from support.dap_programs import skip_or_fail
from support.processes import finish, hear, hear_error, say, started

READER = """\
import sys


def work():
    print("ready", flush=True)
    for number in range(3):
        line = sys.stdin.readline()
        print("read", line.strip(), flush=True)  # @bp read
    print("end", flush=True)


if len(sys.argv) > 1:
    import debugpy

    print(*debugpy.listen(("127.0.0.1", 0)), sep=":", flush=True)
    debugpy.wait_for_client()
work()
never = len(sys.argv) > 9 and 1
if never:
    never = 2  # @bp never
"""


def test_a_program_that_is_debugged_already_is_named_and_runs_on_after_ctrl_c(
    script: Path, environment: dict[str, str]
) -> None:
    script.write_text(READER)
    with started(environment, sys.executable, str(script), "listen") as program:
        address = hear(program)
        attach = (*COMMAND, "attach", address, at(script, "read"), "--stops=2")
        with started(environment, *attach) as ours:
            assert hear(program) == "ready"  # so we are there
            say(program, "one")
            hear_error(ours, "torch is not loaded")
            assert hear(program) == "read one"
            ended = gradpeek("attach", address)
            assert "already being debugged" in line(ended)
            assert (ended.status, ended.stdout) == (4, "")
            ours.send_signal(signal.SIGINT)
            ended = finish(ours)
            assert (ended.status, lines(ended.stderr)) == (130, ["gradpeek: interrupted"])
        say(program, "two\nthree")
        ended = finish(program)
        assert (ended.status, ended.stdout) == (0, "read two\nread three\nend\n")


def test_an_attached_program_runs_on_after_the_stops_that_were_asked_for(
    script: Path, environment: dict[str, str]
) -> None:
    script.write_text(READER)
    with started(environment, sys.executable, str(script), "listen") as program:
        attach = (*COMMAND, "attach", hear(program), at(script, "read"), "--stops=2")
        with started(environment, *attach) as ours:
            say(program, "one\ntwo\nthree")
            ended = finish(ours)
            assert len(lines(ended.stderr)) == 2
            assert (ended.status, ended.stdout) == (4, "")
        ended = finish(program)
        assert (ended.status, ended.stdout) == (0, "ready\nread one\nread two\nread three\nend\n")


@pytest.mark.parametrize("is_killed", [False, True])
def test_an_attached_program_that_ends_before_a_stop_is_told_so(
    script: Path, environment: dict[str, str], *, is_killed: bool
) -> None:
    script.write_text(READER)
    with started(environment, sys.executable, str(script), "listen") as program:
        place = at(script, "never")
        with started(environment, *COMMAND, "attach", hear(program), place) as ours:
            assert hear(program) == "ready"
            if is_killed:
                program.kill()
            else:
                say(program, "one\ntwo\nthree")
            ended = finish(ours)
    told = f"gradpeek: the program ended before it came to {place.removeprefix('--break=')}"
    assert line(ended) == told
    assert (ended.status, ended.stdout) == (3, "")


@pytest.mark.parametrize("leave", [False, True], ids=["stays", "ctrl-c"])
def test_a_pause_waits_for_a_process_that_is_inside_a_native_call(
    script: Path, environment: dict[str, str], *, leave: bool
) -> None:
    if shutil.which("gdb") is None:
        skip_or_fail("attaching to a process needs gdb, which is not installed")
    script.write_text(READER)
    with started(environment, sys.executable, str(script)) as program:
        assert hear(program) == "ready"
        with started(environment, *COMMAND, "attach", "--pid", str(program.pid)) as ours:
            hear_error(ours, "waiting for Python")
            if leave:
                ours.send_signal(signal.SIGINT)
                ended = finish(ours)
                assert (ended.status, lines(ended.stderr)) == (130, ["gradpeek: interrupted"])
                say(program, "one")
            else:
                say(program, "one")
                ended = finish(ours)
                assert ended.status == 4
                assert "torch is not loaded" in line(ended)
        assert hear(program) == "read one"
        say(program, "two")
        say(program, "three")
        assert finish(program).stdout == "read two\nread three\nend\n"
        assert program.returncode == 0
