"""Several records bear one id.

A record is found by its uuid when a session is resumed. Claude Code keeps the last of those that bear one: what hung on the others hangs
on that one, and what lies between is not read. It comes about where hooks are written under one uuid, where two windows write one
message, and where ids were replaced by one placeholder.

Evidence: anthropics/claude-code#22178 (274 records under one uuid; sessions that do not resume), #66454 (one message written four times).

Repair: all but the first get an id of their own, and what hangs on each goes on hanging there.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

import numpy as np

from app.model.edits import Change, SetRequest
from app.model.reader import Resumed
from app.rules._reader import ReaderRule, alone, line, member, resumed, told, uuid_of
from app.rules._rule import Said
from app.rules._scene import Site

NAMESPACE = uuid.UUID("6f1c1f0a-7a52-4c0e-9a57-1d9b1b6a4b1e")
MOST_RECORDS = 500


class RecordIdDuplicate(ReaderRule):
    name = "record-id-duplicate"
    summary = "several records bear one id: a resume finds the last of them only"

    def records(self, resumed: Resumed) -> Sequence[int]:
        records, starts = resumed.twins
        return records[starts[:-1] + 1].tolist()

    def say(self, site: Site) -> Said:
        some, name = _twins(site), uuid_of(site, site.detail)
        lines = ", ".join(f"{line(site, record)}" for record in some[:4]) + (", …" if len(some) > 4 else "")
        return told(site, f"{len(some):,} records bear one uuid: lines {lines}.", ids=() if name is None else (name,))

    def fixes(self, site: Site) -> Iterable[Change]:
        later, old = _twins(site)[1:], uuid_of(site, site.detail)
        if old is None or len(later) > MOST_RECORDS:
            return
        hangs = {record: _children(site, record) for record in later}
        children = [child for some in hangs.values() for child in some]
        if len(children) > MOST_RECORDS or not all(alone(site, record) for record in (*later, *children)):
            return
        edits: list[SetRequest] = []
        for record in later:
            new = str(uuid.uuid5(NAMESPACE, f"{old}/{record}"))
            edits.append(member(site, record, "uuid", new))
            edits += [member(site, child, "parentUuid", new) for child in hangs[record]]
        lines = ", ".join(str(line(site, record)) for record in later[:4]) + (", …" if len(later) > 4 else "")
        records = f"the record of line {lines} an id of its own" if len(later) == 1 else f"the records of lines {lines} ids of their own"
        yield site.change(f"Give {records}", "exact", *edits)


def _twins(site: Site) -> list[int]:
    """The records that bear the id of a finding."""
    records, starts = resumed(site).twins
    at = int(np.searchsorted(records[starts[:-1] + 1], site.detail))
    return records[starts[at] : starts[at + 1]].tolist()


def _children(site: Site, record: int) -> list[int]:
    """What hangs on a record."""
    named, kept = site.scene.table.extra["named_by"], site.reading.view.readings
    if CHILDREN not in kept:
        by = np.argsort(named, kind="stable")
        kept[CHILDREN] = named[by], by
    parents, by = kept[CHILDREN]
    return by[np.searchsorted(parents, record) : np.searchsorted(parents, record, side="right")].tolist()


CHILDREN = "records by what they hang on"
RULE = RecordIdDuplicate()
