"""A debug session: one process under one adapter."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from gradpeek.dap.breakpoints import set_breakpoints
from gradpeek.dap.client import Client
from gradpeek.dap.ending import Ending
from gradpeek.dap.evaluation import evaluate
from gradpeek.dap.handshake import READY_TIMEOUT_S, Handshake, initialize
from gradpeek.dap.present_stop import PresentStop
from gradpeek.errors import AdapterError, ConnectionLostError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gradpeek.dap.breakpoints import Breakpoint, BreakpointReport
    from gradpeek.dap.owner import Owner
    from gradpeek.dap.transport import Message, Transport
    from gradpeek.errors import GradPeekError

BringServer = Callable[[str, int], Awaitable[None]]
_DISCONNECT_TIMEOUT_S = 3.0


class Session:
    """The debug session of one process; an `Evaluator` for the frames of its present stop."""

    def __init__(self, transport: Transport, owner: Owner) -> None:
        self._owner = owner
        self._ending = Ending()
        self._handshake = Handshake(self._ending)
        self._present_stop = PresentStop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._capabilities: Message = {}
        self._is_leaving = False
        self.is_ready = False
        self.process_id: int | None = None
        self.reports: list[BreakpointReport] = []
        self._client = Client(transport, self)

    @property
    def has_ended(self) -> bool:
        """Whether the process, or the connection to it, is gone."""
        return self._ending.has_come

    @property
    def failure(self) -> GradPeekError | None:
        """What broke the session, or None."""
        return self._ending.failure

    def is_stopped_at(self, index: int) -> bool:
        """Return whether the process still stands at its stop number `index`."""
        return not self.has_ended and self._present_stop.number == index

    async def start(
        self,
        arguments: Message,
        breakpoints: Iterable[Breakpoint],
        *,
        stop_at_uncaught: bool,
        bring_server: BringServer | None = None,
    ) -> None:
        """Attach, set the breakpoints, and let the program run.

        Args:
            arguments: of the request `attach`.
            breakpoints: where to stop.
            stop_at_uncaught: whether to stop where an exception ends a thread.
            bring_server: with `listen` in `arguments`: called with the host and port where the
                adapter waits for the debuggee; returns when the debuggee is on its way there.

        Raises:
            AdapterError: the adapter refused, is silent, or does not speak DAP.
            ConnectionLostError: the connection broke.
        """
        self._capabilities = await initialize(self._client)
        attach = self._spawn(self._client.request("attach", arguments, None))
        if bring_server is not None:
            await bring_server(*await self._handshake.until_server_is_awaited(attach))
        await self._handshake.until_initialized(attach)
        self.is_ready = True
        await self.set_breakpoints(breakpoints)
        await self.set_stop_at_uncaught(stop_at_uncaught)
        await self._client.request("configurationDone")
        await asyncio.wait_for(attach, READY_TIMEOUT_S)

    async def set_breakpoints(self, breakpoints: Iterable[Breakpoint]) -> list[BreakpointReport]:
        """Make `breakpoints` the only ones; return and keep what became of each, in order."""
        earlier = {report.breakpoint.path for report in self.reports}
        self.reports = await set_breakpoints(self._client, breakpoints, earlier)
        return self.reports

    async def set_stop_at_uncaught(self, stop_at_uncaught: bool) -> None:  # noqa: FBT001
        """Stop, or do not, where an exception ends a thread."""
        filters = ["uncaught"] if stop_at_uncaught else []
        await self._client.request("setExceptionBreakpoints", {"filters": filters})

    async def evaluate(self, expression: str, frame_id: int, context: str | None = None) -> str:
        """Return the debugger's text for the value of `expression`; see `Evaluator.evaluate`.

        Args:
            expression: one Python expression.
            frame_id: `Frame.id` of a frame of the present stop.
            context: DAP's; by default "clipboard" if it is there: only it leaves long texts whole.

        Raises:
            EvaluateError: the adapter refused, the frame is stale, or the program was resumed.
            DebuggeeEndedError: the debuggee ended before it answered.
            ConnectionLostError: the connection to the adapter broke.
        """
        if context is None:
            context = "clipboard" if self._capabilities.get("supportsClipboardContext") else "repl"
        stop = self._present_stop
        return await evaluate(self._client, self._ending, stop, expression, frame_id, context)

    async def move(self, command: str, thread_id: int) -> None:
        """Let the process run: `command` is "continue", or, for a line, "next", "stepIn", …."""
        self._present_stop.leave()
        try:
            await self._client.request(command, {"threadId": thread_id})
        except (AdapterError, ConnectionLostError):
            if not self.has_ended:  # a program may end before debugpy answers: that is no error
                raise

    async def pause(self) -> None:
        """Ask the process to stop at its next Python line; the stop comes to the owner."""
        await self._client.request("pause", {"threadId": 1})

    async def disconnect(self, *, terminate: bool) -> None:
        """End the session; the process runs on without breakpoints, or is ended.

        It runs on before the adapter hangs up. A child that it starts meanwhile is announced to us,
        and would wait for us for ever.
        """
        self._is_leaving = True
        with contextlib.suppress(AdapterError, ConnectionLostError):
            await self._client.request(
                "disconnect", {"terminateDebuggee": terminate}, _DISCONNECT_TIMEOUT_S
            )
            await self._client.until_hung_up(_DISCONNECT_TIMEOUT_S)
        await self.close()

    async def close(self) -> None:
        """Close the connection to the adapter."""
        self._end()
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._client.close()

    def on_event(self, event: str, body: Message) -> None:
        """Take an event of the adapter, as a `client.Listener`."""
        self._handshake.on_event(event, body)
        if event == "process":
            self.process_id = body.get("systemProcessId")
        elif event == "stopped":
            number = self._present_stop.begin()
            self._spawn(self._report_stop(body, number, time.monotonic()))
        elif event == "continued":
            self._present_stop.leave()
        elif event == "debugpyAttach":
            self._owner.on_child(body)
        elif event == "terminated" and not self._is_leaving:
            self._end()

    def on_reverse_request(self, command: str, arguments: Message) -> Message:
        """Take a request of the adapter; only a child session can be asked for."""
        if command != "startDebugging":
            raise AdapterError(f"GradPeek does not do {command!r}.")
        self._owner.on_child(arguments.get("configuration", {}))
        return {}

    async def _report_stop(self, body: Message, number: int, stopped_s: float) -> None:
        try:
            stop = await self._present_stop.read(number, self, self._client, body, stopped_s)
        except (AdapterError, ConnectionLostError) as error:
            if self.is_stopped_at(number):
                self.fail(error)
            return
        if stop is not None:
            self._owner.on_stop(stop)

    def fail(self, error: GradPeekError) -> None:
        """End the session because of `error`, which open and later questions raise."""
        self._end(error)

    def on_closed(self, error: GradPeekError) -> None:
        """Learn that the connection is gone, which is no failure where we have left."""
        self._end(None if self._is_leaving else error)

    def _end(self, failure: GradPeekError | None = None) -> None:
        self._present_stop.leave()
        if self._ending.come(failure):
            self._owner.on_ended(self)

    def _spawn(self, coroutine: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
