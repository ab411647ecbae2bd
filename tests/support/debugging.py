"""What the tests ask of a real debugger, whichever it is: stop, evaluate, step, run on, end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

MARK = "# @bp "
STOP_TIMEOUT_S = 120.0


@dataclass(frozen=True)
class StackFrame:
    """A frame of a stopped thread; `id` is what `evaluate` takes."""

    id: int
    function: str
    path: str
    line: int


@dataclass(frozen=True)
class Halt:
    """A thread that stands at a line; `frames` are innermost first."""

    frames: list[StackFrame]

    @property
    def frame_id(self) -> int:
        """Id of the innermost frame."""
        return self.frames[0].id

    @property
    def line(self) -> int:
        """Line that runs next, counted from 1."""
        return self.frames[0].line


@dataclass(frozen=True)
class Ending:
    """How a program ended: its exit status, and all that it wrote to its stdout and stderr."""

    status: int
    output: bytes
    errors: bytes


class Debugger(Protocol):
    """A program under a real debugger; an Evaluator. Leaving the context ends both."""

    async def __aenter__(self) -> Debugger: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

    async def wait_stop(self) -> Halt | None:
        """The next stop, or None when the program has ended."""
        ...

    async def evaluate(self, expression: str, frame_id: int) -> str:
        """See gradpeek.evaluator.Evaluator."""
        ...

    async def type_in_console(self, text: str, frame_id: int) -> str:
        """What the debug console of the editor shows of a text that is typed at this stop."""
        ...

    async def resume(self) -> None:
        """Let the program run on."""
        ...

    async def step_over(self) -> None:
        """Run one line of the stopped thread; `wait_stop` has the result."""
        ...

    async def finish(self) -> Ending:
        """Run on past all breakpoints, and wait for the program's end."""
        ...


def marked_lines(script: Path) -> dict[str, int]:
    """Line numbers by the names that `# @bp name` comments of a script give them."""
    lines = script.read_text("utf-8").splitlines()
    return {
        line.split(MARK)[1].strip(): number for number, line in enumerate(lines, 1) if MARK in line
    }
