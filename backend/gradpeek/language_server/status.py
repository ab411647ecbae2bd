"""One line about the selected session, for a status bar."""

from __future__ import annotations

from gradpeek.inspection import RootInspection
from gradpeek.language_server.session import DebugSession
from gradpeek.rendering.numbers import count, number
from gradpeek.rendering.summary import summary_line
from gradpeek.rendering.symbols import Symbols
from gradpeek.rendering.words import tally
from gradpeek.wire import editor

NOTHING = editor.Status(text=None, tooltip="", tone="normal")


def status(session: DebugSession | None, symbols: Symbols, *, visible: bool) -> editor.Status:
    """Total norm of the gradients of the first model and how many are missing.

    Shows nothing while the program runs, nothing is known, or the tree cannot be seen.
    """
    if session is None or session.is_running or not visible:
        return NOTHING
    root = next(
        (one.inspection for one in session.roots() if one.inspection.root.kind == "module"), None
    )
    if root is None:
        return NOTHING
    return editor.Status(
        text=_text(root, symbols), tooltip=summary_line(root, symbols), tone=_tone(root)
    )


def _text(root: RootInspection, symbols: Symbols) -> str:
    counts = tally(root)
    words = []
    if counts.norm is not None:
        words.append(f"{symbols.gradients} {number(counts.norm)}")
    elif not root.complete:
        words.append(f"{symbols.gradients} {symbols.ellipsis}")
    if counts.without:
        missing = symbols.say("{count} missing", count=count(counts.without))
        # Among the words of others in a status bar nobody knew what is missing.
        words.append(missing if words else f"{symbols.gradient} {missing}")
    for word, amount in (("NaN", counts.nan), ("Inf", counts.inf)):
        if amount:
            words.append(word)
    return symbols.dot.join(words) or symbols.say("no gradients")


def _tone(root: RootInspection) -> editor.Tone:
    counts = tally(root)
    return "error" if counts.nan or counts.inf else "normal"
