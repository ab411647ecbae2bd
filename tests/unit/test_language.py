"""The two languages of the language server: its catalogue, locales, and what an editor is sent."""

from __future__ import annotations

import ast
import copy
import json
import pickle
import re
import string
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from golden import building, optimizers, samples
from gradpeek.analysis.absence import BackwardEvidence, explain
from gradpeek.inspection import Inspection, Phrase, RootInspection
from gradpeek.language_server import details
from gradpeek.language_server.nodes import node
from gradpeek.language_server.session import DebugSession
from gradpeek.language_server.shown import ShownProcess, ShownRoot
from gradpeek.language_server.status import status
from gradpeek.language_server.texts import language
from gradpeek.language_server.tree import Place, Tree
from gradpeek.probe import kinds
from gradpeek.rendering import tree as text_tree
from gradpeek.rendering.language import ENGLISH, Language
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor
from support.kinds import INSIDE, TENSORS

PACKAGE = Path(__file__).parents[2] / "backend" / "gradpeek"
CATALOGUE: dict[str, dict[str, str]] = json.loads(
    (PACKAGE / "language_server" / "l10n" / "zh-cn.json").read_text("utf-8")
)
PHRASES, LABELS = CATALOGUE["phrases"], CATALOGUE["labels"]
CHINESE = language("zh-cn")
SAME_IN_BOTH = frozenset(
    {"dtype", "NaN", "+Inf", "−Inf", ", ", "({kind})", "{sentence} ({evidence})"}
)
"""Names of torch, signs and punctuation: no Chinese character is in their translation."""


def calls(*files: Path) -> Iterator[ast.Call]:
    for path in files:
        for found in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(found, ast.Call):
                yield found


def called(call: ast.Call) -> str:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func
    return name if isinstance(name, str) else getattr(name, "id", "")


def literals(value: ast.expr) -> list[str]:
    """The texts that an argument may be, each written out."""
    if isinstance(value, ast.IfExp):
        return literals(value.body) + literals(value.orelse)
    assert isinstance(value, ast.Constant), f"line {value.lineno}: not written out"
    assert isinstance(value.value, str)
    return [value.value]


def templates() -> set[str]:
    """Every template that rendering, analysis and the language server put into words."""
    layers = ("rendering", "analysis", "language_server")
    files = [path for layer in layers for path in sorted((PACKAGE / layer).rglob("*.py"))]
    found: set[str] = set()
    for call in calls(*files):
        if called(call) in ("say", "Phrase"):
            if ast.unparse(call).startswith("self.say(one if amount == 1"):
                continue  # `Symbols.plural`, whose callers are looked at
            found.update(literals(call.args[0]))
        elif called(call) == "plural":
            found.update(text for argument in call.args[1:] for text in literals(argument))
    return found


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def has_chinese(text: str) -> bool:
    return re.search("[\u4e00-\u9fff]", text) is not None


def test_every_template_has_a_translation_and_no_translation_is_left_over() -> None:
    found = templates()
    assert len(found) > 100
    assert sorted(found - PHRASES.keys()) == []
    assert sorted(PHRASES.keys() - found) == []


def test_a_translation_has_the_placeholders_of_its_template() -> None:
    for template, translation in [*PHRASES.items(), *LABELS.items()]:
        assert fields(template) == fields(translation), template


def test_a_translation_is_chinese() -> None:
    assert {name for name, text in PHRASES.items() if not has_chinese(text)} == SAME_IN_BOTH
    assert [text for text in LABELS.values() if not has_chinese(text)] == []


MESSAGES = [
    PACKAGE / name
    for name in (
        *("probe_client.py", "inspector.py", "wire/codec.py", "language_server/relay.py"),
        *("probe/answers.py", "probe/columns.py", "probe/entry.py", "probe/kinds.py"),
        *("probe/settings.py", "probe/statistics.py", "probe/stop.py"),
    )
]
_NAMES = ("capability", "label", "message", "FULL", "RELEASED")
_GIVES_LABELS = ("label_of", "obstacle", "_unstrided_capability", "_beginning", "_elsewhere")


def example(value: ast.expr | None) -> str | None:
    """What a text of the source may become: `x` for each value; None where none is written."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    if isinstance(value, ast.JoinedStr):
        return "".join(example(part) or "x" for part in value.values)
    if isinstance(value, ast.BinOp) and example(value.left) is not None:
        return f"{example(value.left)}x"
    return None


def ready_made() -> set[str]:
    """Examples of the labels and errors that reach the language server in English."""
    found: set[str | None] = set()
    for path in MESSAGES:
        for at in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(at, ast.Assign):
                target = getattr(at.targets[0], "id", "")
                found.add(example(at.value) if target in _NAMES else None)
            elif isinstance(at, ast.FunctionDef) and at.name in _GIVES_LABELS:
                returned = [one.value for one in ast.walk(at) if isinstance(one, ast.Return)]
                found.update(map(example, returned))
            elif isinstance(at, ast.Call):
                found.update(map(example, said_by(at)))
    return {text for text in found if text and text != "x"}


def said_by(call: ast.Call) -> list[ast.expr]:
    """Arguments of a call that people get to read."""
    name, arguments = called(call), list(call.args)
    if name in ("EvaluateError", "WireError", "UnknownRootError", "_Kind", "__init__"):
        return arguments[:1]
    if name in ("ProbeError", "error") and len(arguments) > 1:
        return arguments[1:2]
    named = ("message",) if name == "Error" else ("capability",)
    return [one.value for one in call.keywords if one.arg in named]


@cache
def described() -> set[str]:
    """Labels and types of real tensors of every kind."""
    found: set[str] = set()

    def describe(tensor: Any) -> None:
        facts = kinds.describe(tensor)
        found.update((facts.capability, facts.type or ""))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for make in TENSORS.values():
            describe(make())
        for inside in INSIDE.values():
            inside(describe)
    return found


NAMES_ONLY = frozenset({"x: x", "DTensor x", "NestedTensor jagged"})
"""Texts that consist of names and values."""


def test_what_reaches_the_server_ready_made_is_translated() -> None:
    found = ready_made()
    assert {"device busy", "not readable: x", "x raised x", "meta: no data"} <= found
    left = {text for text in found - NAMES_ONLY if not has_chinese(CHINESE.text(text))}
    assert left == set()


def test_every_label_is_one_that_something_says() -> None:
    said = ready_made() | described()
    said |= {f"x: {text}" for text in said}  # as the inspector says of which root it speaks
    for label, translation in LABELS.items():
        alone = Language(labels={label: translation})
        assert [text for text in said if alone.text(text) != text], label


CLASS = re.compile(r"([A-Z]\w*)?")


def test_labels_of_real_tensors_of_every_kind_are_translated() -> None:
    found = described()
    assert "uninitialized" in found
    left = {text for text in found - NAMES_ONLY if not has_chinese(CHINESE.text(text))}
    assert {text for text in left if not CLASS.fullmatch(text)} == set()


@pytest.mark.parametrize(
    ("locale", "is_chinese"),
    [
        *(("zh-cn", True), ("zh_CN", True), ("zh-Hans-CN", True), ("zh-hans", True), ("zh", True)),
        *(("zh_CN.UTF-8", True), ("zh-SG", True), ("zh-Hans-HK", True)),
        # VS Code gives them the extension's own texts in English, too: one view, one language.
        *(("zh-TW", False), ("zh_HK", False), ("zh-Hant", False), ("zh-Hant-CN", False)),
        *(("en", False), ("en-US", False), ("de", False), ("zhx", False), ("", False)),
        (None, False),
    ],
)
def test_the_locale_of_the_editor_chooses_the_language(
    locale: str | None,
    is_chinese: bool,  # noqa: FBT001
) -> None:
    assert language(locale)("frozen") == ("已冻结" if is_chinese else "frozen")


@pytest.mark.parametrize("say", [ENGLISH, CHINESE])
def test_text_of_the_program_is_never_a_template(say: Language) -> None:
    hostile = "{0} {name} {name.__class__} {{}} %s {"
    assert hostile in say("Made by {node}.", node=hostile)
    phrase = Phrase("{name} is frozen: its requires_grad is False", name=hostile)
    assert hostile in say.text(phrase)
    assert hostile in say("{sentence} ({evidence})", sentence=phrase, evidence="x")
    assert hostile in say.text(f"not readable: {hostile}")
    assert say.text(hostile) == hostile


def test_what_is_not_translated_stays_english() -> None:
    assert CHINESE("brand new: {what}", what=1) == "brand new: 1"
    assert CHINESE.text(Phrase("brand new")) == "brand new"


def test_a_phrase_is_its_english_text_and_translates_the_phrases_in_it() -> None:
    inner = Phrase("{name} is a non-leaf", name="cx")
    outer = Phrase("{sentence}, and a tensor of {dtype} cannot have one", sentence=inner, dtype="i")
    assert outer == "cx is a non-leaf, and a tensor of i cannot have one"
    assert CHINESE.text(outer) == "cx 是非叶子张量，而且 i 类型的张量不可能有梯度"
    for again in (copy.deepcopy(outer), pickle.loads(pickle.dumps(outer))):
        assert CHINESE.text(again) == CHINESE.text(outer)


KEPT = frozenset(
    {
        # names of torch and of Python
        *("None", "nan", "NaN", "Inf", "dtype", "requires_grad", "False", "backward", "meta"),
        *("retain_grad", "float32", "float16", "bfloat16", "complex64", "int64", "cuda"),
        *("sparse_coo", "nested", "NameError", "name", "is", "not", "defined", "DTensor", "Shard"),
        *("AsyncCollectiveTensor", "UninitializedParameter", "MulBackward0", "Tensor"),
        *("Sequential", "Conv2d", "MaxPool2d", "BatchNorm2d", "Linear", "Net", "AdamW"),
        *("GradScaler", "CosineAnnealingLR", "Encoder", "Decoder", "Embedding", "Transformer"),
        *(
            "tuple",
            "Everything",
            "badge_of_tomorrow",
            "x",
            "w",
            "cpu",
            "strided",
            "inf",
            "GradPeek",
        ),
        # names of the samples
        *("model", "self", "modle1", "weight", "bias", "running_mean", "num_batches_tracked"),
        *("scale", "net", "encoder", "decoder", "embed", "lm_head", "deep", "grad", "lsos"),
        *("cx", "ox", "batch", "features", "found", "opt", "scaler", "sched"),
        *("off", "inner", "exp_avg", "exp_avg_sq", "al", "memory", "deque", "step", "SGD"),
        *("lr", "weight_decay", "betas", "eps", "amsgrad", "foreach", "lookahead", "True"),
        *("growth_tracker", "enabled", "growth_factor", "backoff_factor", "growth_interval"),
        *("ReduceLROnPlateau", "last_epoch", "last_lr", "best", "num_bad_epochs", "factor"),
        *("patience", "threshold_mode", "rel"),
    }
)
"""All words that stay as they are in Chinese; `name`, `is` … are of Python's own NameError."""
NUMBERED = re.compile(r"(p|copy)\d+|[ej]|[kMBT]")


NOTHING = BackwardEvidence(any_gradient=False, seen_before=False, stepped=False, graph_freed=False)


def explained(root: RootInspection, evidence: BackwardEvidence = NOTHING) -> RootInspection:
    """A sample with the reasons that the analysis gives for what it lacks."""
    for row in root.rows:
        if row.absence is not None:
            row.absence = explain(row, root.root, evidence)
    return root


def rich() -> Inspection:
    """Samples of everything, with names that no word of ours can hide behind."""
    everything = samples.badges()
    for row in everything.rows[1:]:
        row.name = f"p{row.index}"
    computed, *others = samples.small_roots()
    computed.root = replace(computed.root, leaves=["ox", "p1"])
    state = computed.rows[0].state
    assert state is not None
    computed.rows[0].state = replace(state, is_leaf=False, grad_fn="MulBackward0")
    for other in others:
        if other.root.expression == "gradients":
            other.root = replace(other.root, expression="found")
    return building.inspection(
        explained(samples.convolutional()),
        explained(everything, replace(NOTHING, any_gradient=True)),
        samples.shared(),
        explained(computed, replace(NOTHING, graph_freed=True)),
        *map(explained, others),
        *optimizers.optimizers(),
    )


def everything_sent(found: Inspection, say: Language) -> Iterator[str]:
    """Every text about an inspection that an editor is sent, and that the text tree shows."""
    symbols = Symbols(say=say)
    options = editor.Options(
        visible=True,
        console=False,
        order="model",
        hide_plain=False,
        only_problems=False,
        callers=False,
    )
    roots = [ShownRoot(one, pinned=True, reruns=True, stale=True) for one in found.roots]
    shown = [
        ShownProcess(0, "p0", 4711, roots=roots),
        ShownProcess(1, "p1", failure=say("GradPeek failed: {error}", error="x")),
    ]
    tree = Tree(shown, options, symbols)
    waiting: list[Place] = list(tree.top)
    while waiting:
        place = waiting.pop()
        waiting += tree.children(place)
        line = node(place, symbols)
        yield from (line.label, line.spoken, *(cell.text for cell in line.cells))
        known = details.details(place, symbols)
        yield from (known.title, *known.notes, *known.columns)
        for row in known.rows:
            yield from (row.name, *row.texts)
    for root in found.roots:
        bar = status(session(Inspection(found.facts, [root]), symbols), symbols, visible=True)
        yield from (bar.text or "", bar.tooltip)
    for pieces in text_tree.report(found, 200, symbols):
        yield "".join(part for part, _ in pieces)


def session(found: Inspection, symbols: Symbols) -> DebugSession:
    """A session that has stopped, and found this."""

    async def refuse(_: editor.Evaluate) -> editor.Text:
        raise AssertionError("nothing is to be asked")

    stopped = editor.Stopped(session="one", stop=1, frame=1, label="p0", debugger="debugpy")
    made = DebugSession(refuse, stopped, 0, symbols, lambda: None)
    made.stop(1, 1)
    made._inspection = found
    return made


def left_over(text: str) -> set[str]:
    words = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"[\u2e80-\uffff]", " ", text)))
    return {word for word in words if word not in KEPT and not NUMBERED.fullmatch(word)}


def test_all_that_a_chinese_editor_is_sent_is_chinese() -> None:
    texts = list(everything_sent(rich(), CHINESE))
    assert len(texts) > 500
    assert {word: text for text in texts for word in left_over(text)} == {}


def test_the_same_texts_are_english_where_the_editor_is() -> None:
    texts = list(everything_sent(rich(), ENGLISH))
    assert [text for text in texts if has_chinese(text)] == []
    assert any(left_over(text) for text in texts)


Golden = Callable[[str, str], None]


def test_the_chinese_tree_reads_as_the_golden_file(golden: Golden) -> None:
    lines = [
        "".join(part for part, _ in pieces)
        for pieces in text_tree.report(rich(), 120, Symbols(say=CHINESE))
    ]
    assert [line for line in lines if cell_len(line) > 120] == []
    golden("chinese.120.txt", "".join(line + "\n" for line in lines))
