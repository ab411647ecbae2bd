"""How a process of ours ended, and how to end one that does not by itself."""

from __future__ import annotations

import asyncio
import contextlib
import signal
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


def how_it_ended(status: int) -> str:
    """Say an exit status in words; a negative one is a signal's."""
    if status >= 0:
        return f"ended with status {status}"
    with contextlib.suppress(ValueError):
        return f"was ended by {signal.Signals(-status).name}"
    return f"was ended by signal {-status}"
