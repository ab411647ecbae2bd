"""A whole stop of GPT-2 under debugpy, beside the stock Variables view walked down to each grad."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.figure import Figure
from benchmarks.memory import peak_extra_bytes, start_peak
from gradpeek.dap.breakpoints import Breakpoint
from gradpeek.dap.interpreter import inspect_interpreter
from gradpeek.dap.start import Program, launch
from gradpeek.dap.stop import Stop
from gradpeek.inspection import Inspection
from gradpeek.inspector import Inspector
from gradpeek.probe_client import ProbeClient

PROGRAM = Path(__file__).with_name("gpt2_program.py")
ROUNDS = 3
WALK = "Variables view walked to each grad"
IDLE = "stop that nobody looks at"
FASTER = 1 / 100


class _Counting:
    """An evaluator that counts what it carries."""

    def __init__(self, stop: Stop) -> None:
        self._session = stop.session
        self.count = 0

    async def evaluate(self, expression: str, frame_id: int) -> str:
        """See `Evaluator.evaluate`."""
        self.count += 1
        return await self._session.evaluate(expression, frame_id)


class _Walk:
    """Opens nodes of the Variables view as an editor does, one request a node."""

    def __init__(self, stop: Stop) -> None:
        self._client = stop.session._client
        self._thread = stop.thread_id
        self._opened: dict[tuple[str, ...], dict[str, int]] = {}
        self.requests = 0

    async def down_to_each_grad(self, names: list[str]) -> int:
        """Open every parameter of the local `model`; return how many showed their grad."""
        stack = await self._request("stackTrace", {"threadId": self._thread, "levels": 1})
        scopes = await self._request("scopes", {"frameId": stack["stackFrames"][0]["id"]})
        local = scopes["scopes"][0]["variablesReference"]
        self._opened[()] = await self._children(local)
        return sum([await self._shows_grad(("model", *name.split("."))) for name in names])

    async def _shows_grad(self, path: tuple[str, ...]) -> bool:
        for depth in range(1, len(path)):
            await self._open(path[:depth])
        return "grad" in await self._children(await self._reference(path))

    async def _open(self, path: tuple[str, ...]) -> dict[str, int]:
        if path not in self._opened:
            self._opened[path] = await self._children(await self._reference(path))
        return self._opened[path]

    async def _reference(self, path: tuple[str, ...]) -> int:
        *above, name = path
        siblings = self._opened[tuple(above)]
        if name not in siblings and "_modules" in siblings:  # of a Sequential or ModuleList
            listed = (*above, "_modules")
            if listed not in self._opened:
                self._opened[listed] = await self._children(siblings["_modules"])
            return self._opened[listed][f"'{name}'"]
        return siblings[name]

    async def _children(self, reference: int) -> dict[str, int]:
        answer = await self._request("variables", {"variablesReference": reference})
        return {child["name"]: child["variablesReference"] for child in answer["variables"]}

    async def _request(self, command: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self.requests += 1
        return await self._client.request(command, arguments, None)


def figures(*, quick: bool = False) -> list[Figure]:
    """Measure one stop; with `quick` of a small model, and once."""
    return asyncio.run(_figures("small" if quick else "gpt2", 1 if quick else ROUNDS))


async def _figures(model: str, rounds: int) -> list[Figure]:
    lines = PROGRAM.read_text().splitlines()
    line = next(at for at, text in enumerate(lines, 1) if text.endswith("# @stop"))
    program = Program(
        inspect_interpreter(sys.executable, "the benchmark's"), str(PROGRAM), (model,)
    )
    async with await launch(program, [Breakpoint(str(PROGRAM), line)]) as debuggee:
        stop = await debuggee.next_stop()
        assert stop is not None
        found = await _at(stop, rounds)
        await debuggee.close(kill=True)
    return found


async def _at(stop: Stop, rounds: int) -> list[Figure]:
    evaluator = _Counting(stop)
    inspector = Inspector(ProbeClient(evaluator))
    idle = evaluator.count
    first_s, _ = await _timed(inspector, stop, measure=False)
    before = None if stop.process_id is None else start_peak(stop.process_id)
    peak = None
    rows: list[float] = []
    whole: list[float] = []
    walk = _Walk(stop)
    walk_s = 0.0
    for turn in range(rounds):
        if turn == rounds // 2:
            _, inspection = await _timed(inspector, stop, measure=False)
            names = [row.name for row in inspection.roots[0].rows if row.kind == "parameter"]
            begin = time.perf_counter()
            shown = await walk.down_to_each_grad(names)
            walk_s = time.perf_counter() - begin
            assert shown == len(names), "the walk has not found every grad"
        rows.append((await _timed(inspector, stop, measure=False))[0])
        whole.append((await _timed(inspector, stop, measure=True))[0])
        if turn == 0 and stop.process_id is not None:
            peak = peak_extra_bytes(stop.process_id, before)
    once = f"{len(names)} parameters, {walk.requests} requests, walked once, no statistics"
    return [
        _figure("gpt2_stop_rows", "stop: rows", statistics.median(rows), walk_s, once),
        replace(
            _figure("gpt2_stop", "stop: rows, statistics", statistics.median(whole), walk_s, once),
            peak_extra_bytes=peak,
        ),
        _figure("gpt2_first_stop_rows", "first stop: probe sent, rows", first_s, walk_s, once),
        Figure("idle_stop", IDLE, "", "evaluates", idle, None, "ours", 0),
    ]


def _figure(key: str, what: str, ours: float, walk: float, note: str) -> Figure:
    return Figure(key, "GPT-2 " + what, WALK, "s", ours, walk, "ratio", FASTER, note=note)


async def _timed(inspector: Inspector, stop: Stop, *, measure: bool) -> tuple[float, Inspection]:
    """Seconds from asking to decoded rows, and the rows."""
    frame = stop.frames[0].id
    begin = time.perf_counter()
    inspection = await inspector.inspect(frame, ["model"])
    if measure:
        await inspector.measure(frame, inspection)
    return time.perf_counter() - begin, inspection
