"""Places as nodes of the wire: label, cells, actions."""

from __future__ import annotations

from gradpeek.inspection import RootInspection, Row
from gradpeek.language_server.expressions import member
from gradpeek.language_server.lines import (
    entry_cells,
    gradient_cells,
    has_gradient_line,
    module_pieces,
    spoken,
    tone,
)
from gradpeek.language_server.tree import Place
from gradpeek.rendering.entries import (
    gradients_entry,
    gradients_item_entry,
    other_names,
    plain_root_entry,
    tensor_root_entry,
)
from gradpeek.rendering.layout import Entry
from gradpeek.rendering.settings import headline, settings_entry
from gradpeek.rendering.symbols import Symbols
from gradpeek.wire import editor

LABEL_LIMIT = 120


def node(place: Place, symbols: Symbols) -> editor.Node:
    """One line of the tree for an editor."""
    label, cells = _line(place, symbols)
    root = place.tree.root if place.tree is not None else None
    stale = place.process.stale or (root is not None and root.stale)
    is_root = place.kind == "root" and root is not None
    if is_root and root is not None and root.stale and root.reruns:
        again = symbols.say("from an earlier stop: evaluate again to refresh")
        cells = [*cells, editor.Cell(text=again, style="info")]
    return editor.Node(
        id=place.id,
        parent=place.parent.id if place.parent is not None else None,
        kind=_kind(place),
        label=label,
        cells=cells,
        tone=_tone(place),
        stale=stale,
        expandable=_is_expandable(place),
        expanded=place.is_open(),
        pinned=is_root and root is not None and root.pinned,
        spoken=spoken(label, cells, symbols, stale=stale),
        expression=expression(place),
        actions=_actions(place),
    )


def _kind(place: Place) -> editor.NodeKind:
    row = place.row()
    if place.kind == "row" and row is not None:
        kind: editor.NodeKind = row.kind  # type: ignore[assignment]  # one of the probe's kinds
        return kind
    if place.kind == "root" and place.tree is not None:
        return place.tree.inspection.root.kind or "error"
    others: dict[str, editor.NodeKind] = {
        "process": "process",
        "bucket": "bucket",
        "gradient": "gradient",
    }
    return others.get(place.kind, "error")


def _tone(place: Place) -> editor.Tone:
    row = place.row()
    if place.kind == "gradient" and row is not None:
        found = tone(row, holds_parameters=True)
        return found if row.gradient is not None or found == "warning" else "faint"
    if row is not None and place.tree is not None:
        return place.tree.tone(row)
    return "error" if _kind(place) == "error" else "normal"


def _is_expandable(place: Place) -> bool:
    row = place.row()
    if place.kind in ("process", "bucket"):
        return True
    if place.kind not in ("root", "row") or place.tree is None:
        return False
    if row is not None and row.tensor is not None:
        return has_gradient_line(row)
    return place.tree.has_below(None if place.kind == "root" else place.node)


def _line(place: Place, symbols: Symbols) -> tuple[str, list[editor.Cell]]:
    row = place.row()
    if place.kind == "process":
        number = place.process.process
        label = symbols.clean(place.process.label, LABEL_LIMIT)
        text = symbols.say("process {number}", number=number) if number else ""
        return label, [editor.Cell(text=text, style="info")] if text else []
    if place.kind == "failure":
        return symbols.clean(place.process.failure or "", 400), []
    if place.kind == "bucket":
        return _bucket_label(place, symbols), []
    if place.kind == "gradient" and row is not None:
        return "grad", gradient_cells(row, symbols)
    entry = _entry(place, symbols)
    is_module = place.node is not None and row is not None and row.kind == "module"
    pieces = module_pieces(place.node, symbols) if is_module and place.node is not None else []
    cells = entry_cells(entry, pieces)
    if place.kind == "root" and place.tree is not None:
        return _root_line(place.tree.inspection, cells, symbols)
    return entry.name, cells


def _root_line(
    root: RootInspection, cells: list[editor.Cell], symbols: Symbols
) -> tuple[str, list[editor.Cell]]:
    """The label is the expression alone, so that a row keeps it when a name comes or goes."""
    cells += [editor.Cell(text=text, style="weight") for text in headline(root, symbols)]
    others = other_names(root, symbols)
    if others:
        cells.append(editor.Cell(text=symbols.say("also {others}", others=others), style="info"))
    return symbols.clean(root.root.expression), cells


def _bucket_label(place: Place, symbols: Symbols) -> str:
    to = f" {symbols.ellipsis} "
    names = [symbols.clean(one.label, LABEL_LIMIT) for one in (place.nodes[0], place.nodes[-1])]
    return f"[{place.range[0]}{to}{place.range[1]}]  {to.join(names)}"


def _entry(place: Place, symbols: Symbols) -> Entry:
    tree = place.tree
    assert tree is not None
    root = tree.inspection
    if place.node is not None and tree.entries is not None:
        return tree.entries.entry(place.node)
    if place.kind == "row" and place.node is not None:
        row = place.node.row
        if row.settings is not None:
            return settings_entry(row, row.settings, tree.differing, symbols)
        return gradients_item_entry(row, symbols)
    if root.root.kind == "gradients":
        return gradients_entry(root, symbols)
    if root.root.kind == "tensor" and root.rows:
        return tensor_root_entry(root, symbols)
    return plain_root_entry(root, symbols)


def expression(place: Place) -> str | None:
    """What evaluates to the thing in the selected frame; None where it is in a caller's."""
    if place.tree is None or place.kind == "bucket":
        return None
    wire = place.tree.inspection.root
    row = place.row()
    if wire.frame:
        return None
    if place.kind == "root" or (row is not None and not row.name):
        found = wire.expression
    elif row is None or wire.kind == "tensor":
        return None
    elif row.settings is not None:
        return None if row.settings.path is None else wire.expression + row.settings.path
    elif wire.kind == "gradients":
        found = wire.expression + (row.name if row.name.startswith("[") else f"[{row.name!r}]")
    else:
        found = _member_expression(wire.expression, row, place)
    if place.kind == "gradient":
        return f"{found}.grad"
    return found


def _member_expression(root: str, row: Row, place: Place) -> str:
    """Expression of a row of a module, through the modules that hold it."""
    assert place.tree is not None
    rows = place.tree.inspection.rows
    chain = [row]
    while chain[-1].parent >= 0:
        chain.append(rows[chain[-1].parent])
    found = root
    for above, one in zip(chain[:0:-1], chain[-2::-1], strict=True):
        segment = one.name[len(above.name) + 1 :] if above.name else one.name
        found = member(found, above.module_type, one.kind, segment)
    return found


def _actions(place: Place) -> list[editor.Action]:
    if place.tree is None or place.kind == "bucket":
        return []
    row, wire = place.row(), place.tree.inspection.root
    found: list[editor.Action] = []
    if wire.kind is not None:
        if row is not None and row.name and row.settings is None:
            found.append("copy_path")
        if expression(place) is not None:
            found += ["copy_expression", "watch"]
        if row is not None:
            found.append("copy_value")
        if place.kind in ("root", "row") and wire.kind == "module":
            found.append("source")
    if place.kind == "root" and place.tree.root.pinned:
        found.append("unpin")
        if place.tree.root.reruns:
            found.append("rerun")
    return found
