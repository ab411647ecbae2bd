"""Says why a tensor has no gradient, and on what evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gradpeek.inspection import Absence, Row, TensorFacts
from gradpeek.wire import types


@dataclass(frozen=True)
class BackwardEvidence:
    """What is known about whether a backward has reached a root.

    Attributes:
        any_gradient: some tensor of the root has a gradient now.
        seen_before: an earlier stop showed a gradient of this root.
        stepped: an optimizer of the frame or its callers has made a step.
        graph_freed: a graph of the frame was consumed by a backward.
        called: an earlier stop stood at a call of backward, which has run since.
        own_graph: of a root that is a non-leaf, whether a backward has used up its graph.
    """

    any_gradient: bool
    seen_before: bool
    stepped: bool
    graph_freed: bool
    called: bool = False
    own_graph: Literal["held", "freed", "unknown"] = "unknown"

    @property
    def contradiction(self) -> str | None:
        """What speaks against "no backward yet", in words, or None."""
        if self.any_gradient:
            return "other tensors here have a gradient"
        if self.seen_before:
            return "it showed gradients at an earlier stop"
        if self.stepped:
            return "an optimizer has already made a step"
        if self.graph_freed:
            return "a backward has already used up a graph of this frame"
        if self.called:
            return "the program has called backward since an earlier stop"
        return None

    @property
    def has_flowed(self) -> bool:
        """Whether a gradient has been through the graph behind a root, as far as is known."""
        if self.own_graph == "unknown":
            return self.contradiction is not None
        return self.own_graph == "freed"


def explain(row: Row, root: types.Root, evidence: BackwardEvidence) -> Absence:
    """Why the tensor of `row` has no gradient; one of the plain reasons of the wire contract.

    Args:
        row: a row of a tensor without a gradient.
        root: the root that it belongs to.
        evidence: whether a backward has happened.
    """
    name = row.name or root.expression
    tensor, state = row.tensor, row.state
    assert tensor is not None
    assert state is not None
    if tensor.capability == "uninitialized":
        return Absence(
            "uninitialized",
            "observed",
            "uninitialized",
            f"{name} is uninitialized: it gets its shape, and then a gradient, from the first "
            "forward",
        )
    if not state.requires_grad:
        return _not_required(name, row, tensor)
    if not state.is_leaf and not state.retains_grad:
        return _non_leaf(name, root, state.grad_fn, evidence)
    contradiction = evidence.contradiction
    if contradiction is None:
        return Absence(
            "no_backward_yet",
            "inferred",
            "no backward yet",
            f"no backward yet: nothing in {root.expression} has a gradient, and nothing shows "
            "that one has run",
        )
    return Absence(
        "unknown",
        "unknown",
        "none",
        f"{name} has no gradient although {contradiction}: the loss did not reach it, or its "
        "gradient was cleared",
    )


def _not_required(name: str, row: Row, tensor: TensorFacts) -> Absence:
    if row.kind == "parameter":
        label, text = "frozen", f"{name} is frozen: its requires_grad is False"
    elif row.kind == "buffer":
        label, text = "buffer", f"{name} is a buffer: it takes no gradient"
    else:
        label, text = "needs none", f"{name} takes no gradient: its requires_grad is False"
    if tensor.dtype is not None and not _differentiable(tensor.dtype):
        text += f", and a tensor of {tensor.dtype} cannot have one"
    return Absence("requires_grad_false", "observed", label, text)


def _non_leaf(
    name: str, root: types.Root, grad_fn: str | None, evidence: BackwardEvidence
) -> Absence:
    made = f" made by {grad_fn}" if grad_fn else ""
    verb = "flowed" if evidence.has_flowed else "flows"
    leaves = " and ".join(root.leaves[:4])
    label = f"non-leaf: gradient {verb} to {leaves}" if leaves else "non-leaf"
    return Absence(
        "non_leaf",
        "observed",
        label,
        f"{name} is a non-leaf{made}: its gradient {verb} on to "
        f"{leaves or 'the tensors it was made from'}; call {name}.retain_grad() before backward "
        "to keep it here",
    )


def _differentiable(dtype: str) -> bool:
    return dtype.startswith(("float", "bfloat", "complex", "double", "half"))
