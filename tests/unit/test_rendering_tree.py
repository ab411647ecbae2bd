"""The text tree: golden files, widths, encodings and hostile text."""

from __future__ import annotations

import io
import itertools
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from golden import building, optimizers, samples
from gradpeek.inspection import Inspection
from gradpeek.rendering import rich_tree, tree
from gradpeek.rendering.summary import summary_line

HEADER = "/home/ada/train.py:14 in train (breakpoint, process 4711, MainThread)"
Golden = Callable[[str, str], None]

SAMPLES: dict[str, Callable[[], Inspection]] = {
    "convolutional": lambda: building.inspection(samples.convolutional()),
    "before_backward": lambda: building.inspection(samples.convolutional(backward=False)),
    "badges": lambda: building.inspection(samples.badges()),
    "shared": lambda: building.inspection(samples.shared()),
    "wrapped": lambda: building.inspection(samples.wrapped()),
    "small_roots": lambda: building.inspection(*samples.small_roots()),
    "optimizers": lambda: building.inspection(*optimizers.optimizers()),
    "hostile": lambda: building.inspection(samples.hostile()),
    "hostile_optimizer": lambda: building.inspection(optimizers.hostile()),
    "deep": lambda: building.inspection(samples.deep(12)),
    "nothing": building.inspection,
    "incomplete": lambda: building.inspection(samples.wide(4), complete=False),
}


@pytest.mark.parametrize("width", [40, 80, 140])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_tree_reads_as_the_golden_file_and_is_never_too_wide(
    name: str, width: int, golden: Golden
) -> None:
    shown = tree.text(SAMPLES[name](), width, header=HEADER)
    assert [line for line in shown.splitlines() if cell_len(line) > width] == []
    golden(f"{name}.{width}.txt", shown)


def test_an_encoding_without_the_signs_gets_ascii(golden: Golden) -> None:
    both = building.inspection(samples.convolutional(), samples.hostile())
    shown = tree.text(both, 100, header=HEADER, encoding="ascii")
    assert shown.isascii()
    golden("ascii.100.txt", shown)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "gbk", "no-such-encoding"])
def test_every_line_can_be_written_in_the_encoding_of_the_console(encoding: str) -> None:
    shown = tree.text(SAMPLES["hostile"](), 100, encoding=encoding)
    shown.encode("ascii" if encoding.startswith("no-") else encoding)


def test_a_console_prints_what_text_returns_and_colours_only_for_a_terminal() -> None:
    shown = SAMPLES["badges"]()

    def printed(**changes: object) -> str:
        console = Console(width=100, legacy_windows=False, file=io.StringIO(), **changes)  # type: ignore[arg-type]
        console.print(rich_tree.tree(shown, header=HEADER))
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue()

    plain = printed(_environ={"TERM": "xterm"})
    assert plain == tree.text(shown, 100, header=HEADER)
    colours = {"TERM": "xterm-256color"}
    assert "\x1b[32m" in printed(force_terminal=True, _environ=colours)
    assert "\x1b[3" not in printed(force_terminal=True, _environ={**colours, "NO_COLOR": "1"})


def test_hostile_text_reaches_the_terminal_only_escaped() -> None:
    for name, width in itertools.product(("hostile", "hostile_optimizer"), (20, 40, 100, 400)):
        shown = tree.text(SAMPLES[name](), width, header="\x1b]0;title\x07\nsecond line")
        assert all(line.isprintable() for line in shown.split("\n"))


def test_html_escapes_all_text(golden: Golden) -> None:
    both = building.inspection(samples.badges(), samples.hostile())
    shown = tree.html(both, header="<b>header</b>")
    assert "<script" not in shown
    assert "<b>" not in shown
    assert all(line.isprintable() for line in shown.split("\n"))
    golden("notebook.html", shown)


def test_rows_beyond_the_limit_are_counted() -> None:
    shown = tree.text(building.inspection(samples.wide(1000)), max_rows=20)
    assert "… 1,480 more rows (ask for a part of it)" in shown
    assert len(shown.splitlines()) < 30


def test_ten_thousand_parameters_render_fast() -> None:
    big = building.inspection(samples.wide(10_000))
    console = Console(file=io.StringIO(), width=100)
    start = time.process_time()
    console.print(rich_tree.tree(big))
    # Measured: 1.3 s of CPU for 15,001 lines; the limit leaves room for a slower machine.
    assert time.process_time() - start < 6


def test_a_thousand_levels_do_not_exhaust_the_stack() -> None:
    shown = tree.text(building.inspection(samples.deep(1000)), 80)
    assert shown.count("\n") > 1000


names = st.text(min_size=1, max_size=40)


@settings(max_examples=60, deadline=None)
@given(
    parts=st.lists(st.tuples(names, st.floats(), st.booleans()), max_size=6),
    width=st.integers(1, 150),
)
def test_any_names_and_numbers_fit_any_width(
    parts: list[tuple[str, float, bool]], width: int
) -> None:
    model = building.Model("Net")
    for at, (name, norm, has_gradient) in enumerate(parts):
        model.parameter(
            f"{at}{name}",
            building.tensor([2, 2], norm),
            building.tensor([2, 2], norm) if has_gradient else building.NO_BACKWARD,
        )
    found = building.inspection(building.root("model", "module", "Net", model.rows))
    lines = tree.text(found, width).split("\n")
    assert all(
        line.isprintable() and cell_len(line) <= max(width, tree.LEAST_WIDTH) for line in lines
    )


def summaries(found: Inspection) -> list[str]:
    return [summary_line(root) for root in found.roots]


def test_a_summary_says_what_matters_in_one_line() -> None:
    assert summaries(SAMPLES["convolutional"]()) == [
        "model Net: 6 parameters, ‖∇‖ 0.443, 2 without gradient (frozen)"
    ]
    assert summaries(SAMPLES["before_backward"]()) == [
        "model Net: 6 parameters, no gradient (4 no backward yet, 2 frozen)"
    ]
    assert summaries(SAMPLES["small_roots"]()) == [
        "cx Tensor [1] float32: value 2520, ∇ none: non-leaf: gradient flowed to ox",
        "ox Tensor [1] float32: value 0.42, ∇ 6000",
        "batch.features Tensor [64,3] float32: norm 13.9, ∇ none: no backward yet",
        "gradients tuple: 2 tensors",
        "opt AdamW",
        "scaler GradScaler",
        "sched CosineAnnealingLR",
        "lsos: NameError: name 'lsos' is not defined",
    ]
    assert all(line.isprintable() for line in summaries(SAMPLES["hostile"]()))
    assert all(line.isprintable() for line in summaries(SAMPLES["hostile_optimizer"]()))


def test_a_summary_of_an_optimizer_says_learning_rates_and_step() -> None:
    assert summaries(SAMPLES["optimizers"]()) == [
        "opt AdamW: lr 0.001, 0.000123457, on cuda:0, step 1 … 3",
        "scaler GradScaler: scale 131072",
        "off GradScaler: enabled False",
        "sched ReduceLROnPlateau: last_epoch 0, last_lr (0.001, 0.1)",
        "inner SGD: lr 1e-05",
    ]
