"""`gradpeek.grads` for plain code, pdb and notebooks."""

from __future__ import annotations

import shutil
import sys
from types import FrameType
from typing import Any

from gradpeek.errors import ProbeError
from gradpeek.inspection import Inspection
from gradpeek.rendering import tree


class Gradients:
    """What `grads` found; its repr is the text tree, in a notebook it shows as HTML.

    Attributes:
        inspection: roots and rows as data.
    """

    def __init__(self, inspection: Inspection) -> None:
        self.inspection = inspection

    def __repr__(self) -> str:
        width = shutil.get_terminal_size((100, 24)).columns
        return tree.text(self.inspection, width=width).rstrip("\n")

    def _repr_html_(self) -> str:
        return tree.html(self.inspection)


def grads(objects: tuple[Any, ...], caller: FrameType) -> Gradients:
    """Weights and gradients of an object, with statistics and the reason where one is missing.

    Args:
        objects: at most one: a module, a tensor, an optimizer, or gradients as
            `torch.autograd.grad` returns them; without it, all that the frame holds of these.
        caller: the frame that asks.

    Returns:
        An object whose repr is the text tree.

    Raises:
        ProbeError: torch is not loaded.
    """
    if not hasattr(sys.modules.get("torch"), "nn"):
        raise ProbeError(
            "no_torch", "torch is not loaded in this process: call grads after `import torch`"
        )
    # Late: these import torch.
    from gradpeek.in_process.looking import Looker, locals_of, name_of
    from gradpeek.probe.frames import selected_scope
    from gradpeek.probe.runtime import eager

    with eager():
        names = {**caller.f_globals, **locals_of(caller)}
        scope = selected_scope(names, names)
        name = name_of(objects[0], scope) if objects else None
        names.clear()
        return Gradients(Looker().look(scope, *objects, name=name))
