"""The language of an editor's user."""

from __future__ import annotations

import json
from importlib.resources import files

from gradpeek.rendering.language import ENGLISH, Language

_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
"""Script and regions whose readers are not given simplified characters."""


def language(locale: str | None) -> Language:
    """Translations for a locale such as `zh-cn`, `zh_CN` or `zh-Hans-CN`, else English.

    Readers of traditional characters (`zh-tw`) get English, as VS Code gives them the extension's
    own texts, so that view and rows speak one language.
    """
    tags = (locale or "").lower().replace("_", "-").partition(".")[0].split("-")
    if tags[0] != "zh" or ("hans" not in tags and _TRADITIONAL.intersection(tags)):
        return ENGLISH
    found = json.loads((files(__package__) / "l10n" / "zh-cn.json").read_text("utf-8"))
    return Language(found["phrases"], found["labels"])
