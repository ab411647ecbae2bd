"""Turns what a debug console's `grads` needs into one expression that registers it; pure.

What it needs are the modules of GradPeek that `gradpeek.in_process.console` reaches by its imports.
They are sent as text, as the probe is, and become a package under a name that holds a digest of
them. Where they import `gradpeek.probe`, they get the injected probe: a process has but one.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from importlib.resources import files
from typing import TYPE_CHECKING

from gradpeek.injection import build as build_probe
from gradpeek.injection import digest, in_order, loader_text, pack, probe_sources, run_text

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from importlib.resources.abc import Traversable
    else:
        from importlib.abc import Traversable

ROOT = "in_process.console"
_OURS = "gradpeek"
_PROBE = "gradpeek.probe"


@dataclass(frozen=True)
class ConsoleInjection:
    """`grads` for a debug console, ready to be sent; both expressions may be evaluated repeatedly.

    Attributes:
        package: its name in `sys.modules` of the debuggee.
        register: puts `grads` and `show_gradients` into builtins. Its value is "registered",
            "present" where that was done before, or "taken: " and the names that are something
            else's. torch need not be loaded. Nothing but this is done until `grads` is called.
        unregister: takes them out again; "unregistered", or "absent".
    """

    package: str
    register: str
    unregister: str


@cache
def console() -> ConsoleInjection:
    """`grads` of this version of GradPeek."""
    return build(needed(), probe_sources())


def needed(root: str = ROOT) -> dict[str, str]:
    """Texts by name below `gradpeek` of the modules that `root` needs to run, without the probe.

    Each comes after those that it imports, and after the packages that it lies in.
    """
    texts: dict[str, str] = {}
    graph: dict[str, list[str]] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        if name in texts:
            continue
        texts[name] = _read(name)
        below = [one for _, module in _imports(texts[name]) for one in _modules(module)]
        above = name.rpartition(".")[0]
        graph[name] = [*([above] if above else []), *(one for one in below if one != name)]
        waiting += graph[name]
    return {name: texts[name] for name in TopologicalSorter(graph).static_order()}


def build(sources: dict[str, str], probe: dict[str, str]) -> ConsoleInjection:
    """The expressions for modules in their order, and for the files of the probe.

    Raises:
        ValueError: a module imports one of ours in a way that cannot be rewritten.
    """
    stub = (files(_OURS) / "injected" / "console.py").read_text("utf-8")
    loader, probe_package = loader_text(), build_probe(probe).package
    package = f"_gradpeek_console_{digest(json.dumps([stub, loader, probe_package, sources]))}"
    names = {_PROBE: probe_package, _OURS: package}
    renamed = [[name, _renamed(text, names)] for name, text in sources.items()]
    payload = json.dumps([loader, probe_package, in_order(probe), renamed])
    modules = "i('sys').modules"
    scope = f"{modules}.setdefault('{package}', i('types').ModuleType('{package}')).__dict__"
    register = run_text(stub, "register", f"scope['register']('{pack(payload)}')", scope)
    unregister = (
        f"(lambda m: m['{package}'].unregister() if '{package}' in m else 'absent')"
        "(__import__('sys').modules)"
    )
    return ConsoleInjection(package, register, unregister)


def _read(name: str) -> str:
    file = _file(name.split("."))
    assert file is not None, f"no module {name}"
    return file.read_text("utf-8")


def _file(parts: list[str]) -> Traversable | None:
    """File of a module or package below `gradpeek`, or None."""
    *above, own = parts
    folder = files(_OURS)
    for part in above:
        folder /= part
    found = (folder / f"{own}.py", folder / own / "__init__.py")
    return next((file for file in found if file.is_file()), None)


def _imports(text: str) -> Iterator[tuple[ast.ImportFrom, str]]:
    """Statements that import modules of ours when the text runs, and what they import.

    What only a type checker reads is not run.
    """
    for node in _run_statements(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _lies_in(alias.name, _OURS):
                    raise ValueError(f"line {node.lineno}: import names of {alias.name} by `from`")
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ValueError(f"line {node.lineno}: import by the whole name")
            if node.module and _lies_in(node.module, _OURS):
                for alias in node.names:
                    yield node, f"{node.module}.{alias.name}"


def _run_statements(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from _run_statements(node)


def _modules(name: str) -> Iterator[str]:
    """The module that `from … import …` of a whole name reaches, by its name below `gradpeek`."""
    if _lies_in(name, _PROBE):
        return
    below = name.split(".")[1:]
    for parts in (below, below[:-1]):
        if parts and _file(parts) is not None:
            yield ".".join(parts)
            return


def _renamed(text: str, names: dict[str, str]) -> str:
    """The text with imports from the packages of their new names; lines stay where they are."""
    lines = text.splitlines(keepends=True)
    for node in {id(one): one for one, _ in _imports(text)}.values():
        assert node.module is not None
        old = next(name for name in names if _lies_in(node.module, name))
        line = lines[node.lineno - 1]
        start = node.col_offset + len("from ")
        if not line.startswith(old, start):
            raise ValueError(f"line {node.lineno}: not `from {old}…`")
        lines[node.lineno - 1] = line[:start] + names[old] + line[start + len(old) :]
    return "".join(lines)


def _lies_in(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")
