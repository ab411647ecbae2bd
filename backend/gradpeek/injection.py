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

_LOADER = """
def load(package, sources):
    import sys, types
    modules = sys.modules
    if not hasattr(modules.get('torch'), 'nn'):
        return 'no torch'
    has_dynamo = 'torch._dynamo' in modules
    frames = modules['torch']._C._dynamo.eval_frame if has_dynamo else None
    switch = getattr(frames, 'set_eval_frame', None)
    callback = switch(None) if switch else None
    added, codes = [], []
    try:
        if package + '.entry' not in modules:
            for name, text in sources:
                full = package + '.' + name if name else package
                module = types.ModuleType(full)
                module.__package__, module.__path__ = package, []
                modules[full] = module
                added.append(full)
                code = compile(text, '<gradpeek-probe>/' + (name or '__init__') + '.py', 'exec')
                codes.append(code)
                exec(code, module.__dict__)
                if name:
                    setattr(modules[package], name, module)
            modules[package].codes = codes
        if has_dynamo:
            for code in modules[package].codes:
                modules[package].runtime.hide_from_dynamo(code)
            modules[package + '.unseen'] = modules[package].entry
    except BaseException:
        for full in added:
            modules.pop(full, None)
        raise
    finally:
        if switch:
            switch(callback)
    return 'loaded'
"""


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


def build(sources: dict[str, str]) -> Injection:
    """The expression that loads `sources` in an order in which their imports resolve.

    Raises:
        graphlib.CycleError: they import each other in a circle.
    """
    graph = {name: sorted(_imports(sources[name]) & sources.keys()) for name in sorted(sources)}
    order = list(TopologicalSorter(graph).static_order())
    payload = json.dumps([["", ""], *([name, sources[name]] for name in order)])
    digest = hashlib.sha256(payload.encode()).hexdigest()[:12]
    package = f"_gradpeek_probe_{digest}"
    packed = base64.b64encode(zlib.compress(payload.encode(), 9)).decode("ascii")
    loader = base64.b64encode(zlib.compress(_LOADER.encode(), 9)).decode("ascii")
    unpack = "i('zlib').decompress(i('base64').b64decode('{}'))"
    expression = (
        "(lambda i, scope: (i('builtins').exec(i('builtins').compile("
        f"{unpack.format(loader)}, '<gradpeek-probe>/load.py', 'exec'), scope), "
        f"scope['load']('{package}', i('json').loads({unpack.format(packed)})))[1])"
        "(__import__, {})"
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
