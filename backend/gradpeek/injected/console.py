"""Puts `grads` and `show_gradients` into the debuggee's builtins, for its debug console.

It runs in a module of its own, whose name is the package of what `grads` needs. That is compiled
at the first call: registering costs a stop next to nothing.
"""

from __future__ import annotations

import base64
import builtins
import gc
import json
import sys
import types
import zlib
from typing import Any

NAMES = ("grads", "show_gradients")
OLDEST = (3, 10)
"""Python that the host's modules need."""

_packed = ""
_console: Any = None


def register(packed: str) -> str:
    """Put the two names into builtins, where nothing else has them.

    Args:
        packed: base64 of the compressed JSON of [loader, probe's package, its sources, sources of
            the package of the console].

    Returns:
        "registered", "present" where they were there before, or "taken: " and the names that
        builtins has already.
    """
    global _packed
    if _console is None:
        _packed = packed
    _hide()
    found = [builtins.__dict__.setdefault(name, grads) for name in NAMES if name not in _ours()]
    taken = [name for name in NAMES if builtins.__dict__[name] is not grads]
    if taken:
        return "taken: " + ", ".join(taken)
    return "registered" if found else "present"


def unregister() -> str:
    """Take out of builtins and `sys.modules` what has been put there; "unregistered"."""
    for name in _ours():
        del builtins.__dict__[name]
    for name in list(sys.modules):
        if name == __name__ or name.startswith(__name__ + "."):
            del sys.modules[name]
    return "unregistered"


class Text:
    """What a console shows as it is: a text that has been made already."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def grads(*objects: Any) -> Text:
    """Weights and gradients of a module, tensor, optimizer or tuple of gradients, as a text tree.

    Without an argument, of all that the stopped frame holds. Reads and changes nothing else.
    """
    collects = gc.isenabled()
    gc.disable()  # finalizers of the program must not run here
    switch: Any = None
    if "torch._dynamo" in sys.modules:
        switch = getattr(_eval_frame(), "set_eval_frame", None)
    callback = switch(None) if switch else None
    try:
        return Text(_load() or _console.answer(objects, sys._getframe(1)))
    except BaseException as raised:
        name = type.__dict__["__name__"].__get__(type(raised))
        return Text("grads could not be loaded: " + name + ": " + str(raised)[:200])
    finally:
        if switch:
            switch(callback)
        if collects:
            gc.enable()


grads._torchdynamo_disable = True  # type: ignore[attr-defined]  # Dynamo must not trace into it


def _load() -> str:
    """Load what `grads` needs, once; "" or one line that says what is missing."""
    global _console, _packed
    if _console is not None:
        return ""
    if sys.version_info < OLDEST:
        return "grads needs Python {}.{} or later in the program, which runs {}.{}".format(
            *OLDEST, *sys.version_info[:2]
        )
    text = zlib.decompress(base64.b64decode(_packed))
    loader, probe, probe_sources, sources = json.loads(text)
    scope: dict[str, Any] = {"__name__": __name__ + ".loader"}
    exec(compile(loader, "<gradpeek-probe>/loader.py", "exec", dont_inherit=True), scope)  # noqa: S102
    if scope["load"](probe, probe_sources) != "loaded":
        return "torch is not loaded in this process: stop after `import torch`"
    scope["install"](__name__, sources)
    _hide()
    _console, _packed = sys.modules[__name__ + ".in_process.console"], ""
    return ""


def _ours() -> list[str]:
    return [name for name in NAMES if builtins.__dict__.get(name) is grads]


def _eval_frame() -> Any:
    return sys.modules["torch"]._C._dynamo.eval_frame


def _hide() -> None:
    """Tell Dynamo, if it is loaded, never to compile the code of this module."""
    if "torch._dynamo" not in sys.modules:
        return
    frames = _eval_frame()
    codes = [one.__code__ for one in globals().values() if type(one) is types.FunctionType]
    for code in codes:
        if hasattr(frames, "skip_code"):
            frames.skip_code(code)
        elif hasattr(frames, "set_code_exec_strategy"):
            skip = frames._FrameAction.SKIP
            frames.set_code_exec_strategy(code, frames._FrameExecStrategy(skip, skip))
