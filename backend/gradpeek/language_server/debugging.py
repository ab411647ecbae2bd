"""All debug sessions of an editor, and what its tree and status bar show of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol

from gradpeek.console_injection import console
from gradpeek.errors import GradPeekError
from gradpeek.language_server import details, expressions, source
from gradpeek.language_server.nodes import expression, node
from gradpeek.language_server.search import search
from gradpeek.language_server.session import DebugSession
from gradpeek.language_server.status import status
from gradpeek.language_server.tree import Place, Tree
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor

STALE_AFTER_S = 0.25
"""Running for less than this, as in a step, does not show rows as stale."""


class Editor(Protocol):
    """What an editor does for us."""

    async def evaluate(self, request: editor.Evaluate) -> editor.Text:
        """Evaluate in one of its sessions; raises JsonRpcException where it refuses."""
        ...

    def changed(self, params: editor.Changed) -> None:
        """Nodes have changed."""
        ...

    def status(self, params: editor.Status) -> None:
        """The status bar has changed."""
        ...

    def progress(self, title: str, cancel: Callable[[], None]) -> Progress:
        """Show that something takes long, with a button that cancels."""
        ...


class Progress(Protocol):
    """A progress bar; shown by the editor as soon as it takes long."""

    def report(self, done: int, total: int) -> None:
        """So much of it is done."""
        ...

    def end(self) -> None:
        """Take it away."""
        ...


class Debugging:
    """Answers the editor's questions about its sessions."""

    def __init__(self, ask: Editor, symbols: Symbols) -> None:
        self._editor = ask
        self._symbols = symbols
        self._options = editor.Options(
            visible=False,
            console=False,
            order="model",
            hide_plain=False,
            only_problems=False,
            callers=False,
        )
        self._sessions: dict[str, DebugSession] = {}
        self._selected: str | None = None
        self._tree: Tree | None = None
        self._status: editor.Status | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._stale: dict[str, asyncio.TimerHandle] = {}

    def configure(self, options: editor.Options) -> None:
        """Take over how the editor shows the tree."""
        before, self._options = self._options, options
        for session in self._sessions.values():
            if before.callers != options.callers:
                session.callers = options.callers
                session.refresh()
            if not options.visible:
                session.cancel()
            if before.console != options.console:
                self._start(self._set_console(session))
        self._change()

    def stopped(self, params: editor.Stopped) -> None:
        """A session has stopped; nothing is evaluated but, once, to register the console's name."""
        session = self._sessions.get(params.session)
        if session is None:
            taken = {one.slot for one in self._sessions.values()}
            slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
            session = DebugSession(
                self._editor.evaluate, params, slot, self._symbols, self._forget_tree
            )
            session.callers = self._options.callers
            self._sessions[params.session] = session
        if self._selected not in self._sessions or self._sessions[self._selected].is_running:
            self._selected = params.session
        self._keep_fresh(params.session)
        session.stop(params.stop, params.frame)
        if self._options.visible:
            self._start(session.look())  # before the editor asks for it, which it will
        self._start(self._set_console(session))
        self._change()

    def frame(self, params: editor.FrameSelected) -> None:
        """The user has selected a frame."""
        session = self._sessions.get(params.session)
        if session is None:
            return
        self._selected = params.session
        if session.select(params):
            self._change()
        self._show_status()

    def continued(self, params: editor.Session) -> None:
        """A session runs on; its rows become stale if that lasts."""
        session = self._sessions.get(params.session)
        if session is not None and not session.is_running:
            session.run()
            self._keep_fresh(params.session)
            loop = asyncio.get_running_loop()
            self._stale[params.session] = loop.call_later(STALE_AFTER_S, self._change)

    def ended(self, params: editor.Session) -> None:
        """A session is over."""
        session = self._sessions.pop(params.session, None)
        if session is not None:
            session.run()
            self._keep_fresh(params.session)
            if self._selected == params.session:
                self._selected = next(iter(self._sessions), None)
            self._change()

    async def roots(self) -> editor.Nodes:
        """The top of the tree, after a look into the frames that have not been looked into."""
        await asyncio.gather(*(one.look() for one in self._sessions.values()))
        tree = self._current_tree()
        for session in self._sessions.values():
            self._start(self._measure(session))
        self._show_status()
        return editor.Nodes(
            nodes=[node(place, self._symbols) for place in tree.top],
            state=self._state(tree),
            message=self._message(tree),
        )

    def children(self, params: editor.NodeRequest) -> editor.Nodes:
        """Nodes below a node; none where it is no longer there."""
        tree = self._current_tree()
        place = tree.find(params.node)
        below = [] if place is None else tree.children(place)
        return editor.Nodes(
            nodes=[node(one, self._symbols) for one in below], state="shown", message=None
        )

    def details(self, params: editor.NodeRequest) -> editor.Details:
        """All that is known of a node."""
        place = self._current_tree().find(params.node)
        if place is None:
            return editor.Details(title="", notes=[], columns=[], rows=[], markdown="")
        return details.details(place, self._symbols)

    def refresh(self) -> None:
        """Look at everything anew."""
        for session in self._sessions.values():
            session.refresh()
        self._change()

    async def show(self, params: editor.ShowRequest) -> editor.Revealed:
        """Pin an expression and evaluate it."""
        say = self._symbols.say
        name = params.session or self._selected
        session = self._sessions.get(name) if name is not None else None
        if not params.expression.strip():
            return _not_revealed(say("There is no expression here."))
        if session is None or session.is_running:
            return _not_revealed(
                say("Nothing can be evaluated while the program runs: stop at a breakpoint first.")
            )
        return await self._pin(session, params.expression.strip())

    async def _pin(self, session: DebugSession, text: str) -> editor.Revealed:
        try:
            await session.pin(text)
        except GradPeekError as error:
            return _not_revealed(self._symbols.told(str(error), 400))
        if session.failure is not None:
            return _not_revealed(self._symbols.clean(session.failure, 400))
        self._change()
        place = self._current_tree().find(f"{session.slot}^{text}")
        if place is None or place.tree is None:
            return _not_revealed(
                self._symbols.say(
                    "{expression} could not be shown: the program has run on. Ask again at a stop.",
                    expression=self._symbols.clean(text, 100),
                )
            )
        failed = place.tree.inspection.root.error
        message = None if failed is None else self._symbols.told(failed.message, 400)
        return self._revealed(place, message)

    def unpin(self, params: editor.NodeRequest) -> None:
        """Take a pinned root away."""
        place = self._current_tree().find(params.node)
        session = self._session_of(place)
        if place is not None and place.tree is not None and session is not None:
            session.unpin(place.tree.inspection.root.expression)
            self._change()

    async def rerun(self, params: editor.NodeRequest) -> editor.Revealed:
        """Evaluate a pinned expression again."""
        place = self._current_tree().find(params.node)
        session = self._session_of(place)
        if place is None or place.tree is None or session is None or not place.tree.root.pinned:
            return _not_revealed(None)
        request = editor.ShowRequest(
            session=session.name, expression=place.tree.inspection.root.expression
        )
        return await self.show(request)

    def search(self, params: editor.SearchRequest) -> editor.Found:
        """Rows that have all words of a query."""
        return search(self._current_tree(), params.query, params.limit, self._symbols)

    def reveal(self, params: editor.NodeRequest) -> editor.Revealed:
        """The way from the top down to a node."""
        place = self._current_tree().find(params.node)
        return _not_revealed(None) if place is None else self._revealed(place, None)

    def copy(self, params: editor.CopyRequest) -> editor.Text:
        """Text of a node for the clipboard."""
        place = self._current_tree().find(params.node)
        row = None if place is None else place.row()
        if place is None:
            return editor.Text(text="")
        if params.what == "path":
            name = row.name if row is not None else ""
            return editor.Text(text=f"{name}.grad" if place.kind == "gradient" else name)
        if params.what == "expression":
            return editor.Text(text=expression(place) or "")
        return editor.Text(text=details.plain(details.details(place, self._symbols)))

    async def source(self, params: editor.NodeRequest) -> editor.Source:
        """Where the class of a module is defined."""
        place = self._current_tree().find(params.node)
        session, row = self._session_of(place), None if place is None else place.row()
        if place is None or place.tree is None or session is None or row is None:
            gone = self._symbols.say("This row is no longer there.")
            return editor.Source(file=None, line=1, message=gone)
        index = row.index if row.tensor is None else row.parent
        try:
            found = await session.source(place.tree.inspection, index)
        except GradPeekError as error:
            return editor.Source(file=None, line=1, message=self._symbols.told(str(error), 400))
        return source.location(found, self._symbols)

    def expression(self, params: editor.ExpressionRequest) -> editor.Text:
        """The expression under a cursor."""
        return editor.Text(text=expressions.under_cursor(params.line, params.character))

    def _session_of(self, place: Place | None) -> DebugSession | None:
        slot = None if place is None else place.process.slot
        return next((one for one in self._sessions.values() if one.slot == slot), None)

    def _revealed(self, place: Place, message: str | None) -> editor.Revealed:
        path = [node(one, self._symbols) for one in place.path()]
        return editor.Revealed(path=path, message=message)

    def _current_tree(self) -> Tree:
        if self._tree is None:
            shown = [one.process_shown() for one in self._sessions.values()]
            known = [one for one in shown if one.roots or (one.failure and len(shown) > 1)]
            self._tree = Tree(known, self._options, self._symbols)
        return self._tree

    def _state(self, tree: Tree) -> editor.ViewState:
        if tree.top or any(one.state == "shown" for one in self._sessions.values()):
            return "shown"
        if not self._sessions:
            return "no_session"
        selected = self._sessions.get(self._selected or "")
        return selected.state if selected is not None else "running"

    def _message(self, tree: Tree) -> str | None:
        say = self._symbols.say
        selected = self._sessions.get(self._selected or "")
        groups = len(self._sessions) > 1 and tree.top  # each says its own failure
        if selected is not None and selected.failure is not None and not groups:
            return self._symbols.clean(selected.failure, 400)
        if tree.top and all(place.process.stale for place in tree.top):
            return say("Running. These rows are of the last stop.")
        if self._options.only_problems and self._state(tree) == "shown":
            return say("Only rows with problems are shown.") if tree.top else say("No problems.")
        return None

    def _forget_tree(self) -> None:
        self._tree = None

    def _keep_fresh(self, session: str) -> None:
        timer = self._stale.pop(session, None)
        if timer is not None:
            timer.cancel()

    def _change(self) -> None:
        """Let the editor ask for the tree again."""
        self._forget_tree()
        self._editor.changed(editor.Changed(nodes=None))
        self._show_status()

    def _show_status(self) -> None:
        selected = self._sessions.get(self._selected or "")
        line = status(selected, self._symbols, visible=self._options.visible)
        if line != self._status:
            self._status = line
            self._editor.status(line)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _set_console(self, session: DebugSession) -> None:
        wanted = self._options.console
        text = console().register if wanted else console().unregister
        await session.set_console(text, wanted=wanted)

    async def _measure(self, session: DebugSession) -> None:
        """Measure a session's rows; rows that have got numbers are shown as they come."""
        if not session.needs_measuring or not self._options.visible:
            return
        title = self._symbols.say("Reading gradients")
        bar = self._editor.progress(title, session.decline)

        def report(done: int, total: int) -> None:
            bar.report(done, total)
            self._change()

        try:
            with suppress(asyncio.CancelledError):
                await session.measure(report)
        finally:
            bar.end()
        self._change()


def _not_revealed(message: str | None) -> editor.Revealed:
    return editor.Revealed(path=[], message=message)
