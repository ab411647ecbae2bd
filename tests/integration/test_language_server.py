"""The language server in a process of its own, asked by an editor, over real debuggers."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from support.debugging import Debugger, Halt
from support.debugpy_debugger import DebugpyDebugger
from support.editor import Editor
from support.pycharm_debugger import PyCharmDebugger

DEBUGGEES = Path(__file__).parent / "debuggees"
EXAMPLES = Path(__file__).parents[2] / "examples"

MAKERS: dict[str, Any] = {
    "pycharm": PyCharmDebugger,
    "debugpy-clipboard": lambda script: DebugpyDebugger(script, context="clipboard"),
    "debugpy-repl": lambda script: DebugpyDebugger(script, context="repl"),
}
every_debugger = pytest.mark.parametrize("debugger", MAKERS)

TRAINER = '''
import torch
from torch import nn


class Block(nn.Module):
    """Line 6 is where its class is."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return self.lin(x)


def calls():
    calls.count += 1
    return model.lin


calls.count = 0
model = Block()
frozen = nn.Linear(2, 2).requires_grad_(False)
for step in range(4):
    loss = model(torch.ones(2, 4)).square().mean()
    loss.backward()
    pass  # @bp stop
    model.zero_grad()
'''


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 150))


async def stop_of(program: Debugger) -> Halt:
    halt = await program.wait_stop()
    assert halt is not None
    return halt


@pytest.fixture
def trainer(tmp_path: Path) -> Path:
    script = tmp_path / "trainer.py"
    script.write_text(TRAINER)
    return script


def debugged(script: Path) -> DebugpyDebugger:
    return DebugpyDebugger(script, context="clipboard")


@every_debugger
def test_a_stop_fills_the_tree_and_numbers_stream_in(debugger: str) -> None:
    async def scenario() -> None:
        async with MAKERS[debugger](DEBUGGEES / "training.py") as program, Editor() as editor:
            for _ in range(2):  # before backward, then after it
                halt = await stop_of(program)
                editor.stopped(halt, program)
                tree = await editor.measured()
                editor.continued()
                await program.resume()
            assert re.match("model  Sequential  .*6 tensors", tree[0]), tree[0]
            weights = [line for line in tree if line.strip().startswith("weight")]
            assert len(weights) == 3, tree
            assert all(re.search("‖w‖ [0-9.]+  ∇ [0-9.]+", line) for line in weights), tree
            assert any(line.strip().startswith("grad  [8,3,3,3] float32  norm") for line in tree)
            assert str(editor.statuses[-1]["text"]).startswith(("‖∇‖ ", "None"))
            editor.ended()

    run(scenario())


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
            editor.configure(console=True)
            halt = await stop_of(program)
            editor.stopped(halt, program)
            await editor.until(lambda: editor.answered == 1)
            there = "'grads' in vars(__import__('builtins'))"
            assert await program.evaluate(there, halt.frame_id) == "True"
            editor.configure(console=False)
            await editor.until(lambda: editor.answered == 2)
            assert await program.evaluate(there, halt.frame_id) == "False"

    run(scenario())


def test_a_pinned_expression_is_shown_first_and_refreshed_at_each_stop(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            editor.stopped(await stop_of(program), program)
            await editor.request("roots")
            shown = await editor.request("show", session=None, expression="model.lin.weight")
            assert shown["message"] is None
            assert [node["label"] for node in shown["path"]] == ["model.lin.weight"]
            first = (await editor.request("roots"))["nodes"][0]
            assert (first["pinned"], first["stale"]) == (True, False)
            editor.continued()
            await program.resume()
            editor.stopped(await stop_of(program), program)
            first = (await editor.request("roots"))["nodes"][0]
            assert (first["id"], first["stale"]) == (shown["path"][0]["id"], False)
            assert "unpin" in first["actions"]
            await editor.request("unpin", node=first["id"])
            labels = [node["label"] for node in (await editor.request("roots"))["nodes"]]
            assert "model.lin.weight" not in labels

    run(scenario())


def test_an_expression_with_a_call_is_evaluated_again_only_when_asked(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            halt = await stop_of(program)
            editor.stopped(halt, program)
            await editor.request("roots")
            await editor.request("show", session=None, expression="calls()")
            editor.continued()
            await program.resume()
            halt = await stop_of(program)
            editor.stopped(halt, program)
            node = (await editor.request("roots"))["nodes"][0]
            assert node["stale"]
            assert "rerun" in node["actions"]
            assert "evaluate again" in node["cells"][-1]["text"]
            assert await program.evaluate("calls.count", halt.frame_id) == "1"
            again = await editor.request("rerun", node=node["id"])
            assert not again["path"][0]["stale"]
            assert await program.evaluate("calls.count", halt.frame_id) == "2"

    run(scenario())


def test_what_an_expression_has_made_does_not_outlive_its_stop(tmp_path: Path) -> None:
    script = tmp_path / "temporary.py"
    script.write_text(
        "import torch, weakref\nmade = []\n"
        "def make():\n    module = torch.nn.Linear(2, 2)\n"
        "    made.append(weakref.ref(module))\n    return module\n"
        "for _ in range(2):\n    pass  # @bp stop\n"
    )

    async def scenario() -> None:
        async with debugged(script) as program, Editor() as editor:
            halt = await stop_of(program)
            editor.stopped(halt, program)
            await editor.request("show", session=None, expression="make()")
            await editor.request("roots")
            text = "all(one() is None for one in made) and len(made)"
            for _ in range(200):  # each answer is an event: the release comes after measuring
                if await program.evaluate(text, halt.frame_id) == "1":
                    break
            else:
                pytest.fail("the probe still holds what the expression has made")

    run(scenario())


def test_another_frame_shows_that_frames_roots(trainer: Path, tmp_path: Path) -> None:
    script = tmp_path / "frames.py"
    script.write_text(
        "import torch\n"
        "def inner():\n    own = torch.nn.Linear(2, 2)\n    pass  # @bp stop\n"
        "def outer():\n    other = torch.nn.Linear(3, 3)\n    inner()\nouter()\n"
    )

    async def scenario() -> None:
        async with debugged(script) as program, Editor() as editor:
            halt = await stop_of(program)
            editor.stopped(halt, program)
            assert [node["label"] for node in (await editor.request("roots"))["nodes"]] == ["own"]
            editor.frame(halt.frames[1].id)
            assert [node["label"] for node in (await editor.request("roots"))["nodes"]] == ["other"]
            editor.configure(callers=True)
            editor.frame(halt.frames[0].id)
            labels = [node["label"] for node in (await editor.request("roots"))["nodes"]]
            assert labels == ["own", "other"]

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


class Refusing:
    """A debugger that evaluates nothing, as that of another language."""

    async def evaluate(self, expression: str, frame_id: int) -> str:
        raise ValueError("ReferenceError: __import__ is not defined")


def test_a_session_of_another_language_says_so_and_is_asked_once_a_stop(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            halt = await stop_of(program)
            editor.configure(console=True)
            for _ in range(2):
                editor.stopped(halt, Refusing(), "node", kind="pwa-node")
                answer = await editor.request("roots")
                assert answer["state"] == "not_python"
                assert "pwa-node" in answer["message"]
            assert len(editor.evaluated) == 1
            editor.ended("node")
            editor.stopped(halt, program)
            assert (await editor.request("roots"))["state"] == "shown"

    run(scenario())


def test_a_notebooks_debugger_is_asked_whether_it_evaluates_python(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            editor.stopped(await stop_of(program), program, kind="some-notebook")
            assert (await editor.request("roots"))["state"] == "shown"

    run(scenario())


def test_a_program_without_torch_says_so(tmp_path: Path) -> None:
    script = tmp_path / "plain.py"
    script.write_text("x = 1\npass  # @bp stop\n")

    async def scenario() -> None:
        async with debugged(script) as program, Editor() as editor:
            editor.stopped(await stop_of(program), program)
            answer = await editor.request("roots")
            assert (answer["state"], answer["nodes"]) == ("no_torch", [])
            assert "import torch" in answer["message"]

    run(scenario())


def test_a_refused_evaluate_leaves_one_line_and_a_working_next_stop(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            halt = await stop_of(program)
            editor.stopped(halt, Refusing())
            answer = await editor.request("roots")
            assert answer["state"] == "failed"
            assert "\n" not in answer["message"]
            editor.stopped(halt, program)
            assert (await editor.request("roots"))["state"] == "shown"

    run(scenario())


class Slow:
    """Evaluates when it is told to, as a debugger that is busy."""

    def __init__(self, program: Debugger) -> None:
        self.program = program
        self.gate = asyncio.Event()
        self.waiting = asyncio.Event()

    async def evaluate(self, expression: str, frame_id: int) -> str:
        self.waiting.set()
        await self.gate.wait()
        return await self.program.evaluate(expression, frame_id)


def test_a_newer_stop_cancels_what_is_under_way_for_the_one_before(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            halt = await stop_of(program)
            slow = Slow(program)
            editor.stopped(halt, slow)
            asked = asyncio.ensure_future(editor.request("roots"))
            await slow.waiting.wait()
            for _ in range(5):
                editor.continued()
                editor.stopped(halt, program)
            slow.gate.set()
            await asked
            assert (await editor.request("roots"))["state"] == "shown"
            stops = [stop for _, stop, _, _ in editor.evaluated]
            assert set(stops) == {1, 6}
            assert stops.count(1) == 1

    run(scenario())


def test_an_answer_to_what_nobody_waits_for_any_more_is_no_error(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            halt = await stop_of(program)
            slow = Slow(program)
            editor.stopped(halt, slow)
            asked = asyncio.ensure_future(editor.request("roots"))
            await slow.waiting.wait()
            editor.continued()
            editor.stopped(halt, program)
            await asked
            slow.gate.set()
            await editor.until(lambda: editor.answered == len(editor.evaluated))
            assert (await editor.request("roots"))["state"] == "shown"
        assert editor.process.stderr is not None
        assert "InvalidStateError" not in (await editor.process.stderr.read()).decode()

    run(scenario())


def test_search_finds_rows_that_nobody_has_unfolded(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            editor.stopped(await stop_of(program), program)
            await editor.request("roots")
            found = await editor.request("search", query="LIN weight")
            assert [match["name"] for match in found["matches"]][:1] == ["model.lin.weight"]
            found = await editor.request("search", query="frozen", limit=1)
            assert (len(found["matches"]), found["total"]) == (1, 3)
            node = found["matches"][0]["node"]["id"]
            path = (await editor.request("reveal", node=node))["path"]
            assert path[-1]["id"] == node

    run(scenario())


def test_each_rows_expression_evaluates_to_the_tensor_that_it_shows(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(EXAMPLES / "cifar10_cnn.py") as program, Editor() as editor:
            halt = await stop_of(program)
            editor.stopped(halt, program)
            await editor.request("roots")
            found = await editor.request("search", query="parameter", limit=1000)
            assert found["total"] == 10
            for match in found["matches"]:
                node = match["node"]
                expression = await editor.request("copy", node=node["id"], what="expression")
                path = await editor.request("copy", node=node["id"], what="path")
                same = f"{expression['text']} is model.get_parameter({path['text']!r})"
                assert await program.evaluate(same, halt.frame_id) == "True"
            value = await editor.request("copy", node=node["id"], what="value")
            assert value["text"].splitlines()[0].startswith(path["text"])

    run(scenario())


def test_the_class_of_a_module_is_found_in_its_file(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            editor.stopped(await stop_of(program), program)
            nodes = (await editor.request("roots"))["nodes"]
            found = await editor.request("source", node=nodes[0]["id"])
            line = next(
                one.lineno for one in ast.parse(TRAINER).body if isinstance(one, ast.ClassDef)
            )
            assert found == {"file": str(trainer), "line": line, "message": None}

    run(scenario())


class Gated(Slow):
    """Lets so many evaluates through, and the others wait."""

    def __init__(self, program: Debugger, passes: int) -> None:
        super().__init__(program)
        self.passes = passes

    async def evaluate(self, expression: str, frame_id: int) -> str:
        self.passes -= 1
        if self.passes >= 0:
            return await self.program.evaluate(expression, frame_id)
        return await super().evaluate(expression, frame_id)


def test_a_long_measurement_shows_progress_that_can_be_cancelled(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            halt = await stop_of(program)
            looks = Gated(program, 100)
            editor.stopped(halt, looks)
            looks.passes = 1 + 1 + 4 + 1  # injection, roots, rows of four roots, one measured
            await editor.request("roots")
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


def test_a_request_that_breaks_the_schema_is_refused_and_the_server_goes_on(trainer: Path) -> None:
    async def scenario() -> None:
        async with Editor() as editor:
            with pytest.raises(JsonRpcException, match="gradpeek/search"):
                await editor.request("search", query=7)
            with pytest.raises(JsonRpcException, match="gradpeek/children"):
                await editor.request("children")
            assert (await editor.request("children", node="gone"))["nodes"] == []
            assert (await editor.request("roots"))["state"] == "no_session"

    run(scenario())


def test_an_editor_of_another_version_is_refused() -> None:
    async def scenario() -> None:
        with pytest.raises(JsonRpcException, match="install editor and server of the same version"):
            async with Editor(protocol=2):
                pass

    run(scenario())
