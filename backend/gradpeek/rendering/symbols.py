"""Signs of the text output, and what stands for them where an encoding lacks them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gradpeek.rendering.labels import NAME_LIMIT, printable
from gradpeek.rendering.language import ENGLISH, Language
from gradpeek.rendering.numbers import count


@dataclass(frozen=True)
class Symbols:
    """The signs of one console.

    Attributes:
        encoding: what the text must be encodable in; None for any Unicode.
        weight: norm of a tensor's elements.
        gradient: a gradient; `gradients`: norm of the gradients below a module.
        guides: by their code the pieces of the tree's lines, four cells wide.
        narrow: the same, two cells wide.
        say: puts words into the reader's language.
    """

    encoding: str | None = None
    weight: str = "‖w‖"
    gradient: str = "∇"
    gradients: str = "‖∇‖"
    ellipsis: str = "…"
    dot: str = " · "
    guides: tuple[str, str, str, str] = ("│   ", "    ", "├── ", "└── ")
    narrow: tuple[str, str, str, str] = ("│ ", "  ", "├ ", "└ ")
    say: Language = ENGLISH

    def clean(self, text: str, limit: int = NAME_LIMIT) -> str:
        """`text` printable and encodable; see `printable`."""
        if self.encoding is not None:
            text = printable(text, 2 * limit, ellipsis=self.ellipsis)
            text = text.encode(self.encoding, "backslashreplace").decode(self.encoding)
        return printable(text, limit, ellipsis=self.ellipsis)

    def told(self, text: str, limit: int = NAME_LIMIT) -> str:
        """A phrase, a label of the probe or an error in the reader's language, as `clean` does."""
        return self.clean(self.say.text(text), limit)

    def plural(self, amount: int, one: str, many: str, **values: object) -> str:
        """One of two templates, whose `{count}` is the amount: `1 parameter`, `2 parameters`."""
        return self.say(one if amount == 1 else many, **{"count": count(amount), **values})

    def listed(self, words: Iterable[str]) -> str:
        """Words one after another: `a, b`."""
        return self.say(", ").join(words)


UNICODE = Symbols()


def symbols_for(encoding: str) -> Symbols:
    """Signs that `encoding` has: Unicode's, else ASCII's."""
    if encoding.lower().startswith("utf"):
        return UNICODE
    wanted = "".join((UNICODE.gradients, UNICODE.ellipsis, UNICODE.dot, *UNICODE.guides))
    try:
        wanted.encode(encoding)
    except UnicodeEncodeError:
        return Symbols(
            encoding,
            weight="|w|",
            gradient="grad",
            gradients="|grad|",
            ellipsis="...",
            dot=", ",
            guides=("|   ", "    ", "|-- ", "`-- "),
            narrow=("| ", "  ", "+ ", "` "),
        )
    except LookupError:
        return symbols_for("ascii")
    return Symbols(encoding)
