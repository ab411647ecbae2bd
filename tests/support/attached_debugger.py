"""A running script that debugpy comes to later: through a port, or into its process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gradpeek.dap.breakpoints import Breakpoint
from gradpeek.dap.interpreter import OWN_DEBUGPY
from gradpeek.dap.start import attach, attach_process
from support.debugging import STOP_TIMEOUT_S, Ending, marked_lines
from support.debugpy_debugger import DebugpyDebugger

if TYPE_CHECKING:
    from typing_extensions import Self

_SCRIPT_AS_MAIN = "import runpy; runpy.run_path(sys.argv[1], run_name='__main__')"
_LISTENS = (
    "import os, sys; sys.path.insert(0, {debugpy!r}); import debugpy; "
    "os.write({told}, str(debugpy.listen(('127.0.0.1', 0))[1]).encode()); "
    "debugpy.wait_for_client(); " + _SCRIPT_AS_MAIN
)
_WAITS = "import os, sys; os.write({told}, b'0'); os.read({go}, 1); " + _SCRIPT_AS_MAIN


class AttachedDebugger(DebugpyDebugger):
    """Attaches to a script that already runs.

    Args:
        script: what to run.
        way: "port", where the program listens and waits for us; "pid", where it knows of nothing.
    """

    def __init__(self, script: Path, *, way: str) -> None:
        super().__init__(script, context="clipboard")
        self._way = way
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        told, tell = os.pipe()
        go, let_go = os.pipe()
        code = (_LISTENS if self._way == "port" else _WAITS).format(
            debugpy=str(Path(OWN_DEBUGPY).parent), told=tell, go=go
        )
        with self._output.open("wb") as output, self._errors.open("wb") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-u", "-c", code, str(self._script)),
                cwd=self._script.parent,
                env={**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1"},
                stdout=output,
                stderr=errors,
                pass_fds=(tell, go),
            )
        places = [
            Breakpoint(str(self._script), line) for line in marked_lines(self._script).values()
        ]
        try:
            for ours in (tell, go):
                os.close(ours)
            port = int(await asyncio.to_thread(os.read, told, 16))
            if self._way == "port":
                self._debuggee = await attach("127.0.0.1", port, places)
            else:
                self._debuggee = await attach_process(self._process.pid, places)
            os.write(let_go, b"!")
        except BaseException:
            await self._end()
            raise
        finally:
            os.close(told)
            os.close(let_go)
        return self

    async def __aexit__(self, *error: object) -> None:
        try:
            if self._debuggee is not None:
                await self._debuggee.close()
        finally:
            await self._end()

    async def _end(self) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        self._folder.cleanup()

    async def finish(self) -> Ending:
        """Run on past all breakpoints, and wait for the program's end."""
        assert self._debuggee is not None
        assert self._process is not None
        await self._debuggee.clear_breakpoints()
        while self._stop is not None:
            await self.resume()
            await self.wait_stop()
        status = await asyncio.wait_for(self._process.wait(), STOP_TIMEOUT_S)
        return Ending(status, self._output.read_bytes(), self._errors.read_bytes())
