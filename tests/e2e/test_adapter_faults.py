"""An address that is wrong, and a debug adapter that misbehaves, are told of in one line."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from support.command_line import gradpeek, line
from support.dap_programs import free_port
from support.fake_adapter import Conversation, fake_adapter
from support.processes import started


@contextmanager
def answering(answer: Callable[[socket.socket], object]) -> Iterator[str]:
    """A server on a port that is no debug adapter; yields HOST:PORT."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            client, _ = server.accept()
            with client:
                client.recv(1)
                answer(client)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def until_it_leaves(client: socket.socket) -> None:
    while client.recv(4096):
        pass


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda client: client.sendall(b"SSH-2.0-OpenSSH_9.2\r\n"), "is not a debug adapter: it"),
        (lambda client: client.sendall(b"\x1b[2J\n\x00"), r"it sent '\x1b[2J\n'"),
        (lambda client: None, "closed the connection"),
        (until_it_leaves, "did not answer the request 'initialize' within 10 s"),
    ],
    ids=["garbage", "escapes", "nothing", "silence"],
)
def test_a_port_that_something_else_uses_is_named(
    answer: Callable[[socket.socket], object], words: str
) -> None:
    with answering(answer) as address:
        ended = gradpeek("attach", address)
    assert words in line(ended).replace("Connection reset by peer", "closed the connection")
    assert address in line(ended)
    assert (ended.status, ended.stdout) == (4, "")


def test_an_address_where_nobody_listens_is_named_with_what_to_do() -> None:
    address = f"127.0.0.1:{free_port()}"
    ended = gradpeek("attach", address)
    assert line(ended) == (
        f"gradpeek: Cannot connect to {address}: Connection refused. Is the program running, and "
        f"was it started with `python -m debugpy --listen {address} …`?"
    )
    assert ended.status == 4
    ended = gradpeek("attach", "nowhere.invalid:5678")
    assert "Cannot connect to nowhere.invalid:5678: " in line(ended)
    assert ended.status == 4


@pytest.mark.parametrize("address", ["localhost:²", ":0", "localhost:", f"a:{'9' * 5000}"])
def test_what_is_no_address_is_refused(address: str) -> None:
    ended = gradpeek("attach", address)
    assert ended.status == 2
    assert "is not HOST:PORT, e.g. localhost:5678" in ended.stderr.splitlines()[-1]


def test_a_process_that_is_gone_is_named(environment: dict[str, str]) -> None:
    with started(environment, sys.executable, "-c", "") as process:
        process.wait()
        ended = gradpeek("attach", "--pid", str(process.pid))
    assert line(ended) == f"gradpeek: There is no process {process.pid}. Check --pid."
    assert (ended.status, ended.stdout) == (4, "")


def refuse(talk: Conversation, request: dict[str, Any]) -> None:
    talk.answer(request, {}, success=False, message="no\n\x1b[31mTraceback\x1b[0m")


@pytest.mark.parametrize(
    ("misbehave", "bodies", "words"),
    [
        (lambda talk, _: talk.event("continued", {}), {}, "the program has run since"),
        (lambda talk, _: talk.event("terminated", {}), {}, "The program ended"),
        (lambda talk, _: talk.hang_up(), {}, "closed the connection"),
        (lambda talk, _: talk.raw(b"\xffgarbage\n"), {}, "is not a debug adapter"),
        (lambda talk, _: talk.send([]), {}, "is not a debug adapter"),
        (lambda talk, _: talk.event("debugpyAttach", {}), {}, "not DAP"),
        (lambda talk, asked: talk.answer(asked, {"result": "x\x1b"}), {}, r"loaded: x\x1b"),
        (lambda talk, asked: talk.answer(asked, 7), {}, "could not be loaded"),
        (refuse, {}, r"no\n\x1b[31mTraceback\x1b[0m"),
        (refuse, {"stopped": {"reason": "pause"}}, "told of a stop, but not as in DAP"),
        (refuse, {"threads": {"threads": [7]}}, "told of a stop, but not as in DAP"),
        (refuse, {"stackTrace": {"stackFrames": [{}]}}, "told of a stop, but not as in DAP"),
        (refuse, {"stackTrace": {}}, "no frame of Python"),
    ],
)
def test_an_adapter_that_misbehaves_at_a_stop_is_told_in_one_line(
    misbehave: Callable[[Conversation, dict[str, Any]], None], bodies: dict[str, Any], words: str
) -> None:
    with fake_adapter(misbehave, **bodies) as address:
        ended = gradpeek("attach", address)
    assert words in line(ended)
    assert "\x1b" not in ended.stderr
    assert (ended.status, ended.stdout) == (4, "")
