"""debugpy's adapter as a process of ours."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from gradpeek.dap.interpreter import OWN_DEBUGPY
from gradpeek.errors import AdapterError

if TYPE_CHECKING:
    from collections.abc import Callable

_START_TIMEOUT_S = 30.0
_EXIT_TIMEOUT_S = 3.0
_POLL_S = 0.01


class AdapterProcess:
    """A debug adapter that listens for us on a loopback port.

    It serves over TCP, not over its stdio, because an adapter on stdio ends with its client: a
    debuggee that is left running would then lose each child process it starts, as the debugger
    inside connects every new child to the adapter.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gradpeek-", ignore_cleanup_errors=True)
        self._endpoints = Path(self._folder.name, "endpoints.json")
        self._stderr = Path(self._folder.name, "stderr.txt")
        self.host = "127.0.0.1"
        self.port = 0
        command = [sys.executable, str(Path(OWN_DEBUGPY, "adapter")), "--host", self.host]
        with self._stderr.open("wb") as stderr:
            self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and package
                [*command, "--port", "0"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env={**os.environ, "DEBUGPY_ADAPTER_ENDPOINTS": str(self._endpoints)},
                start_new_session=True,  # Ctrl-C is for the program, not for its adapter
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )

    @classmethod
    async def start(cls) -> AdapterProcess:
        """Start an adapter and wait until it listens.

        Raises:
            AdapterError: it does not start.
        """
        adapter = cls()
        try:
            listens = await _becomes_true(adapter._listens, _START_TIMEOUT_S)
        except BaseException:
            adapter._kill()
            raise
        if not listens:
            adapter._kill()
            raise AdapterError(
                f"The debug adapter did not start within {_START_TIMEOUT_S:g} s. Try again."
            )
        return adapter

    def _listens(self) -> bool:
        with contextlib.suppress(OSError, ValueError):  # not there yet, or half written
            client = json.loads(self._endpoints.read_text())["client"]
            self.host, self.port = client["host"], client["port"]
            return True
        if self._has_exited():
            said = self._stderr.read_text(errors="backslashreplace").strip().splitlines()
            raise AdapterError(
                f"The debug adapter ended with status {self._process.returncode}: "
                f"{said[-1] if said else 'it said nothing'}. "
                f"Does `{sys.executable} -m debugpy.adapter` work?"
            )
        return False

    def _has_exited(self) -> bool:
        return self._process.poll() is not None

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    async def close(self, *, kill: bool) -> None:
        """Wait for the adapter to end, as it does by itself after the last debuggee.

        Args:
            kill: whether to end it if it does not; else it stays with the debuggees that it
                still serves, and ends with them.
        """
        try:
            has_exited = await _becomes_true(self._has_exited, _EXIT_TIMEOUT_S if kill else 0)
        except BaseException:
            self._kill()
            raise
        if kill and not has_exited:
            self._kill()
        self._folder.cleanup()
        if not has_exited:
            self._process.returncode = 0  # else Popen warns that it still runs


async def _becomes_true(condition: Callable[[], bool], timeout_s: float) -> bool:
    deadline = asyncio.get_running_loop().time() + timeout_s
    while not condition():
        if asyncio.get_running_loop().time() >= deadline:
            return False
        await asyncio.sleep(_POLL_S)
    return True
