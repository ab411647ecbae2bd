"""Says why a tensor has no gradient, and on what evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gradpeek.inspection import Absence, Phrase, Row, TensorFacts
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
    def contradiction(self) -> Phrase | None:
        """What speaks against "no backward yet", in words, or None."""
        if self.any_gradient:
            return Phrase("other tensors here have a gradient")
        if self.seen_before:
            return Phrase("it showed gradients at an earlier stop")
        if self.stepped:
            return Phrase("an optimizer has already made a step")
        if self.graph_freed:
            return Phrase("a backward has already used up a graph of this frame")
        if self.called:
            return Phrase("the program has called backward since an earlier stop")
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
            Phrase("uninitialized"),
            Phrase(
                "{name} is uninitialized: it gets its shape, and then a gradient, from the first "
                "forward",
                name=name,
            ),
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
            Phrase("no backward yet"),
            Phrase(
                "no backward yet: nothing in {root} has a gradient, and nothing shows that one has "
                "run",
                root=root.expression,
            ),
        )
    return Absence(
        "unknown",
        "unknown",
        "none",
        Phrase(
            "{name} has no gradient although {fact}: the loss did not reach it, or its gradient "
            "was cleared",
            name=name,
            fact=contradiction,
        ),
    )


def _not_required(name: str, row: Row, tensor: TensorFacts) -> Absence:
    if row.kind == "parameter":
        label = Phrase("frozen")
        text = Phrase("{name} is frozen: its requires_grad is False", name=name)
    elif row.kind == "buffer":
        label = Phrase("buffer")
        text = Phrase("{name} is a buffer: it takes no gradient", name=name)
    else:
        label = Phrase("needs none")
        text = Phrase("{name} takes no gradient: its requires_grad is False", name=name)
    dtype = tensor.dtype
    if dtype is not None and not _differentiable(dtype):
        text = Phrase(
            "{sentence}, and a tensor of {dtype} cannot have one", sentence=text, dtype=dtype
        )
    return Absence("requires_grad_false", "observed", label, text)


def _non_leaf(
    name: str, root: types.Root, grad_fn: str | None, evidence: BackwardEvidence
) -> Absence:
    leaves = _listed(root.leaves[:4])
    if grad_fn:
        made = Phrase("{name} is a non-leaf made by {node}", name=name, node=grad_fn)
    else:
        made = Phrase("{name} is a non-leaf", name=name)
    flowed = evidence.has_flowed
    label = Phrase("non-leaf")
    if leaves:
        label = Phrase(
            "non-leaf: gradient flowed to {leaves}"
            if flowed
            else "non-leaf: gradient flows to {leaves}",
            leaves=leaves,
        )
    text = Phrase(
        "{made}: its gradient flowed on to {leaves}; call {name}.retain_grad() before backward to "
        "keep it here"
        if flowed
        else "{made}: its gradient flows on to {leaves}; call {name}.retain_grad() before backward "
        "to keep it here",
        made=made,
        leaves=leaves or Phrase("the tensors it was made from"),
        name=name,
    )
    return Absence("non_leaf", "observed", label, text)


def _listed(names: list[str]) -> str:
    """Names joined by "and", "" where there are none."""
    found = names[0] if names else ""
    for name in names[1:]:
        found = Phrase("{first} and {second}", first=found, second=name)
    return found


def _differentiable(dtype: str) -> bool:
    return dtype.startswith(("float", "bfloat", "complex", "double", "half"))
