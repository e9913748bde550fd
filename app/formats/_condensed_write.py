"""Edited events of OpenHands whose model no longer sees all of them: what is put in stands where the summary leaves it, and the summary
stands where the edited order has it.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from app.formats._json import loads
from app.formats._log_write import LogWriter, Plan
from app.formats._paths import Path, follow
from app.formats._put import put
from app.model.edits import DELETE
from app.model.errors import InspectorError
from app.model.transcript import Transcript


class CondensedWriter(LogWriter):
    """`holder`: from an event to what holds the summary and its offset."""

    holder: ClassVar[Path] = ()

    def _settle(self, plan: Plan) -> int:
        return sum(self._summary(plan, base, edited) for base, edited in self.pairs if base.walls)

    def _summary(self, plan: Plan, base: Transcript, edited: Transcript) -> int:
        """Settles one transcript; 1 where the condensation is changed for that alone."""
        wall = base.walls[-1].record
        size = len(self.table)
        order = edited.order.tolist()
        if any(row >= size for row in order[: edited.start]):
            raise InspectorError(f"{self.source.name}: nothing can be put among what the model no longer sees")
        before: list[int] = []  # the messages that are sent before the summary
        held = False
        for row in order[edited.start :]:
            if row < size and self.table.record[row] == wall:
                held = True
                break
            before.append(int(edited.table.message[row]))
        self._place(plan, base, wall)
        value = loads(self.item(wall))
        members: dict[str, Any] = {}
        if wall in plan.gone:  # the model would see again what was forgotten, were the event gone
            plan.gone.discard(wall)
            members = {"summary": DELETE, "summary_offset": DELETE}
        elif held and follow(value, (*self.holder, "summary_offset")) is not None:
            offset = len(dict.fromkeys(before))
            members = {"summary_offset": offset} if follow(value, (*self.holder, "summary_offset")) != offset else {}
        if not members:
            return 0
        own = wall in plan.changed
        data = plan.changed.get(wall, self.item(wall))
        for key, held_value in members.items():
            data = put(data, (*self.holder, key), held_value, self.frame)
        plan.changed[wall] = data
        return 0 if own or "summary" in members else 1

    def _place(self, plan: Plan, base: Transcript, wall: int) -> None:
        """What was put behind the summary, or before all that is sent, goes where that stands in the file."""
        records = self.table.record[base.order]
        sent = [int(r) for r in dict.fromkeys(records[base.start :].tolist()) if r != wall]
        unseen = set(records[: base.start].tolist())
        at = base.order[base.start :]
        places = np.flatnonzero(self.table.record[at] == wall)
        ahead = self.table.record[at[: places[0]]].tolist() if len(places) else []
        head = wall
        if sent:
            head = sent[0] - 1 if sent[0] > 0 and self._laned(sent[0] - 1, sent[0]) else self._head(base)
        for slot in [slot for slot in plan.placed if slot in unseen]:
            plan.placed.setdefault(head, [])[:0] = plan.placed.pop(slot) if slot != head else []
        if wall in plan.placed and wall != head:
            plan.placed.setdefault(ahead[-1] if ahead else head, []).extend(plan.placed.pop(wall))

    def _laned(self, one: int, other: int) -> bool:
        """Whether two records stand in one lane."""
        return any(lane.first <= one < lane.first + lane.count and lane.first <= other < lane.first + lane.count for lane in self.lanes)

    def item(self, record: int) -> bytes:
        """The bytes of an event."""
        records = self.table.records
        return self.source.read(int(records.offset[record]), int(records.length[record]))
