"""Where the class of a module is defined."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor, types


def location(found: types.ClassSource, symbols: Symbols) -> editor.Source:
    """File and line for an editor, the line from the file's own text where it can be read.

    The probe knows the first line of the first method only: Python before 3.13 keeps no line of a
    class.
    """
    if found.file is None:
        name = symbols.clean(found.qualified_name)
        why = symbols.say("{name} was defined in no file.", name=name)
        return editor.Source(file=None, line=1, message=why)
    line = _class_line(found.file, found.qualified_name) or found.line or 1
    return editor.Source(file=found.file, line=line, message=None)


def _class_line(file: str, qualified_name: str) -> int | None:
    """Line of `class Name` in a file, None where it is not to be found there."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    for name, line in _classes(tree, ""):
        if name == qualified_name:
            return line
    return None


def _classes(node: ast.AST, prefix: str) -> Iterator[tuple[str, int]]:
    """Qualified name and line of each class below a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield prefix + child.name, child.lineno
            yield from _classes(child, f"{prefix}{child.name}.")
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _classes(child, f"{prefix}{child.name}.<locals>.")
        else:
            yield from _classes(child, prefix)
