"""Single lines of a Claude Code session, written with their edits, and lines that are made."""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np

from app.formats._anthropic_messages import rewrite
from app.formats._anthropic_write import made_block
from app.formats._claude_kept import written
from app.formats._claude_links import Links
from app.formats._claude_plan import COMPACT, NAMESPACE, MessageContext, Plan, Unit
from app.formats._runs import Run
from app.formats._scan import Object, scan_object
from app.formats._splice import rewrite_object
from app.formats._style import Style, escapes, style_of
from app.formats._writing import Tally
from app.model.dump import Dump
from app.model.edits import Words
from app.model.kinds import Kind, Role
from app.model.table import Ints, RecordKind

ENVELOPE = ("isSidechain", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "slug", "agentId")


class LineWriter:
    """Gives the bytes of lines, and tells in `tally` what became of their records."""

    def __init__(self, dump: Dump, links: Links, tally: Tally) -> None:
        self.dump, self.table, self.links, self.tally = dump, dump.table, links, tally

    def line(self, plan: Plan, record: int) -> bytes | None:
        """A record with its edits; None where it stays as it is."""
        context, rows = plan.changed.get(record, (None, ()))
        reader = context or MessageContext(self.dump, self.dump.transcripts[0], None, "", COMPACT)
        data, line = reader.line(record)
        if line is None:
            return None
        style = _style(data, line)
        values: dict[str, bytes | None] = {}
        pointer, tally = self.table.pointer(record), self.tally
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
        metadata = line.get("compactMetadata")
        if record in plan.kept and metadata is not None:
            values["compactMetadata"] = written(data[metadata.start : metadata.end], plan.kept[record], style)
            tally.notes.append((pointer, "compactMetadata names other records as kept now"))
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

    def unit(self, unit: Unit, record: int) -> bytes:
        """The bytes of a new line, without its end. `record`: the one that it stands before."""
        tally = self.tally
        if unit.moved >= 0:
            data, line = unit.context.line(unit.moved)
            assert line is not None
            style = _style(data, line)
            message = self._renamed(unit, rewrite(unit.context, Run(unit.moved, False, unit.rows))[-1], style)
            values: dict[str, bytes | None] = {"parentUuid": b"null" if unit.parent is None else style.text(unit.parent)}
            if message != unit.context.record(unit.moved)[0]:
                values["message"] = message
            role = unit.context.role(unit.rows[0])
            if role != self.table.role[unit.rows[0]]:
                values["type"] = style.text("assistant" if role == Role.ASSISTANT else "user")
            tally.relinked += 1
            tally.notes.append((self.table.pointer(unit.moved), "stands elsewhere now"))
            return rewrite_object(data, line, values, style)
        tally.inserted += 1
        row = unit.rows[0]
        role = unit.context.role(row)
        template = self._template(unit, record, role)
        data, line = unit.context.line(template) if template >= 0 else (b"", None)
        style = _style(data, line) if line is not None else COMPACT
        given = self.links.value(template) if template >= 0 else {}
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
        inner = self.links.value(int(self.table.record[others[0]])).get("message") if len(others) else None
        told = inner.get("id") if isinstance(inner, dict) else None
        new = told if isinstance(told, str) else f"msg_{uuid.uuid5(NAMESPACE, unit.uuid).hex[:24]}"
        return rewrite_object(message, scan_object(message), {"id": style.text(new)}, style)

    def _template(self, unit: Unit, record: int, role: Role) -> int:
        """A record of the same conversation whose envelope is copied: the nearest one before it, else behind, of its role if it can."""
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
