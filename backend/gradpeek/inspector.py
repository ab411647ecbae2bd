"""One inspector a debuggee: asks the probe, merges its answers, explains, remembers stops."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from gradpeek.analysis.explaining import BackwardEvidence, explain_rows, gradients_are_earlier
from gradpeek.errors import ProbeError
from gradpeek.inspection import Inspection, MomentsTable, RootInspection, Row
from gradpeek.merging import add_moments, fill, page_rows
from gradpeek.wire import types

BUDGET_S = 0.25
"""Time that one evaluate of statistics may take."""
ROWS_A_PAGE = 20_000

Progress = Callable[[int, int], None]
"""Called with elements done and elements in all."""


class Client(Protocol):
    """Whoever puts the wire's questions to a probe: `ProbeClient` from afar, or in its process."""

    async def roots(self, stop: str, frame_id: int, params: types.RootsParams) -> types.Roots:
        """Roots of the frame, or of the given expressions."""
        ...

    async def rows(self, stop: str, frame_id: int, params: types.RowsParams) -> types.Rows:
        """Metadata of a root's rows."""
        ...

    async def statistics(
        self, stop: str, frame_id: int, params: types.StatisticsParams
    ) -> types.Statistics:
        """Moments until the budget ends."""
        ...

    async def source(
        self, stop: str, frame_id: int, params: types.SourceParams
    ) -> types.ClassSource:
        """Where the class of a module is defined."""
        ...

    async def release(
        self, stop: str, frame_id: int, params: types.ReleaseParams
    ) -> types.Released:
        """Let the probe forget the stop's objects."""
        ...


class Inspector:
    """Inspects the stops of one debuggee, one after another."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._name = uuid.uuid4().hex  # another host may ask the same probe
        self._stops = 0
        self._with_gradient: set[str] = set()
        self._has_called_backward = False
        self._is_about_to_call = False
        self._stop = ""

    async def inspect(
        self,
        frame_id: int,
        expressions: Sequence[str] | None = None,
        *,
        callers: bool = False,
        again: bool = False,
    ) -> Inspection:
        """Roots and rows of a new stop, without statistics: reads no element of a tensor.

        Args:
            frame_id: the debugger's id of the selected frame.
            expressions: what to show, in this order; None finds roots by itself.
            callers: look into the callers' frames as well.
            again: the program still stands at the stop that was inspected last.

        Raises:
            ProbeError: the probe answered with an error, e.g. torch is not loaded.
            EvaluateError, DebuggeeEndedError, ConnectionLostError: see Evaluator.
        """
        if not again:
            self._stops += 1
            self._stop = f"{self._name}.{self._stops}"
            # The program has run on since the stop before, and so has made the call.
            self._has_called_backward |= self._is_about_to_call
            self._is_about_to_call = False
        return await self._look(frame_id, expressions, callers=callers)

    async def show(
        self, frame_id: int, inspection: Inspection, expressions: Sequence[str]
    ) -> list[RootInspection]:
        """Add the roots of these expressions to an inspection of the present stop; raises as it.

        They come first in `inspection.roots`, without statistics.
        """
        added = (await self._look(frame_id, expressions)).roots
        inspection.roots[:0] = added
        return added

    async def _look(
        self, frame_id: int, expressions: Sequence[str] | None, *, callers: bool = False
    ) -> Inspection:
        params = types.RootsParams(
            expressions=None if expressions is None else list(expressions), callers=callers
        )
        answer = await self._client.roots(self._stop, frame_id, params)
        roots = [await self._root(frame_id, root, answer.facts) for root in answer.roots]
        self._is_about_to_call |= answer.facts.pending_backward
        return Inspection(answer.facts, roots)

    async def measure(
        self,
        frame_id: int,
        inspection: Inspection,
        progress: Progress | None = None,
        *,
        budget_s: float = BUDGET_S,
    ) -> None:
        """Fill in the statistics of all rows and the totals of modules, evaluate by evaluate.

        Roots that are complete are left as they are. One evaluate takes `budget_s` and one chunk
        at most; after each, the rows that are known so far are filled in. Cancelling leaves the
        other rows without statistics. Raises as `inspect`.
        """
        waiting = [root for root in inspection.roots if not root.complete]
        sizes = [_sizes(root) for root in waiting]
        total, before = sum(map(sum, sizes)), 0
        for root, parts in zip(waiting, sizes, strict=True):
            table: MomentsTable = {}
            cursor: types.Span | None = types.Span(item=0, element=0)
            while cursor is not None:
                answer = await self._client.statistics(
                    self._stop,
                    frame_id,
                    types.StatisticsParams(root=root.root.id, cursor=cursor, budget_s=budget_s),
                )
                add_moments(table, answer)
                cursor = answer.cursor
                fill(root, table, whole=cursor is None)
                if progress is not None and cursor is not None:
                    progress(before + sum(parts[: cursor.item]) + cursor.element, total)
            before += sum(parts)

    async def source(self, frame_id: int, root: RootInspection, row: int) -> types.ClassSource:
        """Where the class of the module in a row of a root is defined; raises as `inspect`."""
        params = types.SourceParams(root=root.root.id, row=row)
        return await self._client.source(self._stop, frame_id, params)

    async def release(self, frame_id: int, roots: Sequence[RootInspection] | None = None) -> None:
        """Let the probe forget these roots, or all, which ends the stop; raises as `inspect`."""
        numbers = None if roots is None else [root.root.id for root in roots]
        await self._client.release(self._stop, frame_id, types.ReleaseParams(roots=numbers))

    async def _root(
        self, frame_id: int, root: types.Root, facts: types.FrameFacts
    ) -> RootInspection:
        """A root with its rows; one whose object is gone says so, the others are shown."""
        try:
            return RootInspection(root, await self._rows(frame_id, root, facts))
        except ProbeError as raised:
            if raised.code != "unknown_root":
                raise
            error = types.Error(code="unknown_root", message=f"{root.expression}: {raised}")
            return RootInspection(replace(root, kind=None, error=error))

    async def _rows(self, frame_id: int, root: types.Root, facts: types.FrameFacts) -> list[Row]:
        if root.kind is None:
            return []
        pages: list[types.Rows] = []
        offset, total = 0, 1
        while offset < total:
            params = types.RowsParams(root=root.id, offset=offset, limit=ROWS_A_PAGE)
            page = await self._client.rows(self._stop, frame_id, params)
            pages.append(page)
            offset, total = offset + len(page.name), page.total
            if not page.name:
                break
        expression = root.expression
        names = {expression, *root.aliases}
        evidence = BackwardEvidence(
            any_gradient=any(one is not None for page in pages for one in page.gradient_of),
            seen_before=expression in self._with_gradient,
            stepped=facts.stepped
            or any(state.optimizer_state for page in pages for state in page.states),
            graph_freed=any(graph.state == "freed" for graph in facts.graphs),
            called=self._has_called_backward,
            own_graph=next((g.state for g in facts.graphs if g.expression in names), "unknown"),
        )
        if evidence.any_gradient:
            self._with_gradient.add(expression)
        rows: list[Row] = []
        for page in pages:
            rows += page_rows(page, rows)
        explain_rows(rows, root, evidence, earlier_backward=gradients_are_earlier(facts))
        return rows


def _sizes(root: RootInspection) -> list[int]:
    """Elements of each item of a statistics question: data and gradient of each tensor in turn."""
    sizes = []
    for row in root.tensors():
        for facts in (row.tensor, row.gradient):
            known = facts is not None and facts.capability == "full"
            sizes.append((facts.numel or 0) if known and facts is not None else 0)
    return sizes
