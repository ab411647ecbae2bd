"""A Chinese editor: real stops of an example, shown by the real language server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from pygls.exceptions import JsonRpcException

from support.debugging import marked_lines
from support.debugpy_debugger import DebugpyDebugger
from support.editor import Editor

EXAMPLE = Path(__file__).parents[2] / "examples" / "cifar10_cnn.py"


async def found(editor: Editor, query: str) -> list[dict[str, Any]]:
    matches: list[dict[str, Any]] = (await editor.request("search", query=query))["matches"]
    return matches


def test_reasons_details_status_and_errors_are_chinese_in_a_chinese_editor() -> None:
    async def scenario() -> None:
        async with (
            DebugpyDebugger(EXAMPLE, context="clipboard") as program,
            Editor(locale="zh-cn") as editor,
        ):
            halt = await program.wait_stop()
            assert halt is not None
            assert halt.line == marked_lines(EXAMPLE)["before backward"]
            editor.stopped(halt, program)
            before = "\n".join(await editor.measured())
            assert "∇ 无：尚未运行 backward" in before
            assert "MaxPool2d  （没有参数）" in before
            assert "∇ 无：非叶子，梯度将流向 model" in before
            assert editor.statuses[-1]["text"] == "∇ 缺失 10 个"
            weight, *others = await found(editor, "尚未运行 weight")
            assert (weight["name"], len(others)) == ("model.modle1.0.weight", 4)
            assert "权重范数" in weight["node"]["spoken"]
            notes = (await editor.request("details", node=weight["node"]["id"]))["notes"]
            assert notes[:2] == [
                "尚未运行 backward：model 中没有任何梯度，也没有任何迹象表明 backward 运行过",
                "依据：推断。",
            ]
            failed = await editor.request("show", session=None, expression="modle1.weight")
            assert failed["message"].startswith("modle1.weight 抛出了 NameError")
            editor.continued()
            await program.resume()

            halt = await program.wait_stop()
            assert halt is not None
            editor.stopped(halt, program)
            after = "\n".join(await editor.measured())
            assert "尚未" not in after
            assert "梯度已流向 model" in after
            assert editor.statuses[-1]["text"].startswith("‖∇‖ ")
            editor.ended()
            await program.finish()

    asyncio.run(asyncio.wait_for(scenario(), 150))


def test_an_editor_of_another_version_is_refused_in_its_language() -> None:
    async def scenario() -> str:
        editor = Editor(locale="zh-cn", protocol=99)
        try:
            await editor.__aenter__()
        except JsonRpcException as refused:
            return str(refused.message)
        finally:
            await editor.__aexit__(None, None, None)
        raise AssertionError("it was not refused")

    message = asyncio.run(asyncio.wait_for(scenario(), 60))
    assert "编辑器使用版本 99" in message
    assert "请安装版本相同的" in message
