"""A script under the real debugpy, through GradPeek's own session, with its stdout captured."""

from __future__ import annotations

import asyncio
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from gradpeek.dap.breakpoints import Breakpoint
from gradpeek.dap.interpreter import OWN_DEBUGPY, Interpreter
from gradpeek.dap.start import Program, launch
from support.debugging import STOP_TIMEOUT_S, Ending, Halt, StackFrame, marked_lines

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from gradpeek.dap.debuggee import Debuggee
    from gradpeek.dap.stop import Stop


class DebugpyDebugger:
    """A script under debugpy. Breakpoints are the lines that `# @bp name` comments mark.

    Args:
        script: what to run.
        context: DAP's context of an evaluate: "clipboard" returns all of a text, "repl" cuts it.
    """

    def __init__(self, script: Path, *, context: str) -> None:
        self._script = script
        self._context = context
        self._folder = tempfile.TemporaryDirectory(prefix="gradpeek-test-")
        self._output = Path(self._folder.name, "stdout")
        self._errors = Path(self._folder.name, "stderr")
        self._debuggee: Debuggee | None = None
        self._stop: Stop | None = None

    async def __aenter__(self) -> Self:
        try:
            self._debuggee = await launch(
                Program(
                    self._interpreter(),
                    str(self._script),
                    working_directory=str(self._script.parent),
                ),
                [
                    Breakpoint(str(self._script), line)
                    for line in marked_lines(self._script).values()
                ],
            )
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def _interpreter(self) -> Interpreter:
        """Our Python, writing to files: a launched program has its launcher's stdout and stderr."""
        path = Path(self._folder.name, "python")
        program, output, errors = (
            shlex.quote(str(one)) for one in (sys.executable, self._output, self._errors)
        )
        path.write_text(f'#!/bin/sh\nexec {program} -u "$@" >{output} 2>{errors}\n')
        path.chmod(0o755)
        return Interpreter(str(path), "the test's", sys.version_info[:2], True, OWN_DEBUGPY)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._debuggee is not None
        try:
            await self._debuggee.close(kill=True)
        finally:
            self._folder.cleanup()

    async def wait_stop(self) -> Halt | None:
        """The next stop, or None when the program has ended."""
        assert self._debuggee is not None
        self._stop = await asyncio.wait_for(self._debuggee.next_stop(), STOP_TIMEOUT_S)
        if self._stop is None:
            return None
        return Halt([StackFrame(one.id, one.name, one.path, one.line) for one in self._stop.frames])

    async def evaluate(self, expression: str, frame_id: int) -> str:
        """See gradpeek.evaluator.Evaluator."""
        assert self._debuggee is not None
        session = self._debuggee.root
        return await asyncio.wait_for(
            session.evaluate(expression, frame_id, self._context), STOP_TIMEOUT_S
        )

    async def type_in_console(self, text: str, frame_id: int) -> str:
        """What VS Code's debug console shows of a text that is typed at the present stop."""
        assert self._stop is not None
        session = self._stop.session
        return await asyncio.wait_for(session.evaluate(text, frame_id, "repl"), STOP_TIMEOUT_S)

    async def resume(self) -> None:
        """Let the program run on."""
        assert self._debuggee is not None
        assert self._stop is not None
        await self._debuggee.resume(self._stop)

    async def step_over(self) -> None:
        """Run one line of the stopped thread; `wait_stop` has the result."""
        assert self._debuggee is not None
        assert self._stop is not None
        await self._debuggee.step(self._stop)

    async def finish(self) -> Ending:
        """Run on past all breakpoints, and wait for the program's end."""
        assert self._debuggee is not None
        await self._debuggee.clear_breakpoints()
        while self._stop is not None:
            await self.resume()
            await self.wait_stop()
        status = await asyncio.wait_for(self._debuggee.wait(), STOP_TIMEOUT_S)
        assert status is not None
        return Ending(status, self._output.read_bytes(), self._errors.read_bytes())
