"""What a compaction wall says of the talk before it that is sent again behind it, when lines of that talk leave or come.

`compactMetadata` names the kept part by its first and last record (`preservedSegment`) or record by record (`preservedMessages`), and the
record behind which it is sent again (`anchorUuid`). Named records that go are replaced by their neighbours; lines that come to stand in
front of a kept record are kept as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.formats._claude_plan import Plan
from app.formats._claude_rows import Boundary
from app.formats._claude_shape import Shape
from app.formats._claude_walls import kept_by
from app.formats._splice import set_pointer
from app.formats._style import Style
from app.model.edits import DELETE

Said = dict[tuple[str, ...], Any]


def keep(shape: Shape, plan: Plan) -> None:
    """Enters in `plan.kept` what boundaries say anew: for each its record, and pointers inside `compactMetadata` with their values."""
    for record, boundary in shape.lines.boundaries.items():
        if not (boundary.kept or (boundary.head and boundary.tail)):
            continue
        told = shape.value(record).get("compactMetadata")
        said: Said = {}
        for name in ("preservedSegment", "preservedMessages"):
            part = told.get(name) if isinstance(told, dict) else None
            if isinstance(part, dict):
                said |= {(name, *rest): value for rest, value in _said(shape, plan, record, boundary, part).items()}
        if said:
            plan.kept[record] = said


def _said(shape: Shape, plan: Plan, record: int, boundary: Boundary, part: dict[str, Any]) -> Said:
    said: Said = {}
    chain = kept_by(shape.lines, shape.tree.above, record, boundary).tolist()
    new: list[str | None] = []
    for at in chain:
        new += [unit.uuid for unit in plan.in_front(at)]
        new += [shape.uuid(at)] if not plan.away(at) else []
    if "uuids" in part:
        if chain and (len(new) != len(chain) or any(plan.away(at) or at in shape.renamed for at in chain)):
            said[("uuids",)] = new
    elif chain and not new:
        return {(): DELETE}
    elif chain:
        said |= {(key,): value for key, value in (("headUuid", new[0]), ("tailUuid", new[-1])) if part.get(key) != value}
    found = np.flatnonzero((shape.lines.uuid[record:] == boundary.anchor) & (boundary.anchor != 0))
    anchor = record + int(found[0]) if len(found) else -1
    if anchor in shape.renamed and not plan.away(anchor):
        said[("anchorUuid",)] = shape.uuid(anchor)
    if anchor >= 0 and plan.away(anchor):
        back = range(anchor - 1, record - 1, -1)
        said[("anchorUuid",)] = next((uuid for at in back if not plan.away(at) and (uuid := shape.uuid(at)) is not None), None)
    return said


def laid_over(value: dict[str, Any], said: Said) -> dict[str, Any]:
    """`compactMetadata` as a value with what is said anew."""
    value = {key: dict(part) if isinstance(part, dict) else part for key, part in value.items()}
    for pointer, new in said.items():
        if new is DELETE:
            del value[pointer[0]]
        else:
            value[pointer[0]][pointer[1]] = new
    return value


def written(metadata: bytes, said: Said, style: Style) -> bytes:
    """The bytes of `compactMetadata` with what is said anew."""
    for pointer, value in said.items():
        metadata = set_pointer(metadata, pointer, value, style)
    return metadata
