"""One debug session of an editor: its stops, and what was found at them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from gradpeek.errors import GradPeekError, ProbeError
from gradpeek.inspection import Inspection, RootInspection
from gradpeek.inspector import Inspector
from gradpeek.language_server.expressions import refreshes
from gradpeek.language_server.relay import Ask, RelayEvaluator
from gradpeek.language_server.shown import ShownProcess, ShownRoot
from gradpeek.probe_client import ProbeClient
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor, types

log = logging.getLogger(__name__)

BUDGET_S = 0.1
"""Time that one evaluate of statistics may take; a step that is asked for waits that long."""
REPORT_EVERY_S = 0.3
"""Between two reports of rows that have got numbers."""

_PYTHON = frozenset({"debugpy", "python", "Python Kernel Debug Adapter"})
"""Types of sessions that are known to evaluate Python."""
_IS_PYTHON = "__import__('sys').version_info[0] >= 3"

Report = Callable[[int, int], None]
"""Called with elements done and in all when rows have got numbers."""


@dataclass(slots=True)
class Pin:
    """An expression that the user has asked for; `wanted` until the debuggee is asked for it."""

    expression: str
    wanted: bool = True
    shown: ShownRoot | None = None

    @property
    def reruns(self) -> bool:
        """Whether evaluating it runs code of the program."""
        return not refreshes(self.expression)


class DebugSession:
    """A debuggee as the editor debugs it.

    A newer stop or frame cancels what is under way for the one before; rows of an earlier stop are
    shown as stale until those of the present one are there.

    Args:
        ask: lets the editor evaluate.
        stopped: its first stop.
        slot: small number, see `ShownProcess`.
        symbols: signs and language.
        changed: called when there is something else to show.

    Attributes:
        state: what the view is told where there are no rows.
        callers: whether to look into the callers' frames.
    """

    def __init__(
        self,
        ask: Ask,
        stopped: editor.Stopped,
        slot: int,
        symbols: Symbols,
        changed: Callable[[], None],
    ) -> None:
        self.name = stopped.session
        self.slot = slot
        self.label = stopped.label
        self.process = stopped.process
        self.state: editor.ViewState = "running"
        self.callers = False
        self._symbols = symbols
        self._changed = changed
        self._evaluator = RelayEvaluator(ask, stopped.session)
        self._inspector = Inspector(ProbeClient(self._evaluator))
        self._is_python: bool | None = True if stopped.debugger in _PYTHON else None
        self._debugger = stopped.debugger
        self._frame = stopped.frame
        self._is_running = True
        self._inspection: Inspection | None = None
        self._inspected_stop = 0
        self._looked = False
        self._looking: asyncio.Task[None] | None = None
        self._measuring: asyncio.Task[None] | None = None
        self._declined = False
        self._failure: str | None = None
        self._pins: list[Pin] = []
        self._has_console = False

    @property
    def is_running(self) -> bool:
        """Whether the program runs; then nothing can be evaluated."""
        return self._is_running

    def stop(self, stop: int, frame: int) -> None:
        """A new stop, at its top frame."""
        self._evaluator.stop = stop
        self._is_running = False
        for pin in self._pins:
            pin.wanted = False
        self._let_go_of_lost(self._pins)
        self._select(frame)

    def select(self, frame: editor.FrameSelected) -> bool:
        """Another frame of the present stop; whether that changes anything."""
        if self._is_running or frame.stop != self._evaluator.stop or frame.frame == self._frame:
            return False
        self._select(frame.frame)
        return True

    def refresh(self) -> None:
        """Look anew at the present stop, calls included."""
        if not self._is_running:
            for pin in self._pins:
                pin.wanted = True
            self._select(self._frame)

    def run(self) -> None:
        """The program runs on."""
        self._is_running = True
        self.cancel()

    def cancel(self) -> None:
        """Let go of what is under way."""
        for task in (self._looking, self._measuring):
            if task is not None:
                task.cancel()
        self._looking = self._measuring = None

    def _select(self, frame: int) -> None:
        self.cancel()
        self._frame = frame
        self._looked = self._declined = False

    async def look(self) -> None:
        """See to it that the rows of the present stop and frame are there, or why they are not."""
        while not self._is_running and not self._looked:
            if self._looking is None:
                self._looking = asyncio.create_task(self._look())
            await asyncio.wait([self._looking])

    async def _look(self) -> None:
        failure, state = None, self.state
        try:
            await self._check_python()
            again = self._inspected_stop == self._evaluator.stop
            self._inspected_stop = self._evaluator.stop
            inspection = await self._inspector.inspect(
                self._frame, callers=self.callers, again=again
            )
            await self._show_pins(inspection, [pin for pin in self._pins if self._is_due(pin)])
            self._inspection = inspection
            state = "shown" if self.roots() else "nothing"
        except ProbeError as error:
            state = "no_torch" if error.code == "no_torch" else "failed"
            failure = str(error)
        except _NotPythonError as error:
            state, failure = "not_python", str(error)
        except GradPeekError as error:
            state, failure = "failed", str(error)
        except Exception as error:  # ours: the next stop works all the same
            log.exception("looking into a frame failed")
            said = f"{type(error).__name__}: {error}"
            state, failure = "failed", self._symbols.say("GradPeek failed: {error}", error=said)
        if failure is not None:
            self._inspection = None
        self._failure = None if failure is None else self._symbols.say.text(failure)
        self.state = state
        self._looked, self._looking = True, None
        self._changed()

    async def _check_python(self) -> None:
        """Ask once whether a session of a type that we do not know evaluates Python."""
        if self._is_python is None:
            with suppress(GradPeekError):
                answer = await self._evaluator.evaluate(_IS_PYTHON, self._frame)
                self._is_python = answer == "True"
            self._is_python = bool(self._is_python)
        if not self._is_python:
            kind = self._symbols.clean(self._debugger)
            raise _NotPythonError(
                self._symbols.say("This session ({kind}) does not evaluate Python.", kind=kind)
            )

    def _is_due(self, pin: Pin) -> bool:
        return pin.wanted or not pin.reruns

    async def _show_pins(self, inspection: Inspection, pins: list[Pin]) -> None:
        """Ask for pins, once: a call whose answer is lost has run, and must not by itself again."""
        if not pins:
            return
        for pin in pins:
            pin.wanted = False
        try:
            found = await self._inspector.show(
                self._frame, inspection, [pin.expression for pin in pins]
            )
            for pin, root in zip(pins, found, strict=True):
                pin.shown = ShownRoot(root, pinned=True, reruns=pin.reruns)
        finally:
            self._let_go_of_lost(pins)

    def _let_go_of_lost(self, pins: list[Pin]) -> None:
        """Forget calls among pins that have never been shown: the user may ask again."""
        lost = {pin.expression for pin in pins if pin.reruns and pin.shown is None}
        self._pins = [pin for pin in self._pins if pin.expression not in lost]

    async def pin(self, expression: str) -> None:
        """Show an expression as a root from now on, evaluated at the present stop."""
        expression = expression.strip()
        pin = next((one for one in self._pins if one.expression == expression), None)
        if pin is None:
            pin = Pin(expression)
            self._pins.append(pin)
        pin.wanted = True
        if self._inspection is None or not self._looked:
            await self.look()
            return
        await self._show_pins(self._inspection, [pin])
        self.state = "shown"

    def unpin(self, expression: str) -> None:
        """Take a pinned root away."""
        self._pins = [pin for pin in self._pins if pin.expression != expression]
        if self.state in ("shown", "nothing"):
            self.state = "shown" if self.roots() else "nothing"

    def roots(self) -> list[ShownRoot]:
        """Pinned roots in the order in which they were pinned, then those that were found."""
        current = self._inspection.roots if self._inspection is not None else []
        shown: list[ShownRoot] = []
        names: set[str] = set()
        for pin in self._pins:
            if pin.shown is None:
                continue
            is_current = any(pin.shown.inspection is root for root in current)
            pin.shown.stale = not is_current
            shown.append(pin.shown)
            if is_current:
                wire = pin.shown.inspection.root
                names.update((wire.expression, *wire.aliases))
        pinned = {id(root.inspection) for root in shown}
        shown += [
            ShownRoot(root)
            for root in current
            if id(root) not in pinned
            and root.root.scope != "expression"
            and not names.intersection((root.root.expression, *root.root.aliases))
        ]
        return shown

    def process_shown(self) -> ShownProcess:
        """What the tree shows of this session."""
        stale = self._is_running or not self._looked
        return ShownProcess(self.slot, self.label, self.process, stale, self._failure, self.roots())

    @property
    def failure(self) -> str | None:
        """Why the present stop shows nothing, in one line."""
        return self._failure if self._looked else None

    async def measure(self, report: Report) -> None:
        """Fill in the numbers of all rows, unless somebody does so already."""
        inspection = self._inspection
        if inspection is not None and self.needs_measuring:
            task = asyncio.create_task(self._measure(inspection, report))
            self._measuring = task
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
            if self._measuring is task:
                self._measuring = None

    @property
    def needs_measuring(self) -> bool:
        """Whether rows lack numbers that nobody is reading and the user has not declined."""
        return (
            self._looked
            and self._measuring is None
            and not self._is_running
            and not self._declined
            and self._inspection is not None
            and not self._inspection.complete
        )

    def decline(self) -> None:
        """Stop measuring; nothing more is measured until the next stop or a refresh."""
        self._declined = True
        if self._measuring is not None:
            self._measuring.cancel()
            self._measuring = None

    async def _measure(self, inspection: Inspection, report: Report) -> None:
        reported = time.monotonic()

        def progress(done: int, total: int) -> None:
            nonlocal reported
            if time.monotonic() - reported > REPORT_EVERY_S:
                reported = time.monotonic()
                report(done, total)

        try:
            await self._inspector.measure(self._frame, inspection, progress, budget_s=BUDGET_S)
            made = [
                pin.shown.inspection
                for pin in self._pins
                if pin.reruns and pin.shown is not None
                if any(pin.shown.inspection is root for root in inspection.roots)
            ]
            if made:  # what only the probe keeps alive is let go before the program runs on
                await self._inspector.release(self._frame, made)
        except GradPeekError as error:
            self._failure, self._declined = self._symbols.say.text(str(error)), True
        except Exception:  # ours: the next stop works all the same
            log.exception("measuring failed")
            self._declined = True

    async def source(self, root: RootInspection, row: int) -> types.ClassSource:
        """Where the class of a module is defined.

        Raises:
            ProbeError, EvaluateError: see `Inspector.source`.
        """
        return await self._inspector.source(self._frame, root, row)

    async def set_console(self, expression: str, *, wanted: bool) -> None:
        """Put the console function into the debuggee, or take it out, once.

        Args:
            expression: does it, and answers with a text.
            wanted: whether the function is to be there.
        """
        if self._is_running or self._has_console == wanted or not self._is_python:
            return
        self._has_console = wanted
        try:
            await self._evaluator.evaluate(expression, self._frame)
        except GradPeekError:
            self._has_console = not wanted  # the next stop tries again


class _NotPythonError(Exception):
    """The session's debugger evaluates another language."""
