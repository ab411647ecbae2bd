"""What the debugger says when something breaks; nothing may hang."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gradpeek.dap import handshake
from gradpeek.dap.start import attach, launch
from gradpeek.errors import (
    AdapterError,
    ConnectionLostError,
    DebuggeeEndedError,
    EvaluateError,
    GradPeekError,
)
from support.dap_programs import Script, free_port, run
from support.fake_adapter import Conversation, Message, fake_adapter

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

SLOW = "import time, pathlib\nx = 1  # @bp\ny = 2\n"


def slow_expression(folder: Path) -> str:
    """Return an expression that says when it runs, and then takes long."""
    return f"[pathlib.Path({str(folder / 'runs')!r}).touch(), time.sleep(3)]"


async def until_exists(path: Path) -> None:
    while not path.exists():  # noqa: ASYNC110, ASYNC240  # another process makes it
        await asyncio.sleep(0.01)


def test_a_debuggee_killed_during_an_evaluate_is_told_as_ended(tmp_path: Path) -> None:
    script = Script(tmp_path, SLOW)

    async def main() -> None:
        async with await launch(script.program(), [script.breakpoint_at()]) as debuggee:
            stop = await debuggee.next_stop()
            assert stop is not None
            assert debuggee.process is not None
            question = asyncio.create_task(
                stop.session.evaluate(slow_expression(tmp_path), stop.frames[0].id)
            )
            await until_exists(tmp_path / "runs")
            debuggee.process.kill()
            with pytest.raises(DebuggeeEndedError):
                await question
            with pytest.raises(DebuggeeEndedError):
                await stop.session.evaluate("x", stop.frames[0].id)
            assert await debuggee.next_stop() is None
            assert debuggee.exit_code == -9

    run(main())


def test_a_program_resumed_during_an_evaluate_ends_the_question(tmp_path: Path) -> None:
    script = Script(tmp_path, SLOW)

    async def main() -> None:
        async with await launch(script.program(), [script.breakpoint_at()]) as debuggee:
            stop = await debuggee.next_stop()
            assert stop is not None
            session, frame = stop.session, stop.frames[0].id
            running = asyncio.create_task(session.evaluate(slow_expression(tmp_path), frame))
            await until_exists(tmp_path / "runs")
            queued = asyncio.create_task(session.evaluate("x", frame))
            await asyncio.sleep(0)
            await debuggee.resume(stop)
            for question in (running, queued):
                with pytest.raises((EvaluateError, DebuggeeEndedError)):
                    await question
            assert await debuggee.next_stop() is None
            assert debuggee.exit_code == 0

    run(main())


def test_an_adapter_killed_under_us_is_a_lost_connection(tmp_path: Path) -> None:
    script = Script(tmp_path, SLOW)

    async def main() -> None:
        debuggee = await launch(script.program(), [script.breakpoint_at()])
        stop = await debuggee.next_stop()
        assert stop is not None
        assert debuggee.adapter is not None
        debuggee.adapter._process.kill()
        with pytest.raises(ConnectionLostError):
            await debuggee.next_stop()
        with pytest.raises(ConnectionLostError):
            await stop.session.evaluate("x", stop.frames[0].id)
        await debuggee.close(kill=True)

    run(main())


def test_an_address_where_nobody_listens_is_named() -> None:
    port = free_port()

    async def main() -> None:
        with pytest.raises(ConnectionLostError, match=f"Cannot connect to 127.0.0.1:{port}"):
            await attach("127.0.0.1", port)
        with pytest.raises(ConnectionLostError, match=r"Cannot connect to nowhere\.invalid:5"):
            await attach("nowhere.invalid", 5)
        with pytest.raises(ConnectionLostError, match="Cannot connect"):
            await attach("127.0.0.1", 99999)

    run(main())


BODY = b'{"seq": 1, "type": "event"'


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (b"HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n", AdapterError, "HTTP/1.1 400"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", AdapterError, "not a debug adapter"),
        (b"\x00\xff\xfe\n", AdapterError, "not a debug adapter"),
        (b"x" * 3_000_000, AdapterError, "not a debug adapter"),
        (b"Content-Type: text/html\r\n\r\n<html>", AdapterError, "not a debug adapter"),
        (b"Content-Length: 99999999999\r\n\r\n", AdapterError, "99999999999"),
        (b"Content-Length: -1\r\n\r\n", AdapterError, "not a debug adapter"),
        (b"Content-Length: 5\r\n\r\n{nope", AdapterError, "nope"),
        (b"Content-Length: 2\r\n\r\n[]", AdapterError, "not a debug adapter"),
        (b"Content-Length: 2\r\n\r\n{}", AdapterError, "not DAP"),
        (b"Content-Length: %d\r\n\r\n%b" % (len(BODY) + 9, BODY), ConnectionLostError, "closed"),
        (b"", ConnectionLostError, "closed the connection"),
        (None, AdapterError, "did not answer the request 'initialize'"),
    ],
)
def test_a_port_that_is_not_an_adapter_s_is_named(
    monkeypatch: pytest.MonkeyPatch,
    answer: bytes | None,
    error: type[GradPeekError],
    said: str,
) -> None:
    monkeypatch.setattr(handshake, "_INITIALIZE_TIMEOUT_S", 0.3)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        if answer is None:
            await reader.read()  # silent until the client leaves
        else:
            writer.write(answer)
        writer.close()

    run(against(serve, error, said))


async def against(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    error: type[GradPeekError],
    said: str,
) -> None:
    """Attach to a server of ours, and expect `error`."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(error, match=said):
        await attach("127.0.0.1", port)
    server.close()


def test_a_child_that_is_announced_while_we_leave_is_let_go_on() -> None:
    asked: list[str] = []

    class Adapter(Conversation):
        """Announces a child once it was asked to disconnect, as debugpy may, then hangs up."""

        def answer(self, request: Message, body: Any, **more: Any) -> None:
            super().answer(request, body, **more)
            asked.append(request["command"])
            if request["command"] == "disconnect":
                if asked.count("disconnect") == 1:
                    self.event("terminated", {})
                    host, port = self.server.server_address[:2]
                    self.event("debugpyAttach", {"connect": {"host": host, "port": port}})
                self.hang_up()

    async def main(address: str) -> None:
        host, _, port = address.rpartition(":")
        async with await attach(host, int(port)) as debuggee:
            await debuggee.release()
            assert debuggee.sessions == []
            assert await debuggee.next_stop() is None

    with fake_adapter(lambda *_: None, conversation=Adapter) as address:
        run(main(address))
    second = asked[asked.index("disconnect") + 1 :]
    assert second.index("configurationDone") < second.index("disconnect")
