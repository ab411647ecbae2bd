"""The tree of an editor: ids, order, filters, buckets, lines, details and search; no debugger."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import building
from gradpeek.inspection import RootInspection
from gradpeek.language_server.details import details, escaped, plain
from gradpeek.language_server.nodes import node
from gradpeek.language_server.search import search
from gradpeek.language_server.shown import ShownProcess, ShownRoot
from gradpeek.language_server.source import location
from gradpeek.language_server.texts import language
from gradpeek.language_server.tree import BUCKET, Place, Tree, natural
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor, types

SYMBOLS = Symbols()
OPTIONS = editor.Options(
    visible=True,
    console=False,
    order="model",
    hide_plain=False,
    only_problems=False,
    callers=False,
)


def tree_of(*roots: RootInspection, options: editor.Options = OPTIONS) -> Tree:
    shown = ShownProcess(0, "train", roots=[ShownRoot(root) for root in roots])
    return Tree([shown], options, SYMBOLS)


def with_layers() -> RootInspection:
    """Three linear layers of different sizes and gradients, an activation, a frozen one."""
    model = building.Model()
    for name, size, grad in (("layer2", 4, 0.5), ("layer10", 64, 0.1), ("layer1", 16, 9.0)):
        model.module(name, "Linear")
        model.parameter(
            f"{name}.weight", building.tensor([size], 1.0), building.tensor([size], grad)
        )
    model.module("act", "ReLU")
    model.module("old", "Linear")
    model.parameter("old.weight", building.tensor([2], 1.0), building.frozen("old.weight"))
    bad = model.module("bad", "Linear")
    nan = building.numbers(1.0, 8, nan=3)
    row = model.parameter(
        "bad.weight", building.tensor([8], 1.0), building.tensor([8], nan), badges=["grad_nan"]
    )
    assert row.gradient is not None
    rows = model.totals()
    bad.grad_total = nan
    return building.root("model", "module", "Net", rows)


def labels(tree: Tree, place: Place | None = None) -> list[str]:
    below = tree.top if place is None else tree.children(place)
    return [node(one, SYMBOLS).label for one in below]


def unfolded(tree: Tree) -> Iterator[Place]:
    waiting = tree.top[::-1]
    while waiting:
        place = waiting.pop()
        yield place
        waiting += tree.children(place)[::-1]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("model", ["layer2", "layer10", "layer1", "act", "old", "bad"]),
        ("name", ["act", "bad", "layer1", "layer2", "layer10", "old"]),
        ("gradient", ["bad", "layer1", "layer2", "layer10", "act", "old"]),
        ("size", ["layer10", "layer1", "bad", "layer2", "old", "act"]),
    ],
)
def test_rows_stand_in_the_chosen_order(order: editor.Order, expected: list[str]) -> None:
    tree = tree_of(with_layers(), options=replace(OPTIONS, order=order))
    assert labels(tree, tree.top[0]) == expected


def test_layers_without_parameters_can_be_hidden() -> None:
    tree = tree_of(with_layers(), options=replace(OPTIONS, hide_plain=True))
    assert labels(tree, tree.top[0]) == ["layer2", "layer10", "layer1", "old", "bad"]


def test_only_rows_with_problems_and_what_is_above_them_can_be_shown() -> None:
    fine = building.Model()
    fine.parameter("weight", building.tensor([2], 1.0), building.tensor([2], 1.0))
    other = building.root("other", "module", "Net", fine.totals())
    tree = tree_of(with_layers(), other, options=replace(OPTIONS, only_problems=True))
    assert labels(tree) == ["model"]
    assert labels(tree, tree.top[0]) == ["bad"]
    assert labels(tree, tree.children(tree.top[0])[0]) == ["weight"]


def test_a_tensor_has_its_gradient_below_it_with_numbers_or_the_reason() -> None:
    tree = tree_of(with_layers())
    weight = tree.find("0:model\nparameter\nlayer1.weight")
    assert weight is not None
    line = node(tree.children(weight)[0], SYMBOLS)
    assert (line.label, line.kind) == ("grad", "gradient")
    assert any(cell.text == "norm 9" for cell in line.cells)
    assert line.expression == "model.layer1.weight.grad"
    frozen = tree.find("0:model\nparameter\nold.weight\n∇")
    assert frozen is not None
    assert [cell.text for cell in node(frozen, SYMBOLS).cells][:1] == ["None"]


def test_a_stale_row_says_so_to_a_screen_reader() -> None:
    shown = ShownProcess(0, "train", roots=[ShownRoot(with_layers())], stale=True)
    tree = Tree([shown], OPTIONS, SYMBOLS)
    line = node(tree.top[0], SYMBOLS)
    assert line.stale
    assert line.spoken.endswith("of an earlier stop")
    assert "earlier" not in node(tree_of(with_layers()).top[0], SYMBOLS).spoken


def test_a_module_says_what_is_missing_below_it() -> None:
    tree = tree_of(with_layers())
    cells = {
        node(place, SYMBOLS).label: [cell.text for cell in node(place, SYMBOLS).cells]
        for place in (tree.top[0], *tree.children(tree.top[0]))
    }
    assert "1 missing" in cells["model"]
    assert "∇ none: frozen" in cells["old"]
    assert not any("none" in text or "missing" in text for text in cells["layer1"])
    assert any("NaN" in text for text in cells["bad"])


def test_ids_are_unique_and_the_same_at_the_next_stop_in_any_order() -> None:
    first = [place.id for place in unfolded(tree_of(with_layers()))]
    sorted_again = tree_of(with_layers(), options=replace(OPTIONS, order="size"))
    assert len(first) == len(set(first))
    assert {place.id for place in unfolded(sorted_again)} == set(first)


def test_every_node_names_its_parent_and_is_expandable_where_it_has_children() -> None:
    tree = tree_of(with_layers())
    for place in unfolded(tree):
        line = node(place, SYMBOLS)
        assert line.expandable == bool(tree.children(place))
        for child in tree.children(place):
            assert node(child, SYMBOLS).parent == place.id


@pytest.mark.parametrize("amount", [BUCKET, BUCKET + 1, 20_000])
def test_more_rows_than_a_bucket_holds_come_in_buckets(amount: int) -> None:
    model = building.Model("ParameterList")
    model.rows += [
        replace(row, index=at + 1, name=str(at))
        for at in range(amount)
        for row in [building.Model().parameter("0", building.tensor([1], 1.0))]
    ]
    tree = tree_of(building.root("model", "module", "ParameterList", model.rows))
    below = tree.children(tree.top[0])
    if amount <= BUCKET:
        assert len(below) == amount
        return
    assert len(below) == -(-amount // BUCKET)
    assert node(below[0], SYMBOLS).label == f"[0 … {BUCKET - 1}]  0 … {BUCKET - 1}"
    assert sum(len(tree.children(bucket)) for bucket in below) == amount
    last = tree.children(below[-1])[-1]
    assert [one.kind for one in last.path()] == ["root", "bucket", "row"]


def test_a_row_that_nobody_has_unfolded_is_found_by_its_id() -> None:
    id_of_it = "0:model\nparameter\nbad.weight"
    assert tree_of(with_layers()).find(id_of_it) is not None
    assert tree_of(with_layers()).find("0:model\nparameter\ngone") is None


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("LAYER1 weight", ["model.layer10.weight", "model.layer1.weight"]),
        ("frozen", ["model.old.weight"]),
        ("grad_nan", ["model.bad.weight"]),
        ("relu", ["model.act"]),
        ("[64]", ["model.layer10.weight"]),
        ("nothing of that", []),
    ],
)
def test_search_looks_at_names_classes_shapes_and_states(query: str, names: list[str]) -> None:
    found = search(tree_of(with_layers()), query, 100, SYMBOLS)
    assert [match.name for match in found.matches] == names
    assert found.total == len(names)


def test_search_counts_all_but_returns_no_more_than_asked() -> None:
    found = search(tree_of(with_layers()), "", 2, SYMBOLS)
    assert (len(found.matches), found.total) == (2, 12)


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "a\nb\x1b[31m\u202egnp",
    "$(zap) [link](command:workbench.action.quit) `code` **bold** | a &amp; b",
    "x" * 10_000,
]


@pytest.mark.parametrize("name", HOSTILE, ids=["html", "control", "markdown", "long"])
def test_a_hostile_name_is_text_on_one_line_everywhere(name: str) -> None:
    model = building.Model()
    model.module(name, "Linear")
    model.parameter(f"{name}.weight", building.tensor([2], 1.0), building.frozen(name))
    tree = tree_of(building.root("model", "module", "Net", model.totals()))
    for place in unfolded(tree):
        line = node(place, SYMBOLS)
        for text in (line.label, line.spoken, *(cell.text for cell in line.cells)):
            assert text.isprintable()
            assert len(text) < 1500
        markdown = details(place, SYMBOLS).markdown
        assert not re.search(r"(?<!\\)[<`\[$]", markdown)
        assert len(markdown) < 6000


@given(st.text(max_size=40).filter(str.isprintable))
def test_escaped_markdown_shows_the_text_letter_by_letter(text: str) -> None:
    shown = escaped(text).replace("&lt;", "<").replace("&amp;", "&")
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", shown) == text


def test_details_have_data_and_gradient_side_by_side_and_sentences() -> None:
    tree = tree_of(with_layers())
    bad = tree.find("0:model\nparameter\nbad.weight")
    assert bad is not None
    found = details(bad, SYMBOLS)
    assert found.columns == ["data", "gradient"]
    assert ["NaN", "0", "3"] in [[row.name, *row.texts] for row in found.rows]
    assert "NaN in ∇ (3 of 8)" in found.notes
    text = plain(found)
    assert text.splitlines()[0] == "bad.weight"
    frozen = tree.find("0:model\nparameter\nold.weight")
    assert frozen is not None
    assert details(frozen, SYMBOLS).notes[0].startswith("old.weight is frozen")


def test_several_processes_are_groups_that_say_what_failed() -> None:
    one = ShownProcess(0, "rank 0", 11, roots=[ShownRoot(with_layers())])
    two = ShownProcess(1, "rank 1", 12, failure="torch is not loaded")
    tree = Tree([one, two], OPTIONS, SYMBOLS)
    assert labels(tree) == ["rank 0", "rank 1"]
    assert labels(tree, tree.top[1]) == ["torch is not loaded"]
    assert node(tree.children(tree.top[1])[0], SYMBOLS).tone == "error"


@given(st.integers(0, 10**30), st.integers(0, 10**30))
def test_natural_order_is_that_of_the_numbers_in_names(one: int, other: int) -> None:
    assert (natural(f"a{one}b") < natural(f"a{other}b")) == (one < other)


def test_the_line_of_a_class_comes_from_its_file() -> None:
    here = types.ClassSource(file=__file__, line=3, qualified_name="Outer.<locals>.Inner")
    missing = location(here, SYMBOLS)
    assert (missing.file, missing.line) == (__file__, 3)
    found = location(replace(here, qualified_name="Marker.Inner"), SYMBOLS)
    assert found.line == Marker.Inner.LINE
    nowhere = location(replace(here, file=None), Symbols(say=language("en")))
    assert nowhere.message == "Outer.<locals>.Inner was defined in no file."


class Marker:
    class Inner:
        LINE = __import__("sys")._getframe().f_lineno - 1
