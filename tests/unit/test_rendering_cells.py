"""Widths in cells, against rich's own tables of the same version of Unicode."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich import cells as rich
from rich._unicode_data import load

from gradpeek.rendering.cells import cell_len, crop

UNICODE = "17.0.0"
measured_by_rich = partial(rich.cell_len, unicode_version=UNICODE)
TEXTS = st.text(
    st.characters(exclude_characters="\ufe0f").filter(str.isprintable)
    | st.sampled_from("ab│├─‖∇…é漢字語\u0301\u3099각ᅡ😀👍🏽")
)
"""Printable, as all text of the tree is."""


def test_every_printable_character_takes_as_many_cells_as_rich_says() -> None:
    printable = [chr(code) for code in range(0x110000) if chr(code).isprintable()]
    assert len(printable) > 100_000
    assert [c for c in printable if cell_len(c) != measured_by_rich(c)] == []


@given(TEXTS)
def test_a_text_takes_as_many_cells_as_rich_says(text: str) -> None:
    assert cell_len(text) == measured_by_rich(text)


@given(TEXTS, st.integers(-1, 12))
def test_a_text_is_cropped_where_rich_crops_it(text: str, total: int) -> None:
    if cell_len(text) > total:
        cropped = crop(text, total)
        assert cropped == rich.set_cell_size(text, max(total, 0), unicode_version=UNICODE)
        assert cell_len(cropped) == max(total, 0)


@pytest.mark.parametrize("sign", sorted(load(UNICODE).narrow_to_wide))
def test_a_sign_that_is_asked_for_as_a_picture_is_wide(sign: str) -> None:
    picture = f"{sign}\ufe0f"
    if sign.isprintable():
        assert cell_len(picture) == measured_by_rich(picture) == 2
        assert crop(picture + "b", 2) == picture
        assert crop("a" + picture, 2) == "a" + sign


@given(st.text(st.characters().filter(str.isprintable)))
def test_no_text_takes_fewer_cells_than_rich_says(text: str) -> None:
    assert cell_len(text) >= measured_by_rich(text)
