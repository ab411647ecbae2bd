"""Lines of parameter groups and of the state of optimizers, scalers and schedulers."""

from __future__ import annotations

from collections.abc import Iterator

from gradpeek.inspection import Phrase, RootInspection, Row
from gradpeek.rendering.layout import Entry
from gradpeek.rendering.numbers import setting
from gradpeek.rendering.symbols import Symbols
from gradpeek.rendering.words import INFO, Note
from gradpeek.wire import types

DIFFERS = "bold"
"""Style of a value that is not the same in all parameter groups."""
VALUE_LIMIT = 80
"""Characters of one value that are shown in a line."""

_SETTINGS = Phrase("settings")
_OF_STATE = {
    "value": Phrase("value"),
    "values": Phrase("values"),
    "min": Phrase("min"),
    "max": Phrase("max"),
    "dtype": Phrase("dtype"),
    "device": Phrase("device"),
}
"""Names that values of state have from us, not from the program."""
_HEADLINES = {
    "optimizer": ("step",),
    "grad_scaler": ("scale",),
    "scheduler": ("last_epoch", "last_lr"),
}
"""By kind of root the state that its own line says where the rows are folded away."""
_NOT_FINITE = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}


def has_settings(root: RootInspection) -> bool:
    """Whether the rows of a root are parameter groups and state."""
    return bool(root.rows) and root.rows[0].settings is not None


def settings_entry(
    row: Row, settings: types.Settings, varying: frozenset[str], symbols: Symbols
) -> Entry:
    """The line of a parameter group or of a kind of state.

    Args:
        row: what it shows.
        settings: those of the row.
        varying: names of values that differ between the groups; they come first.
        symbols: signs and language of the line.
    """
    entry = Entry("", settings_label(row, symbols), sizes_text(settings, symbols))
    if row.kind == "group":
        entry.notes = _group_notes(settings, varying, symbols)
    elif row.name == _SETTINGS:
        entry.notes = [(_said(one, symbols), INFO) for one in settings.values]
    elif settings.tensors is not None:
        entry.place = " ".join(value_text(one, symbols) for one in settings.values)
    else:
        entry.facts, entry.facts_style = state_text(settings, symbols), ""
    return entry


def settings_label(row: Row, symbols: Symbols) -> str:
    """What a group or kind of state is called: `group 0`, `exp_avg`."""
    if row.kind == "group":
        return symbols.say("group {number}", number=row.name.rpartition(" ")[2])
    if row.name == _SETTINGS:
        return symbols.say.text(_SETTINGS)
    return symbols.clean(row.name)


def sizes_text(settings: types.Settings, symbols: Symbols) -> str:
    """`2 tensors · 8 elements`, "" where no tensors are counted."""
    if settings.tensors is None:
        return ""
    words = [symbols.plural(settings.tensors, "{count} tensor", "{count} tensors")]
    if settings.elements is not None:
        words.append(symbols.plural(settings.elements, "{count} element", "{count} elements"))
    return symbols.dot.join(words)


def _group_notes(settings: types.Settings, varying: frozenset[str], symbols: Symbols) -> list[Note]:
    """Values that differ from group to group, then the others but for what is switched off."""
    first = [one for one in settings.values if one.name in varying]
    others = [one for one in settings.values if one.name not in varying and not _is_off(one)]
    return [
        *((_said(one, symbols), DIFFERS) for one in first),
        *((_said(one, symbols), INFO) for one in others),
    ]


def _is_off(one: types.Setting) -> bool:
    return one.label is None and (one.value is None or one.value is False)


def _said(one: types.Setting, symbols: Symbols) -> str:
    return f"{symbols.clean(one.name)} {value_text(one, symbols)}"


def value_text(one: types.Setting, symbols: Symbols, limit: int = VALUE_LIMIT) -> str:
    """`0.001`, `(0.9, 0.999)`, `on cuda:0`; a class for what is no plain value."""
    if one.value is None and one.label is not None:
        return symbols.told(one.label, limit)
    if not isinstance(one.value, list):
        return symbols.clean(_scalar(one.value), limit)
    items = [symbols.clean(_scalar(item), limit) for item in one.value]
    if one.label is not None:
        items.append(symbols.ellipsis)
    return symbols.clean(f"({', '.join(items)})", limit)


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return _NOT_FINITE.get(value, value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return setting(value)
    return str(value)


def value_name(row: Row, one: types.Setting, symbols: Symbols) -> str:
    """What a value of a row is called."""
    if row.kind == "state" and row.name != _SETTINGS and one.name in _OF_STATE:
        return symbols.say.text(_OF_STATE[one.name])
    return symbols.clean(one.name)


def state_text(settings: types.Settings, symbols: Symbols) -> str:
    """The value of a kind of state; its range where it differs: `3 … 12`."""
    texts = [value_text(one, symbols) for one in settings.values]
    return f" {symbols.ellipsis} ".join(texts)


def differing(root: RootInspection) -> frozenset[str]:
    """Names of the values in which the parameter groups of a root differ."""
    groups = [
        {one.name: (one.value, one.label) for one in row.settings.values}
        for row in root.rows
        if row.kind == "group" and row.settings is not None
    ]
    names = {name for group in groups for name in group}
    return frozenset(
        name for name in names if any(group.get(name) != groups[0].get(name) for group in groups)
    )


def headline(root: RootInspection, symbols: Symbols) -> list[str]:
    """What matters most of a root of this kind, in few words: learning rates, step, scale."""
    wanted = _HEADLINES.get(root.root.kind or "", ())
    return [*_learning_rates(root, symbols), *_state_words(root, wanted, symbols)]


def _learning_rates(root: RootInspection, symbols: Symbols) -> Iterator[str]:
    found = [
        value_text(one, symbols)
        for row in root.rows
        if row.kind == "group" and row.settings is not None
        for one in row.settings.values
        if one.name == "lr"
    ]
    rates = list(dict.fromkeys(found))
    if rates:
        more = f", {symbols.ellipsis}" if len(rates) > 3 else ""
        yield "lr " + ", ".join(rates[:3]) + more


def _state_words(root: RootInspection, wanted: tuple[str, ...], symbols: Symbols) -> Iterator[str]:
    for row in root.rows:
        settings = row.settings
        if settings is None or row.kind != "state":
            continue
        if row.name in wanted and settings.tensors is None:
            yield f"{symbols.clean(row.name)} {state_text(settings, symbols)}"
        elif row.name == _SETTINGS and root.root.kind == "grad_scaler":
            yield from (_said(one, symbols) for one in settings.values if one.value is False)
