"""Asks the debugger for the value of an expression, whatever becomes of the program meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from gradpeek.errors import AdapterError, ConnectionLostError, EvaluateError

if TYPE_CHECKING:
    from gradpeek.dap.client import Client
    from gradpeek.dap.ending import Ending
    from gradpeek.dap.present_stop import PresentStop

_HUNG_UP = "No more messages"
"""debugpy's words for: the debuggee hung up."""
_HUNG_UP_GRACE_S = 3.0


async def evaluate(
    client: Client,
    ending: Ending,
    present_stop: PresentStop,
    expression: str,
    frame_id: int,
    context: str,
) -> str:
    """Return the debugger's text for a value; arguments and errors are `Session.evaluate`'s."""
    ending.check()
    arguments = {
        "expression": expression,
        "frameId": present_stop.adapter_id(frame_id),
        "context": context,
    }
    request = asyncio.create_task(client.request("evaluate", arguments, None))
    left = asyncio.create_task(present_stop.until_left())
    try:
        await asyncio.wait({request, left}, return_when="FIRST_COMPLETED")
        if request.done():
            return str(request.result().get("result", ""))
    except AdapterError as error:
        if str(error) == _HUNG_UP:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(ending.wait(), _HUNG_UP_GRACE_S)
        ending.check()
        raise EvaluateError(str(error)) from error
    except ConnectionLostError:
        ending.check()
        raise
    finally:
        request.cancel()
        left.cancel()
        await asyncio.gather(request, left, return_exceptions=True)
    ending.check()
    raise EvaluateError("The program was resumed before it answered. Ask at the next stop.")
