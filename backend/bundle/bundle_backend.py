"""Fills a folder with the language server and what it imports: bundle_backend.py FOLDER.

Editors start it as `PYTHON -I FOLDER --stdio` with any Python of 3.10 or later: it is pure Python
and nothing has to be installed beside it. What only the command line imports is not in it.
Standard library and pip only; the same sources give the same bytes.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOCK = HERE / "requirements.txt"
PACKAGE = HERE.parent / "gradpeek"
OLDEST = "3.10"
"""The oldest Python that starts the server; `lock_backend.py` resolves for it."""
KEPT_METADATA = {"METADATA", "licenses"}
"""Of a `*.dist-info`: the rest tells of this installation, not of the package."""


def install(folder: Path) -> None:
    """Install what the lock file names into `folder`, from wheels that run everywhere.

    Raises:
        subprocess.CalledProcessError: pip found no such wheel, or one with another hash.
    """
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # No resolving here: pip would take the markers of the Python that runs it.
    locked = ["--no-deps", "--require-hashes", "--requirement", str(LOCK)]
    pure = ["--only-binary=:all:", "--implementation=py", "--abi=none", "--platform=any"]
    target = ["--no-compile", f"--python-version={OLDEST}", f"--target={folder}"]
    subprocess.run([*pip, *locked, *pure, *target], check=True)  # noqa: S603
    shutil.rmtree(folder / "bin", ignore_errors=True)
    for metadata in folder.glob("*.dist-info"):
        for entry in metadata.iterdir():
            if entry.name not in KEPT_METADATA:
                entry.unlink()


def bundle(folder: Path) -> None:
    """Replace `folder` by a fresh bundle, or leave it as it is where that fails."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".bundled-") as temporary:
        fresh = Path(temporary) / folder.name
        install(fresh)
        ignored = shutil.ignore_patterns(".*", "__pycache__")
        shutil.copytree(PACKAGE, fresh / PACKAGE.name, ignore=ignored)
        shutil.copyfile(HERE / "bundled_main.py", fresh / "__main__.py")
        if folder.exists():
            folder.rename(Path(temporary) / "old")
        fresh.rename(folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    bundle(parser.parse_args().folder.resolve())
