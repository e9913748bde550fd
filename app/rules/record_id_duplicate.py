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
from app.model.table import Ints
from app.rules._reader import ReaderRule, alone, line, member, resumed, told, uuid_of
from app.rules._rule import Said
from app.rules._scene import Site

NAMESPACE = uuid.UUID("6f1c1f0a-7a52-4c0e-9a57-1d9b1b6a4b1e")
MOST_RECORDS = 500


class RecordIdDuplicate(ReaderRule):
    name = "record-id-duplicate"
    summary = "several records bear one id: a resume finds the last of them only"

    def records(self, resumed: Resumed) -> Sequence[int]:
        return [int(some[1]) for some in resumed.twins]

    def say(self, site: Site) -> Said:
        some = _twins(site)
        name = uuid_of(site, site.detail)
        lines = ", ".join(f"{line(site, record)}" for record in some[:4].tolist()) + (", …" if len(some) > 4 else "")
        return told(site, f"{len(some):,} records bear one uuid: lines {lines}.", ids=() if name is None else (name,))

    def fixes(self, site: Site) -> Iterable[Change]:
        some, old = _twins(site), uuid_of(site, site.detail)
        later = some[1:].tolist()
        parents = site.scene.table.extra["named_by"]
        children = np.flatnonzero(np.isin(parents, later))
        if old is None or len(later) + len(children) > MOST_RECORDS or not all(alone(site, r) for r in (*later, *children.tolist())):
            return
        edits: list[SetRequest] = []
        for record in later:
            new = str(uuid.uuid5(NAMESPACE, f"{old}/{record}"))
            edits.append(member(site, record, "uuid", new))
            edits += [member(site, child, "parentUuid", new) for child in np.flatnonzero(parents == record).tolist()]
        lines = ", ".join(str(line(site, record)) for record in later[:4]) + (", …" if len(later) > 4 else "")
        yield site.change(f"Give the record of line {lines} an id of its own", "exact", *edits)


def _twins(site: Site) -> Ints:
    return next(some for some in resumed(site).twins if int(some[1]) == site.detail)


RULE = RecordIdDuplicate()
