"""Whether a session is over, and what ended it."""

from __future__ import annotations

import asyncio

from gradpeek.errors import DebuggeeEndedError, GradPeekError


class Ending:
    """The end of a session: of its process, or of the connection to it.

    Attributes:
        failure: what broke the session, or None; later questions raise it.
    """

    def __init__(self) -> None:
        self._has_come = asyncio.Event()
        self.failure: GradPeekError | None = None

    @property
    def has_come(self) -> bool:
        """Whether the session is over."""
        return self._has_come.is_set()

    def come(self, failure: GradPeekError | None = None) -> bool:
        """End the session, and return whether that is news; the first failure counts."""
        if self.has_come:
            return False
        self.failure = failure
        self._has_come.set()
        return True

    async def wait(self) -> None:
        """Wait until the session is over."""
        await self._has_come.wait()

    def check(self) -> None:
        """Return where the session is not over.

        Raises:
            DebuggeeEndedError: the process ended.
            GradPeekError: the failure.
        """
        if self.failure is not None:
            raise self.failure
        if self.has_come:
            raise DebuggeeEndedError("The program ended. Run it again to ask.")
