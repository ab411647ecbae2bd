"""The JSON of one stop, as docs/json-output.schema.json states it."""

from __future__ import annotations

import json
import math
from typing import Any

from gradpeek.inspection import Inspection, RootInspection, Row, Statistics, TensorFacts
from gradpeek.wire import types

VERSION = 1
_FLOATS = ("norm", "mean", "std", "min", "max", "max_abs")
_COUNTS = ("count", "zeros", "nan", "posinf", "neginf")


def stop_object(inspection: Inspection, stop: dict[str, Any], elapsed_s: float) -> dict[str, Any]:
    """One stop as plain JSON values.

    Args:
        inspection: what was found there.
        stop: where it is: index, file, line, function, reason, process, thread, frame.
        elapsed_s: from the stopped event to decoded rows, in seconds.
    """
    return {
        "version": VERSION,
        "stop": stop,
        "elapsed_s": elapsed_s,
        "roots": [_root(root) for root in inspection.roots],
        "findings": [],
    }


def dumps(value: object) -> str:
    """`value` as JSON on one line of ASCII.

    Raises:
        ValueError: a float in it is not finite; `stop_object` holds none.
    """
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(", ", ": "))


def _root(root: RootInspection) -> dict[str, Any]:
    wire = root.root
    found: dict[str, Any] = {
        "expression": wire.expression,
        "aliases": list(wire.aliases),
        "frame": wire.frame,
        "scope": wire.scope,
        "kind": wire.kind,
        "type": wire.type,
        "rows": [_row(row, root) for row in root.rows],
    }
    if wire.error is not None:
        found["error"] = {"code": wire.error.code, "message": wire.error.message}
    return found


def _row(row: Row, root: RootInspection) -> dict[str, Any]:
    names = [root.root.expression] if root.root.kind == "tensor" else row.names
    tensor = row.tensor
    found: dict[str, Any] = {
        "name": names[0],
        "names": list(names),
        "names_total": row.names_total,
        "parent": row.parent if row.parent >= 0 else None,
        "kind": row.kind,
        "module_type": row.module_type,
        **_facts(tensor),
        "numel": tensor.numel if tensor else None,
        "requires_grad": row.state.requires_grad if row.state else None,
        "is_leaf": row.state.is_leaf if row.state else None,
        "capability": tensor.capability if tensor else None,
        "data": None,
        "grad": None,
        "badges": list(row.badges),
    }
    if row.settings is not None:
        found.update(_settings(row.settings))
    if tensor is None:
        if row.data_total is not None:
            found["data"] = _statistics(row.data_total)
        if row.grad_total is not None:
            found["grad"] = {**_why(None, row), **_facts(None), **_statistics(row.grad_total)}
        return found
    if tensor.statistics is not None:
        found["data"] = _statistics(tensor.statistics)
    gradient = row.gradient
    found["grad"] = {
        **_why("none" if gradient is None else "present", row),
        **_facts(gradient),
        "capability": gradient.capability if gradient else None,
        **_statistics(gradient.statistics if gradient else None),
    }
    return found


def _settings(settings: types.Settings) -> dict[str, Any]:
    """Values by name; one that could not be read, or not wholly, is an object that says why."""
    values: dict[str, Any] = {}
    for one in settings.values:
        if one.label is None:
            values[one.name] = one.value
        else:
            values[one.name] = {"value": one.value, "label": one.label}
    return {"values": values, "tensors": settings.tensors, "elements": settings.elements}


def _facts(tensor: TensorFacts | None) -> dict[str, Any]:
    if tensor is None:
        return dict.fromkeys(("shape", "dtype", "device", "layout", "tensor_type"))
    return {
        "shape": tensor.shape,
        "dtype": tensor.dtype,
        "device": tensor.device,
        "layout": tensor.layout,
        "tensor_type": tensor.tensor_type,
    }


def _why(state: str | None, row: Row) -> dict[str, Any]:
    """State of a gradient; with "none" the reason, which is known for every tensor."""
    found: dict[str, Any] = {"state": state, "reason": None, "evidence": None, "text": None}
    if state != "none":
        return found
    if row.absence is not None:
        found["reason"], found["evidence"] = row.absence.reason, row.absence.evidence
        found["text"] = row.absence.text
    elif row.state is not None and not row.state.requires_grad:
        found["reason"], found["evidence"] = "requires_grad_false", "observed"
        found["text"] = f"{row.name or 'it'} takes no gradient: its requires_grad is False"
    else:
        found["reason"] = found["evidence"] = "unknown"
        found["text"] = f"nothing shows why {row.name or 'it'} has no gradient"
    return found


def _statistics(numbers: Statistics | None) -> dict[str, Any]:
    if numbers is None:
        return dict.fromkeys((*_FLOATS, *_COUNTS))
    found: dict[str, Any] = {name: _float(getattr(numbers, name)) for name in _FLOATS}
    found.update((name, getattr(numbers, name)) for name in _COUNTS)
    return found


def _float(value: float | complex | None) -> Any:
    if value is None:
        return None
    if isinstance(value, complex):
        return [_float(value.real), _float(value.imag)]
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
