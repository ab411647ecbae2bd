"""The JSON of a stop keeps its contract, docs/json-output.schema.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from golden import building, optimizers, samples
from gradpeek.rendering.json_lines import dumps, stop_object

SCHEMA = Path(__file__).parents[2] / "docs" / "json-output.schema.json"
STOP = {
    "index": 0,
    "file": "/home/ada/train.py",
    "line": 14,
    "function": "train",
    "reason": "breakpoint",
    "process": 4711,
    "thread": "MainThread",
    "frame": 0,
}


def shown(*roots: Any) -> Any:
    line = dumps(stop_object(building.inspection(*roots), STOP, 0.08))
    assert line.isascii()
    assert "\n" not in line
    return json.loads(line)


@pytest.mark.parametrize(
    "roots",
    [
        [],
        [samples.convolutional()],
        [samples.convolutional(backward=False)],
        [samples.badges()],
        [samples.shared()],
        samples.small_roots(),
        [samples.hostile()],
        optimizers.optimizers(),
        [optimizers.hostile()],
    ],
)
def test_a_stop_fits_the_schema(roots: list[Any]) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    errors = list(Draft202012Validator(schema).iter_errors(shown(*roots)))
    assert errors == []


def rows(*roots: Any) -> dict[str, Any]:
    return {row["name"]: row for root in shown(*roots)["roots"] for row in root["rows"]}


def test_a_row_says_its_gradient_or_why_there_is_none() -> None:
    found = rows(samples.convolutional())
    present, frozen = found["modle1.10.weight"]["grad"], found["modle1.0.weight"]["grad"]
    assert (present["state"], present["norm"], present["reason"]) == ("present", 0.366, None)
    assert (frozen["state"], frozen["reason"], frozen["norm"]) == (
        *("none", "requires_grad_false", None),
    )
    assert found["modle1.2.running_mean"]["grad"]["reason"] == "requires_grad_false"


def test_a_module_row_holds_subtotals() -> None:
    found = rows(samples.convolutional())
    assert found["modle1.10"]["grad"]["state"] is None
    assert found["modle1.10"]["grad"]["norm"] == pytest.approx(0.366)
    assert found["modle1.1"]["data"] is None
    assert found["modle1.1"]["grad"] is None


def test_numbers_that_json_lacks_are_text_or_null() -> None:
    found = rows(samples.badges())
    assert found["complex"]["data"]["mean"] == [3.0, -4.0]
    assert found["all_nan"]["data"]["norm"] is None
    model = building.Model()
    model.parameter("w", building.tensor([2], building.numbers(float("inf"), 2, mean=float("nan"))))
    numbers = rows(building.root("m", "module", "Net", model.rows))["w"]["data"]
    assert (numbers["norm"], numbers["mean"]) == ("Infinity", "NaN")


def test_a_tensor_is_named_by_its_expression_and_an_error_has_no_rows() -> None:
    roots = {root["expression"]: root for root in shown(*samples.small_roots())["roots"]}
    assert [row["names"] for row in roots["cx"]["rows"]] == [["cx"]]
    assert roots["lsos"]["rows"] == []
    assert roots["lsos"]["error"] == {
        "code": "expression_failed",
        "message": "NameError: name 'lsos' is not defined",
    }
    assert roots["opt"]["rows"] == []


def test_groups_and_state_have_values_by_name() -> None:
    found = rows(optimizers.optimizer())
    assert found["group 0"]["kind"] == "group"
    assert found["group 0"]["values"] == {
        "lr": 0.001,
        "weight_decay": 0.01,
        "betas": [0.9, 0.999],
        "eps": 1e-08,
        "amsgrad": False,
        "foreach": None,
    }
    assert (found["group 0"]["tensors"], found["group 0"]["elements"]) == (2, 10_800)
    assert found["group 2"]["values"]["lr"] == {"value": None, "label": "on cuda:0"}
    assert found["step"]["values"] == {"min": 1.0, "max": 3.0}
    assert (found["exp_avg"]["tensors"], found["exp_avg"]["elements"]) == (5, 32_400)
    assert found["step"]["data"] is found["step"]["grad"] is None
    assert "values" not in rows(samples.convolutional())["scale"]


def test_names_are_the_true_ones() -> None:
    names = [row["names"][0] for row in shown(samples.hostile())["roots"][0]["rows"]]
    assert f"m0.{samples.HOSTILE_NAMES[0]}" in names
