"""The language server where it cannot show gradients: it says why, and works at the next stop."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from support.debuggers import run, stop_of
from support.editor import Editor
from support.relayed import Refusing, debugged


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
