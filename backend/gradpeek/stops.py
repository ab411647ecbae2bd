"""Watches a debuggee from the command line: shows its stops, then lets it go."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from gradpeek.dap.breakpoints import Breakpoint
from gradpeek.dap.debuggee import Debuggee
from gradpeek.dap.process_end import how_it_ended
from gradpeek.dap.session import Session
from gradpeek.dap.stop import Frame, Stop
from gradpeek.errors import (
    DebuggeeEndedError,
    EvaluateError,
    GradPeekError,
    NoStopError,
    ProbeError,
    UsageError,
)
from gradpeek.inspection import Inspection
from gradpeek.inspector import Inspector
from gradpeek.output import Output, message, progress_bar
from gradpeek.probe_client import ProbeClient

BAR_AFTER_S = 0.5
"""Statistics that take longer show a progress bar."""


@dataclass(frozen=True)
class Options:
    """What the user asked for.

    Attributes:
        breakpoints: lines to stop at.
        stop_at_uncaught: stop where an exception ends a thread.
        expressions: what to show; None finds roots.
        frame: callers up from the function that stopped; None takes the nearest code of the user.
        stops: how many to show, 0 for all.
        kill: end the program after the last stop.
        pause: stop the program where it is.
    """

    breakpoints: tuple[Breakpoint, ...]
    stop_at_uncaught: bool
    expressions: list[str] | None
    frame: int | None
    stops: int
    kill: bool
    pause: bool


Start = Callable[[Options], Coroutine[Any, Any, Debuggee]]


async def watch(start: Start, options: Options, output: Output) -> int:
    """Show the stops of a debuggee; returns 0, or 4 where something could not be shown.

    Raises:
        NoStopError: it ended before a stop.
        GradPeekError: see errors.
    """
    async with await start(options) as debuggee:
        watcher = _Watcher(debuggee, options, output)
        await watcher.run()
        if options.kill:
            await debuggee.close(kill=True)
    return watcher.status


class _Watcher:
    def __init__(self, debuggee: Debuggee, options: Options, output: Output) -> None:
        self._debuggee = debuggee
        self._options = options
        self._output = output
        self._inspectors: dict[Session, Inspector] = {}
        self._shown = 0
        self.status = 0

    async def run(self) -> None:
        """Show stops until there are enough, then let the program run without us."""
        stop = await self._first()
        while stop is not None:
            try:
                await self._show(stop)
            except (ProbeError, EvaluateError) as error:
                message(str(error))
                self.status = error.exit_status
            except DebuggeeEndedError:
                if len(self._debuggee.sessions) == 0:
                    raise
                message(f"process {stop.process_id} ended while it was looked at")
                self.status = DebuggeeEndedError.exit_status
            self._shown += 1
            if self._shown == self._options.stops:
                break
            await self._debuggee.resume(stop)
            stop = await self._debuggee.next_stop()
        if not self._shown:
            raise NoStopError(self._why_no_stop())
        if not self._options.kill:
            await self._debuggee.release()

    async def _first(self) -> Stop | None:
        if self._options.pause:
            return await self._debuggee.pause(
                lambda: message("waiting for Python: the program is inside a long native call")
            )
        return await self._debuggee.next_stop()

    async def _show(self, stop: Stop) -> None:
        number = self._frame_number(stop)
        frame = stop.frames[number]
        fresh = Inspector(ProbeClient(stop.session))
        inspector = self._inspectors.setdefault(stop.session, fresh)
        inspection = await inspector.inspect(frame.id, self._options.expressions)
        await self._measure(inspector, frame, inspection)
        elapsed_s = time.monotonic() - stop.stopped_s
        await inspector.release(frame.id)
        described = {
            "index": self._shown,
            "file": frame.path,
            "line": frame.line,
            "function": frame.name,
            "reason": stop.reason,
            "exception": stop.text,
            "process": stop.process_id,
            "thread": stop.thread_name,
            "frame": number,
        }
        self._output.show(inspection, described, elapsed_s)
        for root in inspection.roots:
            if root.root.error is not None:
                message(root.root.error.message)
                self.status = GradPeekError.exit_status

    async def _measure(self, inspector: Inspector, frame: Frame, inspection: Inspection) -> None:
        began = time.monotonic()
        with progress_bar() as bar:
            task = bar.add_task("statistics", total=None)

            def advance(done: int, total: int) -> None:
                if time.monotonic() - began > BAR_AFTER_S:
                    bar.start()
                    bar.update(task, completed=done, total=total)

            await inspector.measure(frame.id, inspection, advance)

    def _frame_number(self, stop: Stop) -> int:
        if not stop.frames:
            raise EvaluateError("The thread that stopped has no frame of Python: has it ended?")
        wanted = self._options.frame
        if wanted is None:
            if stop.reason == "breakpoint":
                return 0
            return next((n for n, frame in enumerate(stop.frames) if frame.is_user_code), 0)
        if wanted >= len(stop.frames):
            raise UsageError(
                f"--frame {wanted} is not there: the last of this stop is {len(stop.frames) - 1}"
            )
        return wanted

    def _why_no_stop(self) -> str:
        ended = "the program ended"
        if (status := self._debuggee.exit_code) is not None:
            ended = f"the program {how_it_ended(status)}"
        places = [f"{place.file}:{place.line}" for place in self._options.breakpoints]
        if self._options.stop_at_uncaught:
            places.append("an uncaught exception")
        if not places:
            return f"{ended} without a stop: name one with --break FILE:LINE"
        return f"{ended} before it came to {' or '.join(places)}"
