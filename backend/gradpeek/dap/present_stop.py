"""Which stop a process stands at, and the frames that may be asked there."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING

from gradpeek.dap.stacks import is_user_code, stack_of, stack_to_show
from gradpeek.dap.stop import Frame, Stop
from gradpeek.errors import AdapterError, EvaluateError

if TYPE_CHECKING:
    from gradpeek.dap.client import Client
    from gradpeek.dap.session import Session
    from gradpeek.dap.transport import Message


class PresentStop:
    """The stop of a process, if it stands at one; ids of its frames are never used again.

    Attributes:
        number: of the stop in its session, counted from 0, or None while the process runs.
    """

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._frame_ids = itertools.count(1)
        self._adapter_ids: dict[int, int] = {}
        self._left = asyncio.Event()
        self.number: int | None = None

    def begin(self) -> int:
        """Leave the stop before, if any, and return the number of a new one."""
        self.leave()
        self._left = asyncio.Event()
        self.number = next(self._numbers)
        return self.number

    def leave(self) -> None:
        """The process runs on, or has ended."""
        self.number = None
        self._adapter_ids.clear()
        self._left.set()

    async def until_left(self) -> None:
        """Wait until the process leaves the present stop."""
        await self._left.wait()

    async def read(
        self, number: int, session: Session, client: Client, body: Message, stopped_s: float
    ) -> Stop | None:
        """Return the stop `number`, or None if the process has left it meanwhile.

        Args:
            number: what `begin` returned.
            session: the session of the process.
            client: its conversation.
            body: of the event `stopped`.
            stopped_s: when it came.

        Raises:
            AdapterError: the adapter refused, or its answer is not DAP.
            ConnectionLostError: the connection broke.
        """
        reason = str(body.get("reason", ""))
        read = stack_to_show if reason == "pause" else stack_of
        try:
            stack = await read(client, body["threadId"])
            if self.number != number:
                return None
            frames = tuple(self._frame(raw) for raw in stack.frames)
        except (AttributeError, KeyError, TypeError) as error:
            raise AdapterError(f"{client.peer} told of a stop, but not as in DAP.") from error
        text = None
        if reason == "exception":
            text = ": ".join(filter(None, (body.get("text"), body.get("description"))))
        return Stop(
            session=session,
            index=number,
            thread_id=stack.thread_id,
            thread_name=stack.thread_name,
            reason=reason,
            text=text,
            process_id=session.process_id,
            stopped_s=stopped_s,
            frames=frames,
        )

    def _frame(self, raw: Message) -> Frame:
        frame_id = next(self._frame_ids)
        self._adapter_ids[frame_id] = raw["id"]
        path = str(raw.get("source", {}).get("path", ""))
        return Frame(frame_id, raw["name"], path, raw["line"], is_user_code(raw))

    def adapter_id(self, frame_id: int) -> int:
        """Return the adapter's id of a frame.

        Raises:
            EvaluateError: it is none of this stop.
        """
        if frame_id not in self._adapter_ids:
            raise EvaluateError(
                "The frame belongs to an earlier stop: the program has run since. Ask at a new one."
            )
        return self._adapter_ids[frame_id]
