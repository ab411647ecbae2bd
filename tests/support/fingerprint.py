"""What a look at a stop must leave as it was: the state of the process and of what is looked at.

Written against torch's own accessors, not the probe's. Works from Python 3.8 and torch 2.0 on.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import gc
import linecache
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

BASE = getattr(torch._C, "TensorBase", None) or torch._C._TensorBase
BYTES_LIMIT = 1 << 22
"""Storages larger than this are told by their address only."""


def fingerprint(*values: Any) -> dict[str, Any]:
    """State of the process and of every tensor and module within `values`, by what it is.

    Two are equal where nothing has changed; pytest shows the lines that differ.
    """
    state = process_state()
    tensors, modules, tables = contents(values)
    for at, module in enumerate(modules):
        state[f"module {at}"] = (id(type(module)), list(map(id, _attributes(module))))
    for at, tensor in enumerate(tensors):
        state[f"tensor {at}"] = tensor_state(tensor)
    for at, table in enumerate(tables):
        state[f"table {at}"] = [(id(key), id(item)) for key, item in dict.items(table)]
    for name, objects in (("tensors", tensors), ("modules", modules), ("tables", tables)):
        state[f"references to {name}"] = list(map(sys.getrefcount, objects))
    return state


def process_state() -> dict[str, Any]:
    """Whatever torch, Python and NumPy keep for the whole process or thread."""
    with _reading():
        return _process_state()


def _process_state() -> dict[str, Any]:
    functorch = torch._C._functorch
    stack = getattr(functorch, "get_interpreter_stack", lambda: None)() or []
    numpy = sys.modules.get("numpy")
    state = {
        "random numbers of torch": _bytes(torch.default_generator.get_state()),
        "random numbers of Python": random.getstate(),
        "random numbers of NumPy": numpy and str(numpy.random.get_state()),
        "grad mode": torch.is_grad_enabled(),
        "inference mode": torch.is_inference_mode_enabled(),
        "autocast": [_autocast(device) for device in ("cpu", "cuda")],
        "autocast cache": torch.is_autocast_cache_enabled(),
        "default dtype": torch.get_default_dtype(),
        "default device": getattr(torch, "get_default_device", lambda: None)(),
        "deterministic": (
            torch.are_deterministic_algorithms_enabled(),
            torch.is_deterministic_algorithms_warn_only_enabled(),
        ),
        "anomaly mode": (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()),
        "functorch": [(str(one.key()), one.level()) for one in stack],
        "function modes": _modes("function"),
        "dispatch modes": _modes("dispatch"),
        "saved tensors hooks": _saved_tensors_hooks(),
        "dynamo": _dynamo(),
        "threads of torch": torch.get_num_threads(),
        "cuda": torch.cuda.is_initialized(),
        "modules of torch": sorted(n for n in sys.modules if n.partition(".")[0] == "torch"),
        "warning filters": list(warnings.filters),
        "showwarning": warnings.showwarning,
        "warnings shown": sorted(_registries()),
        "builtins": sorted(vars(builtins)),
        "garbage collector": (gc.isenabled(), gc.get_threshold(), gc.get_debug(), gc.callbacks[:]),
        "tracing": (sys.gettrace(), sys.getprofile(), threading.current_thread()),
        "threads": sorted(map(id, threading.enumerate())),
        "recursion limit": sys.getrecursionlimit(),
        "source lines": sorted(linecache.cache),
        "hooks": (sys.excepthook, sys.displayhook, sys.unraisablehook),
        "interrupt": signal.getsignal(signal.SIGINT),
    }
    return dict(state)


def tensor_state(tensor: Any) -> dict[str, Any]:
    """Whatever an operation or a reader can change on a tensor."""
    with _reading():
        state: dict[str, Any] = {
            "type": id(type(tensor)),
            "requires_grad": _read(tensor, "requires_grad"),
            "version": _read(tensor, "_version"),
            "hooks": _hooks(tensor, "_backward_hooks"),
            "post hooks": _hooks(tensor, "_post_accumulate_grad_hooks"),
            "grad_fn": type(_read(tensor, "grad_fn")).__name__ if _is_inner(tensor) else None,
            "grad": id(_read(tensor, "grad")) if not _is_inner(tensor) else None,
            "attributes": [(key, id(item)) for key, item in _attributes(tensor).items()],
        }
        if not _dispatches(type(tensor)):
            layout = _read(tensor, "layout")
            if layout is torch.sparse_coo:
                state["coalesced"] = BASE.is_coalesced(tensor)
                tensor = BASE._values(tensor)
            if _read(tensor, "layout") is torch.strided:
                state["bytes"] = _bytes(tensor)
    return state


def contents(values: Iterable[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """(tensors, modules, tables of modules) within values, each once, in order."""
    tensors, modules, tables = [], [], []
    seen: set[int] = set()
    stack = list(values)[::-1]
    while stack:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        cls = type(value)
        if _inherits(cls, torch.Tensor):
            tensors.append(value)
            stack += [item for item in _attributes(value).values() if _is_holder(item)]
            with torch._C.DisableTorchFunction():
                grad = _read(value, "grad") if not _is_inner(value) else None
            if grad is not None:
                stack.append(grad)
        elif _inherits(cls, torch.nn.Module):
            modules.append(value)
            stack += [item for item in _attributes(value).values() if _is_holder(item)][::-1]
        elif _inherits(cls, dict):
            tables.append(value)
            stack += [item for item in dict.values(value) if _is_holder(item)][::-1]
        elif cls is list or cls is tuple:
            stack += [item for item in value if _is_holder(item)][::-1]
    return tensors, modules, tables


@contextlib.contextmanager
def nothing_changes(*values: Any) -> Iterator[None]:
    """Asserts that the block leaves the process and `values` as they were, and warns of nothing."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        before, alive = fingerprint(*values), live_tensors()
        yield
        assert live_tensors() == alive
        after = fingerprint(*values)
    assert {
        key: (before.get(key), after[key]) for key in after if before.get(key) != after[key]
    } == {}
    assert before.keys() == after.keys()
    assert [str(one.message) for one in warned] == []


def live_tensors() -> int:
    """Tensors that the garbage collector knows of and that are not frozen."""
    return sum(1 for one in gc.get_objects() if _inherits(type(one), torch.Tensor))


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """Hides what reads the state from the modes of the program."""
    names = ("DisableTorchFunction", "_DisableFuncTorch", "_DisableTorchDispatch")
    guards = [getattr(torch._C, name)() for name in names]
    entered = [guard for guard in guards if hasattr(guard, "__enter__")]  # older ones are active
    for guard in entered:
        guard.__enter__()
    try:
        yield
    finally:
        while guards:
            guard = guards.pop()
            if entered and entered[-1] is guard:
                entered.pop().__exit__(None, None, None)
            del guard


def _inherits(cls: type, base: type) -> bool:
    return type.__subclasscheck__(base, cls)


def _is_holder(value: Any) -> bool:
    cls = type(value)
    if cls is list or cls is tuple:
        return True
    return any(_inherits(cls, base) for base in (torch.Tensor, torch.nn.Module, dict))


def _attributes(value: Any) -> dict[str, Any]:
    for cls in type.__dict__["__mro__"].__get__(type(value)):
        slot = type.__dict__["__dict__"].__get__(cls).get("__dict__")
        if slot is not None:
            found = slot.__get__(value) if type(slot).__name__ == "getset_descriptor" else {}
            return dict(dict.items(found))
    return {}


def _read(tensor: Any, name: str) -> Any:
    slot = BASE.__dict__.get(name)
    try:
        return None if slot is None else slot.__get__(tensor)
    except (RuntimeError, NotImplementedError) as refusal:
        return type(refusal).__name__


def _hooks(tensor: Any, name: str) -> Any:
    table = _read(tensor, name)
    return table if table is None or isinstance(table, str) else (id(table), list(table))


def _is_inner(tensor: Any) -> bool:
    return _read(tensor, "is_leaf") is False and _read(tensor, "retains_grad") is False


def _dispatches(cls: type) -> bool:
    for base in type.__dict__["__mro__"].__get__(cls):
        handler = type.__dict__["__dict__"].__get__(base).get("__torch_dispatch__")
        if handler is not None:
            return handler is not torch._C._disabled_torch_dispatch_impl
    return False


def _bytes(tensor: Any) -> Any:
    try:
        storage = BASE.untyped_storage(tensor)
        size, address = storage.nbytes(), storage.data_ptr()
    except (RuntimeError, NotImplementedError) as refusal:
        return type(refusal).__name__
    if storage.device.type != "cpu" or not size or size > BYTES_LIMIT:
        return size, address
    return hash(ctypes.string_at(address, size))


def _autocast(device: str) -> Any:
    try:
        return torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)
    except (TypeError, AttributeError):
        cpu = device == "cpu"
        return torch.is_autocast_cpu_enabled() if cpu else torch.is_autocast_enabled()


def _modes(kind: str) -> list[int]:
    size = getattr(torch._C, f"_len_torch_{kind}_stack")()
    at: Callable[[int], Any] = getattr(torch._C, f"_get_{kind}_stack_at")
    return [id(at(place)) for place in range(size)]


def _saved_tensors_hooks() -> Any:
    top = getattr(torch._C._autograd, "_top_saved_tensors_default_hooks", None)
    return None if top is None else top(True)


def _dynamo() -> Any:
    if "torch._dynamo" not in sys.modules:
        return None
    switch = torch._C._dynamo.eval_frame.set_eval_frame
    callback = switch(None)
    switch(callback)
    counters = sys.modules["torch._dynamo.utils"].counters
    return id(callback), {name: dict(counter) for name, counter in counters.items() if counter}


def _registries() -> Iterable[tuple[str, int]]:
    for name, module in list(sys.modules.items()):
        try:
            registry = vars(module).get("__warningregistry__")
        except TypeError:
            continue
        if registry:
            yield name, len([key for key in registry if key != "version"])
