"""Fits lines into the width of a console: numbers in columns, names and notes cut with `…`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gradpeek.rendering.cells import cell_len, crop
from gradpeek.rendering.labels import cut_end, cut_middle
from gradpeek.rendering.symbols import Symbols
from gradpeek.rendering.words import Note

NARROW = 60
"""Cells of width below which guides and gaps shrink."""
TAIL = 14
"""Cells that notes get at least where some line has any, before names are cut."""
GUIDE, NAME, TYPE, FACTS = "dim", "", "cyan", "dim"

Line = list[tuple[str, str]]
"""Text and style in the words of rich, left to right; no text has a line end or control sign."""


@dataclass(slots=True)
class Entry:
    """One line before it is laid out; all its texts are printable.

    Attributes:
        guide: one code a level: `|` the line goes on, space it does not, `+` a branch, `L` the
            last one.
        name: label; `name_width` is the width that it is padded to.
        facts: class or shape; `place` is the dtype and whatever may be cut where it is tight.
        extra: shown only where there is room for everything.
        weight: numbers of the data, "" for none.
        gradient: numbers of the gradient or why there is none; `has_numbers` tells which.
        notes: what follows.
    """

    guide: str
    name: str
    facts: str
    place: str = ""
    extra: str = ""
    weight: str = ""
    gradient: str = ""
    gradient_style: str = ""
    has_numbers: bool = True
    notes: list[Note] = field(default_factory=list)
    name_style: str = NAME
    facts_style: str = FACTS
    name_width: int = 0


@dataclass(frozen=True)
class _Columns:
    width: int
    gap: int
    narrow: bool
    left: int
    weight: int
    gradient: int
    dropped: str | None
    """Place that most rows share, left out to save space, as extras are; None with room for all."""


def lay_out(
    entries: Sequence[Entry], width: int, symbols: Symbols, *, common: str = ""
) -> Iterator[Line]:
    """Lines of at most `width` cells, numbers below each other.

    Args:
        entries: lines that belong together.
        width: cells of the console.
        symbols: signs of the console.
        common: dtype that most rows have; left out where the lines are too wide otherwise.
    """
    columns = _columns(entries, width, common)
    for entry in entries:
        yield _line(entry, columns, symbols)


def _columns(entries: Sequence[Entry], width: int, common: str) -> _Columns:
    """The roomiest columns into which nine lines of ten fit, else the tightest."""
    gap = 1 if width < NARROW else 2
    weight = max((cell_len(entry.weight) for entry in entries), default=0)
    numbered = [entry for entry in entries if entry.has_numbers]
    gradient = max((cell_len(entry.gradient) for entry in numbered), default=0)
    numbers = (gap + weight if weight else 0) + (gap + gradient if gradient else 0)
    tails = [_tail_width(entry, gap, gradient) for entry in entries]
    for tight in (0, 1, 2):
        narrow, dropped = tight == 2, common if tight else None
        lefts = [
            _left_width(entry, dropped, narrow=narrow)
            for entry in entries
            if entry.weight or entry.gradient or entry.notes
        ]
        left = min(max(lefts, default=0), _usual(lefts, 19 / 20) + 16)
        if left + numbers + _usual(tails, 9 / 10) <= width:
            break
    room = width - numbers - min(_usual(tails, 9 / 10), TAIL)
    left = max(min(left, room), min(left, 16, width - numbers), 0)
    return _Columns(width, gap, narrow, left, weight, gradient, dropped)


def _usual(sizes: Sequence[int], share: float) -> int:
    """Size that `share` of the lines do not exceed."""
    return sorted(sizes)[int((len(sizes) - 1) * share)] if sizes else 0


def _tail_width(entry: Entry, gap: int, gradient: int) -> int:
    """Cells that an entry needs right of the columns of numbers."""
    notes = sum(gap + cell_len(text) for text, _ in entry.notes)
    if entry.has_numbers:
        return notes
    return max(notes + cell_len(entry.gradient) - gradient, 0)


def _left_width(entry: Entry, dropped: str | None, *, narrow: bool) -> int:
    width = len(entry.guide) * (2 if narrow else 4)
    width += cell_len(entry.name) if narrow else max(cell_len(entry.name), entry.name_width)
    width += 2 + cell_len(entry.facts) if entry.facts else 0
    if entry.place and entry.place != dropped:
        width += 1 + cell_len(entry.place)
    if entry.extra and dropped is None:
        width += 2 + cell_len(entry.extra)
    return width


def _line(entry: Entry, columns: _Columns, symbols: Symbols) -> Line:
    gap = " " * columns.gap
    right: Line = []
    if columns.weight and (entry.weight or entry.gradient or entry.notes):
        right.append((gap + _padded(entry.weight, columns.weight), ""))
    if columns.gradient or entry.gradient:
        right.append((gap + _padded(entry.gradient, columns.gradient), entry.gradient_style))
    right += [(gap + text, style) for text, style in entry.notes]
    if not entry.weight and not entry.gradient and not entry.notes:
        right = []
    needed = sum(cell_len(text) for text, _ in right)
    natural = _left_width(entry, columns.dropped, narrow=columns.narrow)
    width = columns.left
    if natural > width and natural + needed <= columns.width:
        width = natural
    left = _left(entry, width if right else columns.width, columns, symbols)
    used = sum(cell_len(text) for text, _ in left)
    if right:
        left.append((" " * (width - used), ""))
    return _cut(_trimmed(left + right), columns.width, symbols.ellipsis)


def _left(entry: Entry, width: int, columns: _Columns, symbols: Symbols) -> Line:
    """Guide, name and facts in at most `width` cells."""
    pieces = symbols.narrow if columns.narrow else symbols.guides
    guide = "".join(pieces["| +L".index(code)] for code in entry.guide)
    fits = _left_width(entry, columns.dropped, narrow=columns.narrow) <= width
    if entry.guide and not fits and cell_len(guide) > width - 8:
        keep = max(width - 8 - len(symbols.ellipsis), 0)
        guide = symbols.ellipsis + guide[max(len(guide) - keep, 0) :] if keep else ""
    room = max(width - cell_len(guide), 0)
    place = "" if entry.place == columns.dropped else entry.place
    name = entry.name
    if not columns.narrow:
        name = _padded(name, entry.name_width)
    facts = entry.facts
    extra = 2 + cell_len(facts) if facts else 0
    if cell_len(name) + extra + (1 + cell_len(place) if place else 0) > room:
        place = cut_end(place, room - cell_len(name) - extra - 1, symbols.ellipsis)
        place = "" if cell_len(place) < 5 else place
    if cell_len(name) + extra > room:
        name = entry.name
        least = min(cell_len(name), max(8, room * 2 // 3))
        name = cut_middle(name, max(room - extra, least), symbols.ellipsis)
        facts = cut_end(facts, room - cell_len(name) - 2, symbols.ellipsis)
        facts = "" if cell_len(facts) < 4 else facts
    line: Line = [(guide, GUIDE), (cut_end(name, room, symbols.ellipsis), entry.name_style)]
    if facts:
        line.append(("  " + facts, entry.facts_style))
    if place:
        line.append((" " + place, FACTS))
    if entry.extra and columns.dropped is None:
        used = sum(cell_len(text) for text, _ in line)
        line.append((cut_end("  " + entry.extra, width - used, symbols.ellipsis), FACTS))
    return line


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def _cut(line: Line, width: int, ellipsis: str) -> Line:
    """The line in at most `width` cells."""
    if sum(cell_len(text) for text, _ in line) <= width:
        return line
    found, room = Line(), width - len(ellipsis)
    for text, style in line:
        size = cell_len(text)
        if size > room:
            kept = crop(text, max(room, 0))
            whole = kept.rstrip() == text.rstrip()
            kept = kept if whole else kept.rstrip() or kept
            # Never right after a whole number: it would look as if digits were cut.
            before = kept or (found[-1][0] if found else " ")
            if not whole or before.endswith(" "):
                kept += ellipsis[:width]
            found.append((kept, style))
            return _trimmed(found)
        found.append((text, style))
        room -= size
    return found


def _trimmed(line: Line) -> Line:
    """Without empty texts and without spaces at the end."""
    found = [(text, style) for text, style in line if text]
    while found and not found[-1][0].strip():
        found.pop()
    if found:
        found[-1] = found[-1][0].rstrip(), found[-1][1]
    return found


def wrap(text: str, width: int, style: str, indent: str = "") -> Iterator[Line]:
    """Prose in lines of at most `width` cells; later lines begin with `indent`."""
    line, start = "", 0
    for word in text.split(" "):
        if len(line) > start and cell_len(line) + 1 + cell_len(word) <= width:
            line = f"{line} {word}"
            continue
        if len(line) > start:
            yield [(line, style)]
            start = len(indent)
        line = indent[:start] + word
        while cell_len(line) > width and len(line) > start + 1:
            end = start + 1
            while cell_len(line[: end + 1]) <= width:
                end += 1
            yield [(line[:end], style)]
            start = len(indent)
            line = indent + line[end:]
    if line.strip():
        yield [(line, style)]
