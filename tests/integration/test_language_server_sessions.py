"""The language server over real debuggers: what it evaluates, when, and what a new stop cancels."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from support.debuggers import run, stop_of
from support.debugging import Debugger, Halt
from support.editor import Editor
from support.relayed import Gated, Slow, debugged


def test_nothing_is_evaluated_while_nobody_asks_but_to_register_the_console_once(
    trainer: Path,
) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            editor.configure(console=True, visible=False)
            for _ in range(3):
                editor.stopped(await stop_of(program), program)
                await editor.request("search", query="")  # has gone through the server's queue
                await editor.until(lambda: editor.answered == 1)
                editor.continued()
                await program.resume()
            halt = await stop_of(program)
            assert "Sequential" in await program.evaluate(
                "type(torch.nn.Sequential()).__name__", halt.frame_id
            )
            assert "lin" in await program.evaluate("repr(grads(model))", halt.frame_id)
            assert len(editor.evaluated) == 1

    run(scenario())


def test_with_the_console_off_and_nobody_asking_no_evaluate_is_sent(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            editor.configure(console=False, visible=False)
            for _ in range(2):
                editor.stopped(await stop_of(program), program)
                await editor.request("search", query="")
                editor.continued()
                await program.resume()
            assert editor.evaluated == []

    run(scenario())


def test_switching_the_console_off_takes_grads_out_of_the_program(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            editor.configure(console=True, visible=False)  # nothing else asks
            halt = await stop_of(program)
            editor.stopped(halt, program)
            await editor.until(lambda: editor.answered == 1)
            there = "'grads' in vars(__import__('builtins'))"
            assert await program.evaluate(there, halt.frame_id) == "True"
            editor.configure(console=False, visible=False)
            await editor.until(lambda: editor.answered == 2)
            assert await program.evaluate(there, halt.frame_id) == "False"

    run(scenario())


def test_rows_of_a_program_that_runs_are_stale_and_those_of_the_next_stop_are_not(
    trainer: Path,
) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            editor.stopped(await stop_of(program), program)
            await editor.measured()
            before = editor.changes
            editor.continued()
            await editor.until(lambda: editor.changes > before)
            answer = await editor.request("roots")
            assert all(node["stale"] for node in answer["nodes"])
            assert "Running" in answer["message"]
            shown = await editor.request("show", session=None, expression="model")
            assert "stop at a breakpoint" in shown["message"]
            await program.resume()
            editor.stopped(await stop_of(program), program)
            answer = await editor.request("roots")
            assert not any(node["stale"] for node in answer["nodes"])
            editor.ended()
            assert (await editor.request("roots"))["state"] == "no_session"
            assert editor.statuses[-1]["text"] is None

    run(scenario())


def test_two_sessions_are_two_groups_with_their_process(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as one, debugged(trainer) as two, Editor() as editor:
            editor.stopped(await stop_of(one), one, "one", label="rank 0", process=11)
            editor.stopped(await stop_of(two), two, "two", label="rank 1", process=12)
            nodes = (await editor.request("roots"))["nodes"]
            assert [node["kind"] for node in nodes] == ["process", "process"]
            tree = await editor.tree()
            assert "rank 0  process 11" in tree
            assert sum(line.startswith("  model  Block") for line in tree) == 2
            editor.ended("one")
            nodes = (await editor.request("roots"))["nodes"]
            assert nodes[0]["label"] == "model"
            assert {session for session, *_ in editor.evaluated} == {"one", "two"}

    run(scenario())


async def asked_while_busy(
    editor: Editor, halt: Halt, program: Debugger
) -> tuple[Slow, asyncio.Future[dict[str, Any]]]:
    """A debugger that keeps the first question about its stop waiting, and who waits for rows."""
    slow = Slow(program)
    editor.stopped(halt, slow)
    asked = asyncio.ensure_future(editor.request("roots"))
    await slow.waiting.wait()
    return slow, asked


def test_a_newer_stop_cancels_what_is_under_way_for_the_one_before(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            halt = await stop_of(program)
            slow, asked = await asked_while_busy(editor, halt, program)
            for _ in range(5):
                editor.continued()
                editor.stopped(halt, program)
            slow.gate.set()
            await asked
            assert (await editor.request("roots"))["state"] == "shown"
            stops = [stop for _, stop, _, _ in editor.evaluated]
            assert stops == sorted(stops)  # nothing is asked for a stop once there is a newer one
            assert (stops.count(1), stops[-1]) == (1, 6)

    run(scenario())


def test_an_answer_to_what_nobody_waits_for_any_more_is_no_error(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            halt = await stop_of(program)
            slow, asked = await asked_while_busy(editor, halt, program)
            editor.continued()
            editor.stopped(halt, program)
            await asked
            slow.gate.set()
            await editor.until(lambda: editor.answered == len(editor.evaluated))
            assert (await editor.request("roots"))["state"] == "shown"
        assert editor.process.stderr is not None
        assert "InvalidStateError" not in (await editor.process.stderr.read()).decode()

    run(scenario())


def test_a_long_measurement_shows_progress_that_can_be_cancelled(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            halt = await stop_of(program)
            looks = Gated(program, 100)
            editor.stopped(halt, looks)
            looks.passes = 1 + 1 + 4 + 1  # injection, roots, rows of four roots, one measured
            await editor.request("roots")
            await looks.waiting.wait()
            await editor.until(lambda: bool(editor.progress))
            assert editor.progress[0]["cancellable"]
            editor.cancel_progress()
            await editor.until(lambda: editor.progress[-1]["kind"] == "end")
            looks.gate.set()
            tree = await editor.tree()
            assert any(line.startswith("model") and "‖w‖" in line for line in tree), tree
            assert not any(line.startswith("frozen") and "‖w‖" in line for line in tree), tree
            asked = len(editor.evaluated)
            await editor.request("roots")
            assert len(editor.evaluated) == asked
            await editor.request("refresh")
            tree = await editor.measured()
            assert any(line.startswith("frozen") and "‖w‖" in line for line in tree), tree

    run(scenario())
