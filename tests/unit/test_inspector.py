"""The inspector across stops: what it remembers, and what one lost root costs."""

from __future__ import annotations

import asyncio
import weakref
from dataclasses import replace
from typing import Any

import torch

from gradpeek.errors import EvaluateError
from gradpeek.inspection import Inspection
from gradpeek.inspector import Inspector
from gradpeek.probe_client import ProbeClient
from gradpeek.wire import codec, types


class Program:
    """Names that a stop shows, evaluated in this process."""

    def __init__(self, **names: Any) -> None:
        self.names = names
        self.forgets = ""

    async def evaluate(self, expression: str, frame_id: int) -> str:
        """See Evaluator; forgets a name after the first answer, as a program with threads may."""
        try:
            answer = str(eval(expression, {"torch": torch, **self.names}))
        except KeyError as error:
            raise EvaluateError(str(error)) from error
        if codec.has_envelope(answer):
            self.names.pop(self.forgets, None)
        return answer


def look(inspector: Inspector, *expressions: str) -> Inspection:
    async def stop() -> Inspection:
        inspection = await inspector.inspect(0, expressions or None)
        await inspector.measure(0, inspection)
        return inspection

    return asyncio.run(stop())


def reasons(inspection: Inspection) -> set[str | None]:
    rows = inspection.roots[0].tensors()
    return {row.absence.reason if row.absence else None for row in rows}


def test_gradients_of_an_earlier_stop_forbid_to_say_no_backward_yet_once_they_are_cleared() -> None:
    model = torch.nn.Linear(2, 2)
    inspector = Inspector(ProbeClient(Program(model=model)))
    assert reasons(look(inspector, "model")) == {"no_backward_yet"}
    model(torch.ones(1, 2)).sum().backward()
    assert reasons(look(inspector, "model")) == {None}
    model.zero_grad(set_to_none=True)
    assert reasons(look(inspector, "model")) == {"unknown"}
    assert reasons(look(Inspector(ProbeClient(Program(model=model))), "model")) == {
        "no_backward_yet"
    }


def test_a_second_look_at_a_stop_is_no_proof_that_its_line_has_run() -> None:
    pending = types.FrameFacts(
        function="train",
        torch_version="2.0",
        pending_backward=True,
        may_retain_graph=False,
        graphs=[],
        optimizers=0,
        stepped=False,
        shadowed_grads=False,
    )

    class Pending(ProbeClient):
        """Stands where the line of the stop is about to call backward."""

        async def roots(self, stop: str, frame_id: int, params: types.RootsParams) -> types.Roots:
            return replace(await super().roots(stop, frame_id, params), facts=pending)

    async def stops() -> list[set[str | None]]:
        inspector = Inspector(Pending(Program(model=torch.nn.Linear(2, 2))))
        first = await inspector.inspect(0, ["model"])
        again = await inspector.inspect(0, ["model"], again=True)
        shown = Inspection(again.facts, await inspector.show(0, first, ["model"]))
        following = await inspector.inspect(0, ["model"])
        return [reasons(one) for one in (first, again, shown, following)]

    assert asyncio.run(stops()) == [{"no_backward_yet"}] * 3 + [{"unknown"}]


def test_state_of_an_optimizer_forbids_to_say_no_backward_yet() -> None:
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    names = {"model": model, "optimizer": optimizer}
    assert reasons(look(Inspector(ProbeClient(Program(**names))), "model")) == {"no_backward_yet"}
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    model.zero_grad(set_to_none=True)
    assert reasons(look(Inspector(ProbeClient(Program(**names))), "model")) == {"unknown"}


def test_a_root_whose_object_is_gone_says_so_and_the_others_are_shown() -> None:
    program = Program(model=torch.nn.Linear(2, 2), other=torch.nn.Linear(3, 3))
    program.forgets = "model"
    shown = look(Inspector(ProbeClient(program)))
    lost, kept = shown.roots
    assert lost.root.error is not None
    assert "model" in lost.root.error.message
    assert lost.rows == []
    assert len(kept.rows) == 3
    assert shown.complete


def test_each_stop_lets_go_of_what_an_expression_of_the_stop_before_has_made() -> None:
    made: list[Any] = []

    def make() -> Any:
        tensor = torch.ones(3)
        made.append(weakref.ref(tensor))
        return tensor

    inspector = Inspector(ProbeClient(Program(make=make)))
    look(inspector, "make()")
    assert made[0]() is not None
    look(inspector, "1")
    assert made[0]() is None
    look(inspector, "make()")
    asyncio.run(inspector.release(0))
    assert made[1]() is None


def test_progress_counts_elements_up_to_all_of_them() -> None:
    model = torch.nn.Sequential(*(torch.nn.Linear(700, 700) for _ in range(60)))
    inspector = Inspector(ProbeClient(Program(model=model)))
    told: list[tuple[int, int]] = []

    async def stop() -> None:
        inspection = await inspector.inspect(0, ["model"])
        await inspector.measure(0, inspection, lambda *step: told.append(step), budget_s=1e-6)

    asyncio.run(stop())
    total = sum(parameter.numel() for parameter in model.parameters())
    assert len(told) > 3
    assert told == sorted(told)
    assert {step[1] for step in told} == {total}
    assert told[-1][0] <= total
