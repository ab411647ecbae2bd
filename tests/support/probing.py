"""Asks the probe in this process, by its own requests and replies, and lays its answers out.

Without the host's code, so that it runs from Python 3.8 on, as the probe does.
"""

from __future__ import annotations

import base64
import itertools
import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gradpeek.probe import entry
from gradpeek.probe.moments import Moments

if TYPE_CHECKING:
    from collections.abc import Iterable

_numbers = itertools.count(1)


class ProbeAnsweredError(Exception):
    """The probe answered with an error."""


@dataclass
class Seen:
    """One row: what the probe says of a module or tensor, and of its gradient."""

    name: str
    names: list[str]
    names_total: int
    kind: str
    parent: int
    more_parents: list[int]
    module_type: str | None
    facts: dict[str, Any] | None
    gradient: dict[str, Any] | None
    state: dict[str, Any] | None
    data: Moments | str | None = None
    grad: Moments | str | None = None


def ask(stop: str, method: str, params: dict[str, Any], namespace: dict[str, Any]) -> Any:
    """The probe's answer to one question, asked where the names are those of `namespace`."""
    question = {"version": 1, "id": next(_numbers), "stop": stop, "method": method}
    text = json.dumps({**question, "params": params})
    reply = entry.handle(base64.b64encode(text.encode()).decode(), namespace, namespace)
    _, length, body = reply.split(":")
    assert len(body) == int(length)
    answer = json.loads(zlib.decompress(base64.b64decode(body)))
    if "error" in answer:
        raise ProbeAnsweredError(answer["error"])
    return answer["ok"]


def new_stop() -> str:
    """A name that no stop has had."""
    return f"test {next(_numbers)}"


def look(value: Any, **names: Any) -> list[Seen]:
    """Rows of one object with all their statistics; `names` are others of its frame."""
    stop, namespace = new_stop(), {"value": value, **names}
    (root,) = ask(stop, "roots", {"expressions": ["value"]}, namespace)["roots"]
    if "error" in root:
        raise ProbeAnsweredError(root["error"])
    rows = rows_of(stop, root["id"])
    measure(stop, root["id"], rows)
    ask(stop, "release", {}, {})
    return rows


def roots(namespace: dict[str, Any], **params: Any) -> list[dict[str, Any]]:
    """The roots that the probe finds among the names."""
    found: list[dict[str, Any]] = ask(new_stop(), "roots", params, namespace)["roots"]
    return found


def rows_of(stop: str, root: int) -> list[Seen]:
    """Metadata of a root's rows."""
    page = ask(stop, "rows", {"root": root}, {})
    shared = {one["row"]: one for one in page["shared"]}
    rows = []
    for at, name in enumerate(page["name"]):
        facts, gradient, state = page["facts_of"], page["gradient_of"], page["state_of"]
        more = shared.get(at, {"aliases": [], "names_total": 1, "more_parents": []})
        rows.append(
            Seen(
                name,
                [name, *more["aliases"]],
                more["names_total"],
                page["kind"][at],
                page["parent"][at],
                list(more["more_parents"]),
                page["module_type"][at],
                None if facts[at] is None else page["facts"][facts[at]],
                None if gradient[at] is None else page["facts"][gradient[at]],
                None if state[at] is None else page["states"][state[at]],
            )
        )
    return rows


def measure(stop: str, root: int, rows: list[Seen], budget_s: float = 0.25) -> None:
    """Put the statistics of all rows into them, question by question."""
    cursor: Any = {"item": 0, "element": 0}
    while cursor is not None:
        params = {"root": root, "cursor": cursor, "budget_s": budget_s}
        answer = ask(stop, "statistics", params, {})
        for row, part, result in _results(answer):
            known = getattr(rows[row], part)
            if isinstance(known, Moments) and isinstance(result, Moments):
                known.merge(result)
            elif not isinstance(known, str):
                setattr(rows[row], part, result)
        cursor = answer["cursor"]


def _results(answer: dict[str, Any]) -> Iterable[tuple[int, str, Moments | str]]:
    for at, label in enumerate(answer["label"]):
        row, part = answer["row"][at], answer["part"][at]
        if label is not None:
            yield row, part, label
            continue
        moments = Moments()
        for field in Moments.__slots__:
            value = answer[field][at]
            setattr(moments, field, float(value) if isinstance(value, str) else value)
        yield row, part, moments
