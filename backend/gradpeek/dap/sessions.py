"""The sessions of a program's processes, and the queue of their stops."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from gradpeek.dap.session import Session
from gradpeek.dap.transport import CONNECT_TIMEOUT_S, connect
from gradpeek.errors import GradPeekError

if TYPE_CHECKING:
    from gradpeek.dap.breakpoints import Breakpoint
    from gradpeek.dap.session import BringServer
    from gradpeek.dap.stop import Stop
    from gradpeek.dap.transport import Message, Transport


class Sessions:
    """Owns the sessions; opens one for each child process that its parent's session announces.

    Attributes:
        breakpoints: where each process stops.
        stop_at_uncaught: whether each stops where an exception ends a thread.
        open: the sessions that have not ended, in order of appearance.
        root: the session of the first process.
    """

    root: Session

    def __init__(self, breakpoints: tuple[Breakpoint, ...], *, stop_at_uncaught: bool) -> None:
        self.breakpoints = breakpoints
        self.stop_at_uncaught = stop_at_uncaught
        self.open: list[Session] = []
        self._stops: asyncio.Queue[Stop | None] = asyncio.Queue()
        self._children: set[asyncio.Task[None]] = set()
        self._cleanups: set[asyncio.Task[None]] = set()

    def add(self, transport: Transport) -> Session:
        """Return a new session, not started."""
        session = Session(transport, self)
        self.open.append(session)
        return session

    async def start_root(self, address: Message, bring_server: BringServer | None) -> None:
        """Start the first session; `address` completes its request `attach`."""
        arguments = {
            **address,
            "subProcess": True,
            "redirectOutput": False,
            "justMyCode": not any(place.is_in_library for place in self.breakpoints),
        }
        await self.root.start(
            arguments,
            self.breakpoints,
            stop_at_uncaught=self.stop_at_uncaught,
            bring_server=bring_server,
        )

    async def next_stop(self) -> Stop | None:
        """Return the next stop that a process still stands at, or None when all have ended."""
        while self.open or self._children or not self._stops.empty():
            stop = await self._stops.get()
            if stop is not None and stop.is_current:
                return stop
        return None

    async def clear_breakpoints(self) -> None:
        """Remove all breakpoints from all processes, and from those still to come."""
        self.breakpoints, self.stop_at_uncaught = (), False
        for session in self.open:
            with contextlib.suppress(GradPeekError):
                await session.set_breakpoints(())
                await session.set_stop_at_uncaught(False)

    async def disconnect(self, *, terminate: bool) -> None:
        """End the sessions; the processes run on without breakpoints, or are ended."""
        self.breakpoints, self.stop_at_uncaught = (), False
        while self.open or self._children:
            await asyncio.gather(*self._children, return_exceptions=True)
            for session in reversed(self.open.copy()):
                await session.disconnect(terminate=terminate)
        await asyncio.gather(*self._cleanups, return_exceptions=True)

    # What the sessions tell us (owner.Owner).

    def on_stop(self, stop: Stop) -> None:
        """Queue a stop."""
        self._stops.put_nowait(stop)

    def on_child(self, configuration: Message) -> None:
        """Debug a child process.

        Raises:
            KeyError: the configuration does not say where it listens.
        """
        address = configuration["connect"]
        child = asyncio.create_task(
            self._start_child(address["host"], address["port"], configuration)
        )
        self._children.add(child)
        child.add_done_callback(self._child_started)

    async def _start_child(self, host: str, port: int, configuration: Message) -> None:
        with contextlib.suppress(GradPeekError):  # a child may be gone before we reach it
            transport = await connect(host, port, CONNECT_TIMEOUT_S)
            session = self.add(transport)
            session.process_id = configuration.get("subProcessId")
            await session.start(
                configuration, self.breakpoints, stop_at_uncaught=self.stop_at_uncaught
            )

    def _child_started(self, child: asyncio.Task[None]) -> None:
        self._children.discard(child)
        self._stops.put_nowait(None)

    def on_ended(self, session: Session) -> None:
        """Forget a session."""
        self.open.remove(session)
        self._stops.put_nowait(None)
        cleanup = asyncio.create_task(session.close())
        self._cleanups.add(cleanup)
        cleanup.add_done_callback(self._cleanups.discard)
