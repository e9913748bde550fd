"""Gemini CLI's sessions written back: results go into the calls that they answer; what stands apart from its call is a message of parts.

A message that a session of lines holds more than once is written in each of them alike: the last one stands, but at the place of the
first. What a call shows on the screen (`resultDisplay`) is a copy of its result and goes where that is changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.formats._chain_write import digest
from app.formats._context import Context, encoded
from app.formats._dialects import Dialect
from app.formats._gemini_cli import has_result, part_texts, pieces
from app.formats._gemini_write import edited_part, made_part
from app.formats._inner_write import Apart, InnerWriter
from app.formats._json import NotJson, loads
from app.formats._log_write import LogContext, Plan
from app.formats._pieces import Piece
from app.formats._scan import Object, scan_array, scan_object
from app.formats._splice import Item, rewrite_array, rewrite_object
from app.formats._style import Style, level_of, style_of
from app.model.dump import Dump
from app.model.edits import DELETE, Cap, Content, Made
from app.model.kinds import Kind, Role
from app.model.transcript import Transcript

_CALL: Final = {"call_id": "id", "name": "name", "input": "args"}
_PATH: Final = re.compile(r"/(thoughts|content|parts|toolCalls)(?:/(\d+))?(/result)?").fullmatch


class GeminiCliWriter(InnerWriter):
    """Lays edits over a session, a document or lines."""

    def __init__(self, dump: Dump, transcripts: Sequence[Transcript], dialect: Dialect) -> None:
        super().__init__(dump, transcripts, dialect)
        replay = self.table.extra.get("replay", {})
        self.versions: dict[int, list[int]] = replay.get("versions", {})
        self.first: dict[int, int] = replay.get("first", {})
        self.rewinds: dict[int, list[int]] = replay.get("rewinds", {})
        self._taken: set[str] = set()
        self._numbers = 0
        self._apart_of: dict[int, str] = {}  # the id of the first message that was made of what a record held

    def slot(self, record: int) -> int:
        return self.first.get(record, record)

    def split(self, context: LogContext, record: int, rows: list[int]) -> tuple[bytes | None, list[Apart]]:
        if record < 0:
            return None, _new_messages(context, rows)
        return _Message(context, record).with_rows(rows)

    def item_like(self, context: Context, record: int, data: bytes) -> bytes:
        """A new message gets an id and the time of its neighbour."""
        message = scan_object(data)
        if message.get("id") is not None or "history" in self.table.extra:
            return data
        self._numbers += 1
        like = self.value(record)
        name = digest(f"{like.get('id')}/{self._numbers}/{len(data)}", 32)
        while name in self._ids():
            name = digest(name, 32)
        self._taken.add(name)
        id = "-".join((name[:8], name[8:12], name[12:16], name[16:20], name[20:]))
        self._apart_of.setdefault(record, id)
        style = context.style_of(data, message)
        members = [("id", style.text(id))]
        if isinstance(like.get("timestamp"), str):
            members.append(("timestamp", style.text(like["timestamp"])))
        members += [(m.key, data[m.start : m.end]) for m in message.members]
        return style.object(members, context.level)

    def _ids(self) -> set[str]:
        """The ids of the messages of the file, bare of dashes."""
        if not self._taken:
            for record in np_unique(self.table.record):
                self._taken.add(str(self.value(record).get("id")).replace("-", ""))
        return self._taken

    def value(self, record: int) -> dict[str, Any]:
        if record < 0:
            return {}
        try:
            value = loads(self.moved_item(record))
        except NotJson:
            return {}
        return value if isinstance(value, dict) else {}

    def _settle(self, plan: Plan) -> int:
        for record in [record for record in plan.gone if record in self.versions]:
            plan.gone.update(self.versions[record])
        for record, data in list(plan.changed.items()):
            if record not in plan.gone:
                plan.changed.update(dict.fromkeys(self.versions.get(record, ()), data))
        plan.changed = {record: data for record, data in plan.changed.items() if record not in plan.gone}
        relinked = 0
        for line, removed in self.rewinds.items():
            if not removed or removed[0] not in plan.gone:
                continue
            stays = next((record for record in removed if record not in plan.gone or record in self._apart_of), -1)
            if stays < 0:
                plan.gone.add(line)
                continue
            target = self._apart_of[stays] if stays in plan.gone else self.value(stays).get("id")
            item = self.moved_item(line)
            found = scan_object(item)
            plan.changed[line] = rewrite_object(item, found, {"$rewindTo": self.frame.dumps(target)}, self.frame)
            self.writing.tally.notes.append((self.table.pointer(line), "$rewindTo names the first message left of what it took back"))
            relinked += 1
        return relinked


def np_unique(column: Any) -> list[int]:
    """The numbers in a column, each once."""
    return sorted(set(column.tolist()))


# -- a message ----------------------------------------------------------------------------------------------------------------


class _Message:
    """A message of the file that is to hold other rows."""

    def __init__(self, context: LogContext, record: int) -> None:
        self.context, self.record = context, record
        self.data, message = context.record(record)
        assert message is not None
        self.message: Object = message
        self.value: dict[str, Any] = loads(self.data)
        self.pieces: list[Piece] = pieces(self.value)
        self.style = context.style_of(self.data, message)
        self.first = int(context.base.record.searchsorted(record))
        self.level = level_of(self.data, message.members[0].key_start) or "" if message.members else ""

    def with_rows(self, rows: list[int]) -> tuple[bytes | None, list[Apart]]:
        context = self.context
        base = [row for row in rows if row < len(context.base)]
        spots = {row: self._spot(row) for row in base}
        calls = {spot[1]: row for row, spot in spots.items() if spot[0] == "toolCalls" and not spot[2]}
        results: dict[int, int] = {spot[1]: row for row, spot in spots.items() if spot[0] == "toolCalls" and spot[2] and spot[1] in calls}
        apart = [row for row, spot in spots.items() if spot[2] and row not in results.values()]
        for row in rows:
            if row >= len(context.base):
                number = spots[context.edited.made[row].call][1]
                if number in calls and number not in results:
                    results[number] = row
                else:
                    apart.append(row)
        stay = [row for row in rows if row not in apart]
        if not stay:
            return None, _new_messages(context, rows)
        values = self._lists(spots, calls, results)
        for key, value in context.message_fields(tuple(stay)):
            values[key] = encoded(value, self.style, self.level)
        told = self._told(stay)
        if told is not None:
            values["content"] = self.style.dumps(told, self.level)
        new = rewrite_object(self.data, self.message, values, self.style) if values else self.data
        return new, _new_messages(context, apart)

    def _told(self, rows: list[int]) -> Any:
        """What an edit set as the content of the whole message."""
        for row in rows:
            fields = self.context.fields(row)
            if "content" in fields and Kind(int(self.context.edited.table.kind[row])) != Kind.TOOL_RESULT:
                return fields["content"]
            if "text" in fields and row < len(self.context.base) and self.context.base.kind[row] == Kind.EMPTY:
                return fields["text"]
        return None

    def _spot(self, row: int) -> tuple[str, int, bool]:
        """In which member a row stands, at which index (-1: it is the whole of it), and whether it is a result."""
        found = _PATH(self.pieces[row - self.first].path)
        return (found[1], int(found[2] or -1), bool(found[3])) if found else ("", -1, False)

    def _lists(self, spots: dict[int, tuple[str, int, bool]], calls: dict[int, int], results: dict[int, int]) -> dict[str, bytes | None]:
        """The members whose elements are the rows."""
        values: dict[str, bytes | None] = {}
        for key in ("thoughts", "content", "parts"):
            held = [(spot[1], row) for row, spot in spots.items() if spot[0] == key]
            had = [piece for piece in self.pieces if piece.path.startswith(f"/{key}")]
            if not had:
                continue
            member = self.message.get(key)
            assert member is not None
            if self.data[member.start : member.start + 1] == b"[":
                new = self._array(key, held, self._part)
                if new is not None:
                    values[key] = new
            elif not held:
                values[key] = b'""' if key == "content" else b"[]"
            else:
                data = self.data[member.start : member.end]
                changed = self._part(data, held[0][1])
                if changed != data:
                    values[key] = changed
        entries = [piece for piece in self.pieces if piece.path.startswith("/toolCalls/") and not piece.turn]
        if entries and self.message.get("toolCalls") is not None:
            new = self._array("toolCalls", list(calls.items()), lambda data, row: self._entry(data, row, spots, results))
            if new is not None:
                values["toolCalls"] = new
        return values

    def _array(self, key: str, held: list[tuple[int, int]], element: Any) -> bytes | None:
        """A list with these of its elements, in this order; None where it stays as it is."""
        member = self.message.get(key)
        assert member is not None
        array = scan_array(self.data, member.start)
        items: list[Item] = []
        for number, row in held:
            start, end = array.spans[number]
            data = self.data[start:end]
            changed = element(data, row)
            items.append(number if changed == data else (number, changed))
        if items == list(range(len(array.spans))):
            return None
        return rewrite_array(self.data, array, items, style_of(self.data, array, self.style))

    def _part(self, data: bytes, row: int) -> bytes:
        return _edited(self.context, data, row, self.style)

    def _entry(self, data: bytes, row: int, spots: dict[int, tuple[str, int, bool]], results: dict[int, int]) -> bytes:
        """A call with its result."""
        if data[:1] != b"{":
            return data
        call = scan_object(data)
        style = style_of(data, call, self.style)
        level = level_of(data, call.members[0].key_start) or "" if call.members else ""
        values: dict[str, bytes | None] = {}
        for field, value in self.context.fields(row).items():
            key = _CALL.get(field, field.removeprefix("block.") if field.startswith("block.") else None)
            if key is not None:
                values[key] = encoded(value, style, level)
        result = results.get(spots[row][1])
        entry = loads(data)
        if result is None:
            if has_result(entry):
                values["result"], values["resultDisplay"] = b"null", None
        elif result >= len(self.context.base):
            values["result"] = style.dumps([_made(self.context, result)], level)
        else:
            new = _edited_result(self.context, data, call, result, style, level)
            if new is not None:
                values["result"], values["resultDisplay"] = new, None
        values = {key: value for key, value in values.items() if value is not None or call.get(key) is not None}
        return rewrite_object(data, call, values, style) if values else data


def _edited(context: Context, data: bytes, row: int, style: Style) -> bytes:
    """A part of a content, or the string in its place, with edits."""
    fields, content = context.fields(row), context.content(row)
    if data[:1] == b'"':
        if isinstance(fields.get("text"), str):
            return style.text(fields["text"])
        return style.text("".join(content.of((loads(data),)))) if content is not None else data
    own = {key: value for key, value in fields.items() if not key.startswith("message.")}
    return edited_part(data, own, content, style, False) if own or content is not None else data


def _made(context: Context, row: int) -> dict[str, Any]:
    """The part of a made result."""
    made = context.edited.made[row]
    table = context.edited.table
    name = int(table.name[made.call]) if made.call >= 0 else -1
    return made_part(made, context.call_id(row), table.names[name] if name >= 0 else None, False)


def _edited_result(context: Context, data: bytes, call: Object, row: int, style: Style, level: str) -> bytes | None:
    """The result of a call with edits; None where there are none."""
    fields, content = context.fields(row), context.content(row)
    member = call.get("result")
    if member is None or (content is None and not fields):
        return None
    held = data[member.start : member.end]
    if held[:1] != b"[":
        changed = _edited_one(held, fields, content, style)
        return None if changed == held else changed
    array = scan_array(held)
    parts = [held[start:end] for start, end in array.spans]
    texts = [part_texts(loads(part))[0] for part in parts]
    spoken = [number for number, found in enumerate(texts) if found]
    lead = spoken[0] if spoken else 0
    items: list[Item] = []
    if isinstance(content, Cap):
        left = content.of([text for found in texts for text in found])
        for number, (part, found) in enumerate(zip(parts, texts, strict=True)):
            new, left = left[: len(found)], left[len(found) :]
            if found and not new:
                continue
            changed = part if new == found else _with_text(part, new[0], style)
            items.append(number if changed == part else (number, changed))
    else:
        whole = content is not None or "content" in fields or "text" in fields
        for number, part in enumerate(parts):
            if number == lead:
                items.append((number, _edited_one(part, fields, content, style)))
            elif not whole:
                items.append(number)
    if fields and isinstance(content, Cap):
        items = [(i[0], _edited_one(i[1], fields, None, style)) if isinstance(i, tuple) else i for i in items]
    return rewrite_array(held, array, items, style_of(held, array, style))


def _edited_one(data: bytes, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes:
    """A part of a result with edits."""
    own = {key: value for key, value in fields.items() if not key.startswith("message.")}
    if data[:1] == b'"':
        told = own.get("content", own.get("text"))
        if isinstance(told, str):
            return style.text(told)
        return style.text("".join(content.of((loads(data),)))) if content is not None else data
    return edited_part(data, own, content, style, False)


def _with_text(data: bytes, text: str, style: Style) -> bytes:
    return _edited_one(data, {"text" if b'"functionResponse"' not in data else "content": text}, None, style)


# -- new messages -------------------------------------------------------------------------------------------------------------


def _new_messages(context: LogContext, rows: list[int]) -> list[Apart]:
    """Messages of these rows, which stand apart from their records: neighbours of one role make one, each result is one."""
    out: list[Apart] = []
    group: list[int] = []

    def close() -> None:
        if group:
            out.append((list(group), _new(context, list(group))))
            group.clear()

    for row in rows:
        kind, role = int(context.edited.table.kind[row]), int(context.edited.table.role[row])
        if kind == Kind.TOOL_RESULT or (group and int(context.edited.table.role[group[0]]) != role):
            close()
        group.append(row)
        if kind == Kind.TOOL_RESULT:
            close()
    close()
    return out


def _new(context: LogContext, rows: list[int]) -> bytes:
    style, level = context.style, context.level
    inner = level + style.unit
    bare = "history" in context.base.extra
    assistant = int(context.edited.table.role[rows[0]]) == Role.ASSISTANT
    thoughts, parts, calls = list[bytes](), list[bytes](), list[bytes]()
    text: bytes | None = None
    for row in rows:
        where, data = _taken(context, row, style, inner)
        (thoughts if where == "thoughts" else calls if where == "toolCalls" else parts).append(data)
        text = data if data[:1] == b'"' else None
    if bare:
        held = [style.object([("text", part)]) if part[:1] == b'"' else part for part in parts]
        return style.object([("role", b'"model"' if assistant else b'"user"'), ("parts", style.array(held, inner))], level)
    only = len(parts) == 1 and text is not None
    content = parts[0] if only else style.array(parts, inner) if parts else b'""'
    members = [("type", b'"gemini"' if assistant else b'"user"'), ("content", content)]
    if thoughts:
        members.append(("thoughts", style.array(thoughts, inner)))
    if calls:
        members.append(("toolCalls", style.array(calls, inner)))
    for row in rows:
        members += [(key, style.dumps(v, inner)) for key, v in context.message_fields((row,)) if v is not DELETE]
    return style.object(members, level)


def _taken(context: LogContext, row: int, style: Style, level: str) -> tuple[str, bytes]:
    """The bytes of a row that stands apart from its record, and the member that they belong to."""
    made: Made | None = context.edited.made.get(row)
    if made is not None:
        if made.kind == Kind.TOOL_RESULT:
            return "content", style.dumps(_made(context, row), level)
        return "content", style.text(made.text)
    message = _Message(context, int(context.base.record[row]))
    key, number, result = message._spot(row)
    if not key:
        fields = context.fields(row)
        told = fields.get("text", fields.get("content", ""))
        return "content", style.dumps(told, level)
    member = message.message.get(key)
    assert member is not None
    held = message.data[member.start : member.end]
    if number >= 0:
        start, end = scan_array(held).spans[number]
        held = held[start:end]
    if key == "toolCalls":
        if not result:
            return key, message._entry(held, row, {row: (key, number, False)}, {})
        return "content", _apart(context, held, row, style, level)
    return key, _edited(context, held, row, message.style) if key != "thoughts" else held


def _apart(context: Context, entry: bytes, row: int, style: Style, level: str) -> bytes:
    """A result apart from its call: the part that says whose it is."""
    call = scan_object(entry)
    new = _edited_result(context, entry, call, row, style, level)
    member = call.get("result")
    assert member is not None
    held = new if new is not None else entry[member.start : member.end]
    found = held
    if held[:1] == b"[":
        array = scan_array(held)
        found = next((held[s:e] for s, e in array.spans if b"functionResponse" in held[s:e]), held[array.spans[0][0] : array.spans[0][1]])
    if b"functionResponse" in found and found[:1] == b"{":
        return found
    value = loads(entry)
    texts = part_texts(loads(found))[0]
    inner = {key: value[key] for key in ("id", "name") if value.get(key) is not None}
    return style.dumps({"functionResponse": {**inner, "response": {"output": "\n".join(texts)}}}, level)

