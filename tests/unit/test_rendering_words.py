"""Numbers, labels and harmless text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from golden import samples
from gradpeek.rendering.labels import CleanNames, Node, cut_end, cut_middle, nodes, printable
from gradpeek.rendering.numbers import count, number, shape


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.2654, "3.27"),
        (0.0, "0"),
        (-0.5, "-0.5"),
        (3.3001, "3.30"),
        (1.2e-5, "1.2e-05"),
        (1234.5, "1234"),
        (9999.9, "10000"),
        (123456.0, "1.23e+05"),
        (999.7, "1000"),
        (2e30, "2e+30"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (3 - 4.25j, "3-4.25j"),
    ],
)
def test_a_number_has_three_digits(value: complex, text: str) -> None:
    assert number(value) == text


@given(st.floats())
def test_a_number_is_short(value: float) -> None:
    assert len(number(value)) <= 10


@pytest.mark.parametrize(
    ("value", "text"),
    [(7, "7"), (2400, "2,400"), (145_578, "145.6k"), (2_359_808, "2.36M"), (999_999, "1M")],
)
def test_a_count_is_short(value: int, text: str) -> None:
    assert count(value) == text


def test_a_shape_shows_what_is_ragged_or_unknown() -> None:
    assert [shape([32, 3, 5, 5]), shape([]), shape([3, -1]), shape(None)] == [
        *("[32,3,5,5]", "[]", "[3,*]", "?"),
    ]


@given(st.text(), st.integers(1, 50))
def test_printable_text_is_short_and_harmless(text: str, limit: int) -> None:
    shown = printable(text, limit)
    assert shown.isprintable()
    assert len(shown) <= limit


def test_what_acts_on_a_terminal_is_shown_as_an_escape() -> None:
    assert printable("a\x1b[31m\n\u202e\ud800\U000e0001") == (r"a\x1b[31m\n\u202e\ud800\U000e0001")
    assert printable("权重 ok") == "权重 ok"


@given(st.text(st.characters(exclude_categories=["C", "Z", "M"])), st.integers(0, 30))
def test_text_is_cut_to_cells_of_the_terminal(text: str, width: int) -> None:
    assert cell_len(cut_end(text, width)) <= width
    assert cell_len(cut_middle(text, width)) <= width


def labels(found: list[Node]) -> list[object]:
    return [[node.label, *labels(node.children)] for node in found]


def test_wrappers_and_parametrizations_leave_no_lines_of_their_own() -> None:
    assert labels(nodes(samples.wrapped().rows)) == [
        [
            "",
            [
                "fc",
                *(["bias"], ["weight (original0)"], ["weight (original1)"]),
                ["weight (parametrization 0)"],
            ],
            ["module", ["w"]],
        ]
    ]


def test_clean_names_drop_wrappers_by_their_class_only() -> None:
    clean = CleanNames(samples.wrapped().rows).clean
    assert clean("_orig_mod.module.fc.bias") == "fc.bias"
    assert clean("_orig_mod.module.module.w") == "module.w"
    assert clean("_orig_mod.module.fc.parametrizations.weight.original1") == (
        "fc.weight (original1)"
    )
    assert clean("module.w") == "module.w"
