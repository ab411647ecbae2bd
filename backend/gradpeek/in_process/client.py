"""Asks the probe in this process: its answers are taken as they are, with no text in between."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from gradpeek.errors import ProbeError
from gradpeek.probe.answers import METHODS
from gradpeek.probe.frames import Scope
from gradpeek.probe.stop import Stop, UnknownRootError
from gradpeek.wire import types

GIVEN = "__gradpeek_value__"
"""Expression of the object that `grads` was given, until its root has the name that is shown."""


class LocalClient:
    """The questions of the wire, put to the probe of the same version beside us.

    Attributes:
        scope: the frame that questions are about; set while `grads` is at work.
        given_name: what the root of the given object is called.
    """

    def __init__(self) -> None:
        self._stop = Stop("")
        self.scope: Scope | None = None
        self.given_name: str | None = None

    async def roots(self, stop: str, frame_id: int, params: types.RootsParams) -> types.Roots:
        """Roots of the scope, or of the given expressions."""
        answer = self._ask(stop, "roots", params)
        facts = answer["facts"]
        graphs = [types.Graph(**one) for one in facts["graphs"]]
        return types.Roots(
            roots=[self._named(_root(one)) for one in answer["roots"]],
            facts=types.FrameFacts(**{**facts, "graphs": graphs}),
        )

    async def rows(self, stop: str, frame_id: int, params: types.RowsParams) -> types.Rows:
        """Metadata of a root's rows.

        Raises:
            ProbeError: the object of the root is gone.
        """
        answer = self._ask(stop, "rows", params)
        answer["facts"] = [_facts(one) for one in answer["facts"]]
        answer["states"] = [types.AutogradState(**one) for one in answer["states"]]
        answer["shared"] = [types.SharedRow(**one) for one in answer["shared"]]
        answer["settings"] = [_settings(one) for one in answer["settings"]]
        return types.Rows(**answer)

    async def statistics(
        self, stop: str, frame_id: int, params: types.StatisticsParams
    ) -> types.Statistics:
        """Moments until the budget ends; raises as `rows` does."""
        answer = self._ask(stop, "statistics", params)
        cursor = answer["cursor"]
        answer["cursor"] = None if cursor is None else types.Span(**cursor)
        return types.Statistics(**answer)

    async def source(
        self, stop: str, frame_id: int, params: types.SourceParams
    ) -> types.ClassSource:
        """Where the class of a module is defined; raises as `rows` does."""
        return types.ClassSource(**self._ask(stop, "source", params))

    async def release(
        self, stop: str, frame_id: int, params: types.ReleaseParams
    ) -> types.Released:
        """Let the probe forget the stop's objects."""
        return types.Released(**self._ask(stop, "release", params))

    def forget(self) -> None:
        """Let go of everything, whatever has happened."""
        self._stop = Stop("")
        self.scope = self.given_name = None

    def _ask(self, stop: str, method: str, params: Any) -> dict[str, Any]:
        if self._stop.name != stop:
            self._stop = Stop(stop)
        try:
            return METHODS[method](self._stop, asdict(params), self._selected)
        except UnknownRootError as error:
            raise ProbeError("unknown_root", str(error)) from None

    def _selected(self) -> Scope:
        assert self.scope is not None, "asked of no frame"
        return self.scope

    def _named(self, root: types.Root) -> types.Root:
        """The given object's root under its name: one of the frame's if it was told none."""
        if root.expression != GIVEN:
            return root
        name = self.given_name or next(iter(root.aliases), None) or _class_name(root.type)
        error = root.error
        if error is not None:
            error = replace(error, message=error.message.replace(GIVEN, name), expression=name)
        aliases = [alias for alias in root.aliases if alias != name]
        return replace(root, expression=name, aliases=aliases, error=error)


def _facts(answer: dict[str, Any]) -> types.TensorFacts:
    shape = answer["shape"]
    return types.TensorFacts(**{**answer, "shape": None if shape is None else list(shape)})


def _settings(answer: dict[str, Any]) -> types.Settings:
    values = [types.Setting(**one) for one in answer["values"]]
    return types.Settings(**{**answer, "values": values})


def _root(answer: dict[str, Any]) -> types.Root:
    error = answer.get("error")
    return types.Root(**{**answer, "error": None if error is None else types.Error(**error)})


def _class_name(text: str) -> str:
    name = text.rpartition(".")[2].lower()
    return name if name.isidentifier() else "value"
