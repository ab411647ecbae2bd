"""The text tree for a console of rich: in its width, its encoding and its colours."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.style import Style

from gradpeek.inspection import Inspection
from gradpeek.rendering.symbols import symbols_for
from gradpeek.rendering.tree import report


def tree(
    inspection: Inspection, *, header: str | None = None, max_rows: int | None = None
) -> RenderableType:
    """The tree for a rich console, in its width, encoding and colours.

    Args:
        inspection: what to show.
        header: one line about the stop.
        max_rows: rows of one root that are shown at most; None for all.
    """
    return _Tree(inspection, header, max_rows)


class _Tree:
    def __init__(self, inspection: Inspection, header: str | None, max_rows: int | None) -> None:
        self._inspection = inspection
        self._header = header
        self._max_rows = max_rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        symbols = symbols_for(options.encoding)
        styles: dict[str, Style] = {}
        lines = report(self._inspection, options.max_width, symbols, self._header, self._max_rows)
        for line in lines:
            for part, name in line:
                style = styles.get(name)
                if style is None:
                    style = styles[name] = Style.parse(name)
                yield Segment(part, style)
            yield Segment.line()
