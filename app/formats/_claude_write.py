"""An edited Claude Code session, written line by line: lines that no edit touched are copied.

What stands between lines is kept as well: how they end, blank lines, a missing end of the last one. Beside the blocks that were edited:

- A record whose rows are all gone is left out; what hung on it hangs on what it hung on (`parentUuid`, `logicalParentUuid`).
- A record that an edit makes takes its envelope from its neighbour, hangs where that hung, and the neighbour hangs on it. Its uuid follows
  from those, so that the same edit always writes the same bytes.
- `toolUseResult` is Claude Code's own copy of a result. Where the result's text is replaced the copy becomes that text; where it is gone or
  stands elsewhere now, so is the copy. Else an export would still hold what it says was removed.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from app.formats._anthropic_messages import rewrite
from app.formats._anthropic_write import made_block
from app.formats._context import Context
from app.formats._json import NotJson, loads
from app.formats._runs import Run, untouched
from app.formats._scan import Malformed, Object, Torn, scan_object
from app.formats._splice import rewrite_object
from app.formats._style import Style, escapes, style_of
from app.formats._writing import Writing
from app.model.dump import Dump
from app.model.edits import Words
from app.model.kinds import Flag, Kind, Role
from app.model.table import Ints, RecordKind
from app.model.transcript import Transcript

NAMESPACE = uuid.UUID("6f1c1f0a-7a52-4c0e-9a57-1d9b1b6a4b1e")
ENVELOPE = ("isSidechain", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "slug", "agentId")
COMPACT = Style(colon=":", comma=",")


class MessageContext(Context):
    """A record is the message inside its line."""

    def record(self, record: int) -> tuple[bytes, Object | None]:
        if self._held[0] != record:
            data, line = self.line(record)
            member = line.get("message") if line is not None else None
            inner = data[member.start : member.end] if member is not None else b""
            self._held = record, inner, scan_object(inner) if inner[:1] == b"{" else None
        return self._held[1], self._held[2]

    def line(self, record: int) -> tuple[bytes, Object | None]:
        """The bytes of a line and its members; None where it is no object that can be read."""
        records = self.base.records
        data = self.source.read(int(records.offset[record]), int(records.length[record]))
        try:
            return data, scan_object(data) if data[:1] == b"{" else None
        except (Torn, Malformed):
            return data, None


@dataclass
class Unit:
    """A line that stands where none stood: a made block, a block from another record, or a whole record from elsewhere (`moved`)."""

    context: MessageContext
    rows: tuple[int, ...]
    moved: int = -1
    uuid: str = ""
    parent: str | None = None


@dataclass(eq=False)
class Plan:
    """What is done to the file: lines left out, lines put in front of a record (len(records): at the end), blocks that each changed
    record still holds, and by which transcript; new parents."""

    gone: set[int] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)
    before: dict[int, list[Unit]] = field(default_factory=dict)
    changed: dict[int, tuple[MessageContext, tuple[int, ...]]] = field(default_factory=dict)
    parents: dict[int, str | None] = field(default_factory=dict)
    logical: dict[int, str | None] = field(default_factory=dict)


class SessionWriter:
    """Lays the edits of all transcripts of a dump over its lines."""

    def __init__(self, dump: Dump, transcripts: Sequence[Transcript]) -> None:
        self.dump, self.table, self.source = dump, dump.table, dump.source
        self.pairs = [(b, t) for b, t in zip(dump.transcripts, transcripts, strict=True) if not untouched(b, t)]
        self.writing = Writing(dump.source)

    def plan(self) -> Writing:
        records = self.table.records
        if not self.pairs:
            self.writing.copy(0, self.source.size)
            self.writing.tally.same = len(records)
            return self.writing
        plan = Plan()
        for base, edited in self.pairs:
            self._lay(plan, base, edited)
        self._write(plan)
        return self.writing

    # -- what is to be done -----------------------------------------------------------------------------------------------------

    def _lay(self, plan: Plan, base: Transcript, edited: Transcript) -> None:
        """The edits of one transcript."""
        size = len(self.table)
        context = MessageContext(self.dump, edited, None, "", COMPACT)
        live = np.zeros(max(size, len(edited.table)), bool)
        live[edited.order] = True
        lost = base.order[~live[base.order]]
        hit = set(np.unique(self.table.record[lost]).tolist())
        kept = set(np.unique(self.table.record[edited.order[edited.order < size]]).tolist())
        gone = hit - kept
        placed = self._placed(context, edited, plan.moved)
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
        if gone or moved:
            self._rehang(plan, gone | moved)
        if placed:
            self._hang(plan, base, placed)
        plan.gone |= moved
        plan.moved |= moved

    def _placed(self, context: MessageContext, edited: Transcript, done: set[int]) -> dict[int, list[Unit]]:
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
            record = int(self.table.record[order[then]]) if then < len(order) else len(self.table.records)
            own = int(self.table.record[row]) if row < size else -1
            if own in done:
                continue
            units = found.setdefault(record, [])
            if own >= 0 and len(alone[own]) == counts[own]:
                if units and units[-1].moved == own:
                    units[-1].rows = (*units[-1].rows, row)
                else:
                    units.append(Unit(context, (row,), own))
            else:
                units.append(Unit(context, (row,)))
        return found

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

    # -- who hangs on whom ------------------------------------------------------------------------------------------------------

    @cached_property
    def _tree(self) -> tuple[list[str | None], list[int], list[int]]:
        """For each record its uuid, the record that its parentUuid names, and the one that its logicalParentUuid names (-1 none)."""
        records = self.table.records
        uuids: list[str | None] = []
        parents: list[int] = []
        logical: list[int] = []
        seen: dict[Any, int] = {}
        for record in range(len(records)):
            value = self._value(record)
            parents.append(seen.get(value.get("parentUuid"), -1))
            logical.append(seen.get(value.get("logicalParentUuid"), -1))
            uuid_ = value.get("uuid")
            uuids.append(uuid_ if isinstance(uuid_, str) else None)
            if isinstance(uuid_, str):
                seen[uuid_] = record
        return uuids, parents, logical

    def _value(self, record: int) -> dict[str, Any]:
        records = self.table.records
        try:
            value = loads(self.source.read(int(records.offset[record]), int(records.length[record])))
        except NotJson:
            return {}
        if not isinstance(value, dict):
            return {}
        return {k: v for k, v in value.items() if not isinstance(v, list) or k == "message"}

    def _rehang(self, plan: Plan, gone: set[int]) -> None:
        """What hung on a record that goes hangs on the nearest one above it that stays."""
        uuids, parents, logical = self._tree

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

    def _hang(self, plan: Plan, base: Transcript, placed: dict[int, list[Unit]]) -> None:
        """New lines hang where the record behind them hung, and that one on them; at the end they hang on the last record.

        Where that record is a prompt of a fork, what is put before it must leave it there: else the branches would become one
        line. So all but prompts hang beside it, a result on its own call.
        """
        uuids, parents, _ = self._tree
        end = len(uuids)
        for record, units in placed.items():
            plan.before.setdefault(record, []).extend(units)
            if record < end:
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
            if record < end and (uuids[record] is not None):
                plan.parents[record] = above

    @cached_property
    def _forked(self) -> set[int]:
        """Records that begin a branch, and the prompts beside them."""
        return {int(record) for record in self.table.extra.get("forks", ())}

    def _is_prompt(self, unit: Unit) -> bool:
        table = unit.context.edited.table
        return all(table.role[row] == Role.USER and table.kind[row] != Kind.TOOL_RESULT and not table.flags[row] & Flag.INJECTED for row in unit.rows)

    def _uuid_of_call(self, unit: Unit) -> str | None:
        """The record of the call that a made result answers."""
        made = unit.context.edited.made.get(unit.rows[0])
        if made is None or not 0 <= made.call < len(self.table):
            return None
        return self._tree[0][int(self.table.record[made.call])]

    def _last_uuid(self, plan: Plan, base: Transcript) -> str | None:
        """The uuid of the last record of a conversation that stays."""
        uuids = self._tree[0]
        own = np.flatnonzero(self.table.records.owner == base.index)
        found = next((int(r) for r in own[::-1] if uuids[r] is not None and r not in plan.gone), -1)
        return uuids[found] if found >= 0 else None

    # -- the lines --------------------------------------------------------------------------------------------------------------

    def _write(self, plan: Plan) -> None:
        records, tally = self.table.records, self.writing.tally
        offsets, lengths = records.offset.tolist(), records.length.tolist()
        ends = [*offsets[1:], self.source.size]
        self.writing.copy(0, offsets[0] if offsets else self.source.size)
        asked = sorted({*plan.gone, *plan.before, *plan.changed, *plan.parents, *plan.logical} - {len(records)})
        at = 0
        for record in asked:
            if record > at:
                self._copy(offsets[at], ends[record - 1])
                tally.same += record - at
            at = record + 1
            for unit in plan.before.get(record, ()):
                self.writing.put(self._unit(unit, record) + self._newline)
            rest = self._after_line(offsets[record] + lengths[record], ends[record])
            if record in plan.gone:
                if not any(unit.moved == record for units in plan.before.values() for unit in units):
                    tally.dropped += 1
                self.writing.copy(rest, ends[record] - rest)
                continue
            data = self._line(plan, record)
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
            data = self._unit(unit, -1)
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

    def _line(self, plan: Plan, record: int) -> bytes | None:
        """A record with its edits; None where it stays as it is."""
        context, rows = plan.changed.get(record, (None, ()))
        reader = context or MessageContext(self.dump, self.dump.transcripts[0], None, "", COMPACT)
        data, line = reader.line(record)
        if line is None:
            return None
        style = _style(data, line)
        values: dict[str, bytes | None] = {}
        pointer, tally = self.table.pointer(record), self.writing.tally
        if context is not None:
            message = rewrite(context, Run(record, False, rows))[-1]
            if message != context.record(record)[0]:
                values["message"] = message
            if line.get("toolUseResult") is not None:
                copy = self._copy_of_result(context, record, rows)
                if copy is not _KEEP:
                    values["toolUseResult"] = None if copy is None else style.text(copy)
                    tally.notes.append((pointer, "toolUseResult, the copy of the result, follows it"))
        edited = bool(values)
        for key, parents in (("parentUuid", plan.parents), ("logicalParentUuid", plan.logical)):
            if record in parents:
                parent = parents[record]
                new = b"null" if parent is None else style.text(parent)
                held = line.get(key)
                if held is None or data[held.start : held.end] != new:
                    values[key] = new
                    tally.notes.append((pointer, f"{key} names another record now"))
        if not values:
            return None
        if edited:
            tally.changed += 1
        else:
            tally.relinked += 1
        return rewrite_object(data, line, values, style)

    def _copy_of_result(self, context: MessageContext, record: int, rows: tuple[int, ...]) -> Any:
        """What becomes of `toolUseResult`: kept, taken away (None), or a text."""
        table = self.table
        first = int(np.searchsorted(table.record, record))
        held = [r for r in range(first, first + int((table.record == record).sum())) if table.kind[r] == Kind.TOOL_RESULT]
        gone = [r for r in held if r not in rows]
        replaced = [r for r in rows if r in held and (context.content(r) is not None or "content" in context.fields(r))]
        if gone:
            return None
        if not replaced:
            return _KEEP
        content = context.content(replaced[0])
        if content is None:
            value = context.fields(replaced[0])["content"]
            return value if isinstance(value, str) else None
        return content.text if isinstance(content, Words) or hasattr(content, "text") else None

    # -- lines that are made ------------------------------------------------------------------------------------------------------

    def _unit(self, unit: Unit, record: int) -> bytes:
        """The bytes of a new line, without its end. `record`: the one that it stands before."""
        tally = self.writing.tally
        if unit.moved >= 0:
            data, line = unit.context.line(unit.moved)
            assert line is not None
            style = _style(data, line)
            message = self._renamed(unit, rewrite(unit.context, Run(unit.moved, False, unit.rows))[-1], style)
            values: dict[str, bytes | None] = {"parentUuid": b"null" if unit.parent is None else style.text(unit.parent)}
            if message != unit.context.record(unit.moved)[0]:
                values["message"] = message
            tally.relinked += 1
            tally.notes.append((self.table.pointer(unit.moved), "stands elsewhere now"))
            return rewrite_object(data, line, values, style)
        tally.inserted += 1
        row = unit.rows[0]
        role = unit.context.role(row)
        template = self._template(unit, record, role)
        data, line = unit.context.line(template) if template >= 0 else (b"", None)
        style = _style(data, line) if line is not None else COMPACT
        given = self._value(template) if template >= 0 else {}
        members: list[tuple[str, bytes]] = [("parentUuid", b"null" if unit.parent is None else style.text(unit.parent))]
        members += [(key, style.dumps(given[key])) for key in ENVELOPE if key in given]
        kind = "assistant" if role == Role.ASSISTANT else "user"
        members += [("type", style.text(kind)), ("message", self._message(unit, style, given)), ("uuid", style.text(unit.uuid))]
        if isinstance(given.get("timestamp"), str):
            members.append(("timestamp", style.text(given["timestamp"])))
        return style.object(members)

    def _renamed(self, unit: Unit, message: bytes, style: Style) -> bytes:
        """A message that moved, under the id that it belongs to now: a part of a split message that left it gets one of its own."""
        row, edited = unit.rows[0], unit.context.edited
        number = int(edited.table.message[row])
        if edited.table.role[row] != Role.ASSISTANT or number == self.table.message[row]:
            return message
        others = np.flatnonzero(self.table.message == number)
        inner = self._value(int(self.table.record[others[0]])).get("message") if len(others) else None
        told = inner.get("id") if isinstance(inner, dict) else None
        new = told if isinstance(told, str) else f"msg_{uuid.uuid5(NAMESPACE, unit.uuid).hex[:24]}"
        return rewrite_object(message, scan_object(message), {"id": style.text(new)}, style)

    def _template(self, unit: Unit, record: int, role: Role) -> int:
        """A record of the same conversation whose envelope is copied: the nearest one before, else behind, of its role where there is one."""
        records, owner = self.table.records, unit.context.edited.index
        there = (records.owner == owner) & (records.kind == RecordKind.MESSAGE)
        found = np.flatnonzero(there)
        if not len(found):
            return -1
        roles: Ints = np.full(len(records), -1)
        roles[self.table.record] = self.table.role
        same = found[roles[found] == role]
        pick = same if len(same) else found
        at = record if record >= 0 else len(records)
        before = pick[pick < at]
        return int(before[-1] if len(before) else pick[0])

    def _message(self, unit: Unit, style: Style, given: dict[str, Any]) -> bytes:
        row = unit.rows[0]
        context = unit.context
        made = context.edited.made.get(row)
        if made is None:  # a block of another record
            return rewrite(context, Run(-1, False, unit.rows))[-1]
        block = made_block(made, context.call_id(row))
        for name, value in context.fields(row).items():
            if name.startswith("block.") and isinstance(value, str | int | bool):
                block[name.removeprefix("block.")] = value
        if context.role(row) != Role.ASSISTANT:
            whole = made.kind == Kind.TEXT
            return style.dumps({"role": "user", "content": made.text if whole else [block]})
        inner = given.get("message")
        model = inner.get("model") if isinstance(inner, dict) else None
        message = {"id": f"msg_{uuid.uuid5(NAMESPACE, unit.uuid).hex[:24]}", "type": "message", "role": "assistant"}
        if isinstance(model, str):
            message["model"] = model
        return style.dumps({**message, "content": [block], "stop_reason": "end_turn", "stop_sequence": None})


_KEEP = object()


def _style(data: bytes, line: Object) -> Style:
    found = escapes(data)
    return style_of(data, line, COMPACT).with_ascii(bool(found))


