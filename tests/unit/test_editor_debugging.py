"""What the server shows while questions are under way; the debuggee is this process."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import Callable, Coroutine
from typing import Any

import torch
from pygls.exceptions import JsonRpcException

from gradpeek.language_server.debugging import Debugging
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor

MODEL = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
OPTIONS = editor.Options(
    visible=True,
    console=False,
    order="model",
    hide_plain=False,
    only_problems=False,
    callers=False,
)


class Bar:
    """A progress bar that nobody sees."""

    def report(self, done: int, total: int) -> None: ...

    def end(self) -> None: ...


class Near:
    """An editor whose debuggee is this process; `gates` hold back questions by their method."""

    def __init__(self) -> None:
        self.gates: dict[str, asyncio.Event] = {}
        self.refused: set[str] = set()
        self.asked: list[str] = []
        self.bars = 0
        self.changes = 0

    async def evaluate(self, request: editor.Evaluate) -> editor.Text:
        method = asked_method(request.expression)
        self.asked.append(method)
        if method in self.gates:
            await self.gates[method].wait()
        if method in self.refused:
            raise JsonRpcException("the debugger refuses")
        return editor.Text(text=str(eval(request.expression, {"model": MODEL})))

    def changed(self, params: editor.Changed) -> None:
        self.changes += 1

    def status(self, params: editor.Status) -> None: ...

    def progress(self, title: str, cancel: Callable[[], None]) -> Bar:
        self.bars += 1
        return Bar()


def asked_method(expression: str) -> str:
    """Method of the question in an expression, "" where it holds none."""
    for piece in expression.split("'"):
        if piece.startswith("ey"):  # base64 of a JSON object
            name: str = json.loads(b64decode(piece))["method"]
            return name
    return ""


def debugging(near: Near) -> Debugging:
    made = Debugging(near, Symbols())
    made.configure(OPTIONS)
    return made


def stop(number: int) -> editor.Stopped:
    return editor.Stopped(session="s", stop=number, frame=1, label="train", debugger="debugpy")


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 60))


async def settle(near: Near) -> None:
    """Until nothing more is asked and nothing more is said by itself."""
    before = (-1, -1)
    while before != (len(near.asked), near.changes):
        before = (len(near.asked), near.changes)
        for _ in range(50):
            await asyncio.sleep(0)


def test_rows_that_are_asked_for_while_a_stop_is_looked_into_do_not_stay_stale() -> None:
    async def scenario() -> None:
        near = Near()
        shown = debugging(near)
        shown.stopped(stop(1))
        first = (await shown.roots()).nodes[0]
        near.gates["roots"] = asyncio.Event()
        shown.continued(editor.Session(session="s"))
        shown.stopped(stop(2))
        asked = asyncio.ensure_future(shown.roots())
        await settle(near)
        assert shown.children(editor.NodeRequest(node=first.id)).nodes[0].stale
        near.gates["roots"].set()
        assert not (await asked).nodes[0].stale
        assert not shown.children(editor.NodeRequest(node=first.id)).nodes[0].stale

    run(scenario())


def test_asking_for_the_tree_while_numbers_are_read_does_not_read_them_again() -> None:
    async def scenario() -> None:
        near = Near()
        shown = debugging(near)
        near.gates["statistics"] = asyncio.Event()
        shown.stopped(stop(1))
        for _ in range(5):
            await shown.roots()
            await settle(near)
        assert near.asked.count("statistics") == 1
        assert near.bars == 1
        near.gates["statistics"].set()
        await settle(near)
        for _ in range(5):
            await shown.roots()
            await settle(near)
        assert near.asked.count("statistics") == near.asked.count("rows")

    run(scenario())


def test_a_measurement_that_fails_is_said_and_not_begun_again_before_the_next_stop() -> None:
    async def scenario() -> None:
        near = Near()
        shown = debugging(near)
        near.refused.add("statistics")
        shown.stopped(stop(1))
        for _ in range(5):
            answer = await shown.roots()
            await settle(near)
        assert answer.message == "the debugger refuses"
        refused = near.asked.count("statistics")
        await shown.roots()
        await settle(near)
        assert near.asked.count("statistics") == refused
        near.refused.clear()
        shown.stopped(stop(2))
        await shown.roots()
        await settle(near)
        answer = await shown.roots()
        assert answer.message is None
        assert any("‖w‖" in cell.text for cell in answer.nodes[0].cells)

    run(scenario())


def test_a_stop_that_nobody_sees_asks_nothing_until_it_is_seen() -> None:
    async def scenario() -> None:
        near = Near()
        shown = Debugging(near, Symbols())
        for number in range(1, 4):
            shown.stopped(stop(number))
            await settle(near)
        assert near.asked == []
        shown.configure(OPTIONS)
        await shown.roots()
        assert near.asked.count("roots") == 1

    run(scenario())
