"""The evaluator of editors: the editor evaluates in its own debug session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from pygls.exceptions import JsonRpcException

from gradpeek.errors import EvaluateError
from gradpeek.wire import editor

Ask = Callable[[editor.Evaluate], Awaitable[editor.Text]]
"""Sends one `gradpeek/evaluate` to the editor."""


class RelayEvaluator:
    """Evaluates in one session of the editor, at the stop that is present when it is asked."""

    def __init__(self, ask: Ask, session: str) -> None:
        self._ask = ask
        self._session = session
        self.stop = 0

    async def evaluate(self, expression: str, frame_id: int) -> str:
        """The debugger's text for the value; see `Evaluator`.

        Raises:
            EvaluateError: the editor or its debugger refused, e.g. as the stop is over.
        """
        request = editor.Evaluate(
            session=self._session, stop=self.stop, frame=frame_id, expression=expression
        )
        try:
            return (await self._ask(request)).text
        except JsonRpcException as refused:
            raise EvaluateError(" ".join(str(refused.message or refused).split())) from refused
