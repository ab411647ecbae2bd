"""Makes packages of sources that arrived as text."""

from __future__ import annotations

import sys
import types
from typing import Any, Sequence

FILES = "<gradpeek-probe>/"
"""Where code of ours seems to lie: no debugger steps into it."""


def load(package: str, sources: Sequence[Sequence[str]]) -> str:
    """Load the probe, once a process; "loaded", or "no torch" where that is missing."""
    modules: dict[str, Any] = sys.modules
    if not hasattr(modules.get("torch"), "nn"):
        return "no torch"
    has_dynamo = "torch._dynamo" in modules
    frames = modules["torch"]._C._dynamo.eval_frame if has_dynamo else None
    switch = getattr(frames, "set_eval_frame", None)
    callback = switch(None) if switch else None
    try:
        if package + ".entry" not in modules:
            codes = install(package, sources)
            modules[package].codes = codes
        if has_dynamo:
            for code in modules[package].codes:
                modules[package].runtime.hide_from_dynamo(code)
            modules[package + ".unseen"] = modules[package].entry
    finally:
        if switch:
            switch(callback)
    return "loaded"


def install(package: str, sources: Sequence[Sequence[str]]) -> list[types.CodeType]:
    """Run (name in the package, text) in order, each as a module; "" is the package itself.

    Nothing is left of them where one raises.
    """
    added: list[str] = []
    codes = []
    try:
        for name, text in sources:
            full = package + "." + name if name else package
            module = types.ModuleType(full)
            module.__package__, module.__path__ = package, []
            sys.modules[full] = module
            added.append(full)
            file = FILES + (name or "__init__").replace(".", "/") + ".py"
            code = compile(text, file, "exec", dont_inherit=True)
            codes.append(code)
            exec(code, module.__dict__)  # noqa: S102
            above, _, own = full.rpartition(".")
            if above:
                setattr(sys.modules[above], own, module)
    except BaseException:
        for full in added:
            sys.modules.pop(full, None)
        raise
    return codes
