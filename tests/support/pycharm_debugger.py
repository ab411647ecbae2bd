"""Plays the IDE's side of PyCharm's own debugger against the real `pydevd-pycharm` debuggee.

Modelled on PyCharm: an expression is evaluated once, its value is kept in the frame under a
temporary name, and its presentation is cut to 256 characters without a mark; the whole text is
had by evaluating the temporary name without the cut, as PyCharm's XFullValueEvaluator does.
The wire: lines of `command TAB sequence TAB payload`.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import sys
from typing import TYPE_CHECKING
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from gradpeek.errors import ConnectionLostError, DebuggeeEndedError, EvaluateError
from support.debugging import STOP_TIMEOUT_S, Ending, Halt, StackFrame, marked_lines

if TYPE_CHECKING:
    from asyncio import Future, StreamReader, StreamWriter
    from asyncio.subprocess import Process
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Self

PRESENTATION_LENGTH = 256
"""PyCharm shows this much of a value (PyDebugValue.MAX_VALUE) and offers the rest on demand."""

RUN, THREAD_SUSPEND, THREAD_RUN, STEP_OVER = 101, 105, 106, 108
SET_BREAK, REMOVE_BREAK, EVALUATE, GET_FRAME, EXECUTE = 111, 112, 113, 114, 115
WRITE_TO_CONSOLE, CONSOLE_EXEC = 116, 121
VERSION, ERROR = 501, 901

_LIMIT = 1 << 26


class PyCharmDebugger:
    """A script under pydevd-pycharm, stopped by PyCharm's protocol.

    Breakpoints are the lines that `# @bp name` comments mark.

    Args:
        script: what to run.
        asks_full_value: whether a presentation that is cut is followed by its full value.
        ipython: whether the debug console is IPython's, as it is by default in PyCharm.
    """

    def __init__(
        self, script: Path, *, asks_full_value: bool = True, ipython: bool = False
    ) -> None:
        self._script = script
        self._ipython = ipython
        self._printed: list[str] = []
        self._asks_full_value = asks_full_value
        self._numbers = itertools.count(1, 2)
        self._temporaries = itertools.count(1)
        self._open: dict[int, Future[tuple[int, str]]] = {}
        self._stops: asyncio.Queue[tuple[str, Halt] | None] = asyncio.Queue()
        self._suspended: set[str] = set()
        self._thread = ""
        self._kept: dict[tuple[str, int], list[str]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._output: asyncio.Task[tuple[bytes, bytes]] | None = None
        self._process: Process | None = None
        self._writer: StreamWriter | None = None

    async def __aenter__(self) -> Self:
        connected: Future[tuple[StreamReader, StreamWriter]]
        connected = asyncio.get_running_loop().create_future()

        def accept(reader: StreamReader, writer: StreamWriter) -> None:
            if not connected.done():
                connected.set_result((reader, writer))

        server = await asyncio.start_server(accept, "127.0.0.1", 0, limit=_LIMIT)
        port = server.sockets[0].getsockname()[1]
        try:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "pydevd", "--client", "127.0.0.1", "--port", str(port)),
                *("--file", str(self._script)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=self._script.parent,
                env={
                    **os.environ,
                    "PYTHONUNBUFFERED": "1",
                    "IPYTHONENABLE": str(self._ipython),
                },
                start_new_session=True,
            )
            self._output = asyncio.create_task(_communicate(self._process))
            reader, self._writer = await asyncio.wait_for(connected, STOP_TIMEOUT_S)
            self._tasks.append(asyncio.create_task(self._listen(reader)))
            await self._ask(VERSION, "263.7307.50\tUNIX")
            for line in marked_lines(self._script).values():
                place = f"python-line\t{self._script}\t{line}\tNone\tALL\tNone\tNone"
                self._tell(SET_BREAK, place)
            self._tell(RUN, "")
        except BaseException:
            await self._end()
            raise
        finally:
            server.close()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._end()

    async def _end(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()
        if self._writer is not None:
            self._writer.close()
        for task in (*self._tasks, self._output):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, OSError):
                    await task

    # Conversation.

    def _tell(self, command: int, payload: str) -> int:
        assert self._writer is not None
        number = next(self._numbers)
        text = payload.replace("\n", "@LINE@")
        self._writer.write(f"{command}\t{number}\t{text}\n".encode())
        return number

    async def _ask(self, command: int, payload: str) -> str:
        """Payload of the answer.

        Raises:
            EvaluateError: the debuggee answered with an error.
            DebuggeeEndedError: it ended before it answered.
        """
        answer: Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        self._open[self._tell(command, payload)] = answer
        kind, text = await asyncio.wait_for(answer, STOP_TIMEOUT_S)
        if kind == ERROR:
            raise EvaluateError(text)
        return text

    async def _listen(self, reader: StreamReader) -> None:
        while line := await reader.readline():
            command, number, payload = line.decode().rstrip("\n").split("\t", 2)
            text = unquote(payload)
            if int(command) == WRITE_TO_CONSOLE:
                for io in ET.fromstring(text).iter("io"):
                    self._printed.append(unquote(io.get("s", "")))
            elif int(command) == THREAD_SUSPEND:
                thread, reason, halt = _halt(text)
                self._suspended.add(thread)
                if reason != THREAD_SUSPEND:  # else it stands because another thread stopped
                    self._stops.put_nowait((thread, halt))
            elif int(command) == THREAD_RUN:
                self._suspended.discard(text.split("\t")[0])
            elif int(number) in self._open:
                self._open.pop(int(number)).set_result((int(command), text))
        self._suspended.clear()
        self._stops.put_nowait(None)
        for answer in self._open.values():
            answer.set_exception(DebuggeeEndedError("The program ended. Run it again to ask."))

    # What PyCharm does with it.

    async def wait_stop(self) -> Halt | None:
        """The next stop, or None when the program has ended."""
        stop = await asyncio.wait_for(self._stops.get(), STOP_TIMEOUT_S)
        if stop is None:
            self._stops.put_nowait(None)  # to say it again when asked again
            return None
        self._thread, halt = stop
        return halt

    async def evaluate(self, expression: str, frame_id: int) -> str:
        """Text that PyCharm has of the value; see gradpeek.evaluator.Evaluator.

        Raises:
            EvaluateError: no thread is suspended, or the expression raised.
            DebuggeeEndedError: the program has ended, or ends meanwhile.
        """
        name = f"__py_debug_temp_var_{next(self._temporaries)}"
        self._kept.setdefault((self._thread, frame_id), []).append(name)
        presentation = await self._text(expression, frame_id, cut=True, keep_as=name)
        if len(presentation) < PRESENTATION_LENGTH:
            return presentation
        if not self._asks_full_value:
            return presentation[:PRESENTATION_LENGTH]
        return await self._text(name, frame_id, cut=False)

    async def _text(self, expression: str, frame_id: int, *, cut: bool, keep_as: str = "") -> str:
        assert self._process is not None
        if self._process.returncode is not None:
            raise DebuggeeEndedError("The program ended. Run it again to ask.")
        if self._thread not in self._suspended:
            raise EvaluateError("The program runs: there is no frame to evaluate in.")
        place = f"{self._thread}\t{frame_id}\tLOCAL\t{expression}\t{int(cut)}\t{keep_as}"
        answer = ET.fromstring(await self._ask(EVALUATE, place)).find("var")
        if answer is None:
            raise ConnectionLostError("pydevd answered an evaluate without a value.")
        text = unquote(answer.get("value", ""))
        if answer.get("isErrorOnEval") == "True":
            raise EvaluateError(f"{answer.get('type')}: {text}")
        return text

    async def type_in_console(self, text: str, frame_id: int) -> str:
        """What PyCharm's debug console shows of a text that is typed at the present stop."""
        self._printed.clear()
        await self._ask(CONSOLE_EXEC, f"{self._thread}\t{frame_id}\tLOCAL\t{text}")
        return "".join(self._printed)

    async def variables(self, frame_id: int) -> dict[str, str]:
        """Names and types that the Variables view shows of a frame."""
        payload = f"{self._thread}\t{frame_id}\tFRAME\t0"
        found = ET.fromstring(await self._ask(GET_FRAME, payload))
        return {unquote(var.get("name", "")): var.get("type", "") for var in found.iter("var")}

    async def resume(self) -> None:
        """Let the program run on, all its threads."""
        await self._forget_values()
        self._suspended.clear()
        self._tell(THREAD_RUN, "*")

    async def step_over(self) -> None:
        """Run one line of the stopped thread; `wait_stop` has the result."""
        await self._forget_values()
        self._suspended.discard(self._thread)
        self._tell(STEP_OVER, self._thread)

    async def _forget_values(self) -> None:
        """Delete the temporary names, as PyCharm does before the program runs on."""
        for (thread, frame_id), names in self._kept.items():
            if thread in self._suspended:
                statement = f"try:\n    del {','.join(names)}\nexcept:\n    pass"
                await self._ask(EXECUTE, f"{thread}\t{frame_id}\tLOCAL\t{statement}\t0\t")
        self._kept.clear()

    async def finish(self) -> Ending:
        """Run on past all breakpoints, and wait for the program's end."""
        for line in marked_lines(self._script).values():
            self._tell(REMOVE_BREAK, f"python-line\t{self._script}\t{line}")
        await self.resume()
        while await self.wait_stop() is not None:
            await self.resume()
        assert self._process is not None
        assert self._output is not None
        status = await asyncio.wait_for(self._process.wait(), STOP_TIMEOUT_S)
        return Ending(status, *await self._output)


async def _communicate(process: Process) -> tuple[bytes, bytes]:
    """All that the process writes to its stdout and stderr."""
    assert process.stdout is not None
    assert process.stderr is not None
    output, errors = await asyncio.gather(process.stdout.read(), process.stderr.read())
    return output, errors


def _halt(text: str) -> tuple[str, int, Halt]:
    """Thread, reason and frames of a THREAD_SUSPEND."""
    thread = ET.fromstring(text).find("thread")
    assert thread is not None
    frames = [
        StackFrame(
            int(frame.get("id", "")),
            frame.get("name", ""),
            unquote(frame.get("file", "")),
            int(frame.get("line", "")),
        )
        for frame in thread.iter("frame")
    ]
    return thread.get("id", ""), int(thread.get("stop_reason", "0")), Halt(frames)
