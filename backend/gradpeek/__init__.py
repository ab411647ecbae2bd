"""GradPeek: each layer's weight and gradient at a breakpoint, and why a gradient is missing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradpeek.in_process.code import Gradients

__version__ = "0.1.0"
__all__ = ["__version__", "grads"]


def grads(*objects: Any) -> Gradients:
    """Weights and gradients of a module, tensor, optimizer or tuple of gradients, as a text tree.

    Without an argument, of all that the calling frame holds. Reads and changes nothing else.

    Raises:
        TypeError: more than one argument.
        ProbeError: torch is not loaded in this process.
    """
    from gradpeek.in_process import code

    if len(objects) > 1:
        raise TypeError(f"grads takes one object, not {len(objects)}")
    return code.grads(objects, sys._getframe(1))
