"""Where the command line shows stops: a text tree, or a JSON object a line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from gradpeek.errors import UsageError
from gradpeek.inspection import Inspection
from gradpeek.rendering import json_lines, rich_tree
from gradpeek.rendering.labels import printable

MESSAGE_LIMIT = 500
PIPED_WIDTH = 100
"""Cells of a line where there is no terminal, and $COLUMNS does not say another width."""


class Output:
    """Shows stops in one style; ours is stdout or a file, progress and messages are stderr."""

    def __init__(self, style: str, stream: IO[str], path: str | None = None) -> None:
        self._style = style
        self._stream = stream
        self._path = path
        self._shown = 0

    @staticmethod
    @contextmanager
    def open(style: str, path: str | None) -> Iterator[Output]:
        """An output on stdout, or on the file at `path`, which is replaced.

        Raises:
            UsageError: the file cannot be written.
        """
        if path is None:
            if sys.stdout is None:
                raise UsageError("Standard output is closed. Name a file with -o.")
            yield Output(style, sys.stdout)
            return
        try:
            stream = Path(path).open("w", encoding="utf-8")  # noqa: SIM115 - closed below
        except OSError as error:
            raise _cannot_write(path, error) from error
        try:
            yield Output(style, stream, path)
        finally:
            with suppress(OSError):  # what could not be written was told by `show`
                stream.close()

    def show(self, inspection: Inspection, stop: dict[str, Any], elapsed_s: float) -> None:
        """Show one stop.

        Args:
            inspection: what it shows.
            stop: the "stop" of the JSON contract.
            elapsed_s: from the stopped event to decoded rows.

        Raises:
            BrokenPipeError: whoever read our stdout has left.
            UsageError: the file cannot be written, e.g. the disk is full.
        """
        try:
            self._write(inspection, stop, elapsed_s)
            self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _cannot_write(self._path or "to stdout", error) from error
        self._shown += 1

    def _write(self, inspection: Inspection, stop: dict[str, Any], elapsed_s: float) -> None:
        if self._style == "json":
            line = json_lines.dumps(json_lines.stop_object(inspection, stop, elapsed_s))
            self._stream.write(line + "\n")
        else:
            is_piped = not self._stream.isatty() and "COLUMNS" not in os.environ
            console = _Console(
                file=self._stream,
                highlight=False,
                emoji=False,
                width=PIPED_WIDTH if is_piped else None,
            )
            if self._shown:
                console.print()
            console.print(rich_tree.tree(inspection, header=_header(stop)))


class _Console(Console):
    """Leaves what to do about a reader that has left to us; rich would exit."""

    def on_broken_pipe(self) -> None:
        """Raise the BrokenPipeError that is being handled."""
        raise  # noqa: PLE0704 - rich calls this from its `except`


def forget_stdout() -> None:
    """Drop what is still buffered for a stdout that nobody reads, so that we can exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _cannot_write(path: str, error: OSError) -> UsageError:
    return UsageError(f"Cannot write {path}: {error.strerror}. Name another file with -o.")


def message(text: str) -> None:
    """One line on stderr; text of the debuggee in it is escaped."""
    click.echo(f"gradpeek: {printable(text, MESSAGE_LIMIT)}", err=True)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar on stderr for statistics; nothing where stderr is no terminal."""
    console = Console(stderr=True, highlight=False)
    columns = (
        TextColumn("[progress.description]{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    try:
        yield progress
    finally:
        progress.stop()


def _header(stop: dict[str, Any]) -> str:
    file = Path(stop["file"])
    if file.is_relative_to(Path.cwd()):
        file = file.relative_to(Path.cwd())
    place = f"{file}:{stop['line']} in {stop['function']}"
    reason = stop["exception"] or stop["reason"]
    return f"{place} ({reason}, process {stop['process']}, {stop['thread']})"
