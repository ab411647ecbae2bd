"""What a user asks to stop at, and where the debugger really will."""

from __future__ import annotations

import ast
import dataclasses
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import CodeType

    from gradpeek.dap.client import Client


@dataclasses.dataclass(frozen=True)
class Breakpoint:
    """A place to stop: a line, counted from 1, of a source file."""

    file: str
    line: int

    @property
    def path(self) -> str:
        """Absolute path of the file."""
        return str(Path(self.file).absolute())

    @property
    def is_in_library(self) -> bool:
        """Whether the file is an installed package's, which debugpy skips by default."""
        return not {"site-packages", "dist-packages"}.isdisjoint(Path(self.path).parts)


@dataclasses.dataclass(frozen=True)
class BreakpointReport:
    """What became of a breakpoint.

    Attributes:
        breakpoint: the breakpoint as asked for.
        is_verified: whether the debugger will stop there.
        line: the line where it will stop, which may differ from the line asked for; or None.
        message: why it was refused, or None.
    """

    breakpoint: Breakpoint
    is_verified: bool
    line: int | None
    message: str | None = None

    @property
    def is_moved(self) -> bool:
        """Whether the program will stop at another line than the one asked for."""
        return self.is_verified and self.line != self.breakpoint.line


def executable_line(source: str, line: int) -> int | None:
    """Return the first line at or after `line` that holds code, or None where none does.

    A line inside a statement of several lines belongs to that statement. debugpy by itself moves a
    breakpoint *backwards*, e.g. from a comment in a function to its `def`, which runs long before
    the function does.

    Raises:
        SyntaxError, ValueError: `source` is not Python as this interpreter knows it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the program prints the warnings of its own source itself
        tree = ast.parse(source)
        lines = set(_code_lines(compile(source, "<source>", "exec")))
    if line in lines:
        return line
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or hasattr(node, "body") or isinstance(node, ast.Match):
            continue  # of a compound statement the line may belong to its parts
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_inside = node.lineno < line <= (node.end_lineno or node.lineno)
        if is_inside and not is_docstring and node.lineno in lines:
            return node.lineno
    return min((candidate for candidate in lines if candidate > line), default=None)


def _code_lines(code: CodeType) -> Iterator[int]:
    for _, _, line in code.co_lines():
        if line:  # None and 0 are the interpreter's own instructions
            yield line
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            yield from _code_lines(constant)


def place(breakpoint_: Breakpoint) -> BreakpointReport:
    """Return where `breakpoint_` belongs; not yet seen by a debugger."""
    try:
        source = Path(breakpoint_.path).read_bytes()
    except OSError as error:
        return BreakpointReport(
            breakpoint_, False, None, f"Cannot read {breakpoint_.file}: {error.strerror}."
        )
    try:
        line = executable_line(source.decode(), breakpoint_.line)
    except (SyntaxError, ValueError):  # another version's syntax or encoding: the debuggee knows
        return BreakpointReport(breakpoint_, True, breakpoint_.line)
    if line is None:
        message = f"{breakpoint_.file} has no code at line {breakpoint_.line} or after it."
        return BreakpointReport(breakpoint_, False, None, message)
    return BreakpointReport(breakpoint_, True, line)


async def set_breakpoints(
    client: Client, breakpoints: Iterable[Breakpoint], earlier_paths: Iterable[str] = ()
) -> list[BreakpointReport]:
    """Make `breakpoints` the only ones; return what became of each, in order.

    Args:
        client: the session's conversation.
        breakpoints: where to stop.
        earlier_paths: files that may hold breakpoints to remove.
    """
    reports = [place(breakpoint_) for breakpoint_ in breakpoints]
    paths = {report.breakpoint.path for report in reports if report.is_verified}
    for path in sorted(paths.union(earlier_paths)):
        here = [
            index
            for index, report in enumerate(reports)
            if report.is_verified and report.breakpoint.path == path
        ]
        lines = [{"line": reports[index].line} for index in here]
        body = await client.request(
            "setBreakpoints", {"source": {"path": path}, "breakpoints": lines}
        )
        for index, answer in zip(here, body.get("breakpoints", []), strict=False):
            reports[index] = BreakpointReport(
                reports[index].breakpoint,
                bool(answer.get("verified")),
                answer.get("line"),
                answer.get("message"),
            )
    return reports
