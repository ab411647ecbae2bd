"""The language server's wiring: methods `gradpeek/*` over pygls, nothing that thinks."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict
from functools import partial
from typing import Any, Literal, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    default_converter,
)

from gradpeek import __version__
from gradpeek.console_injection import console
from gradpeek.errors import WireError
from gradpeek.injection import probe
from gradpeek.language_server.debugging import Debugging
from gradpeek.language_server.texts import language
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import codec, editor

log = logging.getLogger(__name__)

VERSION = 1
"""Of `editor.json`; an editor that speaks another one is refused."""
PROGRESS_AFTER_S = 1.0
"""What takes less than this shows no progress bar."""

_T = TypeVar("_T")

METHODS: dict[str, type[Any]] = {
    "roots": editor.RootsRequest,
    "children": editor.NodeRequest,
    "details": editor.NodeRequest,
    "refresh": editor.RootsRequest,
    "show": editor.ShowRequest,
    "unpin": editor.NodeRequest,
    "rerun": editor.NodeRequest,
    "search": editor.SearchRequest,
    "reveal": editor.NodeRequest,
    "copy": editor.CopyRequest,
    "source": editor.NodeRequest,
    "expression": editor.ExpressionRequest,
    "configure": editor.Options,
    "stopped": editor.Stopped,
    "frame": editor.FrameSelected,
    "continued": editor.Session,
    "ended": editor.Session,
}
"""By method what its params are; a test compares it with the schema."""
_WITHOUT_PARAMS = frozenset({"roots", "refresh"})


def create() -> LanguageServer:
    """A server that is ready to be started on stdio or TCP."""
    server = _Server("gradpeek", __version__, converter_factory=_converter)
    wiring = _Wiring(server)
    server.feature(lsp.INITIALIZE)(partial(wiring.initialize))  # pygls marks what it registers
    for name, params in METHODS.items():
        server.feature(f"gradpeek/{name}")(wiring.handler(name, params))
    return server


class _Server(LanguageServer):
    """Keeps errors in the log: whoever has asked gets them as the answer."""

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Write an error to the log; pygls would have the editor pop up a window."""
        log.error("%s: %s", getattr(source, "__name__", source), error)


def _converter() -> Any:
    """Params and results of methods that pygls does not know stay plain JSON."""
    converter = default_converter()  # type: ignore[no-untyped-call]
    for message in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(message, _plain)
    return converter


def _plain(value: Any, message: Callable[..., _T]) -> _T:
    return message(**value)


class _Wiring:
    """Stands between pygls and `Debugging`; is the `Editor` of the latter."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._debugging = Debugging(self, Symbols())

    def initialize(self, params: lsp.InitializeParams) -> None:
        """Take the language and the version that the editor speaks."""
        options = params.initialization_options
        spoken = options.get("protocol") if isinstance(options, dict) else None
        say = language(params.locale)
        if spoken not in (None, VERSION):
            raise JsonRpcInvalidParams(
                say(
                    "this server speaks version {ours} of gradpeek's methods, the editor {theirs}: "
                    "install editor and server of the same version",
                    ours=VERSION,
                    theirs=spoken,
                )
            )
        self._debugging = Debugging(self, Symbols(say=say))
        # Both are read from files and packed once: not at the first stop.
        loop = asyncio.get_running_loop()
        for prepare in (probe, console):
            loop.run_in_executor(None, prepare)

    def handler(self, name: str, params: type[Any]) -> Callable[[Any], Any]:
        """Checks the params of a method, calls `Debugging`, and makes plain JSON of the answer."""

        def call(value: Any) -> Any:
            try:
                checked = codec.structure(value or {}, params)
            except WireError as error:
                raise JsonRpcInvalidParams(f"gradpeek/{name}: {error}") from error
            method = getattr(self._debugging, name)
            return method() if name in _WITHOUT_PARAMS else method(checked)

        def answer(value: Any) -> Any:
            return _json(call(value))

        async def answer_later(value: Any) -> Any:
            return _json(await call(value))

        is_async = asyncio.iscoroutinefunction(getattr(Debugging, name))
        return answer_later if is_async else answer

    async def evaluate(self, request: editor.Evaluate) -> editor.Text:
        """Let the editor evaluate; raises JsonRpcException where it refuses."""
        sent = self._server.protocol.send_request("gradpeek/evaluate", asdict(request))
        asked = asyncio.wrap_future(sent)
        asked.add_done_callback(_look_at)
        # Who no longer waits leaves the request alone: pygls fails on answers to cancelled ones.
        return codec.structure(await asyncio.shield(asked), editor.Text)

    def changed(self, params: editor.Changed) -> None:
        """Tell the editor that nodes have changed."""
        self._server.protocol.notify("gradpeek/changed", asdict(params))

    def status(self, params: editor.Status) -> None:
        """Tell the editor what its status bar says."""
        self._server.protocol.notify("gradpeek/status", asdict(params))

    def progress(self, title: str, cancel: Callable[[], None]) -> _Bar:
        """A progress bar of the Language Server Protocol, if it takes long."""
        return _Bar(self._server, title, cancel)


def _look_at(answer: asyncio.Future[Any]) -> None:
    """Keep asyncio from reporting an error that nobody waits for any more."""
    if not answer.cancelled():
        answer.exception()


def _json(answer: Any) -> Any:
    return {} if answer is None else asdict(answer)


class _Bar:
    """Work-done progress that begins only after a while."""

    def __init__(self, server: LanguageServer, title: str, cancel: Callable[[], None]) -> None:
        self._progress = server.work_done_progress
        self._title = title
        self._cancel = cancel
        self._token = uuid.uuid4().hex
        self._state: Literal["waiting", "open", "over"] = "waiting"
        self._percentage = 0
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(PROGRESS_AFTER_S, self._create)

    def _create(self) -> None:
        self._progress.create(self._token, self._begin)

    def _begin(self, _: object) -> None:
        if self._state == "over":
            return
        self._state = "open"
        self._progress.tokens[self._token].add_done_callback(self._ended)
        percentage = self._percentage
        self._progress.begin(
            self._token,
            lsp.WorkDoneProgressBegin(title=self._title, percentage=percentage, cancellable=True),
        )

    def _ended(self, future: Future[Any]) -> None:
        if future.cancelled():
            self._cancel()

    def report(self, done: int, total: int) -> None:
        """So much of it is done."""
        self._percentage = 100 * done // max(total, 1)
        if self._state == "open":
            self._progress.report(
                self._token, lsp.WorkDoneProgressReport(percentage=self._percentage)
            )

    def end(self) -> None:
        """Take it away."""
        self._timer.cancel()
        was_open, self._state = self._state == "open", "over"
        self._progress.tokens.pop(self._token, None)
        if was_open:
            self._progress.end(self._token, lsp.WorkDoneProgressEnd())
