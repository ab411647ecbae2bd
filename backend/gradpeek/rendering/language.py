"""Texts for people in their language."""

from __future__ import annotations

from collections.abc import Mapping


class Language:
    """Translates templates; what has no translation stays English.

    Args:
        translations: by English template its translation, with the same names in braces.
    """

    def __init__(self, translations: Mapping[str, str] | None = None) -> None:
        self._translations = translations or {}

    def __call__(self, template: str, **values: object) -> str:
        """The template in this language with `values` put in, which are taken as they are."""
        return self._translations.get(template, template).format(**values)


ENGLISH = Language()
