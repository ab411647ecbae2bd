"""Matches responses to requests, and hands events and reverse requests on.

Specification: https://microsoft.github.io/debug-adapter-protocol/specification
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Protocol

from gradpeek.errors import AdapterError, ConnectionLostError, GradPeekError

if TYPE_CHECKING:
    from gradpeek.dap.transport import Message, Transport

REQUEST_TIMEOUT_S = 30.0


class Listener(Protocol):
    """Receives what an adapter sends unasked, in order of arrival; must not block."""

    def on_event(self, event: str, body: Message) -> None:
        """Take an event."""

    def on_reverse_request(self, command: str, arguments: Message) -> Message:
        """Take a request of the adapter to us, and return the body of the response.

        Raises:
            GradPeekError: the request is refused, with this text.
        """

    def on_closed(self, error: GradPeekError) -> None:
        """Learn that nothing more will come, and why."""


class Client:
    """One DAP conversation."""

    def __init__(self, transport: Transport, listener: Listener) -> None:
        self._transport = transport
        self._listener = listener
        self._next_seq = 1
        self._pending: dict[int, asyncio.Future[Message]] = {}
        self.error: GradPeekError | None = None
        self._reader = asyncio.create_task(self._read(), name=f"read DAP from {transport.peer}")
        self._replies: set[asyncio.Task[None]] = set()

    @property
    def peer(self) -> str:
        """Name of the other end, for messages."""
        return self._transport.peer

    async def request(
        self,
        command: str,
        arguments: Message | None = None,
        timeout_s: float | None = REQUEST_TIMEOUT_S,
    ) -> Message:
        """Send a request and return the body of its response.

        Args:
            command: name of the request.
            arguments: its arguments.
            timeout_s: seconds to wait for the response, or None to wait until the connection ends.

        Raises:
            AdapterError: the adapter refused, did not answer in time, or does not speak DAP.
            ConnectionLostError: the connection broke before the response came.
        """
        if self.error is not None:
            raise self.error
        seq = self._next_seq
        response: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._pending[seq] = response
        try:
            await self._send({"type": "request", "command": command, "arguments": arguments or {}})
            message = await asyncio.wait_for(response, timeout_s)
        except asyncio.TimeoutError as error:
            raise AdapterError(
                f"{self.peer} did not answer the request {command!r} within {timeout_s:g} s. "
                "Is it a debug adapter, and is the program not frozen?"
            ) from error
        finally:
            del self._pending[seq]
            if response.done() and not response.cancelled():
                response.exception()  # marks it as seen: a failed write is reported in its place
        if not message.get("success"):
            raise AdapterError(_failure(message, command))
        body = message.get("body")
        return body if isinstance(body, dict) else {}

    async def _send(self, message: Message) -> None:
        seq, self._next_seq = self._next_seq, self._next_seq + 1
        await self._transport.write({"seq": seq, **message})

    async def _read(self) -> None:
        try:
            while True:
                self._take(await self._transport.read())
        except GradPeekError as error:
            self._finish(error)

    def _take(self, message: Message) -> None:
        try:
            self._dispatch(message)
        except (AttributeError, KeyError, TypeError) as error:
            raise self._not_dap(message) from error

    def _dispatch(self, message: Message) -> None:
        kind = message.get("type")
        if kind == "response":
            pending = self._pending.get(message.get("request_seq", 0))
            if pending is not None and not pending.done():
                pending.set_result(message)
        elif kind == "event" and isinstance(name := message.get("event"), str):
            body = message.get("body")
            self._listener.on_event(name, body if isinstance(body, dict) else {})
        elif kind == "request" and isinstance(message.get("command"), str):
            reply = asyncio.create_task(self._reply(message))
            self._replies.add(reply)
            reply.add_done_callback(self._replies.discard)
        else:
            raise self._not_dap(message)

    def _not_dap(self, message: Message) -> AdapterError:
        return AdapterError(f"{self.peer} sent a message that is not DAP: {message!r:.80}")

    async def _reply(self, request: Message) -> None:
        command = request["command"]
        reply: dict[str, Any] = {
            "type": "response",
            "request_seq": request.get("seq", 0),
            "command": command,
            "success": True,
        }
        try:
            reply["body"] = self._listener.on_reverse_request(
                command, request.get("arguments") or {}
            )
        except GradPeekError as error:
            reply |= {"success": False, "message": str(error)}
        except (AttributeError, KeyError, TypeError) as error:
            reply |= {"success": False, "message": f"The request is not DAP: {error!r}"}
        with contextlib.suppress(ConnectionLostError):
            await self._send(reply)

    def _finish(self, error: GradPeekError) -> None:
        if self.error is not None:
            return
        self.error = error
        for pending in self._pending.values():
            if not pending.done():
                pending.set_exception(error)
        self._listener.on_closed(error)

    async def until_hung_up(self, timeout_s: float) -> None:
        """Wait until the other end closes the connection, or for `timeout_s` seconds."""
        await asyncio.wait({self._reader}, timeout=timeout_s)

    async def close(self) -> None:
        """End the conversation; open requests fail with ConnectionLostError."""
        self._finish(ConnectionLostError(f"The connection to {self.peer} was closed."))
        for task in (self._reader, *self._replies):
            task.cancel()
        await asyncio.gather(self._reader, *self._replies, return_exceptions=True)
        await self._transport.close()


def _failure(message: Message, command: str) -> str:
    body = message.get("body")
    error = body.get("error") if isinstance(body, dict) else None
    text = error.get("format") if isinstance(error, dict) else None
    return str(message.get("message") or text or f"The request {command!r} failed.")
