"""Modules that programs have: tied, cyclic, deep, parametrized, compiled, scripted, quantized."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from support.tables import into

MODULES: dict[str, Callable[[], Any]] = {}

_kind = into(MODULES)


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
