"""Every kind of tensor has an answer: its metadata, and what of it can be measured.

A tensor's *capability* is "full" where statistics can be had, else a few words why not. No
operation and no size query is issued on a type that defines `__torch_dispatch__`, unless the type
is one of torch's own that is unwrapped here by its slots.
"""

from __future__ import annotations

from typing import Any, Callable, Hashable, NamedTuple

import torch

from . import slots
from .objects import attribute, class_name, home, inherits, is_kind, loaded, mro, type_name

FULL = "full"
RELEASED = "storage released: held elsewhere"
COALESCE_LIMIT = 1 << 24
"""Elements above which an uncoalesced sparse tensor is labelled instead of summed (64 MiB)."""


class Facts(NamedTuple):
    """What is known of a tensor without reading its elements."""

    type: str | None = None
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    device: str | None = None
    layout: str | None = None
    numel: int | None = None
    capability: str = FULL


class Payload(NamedTuple):
    """Strided tensors that hold the elements of a tensor, and the zeros it does not store."""

    parts: list[Any]
    implicit_zeros: int = 0


class UnreadableError(ValueError):
    """The elements cannot be read; the text is the capability label."""


class _Kind(NamedTuple):
    label: str
    inner: Any = None
    """The tensor whose elements stand for this one's, or None where there is none to read."""
    shape: tuple[int, ...] | None = None
    sized: bool = True
    """Whether shape, device and layout may be asked of the tensor itself."""
    device: Any = None
    """Stands for the tensor's own device where asking for it would dispatch."""


def describe(tensor: Any) -> Facts:
    """Metadata and capability of any tensor; reads no element and never raises.

    `numel` counts what the statistics are over: all lanes of a vmap, the local shard of a DTensor.
    """
    try:
        return _describe(tensor)
    except Exception as raised:
        return Facts(type_name(tensor), capability="not readable: " + type_name(raised))


def _describe(tensor: Any) -> Facts:
    kind = _special(tensor)
    if kind is None:
        return _native(tensor, _class(tensor))
    if kind.inner is not None:
        inner = _describe(kind.inner)
        label = kind.label + (", " + inner.type if inner.type else "")
        return inner._replace(type=label, shape=inner.shape if kind.shape is None else kind.shape)
    if kind.sized:
        return _native(tensor, _class(tensor), kind)
    dtype = _text(slots.dtype(tensor))
    return Facts(type_name(tensor), None, dtype, None, None, None, kind.label)


def plain_key(tensor: Any) -> Hashable:
    """What tells the facts of plainly stored tensors apart, at half the cost; None for others."""
    cls = type(tensor)
    if not (cls is torch.nn.Parameter or cls is torch.Tensor):
        return None
    try:
        if _level(tensor) != -1 or _is_functional(tensor):
            return None
        dtype = slots.dtype(tensor)
        if slots.layout(tensor) is not torch.strided or dtype in _SHELLS:
            return None
        stored = slots.untyped_storage(tensor).nbytes()
        if not stored or stored < slots.numel(tensor) * slots.element_size(tensor):
            return None
        return slots.shape(tensor), dtype, slots.device(tensor)
    except Exception:  # a nested tensor has no shape, some devices no storage
        return None


def is_own_payload(tensor: Any) -> bool:
    """Whether `payload` would be just the tensor, told at a fraction of its cost; False if unsure.

    `plain_key` has seen that the storage is long enough for elements without gaps.
    """
    return (
        plain_key(tensor) is not None
        and not slots.is_meta(tensor)
        and slots.is_contiguous(tensor)
        and not slots.storage_offset(tensor)
    )


def payload(tensor: Any) -> Payload:
    """The elements of a tensor whose capability is "full"; reads none of them.

    Raises:
        UnreadableError: the tensor's storage does not cover its elements.
    """
    stored = _unwrapped(tensor)
    if not _is_common(type(stored)):
        stored = slots.detach(stored)  # without what the program's class overrides
    return _STORED[_form(stored)](stored)


def _unwrapped(tensor: Any) -> Any:
    """The innermost tensor, whose elements stand for this one's."""
    kind = _special(tensor)
    while kind is not None and kind.inner is not None:
        tensor = kind.inner
        kind = _special(tensor)
    return tensor


def needs_memory(tensor: Any) -> bool:
    """Whether `payload` makes a copy: the sum of an uncoalesced sparse tensor."""
    try:
        stored = _unwrapped(tensor)
        if slots.dispatches(type(stored)) or slots.layout(stored) is not torch.sparse_coo:
            return False
        return not slots.is_coalesced(stored)
    except Exception:  # `describe` labels it
        return False


def _native(tensor: Any, name: str | None, kind: _Kind | None = None) -> Facts:
    layout = slots.layout(tensor)
    if layout is torch.strided and slots.is_nested(tensor):
        return _nested(tensor, name)
    shape: Any = tuple(slots.shape(tensor))
    count: Any = slots.numel(tensor)
    if type(count) is not int or any(type(size) is not int for size in shape):
        shape = count = None  # symbolic: asking for its value would guard on it
    device = slots.device(tensor) if kind is None or kind.device is None else kind.device
    where = _text(device)
    if kind is not None:
        capability = kind.label
    elif where == "meta":
        capability = "meta: no data"
    elif layout is not torch.strided:
        capability = _unstrided_capability(tensor, layout)
    elif slots.dtype(tensor) in _SHELLS:
        capability = "opaque dtype: no arithmetic"
    elif count and not _has_storage(tensor):
        capability = RELEASED
    else:
        capability = FULL
    return Facts(name, shape, _text(slots.dtype(tensor)), where, _text(layout), count, capability)


def _nested(tensor: Any, name: str | None) -> Facts:
    parts = slots.unbind(tensor)
    shapes = [list(slots.shape(part)) for part in parts]
    ragged = [sizes[0] if len(set(sizes)) == 1 else -1 for sizes in zip(*shapes)]
    return Facts(
        name,
        (len(shapes), *ragged),
        _text(slots.dtype(tensor)),
        _text(slots.device(tensor)),
        "nested",
        sum(slots.numel(part) for part in parts),
    )


def _form(tensor: Any) -> str:
    """How the elements are stored: strided, sparse_coo, compressed, nested, mkldnn."""
    if slots.is_nested(tensor):
        return "nested"
    layout = slots.layout(tensor)
    if layout is torch.strided:
        return "strided"
    if layout is torch.sparse_coo:
        return "sparse_coo"
    return "compressed" if _text(layout).startswith("sparse_") else _text(layout)


def _unstrided_capability(tensor: Any, layout: Any) -> str:
    form = _form(tensor)
    if form not in _STORED:
        return f"opaque layout: {_text(layout)}"
    if needs_memory(tensor) and slots.numel(slots.raw_values(tensor)) > COALESCE_LIMIT:
        return "uncoalesced sparse, too large to sum"
    return FULL


def _has_storage(tensor: Any) -> bool:
    """Whether the storage covers the elements; sharding frees or shrinks it under live tensors."""
    last = slots.storage_offset(tensor)
    per_byte = _PER_BYTE.get(_text(slots.dtype(tensor)))
    if per_byte is not None:
        packed: int = slots.untyped_storage(tensor).nbytes()
        return packed * per_byte >= int(slots.numel(tensor))
    for size, step in zip(slots.shape(tensor), slots.stride(tensor)):
        if size == 0:
            return True
        last += (size - 1) * step
    available: int = slots.untyped_storage(tensor).nbytes()
    needed: int = (last + 1) * slots.element_size(tensor)
    return available >= needed


def _special(tensor: Any) -> _Kind | None:
    """The kind of a tensor that is not plainly stored, or None."""
    if not _is_common(type(tensor)):
        if slots.dispatches(type(tensor)):
            for cls in mro(type(tensor)):
                reader = _DISPATCHING.get(home(cls) + "." + class_name(cls))
                if reader is not None:
                    return reader(tensor)
            return _Kind("opaque: its class defines __torch_dispatch__", sized=False)
        lazy = loaded("torch.nn.parameter", "UninitializedTensorMixin")
        if lazy is not None and inherits(type(tensor), lazy):
            return _Kind("uninitialized", sized=False)
    return _wrapper(tensor) if _wraps(tensor) else None


_functorch: Any = torch._C._functorch
_level = _functorch.maybe_get_level
_is_functional = _functorch.is_functionaltensor


def _wraps(tensor: Any) -> bool:
    """Whether another tensor holds the elements, by a transform that torch does in C++."""
    return _level(tensor) != -1 or bool(_is_functional(tensor))


def _wrapper(tensor: Any) -> _Kind:
    if _is_functional(tensor):  # mutations may be pending: not read
        return _Kind("functional: not read while in a transform")
    batched, level = _functorch.is_batchedtensor(tensor), _level(tensor)
    inner = _functorch.get_unwrapped(tensor)
    if level < 0:
        return _Kind("ended functorch transform", inner)
    if not batched:
        return _Kind(f"grad level {level}", inner)
    lanes = list(slots.shape(inner)) if not slots.dispatches(type(inner)) else "?"
    return _Kind(f"vmap level {level} of {lanes}", inner, tuple(slots.shape(tensor)))


def _dtensor(tensor: Any) -> _Kind:
    """DTensor: the local shard by its slot; `to_local` would record a graph node."""
    spec = attribute(tensor, "_spec")
    placements = [_placement(one) for one in attribute(spec, "placements") or ()]
    where = ", ".join(placements) or "unknown placement"
    meta = attribute(spec, "tensor_meta")
    if is_kind(meta, tuple):
        where += f" of {list(tuple.__getitem__(meta, 0))}"
    if any("Partial" in name for name in placements):
        where += ": local partial sum, not the gradient"
    return _Kind(f"DTensor {where}", attribute(tensor, "_local_tensor"))


def _placement(placement: Any) -> str:
    """E.g. `Shard(0)`; of torch's own placements the dimension is a property in C++."""
    dim = attribute(placement, "dim")
    if dim is None and home(type(placement)) == "torch":
        dim = getattr(placement, "dim", None)
    return type_name(placement) + (f"({dim})" if type(dim) is int else "")


def _pending(tensor: Any) -> _Kind:
    return _Kind("pending collective", sized=False)


def _fake(tensor: Any) -> _Kind:
    return _Kind("fake: no data", device=attribute(tensor, "fake_device"))


def _jagged(tensor: Any) -> _Kind:
    """NestedTensor of layout jagged: its values; rows with gaps between them are not read."""
    inner = attribute(tensor, "_values")
    if inner is None or attribute(tensor, "_lengths") is not None:
        return _Kind("jagged with holes", sized=False)
    size = attribute(tensor, "_size") or ()
    return _Kind("NestedTensor jagged", inner, tuple(s if type(s) is int else -1 for s in size))


_DISPATCHING: dict[str, Callable[[Any], _Kind]] = {
    "torch.DTensor": _dtensor,
    "torch.AsyncCollectiveTensor": _pending,
    "torch.FakeTensor": _fake,
    "torch.NestedTensor": _jagged,
}


def _stored_strided(tensor: Any) -> Payload:
    if not _has_storage(tensor):
        raise UnreadableError(RELEASED)
    return Payload([tensor])


def _stored_coo(tensor: Any) -> Payload:
    total = slots.numel(tensor)
    values = slots.raw_values(
        tensor if slots.is_coalesced(tensor) else slots.coalesce(tensor),
    )
    return Payload([values], total - slots.numel(values))


def _stored_compressed(tensor: Any) -> Payload:
    values = slots.values(tensor)
    return Payload([values], slots.numel(tensor) - slots.numel(values))


def _stored_nested(tensor: Any) -> Payload:
    return Payload(list(slots.unbind(tensor)))


_STORED: dict[str, Callable[[Any], Payload]] = {
    "strided": _stored_strided,
    "sparse_coo": _stored_coo,
    "compressed": _stored_compressed,
    "nested": _stored_nested,
}


_PER_BYTE = {"quint4x2": 2, "quint2x4": 4}
"""Elements a byte, where `element_size` says 1."""
_SHELLS = {
    getattr(torch, name)
    for name in (
        *(f"{sign}int{bits}" for sign in ("", "u") for bits in range(1, 8)),
        *("bits1x8", "bits2x4", "bits4x2", "bits8", "bits16", "float4_e2m1fn_x2"),
    )
    if hasattr(torch, name)
}
"""Types that hold bytes for others to interpret; torch knows no arithmetic on them."""


def _is_common(cls: type) -> bool:
    """Whether a tensor's class goes without saying."""
    return cls is torch.Tensor or cls is torch.nn.Parameter


def _class(tensor: Any) -> str | None:
    return None if _is_common(type(tensor)) else type_name(tensor)


_texts: dict[Any, str] = {}


def _text(value: Any) -> str:
    """`torch.float32` as "float32"; devices and layouts alike."""
    text = _texts.get(value)
    if text is None:
        text = _texts[value] = str(value).replace("torch.", "")
    return text
