"""The seam between what GradPeek asks and who carries the question into the debuggee."""

from __future__ import annotations

from typing import Protocol


class Evaluator(Protocol):
    """Evaluates an expression in a suspended frame of one debuggee."""

    async def evaluate(self, expression: str, frame_id: int) -> str:
        """Return the debugger's text for the value of `expression`, as the debugger gave it.

        The text of a str may or may not have quotes around it, and may be cut without a mark:
        the wire's own prefix and length expose both.

        Args:
            expression: one Python expression.
            frame_id: the frame to evaluate in, valid for the present stop only.

        Raises:
            EvaluateError: the debugger refused, e.g. because the frame is stale.
            ConnectionLostError: the connection to the debugger broke.
            DebuggeeEndedError: the debuggee ended before it answered.
        """
        ...
