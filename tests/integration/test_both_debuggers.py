"""The same questions at the same stops through the two debuggers that editors use, both real."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from gradpeek.errors import DebuggeeEndedError, EvaluateError, WireError
from gradpeek.inspection import Inspection, RootInspection
from gradpeek.inspector import Inspector
from gradpeek.probe_client import ProbeClient
from gradpeek.wire import types
from support.debuggers import DEBUGGEES, MAKERS, run, stop_of
from support.debugging import Debugger, Halt, marked_lines
from support.pycharm_debugger import PyCharmDebugger

every_debugger = pytest.mark.parametrize("debugger", MAKERS)
each_debuggee = pytest.mark.parametrize("debugger", ["pycharm", "debugpy-clipboard"])


def under(debugger: str, script: str) -> Debugger:
    return MAKERS[debugger](DEBUGGEES / script)


@cache
def plain_output(script: str) -> bytes:
    """What the program writes when nobody watches it."""
    command = [sys.executable, str(DEBUGGEES / script)]
    return subprocess.run(command, check=True, capture_output=True, cwd=DEBUGGEES).stdout


async def stop_at(program: Debugger, script: str, mark: str) -> Halt:
    halt = await stop_of(program)
    assert halt.line == marked_lines(DEBUGGEES / script)[mark]
    return halt


async def measured(inspector: Inspector, frame_id: int, *expressions: str) -> Inspection:
    inspection = await inspector.inspect(frame_id, expressions or None)
    await inspector.measure(frame_id, inspection)
    assert inspection.complete
    return inspection


def root_of(inspection: Inspection, expression: str) -> RootInspection:
    return next(one for one in inspection.roots if one.root.expression == expression)


def norms(root: RootInspection) -> dict[str, dict[str, float | None]]:
    """By part and name of a parameter its norm, None where there is no gradient."""
    found: dict[str, dict[str, float | None]] = {"data": {}, "grad": {}}
    for row in root.tensors():
        for part, facts in (("data", row.tensor), ("grad", row.gradient)):
            statistics = facts.statistics if facts is not None else None
            found[part][row.name] = statistics.norm if statistics is not None else None
    return found


@every_debugger
def test_training_shows_the_norms_that_the_program_prints_and_goes_on_unchanged(
    debugger: str,
) -> None:
    async def scenario() -> None:
        shown = []
        async with under(debugger, "training.py") as program:
            inspector = Inspector(ProbeClient(program))
            halt = await stop_at(program, "training.py", "backward")
            before = await measured(inspector, halt.frame_id)
            assert [(r.root.expression, r.root.scope, r.root.kind) for r in before.roots] == [
                ("model", "local", "module"),
                ("loss", "local", "tensor"),
                ("optimizer", "local", "optimizer"),
            ]
            assert before.facts.pending_backward
            assert not before.facts.stepped
            weight = next(root_of(before, "model").tensors())
            assert weight.gradient is None
            assert weight.absence is not None
            assert weight.absence.reason == "no_backward_yet"

            await program.step_over()
            for iteration in range(3):
                if iteration:
                    halt = await stop_at(program, "training.py", "backward")
                    again = await inspector.inspect(halt.frame_id)
                    assert next(root_of(again, "model").tensors()).gradient is not None
                    assert again.facts.stepped
                    await program.resume()
                halt = await stop_at(program, "training.py", "report")
                after = await measured(inspector, halt.frame_id)
                assert not after.facts.pending_backward
                shown.append(norms(root_of(after, "model")))
                await program.resume()
            ending = await program.finish()
        assert ending.output == plain_output("training.py")
        assert ending.status == 0
        for found, line in zip(shown, ending.output.splitlines(), strict=False):
            printed = json.loads(line)
            for part in ("data", "grad"):
                assert found[part] == pytest.approx(printed[part], rel=1e-6, abs=0)

    run(scenario())


@each_debuggee
def test_what_is_asked_at_the_wrong_time_is_an_error_and_never_hangs(debugger: str) -> None:
    async def scenario() -> None:
        async with under(debugger, "training.py") as program:
            inspector = Inspector(ProbeClient(program))
            halt = await stop_at(program, "training.py", "backward")
            await program.resume()
            with pytest.raises(EvaluateError):
                await inspector.inspect(halt.frame_id)
            again = await stop_at(program, "training.py", "report")
            gone = 1 if debugger == "pycharm" else halt.frame_id
            assert gone != again.frame_id
            with pytest.raises(EvaluateError):
                await inspector.inspect(gone)
            assert (await inspector.inspect(again.frame_id)).roots
            await program.finish()
            with pytest.raises(DebuggeeEndedError):
                await inspector.inspect(again.frame_id)

    run(scenario())


ROOTS_BY_FRAME = {
    "function": {"local": "local", "shared": "global"},
    "generator": {"inside": "local"},
    "coroutine": {"awaited": "local"},
    "closure": {"held": "local", "given": "local"},
    "comprehension": {"module": "local"},
    "class_body": {"member": "local"},
    "method": {"self.model": "local"},
    "thread": {"theirs": "local"},
    "shadowing": {"globals": "local", "locals": "local", "grads": "local"},
    "module": {"shared": "global", "unused": "global"},
}


@each_debuggee
def test_every_kind_of_frame_shows_its_own_roots(debugger: str, subtests: Any) -> None:
    async def scenario() -> None:
        async with under(debugger, "frames.py") as program:
            inspector = Inspector(ProbeClient(program))
            for mark, own in ROOTS_BY_FRAME.items():
                halt = await stop_at(program, "frames.py", mark)
                # What the user has evaluated before is none of the frame's names.
                await program.evaluate("__import__('torch').nn.Linear(1, 1)", halt.frame_id)
                inspection = await measured(inspector, halt.frame_id)
                expected = own
                if sys.version_info >= (3, 12) and mark == "comprehension":
                    expected = {"outer": "local", **own}  # it has no frame of its own
                with subtests.test(mark):
                    scopes = {one.root.expression: one.root.scope for one in inspection.roots}
                    assert scopes == expected
                    assert inspection.facts.shadowed_grads == (mark == "shadowing")
                    assert all(one.rows for one in inspection.roots)
                await program.resume()
            ending = await program.finish()
        assert ending.output == plain_output("frames.py")
        assert ending.status == 0

    run(scenario())


SHAPES_BY_EXPRESSION = {
    "first": [2, 2],
    "[layer for layer in model if layer is not first][-1]": [3, 2],
    "next(layer for layer in model.children() if layer is not first and layer.__dict__)": None,
    "(lambda at: model[at])(2)": [3, 2],
    "(lambda __at: model[__at])(2)": [3, 2],
    "(chosen := model[2])": [3, 2],
    "model[0].weight": [2, 2],
    "model[0].weight.grad": [2, 2],
    "model[2].weight * 2": [3, 2],
    "recorded('once')": [7, 7],
    "self.__secret": [4, 4],
    "self.__shared": [6, 6],
    "self.parts.encoder.weight": [5, 5],
    "globals()['model']": [2, 2],
}
"""Shape of the first tensor of what each gives in the method, None where it has none."""

FAILURES = {
    "1 / 0": "ZeroDivisionError",
    "nothing.weight": "NameError",
    "model.weights": "AttributeError",
    "model[0": "SyntaxError",
    "exit(3)": "SystemExit",
    "(_ for _ in ()).throw(KeyboardInterrupt())": "KeyboardInterrupt",
    "fail()": "HostileError",
    "len(model)": None,
}
"""Type of what each raises in the method, None where it gives nothing with gradients."""


@each_debuggee
def test_expressions_mean_what_they_would_mean_in_the_frame(debugger: str, subtests: Any) -> None:
    async def scenario() -> None:
        async with under(debugger, "expressions.py") as program:
            inspector = Inspector(ProbeClient(program))
            halt = await stop_at(program, "expressions.py", "fit")
            asked = [*SHAPES_BY_EXPRESSION, *FAILURES]
            inspection = await measured(inspector, halt.frame_id, *asked)
            assert [one.root.expression for one in inspection.roots] == asked
            for expression, shape in SHAPES_BY_EXPRESSION.items():
                with subtests.test(expression):
                    root = root_of(inspection, expression)
                    assert root.root.error is None
                    shapes = [row.tensor.shape for row in root.tensors() if row.tensor is not None]
                    assert shapes[:1] == ([shape] if shape else [])
            for expression, remote_type in FAILURES.items():
                with subtests.test(expression):
                    error = root_of(inspection, expression).root.error
                    assert error is not None
                    assert (error.code, error.expression) == ("expression_failed", expression)
                    assert error.remote_type == remote_type
            (model,) = (await inspector.inspect(halt.frames[1].id, ["model"])).roots
            tensor = next(model.tensors()).tensor
            assert tensor is not None
            assert tensor.shape == [9, 9]
            callers = await inspector.inspect(halt.frames[1].id)
            assert [one.root.expression for one in callers.roots] == ["mine"]
            ending = await program.finish()
        expected = plain_output("expressions.py").replace(
            b"evaluations []", b"evaluations ['once']"
        )
        assert ending.output == expected
        assert ending.status == 0

    run(scenario())


class Altering:
    """An evaluator that alters the debugger's first answers, each in its own way."""

    def __init__(self, program: Debugger, alterations: list[Callable[[str], str]]) -> None:
        self._program = program
        self._alterations = iter(alterations)

    async def evaluate(self, expression: str, frame_id: int) -> str:
        text = await self._program.evaluate(expression, frame_id)
        alter = next(self._alterations, None)
        return alter(text) if alter is not None else text


class Counting:
    """An evaluator that remembers the lengths of the debugger's answers."""

    def __init__(self, program: Debugger) -> None:
        self._program = program
        self.lengths: list[int] = []

    async def evaluate(self, expression: str, frame_id: int) -> str:
        text = await self._program.evaluate(expression, frame_id)
        self.lengths.append(len(text))
        return text


def cut(text: str, length: int) -> str:
    return text[: text.index("GP1") + length]


def damaged(text: str) -> str:
    return text[:900] + text[900:1000].swapcase() + text[1000:]


FAULTS: dict[str, tuple[list[Callable[[str], str]], str]] = {
    "silence": ([lambda _: "''", lambda text: text, lambda _: "''"], "no reply of the probe"),
    "another version": ([lambda text: text.replace("GP1:", "GP2:")], "wire version 2"),
    "a damaged body": ([damaged] * 4, "damaged"),
    "a lost slice": ([lambda text: cut(text, 60_000), lambda _: "GP1:0:"], "no longer holds"),
    "a cut slice": ([lambda text: cut(text, 60_000), lambda text: cut(text, 900)], "cut a reply"),
}
"""What becomes of the debugger's answers one after another, and what the host says of it."""


@every_debugger
def test_a_reply_longer_than_a_debugger_shows_comes_back_whole_or_not_at_all(
    debugger: str, subtests: Any
) -> None:
    async def scenario() -> None:
        async with under(debugger, "big_model.py") as program:
            counting = Counting(program)
            halt = await stop_at(program, "big_model.py", "big")
            inspection = await measured(Inspector(ProbeClient(counting)), halt.frame_id)
            sliced = sum(length > 60_000 for length in counting.lengths) > 1
            assert max(counting.lengths) > 65_540 or sliced
            assert (max(counting.lengths) <= 65_600) == (debugger == "debugpy-repl")

            params = types.RowsParams(root=1)
            for name, (alterations, message) in FAULTS.items():
                with subtests.test(name):
                    client = ProbeClient(program)
                    await client.roots(name, halt.frame_id, types.RootsParams())
                    client = ProbeClient(Altering(program, alterations))
                    with pytest.raises(WireError, match=message):
                        await client.rows(name, halt.frame_id, params)
            ending = await program.finish()
        assert ending.output == plain_output("big_model.py")
        (root,) = inspection.roots
        found = norms(root)
        printed = json.loads(ending.output)
        assert list(found["data"]) == [name for name, _, _ in printed]
        assert list(found["data"].values()) == pytest.approx([data for _, data, _ in printed])
        assert list(found["grad"].values()) == pytest.approx([grad for _, _, grad in printed])

    run(scenario())


def test_a_text_of_256_characters_is_told_apart_from_an_answer() -> None:
    async def scenario() -> None:
        script = DEBUGGEES / "training.py"
        async with PyCharmDebugger(script, asks_full_value=False) as program:
            halt = await stop_at(program, "training.py", "backward")
            with pytest.raises(WireError, match="cut a reply"):
                await Inspector(ProbeClient(program)).inspect(halt.frame_id)

    run(scenario())


@each_debuggee
def test_a_stop_in_a_compiled_region_gives_the_users_backend_no_graph(debugger: str) -> None:
    async def scenario() -> None:
        async with under(debugger, "compiled.py") as program:
            inspector = Inspector(ProbeClient(program))
            for _ in range(2):
                halt = await stop_at(program, "compiled.py", "compiled")
                inspection = await measured(inspector, halt.frame_id)
                scopes = {one.root.expression: one.root.scope for one in inspection.roots}
                assert scopes == {"given": "local", "scale": "local"}
                asked = await measured(inspector, halt.frame_id, "scale", "twice(scale)", "given")
                assert [one.root.error for one in asked.roots] == [None] * 3
                (row,) = root_of(asked, "twice(scale)").rows
                assert row.tensor is not None
                assert row.tensor.statistics is not None
                assert row.tensor.statistics.norm == pytest.approx(2**0.5)
                await program.resume()
            ending = await program.finish()
        assert ending.output == plain_output("compiled.py")
        assert b"Dynamo" not in ending.errors
        assert ending.status == 0

    run(scenario())


@each_debuggee
def test_the_debugger_answers_without_delay_once_the_probe_has_been_asked(debugger: str) -> None:
    option = (
        "(lambda m: m['_pydevd_bundle.pydevd_constants'].get_global_debugger().writer.sock"
        ".getsockopt(m['socket'].IPPROTO_TCP, m['socket'].TCP_NODELAY))(__import__('sys').modules)"
    )

    async def scenario() -> None:
        async with under(debugger, "training.py") as program:
            halt = await stop_at(program, "training.py", "backward")
            await Inspector(ProbeClient(program)).inspect(halt.frame_id)
            assert int((await program.evaluate(option, halt.frame_id)).strip("'int: ")) != 0

    run(scenario())
