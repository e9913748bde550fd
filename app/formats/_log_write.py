"""An edited log written: items that no edit touched are copied, a changed message is spliced into its item, an item whose message is
gone is left out, and what an edit makes stands in an item like its neighbour's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app.formats._anthropic_write import edited_text
from app.formats._attached import seen
from app.formats._context import Context
from app.formats._dialects import Dialect
from app.formats._logs import ALONE, LINES, Lane, path_of
from app.formats._paths import bytes_at, spliced
from app.formats._runs import Runs, Stretch, untouched
from app.formats._scan import Malformed, Object, Torn, scan_object
from app.formats._style import Style
from app.formats._writing import Writing
from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.table import RecordKind
from app.model.transcript import Transcript


class LogContext(Context):
    """The messages of a log as a dialect's writer sees them: without their envelopes."""

    def record(self, record: int) -> tuple[bytes, Object | None]:
        if self._held[0] != record:
            found: Object | None = None
            data = self.item(record)
            try:
                data = bytes_at(data, path_of(self.base, record))
                found = scan_object(data) if data[:1] == b"{" else None
            except (KeyError, Torn, Malformed):
                found = None
            self._held = record, data, found
        return self._held[1], self._held[2]

    def seen(self, record: int, value: Any) -> Any:
        return seen(value, self.base, self.source, record)

    def item(self, record: int) -> bytes:
        """The bytes of a record with its envelope."""
        records = self.base.records
        return self.source.read(int(records.offset[record]), int(records.length[record]))


@dataclass
class Plan:
    """What becomes of the items. `changed`: new bytes by record; `gone`: records that are left out; `placed`: new items behind a record
    (-1 - lane: at the head of a lane)."""

    changed: dict[int, bytes] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    placed: dict[int, list[bytes]] = field(default_factory=dict)


class LogWriter:
    """Lays the edits of all transcripts of a dump over the items of its file."""

    def __init__(self, dump: Dump, transcripts: Sequence[Transcript], dialect: Dialect) -> None:
        self.dump, self.table, self.source, self.dialect = dump, dump.table, dump.source, dialect
        self.pairs = [(b, t) for b, t in zip(dump.transcripts, transcripts, strict=True) if not untouched(b, t)]
        self.writing = Writing(dump.source)
        self.lanes: list[Lane] = sorted(self.table.extra["lanes"], key=lambda lane: lane.start)
        self.frame = Style(": ", ", ") if self._spaced() else Style(":", ",")

    def plan(self) -> Writing:
        tally = self.writing.tally
        heads = set(np.flatnonzero(self.table.records.kind == RecordKind.HEAD).tolist())
        records = len(self.table.records) - len(heads)
        if not self.pairs:
            self.writing.copy(0, self.source.size)
            tally.same = records
            return self.writing
        plan = Plan()
        for base, edited in self.pairs:
            self._lay(plan, base, edited)
        relinked = self._settle(plan)
        at = 0
        for lane in self.lanes:
            self.writing.copy(at, lane.start - at)
            if lane.sort == LINES:
                self._write_lines(lane, plan)
            elif lane.sort == ALONE:
                self._write_alone(lane, plan)
            else:
                self._write_array(lane, plan)
            at = lane.end
        self.writing.copy(at, self.source.size - at)
        gone, changed = len(plan.gone - heads), len(plan.changed.keys() - heads)
        tally.dropped, tally.changed, tally.relinked = gone, changed - relinked, relinked
        tally.inserted = sum(map(len, plan.placed.values()))
        tally.same = records - gone - changed
        return self.writing

    # -- what is to be done -----------------------------------------------------------------------------------------------------

    def _lay(self, plan: Plan, base: Transcript, edited: Transcript) -> None:
        """Enters the edits of one transcript."""
        context = self.context(edited)
        held = self.held(plan, base, context)
        moved = self._moved(edited)
        seen: set[int] = set()
        last = -1
        for run in Runs(self.table, edited):
            if isinstance(run, Stretch):
                for record in range(run.first, run.last + 1):
                    last = self._stay(plan, record, last if last >= 0 else self._head(base), moved, seen)
                continue
            out = self.dialect.rewrite(context, run)
            own = run.record if run.record >= 0 and run.record not in seen and run.record not in moved else -1
            for number, data in enumerate(out):
                if own >= 0 and number == 0:
                    plan.changed[own] = spliced(context.item(own), path_of(self.table, own), data)
                    seen.add(own)
                    last = own
                else:
                    like = run.record if run.record >= 0 else self._like(last, held)
                    plan.placed.setdefault(last if last >= 0 else self._head(base), []).append(self.item_like(context, like, data))
            if run.record >= 0 and run.record in moved:
                seen.add(run.record)
                plan.gone.add(run.record)
        plan.gone |= set(held) - seen

    def held(self, plan: Plan, base: Transcript, context: LogContext) -> list[int]:
        """The records of a transcript. System text beside the messages is none of them: what becomes of it is entered here."""
        held = np.unique(self.table.record[base.order]).tolist()
        kinds = self.table.records.kind
        for record in [record for record in held if kinds[record] == RecordKind.HEAD]:
            row = int(self.table.record.searchsorted(record))
            if row not in context.edited.order:
                plan.gone.add(record)
            elif context.fields(row) or context.content(row) is not None:
                plan.changed[record] = edited_text(context.item(record), context.fields(row), context.content(row), context.style)
        return [record for record in held if kinds[record] != RecordKind.HEAD]

    def _settle(self, plan: Plan) -> int:
        """What else must be changed once the edits of all transcripts are entered; how many records are changed for that alone."""
        return 0

    def _stay(self, plan: Plan, record: int, last: int, moved: set[int], seen: set[int]) -> int:
        """A record whose bytes stand for it, at its place or at another one."""
        seen.add(record)
        if record not in moved:
            return record
        plan.gone.add(record)
        item = self.source.read(int(self.table.records.offset[record]), int(self.table.records.length[record]))
        plan.placed.setdefault(last, []).append(item)
        return last

    def _moved(self, edited: Transcript) -> set[int]:
        """Records of which every row that is left stands elsewhere than in the file."""
        live = edited.order[edited.order < len(self.table)]
        rows = np.intersect1d(live, np.fromiter((row for row in edited.moved if row < len(self.table)), np.int64))
        if not len(rows):
            return set()
        counts = np.bincount(self.table.record[live], minlength=len(self.table.records))
        found, times = np.unique(self.table.record[rows], return_counts=True)
        return set(found[times == counts[found]].tolist())

    def slot(self, record: int) -> int:
        """The record of the file behind which is put what comes behind a record."""
        return record

    def _head(self, base: Transcript, start: int = 0) -> int:
        """What stands before a transcript's first record: the record before it in its lane (a header), or the head of the lane. `start`:
        how many of its rows are passed over."""
        first = min(map(self.slot, np.unique(self.table.record[base.order[start:]]).tolist()), default=-1)
        for number, lane in enumerate(self.lanes):
            if lane.first <= first < lane.first + lane.count:
                return first - 1 if first > lane.first else -1 - number
        held, lane_of = self.table.extra["lanes"], self.table.extra["lane_of"]
        if not held or (lane_of and base.index not in lane_of):
            raise InspectorError(f"{self.source.name}: transcript {base.id} has no list of messages that one could be put into")
        lane = held[lane_of.get(base.index, 0)]
        return lane.first + lane.count - 1 if lane.sort == LINES and lane.count else -1 - self.lanes.index(lane)

    @staticmethod
    def _like(last: int, held: list[int]) -> int:
        """The record whose envelope a new item gets: the one before it, else the first of its transcript."""
        return last if last >= 0 else held[0] if held else -1

    # -- items -------------------------------------------------------------------------------------------------------------------

    def context(self, edited: Transcript) -> LogContext:
        """How messages of a transcript are written: learnt from its first record."""
        live = (int(row) for row in edited.order if row < len(self.table) and self.table.message[row] >= 0)
        first = next((int(self.table.record[row]) for row in live), -1)
        example = None
        if first >= 0 and not path_of(self.table, first):
            example = int(self.table.records.offset[first]), int(self.table.records.length[first])
        return LogContext(self.dump, edited, example, "", self.frame)

    def item_like(self, context: Context, record: int, data: bytes) -> bytes:
        """A new item with a message in the envelope of a record. Formats whose envelopes hold ids of their own change them here."""
        path = path_of(self.table, record) if record >= 0 else ()
        if not path:
            return data
        assert isinstance(context, LogContext)
        return spliced(context.item(record), path, data)

    def _spaced(self) -> bool:
        """Whether the file puts a blank behind colons, by its first record."""
        records = self.table.records
        data = self.source.read(int(records.offset[0]), min(int(records.length[0]), 4096)) if len(records) else b""
        return b'": ' in data

    # -- bytes -------------------------------------------------------------------------------------------------------------------

    def _write_lines(self, lane: Lane, plan: Plan) -> None:
        """Lines: what stands between them (line ends, blank lines) goes with the line before."""
        records, writing = self.table.records, self.writing
        offset, length = records.offset, records.length
        at = lane.start
        end = b"\r\n" if self._crlf(lane) else b"\n"
        heads = plan.placed.get(-1 - self.lanes.index(lane), [])
        for number in range(lane.first, lane.first + lane.count):
            start = int(offset[number])
            stop = start + int(length[number])
            behind = int(offset[number + 1]) if number + 1 < lane.first + lane.count else lane.end
            writing.copy(at, start - at)
            if number == lane.first:
                for data in heads:
                    writing.put(data + end)
            if number in plan.gone:
                writing.copy(self._after_end(stop, behind), behind - self._after_end(stop, behind))
            else:
                if number in plan.changed:
                    writing.put(plan.changed[number])
                else:
                    writing.copy(start, stop - start)
                writing.copy(stop, behind - stop)
            new = plan.placed.get(number, [])
            if new:
                whole = behind > stop and self.source.read(behind - 1, 1) == b"\n"
                begins = b"" if number in plan.gone else end  # the line before ends
                writing.put(b"".join(data + end for data in new) if whole else begins + end.join(new))
            at = behind
        writing.copy(at, lane.end - at)

    def _after_end(self, stop: int, behind: int) -> int:
        """Behind the end of a line that begins at `stop`; the bytes up to `behind` are blank lines."""
        found = self.source.read(stop, min(2, behind - stop))
        return stop + (2 if found == b"\r\n" else 1 if found[:1] in (b"\n", b"\r") else 0)

    def _crlf(self, lane: Lane) -> bool:
        records = self.table.records
        if not lane.count:
            return False
        stop = int(records.offset[lane.first]) + int(records.length[lane.first])
        return self.source.read(stop, 2) == b"\r\n"

    def _write_alone(self, lane: Lane, plan: Plan) -> None:
        """A message that stands in no list: `null` in its place where it goes."""
        if plan.placed.get(lane.first) or plan.placed.get(-1 - self.lanes.index(lane)):
            where = self.table.pointer(lane.first)
            raise InspectorError(f"{self.source.name}: what stands at {where} is one message; no other fits beside it")
        if lane.first in plan.gone:
            self.writing.put(b"null")
        elif lane.first in plan.changed:
            self.writing.put(plan.changed[lane.first])
        else:
            self.writing.copy(lane.start, lane.end - lane.start)

    def _write_array(self, lane: Lane, plan: Plan) -> None:
        """Elements of an array: what stands between two stays with the later one."""
        records, writing = self.table.records, self.writing
        offset = records.offset
        end = records.offset + records.length
        first, count = lane.first, lane.count
        items: list[tuple[int, Any]] = [(-1, data) for data in plan.placed.get(-1 - self.lanes.index(lane), [])]
        for number in range(first, first + count):
            if number not in plan.gone:
                items.append((number, plan.changed.get(number)))
            items += [(-1, data) for data in plan.placed.get(number, [])]
        begin = int(offset[first]) if count else lane.start + 1
        finish = int(end[first + count - 1]) if count else lane.start + 1
        lead = self.source.read(lane.start + 1, begin - lane.start - 1)
        if count > 1:
            gap = self.source.read(int(end[first]), int(offset[first + 1]) - int(end[first]))
        else:
            gap = b"," + lead if b"\n" in lead else self.frame.comma.encode()
        writing.copy(lane.start, 1)
        for place, (number, data) in enumerate(items):
            if not place:
                writing.copy(lane.start + 1, begin - lane.start - 1)
            elif number > first:
                before, here = int(end[number - 1]), int(offset[number])
                writing.copy(before, here - before)
            else:
                writing.put(gap)
            if data is not None:
                writing.put(data)
            else:
                writing.copy(int(offset[number]), int(end[number]) - int(offset[number]))
        writing.copy(finish if items else lane.end - 1, lane.end - (finish if items else lane.end - 1))
