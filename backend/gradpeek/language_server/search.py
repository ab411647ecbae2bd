"""Search over all rows of the tree, unfolded or not."""

from __future__ import annotations

from gradpeek.language_server.nodes import node
from gradpeek.language_server.tree import Place, Tree
from gradpeek.rendering.numbers import shape
from gradpeek.rendering.settings import settings_label, value_text
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor


def search(tree: Tree, query: str, limit: int, symbols: Symbols) -> editor.Found:
    """Rows that have all words of `query` in name, class, shape, dtype, reason or badges.

    Args:
        tree: what is searched, in its order and through its filters.
        query: words, in any case.
        limit: matches that are returned at most; `total` counts all.
        symbols: signs and language of the lines.
    """
    words = query.casefold().split()
    places = [place for place in tree.rows() if _matches(place, words, symbols)]
    return editor.Found(
        matches=[
            editor.Match(node=node(place, symbols), name=_name(place, symbols))
            for place in places[:limit]
        ],
        total=len(places),
    )


def _matches(place: Place, words: list[str], symbols: Symbols) -> bool:
    text = _text(place, symbols)
    return all(word in text for word in words)


def _text(place: Place, symbols: Symbols) -> str:
    """What a place is found by: reasons in English and in the reader's language."""
    assert place.tree is not None
    wire, row = place.tree.inspection.root, place.row()
    parts = [wire.expression]
    if place.kind == "root":
        parts += [*wire.aliases, wire.type]
    if row is not None:
        parts += [*row.names, row.kind, row.module_type or "", *row.badges]
        if row.settings is not None:
            parts += [f"{one.name} {value_text(one, symbols)}" for one in row.settings.values]
        for facts in (row.tensor, row.gradient):
            if facts is not None:
                parts += [shape(facts.shape), facts.dtype or "", facts.tensor_type or ""]
        if row.absence is not None:
            parts += [row.absence.label, symbols.say.text(row.absence.label)]
    return "\n".join(parts).casefold()


def _name(place: Place, symbols: Symbols) -> str:
    assert place.tree is not None
    root = symbols.clean(place.tree.inspection.root.expression)
    row = place.row()
    if place.kind == "root" or row is None or not row.name:
        return root
    if row.settings is not None:
        return f"{root} {settings_label(row, symbols)}"
    name = symbols.clean(place.tree.names.clean(row.name))
    return f"{root}{name}" if name.startswith("[") else f"{root}.{name}"
