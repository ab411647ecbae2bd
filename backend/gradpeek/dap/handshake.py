"""Begins a debug session: up to where the adapter takes breakpoints.

Specification: https://microsoft.github.io/debug-adapter-protocol/specification#Events_Initialized
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from gradpeek.errors import AdapterError, DebuggeeEndedError

if TYPE_CHECKING:
    from gradpeek.dap.client import Client
    from gradpeek.dap.ending import Ending
    from gradpeek.dap.transport import Message

READY_TIMEOUT_S = 60.0
_INITIALIZE_TIMEOUT_S = 10.0
_INITIALIZE_ARGUMENTS = {
    "clientID": "gradpeek",
    "clientName": "GradPeek",
    "adapterID": "debugpy",
    "pathFormat": "path",
    "linesStartAt1": True,
    "columnsStartAt1": True,
}
_T = TypeVar("_T")


async def initialize(client: Client) -> Message:
    """Introduce us, and return the adapter's capabilities."""
    return await client.request("initialize", _INITIALIZE_ARGUMENTS, _INITIALIZE_TIMEOUT_S)


class Handshake:
    """What an adapter tells on the way to a debuggee that takes breakpoints."""

    def __init__(self, ending: Ending) -> None:
        loop = asyncio.get_running_loop()
        self._ending = ending
        self._initialized: asyncio.Future[None] = loop.create_future()
        self._waiting_for_server: asyncio.Future[tuple[str, int]] = loop.create_future()

    def on_event(self, event: str, body: Message) -> None:
        """Take an event of the adapter, if it is one of the handshake's."""
        if event == "initialized" and not self._initialized.done():
            self._initialized.set_result(None)
        elif event == "debugpyWaitingForServer" and not self._waiting_for_server.done():
            self._waiting_for_server.set_result((body["host"], body["port"]))

    async def until_server_is_awaited(self, attach: asyncio.Task[Message]) -> tuple[str, int]:
        """Return the host and port where the adapter waits for the debuggee.

        Raises:
            AdapterError: it refused the request `attach`, or is silent.
            DebuggeeEndedError, ConnectionLostError: the session is over.
        """
        return await self._first(attach, self._waiting_for_server)

    async def until_initialized(self, attach: asyncio.Task[Message]) -> None:
        """Wait until breakpoints can be set; raises as `until_server_is_awaited`."""
        await self._first(attach, self._initialized)

    async def _first(self, attach: asyncio.Task[Message], event: asyncio.Future[_T]) -> _T:
        """Return what `event` brings, unless the session ends or `attach` is answered before it."""
        ended = asyncio.create_task(self._ending.wait())
        awaited: set[asyncio.Future[Any]] = {attach, event, ended}
        try:
            await asyncio.wait(awaited, timeout=READY_TIMEOUT_S, return_when="FIRST_COMPLETED")
        finally:
            ended.cancel()
        if event.done():
            return event.result()
        if self._ending.failure is not None:
            raise self._ending.failure
        if attach.done():
            attach.result()
        if attach.done() or self._ending.has_come:
            raise DebuggeeEndedError("The program ended before its debugger was ready.")
        raise AdapterError(
            f"The program's debugger did not report within {READY_TIMEOUT_S:g} s. "
            "Is the program frozen?"
        )
