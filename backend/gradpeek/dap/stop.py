"""A thread that stands still at a line, and the frames of its stack."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradpeek.dap.session import Session


@dataclasses.dataclass(frozen=True)
class Frame:
    """A frame of a stopped thread.

    Attributes:
        id: what `Session.evaluate` takes; never used again for a frame of another stop.
        name: name of the function, or "<module>".
        path: path of its source file.
        line: the line that runs next, counted from 1.
        is_user_code: False in an installed package or in the standard library.
    """

    id: int
    name: str
    path: str
    line: int
    is_user_code: bool = True


@dataclasses.dataclass(frozen=True)
class Stop:
    """One halt of one process.

    Attributes:
        session: the session of the process.
        index: number of the stop in its session, from 0.
        thread_id: the debugger's number for the thread.
        thread_name: name of the thread, e.g. "MainThread".
        reason: the debugger's word: breakpoint, exception, pause, step, …
        text: for an exception, its type and message; else None.
        process_id: id of the process, or None where the debugger did not say.
        stopped_s: `time.monotonic()` when the debugger told of the stop.
        frames: its stack, innermost first.
    """

    session: Session
    index: int
    thread_id: int
    thread_name: str
    reason: str
    text: str | None
    process_id: int | None
    stopped_s: float
    frames: tuple[Frame, ...]

    @property
    def is_current(self) -> bool:
        """Whether the process still stands at this stop."""
        return self.session.is_stopped_at(self.index)
