"""The packages of editors, and what pyproject.toml says should be in them."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gradpeek import __version__

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "backend" / "bundle" / "requirements.txt"


@dataclass(frozen=True)
class Package:
    """A package in dist: the `make` target that writes it, and where the server is in it."""

    target: str
    path: Path
    bundled: str

    def opened(self) -> zipfile.ZipFile:
        if not self.path.exists():
            pytest.skip(f"there is no {self.path.relative_to(ROOT)}: run `make {self.target}`")
        return zipfile.ZipFile(self.path)


VSIX = Package("vsix", ROOT / "dist" / f"gradpeek-{__version__}.vsix", "extension/bundled/")
PYCHARM = Package(
    "pycharm-plugin", ROOT / "dist" / f"gradpeek-pycharm-{__version__}.zip", "gradpeek/backend/"
)


def locked() -> dict[str, str]:
    """Versions by the names of the lock file."""
    lines = re.findall(r"^([\w.-]+)==(\S+)", LOCK.read_text("utf-8"), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in lines}


def needed() -> list[Requirement]:
    """What pyproject.toml asks for, of the command line and of the server."""
    return [Requirement(line) for line in requires("gradpeek") or () if "extra ==" not in line]


def of_the_command_line() -> set[str]:
    """Packages that the server does without."""
    return {need.name for need in needed()} - locked().keys()
