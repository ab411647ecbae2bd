"""Frames DAP messages over a byte stream: a socket, or the stdio of an adapter process.

Specification: https://microsoft.github.io/debug-adapter-protocol/overview#base-protocol
"""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from gradpeek.errors import AdapterError, ConnectionLostError

Message = dict[str, Any]

CONNECT_TIMEOUT_S = 10.0
MAX_BODY_BYTES = 1 << 30
_MAX_HEADER_BYTES = 8192
_STREAM_LIMIT_BYTES = 1 << 20
_CLOSE_TIMEOUT_S = 1.0
_SHOWN_CHARACTERS = 80


class Transport:
    """One connection to a debug adapter that carries whole JSON objects."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, peer: str
    ) -> None:
        self._reader = reader
        self._writer = writer
        self.peer = peer

    async def read(self) -> Message:
        """Return the next message.

        Raises:
            ConnectionLostError: the stream ended or broke.
            AdapterError: what came is not DAP.
        """
        try:
            length = await self._read_length()
            body = await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError) as error:
            raise ConnectionLostError(f"{self.peer} closed the connection.") from error
        try:
            message = json.loads(body)
        except ValueError as error:
            raise self._not_dap(body) from error
        if not isinstance(message, dict):
            raise self._not_dap(body)
        return message

    async def _read_length(self) -> int:
        length: int | None = None
        header_bytes = 0
        while True:
            try:
                line = await self._reader.readuntil(b"\n")
            except asyncio.LimitOverrunError as error:
                raise self._not_dap(await self._reader.read(_SHOWN_CHARACTERS)) from error
            except asyncio.IncompleteReadError as error:
                if error.partial:
                    raise self._not_dap(error.partial) from error
                raise
            header_bytes += len(line)
            if not (text := line.strip()):
                if length is None:
                    raise self._not_dap(line)
                return length
            name, colon, value = text.partition(b":")
            if not colon or b" " in name or header_bytes > _MAX_HEADER_BYTES:
                raise self._not_dap(line)
            if name.lower() == b"content-length":
                digits = value.strip()
                if not digits.isdigit() or len(digits) > 10 or int(digits) > MAX_BODY_BYTES:
                    raise self._not_dap(line)
                length = int(digits)

    def _not_dap(self, received: bytes) -> AdapterError:
        shown = received[:_SHOWN_CHARACTERS].decode("utf-8", "backslashreplace")
        return AdapterError(
            f"{self.peer} is not a debug adapter: it sent {shown!r}. "
            "Give the address of a debugpy that listens."
        )

    async def write(self, message: Message) -> None:
        """Send `message`.

        Raises:
            ConnectionLostError: the stream is broken.
        """
        body = json.dumps(message).encode()
        try:
            self._writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            await self._writer.drain()
        except (OSError, RuntimeError) as error:  # RuntimeError: the event loop's pipe is closed
            raise ConnectionLostError(f"{self.peer} closed the connection.") from error

    async def close(self) -> None:
        """Close the stream; what is still unread is lost."""
        self._writer.close()
        try:
            await asyncio.wait_for(self._writer.wait_closed(), _CLOSE_TIMEOUT_S)
        except (OSError, asyncio.TimeoutError):
            return


async def connect(host: str, port: int, timeout_s: float) -> Transport:
    """Open a connection to the debug adapter that listens at `host`:`port`.

    Raises:
        ConnectionLostError: nobody answers there within `timeout_s` seconds.
    """
    peer = f"{host}:{port}"
    try:
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection(host, port, limit=_STREAM_LIMIT_BYTES), timeout_s
        )
    except asyncio.TimeoutError as error:
        raise ConnectionLostError(
            f"{peer} did not answer within {timeout_s:g} s. Check the address and the firewall."
        ) from error
    except (OSError, OverflowError, UnicodeError) as error:
        raise ConnectionLostError(
            f"Cannot connect to {peer}: {_reason(error)}. Is the program running, and was it "
            f"started with `python -m debugpy --listen {peer} …`?"
        ) from error
    return Transport(reader, writer, peer)


def _reason(error: Exception) -> str:
    """Return the system's words; asyncio has others, with addresses in them."""
    if isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    if "Multiple exceptions" in str(error):  # one for each address of the host
        return "nobody listens there"
    return getattr(error, "strerror", None) or str(error)
