"""An editor: the real language server in a process of its own, evaluates relayed to debuggers.

What VS Code's extension and PyCharm's plugin do, without their windows.
"""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    default_converter,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from typing_extensions import Self

    from support.debugging import Halt

ANSWER_TIMEOUT_S = 60.0
OPTIONS = {
    "visible": True,
    "console": False,
    "order": "model",
    "hide_plain": False,
    "only_problems": False,
    "callers": False,
}


class Evaluates(Protocol):
    """A debugger, as far as an editor relays to it."""

    async def evaluate(self, expression: str, frame_id: int) -> str: ...


def _plain(value: Any, message: Callable[..., Any]) -> Any:
    return message(**value)


def _converter() -> Any:
    converter = default_converter()  # type: ignore[no-untyped-call]
    for message in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(message, _plain)
    return converter


class Editor:
    """Sessions of one editor and the server that it has started.

    Attributes:
        evaluated: (session, stop, frame, expression) of each evaluate that was relayed.
        answered: how many of these the debuggers have answered.
        statuses: what the status bar has shown, the last one last.
        process: the server's process.
    """

    def __init__(
        self,
        *,
        locale: str = "en",
        command: Sequence[str] = (sys.executable, "-m", "gradpeek.language_server", "--stdio"),
        protocol: int = 1,
    ) -> None:
        self._locale = locale
        self._command = command
        self._protocol = protocol
        self._client = LanguageClient("test-editor", "1", converter_factory=_converter)
        self._debuggers: dict[str, Evaluates] = {}
        self._stops: dict[str, int] = {}
        self._running: set[str] = set()
        self.evaluated: list[tuple[str, int, int, str]] = []
        self.statuses: list[dict[str, Any]] = []
        self.changes = 0
        self.answered = 0
        self._open_evaluates = 0
        self.progress: list[Any] = []
        self._token: int | str = ""
        self._event = asyncio.Condition()

    async def __aenter__(self) -> Self:
        client = self._client
        handlers: dict[str, Callable[[Any], Any]] = {
            "gradpeek/evaluate": self._evaluate,
            "gradpeek/changed": self._changed,
            "gradpeek/status": self._status,
            lsp.PROGRESS: self._progress,
        }
        for name, handler in handlers.items():
            client.feature(name)(partial(handler))  # pygls marks what it registers
        client.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)(lambda _: None)
        await client.start_io(*self._command)
        await client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(
                    window=lsp.WindowClientCapabilities(work_done_progress=True)
                ),
                locale=self._locale,
                initialization_options={"protocol": self._protocol},
            )
        )
        client.initialized(lsp.InitializedParams())
        self.notify("configure", **OPTIONS)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.process.returncode is None:
            for session in self._debuggers:
                self.ended(session)
            await self.until(lambda: self._open_evaluates == 0)
            await asyncio.wait_for(self._client.shutdown_async(None), ANSWER_TIMEOUT_S)
            self._client.exit(None)
        await asyncio.wait_for(self.process.wait(), ANSWER_TIMEOUT_S)
        await self._client.stop()  # type: ignore[no-untyped-call]

    @property
    def process(self) -> asyncio.subprocess.Process:
        process = self._client._server
        assert isinstance(process, asyncio.subprocess.Process)
        return process

    async def request(self, name: str, **params: Any) -> dict[str, Any]:
        """The answer to a `gradpeek/<name>`; raises JsonRpcException where it is refused."""
        answer = self._client.protocol.send_request_async(f"gradpeek/{name}", params)
        found: dict[str, Any] = await asyncio.wait_for(answer, ANSWER_TIMEOUT_S)
        return found

    def notify(self, name: str, **params: Any) -> None:
        self._client.protocol.notify(f"gradpeek/{name}", params)

    def configure(self, **changes: Any) -> None:
        self.notify("configure", **{**OPTIONS, **changes})

    def stopped(
        self,
        halt: Halt,
        debugger: Evaluates,
        session: str = "one",
        *,
        kind: str = "debugpy",
        **facts: Any,
    ) -> None:
        """Tell the server of a stop."""
        self._debuggers[session] = debugger
        self._running.discard(session)
        self._stops[session] = self._stops.get(session, 0) + 1
        about = {"label": session, "debugger": kind, "process": None, **facts}
        stop = self._stops[session]
        self.notify("stopped", session=session, stop=stop, frame=halt.frame_id, **about)

    def frame(self, frame: int, session: str = "one") -> None:
        stop = self._stops[session]
        self.notify("frame", session=session, stop=stop, frame=frame)

    def continued(self, session: str = "one") -> None:
        self._running.add(session)
        self.notify("continued", session=session)

    def ended(self, session: str = "one") -> None:
        self._running.add(session)
        self.notify("ended", session=session)

    async def tree(self) -> list[str]:
        """The tree with all nodes unfolded, as lines indented by their depth."""
        lines: list[str] = []

        async def add(nodes: list[dict[str, Any]], depth: int) -> None:
            for node in nodes:
                cells = "  ".join(cell["text"] for cell in node["cells"])
                lines.append("  " * depth + f"{node['label']}  {cells}".rstrip())
                if node["expandable"]:
                    below = await self.request("children", node=node["id"])
                    await add(below["nodes"], depth + 1)

        await add((await self.request("roots"))["nodes"], 0)
        return lines

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something that the server has said makes `holds` true."""
        async with self._event:
            await asyncio.wait_for(self._event.wait_for(holds), ANSWER_TIMEOUT_S)

    async def measured(self) -> list[str]:
        """The tree once all its numbers are there."""
        await self.request("roots")
        asked = -1
        while asked != len(self.evaluated):
            asked = len(self.evaluated)
            await self.until(lambda: self._open_evaluates == 0)
            await self.request("roots")  # comes after what the server asks with that answer
        return await self.tree()

    async def _evaluate(self, params: dict[str, Any]) -> dict[str, str]:
        session, stop = params["session"], params["stop"]
        self.evaluated.append((session, stop, params["frame"], params["expression"]))
        await self._notify_all()
        if stop != self._stops[session] or session in self._running:
            raise ValueError("this stop is over")
        self._open_evaluates += 1
        try:
            text = await self._debuggers[session].evaluate(params["expression"], params["frame"])
            self.answered += 1
        finally:
            self._open_evaluates -= 1
            await self._notify_all()
        return {"text": text}

    async def _changed(self, _: object) -> None:
        self.changes += 1
        await self._notify_all()

    async def _status(self, params: dict[str, Any]) -> None:
        self.statuses.append(params)
        await self._notify_all()

    def cancel_progress(self) -> None:
        """Press the button of the progress that was shown last."""
        self._client.window_work_done_progress_cancel(
            lsp.WorkDoneProgressCancelParams(token=self._token)
        )

    async def _progress(self, params: lsp.ProgressParams) -> None:
        self._token = params.token
        self.progress.append(params.value)
        await self._notify_all()

    async def _notify_all(self) -> None:
        async with self._event:
            self._event.notify_all()
