"""Reads the threads and stacks of a stopped process."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Any

from gradpeek.errors import AdapterError

if TYPE_CHECKING:
    from gradpeek.dap.client import Client

_MAIN_THREAD = "MainThread"
_MAIN_THREAD_GRACE_S = 1.0


@dataclasses.dataclass(frozen=True)
class Stack:
    """A thread and its frames as DAP gives them, innermost first."""

    thread_id: int
    thread_name: str
    frames: list[dict[str, Any]]

    @property
    def has_user_code(self) -> bool:
        """Whether a frame is neither an installed package's nor the standard library's."""
        return any(is_user_code(frame) for frame in self.frames)


def is_user_code(frame: dict[str, Any]) -> bool:
    """Return whether DAP's stack frame runs the user's own code; debugpy calls others subtle."""
    return frame.get("presentationHint") != "subtle"


async def stack_of(client: Client, thread_id: int) -> Stack:
    """Return the stack of a thread."""
    names = await _thread_names(client)
    return Stack(thread_id, names.get(thread_id, ""), await _frames(client, thread_id))


async def stack_to_show(client: Client, thread_id: int) -> Stack:
    """Return the stack to show after a pause that `thread_id` was the first to obey.

    The main thread's where it stands too; else one with user code; else that of `thread_id`.
    A thread in a native call does not stand: it can be listed, but nothing evaluates in it.
    """
    names = await _thread_names(client)
    main = next((number for number, name in names.items() if name == _MAIN_THREAD), thread_id)
    deadline = asyncio.get_running_loop().time() + _MAIN_THREAD_GRACE_S
    while True:
        stack = Stack(main, names.get(main, ""), await _frames(client, main))
        if main == thread_id or (stack.has_user_code and await _stands(client, stack)):
            break
        if asyncio.get_running_loop().time() >= deadline:
            break
    if stack.has_user_code and (main == thread_id or await _stands(client, stack)):
        return stack
    first = Stack(thread_id, names.get(thread_id, ""), await _frames(client, thread_id))
    if first.has_user_code:
        return first
    for number, name in names.items():
        other = Stack(number, name, await _frames(client, number))
        if other.has_user_code and await _stands(client, other):
            return other
    return first


async def _thread_names(client: Client) -> dict[int, str]:
    body = await client.request("threads")
    return {thread["id"]: thread["name"] for thread in body.get("threads", [])}


async def _frames(client: Client, thread_id: int) -> list[dict[str, Any]]:
    try:
        body = await client.request("stackTrace", {"threadId": thread_id})
    except AdapterError:
        if client.error is not None:
            raise
        return []  # the thread ended meanwhile
    return list(body.get("stackFrames", []))


async def _stands(client: Client, stack: Stack) -> bool:
    arguments = {"expression": "0", "frameId": stack.frames[0]["id"], "context": "repl"}
    try:
        await client.request("evaluate", arguments)
    except AdapterError:
        if client.error is not None:
            raise
        return False
    return True
