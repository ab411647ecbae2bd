"""The probe as one expression, and the client that loads it where it is absent."""

from __future__ import annotations

import ast
import asyncio
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from gradpeek.errors import EvaluateError, ProbeError, WireError
from gradpeek.injection import Injection, build, probe, probe_sources
from gradpeek.probe_client import SLICE_LENGTH, ProbeClient
from gradpeek.wire import types

ROOTS = types.RootsParams(expressions=["model"])


class Evaluator:
    """A debuggee in this process, with the manners of a debugger.

    Args:
        cut_at: longest text that comes back whole; longer ones lose their end without a mark.
        quotes: whether a str comes back as its repr.
        raises: whether a failing expression is an error, or its exception's repr a value.
    """

    def __init__(
        self, *, cut_at: int | None = None, quotes: bool = True, raises: bool = True, **names: Any
    ) -> None:
        self.names = {"torch": torch, **names}
        self.cut_at = cut_at
        self.quotes = quotes
        self.raises = raises
        self.asked: list[str] = []

    async def evaluate(self, expression: str, frame_id: int) -> str:
        self.asked.append(expression)
        try:
            value = eval(expression, dict(self.names))
        except Exception as error:
            if self.raises:
                raise EvaluateError(repr(error)) from error
            return repr(error)
        return (repr(value) if self.quotes else str(value))[: self.cut_at]


@pytest.fixture
def fresh() -> Iterator[Injection]:
    """An injection whose package no other test has loaded; it is unloaded afterwards."""
    injection = build({**probe_sources(), "aside": "MARK = 1\n"})
    yield injection
    for name in [name for name in sys.modules if name.startswith(injection.package)]:
        del sys.modules[name]


def ask(evaluator: Any, injection: Injection) -> types.Roots:
    client = ProbeClient(evaluator, injection)
    return asyncio.run(client.roots("stop", 0, ROOTS))


def test_the_probe_is_one_ascii_expression_that_fits_an_evaluate() -> None:
    injection = probe()
    ast.parse(injection.expression, mode="eval")
    ast.parse(injection.call("AAAA"), mode="eval")
    ast.parse(injection.part(1, 0, 2), mode="eval")
    assert injection.expression.isascii()
    assert "\n" not in injection.expression
    assert len(injection.expression) < 65_540


def test_another_text_of_the_probe_is_another_package() -> None:
    sources = probe_sources()
    assert build(sources).package == build(dict(reversed(sources.items()))).package
    assert build(sources).package != build({**sources, "aside": "X = 1\n"}).package


@pytest.mark.parametrize("raises", [True, False])
@pytest.mark.parametrize("quotes", [True, False])
def test_an_absent_probe_is_injected_once_and_asked_again(
    fresh: Injection,
    raises: bool,  # noqa: FBT001
    quotes: bool,  # noqa: FBT001
) -> None:
    evaluator = Evaluator(raises=raises, quotes=quotes, model=torch.nn.Linear(2, 3))
    assert ask(evaluator, fresh).roots[0].type == "Linear"
    assert evaluator.asked.count(fresh.expression) == 1
    assert ask(evaluator, fresh).roots[0].type == "Linear"
    assert evaluator.asked.count(fresh.expression) == 1
    assert len(evaluator.asked) == 4


def test_code_of_the_probe_has_file_names_that_no_debugger_steps_into(fresh: Injection) -> None:
    ask(Evaluator(model=torch.nn.Linear(1, 1)), fresh)
    handle = sys.modules[f"{fresh.package}.entry"].__dict__["handle"]
    assert handle.__code__.co_filename == "<gradpeek-probe>/entry.py"


def test_a_probe_that_fails_to_load_leaves_nothing_behind() -> None:
    broken = build({**probe_sources(), "zz": "raise RuntimeError('broken')\n"})
    with pytest.raises(EvaluateError, match="broken"):
        ask(Evaluator(model=torch.nn.Linear(1, 1)), broken)
    assert not [name for name in sys.modules if name.startswith(broken.package)]


@pytest.mark.parametrize("cut_at", [65_540, SLICE_LENGTH + 100])
def test_a_reply_that_the_debugger_cuts_is_fetched_in_slices(fresh: Injection, cut_at: int) -> None:
    generator = torch.Generator().manual_seed(0)
    names = torch.randint(0, 1 << 60, (6000,), generator=generator).tolist()
    model = torch.nn.ModuleDict({f"layer{name:x}": torch.nn.Identity() for name in names})
    evaluator = Evaluator(cut_at=cut_at, model=model)
    client = ProbeClient(evaluator, fresh)

    async def rows() -> types.Rows:
        root = (await client.roots("stop", 0, ROOTS)).roots[0]
        return await client.rows("stop", 0, types.RowsParams(root=root.id))

    found = asyncio.run(rows())
    assert found.name[1:] == [f"layer{name:x}" for name in names]
    assert any(".part(" in expression for expression in evaluator.asked)
    with pytest.raises(WireError, match="no longer holds"):
        asyncio.run(client._collect(2, 100_000, 0))


@pytest.mark.parametrize("text", ["NoneType None", "", "<frame is gone>"])
def test_an_answer_that_is_not_the_probes_is_a_wire_error(text: str) -> None:
    class Stale:
        async def evaluate(self, expression: str, frame_id: int) -> str:
            return text

    with pytest.raises(WireError, match="could not be loaded"):
        ask(Stale(), probe())


def test_a_process_without_torch_is_told_apart_and_nothing_is_imported(
    fresh: Injection, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator = Evaluator(model=None)
    monkeypatch.delitem(sys.modules, "torch")
    with pytest.raises(ProbeError, match="import torch") as caught:
        ask(evaluator, fresh)
    assert caught.value.code == "no_torch"
    assert "torch" not in sys.modules


def test_an_error_of_the_debugger_itself_comes_through() -> None:
    class Refuses:
        async def evaluate(self, expression: str, frame_id: int) -> str:
            raise EvaluateError("Wrong ID sent from the client: 3")

    with pytest.raises(EvaluateError, match="Wrong ID"):
        ask(Refuses(), probe())
