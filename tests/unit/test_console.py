"""What `grads` shows in a debug console, and what it remembers and holds between calls."""

# ruff: noqa: F841 - names of frames that are looked at
from __future__ import annotations

import builtins
import gc
import sys
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from rich.cells import cell_len
from torch import nn

import gradpeek
from gradpeek.console_injection import console
from gradpeek.rendering import tree
from support.consoles import registered, typed

CONSOLE = f"{console().package}.in_process.console"
MODEL = nn.Linear(2, 2)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with registered():
        yield


def trained() -> nn.Sequential:
    """A model whose first layer has a gradient and whose second has none."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
    net[0](torch.ones(1, 3)).sum().backward()
    return net


def shown(*expressions: str) -> list[str]:
    """Texts of what is typed at one stop in the calling frame."""
    return [repr(value) for value in typed(*expressions, depth=2)]


def forget() -> None:
    """Bring the copy of its locals that the calling frame keeps up to date, as a debugger does."""
    sys._getframe(1).f_locals  # noqa: B018


def first_words(text: str) -> str:
    return text.split("  ", maxsplit=1)[0]


class Trainer:
    """Keeps its model, as trainers do."""

    def __init__(self) -> None:
        self.model = trained()
        self.__secret = nn.Linear(1, 1)

    def fit(self, *expressions: str) -> list[str]:
        return [repr(value) for value in typed(*expressions)]


def test_it_shows_the_tree_of_plain_code() -> None:
    net = trained()
    (text,) = shown("grads(net)")
    expected = tree.text(gradpeek.grads(net).inspection, 100).rstrip("\n")
    assert text == expected
    assert f"{net[0].weight.grad.norm().item():.3g}" in text


NAMES = {
    "grads(net)": "net",
    "grads( net )": "net",
    "show_gradients(net)": "net",
    "grads(net[0])": "net[0]",
    "grads(net[0].weight)": "net[0].weight",
    "grads(MODEL)": "MODEL",
    "[grads(net)][0]": "net",
    "(lambda value: grads(value))(net)": "net",
    "[grads(layer) for layer in net][0]": "linear",
    "grads(__import__('torch').nn.ReLU())": "__import__('torch').nn.ReLU()",
    "(grads(nets['a']))": "nets['a']",
    "grads(*[net])": "net",
    "grads(\n    nets[\n        'a'])": "nets['a']",
}
"""By what is typed what its root is called."""


def test_a_root_is_called_what_was_typed_or_what_the_frame_calls_it(subtests: Any) -> None:
    net = trained()
    nets = {"a": nn.Linear(2, 2)}
    for text, name in NAMES.items():
        with subtests.test(text):
            (said,) = shown(text)
            assert first_words(said) == name


def test_in_a_method_it_sees_self_and_private_names() -> None:
    said = Trainer().fit("grads(self.model)", "[grads(self.model)][0]", "grads()")
    assert [first_words(text) for text in said] == ["self.model"] * 3


def test_without_an_argument_it_shows_what_the_frame_holds() -> None:
    net = trained()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    (text,) = shown("grads()")
    assert text.startswith("net  Sequential")
    assert "\noptimizer  SGD" in text


def test_a_variable_of_the_program_with_that_name_is_the_programs() -> None:
    net = trained()
    grads = [1.5]
    assert shown("grads", "grads[0]", "show_gradients(net)")[:2] == ["[1.5]", "1.5"]


def test_code_of_the_program_may_call_it_as_well() -> None:
    net = trained()
    show: Any = vars(builtins)["grads"]
    assert repr(show(net)).startswith("net  Sequential")
    dead = weakref.ref(net)
    del net
    gc.collect()
    assert dead() is None


WRONG = {
    "grads(3)": "3  3 is of type int: nothing with gradients",
    "grads('a\\x1b[31m')": r"'a\x1b[31m'  'a\x1b[31m' is of type str: nothing with gradients",
    "grads(net, net)": "TypeError: grads takes one object, not 2",
    "grads(None)": "None  None is of type NoneType: nothing with gradients",
}


def test_a_wrong_argument_is_said_in_one_line(subtests: Any) -> None:
    net = trained()
    for text, line in WRONG.items():
        with subtests.test(text):
            assert shown(text) == [line]


def test_a_defect_of_ours_is_said_in_one_line_and_keeps_no_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vars(builtins)["grads"](torch.ones(1))

    class Fails:
        def look(self, *_: Any, **__: Any) -> None:
            raise RuntimeError("broken\nin two lines")

    monkeypatch.setattr(sys.modules[CONSOLE], "_looker", Fails())
    net = trained()
    dead = weakref.ref(net)
    (text,) = shown("grads(net)")
    assert text == "grads failed, which is a defect of GradPeek: RuntimeError: broken in two lines"
    del net
    forget()
    assert dead() is None


def test_the_text_is_made_at_the_call() -> None:
    net = trained()
    (value,) = typed("grads(net)")
    before = repr(value)
    net.zero_grad()
    net[0].weight.data.zero_()
    assert repr(value) == before
    assert str(value) == before


def test_neither_the_call_nor_its_value_holds_anything_of_the_program() -> None:
    net = trained()
    weight = net[0].weight
    typed("grads(net)")
    counts = sys.getrefcount(net), sys.getrefcount(weight), sys.getrefcount(weight.grad)
    values = typed("grads(net)", "grads()", "grads(net[0].weight)", "[grads(m) for m in net]")
    after = sys.getrefcount(net), sys.getrefcount(weight), sys.getrefcount(weight.grad)
    assert after == counts
    dead = weakref.ref(net)
    del net, weight
    forget()
    assert dead() is None
    assert all(values)


def test_no_line_is_too_wide_and_no_text_acts_on_a_terminal() -> None:
    net = nn.Module()
    for name in ("\x1b]0;title\x07", "漢字" * 40, "a\nb", "\u202eevil", "x" * 300, "👍🏽" * 30):
        net._modules[name] = nn.Linear(2, 2)
    for text in shown("grads(net)", "grads()"):
        lines = text.split("\n")
        assert len(lines) > 12
        assert all(line.isprintable() and cell_len(line) <= 100 for line in lines)


def test_a_large_model_is_cut_to_what_a_console_shows() -> None:
    wide = nn.Sequential(*(nn.Linear(1, 1) for _ in range(500)))
    (text,) = shown("grads(wide)")
    assert "\n… 1,300 more rows (ask for a part of it)\n" in text
    assert 200 < text.count("\n") < 210


def test_many_roots_are_cut_to_what_a_debugger_sends_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = [torch.ones(1, requires_grad=True) for _ in range(4000)]
    names = {f"loss_of_part_number_{at}": tensor for at, tensor in enumerate(many)}
    exec(
        "def stop(typed):\n    "
        + "\n    ".join(f"{n} = many[{at}]" for at, n in enumerate(names))
        + "\n    return typed('grads()')",
        {"many": many},
        names,
    )
    stop: Any = names["stop"]
    (cut,) = map(repr, stop(typed))
    monkeypatch.setattr(sys.modules[CONSOLE], "LENGTH", 10**9)
    (whole,) = map(repr, stop(typed))
    assert len(whole) > 100_000
    assert 58_000 < len(cut) < 60_000
    head, _, last = cut.rpartition("\n")
    assert whole.startswith(head + "\n")
    left_out = whole.count("\n") - head.count("\n")
    assert last == f"… {left_out:,} more lines (ask for a part of it)"


def test_gradients_of_an_earlier_stop_are_remembered() -> None:
    net = trained()
    assert "no backward yet" not in shown("grads(net)")[0]
    net.zero_grad()
    (text,) = shown("grads(net)")
    assert "it showed gradients at an earlier stop" in text


def test_a_call_of_backward_is_remembered_at_the_next_stop_but_not_at_the_same() -> None:
    net = nn.Linear(1, 1)
    loss = net(torch.ones(1)).sum()
    said = [shown("grads(net)", "grads()", "grads(net)"), loss.backward()][0]
    assert said is not None
    assert ["no backward yet" in text for text in said] == [True] * 3
    assert len({said[0], said[2]}) == 1
    del loss  # which would tell by its graph
    net.zero_grad()
    (text,) = shown("grads(net)")
    assert "has called backward since an earlier stop" in text


def test_objects_without_a_name_are_not_taken_for_each_other() -> None:
    net = trained()
    values = typed("[grads(layer) for layer in net]")[0]
    assert "∇ none" not in repr(values[0])
    assert "no backward yet" in repr(values[1])
    assert "earlier stop" not in repr(values[1])
