"""Single lines of a Claude Code session, written with their edits, and lines that are made."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from app.formats._anthropic_messages import rewrite
from app.formats._anthropic_write import made_block
from app.formats._claude_kept import written
from app.formats._claude_plan import COMPACT, MessageContext, Plan, Unit
from app.formats._claude_rows import BOUNDARY, TAKEN
from app.formats._claude_shape import Shape
from app.formats._runs import Run
from app.formats._scan import scan_object
from app.formats._splice import rewrite_object
from app.formats._style import Style, escapes, style_of
from app.formats._writing import Tally
from app.model.edits import Words
from app.model.kinds import Kind, Role

ENVELOPE: Final = ("isSidechain", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "slug", "agentId")
REMOVED: Final = "The message that stood here was removed."


class LineWriter:
    """Gives the bytes of lines, and tells in `tally` what became of their records."""

    def __init__(self, shape: Shape, plan: Plan, tally: Tally) -> None:
        self.shape, self.table, self.plan, self.tally = shape, shape.table, plan, tally
        self.reader = MessageContext(shape.dump, shape.dump.transcripts[0], None, "", COMPACT)

    # -- lines of the file ------------------------------------------------------------------------------------------------------

    def line(self, record: int) -> bytes | None:
        """A record with its edits; None where it stays as it is."""
        context, rows = self.plan.changed.get(record, (None, ()))
        data, line = (context or self.reader).line(record)
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
        for key, value in self._links(record, style).items():
            held = line.get(key)
            if held is None or data[held.start : held.end] != value:
                values[key] = value
                tally.notes.append((pointer, "it has a uuid of its own now" if key == "uuid" else f"{key} names another record now"))
        metadata = line.get("compactMetadata")
        if record in self.plan.kept and metadata is not None:
            values["compactMetadata"] = written(data[metadata.start : metadata.end], self.plan.kept[record], style)
            tally.notes.append((pointer, "compactMetadata names other records as kept now"))
        if not values:
            return None
        if edited:
            tally.changed += 1
        else:
            tally.relinked += 1
        return rewrite_object(data, line, values, style)

    def _links(self, record: int, style: Style) -> dict[str, bytes]:
        """What a record names anew, by key."""
        plan = self.plan
        named = (
            ("uuid", self.shape.renamed), ("parentUuid", plan.parents), ("logicalParentUuid", plan.logical), ("leafUuid", plan.titles),
        )  # fmt: skip
        return {key: _uuid(known[record], style) for key, known in named if record in known}

    def _copy_of_result(self, context: MessageContext, record: int, rows: tuple[int, ...]) -> Any:
        """What becomes of `toolUseResult`: kept, taken away (None), or a text."""
        table = self.table
        first = int(self.shape.first_row[record])
        held = [r for r in range(first, first + int(self.shape.lines.count[record])) if table.kind[r] == Kind.TOOL_RESULT]
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

    def standing(self, record: int) -> bytes:
        """The line that is left of a record whose message is gone: it bears its uuid, so that what hung on it hangs there still."""
        data, line = self.reader.line(record)
        style = _style(data, line) if line is not None else COMPACT
        given, wall = self.shape.value(record), record in self.plan.walls
        told = self.plan.parents.get(record, self.shape.told(record))
        said: dict[str, Any] = {"content": REMOVED, "level": "info"}
        if wall:
            said = {"content": "Conversation compacted", "level": "info", "compactMetadata": {"trigger": "manual"}}
        members = _opening(given, told, wall, style)
        members += [("type", style.text("system")), ("subtype", style.text("compact_boundary" if wall else "informational"))]
        members += [(key, style.dumps(value)) for key, value in said.items()]
        if not wall:
            members.append((TAKEN, b"true"))
        members.append(("uuid", style.text(self.shape.uuid(record) or "")))
        if isinstance(given.get("timestamp"), str):
            members.append(("timestamp", style.text(given["timestamp"])))
        what = "a line that marks the compaction" if wall else "a line that says nothing: it begins what the message began"
        self.tally.notes.append((self.table.pointer(record), f"its message is gone; it stays as {what}"))
        return style.object(members)

    # -- new lines --------------------------------------------------------------------------------------------------------------

    def unit(self, unit: Unit) -> bytes:
        """The bytes of a new line, without its end."""
        if unit.moved >= 0:
            return self._moved(unit)
        self.tally.inserted += 1
        data, line = self.reader.line(unit.template)
        style = _style(data, line) if line is not None else COMPACT
        given = self.shape.value(unit.template)
        if unit.what == BOUNDARY:
            members = _opening(given, unit.parent, True, style)
            members += [("type", style.text("system")), ("subtype", style.text("compact_boundary"))]
            members += [("content", style.text("Conversation compacted")), ("compactMetadata", style.dumps({"trigger": "manual"}))]
        else:
            row = unit.rows[0]
            members = _opening(given, unit.parent, False, style)
            members.append(("type", style.text("assistant" if unit.context.role(row) == Role.ASSISTANT else "user")))
            source = self.shape.value(int(self.table.record[row])) if row < len(self.table) else {}
            if source.get("isMeta") is True:
                members.append(("isMeta", b"true"))
            members.append(("message", self._message(unit, style, given)))
        members.append(("uuid", style.text(unit.uuid)))
        if isinstance(given.get("timestamp"), str):
            members.append(("timestamp", style.text(given["timestamp"])))
        return style.object(members)

    def _moved(self, unit: Unit) -> bytes:
        """A whole record that stands elsewhere now."""
        tally = self.tally
        data, line = unit.context.line(unit.moved)
        assert line is not None
        style = _style(data, line)
        message = self._renamed(unit, rewrite(unit.context, Run(unit.moved, False, unit.rows))[-1], style)
        values: dict[str, bytes | None] = {"parentUuid": _uuid(unit.parent, style)}
        if unit.moved in self.plan.stands or unit.moved in self.shape.renamed or line.get("uuid") is None:
            values["uuid"] = style.text(unit.uuid)
        if message != unit.context.record(unit.moved)[0]:
            values["message"] = message
        role = unit.context.role(unit.rows[0])
        if role != self.table.role[unit.rows[0]]:
            values["type"] = style.text("assistant" if role == Role.ASSISTANT else "user")
        tally.relinked += 1
        tally.notes.append((self.table.pointer(unit.moved), "stands elsewhere now"))
        return rewrite_object(data, line, values, style)

    def _renamed(self, unit: Unit, message: bytes, style: Style) -> bytes:
        """A message under the id that it belongs to now: a part of a split message that left it gets one of its own."""
        row, edited = unit.rows[0], unit.context.edited
        number = int(edited.table.message[row])
        if edited.table.role[row] != Role.ASSISTANT or (unit.moved >= 0 and number == self.table.message[row]):
            return message
        others = np.flatnonzero(self.table.message == number)
        inner = self.shape.value(int(self.table.record[others[0]])).get("message") if len(others) else None
        told = inner.get("id") if isinstance(inner, dict) else None
        new = told if isinstance(told, str) else unit.message_id
        return rewrite_object(message, scan_object(message), {"id": style.text(new)}, style)

    def _message(self, unit: Unit, style: Style, given: dict[str, Any]) -> bytes:
        row = unit.rows[0]
        context = unit.context
        made = context.edited.made.get(row)
        if made is None:  # a block of another record
            return self._renamed(unit, rewrite(context, Run(-1, False, unit.rows))[-1], style)
        block = made_block(made, context.call_id(row))
        for name, value in context.fields(row).items():
            if name.startswith("block.") and isinstance(value, str | int | bool):
                block[name.removeprefix("block.")] = value
        if context.role(row) != Role.ASSISTANT:
            whole = made.kind == Kind.TEXT
            return style.dumps({"role": "user", "content": made.text if whole else [block]})
        inner = given.get("message")
        model = inner.get("model") if isinstance(inner, dict) else None
        message = {"id": unit.message_id, "type": "message", "role": "assistant"}
        if isinstance(model, str):
            message["model"] = model
        return style.dumps({**message, "content": [block], "stop_reason": "end_turn", "stop_sequence": None})


_KEEP = object()


def _opening(given: dict[str, Any], parent: str | None, wall: bool, style: Style) -> list[tuple[str, bytes]]:
    """The first members of a line that is made: what it hangs on, and the envelope of its neighbour."""
    members = [("parentUuid", b"null" if wall else _uuid(parent, style))]
    if wall:
        members.append(("logicalParentUuid", _uuid(parent, style)))
    return members + [(key, style.dumps(given[key])) for key in ENVELOPE if key in given]


def _uuid(uuid: str | None, style: Style) -> bytes:
    return b"null" if uuid is None else style.text(uuid)


def _style(data: bytes, line: Any) -> Style:
    found = escapes(data)
    return style_of(data, line, COMPACT).with_ascii(bool(found))
