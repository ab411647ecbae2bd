"""Expressions that an editor asks for: under the cursor, of rows, and which run code."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradpeek.language_server.expressions import member, refreshes, under_cursor

LINE = "loss = self.model.layers[0](x) + d['k'].w  # the model"


@pytest.mark.parametrize(
    ("line", "marked", "expression"),
    [
        (LINE, "lo|ss", "loss"),
        (LINE, "se|lf", "self"),
        (LINE, "mod|el.", "self.model"),
        (LINE, "|layers", "self.model.layers"),
        (LINE, "layers|", "self.model.layers"),
        (LINE, "layers[|0", "self.model.layers[0]"),
        (LINE, "[0]|", "self.model.layers[0]"),
        (LINE, "(|x)", "x"),
        (LINE, "['|k']", "d['k']"),
        (LINE, "'].|w", "d['k'].w"),
        (LINE, "# the mo|del", ""),
        (LINE, " |= ", ""),
        ("for p in model.parame", "mod|el", "model"),
        ("    return model.head[-1", "he|ad", "model.head"),
        ("x[-1].grad", "gr|ad", "x[-1].grad"),
        ("x[i].grad", "gr|ad", ""),
        ("f(x).grad", "gr|ad", ""),
        ("名字.weight", "wei|ght", "名字.weight"),
        ("s = '🔥' + model.w", "model.|w", "model.w"),
        ("", "|", ""),
    ],
)
def test_the_chain_ends_with_the_word_at_the_cursor(
    line: str, marked: str, expression: str
) -> None:
    before, _, after = marked.partition("|")
    at = line.index(before + after) + len(before)
    assert under_cursor(line, len(line[:at].encode("utf-16-le")) // 2) == expression


@given(st.text(alphabet="ab.[]()'\"0- \t#\\🔥=\n:", max_size=30), st.integers(0, 40))
def test_any_line_and_place_give_an_expression_that_parses_or_nothing(
    line: str, character: int
) -> None:
    found = under_cursor(line, character)
    assert found in line
    if found:
        ast.parse(found, mode="eval")
        assert refreshes(found)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("model", True),
        ("self.model.layers[0]", True),
        ("d['a'][-1].w", True),
        ("model()", False),
        ("layers[i]", False),
        ("layers[f()]", False),
        ("a + b", False),
        ("model.layers[0].forward(x)", False),
        ("not python at all", True),
        ("(model)", True),
    ],
)
def test_only_names_attributes_and_constant_subscripts_are_evaluated_by_themselves(
    expression: str, expected: object
) -> None:
    assert refreshes(expression) is expected


class Holder:
    """What a module is to Python here: attributes, and tables by name."""

    def __init__(self, **names: Any) -> None:
        self._modules = self._parameters = self._buffers = names
        self.__dict__.update(names)

    def __getitem__(self, key: Any) -> Any:
        return self._modules[str(key)]


@pytest.mark.parametrize("kind", ["module", "parameter", "buffer", "tensor"])
@pytest.mark.parametrize("holder_type", ["Net", "Sequential", "ModuleDict", None])
@pytest.mark.parametrize(
    "name", ["conv", "0", "12", "class", "a b", "it's", "<img>", "名", "a\nb", "__private"]
)
def test_the_expression_of_a_member_evaluates_to_it(
    kind: str, holder_type: str | None, name: str
) -> None:
    thing = object()
    expression = member("m", holder_type, kind, name)
    assert eval(expression, {"m": Holder(**{name: thing})}) is thing
