"""One line about a root, where there is no room for its tree."""

from __future__ import annotations

from gradpeek.inspection import RootInspection
from gradpeek.rendering.numbers import number, shape
from gradpeek.rendering.settings import headline
from gradpeek.rendering.symbols import UNICODE, Symbols
from gradpeek.rendering.words import (
    gradient_words,
    measure,
    missing_words,
    non_finite_words,
    tally,
)


def summary_line(root: RootInspection, symbols: Symbols = UNICODE) -> str:
    """`model Net: 10 parameters, ‖∇‖ 1.02, 2 without gradient (frozen)`."""
    expression, kind = symbols.clean(root.root.expression), root.root.kind
    if root.root.error is not None:
        return f"{expression}: {symbols.told(root.root.error.message)}"
    head = f"{expression} {symbols.clean(root.root.type)}"
    if kind == "module":
        return f"{head}: {symbols.listed(_module_words(root, symbols))}"
    if kind == "gradients":
        amount = symbols.plural(len(root.rows), "{count} tensor", "{count} tensors")
        return f"{head}: {amount}"
    if kind == "tensor" and root.rows and root.rows[0].tensor is not None:
        tensor = root.rows[0].tensor
        words = [
            measure(tensor.statistics, symbols, symbols.say("norm")),
            gradient_words(root.rows[0], symbols)[0],
        ]
        facts = f"{shape(tensor.shape)} {symbols.clean(tensor.dtype or '')}".rstrip()
        said = symbols.listed(word for word in words if word)
        return f"{head} {facts}" + (f": {said}" if said else "")
    words = headline(root, symbols)
    return head + (f": {symbols.listed(words)}" if words else "")


def _module_words(root: RootInspection, symbols: Symbols) -> list[str]:
    counts, say = tally(root), symbols.say
    if not counts.parameters:
        return [say("no parameters")]
    words = [symbols.plural(counts.parameters, "{count} parameter", "{count} parameters")]
    if counts.norm is not None:
        words.append(f"{symbols.gradients} {number(counts.norm)}")
    reasons = missing_words(counts, symbols)
    if counts.without == counts.parameters:
        words.append(say("no gradient ({reasons})", reasons=reasons))
    elif counts.without:
        words.append(
            say("{count} without gradient ({reasons})", count=counts.without, reasons=reasons)
        )
    return words + non_finite_words(counts, symbols)
