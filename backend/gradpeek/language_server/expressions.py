"""Expressions of the program: the one under a cursor, those of rows, and which run code."""

from __future__ import annotations

import ast
import io
import keyword
import tokenize
from contextlib import suppress

_LISTS = frozenset({"Sequential", "ModuleList", "ParameterList"})
_DICTS = frozenset({"ModuleDict", "ParameterDict"})
_HOLDERS = {"module": "_modules", "parameter": "_parameters", "buffer": "_buffers"}


def refreshes(expression: str) -> bool:
    """Whether an expression can be evaluated at each stop: names, attributes, constant subscripts.

    Anything with a call only when the user asks, as it runs code of the program.
    """
    try:
        node: ast.expr = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return True  # an error now, and the same error at the next stop
    while isinstance(node, ast.Attribute) or (
        isinstance(node, ast.Subscript) and _is_constant(node.slice)
    ):
        node = node.value
    return isinstance(node, ast.Name)


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant)


def member(holder: str, holder_type: str | None, kind: str, name: str) -> str:
    """Expression of what a module holds under `name`.

    Args:
        holder: expression of the module.
        holder_type: name of its class.
        kind: module, parameter, buffer or tensor.
        name: one segment of a fully-qualified name.
    """
    if name.isidentifier() and not keyword.iskeyword(name):
        return f"{holder}.{name}"
    if holder_type in _LISTS and name.isdecimal():
        return f"{holder}[{int(name)}]"
    if holder_type in _DICTS:
        return f"{holder}[{name!r}]"
    return f"{holder}.{_HOLDERS.get(kind, '__dict__')}[{name!r}]"


def under_cursor(line: str, character: int) -> str:
    """The name, attribute chain or constant subscript of `line` that a cursor is in, or "".

    The chain ends with the word at the cursor: in `self.model.layers[0]` at `model` it is
    `self.model`, at the bracket all of it.

    Args:
        line: one line of Python, which need not be complete.
        character: place of the cursor, in UTF-16 code units.
    """
    at = len(
        line.encode("utf-16-le", "surrogatepass")[: 2 * character].decode("utf-16-le", "replace")
    )
    tokens = _tokens(line)
    for start in range(len(tokens)):
        end = _chain_end(tokens, start)
        if end <= start or (start and tokens[start - 1].string == "."):
            continue
        last = _cut_at(tokens, start, end, at)
        if last is not None:
            return line[tokens[start].start[1] : tokens[last].end[1]]
    return ""


def _tokens(line: str) -> list[tokenize.TokenInfo]:
    """Tokens up to where the line can no longer be read."""
    found: list[tokenize.TokenInfo] = []
    with suppress(tokenize.TokenError, SyntaxError):
        found.extend(tokenize.generate_tokens(io.StringIO(line.strip("\n")).readline))
    layout = (tokenize.INDENT, tokenize.DEDENT)
    return [token for token in found if token.start[0] == 1 and token.type not in layout]


def _is_name(token: tokenize.TokenInfo) -> bool:
    return token.type == tokenize.NAME and not keyword.iskeyword(token.string)


def _chain_end(tokens: list[tokenize.TokenInfo], start: int) -> int:
    """Index behind the chain that begins at `start`; `start` where none does."""
    if not _is_name(tokens[start]):
        return start
    at = start + 1
    while True:
        step = _link(tokens, at)
        if not step:
            return at
        at += step


def _link(tokens: list[tokenize.TokenInfo], at: int) -> int:
    """How many tokens from `at` on go on with a chain: `.name`, `[0]`, `[-1]` or `['key']`."""
    texts = [token.string for token in tokens[at : at + 4]]
    kinds = [token.type for token in tokens[at : at + 4]]
    constants = (tokenize.NUMBER, tokenize.STRING)
    if texts[:1] == ["."] and len(texts) > 1 and _is_name(tokens[at + 1]):
        return 2
    if texts[:1] == ["["] and texts[2:3] == ["]"] and kinds[1] in constants:
        return 3
    if texts[:2] == ["[", "-"] and texts[3:4] == ["]"] and kinds[2] == tokenize.NUMBER:
        return 4
    return 0


def _cut_at(tokens: list[tokenize.TokenInfo], start: int, end: int, at: int) -> int | None:
    """Index of the last token of the part of a chain that the cursor is in."""
    if not tokens[start].start[1] <= at <= tokens[end - 1].end[1]:
        return None
    index = start
    while index < end:
        step = 1 if index == start else _link(tokens, index)
        last = index + step - 1
        if at <= tokens[last].end[1]:
            return last
        index += step
    return end - 1
