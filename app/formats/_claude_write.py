"""An edited Claude Code session, written line by line: lines that no edit touched are copied.

What stands between lines is kept as well: how they end, blank lines, a missing end of the last one. Beside the blocks that were edited:

- A record whose rows are all gone is left out; what hung on it hangs on what it hung on (`parentUuid`, `logicalParentUuid`).
- A record that an edit makes takes its envelope from its neighbour, hangs where that hung, and the neighbour hangs on it. Its uuid follows
  from those, so that the same edit always writes the same bytes.
- `toolUseResult` is Claude Code's own copy of a result. Where the result's text is replaced the copy becomes that text; where it is gone or
  stands elsewhere now, so is the copy. Else an export would still hold what it says was removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from app.formats._claude_kept import keep
from app.formats._claude_lines import LineWriter
from app.formats._claude_links import Links
from app.formats._claude_plan import COMPACT, MessageContext, Plan, Unit
from app.formats._runs import untouched
from app.formats._writing import Writing
from app.model.dump import Dump
from app.model.table import Ints
from app.model.transcript import Transcript


class SessionWriter:
    """Lays the edits of all transcripts of a dump over its lines."""

    def __init__(self, dump: Dump, transcripts: Sequence[Transcript]) -> None:
        self.dump, self.table, self.source = dump, dump.table, dump.source
        self.pairs = [(b, t) for b, t in zip(dump.transcripts, transcripts, strict=True) if not untouched(b, t)]
        self.writing = Writing(dump.source)
        self.links = Links(dump)
        self.lines = LineWriter(dump, self.links, self.writing.tally)

    def plan(self) -> Writing:
        records = self.table.records
        if not self.pairs:
            self.writing.copy(0, self.source.size)
            self.writing.tally.same = len(records)
            return self.writing
        plan = Plan()
        laid = [(base, self._lay(plan, base, edited)) for base, edited in self.pairs]
        if plan.gone or plan.moved:
            self.links.rehang(plan, plan.gone | plan.moved)
        for base, placed in laid:
            if placed:
                self.links.hang(plan, base, placed)
        plan.gone |= plan.moved
        keep(plan, self.links)
        self._write(plan)
        return self.writing

    # -- what is to be done -----------------------------------------------------------------------------------------------------

    def _lay(self, plan: Plan, base: Transcript, edited: Transcript) -> dict[int, list[Unit]]:
        """Enters what goes, moves and changes in one transcript; its new lines come back, by the record that they stand before."""
        size = len(self.table)
        context = MessageContext(self.dump, edited, None, "", COMPACT)
        live = np.zeros(max(size, len(edited.table)), bool)
        live[edited.order] = True
        lost = base.order[~live[base.order]]
        hit = set(np.unique(self.table.record[lost]).tolist())
        kept = set(np.unique(self.table.record[edited.order[edited.order < size]]).tolist())
        gone = hit - kept
        placed = self._placed(context, base, edited, plan.moved)
        moved = {record for record in {u.moved for units in placed.values() for u in units} if record >= 0}
        elsewhere = {row for units in placed.values() for u in units if u.moved < 0 for row in u.rows if row < size}
        touched = {r for r in (edited.touched() | elsewhere) if r < size}
        roles = np.flatnonzero(edited.table.role[:size] != self.table.role).tolist()
        again = (hit & kept) | {int(self.table.record[row]) for row in (*touched, *roles) if live[row]}
        order = edited.order[edited.order < size]
        for record in sorted(again):
            rows = tuple(r for r in order[self.table.record[order] == record].tolist() if r not in elsewhere)
            if rows:
                plan.changed[record] = (context, rows)
            else:
                gone.add(record)  # every block of it stands in lines of its own now
        plan.gone |= gone
        plan.moved |= moved
        return placed

    def _placed(self, context: MessageContext, base: Transcript, edited: Transcript, done: set[int]) -> dict[int, list[Unit]]:
        """Made and moved rows, by the record of the first row behind them that stays (len(records): none). `done`: records that stand
        elsewhere already, since another conversation that shares them was laid first."""
        size, order = len(self.table), edited.order
        strange = np.isin(order, np.fromiter(edited.moved, np.int64, len(edited.moved))) | (order >= size)
        strange |= self._left_behind(edited, strange)
        found: dict[int, list[Unit]] = {}
        if not strange.any():
            return found
        counts = np.bincount(self.table.record, minlength=len(self.table.records))
        stays = np.where(strange | self._joined(edited), len(order), np.arange(len(order)))
        follower = np.minimum.accumulate(stays[::-1])[::-1]
        alone: dict[int, list[int]] = {}
        for position in np.flatnonzero(strange).tolist():
            row = int(order[position])
            if row < size:
                alone.setdefault(int(self.table.record[row]), []).append(row)
        for position in np.flatnonzero(strange).tolist():
            row, then = int(order[position]), int(follower[position])
            if position < edited.start <= then and base.walls:  # it ends what the model no longer sees
                record = base.walls[-1].record
            else:
                record = int(self.table.record[order[then]]) if then < len(order) else len(self.table.records)
            own = int(self.table.record[row]) if row < size else -1
            if own in done:
                continue
            units = found.setdefault(record, [])
            if own >= 0 and len(alone[own]) == counts[own] and self._together(order, alone[own]):
                if units and units[-1].moved == own:
                    units[-1].rows = (*units[-1].rows, row)
                else:
                    units.append(Unit(context, (row,), own))
            else:
                units.append(Unit(context, (row,)))
        return found

    @staticmethod
    def _together(order: Ints, rows: list[int]) -> bool:
        """Whether rows stand one behind the other."""
        at = int(np.flatnonzero(order == rows[0])[0])
        return order[at : at + len(rows)].tolist() == rows

    def _joined(self, edited: Transcript) -> Ints:
        """Mask over the order: further parts of a split message. They are read at the place of its first part, wherever they stand."""
        order, size = edited.order, len(self.table)
        message = edited.table.message[order]
        record = np.where(order < size, self.table.record[np.minimum(order, size - 1)] if size else 0, -1)
        _, first, inverse = np.unique(message, return_index=True, return_inverse=True)
        return (record != record[first][inverse]) & (message >= 0) & (record >= 0)

    def _left_behind(self, edited: Transcript, strange: Ints) -> Ints:
        """Mask over the order: parts of a split message whose first part is gone, and which stand behind results in the file. They take
        the place of the first part, or the message would be read behind those."""
        order = edited.order
        here = np.flatnonzero(~strange)
        rows = order[here]
        record, message = self.table.record[rows].astype(np.int64), edited.table.message[rows].astype(np.int64)
        mask = np.zeros(len(order), bool)
        if not len(rows):
            return mask
        begins = np.full(int(self.table.message.max(initial=-1)) + 1, -1, np.int64)
        back = np.arange(len(self.table))[::-1]
        begins[self.table.message[back]] = self.table.record[back]
        _, first, inverse = np.unique(message, return_index=True, return_inverse=True)
        head = record[first][inverse]
        known = (message >= 0) & (message < len(begins))
        lost = known & (head != begins[np.where(known, message, 0)]) & (record == head)
        if lost.any():
            heads = np.where(record == head, record, np.iinfo(np.int64).max)
            later = np.minimum.accumulate(heads[::-1])[::-1]
            late = lost & (np.append(later[1:], np.iinfo(np.int64).max) < record)
            mask[here[np.isin(record, record[late])]] = True
        return mask

    # -- the lines --------------------------------------------------------------------------------------------------------------

    def _write(self, plan: Plan) -> None:
        records, tally = self.table.records, self.writing.tally
        offsets, lengths = records.offset.tolist(), records.length.tolist()
        ends = [*offsets[1:], self.source.size]
        self.writing.copy(0, offsets[0] if offsets else self.source.size)
        asked = sorted({*plan.gone, *plan.before, *plan.changed, *plan.parents, *plan.logical, *plan.kept} - {len(records)})
        at = 0
        for record in asked:
            if record > at:
                self._copy(offsets[at], ends[record - 1])
                tally.same += record - at
            at = record + 1
            for unit in plan.before.get(record, ()):
                self.writing.put(self.lines.unit(unit, record) + self._newline)
            rest = self._after_line(offsets[record] + lengths[record], ends[record])
            if record in plan.gone:
                if not any(unit.moved == record for units in plan.before.values() for unit in units):
                    tally.dropped += 1
                self.writing.copy(rest, ends[record] - rest)
                continue
            data = self.lines.line(plan, record)
            if data is None:
                tally.same += 1
                self._copy(offsets[record], ends[record])
                continue
            self.writing.put(data)
            self.writing.copy(offsets[record] + lengths[record], ends[record] - offsets[record] - lengths[record])
        if at < len(records):
            self._copy(offsets[at], self.source.size)
            tally.same += len(records) - at
        ended = self.source.read(self.source.size - 1, 1) == b"\n"
        begins = ended or len(records) - 1 in plan.gone  # the line before ends
        for unit in plan.before.get(len(records), ()):
            data = self.lines.unit(unit, -1)
            self.writing.put((b"" if begins else self._newline) + data + (self._newline if ended else b""))
            begins = ended

    def _copy(self, start: int, end: int) -> None:
        self.writing.copy(start, end - start)

    def _after_line(self, start: int, end: int) -> int:
        """Where the end of a line that ends at `start` ends."""
        gap = self.source.read(start, min(2, end - start))
        return start + (2 if gap == b"\r\n" else 1 if gap[:1] == b"\n" else 0)

    @cached_property
    def _newline(self) -> bytes:
        records = self.table.records
        end = int(records.offset[0] + records.length[0]) if len(records) else 0
        return b"\r\n" if self.source.read(end, 2) == b"\r\n" else b"\n"
