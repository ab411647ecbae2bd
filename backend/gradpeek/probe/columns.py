"""Metadata of a root's rows as columns: reads no element of any tensor."""

from __future__ import annotations

from typing import Any, Hashable

from . import slots
from .kinds import Facts, describe, plain_key
from .modules import WITHOUT_TENSORS
from .stop import Tensors

_STATE = (
    *("requires_grad", "is_leaf", "retains_grad", "grad_fn"),
    *("in_optimizer", "optimizer_state"),
)


class _Distinct:
    """Records in the order of their first use; equal ones share an index."""

    def __init__(self) -> None:
        self._index: dict[Hashable, int] = {}

    def index(self, record: Hashable) -> int:
        return self._index.setdefault(record, len(self._index))

    def objects(self, fields: tuple[str, ...]) -> list[dict[str, Any]]:
        return [dict(zip(fields, record)) for record in self._index]  # type: ignore[call-overload]


class _FactsIndex:
    """Indices of the facts of tensors; those plainly stored are described once a kind."""

    def __init__(self) -> None:
        self.records = _Distinct()
        self._plain: dict[Hashable, int] = {}

    def of(self, tensor: Any) -> int:
        key = plain_key(tensor)
        known = None if key is None else self._plain.get(key)
        if known is None:
            known = self.records.index(describe(tensor))
            if key is not None:
                self._plain[key] = known
        return known


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
    page = slice(offset, offset + limit)
    columns = table.columns
    kinds = columns.kinds[page]
    facts, states = _FactsIndex(), _Distinct()
    facts_of: list[int | None] = []
    gradient_of: list[int | None] = []
    state_of: list[int | None] = []
    for at, kind in enumerate(kinds, offset):
        tensor = table.tensor(at)
        gradient = None
        if tensor is not None:
            facts_of.append(facts.of(tensor))
            leaf = slots.is_leaf(tensor)
            retains = not leaf and slots.retains_grad(tensor)
            gradient = slots.grad(tensor) if leaf or retains else None
            node = None if leaf else slots.grad_fn(tensor)
            held = None if optimizer_state is None else optimizer_state.get(id(tensor))
            known = None if optimizer_state is None else held is not None
            maker = None if node is None else _class_name(node)
            state = (slots.requires_grad(tensor), leaf, retains, maker, known, bool(held))
            state_of.append(states.index(state))
        elif kind in WITHOUT_TENSORS:
            facts_of.append(None)
            state_of.append(None)
        else:
            lost = _GONE if table.references[at] is not None else _HOLE
            facts_of.append(facts.records.index(lost))
            state_of.append(states.index((False, True, False, None, None, False)))
        gradient_of.append(None if gradient is None else facts.of(gradient))
    return {
        "total": len(columns.names),
        "offset": offset,
        "name": columns.names[page],
        "kind": kinds,
        "parent": columns.parents[page],
        "module_type": columns.types[page],
        "facts_of": facts_of,
        "gradient_of": gradient_of,
        "state_of": state_of,
        "facts": facts.records.objects(Facts._fields),
        "states": states.objects(_STATE),
        "shared": [
            {"row": at, **shared._asdict()}
            for at, shared in columns.shared.items()
            if offset <= at < offset + limit
        ],
        "settings": [
            {**one._asdict(), "values": [value._asdict() for value in one.values]}
            for one in columns.settings[page]
        ],
    }


_GONE = Facts(capability="gone: the program has let go of it")
_HOLE = Facts(capability="None: no gradient came back")


def _class_name(value: Any) -> str:
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name
