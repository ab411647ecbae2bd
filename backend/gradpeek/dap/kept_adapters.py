"""Remembers, for each process that we attached to by its id, the adapter that it kept.

A process takes a debugger in once: debugpy's second injection leaves it with threads and child
processes that look for the first adapter. So the first adapter stays, as long as the process does,
and a later attach goes to it.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path


def keep_address(process_id: int, host: str, port: int) -> None:
    """Remember that the adapter of `process_id` listens at `host`:`port`."""
    with contextlib.suppress(OSError):  # then a later attach injects once more
        if _is_ours(folder := _folder()):
            (folder / f"{process_id}.json").write_text(json.dumps([host, port]))


def kept_address(process_id: int) -> tuple[str, int] | None:
    """Return where the adapter of `process_id` should listen, or None."""
    with contextlib.suppress(OSError, ValueError):
        if _is_ours(folder := _folder()):
            host, port = json.loads((folder / f"{process_id}.json").read_text())
            return str(host), int(port)
    return None


def forget_address(process_id: int) -> None:
    """Forget an adapter that is gone."""
    with contextlib.suppress(OSError):
        (_folder() / f"{process_id}.json").unlink()


def _folder() -> Path:
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir(), f"gradpeek-adapters-{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _is_ours(folder: Path) -> bool:
    """Return whether nobody else can write there, and so send us to an adapter of theirs."""
    status = folder.lstat()
    return not hasattr(os, "getuid") or (
        status.st_uid == os.getuid() and status.st_mode & 0o077 == 0 and not folder.is_symlink()
    )
