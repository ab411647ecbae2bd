"""The command line itself: arguments, exit statuses, interpreters, what becomes of the program."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from support.command_line import COMMAND, EXAMPLES, Ended, at, gradpeek, row

ECHO = """\
import sys
print(sys.argv[1:], __name__)
print(sys.stdin.read(), end="")
print("to stderr", file=sys.stderr)
sys.exit(7)
"""

FAILING = """\
import torch

layer = torch.nn.Linear(2, 1)
layer(torch.ones(1, 2)).sum().backward()
loss = layer(torch.ones(1, 3))
"""

BREAKPOINT_CALL = """\
import torch

layer = torch.nn.Linear(2, 1)
breakpoint()
print("after")
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(ECHO)
    return path


def errors(ended: Ended) -> list[str]:
    """The lines on stderr that are ours."""
    return [line for line in ended.stderr.splitlines() if line.startswith(("gradpeek:", "Error:"))]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run",), "Name a SCRIPT"),
        (("run", "missing.py"), "no script 'missing.py'"),
        (("run", "--break", "train.py", "train.py"), "neither FILE:LINE nor 'uncaught'"),
        (("run", "--break", "train.py:0", "train.py"), "neither FILE:LINE nor 'uncaught'"),
        (("run", "--break", "train.py:99", "train.py"), "no code at line 99"),
        (("run", "--break", "other.py:1", "train.py"), "Cannot read other.py"),
        (("run", "--stops", "-1", "train.py"), "--stops"),
        (("run", "--frame", "x", "train.py"), "--frame"),
        (("run", "--format", "yaml", "train.py"), "--format"),
        (("run", "-o", "missing/out.txt", "train.py"), "missing/out.txt"),
        (("run", "-m"), "-m"),
        (("attach",), "HOST:PORT or --pid"),
        (("attach", "localhost"), "not HOST:PORT"),
        (("attach", "localhost:99999"), "not HOST:PORT"),
        (("attach", "localhost:1", "--pid", "1"), "HOST:PORT or --pid"),
        (("train.py",), "No such command"),
    ],
)
def test_a_wrong_command_line_is_refused_in_one_line(
    script: Path, arguments: tuple[str, ...], words: str
) -> None:
    ended = gradpeek(*arguments, cwd=script.parent)
    assert ended.status == 2
    assert ended.stdout == ""
    (line,) = errors(ended)
    assert words in line


def test_what_follows_the_script_is_the_programs_own(script: Path) -> None:
    arguments = ("--lr", "1", "-m", "x", "--break", "y", "--", "--help")
    ended = gradpeek("run", str(script), *arguments, cwd=script.parent, stdin="its stdin\n")
    assert ended.stdout == f"{list(arguments)} __main__\nits stdin\n"
    assert "to stderr\n" in ended.stderr


def test_a_program_that_ends_before_a_stop_says_so(script: Path) -> None:
    place = f"{script}:4"
    script.write_text("import sys\nif len(sys.argv) > 1:\n    print('never')\n    print('never')\n")
    ended = gradpeek("run", "--break", place, str(script))
    assert ended.status == 3
    assert errors(ended) == [f"gradpeek: the program ended with status 0 before it came to {place}"]


def test_without_a_breakpoint_there_is_advice(script: Path) -> None:
    ended = gradpeek("run", str(script))
    assert ended.status == 3
    assert errors(ended) == [
        "gradpeek: the program ended with status 7 without a stop: name one with --break FILE:LINE"
    ]


def test_the_exit_status_of_the_program_does_not_alter_ours(script: Path) -> None:
    script.write_text("import sys, torch\nw = torch.ones(2, requires_grad=True)\nsys.exit(7)\n")
    ended = gradpeek("run", "--break", f"{script}:3", str(script))
    assert ended.status == 0, ended.stderr
    assert "w  [2] float32" in ended.stdout


def test_an_uncaught_exception_is_a_stop_where_it_was_raised_in_ones_own_code(
    script: Path,
) -> None:
    script.write_text(FAILING)
    ended = gradpeek("run", "--break", "uncaught", "--format", "json", str(script))
    assert ended.status == 0, ended.stderr
    (stop,) = ended.stops
    assert stop["stop"]["reason"] == "exception"
    assert stop["stop"]["exception"].startswith("RuntimeError")
    assert (stop["stop"]["file"], stop["stop"]["line"]) == (str(script), 5)
    assert row(stop, "layer", "weight")["grad"]["state"] == "present"
    assert "RuntimeError" in ended.stderr, "the program's own traceback"


def test_a_call_of_breakpoint_is_a_stop(script: Path) -> None:
    script.write_text(BREAKPOINT_CALL)
    ended = gradpeek("run", "--format", "json", str(script))
    assert ended.status == 0, ended.stderr
    shown, own = ended.stdout.splitlines()
    assert '"layer"' in shown
    assert own == "after"


def test_an_expression_that_raises_is_named_beside_those_that_do_not(script: Path) -> None:
    script.write_text(BREAKPOINT_CALL)
    ended = gradpeek("run", "--show=nope.weight", "--show=layer.bias", str(script))
    assert ended.status == 4
    (line,) = errors(ended)
    assert "nope" in line
    assert "layer.bias  [1] float32" in ended.stdout


def test_a_frame_that_is_not_there_is_named(script: Path) -> None:
    script.write_text(BREAKPOINT_CALL)
    ended = gradpeek("run", "--frame=9", str(script))
    assert ended.status == 2
    (line,) = errors(ended)
    assert "--frame 9" in line


def test_a_program_without_torch_is_told_apart_from_one_without_gradients(script: Path) -> None:
    script.write_text("x = 1\nx = 2\n")
    ended = gradpeek("run", "--break", f"{script}:2", str(script))
    assert ended.status == 4
    (line,) = errors(ended)
    assert "torch" in line


TORCHLESS_HOST = """\
import sys

class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError("the host has imported torch")

sys.meta_path.insert(0, NoTorch())
from gradpeek.cli import main
main(prog_name="gradpeek")
"""


@pytest.mark.parametrize("way", ["--python", "VIRTUAL_ENV", "PATH"])
def test_a_host_without_torch_runs_the_program_in_a_python_that_has_it(
    tmp_path: Path, way: str
) -> None:
    other = _environment_like(tmp_path)
    script = EXAMPLES / "quadratic.py"
    arguments = ["run", at(script, "after backward"), "--format=json", str(script)]
    environ = {"VIRTUAL_ENV": "", "PATH": os.defpath}
    if way == "--python":
        arguments.insert(1, f"--python={other / 'bin' / 'python'}")
    elif way == "VIRTUAL_ENV":
        environ["VIRTUAL_ENV"] = str(other)
    else:
        environ["PATH"] = f"{other / 'bin'}{os.pathsep}{os.defpath}"
    host = (sys.executable, "-c", TORCHLESS_HOST)
    ended = gradpeek(*arguments, command=host, environ=environ)
    assert ended.status == 0, ended.stderr
    assert '"x"' in ended.stdout


def _environment_like(folder: Path) -> Path:
    """A folder like a virtual environment, whose Python is the tests' and leaves a trace."""
    python = folder / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    return folder / "venv"


def test_a_python_that_does_not_run_is_named(script: Path) -> None:
    ended = gradpeek("run", "--python=/no/such/python", str(script))
    assert ended.status == 4
    (line,) = errors(ended)
    assert "/no/such/python" in line
    assert "--python" in line


def test_the_version_is_told() -> None:
    import gradpeek as package

    ended = gradpeek("--version", command=COMMAND)
    assert ended.stdout.strip().endswith(package.__version__)
