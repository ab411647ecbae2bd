"""Chooses the Python that runs the debuggee, and the debugpy that goes into it."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import debugpy

from gradpeek.errors import DebuggerError

if TYPE_CHECKING:
    from collections.abc import Mapping

OWN_DEBUGPY = str(Path(debugpy.__file__).parent)
_OWN_DEBUGPY_NEEDS = (3, 10)
_ASK_TIMEOUT_S = 30.0
_MARK = "GradPeek:"
_QUESTION = f"""
import json, sys
from importlib.util import find_spec
debugpy = find_spec("debugpy")
print({_MARK!r} + json.dumps({{
    "version": list(sys.version_info[:2]),
    "has_torch": find_spec("torch") is not None,
    "debugpy": debugpy.submodule_search_locations[0] if debugpy and debugpy.origin else None,
}}))
"""


@dataclasses.dataclass(frozen=True)
class Interpreter:
    """A Python that can run a debuggee.

    Attributes:
        path: its executable.
        reason: why it was chosen, for people to read.
        version: major and minor version.
        has_torch: whether torch is installed for it.
        own_debugpy: folder of the debugpy installed for it, or None.
    """

    path: str
    reason: str
    version: tuple[int, int]
    has_torch: bool
    own_debugpy: str | None

    @property
    def debugpy(self) -> str:
        """Folder of the debugpy to run in it.

        Ours, if it was compiled for this version; else its own, whose speedups fit; else ours,
        which then runs as plain Python.

        Raises:
            DebuggerError: ours does not support this version, and it has none of its own.
        """
        if self.version == sys.version_info[:2]:
            return OWN_DEBUGPY
        if self.own_debugpy is not None:
            return self.own_debugpy
        if self.version >= _OWN_DEBUGPY_NEEDS:
            return OWN_DEBUGPY
        raise DebuggerError(
            f"{self.path} is Python {self.version[0]}.{self.version[1]} and has no debugpy. "
            f"Install it: {self.path} -m pip install debugpy"
        )


def choose_interpreter(
    python: str | None = None, environ: Mapping[str, str] = os.environ
) -> Interpreter:
    """Return the interpreter for the debuggee: the first of these that there is.

    `python`; the one of $VIRTUAL_ENV; `python` or `python3` on PATH if it can import torch; our
    own. Starts each candidate once, to ask it.

    Args:
        python: what the user asked for, a path or a name on PATH.
        environ: environment variables.

    Raises:
        DebuggerError: `python`, or the one of $VIRTUAL_ENV, is missing or does not run.
    """
    search_path = environ.get("PATH", os.defpath)
    if python is not None:
        return inspect_interpreter(shutil.which(python, path=search_path) or python, "--python")
    if virtual_env := environ.get("VIRTUAL_ENV"):
        folder = "Scripts" if os.name == "nt" else "bin"
        path = Path(virtual_env, folder, "python.exe" if os.name == "nt" else "python")
        return inspect_interpreter(str(path), "$VIRTUAL_ENV")
    for name in ("python", "python3"):
        if (found := shutil.which(name, path=search_path)) is None:
            continue
        try:
            interpreter = inspect_interpreter(found, f"{name!r} on PATH, which has torch")
        except DebuggerError:
            continue  # e.g. Python 2: not one that we can use, so not the one that is meant
        if interpreter.has_torch:
            return interpreter
    reason = "GradPeek's own, as no other Python with torch was found"
    return inspect_interpreter(sys.executable, reason)


def inspect_interpreter(path: str, reason: str) -> Interpreter:
    """Return what the Python at `path` says of itself.

    Raises:
        DebuggerError: it does not run.
    """
    try:
        answer = subprocess.run(  # noqa: S603  # the user names the interpreter to run
            [path, "-c", _QUESTION],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="backslashreplace",
            timeout=_ASK_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DebuggerError(
            f"Cannot run {path} (from {reason}): {_short(error)}. {_advice(reason)}"
        ) from error
    marked = [line for line in answer.stdout.splitlines() if line.startswith(_MARK)]
    if answer.returncode != 0 or not marked:
        last = (answer.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise DebuggerError(
            f"{path} (from {reason}) is no Python 3 that works: {last}. {_advice(reason)}"
        )
    facts = json.loads(marked[-1].removeprefix(_MARK))
    return Interpreter(path, reason, tuple(facts["version"]), facts["has_torch"], facts["debugpy"])


def _short(error: OSError | subprocess.TimeoutExpired) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _advice(reason: str) -> str:
    return "Check --python." if reason == "--python" else "Name another with --python."
