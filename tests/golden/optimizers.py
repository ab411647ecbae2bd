"""Inspections of optimizers, scalers and schedulers made by hand, beside those in `samples`."""

from __future__ import annotations

from typing import Any

from golden.building import root
from golden.samples import HOSTILE_NAMES
from gradpeek.inspection import RootInspection, Row
from gradpeek.wire import types


def _row(
    index: int,
    kind: str,
    name: str,
    values: dict[str, Any],
    path: str | None = None,
    sizes: tuple[int | None, int | None] = (None, None),
) -> Row:
    """A row of plain values; a value that is a `Setting` is taken as it is."""
    settings = types.Settings(
        row=index,
        path=path,
        tensors=sizes[0],
        elements=sizes[1],
        values=[
            value
            if isinstance(value, types.Setting)
            else types.Setting(name=key, value=value, label=None)
            for key, value in values.items()
        ],
    )
    return Row(index, -1, kind, name, settings=settings)


def _labelled(name: str, label: str, value: Any = None) -> types.Setting:
    return types.Setting(name=name, value=value, label=label)


def optimizer() -> RootInspection:
    """AdamW after three steps, with two groups, and one that came late."""
    common = {"betas": [0.9, 0.999], "eps": 1e-08, "amsgrad": False, "foreach": None}
    groups: list[dict[str, Any]] = [
        {"lr": 0.001, "weight_decay": 0.01, **common},
        {"lr": 0.00012345678, "weight_decay": 0, **common, "lookahead": True},
        {"lr": _labelled("lr", "on cuda:0"), "weight_decay": 0.01, **common},
    ]
    rows = [
        _row(at, "group", f"group {at}", values, f".param_groups[{at}]", (2 - at % 2, 10_800))
        for at, values in enumerate(groups)
    ]
    rows += [
        _row(3, "state", "step", {"min": 1.0, "max": 3.0}),
        _row(4, "state", "exp_avg", {"dtype": "float32"}, sizes=(5, 32_400)),
        _row(5, "state", "exp_avg_sq", {"dtype": "float32", "device": "cuda:0"}, sizes=(1, 10_800)),
        _row(6, "state", "al", {"value": _labelled("value", "first 2 of 100", [1.5, None])}),
        _row(7, "state", "memory", {"value": _labelled("value", "deque")}),
    ]
    return root("opt", "optimizer", "AdamW", rows, aliases=["self.opt"])


def scaler() -> RootInspection:
    """A scaler for the CPU after one growth."""
    rest = {"enabled": True, "growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 2000}
    rows = [
        _row(0, "state", "scale", {"value": 131072.0}, "._scale"),
        _row(1, "state", "growth_tracker", {"value": 7}, "._growth_tracker"),
        _row(2, "state", "settings", rest),
    ]
    return root("scaler", "grad_scaler", "GradScaler", rows)


def scheduler() -> RootInspection:
    """A plateau's scheduler that has seen no metric yet."""
    rows = [
        _row(0, "state", "last_epoch", {"value": 0}, ".last_epoch"),
        _row(1, "state", "last_lr", {"value": [0.001, 0.1]}, "._last_lr"),
        _row(2, "state", "best", {"value": "Infinity"}, ".best"),
        _row(3, "state", "num_bad_epochs", {"value": 0}, ".num_bad_epochs"),
        _row(4, "state", "settings", {"factor": 0.1, "patience": 10, "threshold_mode": "rel"}),
    ]
    return root("sched", "scheduler", "ReduceLROnPlateau", rows)


def optimizers() -> list[RootInspection]:
    """One root of each kind, a scaler that does nothing, and an optimizer of a caller."""
    off = [_row(0, "state", "settings", {"enabled": False})]
    plain = _row(0, "group", "group 0", {"lr": 1e-05}, ".optimizer.param_groups[0]", (1, 1))
    return [
        optimizer(),
        scaler(),
        root("off", "grad_scaler", "GradScaler", off),
        scheduler(),
        root("inner", "optimizer", "SGD", [plain], frame=1),
    ]


def hostile() -> RootInspection:
    """Every text that comes from the program is hostile."""
    values = {name: name for name in HOSTILE_NAMES}
    labelled = {name: _labelled(name, name, [name]) for name in HOSTILE_NAMES}
    rows = [
        _row(0, "group", "group 0", values, ".param_groups[0]", (1, None)),
        _row(1, "group", "group 1", labelled, None, (1, None)),
        *(
            _row(at, "state", name, {"value": name}, None)
            for at, name in enumerate(HOSTILE_NAMES, 2)
        ),
        *(
            _row(at, "state", f"{name}!", {name: name}, None, (1, 1))
            for at, name in enumerate(HOSTILE_NAMES, 2 + len(HOSTILE_NAMES))
        ),
    ]
    return root("opt", "optimizer", HOSTILE_NAMES[0], rows)
