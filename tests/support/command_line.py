"""Runs the real command line in a process of its own, and sees that it leaves no other behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from support.debugging import marked_lines

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
COMMAND = (sys.executable, "-m", "gradpeek")
RUN_TIMEOUT_S = 150
_END_TIMEOUT_S = 10
_MARK = "GRADPEEK_TEST_RUN"


@dataclass(frozen=True)
class Ended:
    """What a run of the command line left: its exit status and its text."""

    status: int
    stdout: str
    stderr: str

    @property
    def stops(self) -> list[dict[str, Any]]:
        """Its stdout as JSON, one object a line."""
        return [json.loads(line) for line in self.stdout.splitlines()]


def gradpeek(
    *arguments: str,
    command: Sequence[str] = COMMAND,
    cwd: Path = ROOT,
    environ: Mapping[str, str] | None = None,
    stdin: str = "",
) -> Ended:
    """Run the command line to its end.

    Args:
        arguments: what follows `gradpeek`.
        command: how to start it.
        cwd: where it runs.
        environ: variables to set; by default the Python of the tests runs the program.
        stdin: text for the program.
    """
    with watched(environ) as environment:
        ended = subprocess.run(
            [*command, *arguments],
            cwd=cwd,
            env=environment,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=RUN_TIMEOUT_S,
            check=False,
        )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


@contextmanager
def watched(environ: Mapping[str, str] | None = None) -> Iterator[dict[str, str]]:
    """An environment for a run; none of the processes that inherit it may outlive the block."""
    run = uuid.uuid4().hex
    environment = {**os.environ, "VIRTUAL_ENV": sys.prefix, "PYTHONUTF8": "1", _MARK: run}
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "CI"):
        environment.pop(name, None)
    environment.update(environ or {})
    yield environment
    _, alive = psutil.wait_procs(list(_processes(run)), timeout=_END_TIMEOUT_S)
    left = []
    for process in alive:
        with suppress(psutil.Error):  # it has ended by now, or is a zombie
            left.append(" ".join(process.cmdline()))
            process.kill()
    assert not left, "processes were left behind"


def _processes(run: str) -> Iterator[psutil.Process]:
    for process in psutil.process_iter():
        with suppress(psutil.Error):  # another user's, a zombie, or just gone
            if process.environ().get(_MARK) == run:
                yield process


def at(script: Path, mark: str) -> str:
    """`--break` for the line that `# @bp mark` marks."""
    return f"--break={script}:{marked_lines(script)[mark]}"


def placed(script: Path, source: str, arguments: Sequence[str]) -> list[str]:
    """Write a program; the arguments, with `--break` for each `@name` that is a mark in it."""
    script.write_text(source)
    return [at(script, one[1:]) if one.startswith("@") else one for one in arguments]


def run(script: Path, source: str, *arguments: str, **environ: str) -> Ended:
    """Run `gradpeek run` on a program; `@name` stands for the line with that mark."""
    return gradpeek("run", *placed(script, source, arguments), str(script), environ=environ)


def lines(stderr: str) -> list[str]:
    """Our lines on stderr; nothing of ours may be a traceback."""
    assert "gradpeek/" not in stderr.replace("/gradpeek-", "")
    assert "Exception ignored" not in stderr
    assert "never retrieved" not in stderr
    return [line for line in stderr.splitlines() if line.startswith("gradpeek: ")]


def line(ended: Ended) -> str:
    """Our only line on its stderr."""
    (one,) = lines(ended.stderr)
    return one


def row(stop: dict[str, Any], root: str, name: str) -> dict[str, Any]:
    """The row that has `name` in the root that `root` is the expression of."""
    found: dict[str, Any]
    (found,) = [one for one in rows(stop, root) if name in one["names"]]
    return found


def rows(stop: dict[str, Any], root: str) -> list[dict[str, Any]]:
    """All rows of a root."""
    found: list[dict[str, Any]]
    (found,) = [one["rows"] for one in stop["roots"] if one["expression"] == root]
    return found
