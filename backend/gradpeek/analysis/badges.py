"""Short marks of a row that a reader must not miss."""

from __future__ import annotations

from gradpeek.inspection import Row, Statistics

NUMBER_BADGES = frozenset({"data_nan", "data_inf", "grad_nan", "grad_inf", "grad_all_zero"})
"""Those that `number_badges` gives; the others follow from metadata."""


def fact_badges(row: Row, *, earlier_backward: bool) -> list[str]:
    """Badges that follow from metadata.

    Args:
        row: a row of a tensor.
        earlier_backward: whether gradients that are present stem from an earlier backward.
    """
    found = []
    state = row.state
    assert state is not None
    trains = row.kind == "parameter" and state.requires_grad
    if row.names_total > 1:
        found.append("tied")
    if row.kind == "parameter" and not state.requires_grad:
        found.append("frozen")
    if row.kind == "tensor" and row.name and row.module_type is not None:
        found.append("unregistered")
    if trains and state.in_optimizer is False:
        found.append("not_in_optimizer")
    if row.gradient is not None and earlier_backward:
        found.append("earlier_backward")
    return found


def number_badges(data: Statistics | None, grad: Statistics | None) -> list[str]:
    """Badges that follow from statistics: non-finite elements and gradients of zeros only."""
    found = []
    for part, numbers in (("data", data), ("grad", grad)):
        if numbers is None:
            continue
        if numbers.nan:
            found.append(f"{part}_nan")
        if numbers.posinf or numbers.neginf:
            found.append(f"{part}_inf")
    if grad is not None and grad.count and grad.zeros == grad.count:
        found.append("grad_all_zero")
    return found
