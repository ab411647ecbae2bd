"""`gradpeek serve` as editors start it: on stdio, or on a port of the loopback interface."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time

import psutil
import pytest

from support.command_line import COMMAND, gradpeek
from support.dap_programs import free_port
from support.editor import Editor


@pytest.mark.parametrize("arguments", [["serve"], ["serve", "--stdio"]], ids=" ".join)
def test_an_editor_talks_to_the_command(arguments: list[str]) -> None:
    async def scenario() -> None:
        async with Editor(command=[*COMMAND, *arguments]) as editor:
            assert (await editor.request("roots"))["state"] == "no_session"
            process = editor.process
        assert process.returncode == 0

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_the_server_ends_when_its_editor_is_gone() -> None:
    with subprocess.Popen(
        [*COMMAND, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        output, errors = server.communicate(b"", timeout=60)
    assert (output, errors, server.returncode) == (b"", b"", 0)


def test_a_port_is_listened_on_for_loopback_only() -> None:
    port = free_port()
    with subprocess.Popen(
        [*COMMAND, "serve", "--tcp", str(port)], stdin=subprocess.DEVNULL
    ) as server:
        try:
            with connected(port):
                listening = [
                    one.laddr.ip
                    for one in psutil.Process(server.pid).net_connections()
                    if one.status == psutil.CONN_LISTEN
                ]
            assert listening == ["127.0.0.1"]
        finally:
            server.terminate()


def connected(port: int) -> socket.socket:
    """A connection to the server, as soon as it listens; it ends when its editor leaves."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:  # noqa: PERF203 - it is refused until it listens
            assert time.monotonic() < deadline, "the server does not listen"
            time.sleep(0.05)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--stdio", "--tcp", "5678"], "not both"),
        (["--tcp", "0"], "0 is not in the range"),
        (["--tcp", "x"], "'x' is not a valid integer range"),
    ],
)
def test_wrong_arguments_are_usage_errors(arguments: list[str], words: str) -> None:
    ended = gradpeek("serve", *arguments)
    assert ended.status == 2
    assert words in " ".join(ended.stderr.split())


def test_importing_the_server_loads_neither_debugger_nor_torch() -> None:
    code = (
        "import gradpeek.language_server.server, sys;"
        "print({'torch', 'debugpy', 'rich'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
