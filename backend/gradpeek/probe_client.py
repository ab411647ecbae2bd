"""Asks the probe: call; if it is absent inject and call once more; decode into typed results."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import asdict
from typing import Any, TypeVar

from gradpeek.errors import EvaluateError, ProbeError, WireError
from gradpeek.evaluator import Evaluator
from gradpeek.injection import Injection, probe
from gradpeek.wire import codec, types

SLICE_LENGTH = 60_000
"""Characters of a slice: no debugger cuts a text this short without a mark."""

_METHODS: dict[type, str] = {
    types.RootsParams: "roots",
    types.RowsParams: "rows",
    types.StatisticsParams: "statistics",
    types.HistogramParams: "histogram",
    types.SourceParams: "source",
    types.ReleaseParams: "release",
}
_T = TypeVar("_T")


class ProbeClient:
    """The questions that the wire knows, for one debuggee."""

    def __init__(self, evaluator: Evaluator, injection: Injection | None = None) -> None:
        self._evaluator = evaluator
        self._injection = injection or probe()
        self._numbers = itertools.count(1)
        self._turn = asyncio.Lock()

    async def roots(self, stop: str, frame_id: int, params: types.RootsParams) -> types.Roots:
        """Roots of the frame, or of the given expressions; raises as `ask` does."""
        return await self.ask(stop, frame_id, params, types.Roots)

    async def rows(self, stop: str, frame_id: int, params: types.RowsParams) -> types.Rows:
        """Metadata of a root's rows; raises as `ask` does."""
        return await self.ask(stop, frame_id, params, types.Rows)

    async def statistics(
        self, stop: str, frame_id: int, params: types.StatisticsParams
    ) -> types.Statistics:
        """Moments until the budget ends; raises as `ask` does."""
        return await self.ask(stop, frame_id, params, types.Statistics)

    async def histogram(
        self, stop: str, frame_id: int, params: types.HistogramParams
    ) -> types.Histogram:
        """Log2-magnitude counts until the budget ends; raises as `ask` does."""
        return await self.ask(stop, frame_id, params, types.Histogram)

    async def source(
        self, stop: str, frame_id: int, params: types.SourceParams
    ) -> types.ClassSource:
        """Where the class of a module is defined; raises as `ask` does."""
        return await self.ask(stop, frame_id, params, types.ClassSource)

    async def release(
        self, stop: str, frame_id: int, params: types.ReleaseParams
    ) -> types.Released:
        """Let the probe forget objects of the stop; raises as `ask` does."""
        return await self.ask(stop, frame_id, params, types.Released)

    async def ask(self, stop: str, frame_id: int, params: Any, result: type[_T]) -> _T:
        """Put one question and return its typed answer.

        Args:
            stop: names the stop; a new name makes the probe forget the roots of the one before.
            frame_id: the debugger's id of the frame to ask in.
            params: one of the wire's params types; it tells the method.
            result: the type that the method answers with.

        Raises:
            ProbeError: the probe answered with an error, or cannot be loaded.
            WireError: the reply breaks the wire.
            EvaluateError: the debugger refused to evaluate.
            DebuggeeEndedError, ConnectionLostError: see Evaluator.
        """
        number = next(self._numbers)
        request = types.Request(
            version=1,
            id=number,
            stop=stop,
            method=_METHODS[type(params)],  # type: ignore[arg-type]  # one of the wire's names
            params=asdict(params),
        )
        async with self._turn:  # the probe holds one reply for its slices
            text = await self._call(self._injection.call(codec.encode_request(request)), frame_id)
            try:
                body = codec.open_envelope(text)
            except codec.CutReplyError as cut:
                if cut.length + _header(cut.length) <= SLICE_LENGTH:
                    raise  # this debugger cuts slices as well
                body = await self._collect(number, cut.length, frame_id)
        return codec.decode_reply(body, result)

    async def _call(self, expression: str, frame_id: int) -> str:
        """Evaluate; where the probe is absent, which every debugger tells in its own way, inject.

        An error of the debugger's own (a stale frame) shows again at the injection.
        """
        try:
            text = await self._evaluator.evaluate(expression, frame_id)
            if codec.has_envelope(text):
                return text
        except EvaluateError:
            pass
        loaded = await self._evaluator.evaluate(self._injection.expression, frame_id)
        if "no torch" in loaded:
            raise ProbeError(
                "no_torch", "torch is not loaded in this process: stop after `import torch`"
            )
        if loaded == "None":  # pydevd-pycharm's answer where it does not find the frame
            raise EvaluateError("The frame is gone: the program has run since. Ask at a new stop.")
        if "loaded" not in loaded:
            raise WireError(f"the probe could not be loaded: {loaded[:300]}")
        return await self._evaluator.evaluate(expression, frame_id)

    async def _collect(self, number: int, length: int, frame_id: int) -> str:
        """Body of a cut reply, slice by slice; nothing is computed again."""
        whole = ""
        header = _header(length)
        while len(whole) < header + length:
            expression = self._injection.part(number, len(whole), len(whole) + SLICE_LENGTH)
            piece = codec.open_envelope(await self._evaluator.evaluate(expression, frame_id))
            if not piece:
                raise WireError(f"the probe no longer holds the reply to question {number}")
            whole += piece
        return codec.open_envelope(whole)


def _header(length: int) -> int:
    """Characters before the body of a reply."""
    return len(f"GP{codec.VERSION}:{length}:")
