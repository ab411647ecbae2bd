"""Tensor subclasses, torch's own and a program's; the program's count what is run on them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch

from support.tables import seeded

CALLS: list[str] = []
"""What `__torch_function__` and `__torch_dispatch__` of the classes here were called with."""


class Labelled(torch.Tensor):
    """A plain subclass with an attribute."""


class Logging(torch.Tensor):
    """A `__torch_function__` that logs."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        CALLS.append("function")
        return super().__torch_function__(func, types, args, kwargs or {})


class Raising(torch.Tensor):
    """A `__torch_function__`, a repr and properties that raise."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        CALLS.append("function")
        raise RuntimeError("no function on me")

    def __repr__(self, **_: Any) -> str:
        raise RuntimeError("no repr")

    @property
    def grad(self) -> Any:
        raise RuntimeError("no grad")

    @property
    def shape(self) -> Any:
        raise RuntimeError("no shape")

    @property
    def dtype(self) -> Any:
        raise RuntimeError("no dtype")


class InertDispatch(torch.Tensor):
    """Stores its elements itself and defines a `__torch_dispatch__` that raises."""

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        CALLS.append("dispatch")
        raise RuntimeError("no dispatch on me")


class Wrapper(torch.Tensor):
    """Has no elements but those of the tensor that it wraps, and logs."""

    inner: Any

    @staticmethod
    def __new__(cls, inner: Any) -> Any:
        made = torch.Tensor._make_wrapper_subclass(
            cls, inner.shape, dtype=inner.dtype, requires_grad=inner.requires_grad
        )
        made.inner = inner
        return made

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        CALLS.append("dispatch")
        unwrapped = [arg.inner if type(arg) is cls else arg for arg in args]
        result = func(*unwrapped, **(kwargs or {}))
        return cls(result) if isinstance(result, torch.Tensor) else result


class SizedWrapper(torch.Tensor):
    """A wrapper whose size, strides, layout and device dispatch, and raise."""

    @staticmethod
    def __new__(cls, inner: Any) -> Any:
        return torch.Tensor._make_wrapper_subclass(
            cls,
            inner.shape,
            dtype=inner.dtype,
            dispatch_sizes_strides_policy="sizes",
            dispatch_device=True,
            dispatch_layout=True,
        )

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        CALLS.append("dispatch")
        raise RuntimeError("no dispatch on me")


class Int4Packed(torch.Tensor):
    """As quantization libraries pack weights: two codes a byte, scales beside."""

    @staticmethod
    def __new__(cls, packed: Any, scales: Any) -> Any:
        shape = (packed.shape[0], packed.shape[1] * 2)
        return torch.Tensor._make_wrapper_subclass(cls, shape, dtype=torch.bfloat16)

    def __init__(self, packed: Any, scales: Any) -> None:
        self.packed, self.scales = packed, scales

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        CALLS.append("dispatch")
        raise NotImplementedError(func)


class HostileMeta(type(torch.Tensor)):  # type: ignore[misc]  # torch is Any
    """A metaclass that raises when its classes are asked anything."""

    def __instancecheck__(cls, instance: Any) -> bool:
        raise RuntimeError("no isinstance")

    def __getattribute__(cls, name: str) -> Any:
        if name in ("__mro__", "__name__", "__dict__", "__module__"):
            CALLS.append("meta")
            raise RuntimeError("no " + name)
        return super().__getattribute__(name)


class HostileClass(torch.Tensor, metaclass=HostileMeta):
    """A tensor of such a class."""


class Weight(torch.nn.Parameter):
    """A subclass of Parameter with a slot-like property."""

    @property
    def data(self) -> Any:
        raise RuntimeError("no data")


def _masked() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.masked.masked_tensor(seeded(3), torch.tensor([True, False, True]))


def _raising_with_gradient() -> Any:
    made = torch.Tensor._make_subclass(Raising, seeded(3, 4), True)
    with torch._C.DisableTorchFunction():
        torch.mul(made, made).sum().backward()
    return made


SUBCLASSES: dict[str, Callable[[], Any]] = {
    "subclass": lambda: seeded(3, 4).as_subclass(Labelled),
    "subclass with torch function": lambda: seeded(3, 4).as_subclass(Logging),
    "subclass that raises": lambda: torch.Tensor._make_subclass(Raising, seeded(3, 4)),
    "subclass that raises, with gradient": _raising_with_gradient,
    "subclass with torch dispatch": lambda: torch.Tensor._make_subclass(
        InertDispatch, seeded(3, 4)
    ),
    "wrapper subclass": lambda: Wrapper(seeded(3, 4)),
    "wrapper subclass that requires grad": lambda: Wrapper(seeded(3, 4).requires_grad_()),
    "wrapper subclass whose size dispatches": lambda: SizedWrapper(seeded(3, 4)),
    "packed 4 bit subclass": lambda: Int4Packed(
        torch.zeros(4, 8, dtype=torch.uint8), torch.ones(4)
    ),
    "subclass of a hostile metaclass": lambda: torch.Tensor._make_subclass(
        HostileClass, seeded(3, 4)
    ),
    "parameter subclass": lambda: Weight(seeded(3, 4)),
    "masked tensor": _masked,
}
