"""Tensors inside of transforms and modes, or escaped from them; gradients that functions return."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from support.tables import into, named, seeded

TENSORS: dict[str, Callable[[], Any]] = {}
GRADIENTS: dict[str, Callable[[], Any]] = {}
INSIDE: dict[str, Callable[[Callable[[Any], Any]], None]] = {}

_kind = into(TENSORS)
_gradients = into(GRADIENTS)


def _inside(run: Callable[[Callable[[Any], Any]], None]) -> Callable[..., None]:
    INSIDE[named(run)] = run
    return run


def _kept(run: Callable[[Callable[[Any], Any]], Any]) -> Any:
    kept: list[Any] = []
    run(kept.append)
    return kept[0]


@_kind
def _escaped_from_grad() -> Any:
    return _kept(lambda keep: torch.func.grad(lambda x: keep(x) or (x * x).sum())(seeded(3, 4)))


@_kind
def _escaped_from_vmap() -> Any:
    return _kept(lambda keep: torch.func.vmap(lambda x: keep(x) or x * 2)(seeded(3, 4)))


@_kind
def _functional() -> Any:
    return torch._to_functional_tensor(seeded(3, 4))


@_gradients
def _gradients_by_order() -> Any:
    model = torch.nn.Linear(3, 2)
    return torch.autograd.grad(model(seeded(4, 3)).sum(), tuple(model.parameters()))


@_gradients
def _gradients_with_holes() -> Any:
    used, unused = seeded(3).requires_grad_(), seeded(2).requires_grad_()
    return torch.autograd.grad(used.sum(), (used, unused), allow_unused=True)


@_gradients
def _gradients_by_name() -> Any:
    model = torch.nn.Linear(3, 2)
    table = {name: tensor.detach() for name, tensor in model.named_parameters()}

    def loss(values: Any) -> Any:
        return torch.func.functional_call(model, values, (seeded(4, 3),)).sum()

    return torch.func.grad(loss)(table)


@_inside
def _inside_of_vmap(visit: Callable[[Any], Any]) -> None:
    torch.func.vmap(lambda x: visit(x) or x * 2, in_dims=1)(seeded(3, 4))


@_inside
def _inside_of_grad(visit: Callable[[Any], Any]) -> None:
    torch.func.grad(lambda x: visit(x) or (x * x).sum())(seeded(3, 4))


@_inside
def _inside_of_vmap_of_grad(visit: Callable[[Any], Any]) -> None:
    torch.func.vmap(torch.func.grad(lambda x: visit(x) or (x * x).sum()))(seeded(3, 4))


@_inside
def _inside_of_grad_of_vmap(visit: Callable[[Any], Any]) -> None:
    lanes = torch.func.vmap(lambda x: visit(x) or x * x)
    torch.func.grad(lambda x: lanes(x).sum())(seeded(3, 4))


@_inside
def _inside_of_jvp(visit: Callable[[Any], Any]) -> None:
    value = seeded(3, 4)
    torch.func.jvp(lambda x: visit(x) or x * x, (value,), (torch.ones_like(value),))


@_inside
def _inside_of_functionalize(visit: Callable[[Any], Any]) -> None:
    torch.func.functionalize(lambda x: visit(x) or x * 2)(seeded(3, 4))


@_inside
def _plain_inside_of_a_fake_mode(visit: Callable[[Any], Any]) -> None:
    tensor = seeded(3, 4)
    with FakeTensorMode(allow_non_fake_inputs=True):
        visit(tensor)


@_inside
def _plain_inside_of_a_meta_device(visit: Callable[[Any], Any]) -> None:
    tensor = seeded(3, 4)
    with torch.device("meta"):
        visit(tensor)


@_inside
def _plain_inside_of_inference_mode(visit: Callable[[Any], Any]) -> None:
    tensor = seeded(3, 4)
    with torch.inference_mode():
        visit(tensor)


@_inside
def _plain_inside_of_forward_differentiation(visit: Callable[[Any], Any]) -> None:
    import torch.autograd.forward_ad as forward

    with forward.dual_level():
        visit(forward.make_dual(seeded(3, 4), torch.ones(3, 4)))
