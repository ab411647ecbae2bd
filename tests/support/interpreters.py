"""The Pythons of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

Version = tuple[int, int]

_VERSION = "import sys; print(*sys.version_info[:2])"
_NAMES = [f"python3.{minor}" for minor in range(4, 20)]


def _candidates() -> list[Path]:
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = [Path(folder) for folder in os.get_exec_path() if not folder.endswith("/shims")]
    return [
        *sorted(pyenv.glob("versions/3.*/bin/python")),
        *(path for folder in folders for name in _NAMES if (path := folder / name).exists()),
    ]


@cache
def interpreters() -> dict[Version, str]:
    """One Python 3 of each version on PATH or kept by pyenv, oldest first; and the running one."""
    found: dict[Version, str] = {sys.version_info[:2]: sys.executable}
    for path in _candidates():
        command = [str(path), "-I", "-c", _VERSION]
        ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
        if ended.returncode == 0:
            major, minor = map(int, ended.stdout.split())
            found.setdefault((major, minor), str(path))
    return dict(sorted(found.items()))
