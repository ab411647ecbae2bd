"""The examples of the documentation under the real command line, against torch in float64."""

from __future__ import annotations

import io
import json
import re
import runpy
from contextlib import redirect_stdout
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import pytest
import torch

from support.command_line import EXAMPLES, at, gradpeek, row, rows
from support.debugging import marked_lines

CNN = EXAMPLES / "cifar10_cnn.py"
LEAF_ALIAS = EXAMPLES / "leaf_alias.py"
BIFPN = EXAMPLES / "bifpn.py"
QUADRATIC = EXAMPLES / "quadratic.py"
TINY_GPT = EXAMPLES / "tiny_gpt.py"
TRAINER = EXAMPLES / "trainer.py"

CNN_TENSORS = {
    "modle1.0.weight": [32, 3, 5, 5],
    "modle1.0.bias": [32],
    "modle1.2.weight": [32, 32, 5, 5],
    "modle1.2.bias": [32],
    "modle1.4.weight": [64, 32, 5, 5],
    "modle1.4.bias": [64],
    "modle1.7.weight": [64, 1024],
    "modle1.7.bias": [64],
    "modle1.8.weight": [10, 64],
    "modle1.8.bias": [10],
}
POOLING = ("modle1.1", "modle1.3", "modle1.5")


@cache
def example(path: Path) -> dict[str, Any]:
    """The names of an example, loaded here."""
    return runpy.run_path(str(path))


def assert_statistics(found: dict[str, Any], tensor: Any) -> None:
    """Compare with torch in float64."""
    exact = tensor.detach().double()
    rms = exact.square().mean().sqrt().item()
    assert found["norm"] == pytest.approx(exact.norm().item(), rel=1e-5)
    assert found["mean"] == pytest.approx(exact.mean().item(), abs=1e-5 * rms)
    assert found["std"] == pytest.approx(exact.std(correction=0).item(), rel=1e-5)
    assert found["min"] == pytest.approx(exact.min().item(), rel=1e-5)
    assert found["max"] == pytest.approx(exact.max().item(), rel=1e-5)
    assert found["count"] == exact.numel()
    assert found["zeros"] == int((exact == 0).sum())
    assert found["nan"] == found["posinf"] == found["neginf"] == 0


def first_backward(module: Any, loss: Any) -> dict[str, Any]:
    """Parameters and their gradients after one backward, by name."""
    loss.backward()
    return dict(module.named_parameters())


def test_the_cnn_has_no_gradients_before_backward_and_exact_ones_after_it(tmp_path: Path) -> None:
    shown = tmp_path / "stops.jsonl"
    both = (at(CNN, "before backward"), at(CNN, "after backward"))
    ended = gradpeek(
        "run", *both, "--stops=2", "--format=json", f"--output={shown}", str(CNN), "--batches=1"
    )
    assert ended.status == 0, ended.stderr
    before, after = [json.loads(line) for line in shown.read_text().splitlines()]
    lines = marked_lines(CNN)
    for index, (stop, mark) in enumerate(((before, "before backward"), (after, "after backward"))):
        assert stop["version"] == 1
        assert stop["findings"] == []
        assert stop["stop"]["index"] == index
        assert stop["stop"]["file"] == str(CNN)
        assert stop["stop"]["line"] == lines[mark]
        assert stop["stop"]["function"] == "train"
        assert stop["stop"]["reason"] == "breakpoint"
        tensors = {one["name"]: one for one in rows(stop, "model") if one["kind"] == "parameter"}
        assert {name: one["shape"] for name, one in tensors.items()} == CNN_TENSORS
        for layer in POOLING:
            pooling = row(stop, "model", layer)
            assert (pooling["kind"], pooling["module_type"]) == ("module", "MaxPool2d")
            assert pooling["data"] is None
            assert pooling["grad"] is None

    cnn = example(CNN)
    torch.manual_seed(0)
    [(imgs, targets)] = cnn["digits"](1)
    model = cnn["Net"]()
    loss_result = torch.nn.functional.cross_entropy(model(imgs), targets)
    for name, parameter in first_backward(model, loss_result).items():
        early, late = row(before, "model", name), row(after, "model", name)
        assert early["grad"]["state"] == "none"
        assert early["grad"]["reason"] == "no_backward_yet"
        assert early["grad"]["evidence"] == "inferred"
        assert_statistics(early["data"], parameter)
        assert late["grad"]["state"] == "present"
        assert late["grad"]["shape"] == list(parameter.shape)
        assert late["badges"] == []
        assert_statistics(late["grad"], parameter.grad)
    everything = torch.cat([parameter.grad.flatten() for parameter in model.parameters()])
    assert_statistics(row(after, "model", "")["grad"], everything)
    loss_row = row(after, "loss_result", "loss_result")
    assert loss_row["data"]["mean"] == pytest.approx(loss_result.item(), rel=1e-5)

    own = io.StringIO()
    with redirect_stdout(own):
        cnn["train"](1)
    assert ended.stdout == own.getvalue(), "the program's own output is all there is on stdout"


def test_gradients_that_were_not_cleared_are_told_from_the_coming_ones() -> None:
    ended = gradpeek(
        "run",
        at(CNN, "before backward"),
        "--stops=2",
        "--then=kill",
        "--format=json",
        "--show=model",
        str(CNN),
        "--forget-zero-grad",
    )
    assert ended.status == 0, ended.stderr
    first, own, second = ended.stdout.splitlines()
    assert own.startswith("batch 0: loss "), "killed before the second batch was done"
    before, again = json.loads(first), json.loads(second)
    assert [root["expression"] for root in again["roots"]] == ["model"]
    assert row(before, "model", "modle1.0.weight")["grad"]["reason"] == "no_backward_yet"
    for name in CNN_TENSORS:
        assert row(again, "model", name)["grad"]["state"] == "present"
        assert row(again, "model", name)["badges"] == ["earlier_backward"]


def test_cleared_gradients_are_not_taken_for_a_first_backward() -> None:
    ended = gradpeek(
        "run", at(CNN, "before backward"), "--stops=0", "--format=json", str(CNN), "--batches=2"
    )
    assert ended.status == 0, ended.stderr
    stops = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
    assert [stop["stop"]["index"] for stop in stops] == [0, 1], "every stop"
    reasons = [row(stop, "model", "modle1.8.bias")["grad"]["reason"] for stop in stops]
    assert reasons == ["no_backward_yet", "unknown"]
    assert ended.stdout.count("batch ") == 2, "it ran to its end"


def test_a_rebound_name_is_a_non_leaf_and_its_gradient_is_at_the_leaf() -> None:
    ended = gradpeek("run", at(LEAF_ALIAS, "after backward"), "--format=json", str(LEAF_ALIAS))
    assert ended.status == 0, ended.stderr
    stop, own = ended.stdout.splitlines()
    found = json.loads(stop)
    cx = row(found, "cx", "cx")
    assert (cx["requires_grad"], cx["is_leaf"]) == (True, False)
    assert (cx["grad"]["state"], cx["grad"]["reason"]) == ("none", "non_leaf")
    assert cx["grad"]["evidence"] == "observed"
    assert "to ox;" in cx["grad"]["text"]
    for name in ("ox", "cy1", "cd"):
        leaf = row(found, name, name)
        assert leaf["is_leaf"]
        assert leaf["grad"]["state"] == "present"
    values = {name: row(found, name, name)["data"]["mean"] for name in ("ox", "cy1", "cd")}
    assert row(found, "ox", "ox")["grad"]["mean"] == pytest.approx(6000 * values["cd"])
    assert row(found, "cy1", "cy1")["grad"]["mean"] == pytest.approx(-4000 * values["cd"])
    assert row(found, "cd", "cd")["grad"]["mean"] == pytest.approx(
        6000 * values["ox"] - 4000 * values["cy1"]
    )
    assert own.startswith("ox.grad tensor(")


def test_parameters_that_a_module_made_itself_stand_beside_its_layers() -> None:
    ended = gradpeek("run", at(BIFPN, "after backward"), "--then=kill", "--format=json", str(BIFPN))
    assert ended.status == 0, ended.stderr
    (stop,) = ended.stops
    torch.manual_seed(0)
    bifpn = example(BIFPN)["BiFPN"](channels=8)
    fine, coarse = torch.rand(2, 8, 16, 16), torch.rand(2, 8, 8, 8)
    loss = torch.nn.functional.mse_loss(bifpn(fine, coarse), torch.rand(2, 8, 16, 16))
    for name, parameter in first_backward(bifpn, loss).items():
        found = row(stop, "bifpn", name)
        assert found["kind"] == "parameter"
        assert_statistics(found["data"], parameter)
        assert_statistics(found["grad"], parameter.grad)
    assert row(stop, "bifpn", "w1")["module_type"] == "BiFPN"
    assert row(stop, "bifpn", "norm.running_mean")["kind"] == "buffer"
    assert row(stop, "bifpn", "upsample")["data"] is None


def test_the_derivative_of_a_quadratic_is_right_and_roots_are_those_asked_for() -> None:
    ended = gradpeek(
        "run",
        at(QUADRATIC, "after backward"),
        "--show=a",
        "--show=x",
        "--show=2 * a * x",
        "--format=json",
        str(QUADRATIC),
    )
    assert ended.status == 0, ended.stderr
    stop, own = ended.stdout.splitlines()
    found = json.loads(stop)
    assert [root["expression"] for root in found["roots"]] == ["a", "x", "2 * a * x"]
    assert row(found, "a", "a")["grad"]["reason"] == "requires_grad_false"
    derivative = row(found, "2 * a * x", "2 * a * x")
    assert row(found, "x", "x")["grad"]["mean"] == derivative["data"]["mean"] == 12
    assert own == "autograd 12.0, 2ax 12.0"


def test_a_gpt_shows_its_tied_weights_once_and_its_frozen_ones_as_frozen() -> None:
    ended = gradpeek(
        "run",
        at(TINY_GPT, "after backward"),
        "--then=kill",
        "--show=model",
        "--format=json",
        str(TINY_GPT),
    )
    assert ended.status == 0, ended.stderr
    (stop,) = ended.stops
    torch.manual_seed(0)
    gpt = example(TINY_GPT)
    windows, vocabulary = gpt["batch"]()
    model = gpt["GPT"](vocabulary)
    scores = model(windows[:, :-1]).flatten(0, 1)
    torch.nn.functional.cross_entropy(scores, windows[:, 1:].flatten()).backward()

    parameters = [one for one in rows(stop, "model") if one["kind"] == "parameter"]
    names = [name for one in parameters for name in one["names"]]
    every = dict(model.named_parameters(remove_duplicate=False))
    assert sorted(names) == sorted(every), "each name exactly once"
    distinct = sum(parameter.numel() for parameter in model.parameters())
    assert sum(prod(one["shape"]) for one in parameters) == distinct
    assert row(stop, "model", "")["data"]["count"] == distinct
    tied = row(stop, "model", "lm_head.weight")
    assert tied["names"] == ["wte.weight", "lm_head.weight"]
    assert tied["badges"] == ["tied"]
    for one in parameters:
        parameter = every[one["name"]]
        assert_statistics(one["data"], parameter)
        if one["name"] == "wpe.weight":
            assert one["badges"] == ["frozen"]
            assert one["grad"]["reason"] == "requires_grad_false"
        else:
            assert_statistics(one["grad"], parameter.grad)


def test_a_trainer_run_as_a_module_gets_its_arguments_and_shows_what_self_holds() -> None:
    ended = gradpeek(
        "run",
        at(TRAINER, "after backward"),
        "--format=json",
        "-m",
        "examples.trainer",
        "--lr",
        "0",
        "--steps",
        "1",
    )
    assert ended.status == 0, ended.stderr
    stop, own = ended.stdout.splitlines()
    found = json.loads(stop)
    kinds = {root["expression"]: root["kind"] for root in found["roots"]}
    assert kinds == {
        "self.model": "module",
        "loss": "tensor",
        "self.optimizer": "optimizer",
        "self.scheduler": "scheduler",
    }
    badges = {name: row(found, "self.model", name)["badges"] for name in ("0.weight", "2.weight")}
    assert badges == {"0.weight": [], "2.weight": ["not_in_optimizer"]}
    assert own.startswith("step 0: loss ")


def test_frame_selects_a_caller() -> None:
    ended = gradpeek(
        "run",
        at(TRAINER, "after backward"),
        "--frame=1",
        "--show=trainer.model[0]",
        "--then=kill",
        "--format=json",
        str(TRAINER),
    )
    assert ended.status == 0, ended.stderr
    (stop,) = ended.stops
    assert stop["stop"]["frame"] == 1
    assert stop["stop"]["function"] == "main"
    assert row(stop, "trainer.model[0]", "weight")["shape"] == [16, 4]


def test_the_text_tree_is_one_line_a_row_in_the_order_of_the_model() -> None:
    ended = gradpeek(
        "run", at(CNN, "after backward"), "--then=kill", "--show=model", str(CNN), "--batches=1"
    )
    assert ended.status == 0, ended.stderr
    number = r"-?\d[\d.e+-]*"
    patterns = [
        r"examples/cifar10_cnn\.py:\d+ in train \(breakpoint, process \d+, MainThread\)",
        "",
        rf"model  Net  .*‖w‖ {number} +‖∇‖ {number}",
        rf"└── modle1  Sequential +‖w‖ {number} +‖∇‖ {number}",
        rf"    ├── 0  Conv2d +‖w‖ {number} +‖∇‖ {number}",
        rf"    │   ├── weight  \[32,3,5,5\] float32 +‖w‖ 3\.27 +∇ {number}",
        rf"    │   └── bias +\[32\] float32 +‖w‖ {number} +∇ {number}",
        r"    ├── 1  MaxPool2d  \(no parameters\)",
    ]
    lines = ended.stdout.splitlines()
    for line, pattern in zip(lines, patterns, strict=False):
        assert_matches(line, pattern)
    assert any("all have a gradient" in line for line in lines)
    assert "\x1b" not in ended.stdout, "plain when piped"
    assert max(map(len, lines)) <= 100


def assert_matches(line: str, pattern: str) -> None:
    assert re.fullmatch(pattern, line.rstrip()), f"{line!r} is not {pattern!r}"
