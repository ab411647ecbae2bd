"""One line about a root, where there is no room for its tree."""

from __future__ import annotations

from gradpeek.inspection import RootInspection
from gradpeek.rendering.numbers import number, plural, shape
from gradpeek.rendering.symbols import UNICODE, Symbols
from gradpeek.rendering.words import gradient_words, measure, missing_words, tally


def summary_line(root: RootInspection, symbols: Symbols = UNICODE) -> str:
    """`model Net: 10 parameters, ‖∇‖ 1.02, 2 without gradient (frozen)`."""
    expression, kind = symbols.clean(root.root.expression), root.root.kind
    if root.root.error is not None:
        return f"{expression}: {symbols.clean(root.root.error.message)}"
    head = f"{expression} {symbols.clean(root.root.type)}"
    if kind == "module":
        return f"{head}: {', '.join(_module_words(root, symbols))}"
    if kind == "gradients":
        return f"{head}: {plural(len(root.rows), 'tensor')}"
    if kind == "tensor" and root.rows and root.rows[0].tensor is not None:
        tensor = root.rows[0].tensor
        words = [
            measure(tensor.statistics, "norm", "value"),
            gradient_words(root.rows[0], symbols)[0],
        ]
        facts = f"{shape(tensor.shape)} {symbols.clean(tensor.dtype or '')}".rstrip()
        said = ", ".join(word for word in words if word)
        return f"{head} {facts}" + (f": {said}" if said else "")
    return head


def _module_words(root: RootInspection, symbols: Symbols) -> list[str]:
    counts = tally(root)
    if not counts.parameters:
        return ["no parameters"]
    words = [plural(counts.parameters, "parameter")]
    if counts.norm is not None:
        words.append(f"{symbols.gradients} {number(counts.norm)}")
    if counts.without == counts.parameters:
        words.append(f"no gradient ({missing_words(counts, symbols)})")
    elif counts.without:
        words.append(f"{counts.without} without gradient ({missing_words(counts, symbols)})")
    if counts.nan:
        words.append(f"NaN in {plural(counts.nan, 'gradient')}")
    if counts.inf:
        words.append(f"Inf in {plural(counts.inf, 'gradient')}")
    return words
