"""The real debuggers by name, and how a test runs under them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from support.attached_debugger import AttachedDebugger
from support.debugging import Debugger, Halt
from support.debugpy_debugger import DebugpyDebugger
from support.pycharm_debugger import PyCharmDebugger

DEBUGGEES = Path(__file__).parents[1] / "integration" / "debuggees"

LAUNCHED: dict[str, Callable[[Path], Debugger]] = {
    "pycharm": PyCharmDebugger,
    "debugpy-clipboard": lambda script: DebugpyDebugger(script, context="clipboard"),
    "debugpy-repl": lambda script: DebugpyDebugger(script, context="repl"),
}
"""As editors start them, and evaluate in them."""
MAKERS: dict[str, Callable[[Path], Debugger]] = {
    **LAUNCHED,
    "debugpy-port": lambda script: AttachedDebugger(script, way="port"),
    "debugpy-pid": lambda script: AttachedDebugger(script, way="pid"),
}


def run(scenario: Coroutine[Any, Any, None]) -> None:
    """Run a test's coroutine; fail it where it hangs."""
    asyncio.run(asyncio.wait_for(scenario, 150))


async def stop_of(program: Debugger) -> Halt:
    """The next stop of a program that has not ended."""
    halt = await program.wait_stop()
    assert halt is not None
    return halt
