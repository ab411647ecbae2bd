"""What one stop shows: roots and their rows, as the host holds them; plain data."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from gradpeek.probe.moments import Moments
from gradpeek.wire import types

Part = Literal["data", "grad"]
Evidence = Literal["observed", "inferred", "unknown"]


class Phrase(str):
    """A text of ours that remembers how it was made, so that it can be said in another language.

    As a str it is the English text. What comes from the debuggee is a value, never a template.

    Attributes:
        template: the English text with names in braces.
        values: by name what stands in its place; phrases among them are translated, too.
    """

    __slots__ = ("template", "values")
    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Phrase:
        """The template with `values` put in, which are taken as they are."""
        made = super().__new__(cls, template.format(**values))
        made.template, made.values = template, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """What makes the same phrase again, for `copy` and `pickle`."""
        return (self.template,), self.values


@dataclass(slots=True)
class Statistics:
    """Statistics of one tensor, or of all distinct tensors below a module.

    All but the counts are over finite elements and None where nothing is finite. `mean` and `std`
    are in the tensor's unit, `std` is the population's; of complex tensors `min` and `max` are
    None and `mean` is a complex number.
    """

    count: int
    zeros: int
    nan: int
    posinf: int
    neginf: int
    norm: float | None
    mean: float | complex | None
    std: float | None
    min: float | None
    max: float | None
    max_abs: float | None

    @staticmethod
    def of(moments: Moments) -> Statistics:
        """The statistics that follow from moments."""
        finite = moments.finite
        mean: float | complex | None = None
        if finite:
            mean = moments.mean
            if moments.mean_imag:
                mean = complex(moments.mean, moments.mean_imag)
        return Statistics(
            moments.count,
            moments.zeros,
            moments.nan,
            moments.posinf,
            moments.neginf,
            moments.norm if finite else None,
            mean,
            moments.deviation / math.sqrt(finite) if finite else None,
            moments.min,
            moments.max,
            moments.max_abs,
        )


@dataclass(slots=True)
class TensorFacts:
    """Metadata of a tensor; what cannot be asked of its kind is None.

    `capability` is "full", or a few words why statistics cannot be had. `tensor_type` names its
    class where it is neither Tensor nor Parameter.
    """

    tensor_type: str | None
    shape: list[int] | None
    dtype: str | None
    device: str | None
    layout: str | None
    numel: int | None
    capability: str
    statistics: Statistics | None = None


@dataclass(slots=True)
class Absence:
    """Why a tensor has no gradient; `text` says it in a sentence, `label` in two or three words.

    Both are phrases where GradPeek found the reason by itself.
    """

    reason: str
    evidence: Evidence
    label: str
    text: str


@dataclass(slots=True)
class Row:
    """One module, tensor, parameter group or kind of state of a root.

    A tensor or module with several names is one row.

    Attributes:
        index: number of the row in its root.
        parent: index of the module row above it, or -1.
        more_parents: further module rows that hold the same object.
        name: first fully-qualified name, "" for the root itself.
        aliases: further names; `names_total` counts those not listed, too.
        module_type: class of the module, or of the module that holds the tensor.
        tensor: facts of the tensor, None for modules.
        state: how the tensor stands to autograd and to optimizers, None for modules.
        gradient: facts of its gradient, None for modules and where there is none.
        absence: why there is none; None for modules, buffers that need none, and present ones.
        data_total: statistics over the distinct parameters below a module.
        grad_total: the same of their gradients.
        settings: what a parameter group or kind of state holds, None for modules and tensors.
    """

    index: int
    parent: int
    kind: str
    name: str
    aliases: list[str] = field(default_factory=list)
    names_total: int = 1
    more_parents: list[int] = field(default_factory=list)
    module_type: str | None = None
    tensor: TensorFacts | None = None
    state: types.AutogradState | None = None
    gradient: TensorFacts | None = None
    absence: Absence | None = None
    badges: list[str] = field(default_factory=list)
    data_total: Statistics | None = None
    grad_total: Statistics | None = None
    settings: types.Settings | None = None

    @property
    def names(self) -> list[str]:
        """All names that are listed, the first one first."""
        return [self.name, *self.aliases]


@dataclass(slots=True)
class RootInspection:
    """A root with its rows in model order; `root.error` says why there are none.

    `measured` tells whether statistics are in, as far as they can be had.
    """

    root: types.Root
    rows: list[Row] = field(default_factory=list)
    measured: bool = False

    @property
    def complete(self) -> bool:
        """Whether nothing of it is left to be read."""
        return self.measured or next(self.tensors(), None) is None

    def children(self) -> dict[int, list[Row]]:
        """Rows by the index of the module row above them; -1 for the top."""
        found: dict[int, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row.parent, []).append(row)
        return found

    def tensors(self) -> Iterator[Row]:
        """Rows that stand for tensors."""
        return (row for row in self.rows if row.tensor is not None)


@dataclass(slots=True)
class Inspection:
    """All that GradPeek shows of one stop.

    Attributes:
        facts: what the frame told of the progress of training.
        roots: in the order asked for, else models first.
    """

    facts: types.FrameFacts
    roots: list[RootInspection]

    @property
    def complete(self) -> bool:
        """Whether the statistics of all roots are in, as far as they can be had."""
        return all(root.complete for root in self.roots)


MomentsTable: TypeAlias = dict[tuple[int, Part], Moments | str]
"""By row and part what was measured, or the label why not."""
