"""Who hangs on whom when lines of a Claude Code session leave, move or come."""

from __future__ import annotations

import uuid
from functools import cached_property
from typing import Any

import numpy as np

from app.formats._claude_plan import NAMESPACE, Plan, Unit
from app.formats._json import NotJson, loads
from app.model.dump import Dump
from app.model.kinds import Flag, Kind, Role
from app.model.table import RecordKind
from app.model.transcript import Transcript


class Links:
    """The parents of a session's records, as the file names them."""

    def __init__(self, dump: Dump) -> None:
        self.table, self.source = dump.table, dump.source

    @cached_property
    def tree(self) -> tuple[list[str | None], list[int], list[int]]:
        """For each record its uuid, the record that its parentUuid names, and the one that its logicalParentUuid names (-1 none)."""
        records = self.table.records
        uuids: list[str | None] = []
        parents: list[int] = []
        logical: list[int] = []
        seen: dict[Any, int] = {}
        for record in range(len(records)):
            value = self.value(record)
            parents.append(seen.get(value.get("parentUuid"), -1))
            logical.append(seen.get(value.get("logicalParentUuid"), -1))
            uuid_ = value.get("uuid")
            uuids.append(uuid_ if isinstance(uuid_, str) else None)
            if isinstance(uuid_, str):
                seen[uuid_] = record
        return uuids, parents, logical

    def value(self, record: int) -> dict[str, Any]:
        records = self.table.records
        try:
            value = loads(self.source.read(int(records.offset[record]), int(records.length[record])))
        except NotJson:
            return {}
        if not isinstance(value, dict):
            return {}
        return {k: v for k, v in value.items() if not isinstance(v, list) or k == "message"}

    def chain(self, head: Any, tail: Any, before: int) -> list[int]:
        """The records from one uuid to another that hang on each other, all of them before a record; none where they do not."""
        uuids, parents, _ = self.tree
        at = next((record for record in range(before - 1, -1, -1) if uuids[record] == tail), -1) if tail else -1
        found: list[int] = []
        while at >= 0 and uuids[at] != head:
            found.append(at)
            at = parents[at]
        return [*found, at][::-1] if at >= 0 else []

    def rehang(self, plan: Plan, gone: set[int]) -> None:
        """What hung on a record that goes hangs on the nearest one above it that stays."""
        uuids, parents, logical = self.tree

        def above(record: int) -> str | None:
            """The uuid of the nearest one above that stays. Where none does and the file has branches, that of the first one that
            went: what hung on one record still names one record, so that the branches stay apart."""
            last = record
            while record >= 0 and record in gone:
                last, record = record, parents[record] if parents[record] >= 0 else logical[record]
            return uuids[record] if record >= 0 else uuids[last] if self._forked else None

        for record in range(len(uuids)):
            if record in plan.gone or (record in gone and record not in plan.changed):
                continue
            if parents[record] in gone:
                plan.parents[record] = above(parents[record])
            if logical[record] in gone:
                plan.logical[record] = above(logical[record])

    def hang(self, plan: Plan, base: Transcript, placed: dict[int, list[Unit]]) -> None:
        """New lines hang where the record behind them hung, and that one on them; at the end they hang on the last record.

        Where that record is a prompt of a fork, what is put before it must leave it there: else the branches would become one
        line. So all but prompts hang beside it, a result on its own call.
        """
        uuids, parents, logical = self.tree
        end = len(uuids)
        for record, units in placed.items():
            plan.before.setdefault(record, []).extend(units)
            wall = record < end and self.table.records.kind[record] == RecordKind.BOUNDARY and parents[record] < 0
            if wall:
                above = plan.logical[record] if record in plan.logical else (uuids[logical[record]] if logical[record] >= 0 else None)
            elif record < end:
                above = plan.parents[record] if record in plan.parents else (uuids[parents[record]] if parents[record] >= 0 else None)
            else:
                above = self._last_uuid(plan, base)
            told = uuids[record] if record < end else "end"
            beside = record in self._forked
            for number, unit in enumerate(units):
                unit.parent = above
                own = uuids[unit.moved] if unit.moved >= 0 else None
                unit.uuid = own or str(uuid.uuid5(NAMESPACE, f"{above}/{told}/{number}"))
                if beside and not self._is_prompt(unit):
                    unit.parent = self._uuid_of_call(unit) or above
                    continue
                beside = False
                above = unit.uuid
            if wall:
                plan.logical[record] = above
            elif record < end and (uuids[record] is not None):
                plan.parents[record] = above

    @cached_property
    def _forked(self) -> set[int]:
        """Records that begin a branch, and the prompts beside them."""
        return {int(record) for record in self.table.extra.get("forks", ())}

    def _is_prompt(self, unit: Unit) -> bool:
        table = unit.context.edited.table
        return all(
            table.role[row] == Role.USER and table.kind[row] != Kind.TOOL_RESULT and not table.flags[row] & Flag.INJECTED
            for row in unit.rows
        )

    def _uuid_of_call(self, unit: Unit) -> str | None:
        """The record of the call that a made result answers."""
        made = unit.context.edited.made.get(unit.rows[0])
        if made is None or not 0 <= made.call < len(self.table):
            return None
        return self.tree[0][int(self.table.record[made.call])]

    def _last_uuid(self, plan: Plan, base: Transcript) -> str | None:
        """The uuid of the last record of a conversation that stays."""
        uuids = self.tree[0]
        own = np.flatnonzero(self.table.records.owner == base.index)
        away = plan.gone | plan.moved  # what moved to the end does not hang on itself
        found = next((int(r) for r in own[::-1] if uuids[r] is not None and r not in away), -1)
        return uuids[found] if found >= 0 else None
