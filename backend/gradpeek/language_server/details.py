"""All that is known of one place: a table of its numbers, and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gradpeek.inspection import Phrase, Row, Statistics, TensorFacts
from gradpeek.language_server.lines import SENTENCE_LIMIT, STATISTICS
from gradpeek.language_server.nodes import node
from gradpeek.language_server.tree import Place, RootTree
from gradpeek.rendering.numbers import number, shape
from gradpeek.rendering.settings import sizes_text, value_name, value_text
from gradpeek.rendering.symbols import Symbols
from gradpeek.rendering.words import EVIDENCE, notes
from gradpeek.wire import editor, types

NAMES_SHOWN = 8
_COUNTS = ("count", "zeros", "nan", "posinf", "neginf")
_FACTS = {
    "shape": Phrase("shape"),
    "dtype": Phrase("dtype"),
    "device": Phrase("device"),
    "layout": Phrase("layout"),
    "tensor_type": Phrase("class"),
    "capability": Phrase("statistics"),
}
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def details(place: Place, symbols: Symbols) -> editor.Details:
    """Title, notes and numbers of a place."""
    line = node(place, symbols)
    row = place.row()
    title = line.label
    if row is not None and place.tree is not None and row.name:
        clean = symbols.clean(place.tree.names.clean(row.name))
        title = line.label if row.settings is not None else clean
        title += ".grad" if place.kind == "gradient" else ""
    kind = next((cell.text for cell in line.cells if cell.style == "type"), "")
    title = f"{title}  {kind}".rstrip()
    sentences = [] if row is None else list(_notes(place, row, symbols))
    if row is None and len(line.cells) > 1:
        sentences = [cell.text for cell in line.cells[1:]]
    columns, rows = ([], []) if row is None else _table(row, symbols)
    return editor.Details(
        title=title,
        notes=sentences,
        columns=columns,
        rows=rows,
        markdown=_markdown(title, sentences, columns, rows),
    )


def plain(found: editor.Details) -> str:
    """Details as text for the clipboard, columns aligned."""
    lines = [[row.name, *row.texts] for row in found.rows]
    if found.columns:
        lines.insert(0, ["", *found.columns])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = [
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join([found.title, *found.notes, *table])


def _notes(place: Place, row: Row, symbols: Symbols) -> Iterator[str]:
    if row.absence is not None and (row.kind != "buffer"):
        yield symbols.told(row.absence.text, SENTENCE_LIMIT)
        if row.absence.evidence != "observed":
            evidence = EVIDENCE[row.absence.evidence]
            yield symbols.say("Evidence: {evidence}.", evidence=evidence)
    if row.state is not None and row.state.grad_fn is not None:
        yield symbols.say("Made by {node}.", node=symbols.clean(row.state.grad_fn))
    others = row.aliases
    if place.tree is not None and others:
        shown = [symbols.clean(place.tree.names.clean(name)) for name in others[:NAMES_SHOWN]]
        names, rest = ", ".join(shown), row.names_total - 1 - len(shown)
        if rest > 0:
            yield symbols.say("Also: {names} and {count} more.", names=names, count=rest)
        else:
            yield symbols.say("Also: {names}.", names=names)
    if row.settings is not None and place.tree is not None:
        yield from _settings_notes(row.kind, row.settings, place.tree, symbols)
    if row.tensor is not None:
        yield from (text for text, _ in notes(row, symbols))


def _settings_notes(
    kind: str, settings: types.Settings, tree: RootTree, symbols: Symbols
) -> Iterator[str]:
    if settings.tensors is not None:
        yield sizes_text(settings, symbols)
    names = [symbols.clean(one.name) for one in settings.values if one.name in tree.differing]
    if names and kind == "group":
        yield symbols.say("Differs from other groups: {names}.", names=", ".join(names))


def _settings_table(row: Row, settings: types.Settings, symbols: Symbols) -> Iterator[editor.Row]:
    for one in settings.values:
        text = value_text(one, symbols, SENTENCE_LIMIT)
        if one.value is not None and one.label is not None:
            text = f"{text} {symbols.told(one.label)}"
        yield editor.Row(name=value_name(row, one, symbols), texts=[text])


def _table(row: Row, symbols: Symbols) -> tuple[list[str], list[editor.Row]]:
    """Columns for the data and the gradient; of a module for its parameters and their gradients."""
    say = symbols.say
    if row.settings is not None:
        values = list(_settings_table(row, row.settings, symbols))
        return ([say("value")], values) if values else ([], [])
    if row.tensor is None:
        numbers = [row.data_total, row.grad_total]
        columns = [say("parameters"), say("gradients")]
        rows: list[editor.Row] = []
    else:
        facts = [row.tensor, row.gradient]
        numbers = [None if one is None else one.statistics for one in facts]
        columns = [say("data"), say("gradient")]
        rows = list(_facts(facts, symbols))
    rows += _numbers(numbers, symbols)
    if numbers[1] is None and (row.tensor is None or row.gradient is None):
        columns = columns[:1]
        rows = [editor.Row(name=one.name, texts=one.texts[:1]) for one in rows]
    return (columns, rows) if rows else ([], [])


def _facts(facts: list[TensorFacts | None], symbols: Symbols) -> Iterator[editor.Row]:
    for name, words in _FACTS.items():
        values = [None if one is None else getattr(one, name) for one in facts]
        usual = {"layout": "strided", "tensor_type": None, "capability": "full"}
        if name in usual and all(value in (None, usual[name]) for value in values):
            continue
        texts = [
            "" if value is None else shape(value) if name == "shape" else symbols.told(value)
            for value in values
        ]
        yield editor.Row(name=symbols.say.text(words), texts=texts)


def _numbers(found: list[Statistics | None], symbols: Symbols) -> Iterator[editor.Row]:
    for name, words in STATISTICS.items():
        values = [None if one is None else getattr(one, name) for one in found]
        if all(value is None for value in values):
            continue
        if name in ("nan", "posinf", "neginf") and not any(values):
            continue
        texts = [
            "" if value is None else f"{value:,}" if name in _COUNTS else number(value)
            for value in values
        ]
        yield editor.Row(name=symbols.say.text(words), texts=texts)


def _markdown(title: str, sentences: list[str], columns: list[str], rows: list[editor.Row]) -> str:
    parts = [f"**{escaped(title)}**", *(escaped(sentence) for sentence in sentences)]
    if rows:
        lines = [["", *columns], ["---", *("---:" for _ in columns)]]
        lines = ["| " + " | ".join(line) + " |" for line in lines]  # type: ignore[misc]
        body = [
            "| " + " | ".join(escaped(text) for text in (row.name, *row.texts)) + " |"
            for row in rows
        ]
        parts.append("\n".join([*lines, *body]))  # type: ignore[list-item]
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    """Text as Markdown that shows it letter by letter; it must be on one line."""
    return _PUNCTUATION.sub(r"\\\1", text).replace("\\<", "&lt;").replace("\\&", "&amp;")
