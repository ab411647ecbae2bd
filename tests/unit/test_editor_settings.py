"""Optimizers, scalers and schedulers in the tree of an editor; no debugger."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from golden import building, optimizers
from gradpeek.inspection import RootInspection
from gradpeek.language_server.details import details, plain
from gradpeek.language_server.nodes import node
from gradpeek.language_server.search import search
from gradpeek.language_server.shown import ShownProcess, ShownRoot
from gradpeek.language_server.tree import Place, Tree
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor

SYMBOLS = Symbols()
OPTIONS = editor.Options(
    visible=True,
    console=False,
    order="model",
    hide_plain=False,
    only_problems=False,
    callers=False,
)


def tree_of(
    *roots: RootInspection, options: editor.Options = OPTIONS, pinned: bool = False
) -> Tree:
    shown = [ShownRoot(root, pinned=pinned) for root in roots]
    return Tree([ShownProcess(0, "train", roots=shown)], options, SYMBOLS)


def found(tree: Tree, name: str) -> Place:
    place = tree.find(name)
    assert place is not None
    return place


def cells(place: Place) -> list[tuple[str, str]]:
    return [(cell.text, cell.style) for cell in node(place, SYMBOLS).cells]


def test_a_folded_root_says_what_matters_most_in_its_own_line() -> None:
    top = tree_of(*optimizers.optimizers()).top
    assert [node(place, SYMBOLS).expandable for place in top] == [True] * 5
    assert [[text for text, style in cells(place) if style == "weight"] for place in top] == [
        ["lr 0.001, 0.000123457, on cuda:0", "step 1 … 3"],
        ["scale 131072"],
        ["enabled False"],
        ["last_epoch 0", "last_lr (0.001, 0.1)"],
        ["lr 1e-05"],
    ]


def test_groups_and_state_stand_below_their_root_with_icons_of_their_own() -> None:
    tree = tree_of(optimizers.optimizer())
    lines = [node(place, SYMBOLS) for place in tree.children(tree.top[0])]
    assert [(line.kind, line.label) for line in lines] == [
        *(("group", f"group {at}") for at in range(3)),
        *(("state", name) for name in ("step", "exp_avg", "exp_avg_sq", "al", "memory")),
    ]
    assert not any(line.expandable for line in lines)
    assert {line.tone for line in lines} == {"normal"}


def test_values_that_differ_between_groups_come_first_and_stand_out() -> None:
    group = found(tree_of(optimizers.optimizer()), "0:opt\ngroup\ngroup 1")
    assert cells(group) == [
        ("1 tensor · 10.8k elements", "facts"),
        ("lr 0.000123457", "weight"),
        ("weight_decay 0", "weight"),
        ("lookahead True", "weight"),
        ("betas (0.9, 0.999)", "info"),
        ("eps 1e-08", "info"),
    ]
    assert (
        "Differs from other groups: lr, weight_decay, lookahead." in details(group, SYMBOLS).notes
    )


def test_details_have_all_values_also_those_that_are_switched_off() -> None:
    group = found(tree_of(optimizers.optimizer()), "0:opt\ngroup\ngroup 0")
    known = details(group, SYMBOLS)
    assert (known.title, known.columns) == ("group 0", ["value"])
    assert [[row.name, *row.texts] for row in known.rows] == [
        ["lr", "0.001"],
        ["weight_decay", "0.01"],
        ["betas", "(0.9, 0.999)"],
        ["eps", "1e-08"],
        ["amsgrad", "False"],
        ["foreach", "None"],
    ]
    cut = details(found(tree_of(optimizers.optimizer()), "0:opt\nstate\nal"), SYMBOLS)
    assert [row.texts for row in cut.rows] == [["(1.5, None, …) first 2 of 100"]]
    assert plain(known).splitlines()[0] == "group 0"
    assert "lr            0.001" in plain(known)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("0:opt", "opt"),
        ("0:opt\ngroup\ngroup 1", "opt.param_groups[1]"),
        ("0:opt\nstate\nstep", None),
        ("0:scaler\nstate\nscale", "scaler._scale"),
        ("0:scaler\nstate\nsettings", None),
        ("0:sched\nstate\nlast_lr", "sched._last_lr"),
        ("0:inner\ngroup\ngroup 0", None),  # a caller's
    ],
)
def test_a_row_is_evaluated_where_one_thing_holds_it(name: str, expected: str | None) -> None:
    line = node(found(tree_of(*optimizers.optimizers()), name), SYMBOLS)
    assert line.expression == expected
    assert ("copy_expression" in line.actions) == ("watch" in line.actions) == bool(expected)
    assert "copy_path" not in line.actions
    assert ("copy_value" in line.actions) == ("\n" in name)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("weight_decay 0.01", ["opt group 0", "opt group 2"]),
        ("GROUP opt", ["opt group 0", "opt group 1", "opt group 2"]),
        ("exp_avg", ["opt exp_avg", "opt exp_avg_sq"]),
        ("scale 131072", ["scaler scale"]),
        ("cuda:0", ["opt group 2", "opt exp_avg_sq"]),
    ],
)
def test_search_looks_at_values(query: str, names: list[str]) -> None:
    tree = tree_of(*optimizers.optimizers())
    assert [match.name for match in search(tree, query, 100, SYMBOLS).matches] == names


def test_filters_leave_a_pinned_optimizer_and_hide_no_group() -> None:
    problems = replace(OPTIONS, only_problems=True)
    assert tree_of(optimizers.optimizer(), options=problems).top == []
    assert len(tree_of(optimizers.optimizer(), options=problems, pinned=True).top) == 1
    tree = tree_of(optimizers.optimizer(), options=replace(OPTIONS, hide_plain=True))
    assert len(tree.children(tree.top[0])) == 8


@pytest.mark.parametrize("order", ["name", "gradient", "size"])
def test_every_order_has_all_rows(order: editor.Order) -> None:
    tree = tree_of(optimizers.optimizer(), options=replace(OPTIONS, order=order))
    names = [node(place, SYMBOLS).label for place in tree.children(tree.top[0])]
    assert sorted(names) == sorted(row.name for row in optimizers.optimizer().rows)


def test_hostile_names_and_values_are_text_on_one_line() -> None:
    tree = tree_of(optimizers.hostile())
    places = [tree.top[0], *tree.children(tree.top[0])]
    assert len({place.id for place in places}) == len(places) == 23
    for place in places:
        line = node(place, SYMBOLS)
        for text in (line.label, line.spoken, *(cell.text for cell in line.cells)):
            assert text.isprintable()
            assert len(text) < 5000
        markdown = details(place, SYMBOLS).markdown
        assert not re.search(r"(?<!\\)[<`\[$]", markdown)


def test_nothing_is_left_to_be_measured_of_rows_without_tensors() -> None:
    assert all(root.complete for root in optimizers.optimizers())
    assert building.inspection(*optimizers.optimizers(), complete=False).complete
