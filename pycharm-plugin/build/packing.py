"""Packs the plugin that PyCharm installs from disk; the same sources give the same bytes."""

from __future__ import annotations

import re
import sys
import tempfile
import zipfile
from pathlib import Path

from compiling import GSON, PLUGIN, ROOT, SOURCES, compiled, files, run

EPOCH = (1980, 1, 1, 0, 0, 0)
"""Time of all files in archives."""


def version() -> str:
    """The project's one version."""
    text = (ROOT / "backend" / "gradpeek" / "__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None
    return found[1]


def archive(target: Path, entries: dict[str, bytes]) -> None:
    """Write a zip file; the same entries give the same bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in sorted(entries.items()):
            facts = zipfile.ZipInfo(name, EPOCH)
            facts.compress_type = zipfile.ZIP_DEFLATED
            facts.external_attr = 0o644 << 16
            packed.writestr(facts, content)


def contents(folder: Path, below: str = "") -> dict[str, bytes]:
    """What an archive has of a folder."""
    return {
        below + path.relative_to(folder).as_posix(): path.read_bytes() for path in files(folder)
    }


def jar(target: Path) -> None:
    """Write the plugin's jar: its own classes and resources, with the version in plugin.xml."""
    entries = {**contents(compiled()), **contents(SOURCES / "resources")}
    strange = [name for name in entries if name.endswith(".class") and not name.startswith("dev/")]
    assert not strange, f"classes that are the IDE's: {strange}"
    description = "META-INF/plugin.xml"
    stated = entries[description].decode()
    # Gradle writes the version into it, too; the file in the tree has none.
    entries[description] = stated.replace(
        "<id>", f"<version>{version()}</version>\n  <id>", 1
    ).encode()
    archive(target, entries)


def package(target: Path) -> None:
    """Write the plugin that PyCharm installs from disk."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        jar(folder / "gradpeek.jar")
        run(sys.executable, ROOT / "backend" / "bundle" / "bundle_backend.py", folder / "backend")
        entries = {
            "gradpeek/lib/gradpeek.jar": (folder / "gradpeek.jar").read_bytes(),
            "gradpeek/lib/gson.jar": GSON.resolve().read_bytes(),
            "gradpeek/LICENSE": (ROOT / "LICENSE").read_bytes(),
            "gradpeek/NOTICES.txt": (PLUGIN / "NOTICES.txt").read_bytes(),
            **contents(folder / "backend", "gradpeek/backend/"),
        }
        archive(target, entries)
