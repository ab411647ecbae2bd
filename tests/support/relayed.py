"""What an editor relays evaluates to: a training script, and debuggers that refuse or are slow."""

from __future__ import annotations

import asyncio
from pathlib import Path

from support.debugging import Debugger
from support.debugpy_debugger import DebugpyDebugger

TRAINER = '''
import torch
from torch import nn


class Block(nn.Module):
    """Line 6 is where its class is."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return self.lin(x)


def calls():
    calls.count += 1
    return model.lin


calls.count = 0
model = Block()
frozen = nn.Linear(2, 2).requires_grad_(False)
for step in range(4):
    loss = model(torch.ones(2, 4)).square().mean()
    loss.backward()
    pass  # @bp stop
    model.zero_grad()
'''


def debugged(script: Path) -> DebugpyDebugger:
    """A script under the debugger of VS Code."""
    return DebugpyDebugger(script, context="clipboard")


class Refusing:
    """A debugger that evaluates nothing, as that of another language."""

    async def evaluate(self, expression: str, frame_id: int) -> str:
        raise ValueError("ReferenceError: __import__ is not defined")


class Losing:
    """Evaluates, but the answer is lost on its way while `loses` is set."""

    def __init__(self, program: Debugger) -> None:
        self.program = program
        self.loses = False

    async def evaluate(self, expression: str, frame_id: int) -> str:
        text = await self.program.evaluate(expression, frame_id)
        if self.loses:
            raise ConnectionError("the answer is lost")
        return text


class Slow:
    """Evaluates when it is told to, as a debugger that is busy."""

    def __init__(self, program: Debugger) -> None:
        self.program = program
        self.gate = asyncio.Event()
        self.waiting = asyncio.Event()

    async def evaluate(self, expression: str, frame_id: int) -> str:
        self.waiting.set()
        await self.gate.wait()
        return await self.program.evaluate(expression, frame_id)


class Gated(Slow):
    """Lets so many evaluates through, and the others wait."""

    def __init__(self, program: Debugger, passes: int) -> None:
        super().__init__(program)
        self.passes = passes

    async def evaluate(self, expression: str, frame_id: int) -> str:
        self.passes -= 1
        if self.passes >= 0:
            return await self.program.evaluate(expression, frame_id)
        return await super().evaluate(expression, frame_id)
