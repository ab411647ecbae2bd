"""Which Python runs the debuggee, and with whose debugpy."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest

from gradpeek.dap.interpreter import OWN_DEBUGPY, choose_interpreter, inspect_interpreter
from gradpeek.errors import DebuggerError


def fake_python(folder: Path, name: str, facts: str, status: int = 0) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\necho site noise\necho '{facts}'\nexit {status}\n")
    path.chmod(0o755)
    return path


def facts(version: str = "[3, 8]", has_torch: str = "true", debugpy: str = "null") -> str:
    return f'GradPeek:{{"version": {version}, "has_torch": {has_torch}, "debugpy": {debugpy}}}'


def test_what_the_user_names_comes_first(tmp_path: Path) -> None:
    venv = fake_python(tmp_path / "venv" / "bin", "python", facts())
    environ = {"VIRTUAL_ENV": str(venv.parent.parent), "PATH": str(tmp_path)}
    chosen = choose_interpreter(sys.executable, environ)
    assert (chosen.path, chosen.reason) == (sys.executable, "--python")
    assert (chosen.version, chosen.debugpy) == (sys.version_info[:2], OWN_DEBUGPY)
    chosen = choose_interpreter(None, environ)
    assert (chosen.path, chosen.reason) == (str(venv), "$VIRTUAL_ENV")


def test_on_path_only_a_python_with_torch_is_taken(tmp_path: Path) -> None:
    fake_python(tmp_path, "python", facts(has_torch="false"))
    python3 = fake_python(tmp_path, "python3", facts())
    chosen = choose_interpreter(None, {"PATH": str(tmp_path)})
    assert chosen.path == str(python3)
    fake_python(tmp_path, "python3", "Python 2.7", status=1)
    chosen = choose_interpreter(None, {"PATH": str(tmp_path)})
    assert chosen.path == sys.executable
    assert "own" in chosen.reason


def test_an_interpreter_that_does_not_run_is_named(tmp_path: Path) -> None:
    broken = fake_python(tmp_path, "python", "nothing", status=3)
    for path in (str(broken), str(tmp_path / "missing")):
        with pytest.raises(DebuggerError, match=r"--python"):
            choose_interpreter(path)


def test_an_old_python_needs_a_debugpy_of_its_own(tmp_path: Path) -> None:
    old = inspect_interpreter(str(fake_python(tmp_path, "python", facts())), "test")
    with pytest.raises(DebuggerError, match=r"python -m pip install debugpy"):
        _ = old.debugpy
    assert dataclasses.replace(old, own_debugpy="/its/own").debugpy == "/its/own"
    assert dataclasses.replace(old, version=(3, 99)).debugpy == OWN_DEBUGPY
