"""Applies the rules to the rows of a root."""

from __future__ import annotations

from gradpeek.analysis.absence import BackwardEvidence, explain
from gradpeek.analysis.badges import fact_badges
from gradpeek.inspection import Row
from gradpeek.wire import types

__all__ = ["BackwardEvidence", "explain_rows", "gradients_are_earlier"]


def explain_rows(
    rows: list[Row], root: types.Root, evidence: BackwardEvidence, *, earlier_backward: bool
) -> None:
    """Give each tensor without a gradient its reason, and each tensor the badges of its facts."""
    for row in rows:
        if row.tensor is None:
            continue
        if row.gradient is None:
            row.absence = explain(row, root, evidence)
        row.badges = fact_badges(row, earlier_backward=earlier_backward)


def gradients_are_earlier(facts: types.FrameFacts) -> bool:
    """Whether gradients that are present stem from a backward before the coming one.

    So it is where the line of the stop is about to call backward, or where the frame's graphs are
    all unused; not so where the code may keep graphs on purpose.
    """
    if facts.pending_backward:
        return True
    states = {graph.state for graph in facts.graphs}
    return "held" in states and "freed" not in states and not facts.may_retain_graph
