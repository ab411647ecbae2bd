"""Clean labels from true names, and text of the debuggee made harmless."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gradpeek.inspection import Row
from gradpeek.rendering.cells import cell_len, crop

NAME_LIMIT = 120
"""Characters of one name that are shown."""

_WRAPPERS = {
    "OptimizedModule": "_orig_mod",
    "DistributedDataParallel": "module",
    "DataParallel": "module",
    "FullyShardedDataParallel": "module",
}
"""By class of a wrapper the name of the module inside it."""


def printable(text: str, limit: int = NAME_LIMIT, *, ellipsis: str = "…") -> str:
    r"""Text of the debuggee on one line, with nothing in it that acts on a terminal.

    Control characters, escape sequences, line ends, bidi overrides, invisible characters and lone
    surrogates become visible escapes such as `\x1b` and `\u202e`.

    Args:
        text: any string.
        limit: characters at most; a longer text loses its middle.
        ellipsis: stands for what is cut.
    """
    if len(text) > 2 * limit:
        # Escapes only lengthen: what lies further from the ends than `limit` is never shown.
        text = text[:limit] + text[-limit:]
    if not text.isprintable():
        text = "".join(c if c.isprintable() else _escaped(c) for c in text)
    if len(text) <= limit:
        return text
    keep = max(limit - len(ellipsis), 0)
    return text[: keep - keep // 2] + ellipsis + text[len(text) - keep // 2 :]


def _escaped(character: str) -> str:
    code = ord(character)
    if character in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[character]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def cut_end(text: str, width: int, ellipsis: str = "…") -> str:
    """`text` in at most `width` terminal cells, its end replaced by `ellipsis` where too long."""
    if cell_len(text) <= width:
        return text
    if width <= len(ellipsis):
        return ellipsis[: max(width, 0)]
    return crop(text, width - len(ellipsis)).rstrip() + ellipsis


def cut_middle(text: str, width: int, ellipsis: str = "…") -> str:
    """As `cut_end`, but the middle goes: the ends of a name tell more."""
    if cell_len(text) <= width:
        return text
    if width <= len(ellipsis) + 2:
        return cut_end(text, width, ellipsis)
    keep = width - len(ellipsis)
    tail, tail_width = "", 0
    for character in reversed(text):
        tail_width += cell_len(character)
        if tail_width > keep // 2:
            break
        tail = character + tail
    return crop(text, keep - keep // 2).rstrip() + ellipsis + tail


@dataclass(slots=True)
class Node:
    """A line of the tree: a row under its clean label.

    Attributes:
        row: what it shows; of a wrapper the wrapper's row.
        label: name below the node above it, not yet printable.
        types: class of the module, and of what it wraps, outermost first.
        children: nodes below, in model order.
    """

    row: Row
    label: str
    types: list[str]
    children: list[Node] = field(default_factory=list)


def nodes(rows: Sequence[Row]) -> list[Node]:
    """The tree of a root's rows without what torch's wrappers put into names.

    A wrapper (`torch.compile`, DDP, DataParallel, FSDP) and the module inside it are one node; the
    tensors behind a parametrization hang below their module as `weight (original)`. Wrappers and
    parametrizations are told by the classes of the rows, not by names alone.
    """
    top: list[Node] = []
    found: dict[int, Node] = {}
    containers: set[int] = set()
    parametrized: dict[int, str] = {}
    known = {row.index: row for row in rows}
    for row in rows:
        above = known.get(row.parent)
        segment = _segment(row, above)
        if above is None:
            node = Node(row, segment, [row.module_type or ""])
            found[row.index] = node
            top.append(node)
            continue
        holder = found[above.index]
        if row.kind == "module":
            if _is_wrapped(above.module_type, segment):
                found[row.index] = holder
                holder.types.append(row.module_type or "")
                continue
            if _holds_parametrizations(above.module_type, segment):
                found[row.index] = holder
                containers.add(row.index)
                continue
            if above.index in containers:
                found[row.index] = holder
                parametrized[row.index] = segment
                continue
        if above.index in parametrized:
            segment = _parametrized_label(parametrized[above.index], segment)
        node = found[row.index] = Node(row, segment, [row.module_type or ""])
        holder.children.append(node)
    return top


def _segment(row: Row, above: Row | None) -> str:
    if above is not None and above.name and row.name.startswith(above.name + "."):
        return row.name[len(above.name) + 1 :]
    return row.name


def _is_wrapped(module_type: str | None, segment: str) -> bool:
    return segment == _WRAPPERS.get(module_type or "")


def _holds_parametrizations(module_type: str | None, segment: str) -> bool:
    return segment == "parametrizations" and (module_type or "").startswith("Parametrized")


def _parametrized_label(parameter: str, segment: str) -> str:
    head, dot, rest = segment.partition(".")
    part = f"parametrization {head}" if head.isdigit() else head
    return f"{parameter} ({part}){dot}{rest}"


class CleanNames:
    """Clean forms of the fully-qualified names of one root."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._types = {
            name: row.module_type for row in rows if row.kind == "module" for name in row.names
        }

    def clean(self, name: str) -> str:
        """`name` without wrappers' segments, parametrizations as `weight (original)`."""
        return ".".join(self._segments(name))

    def _segments(self, name: str) -> Iterator[str]:
        segments, prefix = name.split("."), ""
        at = 0
        while at < len(segments):
            segment, module_type = segments[at], self._types.get(prefix)
            step = 1
            if _holds_parametrizations(module_type, segment) and len(segments) >= at + 3:
                step = 3
                yield _parametrized_label(segments[at + 1], segments[at + 2])
            elif not _is_wrapped(module_type, segment):
                yield segment
            prefix = ".".join(segments[: at + step])
            at += step
