"""Where a class is defined, as far as it tells without its file being read."""

from __future__ import annotations

import sys
import types
from typing import Any

_QUALNAME = type.__dict__["__qualname__"]
_TYPE_DICT = type.__dict__["__dict__"]


def class_source(cls: type) -> dict[str, Any]:
    """File, qualified name, and the first line that is known: of the class, else of a method."""
    names = _TYPE_DICT.__get__(cls)
    module = sys.modules.get(names.get("__module__", ""))
    file = module.__dict__.get("__file__") if type(module) is types.ModuleType else None
    codes = [
        value.__code__
        for value in list(names.values())
        if type(value) is types.FunctionType and value.__code__.co_name != "<lambda>"
    ]
    if type(file) is not str:  # a cell of a notebook, or a module that hides its file
        file = next((c.co_filename for c in codes if not c.co_filename.startswith("<")), None)
    own = [code.co_firstlineno for code in codes if code.co_filename == file]
    line = names.get("__firstlineno__")  # since Python 3.13
    return {
        "file": file,
        "line": line if type(line) is int else min(own, default=None),
        "qualified_name": _QUALNAME.__get__(cls),
    }
