"""What is shown of one debuggee: its roots, pinned ones first, each as of some stop; plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from gradpeek.inspection import RootInspection


@dataclass(slots=True)
class ShownRoot:
    """A root in the tree.

    Attributes:
        inspection: its rows.
        pinned: whether the user has asked for its expression.
        reruns: its expression runs code of the program, so it is evaluated only when asked.
        stale: it shows an earlier stop.
    """

    inspection: RootInspection
    pinned: bool = False
    reruns: bool = False
    stale: bool = False


@dataclass(slots=True)
class ShownProcess:
    """The roots of one debuggee.

    Attributes:
        slot: small number that the next debuggee gets again when this one has ended, so that what
            is unfolded stays so from run to run.
        label: what the editor calls its session.
        process: its process id, where known.
        stale: the program runs, and all of it shows an earlier stop.
        failure: one line that says why there is nothing.
    """

    slot: int
    label: str
    process: int | None = None
    stale: bool = False
    failure: str | None = None
    roots: list[ShownRoot] = field(default_factory=list)
