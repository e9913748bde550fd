"""What a compaction wall says of the talk before it that is sent again behind it, when lines of that talk leave or come.

`compactMetadata` names the kept part by its first and last record (`preservedSegment`) or record by record (`preservedMessages`), and the
record behind which it is sent again (`anchorUuid`). Named records that go are replaced by their neighbours; lines that come to stand in
front of a kept record are kept as well.
"""

from __future__ import annotations

from typing import Any

from app.formats._claude_links import Links
from app.formats._claude_plan import Plan
from app.formats._splice import set_pointer
from app.formats._style import Style
from app.model.edits import DELETE
from app.model.table import RecordKind


def keep(plan: Plan, links: Links) -> None:
    """Enters in `plan.kept` what boundaries say anew: for each its record, and pointers inside `compactMetadata` with their values."""
    away = plan.gone | plan.moved
    for record in (links.table.records.kind == RecordKind.BOUNDARY).nonzero()[0].tolist():
        told = links.value(record).get("compactMetadata")
        if not isinstance(told, dict):
            continue
        said: dict[tuple[str, ...], Any] = {}
        for name in ("preservedSegment", "preservedMessages"):
            part = told.get(name)
            if isinstance(part, dict):
                said |= {(name, *rest): value for rest, value in _said(plan, links, record, part, away).items()}
        if said:
            plan.kept[record] = said


def _said(plan: Plan, links: Links, record: int, part: dict[str, Any], away: set[int]) -> dict[tuple[str, ...], Any]:
    uuids = links.tree[0]
    said: dict[tuple[str, ...], Any] = {}
    if "uuids" in part:
        listed = part["uuids"] if isinstance(part["uuids"], list) else []
        known = {uuid: at for at, uuid in enumerate(uuids[:record]) if uuid is not None}
        new: list[Any] = []
        for uuid in listed:
            at = known.get(uuid, -1) if isinstance(uuid, str) else -1
            new += [unit.uuid for unit in plan.before.get(at, ())]
            new += [uuid] if at not in away else []
        if new != listed:
            said[("uuids",)] = new
    else:
        chain = links.chain(part.get("headUuid"), part.get("tailUuid"), record)
        new = []
        for at in chain:
            new += [unit.uuid for unit in plan.before.get(at, ())]
            new += [uuids[at]] if at not in away else []
        if chain and not new:
            return {(): DELETE}
        if chain:
            said |= {(key,): value for key, value in (("headUuid", new[0]), ("tailUuid", new[-1])) if part.get(key) != value}
    anchor = next((at for at, uuid in enumerate(uuids[record:], record) if uuid == part.get("anchorUuid")), -1)
    if anchor in away:
        said[("anchorUuid",)] = next((uuids[at] for at in range(anchor - 1, record - 1, -1) if at not in away and uuids[at]), uuids[record])
    return said


def written(metadata: bytes, said: dict[tuple[str, ...], Any], style: Style) -> bytes:
    """`compactMetadata` with what is said anew."""
    for pointer, value in said.items():
        metadata = set_pointer(metadata, pointer, value, style)
    return metadata
