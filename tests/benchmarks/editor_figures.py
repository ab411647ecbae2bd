"""What an editor waits for: first rows of its tree, a search, an unfolding; probe and server."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from benchmarks import baselines, models
from benchmarks.figure import Figure, side_by_side
from benchmarks.probe_figures import LocalEvaluator
from gradpeek.language_server.debugging import Debugging
from gradpeek.language_server.serve import COLLECT_EVERY
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor

FIRST_ROWS_S = 0.05
"""First rows of 1,000 parameters."""
BASELINE = "names, shapes, dtypes by named_parameters()"
_OPTIONS = editor.Options(
    visible=False,  # measures nothing by itself
    console=False,
    order="model",
    hide_plain=False,
    only_problems=False,
    callers=False,
)


class _Editor:
    """An editor whose debuggee is this process."""

    def __init__(self, model: Any) -> None:
        self._evaluator = LocalEvaluator(model=model)

    async def evaluate(self, request: editor.Evaluate) -> editor.Text:
        """See `debugging.Editor`."""
        return editor.Text(text=await self._evaluator.evaluate(request.expression, request.frame))

    def changed(self, params: editor.Changed) -> None:
        """See `debugging.Editor`."""

    def status(self, params: editor.Status) -> None:
        """See `debugging.Editor`."""

    def progress(self, title: str, cancel: Callable[[], None]) -> Any:
        """See `debugging.Editor`; never asked, as nothing is measured."""
        raise NotImplementedError


class _Stop:
    """Stops of one session, one after another, in a loop of their own."""

    def __init__(self, model: Any) -> None:
        self.loop = asyncio.new_event_loop()
        self.debugging = Debugging(_Editor(model), Symbols())
        self.debugging.configure(_OPTIONS)
        self._count = 0

    def first_rows(self) -> None:
        """A new stop: its roots and what is below the one that is open, as JSON."""
        self.loop.run_until_complete(self._first_rows())

    async def _first_rows(self) -> None:
        self._count += 1
        self.debugging.stopped(
            editor.Stopped(session="s", stop=self._count, frame=0, label="", debugger="debugpy")
        )
        top = await self.debugging.roots()
        model = next(node for node in top.nodes if node.label == "model")
        below = self.debugging.children(editor.NodeRequest(node=model.id))
        assert below.nodes
        asdict(top), asdict(below)

    def search(self) -> None:
        """A search that finds many parameters, all over the tree."""
        found = self.debugging.search(editor.SearchRequest(query="weight 1", limit=200))
        assert found.matches


def figures(*, quick: bool) -> list[Figure]:
    """Figures of the tree; with `quick` of small models, once."""
    rounds = 1 if quick else 7
    threshold = gc.get_threshold()
    gc.collect()
    gc.freeze()  # as the server does
    gc.set_threshold(COLLECT_EVERY)
    try:
        return [
            _figure("editor_1000", "first rows of 1,000 parameters, probe and server",
                    models.many_parameters(20 if quick else 1_000), rounds, FIRST_ROWS_S),
            _figure("editor_20000", "first rows of 20,000 parameters, probe and server",
                    models.many_parameters(20 if quick else 20_000), rounds, None),
            _search(models.many_parameters(20 if quick else 20_000), rounds),
        ]  # fmt: skip
    finally:
        gc.unfreeze()
        gc.set_threshold(*threshold)


def _figure(key: str, what: str, model: Any, rounds: int, target: float | None) -> Figure:
    stop = _Stop(model)
    seconds = side_by_side(stop.first_rows, lambda: baselines.named_parameters(model), rounds)
    bound: Any = None if target is None else "ours"
    note = "the debugger's and the editor's own ways are not in it"
    return Figure(key, what, BASELINE, "s", *seconds, bound, target, note=note)


def _search(model: Any, rounds: int) -> Figure:
    stop = _Stop(model)
    stop.first_rows()
    seconds = side_by_side(stop.search, lambda: baselines.named_parameters(model), rounds)
    return Figure(
        "editor_search_20000", "search in 20,000 rows, in the server", BASELINE, "s", *seconds
    )
