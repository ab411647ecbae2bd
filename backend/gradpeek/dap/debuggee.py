"""A program under the debugger: the sessions of its processes, and their stops."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from gradpeek.dap.process_end import end_process, how_it_ended
from gradpeek.dap.sessions import Sessions
from gradpeek.errors import DebuggeeEndedError, GradPeekError

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from gradpeek.dap.adapter import AdapterProcess
    from gradpeek.dap.breakpoints import Breakpoint, BreakpointReport
    from gradpeek.dap.session import BringServer, Session
    from gradpeek.dap.stop import Stop
    from gradpeek.dap.transport import Message, Transport

WAITING_AFTER_S = 1.0
_CANCEL_GRACE_S = 5.0
_EXIT_GRACE_S = 2.0


class Debuggee:
    """The processes of one program; made by the functions of `gradpeek.dap.start`.

    As a context manager it leaves nothing behind: see `close`.

    Attributes:
        process: the program, if we launched it, or None.
        adapter: the adapter process that we started, or None.
        exit_code: of a program that we launched, once it has ended; negative for a signal.
    """

    def __init__(
        self,
        breakpoints: Iterable[Breakpoint],
        *,
        stop_at_uncaught: bool = False,
        adapter: AdapterProcess | None = None,
    ) -> None:
        self._sessions = Sessions(tuple(breakpoints), stop_at_uncaught=stop_at_uncaught)
        self.process: Process | None = None
        self.adapter = adapter
        self._exit_watch: asyncio.Task[None] | None = None
        self._injection: asyncio.Task[None] | None = None

    @property
    def reports(self) -> list[BreakpointReport]:
        """What became of each breakpoint in the first process, in order."""
        return self.root.reports

    @property
    def exit_code(self) -> int | None:
        """Exit status of the program that we launched, or None while it runs, or if attached."""
        return None if self.process is None else self.process.returncode

    @property
    def root(self) -> Session:
        """The session of the first process."""
        return self._sessions.root

    @property
    def sessions(self) -> list[Session]:
        """The sessions that have not ended, in order of appearance."""
        return self._sessions.open

    def add_root(self, transport: Transport) -> None:
        """Open the session of the first process, not started."""
        self._sessions.root = self._sessions.add(transport)

    async def start(self, address: Message, bring_server: BringServer | None = None) -> None:
        """Start that session; see `Session.start`, `address` names the debuggee."""
        await self._sessions.start_root(address, bring_server)

    def watch_exit(self, process: Process) -> None:
        """Take `process` as the launched program, and end its session when it ends."""
        self.process = process
        self._exit_watch = asyncio.create_task(self._watch_exit(process))

    def watch_injection(self, injection: asyncio.Task[None]) -> None:
        """End the session if `injection`, which brings the debugger into the process, fails."""
        self._injection = injection
        injection.add_done_callback(self._injected)

    def _injected(self, injection: asyncio.Task[None]) -> None:
        if not injection.cancelled() and isinstance(error := injection.exception(), GradPeekError):
            self.root.fail(error)

    async def _watch_exit(self, process: Process) -> None:
        status = await process.wait()
        # A forked child may hold the connection open, so do not rely on its end alone.
        await asyncio.sleep(_EXIT_GRACE_S if self.root.is_ready else 0)
        self.root.fail(DebuggeeEndedError(f"The program {how_it_ended(status)}."))

    async def next_stop(self) -> Stop | None:
        """Return the next stop of any process of the program, or None when all have ended.

        A stop that the program has left by itself meanwhile is passed over. Of a launched program,
        `exit_code` is known when this returns None.

        Raises:
            ConnectionLostError: the connection to the adapter broke while the program ran.
            AdapterError: the adapter spoke something that is not DAP.
        """
        if (stop := await self._sessions.next_stop()) is not None:
            return stop
        if self.root.failure is not None and not isinstance(self.root.failure, DebuggeeEndedError):
            raise self.root.failure
        await self.wait()
        return None

    async def wait(self) -> int | None:
        """Wait for a launched program to end, and return its exit status."""
        return None if self.process is None else await self.process.wait()

    async def resume(self, stop: Stop) -> None:
        """Let the process run on, if it still stands at `stop`."""
        if stop.is_current:
            await stop.session.move("continue", stop.thread_id)

    async def step(self, stop: Stop, command: str = "next") -> None:
        """Run one line: `command` is "next", "stepIn" or "stepOut"; `next_stop` has the result."""
        if stop.is_current:
            await stop.session.move(command, stop.thread_id)

    async def pause(self, on_waiting: Callable[[], None] | None = None) -> Stop | None:
        """Stop the program where it is, and return the stop; None if it ended instead.

        It stops at its next Python line: a native call has to return first.

        Args:
            on_waiting: called once when that takes longer than a second.
        """
        await (self.sessions[0] if self.sessions else self.root).pause()
        waiting = asyncio.get_running_loop().call_later(
            WAITING_AFTER_S, on_waiting or (lambda: None)
        )
        try:
            return await self.next_stop()
        finally:
            waiting.cancel()

    async def clear_breakpoints(self) -> None:
        """Remove all breakpoints from all processes, and from those still to come."""
        await self._sessions.clear_breakpoints()

    async def release(self) -> None:
        """Leave the program running without us: no breakpoints, no tracing, at full speed.

        From now on `breakpoint()` does nothing in it. Its new children are not debugged.
        """
        await self._sessions.disconnect(terminate=False)

    async def close(self, *, kill: bool = False) -> None:
        """End the debugging.

        Args:
            kill: whether to end the program as well. If not, an attached program runs on, and
                the end of a launched one, which is our child, is awaited.
        """
        try:
            await self._sessions.disconnect(terminate=kill)
            if self._injection is not None:
                await asyncio.gather(self._injection, return_exceptions=True)
            if self.process is not None and not kill:
                await self.process.wait()
        finally:
            for task in (self._exit_watch, self._injection):
                if task is not None:
                    task.cancel()
            if self.process is not None:
                await end_process(self.process, _EXIT_GRACE_S)
            if self.adapter is not None:
                serves_others = self.process is None and self.root.is_ready
                await self.adapter.close(kill=not serves_others)

    async def __aenter__(self) -> Debuggee:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close; on an error, end a launched program.

        Ctrl-C reaches the program as well, so it gets a few seconds to end in its own way.
        """
        if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt)) and self.process:
            await self.release()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.process.wait(), _CANCEL_GRACE_S)
        await self.close(kill=error is not None and self.process is not None)
