"""Every kind of thing that a program may hold at a stop, by name; each call makes a fresh one.

`KINDS` holds modules, tensors and gradients; `FRAMES` the names of a frame; `INSIDE` what exists
only inside of a transform or a mode: there the given function is called with it. A kind that the
running torch lacks is left out. Works from Python 3.8 and torch 2.0 on, as the probe does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from support import (
    fixtures_distributed,
    fixtures_frames,
    fixtures_hostile,
    fixtures_layouts,
    fixtures_modules,
    fixtures_subclasses,
    fixtures_tensors,
    fixtures_transforms,
)

TENSORS: dict[str, Callable[[], Any]] = {
    **fixtures_subclasses.SUBCLASSES,
    **fixtures_tensors.TENSORS,
    **fixtures_layouts.TENSORS,
    **fixtures_transforms.TENSORS,
    **fixtures_distributed.TENSORS,
}
MODULES: dict[str, Callable[[], Any]] = {
    **fixtures_modules.MODULES,
    **fixtures_hostile.MODULES,
    **fixtures_distributed.MODULES,
}
GRADIENTS: dict[str, Callable[[], Any]] = fixtures_transforms.GRADIENTS
KINDS: dict[str, Callable[[], Any]] = {**TENSORS, **MODULES, **GRADIENTS}
FRAMES: dict[str, Callable[[], dict[str, Any]]] = fixtures_frames.FRAMES
INSIDE: dict[str, Callable[[Callable[[Any], Any]], None]] = fixtures_transforms.INSIDE
