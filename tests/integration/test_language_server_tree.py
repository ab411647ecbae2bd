"""The language server over real debuggers: roots, pins, rows, numbers and search of its tree."""

from __future__ import annotations

import ast
import asyncio
import re
from pathlib import Path

import pytest

from support.command_line import EXAMPLES
from support.debuggers import DEBUGGEES, LAUNCHED, run, stop_of
from support.editor import Editor
from support.relayed import TRAINER, Losing, Slow, debugged


@pytest.mark.parametrize("debugger", LAUNCHED)
def test_a_stop_fills_the_tree_and_numbers_stream_in(debugger: str) -> None:
    async def scenario() -> None:
        async with LAUNCHED[debugger](DEBUGGEES / "training.py") as program, Editor() as editor:
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


@pytest.mark.parametrize("shown", [0, 1], ids=["first", "again"])
def test_a_call_whose_answer_was_lost_does_not_run_again_by_itself(
    trainer: Path, shown: int
) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            debugger = Losing(program)
            halt = await stop_of(program)
            editor.stopped(halt, debugger)
            await editor.request("roots")
            if shown:
                await editor.request("show", session=None, expression="calls()")
                await editor.measured()
            debugger.loses = True
            answer = await editor.request("show", session=None, expression="calls()")
            assert "the answer is lost" in answer["message"]
            debugger.loses = False
            ran = await program.evaluate("calls.count", halt.frame_id)
            assert ran == str(1 + shown)
            editor.continued()
            await program.resume()
            halt = await stop_of(program)
            editor.stopped(halt, debugger)
            nodes = (await editor.request("roots"))["nodes"]
            assert [node["stale"] for node in nodes if node["label"] == "calls()"] == [True] * shown
            assert await program.evaluate("calls.count", halt.frame_id) == ran

    run(scenario())


def test_a_call_that_was_asked_for_too_late_does_not_run_at_the_next_stop(trainer: Path) -> None:
    async def scenario() -> None:
        async with debugged(trainer) as program, Editor() as editor:
            slow = Slow(program)
            editor.stopped(await stop_of(program), slow)
            asked = asyncio.create_task(editor.request("show", session=None, expression="calls()"))
            await slow.waiting.wait()  # in the question that comes before it
            editor.continued()
            slow.gate.set()
            await program.resume()
            halt = await stop_of(program)
            editor.stopped(halt, program)
            assert "calls() could not be shown" in (await asked)["message"]
            assert "calls()" not in await editor.measured()
            assert await program.evaluate("calls.count", halt.frame_id) == "0"

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
            await editor.measured()  # the release comes after it
            text = "all(one() is None for one in made) and len(made)"
            assert await program.evaluate(text, halt.frame_id) == "1"

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


def test_looking_again_at_a_stop_is_no_proof_that_its_line_has_run(tmp_path: Path) -> None:
    script = tmp_path / "pending.py"
    script.write_text(
        "import torch\n"
        "def train():\n"
        "    model = torch.nn.Linear(2, 2)\n"
        "    loss = model(torch.ones(1, 2)).sum()\n"
        "    loss.backward()  # @bp stop\n"
        "train()\n"
    )

    async def scenario() -> None:
        async with debugged(script) as program, Editor() as editor:
            halt = await stop_of(program)
            editor.stopped(halt, program)
            first = await editor.measured()
            assert any("no backward yet" in line for line in first)
            await editor.request("refresh")
            assert await editor.measured() == first
            editor.frame(halt.frames[1].id)
            await editor.request("roots")
            editor.frame(halt.frames[0].id)
            assert await editor.measured() == first

    run(scenario())
