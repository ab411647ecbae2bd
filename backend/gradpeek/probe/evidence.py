"""Facts about the progress of training that a frame tells without running anything."""

from __future__ import annotations

import dis
import types
from typing import Any, Iterator

import torch

from .objects import inherits, type_name

GRAPH_NODES_LIMIT = 2000
"""Autograd nodes to look at for saved tensors, nearest to the loss first."""


def pending_backward(frame: Any) -> bool:
    """Whether the line of the stop calls a method named `backward` that has not run yet."""
    if frame is None:
        return False
    line = None
    for step in dis.get_instructions(frame.f_code):
        if step.starts_line is not None and step.starts_line is not False:
            line = getattr(step, "line_number", None) or step.starts_line
        if line == frame.f_lineno and step.offset >= frame.f_lasti and step.argval == "backward":
            return True
    return False


def may_retain_graph(frame: Any) -> bool:
    """Whether the frame's code names `retain_graph` or `create_graph`."""
    return frame is not None and _mentions(frame.f_code)


def _mentions(code: types.CodeType) -> bool:
    wanted = ("retain_graph", "create_graph")
    for constant in code.co_consts:
        if type(constant) is tuple and any(word in constant for word in wanted):
            return True
        if type(constant) is types.CodeType and _mentions(constant):
            return True
    return any(word in code.co_names for word in wanted)


def graph_state(node: Any) -> str:
    """Whether a backward has consumed the graph behind an autograd node.

    Saved tensors are looked at through `_raw_saved_*` and the `data` of a SavedTensor, which
    neither unpack nor recompute; where torch lacks it the answer is "unknown". "freed" is said
    only where no node holds anything and one that always saves something holds nothing.
    """
    emptied = False
    for current in _nodes(node):
        saved = _saved(current)
        if saved is None:
            return "unknown"
        if any(saved):
            return "held"
        emptied = emptied or bool(saved)
    return "freed" if emptied else "unknown"


def leaves(node: Any) -> list[Any]:
    """Leaf tensors that a gradient at this autograd node flows to, nearest first, as far as seen.

    Not looked at: nodes beyond `GRAPH_NODES_LIMIT`.
    """
    return [n.variable for n in _nodes(node) if type_name(n) == "AccumulateGrad"]


def _nodes(start: Any) -> Iterator[Any]:
    """Nodes of the graph, breadth first, at most `GRAPH_NODES_LIMIT`."""
    seen = {id(start)}
    queue: list[Any] = [start]
    for current in queue:
        yield current
        if len(queue) > GRAPH_NODES_LIMIT:
            continue
        for following, _ in _next_functions(current):
            if following is not None and id(following) not in seen:
                seen.add(id(following))
                queue.append(following)


def _next_functions(node: Any) -> Any:
    if _written_in_python(node):
        return torch._C._FunctionBase.__dict__["next_functions"].__get__(node)
    return node.next_functions


def _written_in_python(node: Any) -> bool:
    return inherits(type(node), torch._C._FunctionBase)


def _saved(node: Any) -> Any:
    """For each saved tensor of a C++ node whether it is still held; None if torch cannot tell."""
    if _written_in_python(node):
        return []
    held = []
    for name in vars(type(node)):
        if not name.startswith("_raw_saved_"):
            continue
        try:
            saved = getattr(node, name)
        except RuntimeError:  # a list of saved tensors says so itself when it is released
            held.append(False)
            continue
        for one in saved if type(saved) is tuple else (saved,):
            if not hasattr(type(one), "data"):
                return None
            held.append(one.data is not None)
    return held
