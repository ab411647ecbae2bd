"""Talks line by line to a process, through its pipes."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from support.command_line import ROOT, RUN_TIMEOUT_S, Ended


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
    stdout, stderr = process.communicate(timeout=RUN_TIMEOUT_S)
    return Ended(process.returncode, stdout, stderr)
