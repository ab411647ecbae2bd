"""The text tree of a stop: one line a module or tensor, module → weight → grad."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from gradpeek.inspection import Inspection, RootInspection, Row
from gradpeek.rendering.entries import common_dtype, root_entries
from gradpeek.rendering.layout import Entry, Line, lay_out, wrap
from gradpeek.rendering.numbers import count, number
from gradpeek.rendering.symbols import UNICODE, Symbols, symbols_for
from gradpeek.rendering.words import (
    EVIDENCE,
    INFO,
    has_gradient_cell,
    missing_words,
    non_finite_words,
    tally,
)

DEFAULT_WIDTH = 100
HTML_WIDTH = 140
LEAST_WIDTH = 10
"""Cells; a narrower console gets lines of this width."""
LEGEND_LINES = 5
_SENTENCE_LIMIT = 400

_COLOURS = {
    "cyan": "color:#0e7490",
    "green": "color:#15803d",
    "yellow": "color:#b45309",
    "red": "color:#dc2626",
    "bold": "font-weight:bold",
    "dim": "opacity:.65",
}
"""CSS by word of a style; readable on light and dark pages."""


def text(
    inspection: Inspection,
    width: int = DEFAULT_WIDTH,
    *,
    header: str | None = None,
    max_rows: int | None = None,
    encoding: str = "utf-8",
) -> str:
    """The tree as plain text without colours; each line ends with a line feed."""
    lines = report(inspection, width, symbols_for(encoding), header, max_rows)
    return "".join("".join(part for part, _ in line) + "\n" for line in lines)


def html(inspection: Inspection, *, header: str | None = None, max_rows: int | None = None) -> str:
    """The tree as one `<pre>` element for notebooks: inline styles only, all text escaped."""
    lines = [
        "".join(_html_part(part, style) for part, style in line)
        for line in report(inspection, HTML_WIDTH, UNICODE, header, max_rows)
    ]
    style = "overflow-x:auto;white-space:pre;line-height:1.25;font-family:monospace"
    return f'<pre class="gradpeek" style="{style}">' + "\n".join(lines) + "</pre>"


def _html_part(part: str, style: str) -> str:
    rules = ";".join(_COLOURS[word] for word in style.split())
    return f'<span style="{rules}">{escape(part)}</span>' if rules else escape(part)


def report(
    inspection: Inspection,
    width: int,
    symbols: Symbols,
    header: str | None = None,
    max_rows: int | None = None,
) -> Iterator[Line]:
    """All lines of a stop: header, roots with their totals, and why gradients are missing."""
    width = max(width, LEAST_WIDTH)
    if header:
        yield from wrap(symbols.clean(header, _SENTENCE_LIMIT), width, "bold", "  ")
        yield []
    shown: list[Row] = []
    for position, block in enumerate(_blocks(inspection.roots)):
        if position:
            yield []
        yield from _block(block, width, symbols, max_rows, shown)
    if not inspection.roots:
        nothing = symbols.say("Nothing to show: no model, tensor or optimizer here.")
        yield from wrap(nothing, width, INFO)
    legend = list(_legend(shown, symbols))
    if legend:
        yield []
    for sentence in legend:
        yield from wrap(sentence, width, INFO, "    ")
    if not inspection.complete and shown:
        yield []
        incomplete = symbols.say("Numbers are incomplete: not all tensors were read.")
        yield from wrap(incomplete, width, INFO)


def _blocks(roots: Sequence[RootInspection]) -> Iterator[list[RootInspection]]:
    """Trees by themselves; roots of one line together with their neighbours."""
    block: list[RootInspection] = []
    for root in roots:
        if root.root.kind != "tensor" and root.rows:
            if block:
                yield block
            yield [root]
            block = []
        else:
            block.append(root)
    if block:
        yield block


def _block(
    roots: list[RootInspection],
    width: int,
    symbols: Symbols,
    max_rows: int | None,
    shown: list[Row],
) -> Iterator[Line]:
    entries: list[Entry] = []
    left_out = 0
    for root in roots:
        lines, rows, cut = root_entries(root, symbols, max_rows)
        entries += lines
        shown += rows
        left_out += cut
    is_module = roots[0].root.kind == "module" and bool(roots[0].rows)
    common = common_dtype(roots[0].rows) if is_module else ""
    yield from lay_out(entries, width, symbols, common=common)
    if left_out:
        more = symbols.plural(
            left_out,
            "{count} more row (ask for a part of it)",
            "{count} more rows (ask for a part of it)",
            count=_exact(left_out),
        )
        yield from wrap(f"{symbols.ellipsis} {more}", width, INFO)
    if is_module:
        yield from _total(roots[0], width, symbols)


def _exact(value: int) -> str:
    """`9,800`."""
    return f"{value:,}"


def _total(root: RootInspection, width: int, symbols: Symbols) -> Iterator[Line]:
    counts, say = tally(root), symbols.say
    if not counts.parameters:
        return
    parameters = [row for row in root.rows if row.kind == "parameter"]
    common = common_dtype(parameters)
    dtype = symbols.clean(common)
    if any(row.tensor is not None and row.tensor.dtype != common for row in parameters):
        dtype = say("mostly {dtype}", dtype=dtype)
    sizes = (
        symbols.plural(counts.parameters, "{count} parameter tensor", "{count} parameter tensors"),
        symbols.plural(counts.elements, "{count} element", "{count} elements"),
    )
    words = [symbols.listed(sizes), dtype]
    if counts.norm is not None:
        words.append(f"{symbols.gradients} {number(counts.norm)}")
    missing, reasons = count(counts.without), missing_words(counts, symbols)
    if not counts.without:
        words.append(say("all have a gradient"))
    elif counts.without == counts.parameters:
        words.append(say("no gradient: {reasons}", reasons=reasons))
    else:
        words.append(say("{count} without gradient: {reasons}", count=missing, reasons=reasons))
    words += non_finite_words(counts, symbols)
    style = "bold red" if counts.nan or counts.inf else "bold"
    yield from wrap(symbols.dot.join(words), width, style, "    ")


def _legend(rows: Sequence[Row], symbols: Symbols) -> Iterator[str]:
    """One sentence for each reason why rows have no gradient, the first of its rows named."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.absence is not None and has_gradient_cell(row):
            found.setdefault(row.absence.label, []).append(row)
    for label in list(found)[:LEGEND_LINES]:
        first, *others = found[label]
        absence = first.absence
        assert absence is not None
        sentence = symbols.told(absence.text, _SENTENCE_LIMIT)
        if others and first.name and absence.text.startswith(first.name):
            more = _exact(len(others))
            sentence = symbols.say("{sentence} (and {count} more)", sentence=sentence, count=more)
        if absence.evidence != "observed":
            evidence = EVIDENCE[absence.evidence]
            sentence = symbols.say("{sentence} ({evidence})", sentence=sentence, evidence=evidence)
        yield symbols.say("{sign} none: {reason}", sign=symbols.gradient, reason=sentence)
    rest = len(found) - LEGEND_LINES
    if rest > 0:
        more = symbols.plural(rest, "{count} more reason", "{count} more reasons")
        yield f"{symbols.ellipsis} {more}"
