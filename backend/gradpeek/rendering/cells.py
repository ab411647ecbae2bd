"""How many cells of a terminal a text takes, by the standard library's own data of Unicode."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import pairwise

_NO_CELL = (
    *((0x1160, 0x11FF), (0xD7B0, 0xD7FF)),  # vowels and ends of Hangul: drawn onto what is before
    *((0x3164, 0x3164), (0xFFA0, 0xFFA0)),  # Hangul's fillers
    (0x1F3FB, 0x1F3FF),  # tones of skin
)
_TWO_CELLS = (
    *((0x2630, 0x2637), (0x268A, 0x268F), (0x4DC0, 0x4DFF)),
    *((0x1D300, 0x1D356), (0x1D360, 0x1D376)),
)
"""Symbols that are wide since Unicode 16: the data of an older Python says otherwise."""
_AS_EMOJI = "\ufe0f"
_KEYCAPS = "#*0123456789"


def cell_len(text: str) -> int:
    """Cells that a printable text takes: a wide character two, a combining one none."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text)) + (_widened(text) if _AS_EMOJI in text else 0)


def crop(text: str, total: int) -> str:
    """The beginning of a text that takes more than `total` cells, in `total` cells.

    Half of a wide character is a space. What combines with the last character stays with it.
    """
    if total <= 0 or text.isascii():
        return text[: max(total, 0)]
    used = 0
    for at, character in enumerate(text):
        size = _cells(character)
        if character == _AS_EMOJI and at:
            size = _widened(text[at - 1 : at + 1])
        if used + size > total:
            return text[:at] + " " * (total - used)
        used += size
    return text


@lru_cache(maxsize=4096)
def _cells(character: str) -> int:
    code = ord(character)
    if unicodedata.category(character).startswith("M") or _lies_in(code, _NO_CELL):
        return 0
    if unicodedata.east_asian_width(character) in "WF" or _lies_in(code, _TWO_CELLS):
        return 2
    return 1


def _lies_in(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(start <= code <= end for start, end in ranges)


def _widened(text: str) -> int:
    """How many narrow signs are followed by what asks for their wide picture."""
    return sum(
        after == _AS_EMOJI and _cells(sign) == 1 and _has_picture(sign)
        for sign, after in pairwise(text)
    )


def _has_picture(sign: str) -> bool:
    return unicodedata.category(sign) in ("So", "Sm") or sign in _KEYCAPS or sign in "‼⁉ℹ"
