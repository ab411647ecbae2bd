"""Where the command line shows stops: a text tree, or a JSON object a line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from gradpeek.errors import UsageError
from gradpeek.inspection import Inspection
from gradpeek.rendering import json_lines, tree
from gradpeek.rendering.labels import printable

MESSAGE_LIMIT = 500
PIPED_WIDTH = 100
"""Cells of a line where there is no terminal, and $COLUMNS does not say another width."""


class Output:
    """Shows stops in one style; ours is stdout or a file, progress and messages are stderr."""

    def __init__(self, style: str, stream: IO[str]) -> None:
        self._style = style
        self._stream = stream
        self._shown = 0

    @staticmethod
    @contextmanager
    def open(style: str, path: str | None) -> Iterator[Output]:
        """An output on stdout, or on the file at `path`, which is replaced.

        Raises:
            UsageError: the file cannot be written.
        """
        if path is None:
            yield Output(style, sys.stdout)
            return
        try:
            stream = Path(path).open("w", encoding="utf-8")  # noqa: SIM115 - closed below
        except OSError as error:
            raise UsageError(f"Cannot write {path}: {error.strerror}.") from error
        with stream:
            yield Output(style, stream)

    def show(self, inspection: Inspection, stop: dict[str, Any], elapsed_s: float) -> None:
        """Show one stop.

        Args:
            inspection: what it shows.
            stop: the "stop" of the JSON contract.
            elapsed_s: from the stopped event to decoded rows.
        """
        if self._style == "json":
            line = json_lines.dumps(json_lines.stop_object(inspection, stop, elapsed_s))
            self._stream.write(line + "\n")
        else:
            is_piped = not self._stream.isatty() and "COLUMNS" not in os.environ
            console = Console(
                file=self._stream,
                highlight=False,
                emoji=False,
                width=PIPED_WIDTH if is_piped else None,
            )
            if self._shown:
                console.print()
            console.print(tree.tree(inspection, header=_header(stop)))
        self._shown += 1
        self._stream.flush()


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
    return f"{place} ({stop['reason']}, process {stop['process']}, {stop['thread']})"
