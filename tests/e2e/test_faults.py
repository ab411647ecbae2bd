"""What breaks is told in one line, with the right exit status, and leaves no process.

Wrong arguments are in test_command_line.py, the terminal is in test_terminal.py.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest

from support.command_line import COMMAND, ROOT, Ended, at, gradpeek, watched
from support.dap_programs import free_port, skip_or_fail
from support.fake_adapter import Conversation, fake_adapter

END_S = 60
PLAIN = """\
import sys

x = 1
# a comment
print("end", len(sys.argv))  # @bp end
"""
TRAINING = """\
import os
import sys
import time

import torch

layer = torch.nn.Linear(3, 2)
layer(torch.ones(1, 3)).sum().backward()


def hostile():
    raise ValueError("two\\nlines \\x1b[31mred\\x1b[0m \\u202e")


print("end", flush=True)  # @bp here
"""
LOOP = """\
import sys

import torch

layer = torch.nn.Linear(3, 2)
for step in range(1000):
    last = step  # @bp here
"""
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


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "train.py"


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    """That of the processes of a test, none of which may outlive it."""
    with watched() as environment:
        yield environment


def run(script: Path, source: str, *arguments: str, **environ: str) -> Ended:
    """Run `gradpeek run` on a program; `@name` stands for the line with that mark."""
    return gradpeek("run", *placed(script, source, arguments), str(script), environ=environ)


def placed(script: Path, source: str, arguments: Sequence[str]) -> list[str]:
    script.write_text(source)
    return [at(script, one[1:]) if one.startswith("@") else one for one in arguments]


def lines(stderr: str) -> list[str]:
    """Our lines on stderr; nothing of ours may be a traceback."""
    assert "gradpeek/" not in stderr.replace("/gradpeek-", "")
    assert "Exception ignored" not in stderr
    assert "never retrieved" not in stderr
    return [line for line in stderr.splitlines() if line.startswith("gradpeek: ")]


def line(ended: Ended) -> str:
    (one,) = lines(ended.stderr)
    return one


@contextmanager
def started(environment: dict[str, str], *command: str) -> Iterator[subprocess.Popen[str]]:
    """A process with pipes, in a group of its own; killed where the test fails."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**environment, "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def say(process: subprocess.Popen[str], text: str) -> None:
    """Write a line to its stdin."""
    assert process.stdin is not None
    process.stdin.write(text + "\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> str:
    """The next line of its stdout."""
    assert process.stdout is not None
    return process.stdout.readline().rstrip("\n")


def hear_error(process: subprocess.Popen[str], words: str) -> None:
    """Wait for a line with `words` on its stderr."""
    assert process.stderr is not None
    heard = []
    for one in process.stderr:
        if words in one:
            return
        heard.append(one)
    pytest.fail(f"it never said {words!r} but {heard}")


def finish(process: subprocess.Popen[str]) -> Ended:
    """Wait for its end."""
    stdout, stderr = process.communicate(timeout=END_S)
    return Ended(process.returncode, stdout, stderr)


# The program.


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


# The interpreter and the output.


def test_a_python_that_cannot_run_the_program_is_named(script: Path, tmp_path: Path) -> None:
    shell = shutil.which("sh")
    ended = run(script, PLAIN, f"--python={shell}")
    assert re.search(rf"{shell} \(from --python\) is no Python 3 .* Check --python", line(ended))
    assert (ended.status, ended.stdout) == (4, "")
    ended = run(script, PLAIN, VIRTUAL_ENV=str(tmp_path / "gone"))
    assert "(from $VIRTUAL_ENV): No such file or directory. Name another with" in line(ended)
    assert (ended.status, ended.stdout) == (4, "")


def test_a_file_that_cannot_be_written_is_named_before_the_program_starts(
    script: Path, tmp_path: Path
) -> None:
    path = tmp_path / "gone" / "shown.txt"
    ended = run(script, PLAIN, f"--output={path}")
    assert line(ended).startswith(f"gradpeek: Cannot write {path}: No such file or directory.")
    assert (ended.status, ended.stdout) == (2, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named(script: Path) -> None:
    ended = run(script, TRAINING, "@here", "--output=/dev/full")
    assert line(ended).startswith("gradpeek: Cannot write /dev/full: No space left on device.")
    assert ended.status == 2


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
        assert process.wait(END_S) == 141
    assert stderr == ""


# Whom we attach to.


@contextmanager
def answering(answer: Callable[[socket.socket], object]) -> Iterator[str]:
    """A server on a port that is no debug adapter; yields HOST:PORT."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            client, _ = server.accept()
            with client:
                client.recv(1)
                answer(client)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def until_it_leaves(client: socket.socket) -> None:
    while client.recv(4096):
        pass


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda client: client.sendall(b"SSH-2.0-OpenSSH_9.2\r\n"), "is not a debug adapter: it"),
        (lambda client: client.sendall(b"\x1b[2J\n\x00"), r"it sent '\x1b[2J\n'"),
        (lambda client: None, "closed the connection"),
        (until_it_leaves, "did not answer the request 'initialize' within 10 s"),
    ],
    ids=["garbage", "escapes", "nothing", "silence"],
)
def test_a_port_that_something_else_uses_is_named(
    answer: Callable[[socket.socket], object], words: str
) -> None:
    with answering(answer) as address:
        ended = gradpeek("attach", address)
    assert words in line(ended).replace("Connection reset by peer", "closed the connection")
    assert address in line(ended)
    assert (ended.status, ended.stdout) == (4, "")


def test_an_address_where_nobody_listens_is_named_with_what_to_do() -> None:
    address = f"127.0.0.1:{free_port()}"
    ended = gradpeek("attach", address)
    assert line(ended) == (
        f"gradpeek: Cannot connect to {address}: Connection refused. Is the program running, and "
        f"was it started with `python -m debugpy --listen {address} …`?"
    )
    assert ended.status == 4
    ended = gradpeek("attach", "nowhere.invalid:5678")
    assert "Cannot connect to nowhere.invalid:5678: " in line(ended)
    assert ended.status == 4


@pytest.mark.parametrize("address", ["localhost:²", ":0", "localhost:", f"a:{'9' * 5000}"])
def test_what_is_no_address_is_refused(address: str) -> None:
    ended = gradpeek("attach", address)
    assert ended.status == 2
    assert "is not HOST:PORT, e.g. localhost:5678" in ended.stderr.splitlines()[-1]


def test_a_process_that_is_gone_is_named(environment: dict[str, str]) -> None:
    with started(environment, sys.executable, "-c", "") as process:
        process.wait()
        ended = gradpeek("attach", "--pid", str(process.pid))
    assert line(ended) == f"gradpeek: There is no process {process.pid}. Check --pid."
    assert (ended.status, ended.stdout) == (4, "")


def refuse(talk: Conversation, request: dict[str, Any]) -> None:
    talk.answer(request, {}, success=False, message="no\n\x1b[31mTraceback\x1b[0m")


@pytest.mark.parametrize(
    ("misbehave", "bodies", "words"),
    [
        (lambda talk, _: talk.event("continued", {}), {}, "the program has run since"),
        (lambda talk, _: talk.event("terminated", {}), {}, "The program ended"),
        (lambda talk, _: talk.hang_up(), {}, "closed the connection"),
        (lambda talk, _: talk.raw(b"\xffgarbage\n"), {}, "is not a debug adapter"),
        (lambda talk, _: talk.send([]), {}, "is not a debug adapter"),
        (lambda talk, _: talk.event("debugpyAttach", {}), {}, "not DAP"),
        (lambda talk, asked: talk.answer(asked, {"result": "x\x1b"}), {}, r"loaded: x\x1b"),
        (lambda talk, asked: talk.answer(asked, 7), {}, "could not be loaded"),
        (refuse, {}, r"no\n\x1b[31mTraceback\x1b[0m"),
        (refuse, {"stopped": {"reason": "pause"}}, "told of a stop, but not as in DAP"),
        (refuse, {"threads": {"threads": [7]}}, "told of a stop, but not as in DAP"),
        (refuse, {"stackTrace": {"stackFrames": [{}]}}, "told of a stop, but not as in DAP"),
        (refuse, {"stackTrace": {}}, "no frame of Python"),
    ],
)
def test_an_adapter_that_misbehaves_at_a_stop_is_told_in_one_line(
    misbehave: Callable[[Conversation, dict[str, Any]], None], bodies: dict[str, Any], words: str
) -> None:
    with fake_adapter(misbehave, **bodies) as address:
        ended = gradpeek("attach", address)
    assert words in line(ended)
    assert "\x1b" not in ended.stderr
    assert (ended.status, ended.stdout) == (4, "")


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


# Leaving early.

MEASURING = """\
import asyncio, sys
from gradpeek import inspector
from gradpeek.cli import main

measure = inspector.Inspector.measure

async def forever(self, *arguments):
    print("measuring", file=sys.stderr, flush=True)
    while True:
        await measure(self, *arguments)

inspector.Inspector.measure = forever
main(prog_name="gradpeek")
"""


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


# Progress.

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
            timeout=END_S,
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
