"""A program that is looked at under a real debugger prints what it prints alone."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from gradpeek.inspector import Inspector
from gradpeek.probe_client import ProbeClient
from support.debugpy_debugger import DebugpyDebugger

PROGRAM = Path(__file__).parent / "debuggees" / "watched.py"


def test_a_look_under_debugpy_changes_nothing_that_the_program_can_see() -> None:
    alone = subprocess.check_output([sys.executable, PROGRAM], timeout=120)

    async def scenario() -> None:
        async with DebugpyDebugger(PROGRAM, context="clipboard") as program:
            halt = await program.wait_stop()
            assert halt is not None
            inspector = Inspector(ProbeClient(program))
            for expressions in (None, ["given", "loss", "given * 2"]):
                inspection = await inspector.inspect(halt.frame_id, expressions)
                await inspector.measure(halt.frame_id, inspection)
                assert [one.root.error for one in inspection.roots] == [None] * len(
                    inspection.roots
                )
                assert inspection.roots
            await inspector.release(halt.frame_id)
            ending = await program.finish()
        assert (ending.status, ending.output) == (0, alone)

    asyncio.run(scenario())
