"""Reads tensors through the slots of torch's base class.

`tensor.grad` may run a property or a `__torch_function__` of the program; the slot of the base
class may not. Use within `runtime.quiet` only.
"""

from __future__ import annotations

from typing import Any

import torch

BASE = getattr(torch._C, "TensorBase", None) or torch._C._TensorBase

_DISABLED_DISPATCH = torch._C._disabled_torch_dispatch_impl


def _getter(name: str) -> Any:
    return BASE.__dict__[name].__get__


grad = _getter("grad")
requires_grad = _getter("requires_grad")
retains_grad = _getter("retains_grad")
shape = _getter("shape")
dtype = _getter("dtype")
device = _getter("device")
layout = _getter("layout")
is_nested = _getter("is_nested")
is_meta = _getter("is_meta")

numel = BASE.__dict__["numel"]
stride = BASE.__dict__["stride"]
is_contiguous = BASE.__dict__["is_contiguous"]
storage_offset = BASE.__dict__["storage_offset"]
element_size = BASE.__dict__["element_size"]
untyped_storage = BASE.__dict__["untyped_storage"]
unbind = BASE.__dict__["unbind"]
values = BASE.__dict__["values"]
raw_values = BASE.__dict__["_values"]
is_coalesced = BASE.__dict__["is_coalesced"]
coalesce = BASE.__dict__["coalesce"]
detach = BASE.__dict__["detach"]
item = BASE.__dict__["item"]


_grad_fn = _getter("grad_fn")
_is_leaf = _getter("is_leaf")


def is_leaf(tensor: Any) -> bool:
    """Whether `tensor` is a leaf of autograd's graph.

    A view whose history an operation in place has broken, so that torch refuses to answer, is none.
    """
    try:
        return bool(_is_leaf(tensor))
    except RuntimeError:
        return False


def grad_fn(tensor: Any) -> Any:
    """The autograd node of `tensor`, or None; see `is_leaf`."""
    try:
        return None if is_leaf(tensor) else _grad_fn(tensor)
    except RuntimeError:
        return None


def dispatches(cls: type) -> bool:
    """Whether operations on tensors of this class run Python code (`__torch_dispatch__`)."""
    for base in type.__dict__["__mro__"].__get__(cls):
        handler = type.__dict__["__dict__"].__get__(base).get("__torch_dispatch__")
        if handler is not None:
            return handler is not _DISABLED_DISPATCH
    return False


def readable_grad(tensor: Any) -> Any:
    """The gradient of `tensor`, or None; a non-leaf that retains none is not asked (it warns)."""
    if is_leaf(tensor) or retains_grad(tensor):
        return grad(tensor)
    return None
