"""What the probe says of optimizers, scalers and schedulers, against their own `state_dict`."""

from __future__ import annotations

import enum
import math
from collections import defaultdict
from typing import Any

import pytest
import torch
from torch import nn

from gradpeek.probe.settings import BITS_LIMIT, ITEMS_LIMIT, TEXT_LIMIT, VALUES_LIMIT
from support.fixtures_optimizers import (
    OPTIMIZERS,
    SCALERS,
    SCHEDULERS,
    SETTINGS,
    has_scaler_on_cpu,
    stepped,
    weights,
)
from support.probing import ask, new_stop


def look(value: Any) -> Any:
    """The probe's answer about the rows of one root."""
    stop = new_stop()
    (root,) = ask(stop, "roots", {"expressions": ["value"]}, {"value": value})["roots"]
    return ask(stop, "rows", {"root": root["id"]}, {})


def told(value: Any) -> dict[str, Any]:
    """By name of each row its kind, path, counts, and its values by name."""
    page = look(value)
    found = {}
    for one in page["settings"]:
        values = {
            v["name"]: v["value"] if v["label"] is None else v["label"] for v in one["values"]
        }
        name = page["name"][one["row"]]
        found[name] = {**one, "kind": page["kind"][one["row"]], "values": values}
    return found


def as_json(value: Any) -> Any:
    """What torch says, as the wire carries it; None for what is no plain value."""
    if isinstance(value, torch.Tensor):
        return value.item() if value.numel() == 1 and value.device.type == "cpu" else None
    if isinstance(value, (list, tuple)):
        return [as_json(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_groups_say_what_the_state_dict_of_the_optimizer_says(kind: str) -> None:
    optimizer = OPTIMIZERS[kind]()
    rows = told(optimizer)
    for at, group in enumerate(optimizer.state_dict()["param_groups"]):
        row = rows[f"group {at}"]
        members = optimizer.param_groups[at]["params"]
        assert (row["kind"], row["path"]) == ("group", f".param_groups[{at}]")
        assert (row["tensors"], row["elements"]) == (len(members), sum(p.numel() for p in members))
        expected = {name: as_json(value) for name, value in group.items() if name != "params"}
        expected.pop("param_names", None)
        assert row["values"] == expected


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_state_says_what_the_state_dict_of_the_optimizer_says(kind: str) -> None:
    optimizer = OPTIMIZERS[kind]()
    rows = {name: row for name, row in told(optimizer).items() if row["kind"] == "state"}
    kept = defaultdict(list)
    for slot in optimizer.state_dict()["state"].values():
        for name, value in slot.items():
            if value is not None:
                kept[name].append(value)
    assert list(rows) == list(kept)
    for name, values in kept.items():
        row = rows[name]
        if any(isinstance(one, torch.Tensor) and one.numel() != 1 for one in values):
            assert (row["tensors"], row["elements"]) == (
                len(values),
                sum(one.numel() for one in values),
            )
            assert row["values"]["dtype"] == str(values[0].dtype).replace("torch.", "")
        elif isinstance(values[0], list):
            assert list(row["values"]) == ["value"]
        elif isinstance(values[0], torch.Tensor) and values[0].is_meta:
            assert row["values"] == {"value": "on meta"}
        else:
            numbers = [as_json(one) for one in values]
            same = {"value": numbers[0]}
            ends = {"min": min(numbers), "max": max(numbers)}
            assert row["values"] == (same if len(set(numbers)) == 1 else ends)


def test_steps_that_differ_from_parameter_to_parameter_are_a_range() -> None:
    rows = told(OPTIMIZERS["parameters that came late"]())
    assert rows["step"]["values"] == {"min": 2.0, "max": 5.0}
    assert rows["exp_avg"]["tensors"] == 2


@pytest.mark.parametrize("kind", SCALERS)
def test_a_scaler_says_what_its_state_dict_says(kind: str) -> None:
    scaler = SCALERS[kind]()
    rows, expected = told(scaler), scaler.state_dict()
    shown = {name: row["values"]["value"] for name, row in rows.items() if name != "settings"}
    shown.update(rows["settings"]["values"])
    assert shown.pop("enabled") == scaler.is_enabled()
    assert shown == {name.lstrip("_"): value for name, value in expected.items()}
    for name, row in rows.items():
        if name != "settings":
            assert as_json(eval("scaler" + row["path"])) == row["values"]["value"]


def test_a_scaler_that_found_infinities_shows_the_scale_that_it_has_now() -> None:
    if not has_scaler_on_cpu():
        assert list(SCALERS) == ["disabled"]
        return
    assert told(SCALERS["used"]())["scale"]["values"] == {"value": 2.0**38}


@pytest.mark.parametrize("kind", SCHEDULERS)
def test_a_scheduler_says_what_its_state_dict_says(kind: str) -> None:
    scheduler = SCHEDULERS[kind]()
    rows, state = told(scheduler), scheduler.state_dict()
    settings = rows.pop("settings", {"values": {}})["values"]
    for row in rows.values():
        assert row["values"]["value"] == as_json(eval("scheduler" + row["path"]))
    assert {"last_epoch"} <= rows.keys()
    sources = {"last_lr": "_last_lr"}
    assert {sources.get(name, name) for name in rows} <= state.keys()
    if hasattr(scheduler, "get_last_lr") and "_last_lr" in state:
        assert rows["last_lr"]["values"]["value"] == scheduler.get_last_lr()
    for name, value in settings.items():
        if isinstance(state.get(name), (int, float, str, list)) and name != "lr_lambdas":
            assert value == as_json(state[name])


def test_a_plateau_shows_its_best_and_how_long_it_waits() -> None:
    rows = told(SCHEDULERS["ReduceLROnPlateau"]())
    assert rows["best"]["values"] == {"value": 3.5}
    assert rows["num_bad_epochs"]["values"]["value"] in (0, 1, 2)
    assert rows["settings"]["values"]["mode_worse"] == "Infinity"


class Wrapping(torch.optim.Optimizer):
    """As accelerate wraps an optimizer: no groups of its own."""

    def __init__(self, optimizer: Any) -> None:
        self.optimizer = optimizer

    @property
    def param_groups(self) -> Any:
        """Never to be run by us."""
        raise RuntimeError("touched")

    @param_groups.setter
    def param_groups(self, value: Any) -> None:
        raise RuntimeError("touched")

    state = param_groups


def test_an_optimizer_that_wraps_another_shows_its_groups_and_where_they_are() -> None:
    inner = stepped(torch.optim.AdamW(weights(), lr=0.5))
    wrapping = Wrapping(inner)
    rows = told(wrapping)
    assert list(rows) == ["group 0", "step", "exp_avg", "exp_avg_sq"]
    assert rows["group 0"]["values"]["lr"] == 0.5
    assert eval("wrapping" + rows["group 0"]["path"]) is inner.param_groups[0]


@pytest.mark.parametrize("kind", SETTINGS)
def test_rows_without_tensors_have_nothing_to_measure(kind: str) -> None:
    value = SETTINGS[kind]()
    stop = new_stop()
    (root,) = ask(stop, "roots", {"expressions": ["value"]}, {"value": value})["roots"]
    answer = ask(stop, "statistics", {"root": root["id"]}, {})
    assert (answer["items"], answer["row"], answer["cursor"]) == (0, [], None)


class Half(enum.IntEnum):
    one = 1


class Odd:
    def __repr__(self) -> str:
        raise RuntimeError("touched")


VALUES: Any = {
    "none": (None, (None, None)),
    "a truth": (True, (True, None)),
    "a number": (3, (3, None)),
    "an enum": (Half.one, (1, None)),
    "infinity": (float("inf"), ("Infinity", None)),
    "a long number": (1 << BITS_LIMIT, (None, "int")),
    "a text": ("head", ("head", None)),
    "a long text": ("x" * 10_000, ("x" * TEXT_LIMIT + "…", None)),
    "a tuple": ((0.9, None, "a", True), ([0.9, None, "a", True], None)),
    "a long list": (list(range(50)), (list(range(ITEMS_LIMIT)), f"first {ITEMS_LIMIT} of 50")),
    "a tuple of objects": ((1, Odd()), (None, "tuple")),
    "a nested list": ([[1]], (None, "list")),
    "an object": (Odd(), (None, "Odd")),
    "a class": (Odd, (None, "type")),
    "a dict": ({"a": 1}, (None, "dict")),
    "a function": (stepped, (None, "function")),
    "a tensor of one element": (torch.tensor([2.5]), (2.5, None)),
    "a tensor of many": (torch.ones(3), (None, "Tensor")),
    "a complex tensor": (torch.tensor(1j), (None, "complex")),
    "a parameter": (nn.Parameter(torch.tensor(2).float()), (2.0, None)),
    "a tensor elsewhere": (torch.ones(1, device="meta"), (None, "on meta")),
    "tensors in a list": ([torch.tensor(1.5), 2], ([1.5, 2], None)),
    "tensors elsewhere in a list": ([torch.ones((), device="meta")], (None, "on meta")),
    "a sparse tensor of one": (torch.ones(1).to_sparse(), (None, "Tensor")),
}


@pytest.mark.parametrize("kind", VALUES)
def test_a_value_is_told_as_it_is_or_stands_behind_a_label(kind: str) -> None:
    value, expected = VALUES[kind]
    optimizer = torch.optim.SGD(weights(), lr=0.1)
    optimizer.param_groups[0]["strange"] = value
    values = look(optimizer)["settings"][0]["values"]
    (one,) = [one for one in values if one["name"] == "strange"]
    assert (one["value"], one["label"]) == expected


def test_a_number_of_numpy_is_a_number() -> None:
    numpy = pytest.importorskip("numpy")
    optimizer = torch.optim.SGD(weights(), lr=0.1)
    optimizer.param_groups[0]["lr"] = numpy.float64(0.25)
    assert told(optimizer)["group 0"]["values"]["lr"] == 0.25


def test_more_values_and_kinds_of_state_than_anyone_reads_are_left_out() -> None:
    optimizer = torch.optim.SGD(weights(), lr=0.1)
    many = {f"v{at}": at for at in range(1000)}
    optimizer.param_groups[0].update(many)
    optimizer.state[optimizer.param_groups[0]["params"][0]] = many
    rows = told(optimizer)
    assert len(rows["group 0"]["values"]) == VALUES_LIMIT
    assert len(rows) == 1 + VALUES_LIMIT


def test_rows_come_page_by_page() -> None:
    stop = new_stop()
    value = OPTIMIZERS["two groups"]()
    (root,) = ask(stop, "roots", {"expressions": ["value"]}, {"value": value})["roots"]
    page = ask(stop, "rows", {"root": root["id"], "offset": 1, "limit": 1}, {})
    assert (page["total"], page["name"]) == (3, ["group 1"])
    assert [one["row"] for one in page["settings"]] == [1]


BROKEN: Any = {
    "no groups": {"param_groups": None},
    "groups that are no dicts": {"param_groups": [3, None, []]},
    "groups without parameters": {"param_groups": [{}]},
    "parameters that are no list": {"param_groups": [{"params": 3, 4: 5}]},
    "state that is no dict": {"state": [1]},
    "slots that are no dicts": {"state": {1: 2, "a": None}},
}


@pytest.mark.parametrize("kind", BROKEN)
def test_an_optimizer_in_disarray_gets_an_answer(kind: str) -> None:
    optimizer = torch.optim.SGD(weights(), lr=0.1)
    optimizer.__dict__.update(BROKEN[kind])
    page = look(optimizer)
    assert page["total"] == len(page["settings"]) == len(page["name"])
