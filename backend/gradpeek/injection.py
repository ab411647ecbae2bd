"""Turns the probe's files into one expression that loads them; pure.

The probe reaches the debuggee as text, so that nothing has to be installed there. It becomes a
package in `sys.modules` under a name that holds a digest of its text: two versions never mix.
Its code objects are named `<gradpeek-probe>/…`, so that no debugger steps into them.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import zlib
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from importlib.resources import files


@dataclass(frozen=True)
class Injection:
    """The probe, ready to be sent.

    Attributes:
        package: its name in `sys.modules` of the debuggee.
        expression: loads it; its value is "loaded" or, where torch is not loaded, "no torch".
    """

    package: str
    expression: str

    def call(self, request: str) -> str:
        """Expression that hands a request to the probe; "absent" says that it has to be loaded.

        It does not raise then: debuggers keep an exception, and with its traceback the frame of the
        stop and all that the frame holds.

        In a process that uses Dynamo the probe has to be hidden from it first, which loading does.
        """
        modules, builtins = "__import__('sys').modules", "__import__('builtins')"
        return (
            f"{builtins}.getattr({modules}.get('{self.package}.unseen' "
            f"if 'torch._dynamo' in {modules} else '{self.package}.entry'), "
            f"'handle', 'absent'.format)"
            f"('{request}', {builtins}.globals(), {builtins}.locals())"
        )

    def part(self, number: int, start: int, end: int) -> str:
        """Expression for characters `start` … `end` of the held reply to question `number`."""
        return f"__import__('sys').modules['{self.package}.entry'].part({number}, {start}, {end})"


def probe_sources() -> dict[str, str]:
    """Text of the probe's files by module name."""
    folder = files("gradpeek") / "probe"
    return {
        entry.name.removesuffix(".py"): entry.read_text("utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".py") and entry.name != "__init__.py"
    }


def loader_text() -> str:
    """Text of what makes packages of texts."""
    return (files("gradpeek") / "injected" / "loader.py").read_text("utf-8")


def pack(text: str) -> str:
    """Base64 of the compressed text."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def unpacked(text: str) -> str:
    """Expression for the bytes of a text; `i` is what imports there."""
    return f"i('zlib').decompress(i('base64').b64decode('{pack(text)}'))"


def run_text(text: str, name: str, value: str, scope: str = "{}") -> str:
    """Expression that runs a text, where that has not been done, as the code of a file of ours.

    Args:
        text: Python, that of the debuggee; defines `name`.
        name: function that `value` calls.
        value: expression for the value of the whole, of `i`, which imports, and `scope`.
        scope: expression for the dict to run in, of `i`.
    """
    return (
        f"(lambda i: (lambda scope: ('{name}' in scope or i('builtins').exec(i('builtins').compile("
        f"{unpacked(text)}, '<gradpeek-probe>/{name}.py', 'exec'), scope), {value})[1])({scope}))"
        "(__import__)"
    )


def in_order(sources: dict[str, str]) -> list[list[str]]:
    """Names and texts of the probe's files, in an order in which their imports resolve.

    Raises:
        graphlib.CycleError: they import each other in a circle.
    """
    graph = {name: sorted(_imports(sources[name]) & sources.keys()) for name in sorted(sources)}
    order = TopologicalSorter(graph).static_order()
    return [["", ""], *([name, sources[name]] for name in order)]


def digest(text: str) -> str:
    """Tells one text from another, in names of packages."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def build(sources: dict[str, str]) -> Injection:
    """The expression that loads `sources`; raises as `in_order`."""
    payload = json.dumps(in_order(sources))
    package = f"_gradpeek_probe_{digest(payload)}"
    expression = run_text(
        loader_text(),
        "load",
        f"scope['load']('{package}', i('json').loads({unpacked(payload)}))",
    )
    return Injection(package, expression)


@cache
def probe() -> Injection:
    """The probe of this version of GradPeek."""
    return build(probe_sources())


def _imports(text: str) -> set[str]:
    """Names of sibling modules that a probe file imports at its top."""
    found: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module} if node.module else {alias.name for alias in node.names}
    return found
