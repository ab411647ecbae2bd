"""Lines of the tree as cells: the same words as in the terminal, one cell a piece of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradpeek.inspection import Phrase, Row
from gradpeek.rendering.labels import Node
from gradpeek.rendering.layout import Entry
from gradpeek.rendering.numbers import count, number, shape
from gradpeek.rendering.symbols import Symbols
from gradpeek.rendering.words import (
    has_gradient_cell,
    missing_words,
    non_finite_words,
    place_words,
    tally_rows,
)
from gradpeek.wire import editor

SENTENCE_LIMIT = 400
STATISTICS = {
    "norm": Phrase("norm"),
    "mean": Phrase("mean"),
    "std": Phrase("std"),
    "min": Phrase("min"),
    "max": Phrase("max"),
    "max_abs": Phrase("max |x|"),
    "count": Phrase("elements"),
    "zeros": Phrase("zeros"),
    "nan": Phrase("NaN"),
    "posinf": Phrase("+Inf"),
    "neginf": Phrase("−Inf"),
}
"""What each number is called, in the order in which they are shown."""

_STYLES: dict[str, editor.Style] = {
    "cyan": "type",
    "dim": "facts",
    "green": "gradient",
    "yellow": "warning",
    "bold red": "error",
    "bold": "weight",
}
"""By the style of the terminal that of an editor."""

_ERRORS = frozenset({"data_nan", "data_inf", "grad_nan", "grad_inf"})
_WARNINGS = frozenset({"grad_all_zero", "not_in_optimizer", "unregistered"})


Piece = tuple[str, editor.Style]


def entry_cells(entry: Entry, gradients: Sequence[Piece] = ()) -> list[editor.Cell]:
    """What follows the label of a line, from left to right.

    Args:
        entry: the line as the terminal has it.
        gradients: what else is said of the gradients below a module.
    """
    notes = [(text, "info" if style == "dim" else _STYLES[style]) for text, style in entry.notes]
    gradient = _STYLES.get(entry.gradient_style, "gradient")
    pieces: list[Piece] = [
        (entry.facts, _STYLES.get(entry.facts_style, "facts")),
        (entry.place, "facts"),
        (entry.weight, "weight"),
        (entry.gradient, gradient if entry.has_numbers else _missing(gradient)),
        *gradients,
        *notes,
        (entry.extra, "info"),  # last: a narrow view cuts the end
    ]
    return [editor.Cell(text=text, style=style) for text, style in pieces if text]


def _missing(style: editor.Style) -> editor.Style:
    return "info" if style == "facts" else "missing"


def module_pieces(node: Node, symbols: Symbols) -> list[Piece]:
    """What is said of the gradients below a module: non-finite ones, and why they are missing."""
    counts = tally_rows(_rows_below(node), None)
    found: list[Piece] = [(text, "error") for text in non_finite_words(counts, symbols)]
    if counts.without and counts.without == counts.parameters:
        reason = missing_words(counts, symbols)
        text = symbols.say("{sign} none: {reason}", sign=symbols.gradient, reason=reason)
        found.append((text, "missing"))
    elif counts.without:
        text = symbols.say("{count} missing", count=count(counts.without))
        found.append((text, "missing"))
    return found


def _rows_below(node: Node) -> Iterator[Row]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one.row
        waiting += one.children


def gradient_cells(row: Row, symbols: Symbols) -> list[editor.Cell]:
    """The line of a tensor's gradient: its facts and numbers, or why there is none."""
    if row.gradient is None:
        text = "" if row.absence is None else symbols.told(row.absence.text, SENTENCE_LIMIT)
        return [
            editor.Cell(text="None", style="missing"),
            *([editor.Cell(text=text, style="info")] if text else []),
        ]
    gradient = row.gradient
    facts = f"{shape(gradient.shape)} {place_words(gradient, symbols)}".rstrip()
    cells = [editor.Cell(text=facts, style="facts")]
    numbers = gradient.statistics
    if gradient.capability != "full":
        cells.append(editor.Cell(text=symbols.told(gradient.capability), style="warning"))
    if numbers is None:
        return cells
    for name in ("norm", "mean", "std", "min", "max"):
        value = getattr(numbers, name)
        if value is not None:
            style: editor.Style = "gradient" if name == "norm" else "info"
            said = symbols.say.text(STATISTICS[name])
            cells.append(editor.Cell(text=f"{said} {number(value)}", style=style))
    return cells


def has_gradient_line(row: Row) -> bool:
    """Whether a tensor's row has its gradient below it."""
    return row.tensor is not None and has_gradient_cell(row)


def tone(row: Row, *, holds_parameters: bool) -> editor.Tone:
    """How much a row wants to be looked at.

    Args:
        row: a row of a root.
        holds_parameters: of a module, whether there is a parameter below it.
    """
    if row.tensor is None:
        totals = [one for one in (row.data_total, row.grad_total) if one is not None]
        if any(one.nan or one.posinf or one.neginf for one in totals):
            return "error"
        return "normal" if holds_parameters else "faint"
    badges = set(row.badges)
    if badges & _ERRORS:
        return "error"
    if badges & _WARNINGS or (row.absence is not None and row.absence.reason == "unknown"):
        return "warning"
    if row.kind == "buffer" or "frozen" in badges:
        return "faint"
    return "normal"


def spoken(label: str, cells: list[editor.Cell], symbols: Symbols, *, stale: bool) -> str:
    """A line for a screen reader: no signs of mathematics, and words for what is faint."""
    old = [symbols.say("of an earlier stop")] if stale else []
    text = symbols.listed([label, *(cell.text for cell in cells), *old])
    for sign, words in (
        (symbols.weight, symbols.say("weight norm")),
        (symbols.gradients, symbols.say("gradient norm")),
        (symbols.gradient, symbols.say("gradient")),
    ):
        text = text.replace(sign, words)
    return text
