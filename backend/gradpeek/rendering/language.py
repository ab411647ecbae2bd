"""Texts for people in their language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gradpeek.inspection import Phrase


class Language:
    """Translates templates; what has no translation stays English.

    Args:
        phrases: by English template its translation, with the same names in braces.
        labels: the same for texts that reach us ready-made and in English: the probe's labels,
            and errors. There a name in braces stands for any text.
    """

    def __init__(
        self, phrases: Mapping[str, str] | None = None, labels: Mapping[str, str] | None = None
    ) -> None:
        self._phrases = phrases or {}
        self._labels = {
            _pattern(label): translation for label, translation in (labels or {}).items()
        }

    def __call__(self, template: str, /, **values: object) -> str:
        """The template in this language with `values` put in.

        Values are taken as they are, but for phrases, which are translated.
        """
        said = {
            name: self.text(value) if isinstance(value, Phrase) else value
            for name, value in values.items()
        }
        return self._phrases.get(template, template).format(**said)

    def text(self, text: str) -> str:
        """A phrase, a label of the probe or an error in this language; other text as it is."""
        if isinstance(text, Phrase):
            return self(text.template, **text.values)
        for pattern, translation in self._labels.items():
            found = pattern.fullmatch(text)
            if found is not None:
                return translation.format(**found.groupdict())
        return text


def _pattern(label: str) -> re.Pattern[str]:
    """Matches what a template may have become."""
    return re.compile("".join(_pieces(label)), re.DOTALL)


def _pieces(label: str) -> Iterator[str]:
    for at, piece in enumerate(re.split(r"{(\w+)}", label)):
        yield f"(?P<{piece}>.*?)" if at % 2 else re.escape(piece)


ENGLISH = Language()
