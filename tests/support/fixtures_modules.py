"""Modules of every kind: tied, parametrized, compiled, scripted, cyclic, hostile."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

MODULES: dict[str, Callable[[], Any]] = {}
TOUCHED: list[str] = []
"""What was run of the hostile modules here."""


def _kind(make: Callable[[], Any]) -> Callable[[], Any]:
    def quietly() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return make()

    MODULES[make.__name__.strip("_").replace("_", " ")] = quietly
    return make


def _touch(what: str) -> Any:
    TOUCHED.append(what)
    raise RuntimeError("touched: " + what)


@_kind
def _sequential() -> Any:
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2, bias=False))


@_kind
def _sequential_with_gradients() -> Any:
    model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))
    model(torch.randn(5, 3)).square().sum().backward()
    return model


@_kind
def _without_parameters() -> Any:
    return nn.Sequential(nn.ReLU(), nn.MaxPool2d(2))


@_kind
def _convolutional() -> Any:
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Conv2d(4, 4, 3, groups=2))


@_kind
def _recurrent() -> Any:
    return nn.LSTM(3, 4, num_layers=2, bidirectional=True, proj_size=2)


@_kind
def _transformer() -> Any:
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2)


class _Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(5, 3)
        self.head = nn.Linear(3, 5, bias=False)
        self.head.weight = self.embedding.weight


@_kind
def _tied_weights() -> Any:
    model = _Tied()
    model.head(model.embedding(torch.tensor([1, 2]))).sum().backward()
    return model


@_kind
def _one_module_under_two_names() -> Any:
    layer = nn.Linear(3, 3)
    return nn.Sequential(OrderedDict(first=layer, between=nn.ReLU(), second=layer))


class _BothKinds(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3))
        self.child = nn.Module()
        self.child.register_buffer("copy", self.weight)


@_kind
def _parameter_that_is_a_buffer_too() -> Any:
    return _BothKinds()


@_kind
def _cyclic() -> Any:
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2)))
    model[1].add_module("up", model)
    model[1].add_module("itself", model[1])
    return model


@_kind
def _cyclic_and_shared() -> Any:
    shared = nn.Linear(2, 2)
    model = nn.Sequential(nn.Sequential(shared), nn.Sequential(shared))
    model[0].add_module("sibling", model[1])
    model[1].add_module("sibling", model[0])
    return model


@_kind
def _shared_16_levels_deep() -> Any:
    model: Any = nn.Linear(2, 2)
    for _ in range(17):
        model = nn.Sequential(model, model)
    return model


@_kind
def _nested_2000_levels_deep() -> Any:
    model: Any = nn.Linear(2, 2)
    for _ in range(2000):
        model = nn.Sequential(model)
    return model


@_kind
def _old_weight_norm() -> Any:
    return nn.utils.weight_norm(nn.Linear(3, 4))


@_kind
def _weight_norm() -> Any:
    return nn.utils.parametrizations.weight_norm(nn.Linear(3, 4))


@_kind
def _old_spectral_norm() -> Any:
    return nn.utils.spectral_norm(nn.Linear(3, 4))


@_kind
def _spectral_norm() -> Any:
    return nn.utils.parametrizations.spectral_norm(nn.Linear(3, 4))


@_kind
def _orthogonal() -> Any:
    return nn.utils.parametrizations.orthogonal(nn.Linear(4, 4))


if not hasattr(nn.utils.parametrizations, "weight_norm"):
    del MODULES["weight norm"]


@_kind
def _pruned() -> Any:
    from torch.nn.utils import prune

    return prune.l1_unstructured(nn.Linear(3, 4), "weight", amount=0.5)


@_kind
def _compiled() -> Any:
    return torch.compile(nn.Sequential(nn.Linear(3, 4), nn.ReLU()))


@_kind
def _compiled_inside() -> Any:
    return nn.Sequential(torch.compile(nn.Linear(3, 4)), nn.Linear(4, 2))


@_kind
def _scripted() -> Any:
    return torch.jit.script(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU()))


@_kind
def _traced() -> Any:
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
    return torch.jit.trace(model, torch.randn(2, 3))


@_kind
def _frozen_script() -> Any:
    return torch.jit.freeze(torch.jit.script(nn.Sequential(nn.Linear(3, 4)).eval()))


@_kind
def _scripted_inside() -> Any:
    return nn.Sequential(torch.jit.script(nn.Linear(3, 4)), nn.Linear(4, 2))


@_kind
def _graph_module() -> Any:
    return torch.fx.symbolic_trace(nn.Sequential(nn.Linear(3, 4), nn.ReLU()))


@_kind
def _lazy() -> Any:
    return nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d())


@_kind
def _on_meta() -> Any:
    return nn.Linear(3, 4, device="meta")


@_kind
def _in_bfloat16_with_gradients() -> Any:
    model = nn.Linear(3, 4).to(torch.bfloat16)
    model(torch.randn(2, 3).to(torch.bfloat16)).sum().backward()
    return model


@_kind
def _dynamically_quantized() -> Any:
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
    return torch.ao.quantization.quantize_dynamic(model, {nn.Linear}, dtype=torch.qint8)


@_kind
def _statically_quantized() -> Any:
    return torch.ao.nn.quantized.Linear(3, 4)


@_kind
def _fake_quantized() -> Any:
    from torch.ao.quantization import get_default_qat_qconfig_mapping, quantize_fx

    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU()).train()
    mapping = get_default_qat_qconfig_mapping("qnnpack")
    return quantize_fx.prepare_qat_fx(model, mapping, (torch.randn(2, 3),))


@_kind
def _packed_4_bit_buffers() -> Any:
    model = nn.Linear(4, 6)
    model.register_buffer("qweight", torch.arange(12, dtype=torch.uint8).reshape(6, 2))
    model.register_buffer("scales", torch.ones(6, dtype=torch.float16))
    del model.weight
    return model


@_kind
def _with_nones() -> Any:
    model = nn.Module()
    model.register_parameter("weight", None)
    model.register_buffer("mean", None)
    model.register_module("child", None)
    model.register_buffer("kept", torch.tensor([True, False]), persistent=False)
    return model


@_kind
def _containers() -> Any:
    model = nn.Module()
    model.listed = nn.ParameterList([torch.randn(2), torch.randn(3)])
    model.by_name = nn.ParameterDict({"a": torch.randn(2), "b": torch.randn(3)})
    model.modules_by_name = nn.ModuleDict({"kind": nn.Linear(2, 2), "0": nn.Linear(2, 1)})
    model.layers = nn.ModuleList([nn.Linear(2, 2), nn.Identity()])
    return model


@_kind
def _unregistered_tensors() -> Any:
    model = nn.Linear(2, 2)
    model.temperature = torch.ones(1, requires_grad=True)
    model.cache = torch.ones(3)
    model.output = model(torch.ones(1, 2))
    return model


@_kind
def _data_parallel() -> Any:
    return nn.DataParallel(nn.Sequential(nn.Linear(3, 4), nn.ReLU()))


@_kind
def _dotted_and_odd_names() -> Any:
    model = nn.Module()
    model._modules["dotted.name"] = nn.Linear(2, 2)
    model._modules[""] = nn.Linear(2, 2)
    model._parameters["p.q"] = nn.Parameter(torch.randn(2))
    model._parameters["naïve ∇ \ud800"] = nn.Parameter(torch.randn(2))
    model._parameters[3] = nn.Parameter(torch.randn(2))
    return model


class _HostileDict(dict):  # type: ignore[type-arg]
    def __getitem__(self, key: Any) -> Any:
        return _touch("getitem")

    def __iter__(self) -> Any:
        return _touch("iter")

    def __len__(self) -> int:
        return int(_touch("len"))

    def items(self) -> Any:
        return _touch("items")

    def values(self) -> Any:
        return _touch("values")

    def get(self, *_: Any) -> Any:
        return _touch("get")


@_kind
def _hostile_tables() -> Any:
    model = nn.Sequential(nn.Linear(2, 2))
    for module in (model, model[0]):
        for table in ("_parameters", "_buffers", "_modules"):
            module.__dict__[table] = _HostileDict(module.__dict__[table])
    return model


def _is_armed(module: Any) -> bool:
    """Whether a hostile module has been built and is on its guard from now on."""
    return "armed" in nn.Module.__dict__["__dict__"].__get__(module)


class _Hostile(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.weight = nn.Parameter(torch.randn(3))
        self.armed = True

    def __getattribute__(self, name: str) -> Any:
        if _is_armed(self) and name != "__class__":
            return _touch("getattribute " + name)
        return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if _is_armed(self):
            _touch("setattr " + name)
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return str(_touch("repr"))

    def __len__(self) -> int:
        return int(_touch("len"))

    def __bool__(self) -> bool:
        return bool(_touch("bool"))

    def __eq__(self, other: object) -> bool:
        return bool(_touch("eq"))

    def __hash__(self) -> int:
        return int(_touch("hash"))

    def named_parameters(self, *_: Any, **__: Any) -> Any:
        return _touch("named_parameters")

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        return _touch("dict") if _is_armed(self) else nn.Module.__dict__["__dict__"].__get__(self)


@_kind
def _hostile() -> Any:
    return _Hostile()


class _HostileMeta(type):
    def __getattribute__(cls, name: str) -> Any:
        if name in ("__mro__", "__name__", "__dict__", "__module__"):
            return _touch("meta " + name)
        return super().__getattribute__(name)

    def __instancecheck__(cls, instance: Any) -> bool:
        return bool(_touch("instancecheck"))

    def __eq__(cls, other: object) -> bool:
        return bool(_touch("meta eq"))

    def __hash__(cls) -> int:
        return int(_touch("meta hash"))


@_kind
def _of_a_hostile_metaclass() -> Any:
    model = nn.Sequential(nn.Linear(2, 2))
    model.__class__ = _HostileMeta("Strange", (nn.Sequential,), {})
    return model


class _Slotted(nn.Module):
    __slots__ = ("extra",)

    def __init__(self) -> None:
        super().__init__()
        self.extra = 3
        self.add_module("layer", nn.Linear(2, 2))


@_kind
def _slotted() -> Any:
    return _Slotted()


class _Lying:
    """Says that it is a module, and is none."""

    __class__ = nn.Linear


@_kind
def _holding_a_liar() -> Any:
    model = nn.Sequential(nn.Linear(2, 2))
    model._modules["liar"] = _Lying()
    model._parameters["text"] = "no tensor"
    return model


@_kind
def _half_built() -> Any:
    class Unfinished(nn.Module):
        def __init__(self) -> None:
            pass

    return Unfinished()


@_kind
def _torn_down() -> Any:
    model = nn.Linear(2, 2)
    del model.__dict__["_parameters"], model.__dict__["_buffers"]
    model.__dict__["_modules"] = None
    return model
