"""A debug session: one process under one adapter."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from gradpeek.dap.breakpoints import set_breakpoints
from gradpeek.dap.client import Client
from gradpeek.dap.stacks import is_user_code, stack_of, stack_to_show
from gradpeek.dap.stop import Frame, Stop
from gradpeek.errors import (
    AdapterError,
    ConnectionLostError,
    DebuggeeEndedError,
    EvaluateError,
    GradPeekError,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from gradpeek.dap.breakpoints import Breakpoint, BreakpointReport
    from gradpeek.dap.transport import Message, Transport

_INITIALIZE_TIMEOUT_S = 10.0
_READY_TIMEOUT_S = 60.0
_DISCONNECT_TIMEOUT_S = 3.0

_T = TypeVar("_T")


class Owner(Protocol):
    """Whom a session tells what happens; must not block."""

    def on_stop(self, stop: Stop) -> None:
        """The process stopped."""

    def on_child(self, configuration: Message) -> None:
        """The process started a child that waits for a session with this configuration."""

    def on_ended(self, session: Session) -> None:
        """No more will come from the session; `session.failure` says why if it broke."""


class Session:
    """The debug session of one process; an `Evaluator` for the frames of its present stop."""

    def __init__(self, transport: Transport, owner: Owner) -> None:
        loop = asyncio.get_running_loop()
        self._owner = owner
        self._initialized: asyncio.Future[None] = loop.create_future()
        self._waiting_for_server: asyncio.Future[tuple[str, int]] = loop.create_future()
        self._has_ended = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._capabilities: Message = {}
        self._stop_numbers = itertools.count()
        self._stop_number: int | None = None
        self._resumed = asyncio.Event()
        self._frame_ids = itertools.count(1)
        self._frames: dict[int, int] = {}
        self.is_ready = False
        self.process_id: int | None = None
        self.failure: GradPeekError | None = None
        self.reports: list[BreakpointReport] = []
        self._client = Client(transport, self)

    @property
    def has_ended(self) -> bool:
        """Whether the process, or the connection to it, is gone."""
        return self._has_ended.is_set()

    def is_stopped_at(self, index: int) -> bool:
        """Return whether the process still stands at its stop number `index`."""
        return not self.has_ended and self._stop_number == index

    async def start(
        self,
        arguments: Message,
        breakpoints: Iterable[Breakpoint],
        *,
        stop_at_uncaught: bool,
        bring_server: Callable[[str, int], Awaitable[None]] | None = None,
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
        self._capabilities = await self._client.request(
            "initialize",
            {
                "clientID": "gradpeek",
                "clientName": "GradPeek",
                "adapterID": "debugpy",
                "pathFormat": "path",
                "linesStartAt1": True,
                "columnsStartAt1": True,
            },
            _INITIALIZE_TIMEOUT_S,
        )
        attach = self._spawn(self._client.request("attach", arguments, None))
        if bring_server is not None:
            host, port = await self._first(attach, self._waiting_for_server)
            await bring_server(host, port)
        await self._first(attach, self._initialized)
        self.is_ready = True
        await self.set_breakpoints(breakpoints)
        await self.set_stop_at_uncaught(stop_at_uncaught)
        await self._client.request("configurationDone")
        await asyncio.wait_for(attach, _READY_TIMEOUT_S)

    async def _first(self, attach: asyncio.Task[Message], event: asyncio.Future[_T]) -> _T:
        """Return what `event` brings, unless the session ends or `attach` is answered before it."""
        ended = self._spawn(self._has_ended.wait())
        awaited: set[asyncio.Future[Any]] = {attach, event, ended}
        await asyncio.wait(awaited, timeout=_READY_TIMEOUT_S, return_when="FIRST_COMPLETED")
        ended.cancel()
        if event.done():
            return event.result()
        if self.failure is not None:
            raise self.failure
        if attach.done():
            attach.result()
        if attach.done() or self.has_ended:
            raise DebuggeeEndedError("The program ended before its debugger was ready.")
        raise AdapterError(
            f"The program's debugger did not report within {_READY_TIMEOUT_S:g} s. "
            "Is the program frozen?"
        )

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
            context: DAP's context; by default "clipboard" where the adapter has it, as no other
                returns a long text whole.

        Raises:
            EvaluateError: the adapter refused, the frame is stale, or the program was resumed.
            DebuggeeEndedError: the debuggee ended before it answered.
            ConnectionLostError: the connection to the adapter broke.
        """
        self._check_alive()
        if frame_id not in self._frames:
            raise EvaluateError(
                "The frame belongs to an earlier stop: the program has run since. Ask at a new one."
            )
        can_clipboard = self._capabilities.get("supportsClipboardContext")
        request = self._spawn(
            self._client.request(
                "evaluate",
                {
                    "expression": expression,
                    "frameId": self._frames[frame_id],
                    "context": context or ("clipboard" if can_clipboard else "repl"),
                },
                None,
            )
        )
        resumed = self._spawn(self._resumed.wait())
        try:
            await asyncio.wait({request, resumed}, return_when="FIRST_COMPLETED")
            if request.done():
                return str(request.result().get("result", ""))
        except AdapterError as error:
            if str(error) == "No more messages":  # debugpy's words for "the debuggee hung up"
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._has_ended.wait(), _DISCONNECT_TIMEOUT_S)
            self._check_alive()
            raise EvaluateError(str(error)) from error
        except ConnectionLostError:
            self._check_alive()
            raise
        finally:
            request.cancel()
            resumed.cancel()
        self._check_alive()
        raise EvaluateError("The program was resumed before it answered. Ask at the next stop.")

    def _check_alive(self) -> None:
        if self.failure is not None:
            raise self.failure
        if self.has_ended:
            raise DebuggeeEndedError("The program ended. Run it again to ask.")

    async def resume(self, thread_id: int) -> None:
        """Let the process run on, all its threads."""
        await self._move("continue", thread_id)

    async def step(self, command: str, thread_id: int) -> None:
        """Run one line of a thread: `command` is "next", "stepIn" or "stepOut"."""
        await self._move(command, thread_id)

    async def _move(self, command: str, thread_id: int) -> None:
        self._forget_stop()
        try:
            await self._client.request(command, {"threadId": thread_id})
        except (AdapterError, ConnectionLostError):
            if not self.has_ended:  # a program may end before debugpy answers: that is no error
                raise

    async def pause(self) -> None:
        """Ask the process to stop at its next Python line; the stop comes to the owner."""
        await self._client.request("pause", {"threadId": 1})

    async def disconnect(self, *, terminate: bool) -> None:
        """End the session; the process runs on without breakpoints, or is ended."""
        with contextlib.suppress(AdapterError, ConnectionLostError):
            await self._client.request(
                "disconnect", {"terminateDebuggee": terminate}, _DISCONNECT_TIMEOUT_S
            )
        await self.close()

    async def close(self) -> None:
        """Close the connection to the adapter."""
        self._end()
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._client.close()

    # What the adapter tells us (client.Listener).

    def on_event(self, event: str, body: Message) -> None:
        """Take an event of the adapter."""
        if event == "initialized" and not self._initialized.done():
            self._initialized.set_result(None)
        elif event == "debugpyWaitingForServer" and not self._waiting_for_server.done():
            self._waiting_for_server.set_result((body["host"], body["port"]))
        elif event == "process":
            self.process_id = body.get("systemProcessId")
        elif event == "stopped":
            self._forget_stop()
            self._stop_number = next(self._stop_numbers)
            self._resumed = asyncio.Event()
            self._spawn(self._report_stop(body, self._stop_number))
        elif event == "continued":
            self._forget_stop()
        elif event == "debugpyAttach":
            self._owner.on_child(body)
        elif event == "terminated":
            self._end()

    def on_reverse_request(self, command: str, arguments: Message) -> Message:
        """Take a request of the adapter; only a child session can be asked for."""
        if command != "startDebugging":
            raise AdapterError(f"GradPeek does not do {command!r}.")
        self._owner.on_child(arguments.get("configuration", {}))
        return {}

    async def _report_stop(self, body: Message, number: int) -> None:
        reason = str(body.get("reason", ""))
        read = stack_to_show if reason == "pause" else stack_of
        try:
            stack = await read(self._client, body["threadId"])
        except (AdapterError, ConnectionLostError) as error:
            if self.is_stopped_at(number):
                self.fail(error)
            return
        if not self.is_stopped_at(number):
            return  # it ran on meanwhile
        frames = []
        for raw in stack.frames:
            frame_id = next(self._frame_ids)
            self._frames[frame_id] = raw["id"]
            path = str(raw.get("source", {}).get("path", ""))
            frames.append(Frame(frame_id, raw["name"], path, raw["line"], is_user_code(raw)))
        text = None
        if reason == "exception":
            text = ": ".join(filter(None, (body.get("text"), body.get("description"))))
        self._owner.on_stop(
            Stop(
                self,
                number,
                stack.thread_id,
                stack.thread_name,
                reason,
                text,
                self.process_id,
                tuple(frames),
            )
        )

    def fail(self, error: GradPeekError) -> None:
        """End the session because of `error`, which open and later questions raise."""
        if not self.has_ended:
            self.failure = error
        self._end()

    def on_closed(self, error: GradPeekError) -> None:
        """Learn that the connection is gone."""
        self.fail(error)

    def _end(self) -> None:
        self._forget_stop()
        if not self.has_ended:
            self._has_ended.set()
            self._owner.on_ended(self)

    def _forget_stop(self) -> None:
        self._stop_number = None
        self._frames.clear()
        self._resumed.set()

    def _spawn(self, coroutine: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
