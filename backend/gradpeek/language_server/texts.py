"""The language of an editor's user."""

from __future__ import annotations

import json
from importlib.resources import files

from gradpeek.rendering.language import ENGLISH, Language


def language(locale: str | None) -> Language:
    """Translations for a locale such as `zh-cn` or `zh_CN`; English where there are none."""
    name = (locale or "").lower().replace("_", "-")
    for known, file in _FILES.items():
        if name == known or name.startswith(known + "-"):
            text = (files(__package__) / "l10n" / file).read_text("utf-8")
            return Language(json.loads(text))
    return ENGLISH


_FILES = {"zh-cn": "zh-cn.json", "zh-hans": "zh-cn.json", "zh": "zh-cn.json"}
"""By locale its file; regional forms follow."""
