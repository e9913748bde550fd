"""Rules of what the program that owns a dump makes of it when it goes on with it. They warn; the verdict is the provider's."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from app.model.edits import SetRequest
from app.model.findings import Hit, Severity
from app.model.provider import Reading
from app.model.reader import Resumed
from app.model.table import RecordKind
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ReaderRule(Rule):
    """Judges for the reader of a dump's format, whoever its provider is. The detail of a finding is its record."""

    severity: ClassVar[Severity] = "warning"
    of_reader = True

    @abstractmethod
    def records(self, resumed: Resumed) -> Sequence[int]:
        """The records that have the defect, in the order in which they are told."""

    def check(self, reading: Reading) -> Sequence[Hit]:
        found = self.records(reading.resumed) if reading.resumed is not None else ()
        return [record_hit(self, reading, found)] if len(found) else []


def record_hit(rule: Rule, reading: Reading, records: Sequence[int]) -> Hit:
    """A hit at records: the row of each is its first one that is live, -1 where it has none."""
    table, view = reading.view.transcript.table, reading.view
    held = table.record[table.record >= 0]  # rows that edits made stand behind these
    rows = np.minimum(np.searchsorted(held, records), len(held) - 1) if len(held) else np.full(len(records), -1)
    there = held[rows] == records if len(held) else np.zeros(len(records), bool)
    rows = np.where(there & (view.positions(rows) >= 0), rows, -1)
    return Hit(rows.astype(np.int32), np.asarray(records, np.int64), rule.severity)


def resumed(site: Site) -> Resumed:
    """What the reader makes of the transcript that a finding is about."""
    found = site.reading.resumed
    assert found is not None
    return found


def line(site: Site, record: int) -> int:
    """The number of a record's line, from 1."""
    return int(site.scene.table.records.place[record]) + 1


def told(site: Site, message: str, reason: str = "", ids: tuple[str, ...] = (), cause: str = "") -> Said:
    """A finding at the record of a site; what the reader does comes behind the reason."""
    words = resumed(site).reader.words.get(site.rule, "")
    return Said(message, " ".join(filter(None, (reason, words))), ids, cause, pointer=site.scene.table.pointer(site.detail))


def _hidden(site: Site) -> frozenset[int]:
    """Records that are not found by their id, since a later one bears it."""
    kept = site.reading.view.readings
    if HIDDEN not in kept:
        records, starts = resumed(site).twins
        kept[HIDDEN] = frozenset(records.tolist()) - frozenset(records[starts[1:] - 1].tolist())
    found: frozenset[int] = kept[HIDDEN]
    return found


HIDDEN = "records that bear the id of a later one"


def member(site: Site, record: int, key: str, value: Any) -> SetRequest:
    """An edit of a member of a record's line."""
    return SetRequest(f"{site.scene.table.pointer(record)}/{key}", value)


def uuid_of(site: Site, record: int) -> str | None:
    """The uuid of a record, as an edit has it or as the file does; None where it has none or cannot be read."""
    given = site.scene.transcript.request.get(f"{site.scene.table.pointer(record)}/uuid")
    if isinstance(given, str):
        return given
    value = site.scene.value(record)
    found = value.get("uuid") if isinstance(value, dict) else None
    return found if isinstance(found, str) else None


def alone(site: Site, record: int) -> bool:
    """Whether a record is the only one of its line, what was cut off aside: only then does its pointer name it."""
    records = site.scene.table.records
    first, last = (np.searchsorted(records.place, records.place[record], side) for side in ("left", "right"))
    return int(np.count_nonzero(records.kind[first:last] != RecordKind.UNPARSED)) == 1


def relinked(site: Site, record: int, above: int) -> tuple[SetRequest, ...]:
    """The edit by which one record hangs on another; none where it cannot be made: a record whose id a later one bears is not found by
    it."""
    name = uuid_of(site, above) if above >= 0 and alone(site, record) and above not in _hidden(site) else None
    return () if name is None else (member(site, record, "parentUuid", name),)
