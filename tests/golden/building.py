"""Builds inspections by hand, row by row, as the probe's answers would make them."""

from __future__ import annotations

import math
from typing import Any

from gradpeek.inspection import (
    Absence,
    Inspection,
    RootInspection,
    Row,
    Statistics,
    TensorFacts,
)
from gradpeek.wire import types

FACTS = types.FrameFacts(
    function="train",
    torch_version="2.13.0",
    pending_backward=False,
    may_retain_graph=False,
    graphs=[],
    optimizers=1,
    stepped=True,
    shadowed_grads=False,
)

NO_BACKWARD = Absence(
    "no_backward_yet",
    "inferred",
    "no backward yet",
    "no backward yet: nothing in model has a gradient, and nothing shows that one has run",
)


def frozen(name: str) -> Absence:
    return Absence(
        "requires_grad_false",
        "observed",
        "frozen",
        f"{name} is frozen: its requires_grad is False",
    )


def numbers(norm: float | None, count: int = 10, **changes: Any) -> Statistics:
    """Statistics whose other numbers follow from the norm; a single element is the norm."""
    size = None if norm is None else abs(norm)
    mean = None if norm is None else (norm if count == 1 else 0.0)
    base: dict[str, Any] = {
        "count": count,
        "zeros": 0,
        "nan": 0,
        "posinf": 0,
        "neginf": 0,
        "norm": size,
        "mean": mean,
        "std": size and size / math.sqrt(count),
        "min": mean,
        "max": size,
        "max_abs": size,
    }
    return Statistics(**{**base, **changes})


def tensor(
    shape: list[int] | None, norm: float | Statistics | None = None, **changes: Any
) -> TensorFacts:
    count = math.prod(shape) if shape is not None and -1 not in shape else None
    base: dict[str, Any] = {
        "tensor_type": None,
        "shape": shape,
        "dtype": "float32",
        "device": "cpu",
        "layout": "strided",
        "numel": count,
        "capability": "full",
    }
    statistics = numbers(norm, count or 1) if isinstance(norm, float) else norm
    return TensorFacts(**{**base, **changes}, statistics=statistics)


def root(
    expression: str, kind: Any, type_name: str, rows: list[Row] | None = None, **changes: Any
) -> RootInspection:
    base: dict[str, Any] = {"id": 0, "aliases": [], "frame": 0, "scope": "local"}
    wire = types.Root(expression=expression, kind=kind, type=type_name, **{**base, **changes})
    return RootInspection(wire, rows or [])


def inspection(*roots: RootInspection, complete: bool = True) -> Inspection:
    for root in roots:
        root.measured = complete
    return Inspection(FACTS, list(roots))


class Model:
    """Builds the rows of a module root one after another."""

    def __init__(self, module_type: str = "Net") -> None:
        self.rows = [Row(0, -1, "module", "", module_type=module_type)]

    def module(self, name: str, module_type: str, **changes: Any) -> Row:
        return self._add(name, "module", module_type, **changes)

    def parameter(
        self,
        name: str,
        data: TensorFacts,
        grad: TensorFacts | Absence | None = None,
        *,
        kind: str = "parameter",
        **changes: Any,
    ) -> Row:
        row = self._add(name, kind, None, **changes)
        row.module_type = self.rows[row.parent].module_type
        row.tensor = data
        row.state = types.AutogradState(
            requires_grad=kind != "buffer"
            and not (isinstance(grad, Absence) and grad.reason == "requires_grad_false"),
            is_leaf=True,
            retains_grad=False,
            grad_fn=None,
            in_optimizer="not_in_optimizer" not in row.badges,
            optimizer_state=False,
        )
        if isinstance(grad, Absence):
            row.absence = grad
        else:
            row.gradient = grad
        return row

    def _add(self, name: str, kind: str, module_type: str | None, **changes: Any) -> Row:
        parents = [
            row
            for row in self.rows
            if row.kind == "module" and (not row.name or name.startswith(row.name + "."))
        ]
        row = Row(len(self.rows), parents[-1].index, kind, name, module_type=module_type, **changes)
        self.rows.append(row)
        return row

    def totals(self) -> list[Row]:
        """The rows, with the norms of what is below each module."""
        for module in self.rows:
            if module.kind != "module":
                continue
            start = f"{module.name}." if module.name else ""
            below = [
                row
                for row in self.rows
                if row.tensor is not None
                and (row.name.startswith(start) or module.index in row.more_parents)
            ]
            data = [row.tensor.statistics for row in below if row.tensor]
            grad = [row.gradient.statistics for row in below if row.gradient]
            module.data_total, module.grad_total = _total(data), _total(grad)
        return self.rows


def _total(parts: list[Statistics | None]) -> Statistics | None:
    known = [one for one in parts if one is not None]
    norms = [one.norm for one in known if one.norm is not None]
    if not known:
        return None
    count = sum(one.count for one in known)
    return numbers(math.hypot(*norms) if norms else None, count + 1)
