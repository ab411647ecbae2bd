"""Metadata of a root's rows as columns: reads no element of any tensor."""

from __future__ import annotations

from typing import Any

from . import slots
from .kinds import Facts, describe
from .stop import Tensors

_COLUMNS = [
    "name",
    "aliases",
    "names_total",
    "kind",
    "parent",
    "more_parents",
    "module_type",
    "tensor_type",
    "shape",
    "dtype",
    "device",
    "layout",
    "numel",
    "capability",
    "requires_grad",
    "is_leaf",
    "retains_grad",
    "grad_fn",
    "has_grad",
    "grad_type",
    "grad_shape",
    "grad_dtype",
    "grad_device",
    "grad_layout",
    "grad_numel",
    "grad_capability",
    "in_optimizer",
    "optimizer_state",
    "identity",
]

_NO_FACTS = (None,) * 7
_NO_TENSOR = (None,) * 12


def rows(
    table: Tensors, offset: int, limit: int, optimizer_state: dict[int, bool] | None
) -> dict[str, Any]:
    """Rows `offset` … `offset + limit` as columns.

    Args:
        table: the rows of a root.
        offset: first row.
        limit: rows at most.
        optimizer_state: by `id` of a tensor whether its optimizer has state for it; None where no
            optimizer was found.
    """
    lines = []
    for row, reference in list(zip(table.rows, table.references))[offset : offset + limit]:
        value = reference()
        head = (row.names[0], row.names[1:], row.names_total, *row[3:])
        if row.kind == "module":
            lines.append(head + _NO_FACTS + _NO_TENSOR + (None, None, id(value)))
        elif value is None:
            gone = Facts(capability="gone: the program has let go of it")
            lines.append(head + gone + _NO_TENSOR + (None, None, 0))
        else:
            known = optimizer_state is not None
            held = optimizer_state.get(id(value)) if optimizer_state is not None else None
            lines.append(
                head
                + describe(value)
                + _autograd(value)
                + (held is not None if known else None, bool(held) if known else None, id(value))
            )
    page: dict[str, Any] = dict(zip(_COLUMNS, (list(column) for column in zip(*lines))))
    if not lines:
        page = {name: [] for name in _COLUMNS}
    page["total"] = len(table.rows)
    page["offset"] = offset
    return page


def _autograd(tensor: Any) -> tuple:  # type: ignore[type-arg]
    """requires_grad … grad_capability of a tensor."""
    leaf = slots.is_leaf(tensor)
    node = None if leaf else slots.grad_fn(tensor)
    retains = slots.retains_grad(tensor)
    gradient = slots.grad(tensor) if leaf or retains else None
    facts: list[Any] = list(_NO_FACTS) if gradient is None else list(describe(gradient))
    return (
        slots.requires_grad(tensor),
        leaf,
        retains,
        None if node is None else type.__dict__["__name__"].__get__(type(node)),
        gradient is not None,
        *facts,
    )
