"""Keeps the probe unseen: everything it does happens inside `quiet`."""

from __future__ import annotations

import gc
import sys
import types
from typing import Any

import torch

_GUARDS = ("DisableTorchFunction", "_DisableTorchDispatch", "_DisableAutocast")


class eager:  # noqa: N801 - a context manager, named as torch names its own
    """Context in which Dynamo compiles no frame, in a process that has loaded it.

    A stop inside a compiled region would otherwise hand what runs at the stop to the user's
    backend.
    """

    __slots__ = ("_callback", "_switch")

    def __enter__(self) -> eager:
        self._switch = _dynamo_switch()
        self._callback = self._switch(None) if self._switch else None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: types.TracebackType | None,
    ) -> None:
        if self._switch:
            self._switch(self._callback)


class quiet:  # noqa: N801 - a context manager, named as torch names its own
    """Context in which the program's modes neither see nor bend an operation of the probe.

    Off inside: Dynamo's frame callback, the garbage collector (finalizers of the program must not
    run here), grad mode and forward differentiation, functorch's stack, autocast, function and
    dispatch modes, the profiler, and the `__torch_function__` of subclasses. All of it is restored
    on the way out.
    """

    __slots__ = (
        "_collects",
        "_eager",
        "_forward",
        "_grad",
        "_guards",
        "_interpreters",
        "_profiled",
    )

    def __enter__(self) -> quiet:
        self._eager = eager()
        self._eager.__enter__()
        self._collects = gc.isenabled()
        gc.disable()
        self._guards = [_enter(getattr(torch._C, name)) for name in _GUARDS]
        self._grad, self._forward = torch.is_grad_enabled(), torch._C._is_fwd_grad_enabled()
        torch._C._set_fwd_grad_enabled(False)
        torch._C._set_grad_enabled(False)  # a function mode would see it, hence after the guards
        self._interpreters = _pop_interpreters()
        self._profiled = torch._C._autograd._profiler_enabled()
        if self._profiled:
            torch._C._autograd._enable_record_function(False)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: types.TracebackType | None,
    ) -> None:
        if self._profiled:
            torch._C._autograd._enable_record_function(True)
        while self._interpreters:
            torch._C._functorch.push_dynamic_layer_stack(self._interpreters.pop())
        torch._C._set_fwd_grad_enabled(self._forward)
        torch._C._set_grad_enabled(self._grad)
        while self._guards:
            guard = self._guards.pop()
            if hasattr(guard, "__exit__"):
                guard.__exit__(kind, error, traceback)
            del guard
        if self._collects:
            gc.enable()
        self._eager.__exit__(kind, error, traceback)


def _dynamo_switch() -> Any:
    """The C function that sets Dynamo's frame callback and returns the one before, or None."""
    if "torch._dynamo" not in sys.modules:
        return None
    return getattr(torch._C._dynamo.eval_frame, "set_eval_frame", None)


def _enter(guard_type: Any) -> Any:
    """A C++ guard is active from its __enter__ on, or (older torch) while it lives."""
    guard = guard_type()
    if hasattr(guard, "__enter__"):
        guard.__enter__()
    return guard


def _pop_interpreters() -> list[Any]:
    """Take the transforms (vmap, grad, jvp) that the program is inside of off functorch's stack."""
    functorch: Any = getattr(torch._C, "_functorch", None)
    if not hasattr(functorch, "peek_interpreter_stack"):
        return []
    stack = []
    while functorch.peek_interpreter_stack() is not None:
        stack.append(functorch.pop_dynamic_layer_stack())
    return stack


def hide_from_dynamo(code: types.CodeType) -> None:
    """Tell Dynamo never to compile `code` or the functions in it; it must be loaded.

    A stop inside a compiled region would otherwise hand the probe's own frames to the compiler
    before their first line runs.
    """
    eval_frame = torch._C._dynamo.eval_frame
    if hasattr(eval_frame, "skip_code"):
        eval_frame.skip_code(code)
    elif hasattr(eval_frame, "set_code_exec_strategy"):
        skip = eval_frame._FrameAction.SKIP
        eval_frame.set_code_exec_strategy(code, eval_frame._FrameExecStrategy(skip, skip))
    for constant in code.co_consts:
        if type(constant) is types.CodeType:
            hide_from_dynamo(constant)
