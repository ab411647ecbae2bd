"""Numbers as short text."""

from __future__ import annotations

import math
from collections.abc import Sequence

_UNITS = ("", "k", "M", "B", "T")


def number(value: float | complex) -> str:
    """Three significant digits: `3.27`, `1.2e-05`, `-inf`, `nan`; exact where fewer suffice."""
    if isinstance(value, complex):
        sign = "-" if value.imag < 0 else "+"
        return f"{number(value.real)}{sign}{number(abs(value.imag))}j"
    if not math.isfinite(value):
        return str(value)
    size = abs(value)
    if size < 10_000 and value == int(value):
        return str(int(value))
    if 1e-4 <= size < 10_000:
        text = f"{value:.0f}" if size >= 999.5 else f"{value:#.3g}".rstrip(".")
        return text.rstrip("0") if "." in text and float(text) == value else text
    digits, exponent = f"{value:.2e}".split("e")
    return f"{digits.rstrip('0').rstrip('.')}e{exponent}"


def setting(value: float) -> str:
    """A number that somebody has chosen: whole ones exactly, else up to six digits."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def count(value: int) -> str:
    """A count: exact below 10,000, else four significant digits: `145.6k`, `2.36M`."""
    if value < 10_000:
        return f"{value:,}"
    scaled, unit = float(value), 0
    while scaled >= 999.95 and unit < len(_UNITS) - 1:
        scaled, unit = scaled / 1000, unit + 1
    return f"{scaled:.4g}{_UNITS[unit]}"


def shape(sizes: Sequence[int] | None) -> str:
    """`[32,3,5,5]`; a ragged size is `*`, an unknown shape `?`."""
    if sizes is None:
        return "?"
    return "[" + ",".join("*" if size < 0 else str(size) for size in sizes) + "]"
