"""Ends a process of ours that does not end by itself."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio.subprocess import Process


async def end_process(process: Process, grace_s: float) -> None:
    """Wait `grace_s` for the end, then terminate the process, then kill it."""
    for end in (None, process.terminate, process.kill):
        if end is not None:
            with contextlib.suppress(ProcessLookupError):
                end()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(process.wait(), grace_s)
            return
