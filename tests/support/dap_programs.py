"""Small programs for the debugger tests, and what they leave behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from gradpeek.dap.breakpoints import Breakpoint
from gradpeek.dap.interpreter import inspect_interpreter
from gradpeek.dap.start import Program

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

TIMEOUT_S = 60.0


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a test's coroutine; fail it where it hangs, or leaves a process behind."""
    ours = psutil.Process()
    before = set(ours.children(recursive=True))

    async def bounded() -> None:
        await asyncio.wait_for(main, TIMEOUT_S)

    try:
        asyncio.run(bounded())
    finally:
        left = [child for child in ours.children(recursive=True) if child not in before]
        _, alive = psutil.wait_procs(left, timeout=5)
        lines = [_command(process) for process in alive]
        for process in alive:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        assert not lines, f"left behind: {lines}"


def _command(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.NoSuchProcess):
        return " ".join(process.cmdline())
    return "(gone)"


class Script:
    """A program in a file, its lines marked with `# @name`."""

    def __init__(self, folder: Path, source: str, name: str = "program.py") -> None:
        self.path = folder / name
        self.source = textwrap.dedent(source).lstrip("\n")
        self.path.write_text(self.source)

    def line(self, mark: str = "bp") -> int:
        """Return the number of the line that ends in `# @mark`."""
        for number, line in enumerate(self.source.splitlines(), 1):
            if line.endswith(f"# @{mark}"):
                return number
        raise AssertionError(f"no line is marked @{mark}")

    def breakpoint_at(self, mark: str = "bp") -> Breakpoint:
        """Return a breakpoint at the line that ends in `# @mark`."""
        return Breakpoint(str(self.path), self.line(mark))

    def program(self, *arguments: str) -> Program:
        """Return what to launch."""
        return Program(inspect_interpreter(sys.executable, "test"), str(self.path), arguments)


def free_port() -> int:
    """Return a port of the loopback where nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextlib.asynccontextmanager
async def running(*command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a process of ours, with pipes; end it afterwards."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


def skip_or_fail(reason: str) -> None:
    """Skip the test, saying why; in CI nothing may be missing, so fail it there."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    print(reason)
    pytest.skip(reason)
