"""The probe's and the host's own work, in this process: metadata, statistics, decoding."""

from __future__ import annotations

import asyncio
import gc
import os
from typing import Any

from benchmarks import baselines, models, statistics_figures
from benchmarks.figure import Figure, side_by_side
from benchmarks.memory import peak_extra_bytes, start_peak
from gradpeek.errors import EvaluateError
from gradpeek.inspector import ROWS_A_PAGE, Inspector
from gradpeek.merging import page_rows
from gradpeek.probe import answers, reply
from gradpeek.probe.statistics import measure
from gradpeek.probe.stop import Stop
from gradpeek.probe_client import ProbeClient
from gradpeek.wire import codec, types

ROUNDS = 5
TREE_S = 0.1
FIRST_ROWS_S = 0.05
STATISTICS_S = 1e9


class LocalEvaluator:
    """An evaluator of this process; never waits."""

    def __init__(self, **names: Any) -> None:
        self._names = names

    async def evaluate(self, expression: str, frame_id: int) -> str:
        """See `Evaluator.evaluate`."""
        try:
            return str(eval(expression, dict(self._names)))
        except KeyError as error:  # the probe is not there yet
            raise EvaluateError(str(error)) from error


def figures(*, quick: bool = False) -> list[Figure]:
    """Measure; with `quick` smaller models, and once."""
    rounds = 1 if quick else ROUNDS
    count, few = (100, 100) if quick else (10_000, 1_000)
    model = models.many_parameters(count)
    tree, body = _tree(model, rounds)
    return [
        tree,
        _first_rows(models.many_parameters(few), rounds),
        _decode(body, rounds),
        *_statistics_of_model(model, rounds),
        *_statistics_beside_trackers([] if quick else statistics_figures.gpt2(), rounds),
    ]


def _tree(model: Any, rounds: int) -> tuple[Figure, str]:
    """Walk, read and pack the rows of a model; also the body of the reply."""
    packed = ""

    def ours() -> None:
        nonlocal packed
        stop = Stop("benchmark")
        params = {"root": stop.add("module", model, []), "limit": ROWS_A_PAGE}
        answer = answers.METHODS["rows"](stop, params, _no_scope)
        packed = reply.pack({"version": reply.VERSION, "ok": answer})

    seconds = side_by_side(ours, lambda: baselines.named_parameters(model), rounds)
    before = start_peak(os.getpid())
    ours()
    figure = Figure(
        "tree_10000",
        "rows of 10,000 parameters and gradients, in the probe",
        "names, shapes, dtypes by named_parameters()",
        "s",
        *seconds,
        "ours",
        TREE_S,
        peak_extra_bytes(os.getpid(), before),
    )
    return figure, codec.open_envelope(packed)


def _first_rows(model: Any, rounds: int) -> Figure:
    inspector = Inspector(ProbeClient(LocalEvaluator(model=model)))

    async def ours() -> None:  # without a result: asyncio.run would make its repr
        await inspector.inspect(0, ["model"])

    seconds = side_by_side(
        lambda: asyncio.run(ours()),
        lambda: baselines.named_parameters(model),
        rounds,
    )
    return Figure(
        "first_rows_1000",
        "rows of 1,000 parameters, probe and host",
        "names, shapes, dtypes by named_parameters()",
        "s",
        *seconds,
        "ours",
        FIRST_ROWS_S,
        note="the debugger's own way is not in it",
    )


def _decode(body: str, rounds: int) -> Figure:
    gc.collect()
    gc.freeze()  # the host has not loaded torch: its collector has few objects to look at
    seconds = side_by_side(
        lambda: page_rows(codec.decode_reply(body, types.Rows), []),
        lambda: baselines.parse(body),
        rounds,
    )
    gc.unfreeze()
    return Figure(
        "decode_10000",
        "rows of 10,000 parameters, in the host",
        "JSON of the same reply parsed",
        "s",
        *seconds,
    )


def _statistics_of_model(model: Any, rounds: int) -> list[Figure]:
    """Statistics of many small tensors as the probe answers them."""
    stop = Stop("benchmark")
    params = {"root": stop.add("module", model, []), "budget_s": STATISTICS_S}
    tensors = models.parameters_and_gradients(model)
    sides = (
        ("naive_10000", "norm, mean, std, min, max, each .item()", baselines.naive_loop),
        ("sum_10000", "one sum of each", statistics_figures.sums),
    )

    def ours() -> None:
        answers.METHODS["statistics"](stop, params, _no_scope)

    found = []
    for key, what, baseline in sides:
        seconds = side_by_side(ours, lambda way=baseline: way(tensors), rounds)  # type: ignore[misc]
        name = "statistics of 10,000 parameters and gradients of 8 and 64"
        found.append(Figure(key, name, what, "s", *seconds))
    return found


def _statistics_beside_trackers(tensors: list[Any], rounds: int) -> list[Figure]:
    sides = (
        ("tracker_gpt2", "wandb.watch's histograms", baselines.tracker_statistics, 1 / 10),
        ("naive_gpt2", "norm, mean, std, min, max, each .item()", baselines.naive_loop, None),
    )
    tensors = tensors or models.parameters_and_gradients(models.many_parameters(100))
    found = []
    for key, what, baseline, target in sides:
        seconds = side_by_side(
            lambda: measure(tensors, None),
            lambda way=baseline: way(tensors),  # type: ignore[misc]
            min(rounds, 3),
        )
        bound: Any = None if target is None else "ratio"
        name = "statistics of GPT-2's parameters"
        found.append(Figure(key, name, what, "s", *seconds, bound, target))
    return found


def _no_scope() -> Any:
    raise AssertionError("rows and statistics ask for no frame")
