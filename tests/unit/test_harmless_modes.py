"""The program's modes, transforms, hooks and compiler see nothing of what the probe does."""

from __future__ import annotations

import base64
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

from gradpeek.injection import Injection, build, probe_sources
from support.fingerprint import process_state
from support.probing import Seen, ask, look, measure, new_stop, rows_of


class FunctionLogger(TorchFunctionMode):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.seen.append(func)
        return func(*args, **(kwargs or {}))


class DispatchLogger(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.seen.append(func)
        return func(*args, **(kwargs or {}))


def trained() -> dict[str, Any]:
    """A frame in training: a model with gradients, its optimizer, sparse and half tensors."""
    torch.manual_seed(7)
    model = nn.Sequential(nn.Linear(4, 5), nn.BatchNorm1d(5), nn.Linear(5, 2))
    model.register_buffer("halves", torch.randn(6).half())
    model.register_buffer("sparse", torch.eye(3).to_sparse())
    model.register_buffer("strided", torch.randn(6, 4)[::2, 1:].t())
    loss = model(torch.randn(8, 4)).square().mean()
    loss.backward(retain_graph=True)
    return {"model": model, "loss": loss, "optimizer": torch.optim.Adam(model.parameters())}


def everything(names: dict[str, Any]) -> list[Any]:
    """All that the probe tells of a frame's model: roots, rows and statistics."""
    stop = new_stop()
    found = ask(stop, "roots", {}, names)
    answers: list[Any] = [found]
    for root in found["roots"]:
        rows = rows_of(stop, root["id"])
        measure(stop, root["id"], rows)
        answers += [_plain(row) for row in rows]
        for at, row in enumerate(rows):
            if row.facts is not None and row.facts["numel"]:
                params = {"root": root["id"], "row": at, "part": "data"}
                answers.append(ask(stop, "histogram", params, names))
    ask(stop, "release", {}, names)
    return answers


def _plain(row: Seen) -> dict[str, Any]:
    fields = dict(vars(row))
    for part in ("data", "grad"):
        moments = fields[part]
        if moments is not None and not isinstance(moments, str):
            fields[part] = {name: getattr(moments, name) for name in moments.__slots__}
    return fields


@contextlib.contextmanager
def switched(switch: Callable[[Any], Any], value: Any, before: Any) -> Iterator[None]:
    switch(value)
    try:
        yield
    finally:
        switch(before)


def saving(log: list[str]) -> Any:
    def note(tensor: Any) -> Any:
        log.append("hook")
        return tensor

    return torch.autograd.graph.saved_tensors_hooks(note, note)


MODES: dict[str, Callable[[], Any]] = {
    "a device context": lambda: torch.device("meta"),
    "a default device": lambda: switched(torch.set_default_device, "meta", None),
    "autocast": lambda: torch.autocast("cpu", torch.bfloat16),
    "inference mode": torch.inference_mode,
    "no grad": torch.no_grad,
    "grad enabled": torch.enable_grad,
    "a default dtype": lambda: switched(torch.set_default_dtype, torch.float64, torch.float32),
    "deterministic algorithms": lambda: switched(torch.use_deterministic_algorithms, True, False),
    "anomaly mode": torch.autograd.detect_anomaly,
    "autocast cache off": lambda: switched(torch.set_autocast_cache_enabled, False, True),
}


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
@pytest.mark.parametrize("mode", MODES)
def test_a_mode_neither_bends_the_answers_nor_is_left_another(mode: str) -> None:
    names = trained()
    outside = everything(names)
    with MODES[mode]():
        before = process_state()
        inside = everything(names)
        assert process_state() == before
    assert inside == outside


def test_function_and_dispatch_modes_see_no_operation_and_bend_no_answer() -> None:
    names = trained()
    outside = everything(names)
    with FunctionLogger() as functions, DispatchLogger() as operations:
        inside = everything(names)
    assert functions.seen == []
    assert operations.seen == []
    assert inside == outside


def test_a_flop_counter_counts_nothing_of_ours() -> None:
    names = trained()
    with FlopCounterMode(display=False) as counter:
        names["model"](torch.ones(2, 4))
        flops = counter.get_total_flops()
        everything(names)
        assert counter.get_total_flops() == flops


def test_the_profiler_records_nothing_of_ours_and_goes_on_recording() -> None:
    names = trained()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        everything(names)
        torch.full((3,), 1.0)
    events = {event.name for event in profile.events()}
    assert "aten::full" in events
    assert events <= {"aten::full", "aten::empty", "aten::fill_"}


def test_hooks_on_saved_tensors_are_not_run() -> None:
    log: list[str] = []
    weight = torch.ones(3, requires_grad=True)
    with saving(log):
        loss = weight.exp().sum()
        packed = len(log)
        everything({"weight": weight, "loss": loss})
    everything({"weight": weight, "loss": loss})
    assert len(log) == packed
    loss.backward()
    assert len(log) > packed


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_a_checkpointed_region_is_not_computed_again(*, use_reentrant: bool) -> None:
    calls: list[int] = []
    layer = nn.Linear(3, 3)

    def region(value: Any) -> Any:
        calls.append(1)
        return layer(value).tanh()

    value = torch.ones(2, 3, requires_grad=True)
    loss = checkpoint(region, value, use_reentrant=use_reentrant).sum()
    everything({"layer": layer, "loss": loss, "value": value})
    assert calls == [1]
    loss.backward()
    assert calls == [1, 1]
    everything({"layer": layer, "loss": loss, "value": value})
    assert calls == [1, 1]


def inside_vmap(visit: Callable[[], bool]) -> Any:
    return torch.func.vmap(lambda x: x.sin() if visit() else x)(torch.ones(3))


def inside_grad(visit: Callable[[], bool]) -> Any:
    return torch.func.grad(lambda x: x.sin().sum() if visit() else x)(torch.ones(3))


def inside_jvp(visit: Callable[[], bool]) -> Any:
    one = torch.ones(3)
    return torch.func.jvp(lambda x: x.sin() if visit() else x, (one,), (one,))[1]


def inside_hessian(visit: Callable[[], bool]) -> Any:
    return torch.func.hessian(lambda x: x.sin().sum() if visit() else x)(torch.ones(3))


def inside_backward_of_a_function(visit: Callable[[], bool]) -> Any:
    class Sine(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.sin()

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            visit()
            return gradient * ctx.saved_tensors[0].cos()

    x = torch.ones(3, requires_grad=True)
    Sine.apply(x).sum().backward()
    return x.grad


def inside_a_tensor_hook(visit: Callable[[], bool]) -> Any:
    x = torch.ones(3, requires_grad=True)
    y = x.sin()
    y.register_hook(lambda gradient: gradient if visit() else None)
    y.sum().backward()
    return x.grad


def inside_an_unpack_hook(visit: Callable[[], bool]) -> Any:
    x = torch.ones(3, requires_grad=True)

    def unpack(tensor: Any) -> Any:
        visit()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
        y = x.sin().sum()
    y.backward()
    return x.grad


PLACES = [
    *(inside_vmap, inside_grad, inside_jvp, inside_hessian),
    *(inside_backward_of_a_function, inside_a_tensor_hook, inside_an_unpack_hook),
]


@pytest.mark.parametrize("place", PLACES)
def test_a_stop_deep_inside_of_torch_answers_as_outside_and_changes_nothing(
    place: Callable[[Callable[[], bool]], Any],
) -> None:
    names = trained()
    outside = everything(names)
    expected = place(lambda: True)
    looks: list[Any] = []

    def visit() -> bool:
        before = process_state()
        looks.append(everything(names))
        assert process_state() == before
        return True

    assert torch.equal(place(visit), expected)
    assert looks
    assert all(answers == outside for answers in looks)


def test_a_view_whose_history_is_broken_has_an_answer() -> None:
    base = torch.zeros(3) * torch.ones(3, requires_grad=True)
    with torch.no_grad():
        view = base.view(3)
    base.mul_(2)
    everything({"view": view})
    (row,) = look(view)
    assert row.data is not None
    assert row.state is not None
    assert not row.state["is_leaf"]


@pytest.fixture
def injected() -> Iterator[Injection]:
    """A probe that no other test has loaded, under the file names that it has in a debuggee."""
    injection = build({**probe_sources(), "aside": "MARK = 2\n"})
    yield injection
    for name in [name for name in sys.modules if name.startswith(injection.package)]:
        del sys.modules[name]


def _question(stop: str, method: str, **params: Any) -> str:
    question = {"version": 1, "id": 1, "stop": stop, "method": method, "params": params}
    return base64.b64encode(json.dumps(question).encode()).decode()


def _expressions(injection: Injection) -> list[str]:
    """What a debugger would be given to evaluate."""
    stop = new_stop()
    questions = (
        _question(stop, "roots", expressions=["model", "x * 2", "model(x)"]),
        _question(stop, "rows", root=1),
        _question(stop, "statistics", root=1),
        _question(stop, "histogram", root=1, row=1, part="data"),
        _question(stop, "release"),
    )
    return [injection.call(question) for question in questions]


@pytest.mark.parametrize("dynamo_is_loaded", [True, False])
def test_a_stop_inside_of_a_compiled_region_gives_the_compiler_nothing_of_ours(
    *, injected: Injection, dynamo_is_loaded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch._dynamo
    from torch._dynamo.utils import counters

    graphs: list[str] = []
    names: dict[str, Any] = {"model": nn.Linear(3, 3)}
    replies: list[str] = []

    def backend(module: Any, inputs: Any) -> Any:
        graphs.append(module.code)
        return module.forward

    def pieces(x: Any, asks: Any) -> Iterator[Any]:
        yield x.sin()
        for expression in asks:  # runs as plain Python, with the compiler on
            replies.append(eval(expression, {**names, "x": x}))  # noqa: PERF401 - plain
        yield x.cos()

    def step(x: Any, asks: Any) -> Any:
        doubled = x * 2
        torch._dynamo.graph_break()
        total = doubled
        for piece in pieces(doubled, asks):
            total = total + piece
        return total

    def run(asks: Any) -> Any:
        torch._dynamo.reset()
        graphs.clear()
        counters.clear()
        result = torch.compile(step, backend=backend)(torch.ones(2, 3), asks)
        counted = {name: dict(counters[name]) for name in ("frames", "stats", "aot_autograd")}
        return result, graphs[:], counted

    if dynamo_is_loaded:
        assert eval(injected.expression, {}) == "loaded"
    else:
        with monkeypatch.context() as before:
            before.delitem(sys.modules, "torch._dynamo")
            assert eval(injected.expression, {}) == "loaded"
        assert eval(injected.call(_question("s", "release")), {}) == "absent"
        assert eval(injected.expression, {}) == "loaded"
    asks = _expressions(injected)
    expected, *compiled_alone = run(["'no question'" for _ in asks])
    replies.clear()
    found, *compiled = run(asks)
    torch._dynamo.reset()
    assert torch.equal(found, expected)
    assert compiled == compiled_alone
    assert compiled[0] != []
    assert len(replies) == len(asks)
    assert all(reply.startswith("GP1:") for reply in replies)
