"""Finds the frame of the stop, its names, and evaluates expressions in it as its own code would."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import types
from typing import Any

from .objects import is_kind, type_name

CALLERS_LIMIT = 64
"""Callers' frames to look into at most."""

_PYCHARM_VALUE = "__py_debug_temp_var_"
_DEBUGGERS_FILE = re.compile(
    r"[\\/](debugpy[\\/](_vendored[\\/]|server[\\/]|public_api\.py|__main__\.py)"
    r"|_?pydevd?_[a-z_]+[\\/]|pydevd[a-z_]*\.py$)|^<frozen runpy>$|[\\/]runpy\.py$"
)
"""The debugger's own, or Python's way of starting a program."""


class Scope:
    """The names of one frame.

    Attributes:
        frame: the frame, or None where the debugger hides it.
        is_module: whether the frame runs a module's own code.
        local_names: what its own code binds or closes over; a module's names are global.
        namespace: one dict of globals and locals, without what the debugger put in.
    """

    __slots__ = ("_locals", "frame", "is_module", "local_names", "namespace")

    def __init__(
        self,
        frame: types.FrameType | None,
        global_names: dict[str, Any],
        local_values: dict[str, Any],
    ) -> None:
        self.frame = frame
        self._locals = {
            name: value
            for name, value in _entries(local_values).items()
            if not _injected(name, value)
        }
        self.is_module = global_names is local_values
        if frame is not None and not self.is_module:
            code = frame.f_code
            if code.co_flags & inspect.CO_OPTIMIZED:
                own = code.co_varnames + code.co_cellvars + code.co_freevars
                self.local_names = [name for name in own if name in self._locals]
            else:  # a class body
                self.local_names = list(self._locals)
        else:
            self.local_names = []
        self.namespace = {**_entries(global_names), **self._locals}

    @property
    def function(self) -> str:
        """Name of the frame's function, `<module>` at module level."""
        return self.frame.f_code.co_name if self.frame is not None else "?"

    def names(self) -> list[tuple[str, str]]:
        """(name, "local" or "global") of what the frame's code sees, its locals first.

        Of a module's globals a function or class shows only those that its code names.
        """
        found = [(name, "local") for name in self.local_names]
        local = set(self.local_names)
        if self.frame is not None and not self.is_module:
            used = _names_used(self.frame.f_code)
        else:
            used = [name for name in self.namespace if not name.startswith("__")]
        return found + [(name, "global") for name in used if name not in local]

    def evaluate(self, expression: str) -> Any:
        """Value of the user's expression, as if it stood in the frame; raises what it raises."""
        tree = ast.parse(expression.strip(), "<gradpeek-expression>", "eval")
        owner = _lexical_class(self)
        if owner:
            tree = ast.fix_missing_locations(_Mangler(owner.lstrip("_")).visit(tree))
        code = compile(tree, "<gradpeek-expression>", "eval")
        return eval(code, dict(self.namespace))


def selected_scope(global_names: dict[str, Any], local_names: dict[str, Any]) -> Scope:
    """The frame that the debugger evaluates in; falls back on the two dicts that it gave."""
    frame, _ = _evaluation()
    if frame is None:
        return Scope(None, global_names, local_names)
    scope = Scope(frame, frame.f_globals, frame.f_locals)
    for name, value in _entries(local_names).items():  # what `gradpeek.grads` was given
        if not _injected(name, value):
            scope.namespace[name] = value
    return scope


def is_debuggers(path: str) -> bool:
    """Whether a file is the debugger's own, or Python's way of starting a program."""
    return _DEBUGGERS_FILE.search(path) is not None


def evaluated_text() -> str | None:
    """The source text that the debugger evaluates now, as the user has typed it."""
    return _evaluation()[1]


def caller_scopes(scope: Scope, *, asked: bool) -> list[Scope]:
    """Scopes of the callers, nearest first; those of the debugger itself are left out.

    Before Python 3.13 reading the names of a function writes the dict that its `locals()` returned:
    one that calls `locals` is left out as well, unless the user has asked for callers.
    """
    found: list[Scope] = []
    frame = scope.frame.f_back if scope.frame is not None else None
    may_empty = True
    while frame is not None and len(found) < CALLERS_LIMIT:
        code = frame.f_code
        if is_debuggers(code.co_filename):
            may_empty = False  # beyond may be a frame whose dict is written back after the stop
        elif asked or not _COPIES_LOCALS or "locals" not in code.co_names:
            found.append(_snapshot(frame, may_empty=may_empty))
        frame = frame.f_back
    return found


_COPIES_LOCALS = sys.version_info < (3, 13)
"""`f_locals` of a function is a dict that lives as long as the frame and holds its values."""
_OWN_REFERENCES = 3
"""To that dict: the frame's, ours, and the argument of `getrefcount`."""


def _snapshot(frame: types.FrameType, *, may_empty: bool) -> Scope:
    """Names of a caller; the copy that Python keeps of its locals is emptied again.

    It would keep alive what the program deletes. Not emptied where the program holds it: it is what
    its `locals()` returned. Never done to the frame of the stop itself: its dict is written back
    when tracing goes on.
    """
    values = frame.f_locals
    scope = Scope(frame, frame.f_globals, values)
    is_copy = _COPIES_LOCALS and frame.f_code.co_flags & inspect.CO_OPTIMIZED
    if is_copy and may_empty and sys.getrefcount(values) <= _OWN_REFERENCES:
        values.clear()
    return scope


def _entries(names: Any) -> dict[str, Any]:
    """Copy of a namespace; a mapping of the program's own (from `__prepare__`) is not asked."""
    if is_kind(names, dict):
        pairs = list(dict.items(names))
    elif type_name(names) == "FrameLocalsProxy":
        pairs = list(names.items())
    else:
        pairs = []
    return {name: value for name, value in pairs if type(name) is str}


_SHELLS_FILE = re.compile(r"[\\/]IPython[\\/]core[\\/]")
"""PyCharm's debug console is IPython's where that is installed."""
_EVALUATE = ("evaluate_expression", "console_exec")
"""Functions of pydevd and of PyCharm's debug console, with variables `frame` and `expression`."""


def _evaluation() -> tuple[types.FrameType | None, str | None]:
    """The frame in pydevd's hands and the text that it evaluates there.

    Nothing of the program may stand in between: what an expression of the user calls is no longer
    in that frame.
    """
    here: types.FrameType | None = sys._getframe(1)
    while here is not None:
        code = here.f_code
        is_tool = is_debuggers(code.co_filename)
        if is_tool and code.co_name in _EVALUATE and "frame" in code.co_varnames:
            names = here.f_locals
            frame, text = names.get("frame"), names.get("expression")
            return (
                frame if type(frame) is types.FrameType else None,
                text if type(text) is str else None,
            )
        is_tool = is_tool or _SHELLS_FILE.search(code.co_filename) is not None
        if not is_tool and not _is_ours(here) and not code.co_filename.startswith("<"):
            break
        here = here.f_back
    return None, None


def _is_ours(frame: types.FrameType) -> bool:
    name = dict.get(frame.f_globals, "__name__")
    return type(name) is str and (
        name == "gradpeek" or name.startswith(("gradpeek.", "_gradpeek_"))
    )


def _injected(name: str, value: Any) -> bool:
    """Whether the debugger put this name there.

    PyCharm does so with each value that it has evaluated, debugpy with a stand-in for `globals`.
    """
    return name.startswith(_PYCHARM_VALUE) or (
        name == "globals"
        and type(value) is types.FunctionType
        and value.__code__.co_filename.endswith("pydevd_vars.py")
    )


def _names_used(code: types.CodeType) -> list[str]:
    """Global names in the code and in the functions nested in it, each once."""
    found = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if type(constant) is types.CodeType:
            found.update(dict.fromkeys(_names_used(constant)))
    return list(found)


def _lexical_class(scope: Scope) -> str | None:
    """Name of the class whose body holds the frame's code, for the mangling of private names."""
    if scope.frame is None:
        return None
    code = scope.frame.f_code
    if not scope.is_module and not code.co_flags & inspect.CO_OPTIMIZED:
        return code.co_name  # a class body
    qualified = getattr(code, "co_qualname", None)
    if qualified is None:
        return _owner_by_code(scope, code)
    parts = qualified.split(".")
    for at in range(len(parts) - 2, -1, -1):
        if parts[at] != "<locals>" and parts[at + 1] != "<locals>":
            owner: str = parts[at]
            return owner
    return None


def _owner_by_code(scope: Scope, code: types.CodeType) -> str | None:
    """Before Python 3.11 a code object does not tell: look for it in the class of `self`."""
    if not code.co_argcount:
        return None
    first = scope.namespace.get(code.co_varnames[0])
    cls = first if type(first) is type else type(first)
    for base in type.__dict__["__mro__"].__get__(cls):
        for member in type.__dict__["__dict__"].__get__(base).values():
            method = member.__func__ if type(member) in (staticmethod, classmethod) else member
            if type(method) is types.FunctionType and method.__code__ is code:
                return type.__dict__["__name__"].__get__(base)  # type: ignore[no-any-return]
    return None


class _Mangler(ast.NodeTransformer):
    """Renames `__private` to `_Class__private`, as the compiler does inside a class."""

    def __init__(self, owner: str) -> None:
        self._owner = owner

    def _mangled(self, name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and self._owner
        return "_" + self._owner + name if private else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._mangled(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.attr = self._mangled(node.attr)
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._mangled(node.arg)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        node.arg = self._mangled(node.arg) if node.arg else None
        self.generic_visit(node)
        return node
