"""`grads(model)` typed in the debug consoles of the real debuggers, against the command line."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from gradpeek.console_injection import console
from gradpeek.inspector import Inspector
from gradpeek.output import PIPED_WIDTH
from gradpeek.probe_client import ProbeClient
from gradpeek.rendering import tree
from support.command_line import at, gradpeek
from support.debuggers import DEBUGGEES, run, stop_of
from support.debugging import Debugger, Halt, marked_lines
from support.debugpy_debugger import DebugpyDebugger
from support.pycharm_debugger import PyCharmDebugger

CONSOLES: dict[str, Callable[[Path], Debugger]] = {
    "debugpy": lambda script: DebugpyDebugger(script, context="clipboard"),
    "pycharm": PyCharmDebugger,
    "pycharm-ipython": lambda script: PyCharmDebugger(script, ipython=True),
}
every_console = pytest.mark.parametrize("debugger", CONSOLES)
_AROUND = re.compile(r"\A(PyDev console: .*\n+)?(Out\[\d+\]:[ \n]*)?|\n*\Z")
"""What PyCharm's console and IPython put around the text of a value."""


async def stop_at(program: Debugger, script: str, mark: str) -> Halt:
    """The stop at a mark; those before it are passed."""
    line = marked_lines(DEBUGGEES / script)[mark]
    while True:
        halt = await stop_of(program)
        if halt.line == line:
            return halt
        await program.resume()


async def register(program: Debugger, halt: Halt) -> str:
    return (await program.evaluate(console().register, halt.frame_id)).strip("'")


async def typed(program: Debugger, halt: Halt, text: str) -> str:
    return _AROUND.sub("", await program.type_in_console(text, halt.frame_id))


@cache
def plain_output(script: str) -> bytes:
    """What the program writes when nobody watches it."""
    command = [sys.executable, str(DEBUGGEES / script)]
    return subprocess.run(command, check=True, capture_output=True, cwd=DEBUGGEES).stdout


async def tree_of(inspector: Inspector, halt: Halt, expression: str = "") -> str:
    """What the command line shows of this stop."""
    inspection = await inspector.inspect(halt.frame_id, [expression] if expression else None)
    await inspector.measure(halt.frame_id, inspection)
    await inspector.release(halt.frame_id)
    return tree.text(inspection, PIPED_WIDTH).rstrip("\n")


TYPED = ("model", "model[0].weight", "")


@every_console
def test_stop_by_stop_it_shows_what_the_command_line_shows(debugger: str) -> None:
    async def scenario() -> None:
        said: set[str] = set()
        async with CONSOLES[debugger](DEBUGGEES / "training.py") as program:
            inspectors = {text: Inspector(ProbeClient(program)) for text in TYPED}
            halt = await stop_at(program, "training.py", "backward")
            assert await register(program, halt) == "registered"
            for iteration in range(3):
                for text, inspector in inspectors.items():
                    expected = await tree_of(inspector, halt, text)
                    assert await typed(program, halt, f"grads({text})") == expected
                    assert await typed(program, halt, f"show_gradients({text})") == expected
                    said.add(expected)
                if iteration == 0:
                    assert "no backward yet" in expected
                    await program.step_over()
                else:
                    await program.resume()
                halt = await stop_at(program, "training.py", ("report", "backward")[iteration % 2])
                assert await register(program, halt) == "present"
            ending = await program.finish()
        assert len(said) == 9
        assert (ending.status, ending.output) == (0, plain_output("training.py"))

    run(scenario())


def test_the_command_line_itself_shows_it() -> None:
    script = DEBUGGEES / "training.py"
    ended = gradpeek("run", "--show=model", at(script, "backward"), str(script))
    assert ended.status == 0, ended.stderr

    async def scenario() -> None:
        async with DebugpyDebugger(script, context="clipboard") as program:
            halt = await stop_at(program, "training.py", "backward")
            await register(program, halt)
            text = await typed(program, halt, "grads(model)")
            assert len(text) > 500
            assert text in ended.stdout

    run(scenario())


@every_console
def test_it_works_in_every_frame_of_a_program_that_goes_on_unchanged(debugger: str) -> None:
    async def scenario() -> None:
        async with CONSOLES[debugger](DEBUGGEES / "console.py") as program:
            inspector = Inspector(ProbeClient(program))
            halt = await stop_at(program, "console.py", "before_torch")
            assert await register(program, halt) == "registered"
            line = "torch is not loaded in this process: stop after `import torch`"
            assert await typed(program, halt, "grads(3)") == line
            await program.resume()

            halt = await stop_at(program, "console.py", "method")
            assert await register(program, halt) == "present"
            expected = await tree_of(inspector, halt, "self.model")
            assert await typed(program, halt, "grads(self.model)") == expected
            in_a_list = await typed(program, halt, "str([grads(m) for m in [self.model]][0])")
            assert in_a_list.strip("'").replace("\\n", "\n").startswith("self.model  Sequential")
            assert "is of type int" in await typed(program, halt, "grads(3)")
            assert "one object, not 2" in await typed(program, halt, "grads(self, 3)")
            await program.resume()

            halt = await stop_at(program, "console.py", "without_tensors")
            assert await typed(program, halt, "grads()") == await tree_of(inspector, halt)
            await program.resume()

            halt = await stop_at(program, "console.py", "comprehension")
            expected = await tree_of(inspector, halt, "layer")
            assert await typed(program, halt, "grads(layer)") == expected
            unregistered = await program.evaluate(console().unregister, halt.frame_id)
            assert unregistered.strip("'") == "unregistered"
            assert "NameError" in await failed(program, halt, "grads(layer)")
            ending = await program.finish()
        assert (ending.status, ending.output) == (0, plain_output("console.py"))

    run(scenario())


async def failed(program: Debugger, halt: Halt, text: str) -> str:
    try:
        return await program.type_in_console(text, halt.frame_id)
    except Exception as error:
        return str(error)


def test_in_a_forked_process_it_is_there_already() -> None:
    async def scenario() -> None:
        async with DebugpyDebugger(DEBUGGEES / "console.py", context="clipboard") as program:
            halt = await stop_at(program, "console.py", "comprehension")
            await register(program, halt)
            await program.resume()
            halt = await stop_at(program, "console.py", "child")
            text = await typed(program, halt, "grads(trainer.model)")
            assert text.startswith("trainer.model  Sequential")

    run(scenario())


def test_a_stop_in_a_compiled_region_gives_the_users_backend_no_graph() -> None:
    """Not with PyCharm's console, whose own code Dynamo compiles there, even for a typed `1`."""

    async def scenario() -> None:
        async with CONSOLES["debugpy"](DEBUGGEES / "compiled.py") as program:
            for _ in range(2):
                halt = await stop_at(program, "compiled.py", "compiled")
                await register(program, halt)
                for _ in range(2):
                    text = await typed(program, halt, "grads(scale)")
                    assert text.startswith("scale  [2] float32  norm 0.707")
                    assert "\ngiven  [2]" in "\n" + await typed(program, halt, "grads()")
                await program.resume()
            ending = await program.finish()
        assert (ending.status, ending.output) == (0, plain_output("compiled.py"))
        assert b"Dynamo" not in ending.errors

    run(scenario())


@pytest.mark.parametrize("debugger", ["debugpy", "pycharm"])
def test_a_big_model_comes_back_as_a_text_that_no_debugger_cuts(debugger: str) -> None:
    async def scenario() -> None:
        async with CONSOLES[debugger](DEBUGGEES / "big_model.py") as program:
            halt = await stop_at(program, "big_model.py", "big")
            await register(program, halt)
            text = await typed(program, halt, "grads()")
            assert len(text) < 60_000
            assert re.search(r"… [\d,]+ more rows \(ask for a part of it\)", text)
            assert max(map(len, text.split("\n"))) <= 100

    run(scenario())
