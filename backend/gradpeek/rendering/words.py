"""What a row says in words: facts, numbers, reasons and badges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gradpeek.inspection import Phrase, RootInspection, Row, Statistics, TensorFacts
from gradpeek.rendering.numbers import count, number, shape
from gradpeek.rendering.symbols import Symbols

BAD, WARN, INFO = "bold red", "yellow", "dim"
"""Styles of notes."""

Note = tuple[str, str]
"""Text and style."""

_KINDS = {
    "optimizer": Phrase("optimizer"),
    "grad_scaler": Phrase("grad scaler"),
    "scheduler": Phrase("learning-rate scheduler"),
}
EVIDENCE = {
    "observed": Phrase("observed"),
    "inferred": Phrase("inferred"),
    "unknown": Phrase("unknown"),
}
"""What a reason rests on."""
_REASON_UNKNOWN = Phrase("reason unknown")


def kind_words(kind: str | None) -> Phrase | None:
    """What a root is, where its rows do not say so."""
    return _KINDS.get(kind or "")


def measure(
    numbers: Statistics | None, symbols: Symbols, label: str, value_label: str | None = None
) -> str:
    """`‖w‖ 3.27`; of one element its value: `value -0.5`; "" where nothing is known."""
    if numbers is None:
        return ""
    if numbers.count == 0:
        return symbols.say("empty")
    if numbers.norm is None:
        return f"{label} {'nan' if numbers.nan else 'inf'}"
    if numbers.count == 1 and numbers.mean is not None:
        return f"{value_label or symbols.say('value')} {number(numbers.mean)}"
    return f"{label} {number(numbers.norm)}"


def place_words(tensor: TensorFacts, symbols: Symbols) -> str:
    """Dtype of a tensor; its device, layout and class only where they are out of the ordinary."""
    parts = [tensor.dtype or ""]
    if tensor.device not in (None, "cpu"):
        parts.append(tensor.device or "")
    if tensor.layout not in (None, "strided"):
        parts.append(tensor.layout or "")
    if tensor.tensor_type:
        parts.append(symbols.say.text(tensor.tensor_type))
    return symbols.clean(" ".join(part for part in parts if part))


def has_gradient_cell(row: Row) -> bool:
    """Whether a line speaks of a gradient: buffers and the like, which take none, do not."""
    if row.gradient is not None:
        return True
    if row.absence is None:
        return False
    return row.kind == "parameter" or row.absence.reason != "requires_grad_false"


def gradient_words(row: Row, symbols: Symbols) -> Note:
    """`∇ 0.366`, or `∇ none: frozen` and its style."""
    sign = symbols.gradient
    if not has_gradient_cell(row):
        return "", ""
    if row.gradient is not None:
        numbers = row.gradient.statistics
        if numbers is None:
            return symbols.say("{sign} present", sign=sign), "green"
        if numbers.count == 0:
            return symbols.say("{sign} empty", sign=sign), INFO
        return measure(numbers, symbols, sign, sign), BAD if numbers.norm is None else "green"
    assert row.absence is not None
    reason = symbols.told(_reason(row.absence.label))
    style = INFO if row.absence.reason == "requires_grad_false" else WARN
    return symbols.say("{sign} none: {reason}", sign=sign, reason=reason), style


def notes(row: Row, symbols: Symbols, common: Iterable[str] = ()) -> list[Note]:
    """Badges of a tensor's row in words, but for those said once for all of its root."""
    found = list[Note]()
    data, gradient = row.tensor, row.gradient
    shown = [badge for badge in row.badges if badge not in common]
    found += [(_non_finite(row, badge, symbols), BAD) for badge in shown if badge in _NON_FINITE]
    if "grad_all_zero" in shown:
        found.append((symbols.say("{sign} all zero", sign=symbols.gradient), WARN))
    said = row.absence.label if row.absence is not None else ""
    if data is not None and data.capability not in ("full", said):
        found.append((symbols.told(data.capability), WARN))
    if gradient is not None:
        found += _gradient_notes(data, gradient, symbols)
    found += [
        (symbols.say.text(words), style)
        for badge, (words, style) in _BADGES.items()
        if badge in shown and badge != said
    ]
    if row.kind == "buffer":
        found.append((symbols.say("buffer"), INFO))
    return found + [(symbols.clean(badge), INFO) for badge in shown if badge not in _KNOWN]


_BADGES = {
    "frozen": (Phrase("frozen"), INFO),
    "unregistered": (Phrase("not registered"), WARN),
    "not_in_optimizer": (Phrase("not in any optimizer"), WARN),
    "earlier_backward": (Phrase("from an earlier backward"), WARN),
}
_NON_FINITE = {
    "data_nan": ("data", "NaN", ("nan",)),
    "data_inf": ("data", "Inf", ("posinf", "neginf")),
    "grad_nan": ("grad", "NaN", ("nan",)),
    "grad_inf": ("grad", "Inf", ("posinf", "neginf")),
}
_KNOWN = {*_NON_FINITE, *_BADGES, "tied", "grad_all_zero"}


def _non_finite(row: Row, badge: str, symbols: Symbols) -> str:
    """`NaN in ∇ (3 of 2,400)`; without the numbers where they are not known."""
    say, sign = symbols.say, symbols.gradient
    part, word, names = _NON_FINITE[badge]
    facts = row.tensor if part == "data" else row.gradient
    if facts is None or facts.statistics is None or facts.statistics.count < 2:
        if part == "data":
            return say("{word} in data", word=word)
        return say("{word} in {sign}", word=word, sign=sign)
    amount = count(sum(getattr(facts.statistics, name) for name in names))
    total = count(facts.statistics.count)
    if part == "data":
        return say("{word} in data ({amount} of {total})", word=word, amount=amount, total=total)
    return say(
        "{word} in {sign} ({amount} of {total})", word=word, sign=sign, amount=amount, total=total
    )


def _gradient_notes(
    data: TensorFacts | None, gradient: TensorFacts, symbols: Symbols
) -> list[Note]:
    """How a gradient differs from its tensor, and why it has no numbers."""
    found, parts = list[Note](), list[str]()
    if data is not None:
        if gradient.shape != data.shape:
            parts.append(shape(gradient.shape))
        for name in ("dtype", "device", "layout", "tensor_type"):
            value = getattr(gradient, name)
            if value and value != getattr(data, name):
                parts.append(symbols.say.text(value) if name == "tensor_type" else value)
    if parts:
        found.append((f"{symbols.gradient} {symbols.clean(' '.join(parts))}", INFO))
    if gradient.capability != "full":
        found.append((f"{symbols.gradient} {symbols.told(gradient.capability)}", WARN))
    return found


def common_badges(rows: Sequence[Row]) -> dict[str, Phrase]:
    """Badges that hold for all parameters of a root, with the words that say so once."""
    present = [row for row in rows if row.kind == "parameter" and row.gradient is not None]
    trained = [
        row
        for row in rows
        if row.kind == "parameter" and row.state is not None and row.state.requires_grad
    ]
    return {
        badge: words
        for badge, eligible, words in (
            ("earlier_backward", present, Phrase("gradients from an earlier backward")),
            ("not_in_optimizer", trained, Phrase("not in any optimizer")),
        )
        if len(eligible) > 1 and all(badge in row.badges for row in eligible)
    }


@dataclass(slots=True)
class Tally:
    """Distinct parameters of a root, counted.

    Attributes:
        parameters: how many tensors.
        elements: how many elements they have, of those whose number is known.
        norm: L2 norm over all gradients, None where there is none.
        missing: by label how many have no gradient for that reason, in order of appearance.
        nan: gradients with NaN elements; `inf`: with infinite ones.
    """

    parameters: int
    elements: int
    norm: float | None
    missing: Counter[str]
    nan: int
    inf: int

    @property
    def without(self) -> int:
        """Parameters that have no gradient."""
        return sum(self.missing.values())


def tally(root: RootInspection) -> Tally:
    """Counts over the distinct parameters of a root."""
    total = root.rows[0].grad_total if root.rows and root.root.kind == "module" else None
    return tally_rows(root.rows, total)


def tally_rows(rows: Iterable[Row], total: Statistics | None) -> Tally:
    """Counts over the parameters among `rows`; `total` has the numbers of their gradients."""
    found = [row for row in rows if row.kind == "parameter"]
    missing = Counter(
        _reason(row.absence.label) if row.absence else _REASON_UNKNOWN
        for row in found
        if row.gradient is None
    )
    elements = sum(row.tensor.numel or 0 for row in found if row.tensor is not None)
    return Tally(
        len(found),
        elements,
        total.norm if total is not None else None,
        missing,
        sum("grad_nan" in row.badges for row in found),
        sum("grad_inf" in row.badges for row in found),
    )


def _reason(label: str) -> str:
    return _REASON_UNKNOWN if label in ("", "none") else label


def missing_words(counts: Tally, symbols: Symbols) -> str:
    """`2 frozen, 1 no backward yet`; without the number where there is one reason."""
    parts = [(symbols.told(label), amount) for label, amount in counts.missing.most_common(4)]
    rest = len(counts.missing) - len(parts)
    if len(parts) == 1:
        return parts[0][0]
    words = [
        symbols.say("{count} {reason}", count=count(amount), reason=label)
        for label, amount in parts
    ]
    if rest:
        words.append(symbols.plural(rest, "{count} more reason", "{count} more reasons"))
    return symbols.listed(words)


def non_finite_words(counts: Tally, symbols: Symbols) -> list[str]:
    """`NaN in 2 gradients`, and the same of Inf, where there are any."""
    return [
        symbols.plural(
            amount, "{word} in {count} gradient", "{word} in {count} gradients", word=word
        )
        for word, amount in (("NaN", counts.nan), ("Inf", counts.inf))
        if amount
    ]
