"""A content of Gemini's wire written anew from the rows that it is to hold."""

from __future__ import annotations

from typing import Any

from app.formats._context import Context, encoded
from app.formats._gemini_stream import stream_parts
from app.formats._gemini_write import edited_part, made_part, spelled
from app.formats._json import loads
from app.formats._runs import Run
from app.formats._scan import Object, scan_array
from app.formats._splice import Item, rewrite_array, rewrite_object
from app.formats._style import Style, level_of, line_level, style_of
from app.model.edits import DELETE
from app.model.kinds import Kind

_WORDS = {"assistant": "model"}
_KEYS = ("functionCall", "functionResponse", "thoughtSignature", "inlineData")
_CAMELS = tuple(f'"{key}"'.encode() for key in _KEYS)
_SNAKES = tuple(f'"{spelled(key, True)}"'.encode() for key in _KEYS)


def rewrite(context: Context, run: Run) -> list[bytes]:
    """The content of a run; records that are no contents (what could not be decoded) keep their bytes beside it."""
    whole = [row for row in run.rows if _is_whole(context, row)]
    rows = tuple(row for row in run.rows if row not in whole)
    out = [context.record(int(context.base.record[row]))[0] for row in whole]
    if not rows:
        return out
    record = run.record if run.record >= 0 and context.record(run.record)[1] is not None else -1
    items = [item for row in rows if (item := _item(context, row, record)) is not None]
    return [*out, _old(context, rows, record, items) if record >= 0 else _new(context, rows, items)]


def _is_whole(context: Context, row: int) -> bool:
    """Whether a row is a whole record that holds no parts: an element of the list that is no object."""
    if row >= len(context.base):
        return False
    _data, found = context.record(int(context.base.record[row]))
    return found is None and not _is_stream(context, row)


def _is_stream(context: Context, row: int) -> bool:
    """Whether a row stands in an answer that came in pieces."""
    return int(context.base.record[row]) in context.base.extra.get("streams", ())


# -- contents -----------------------------------------------------------------------------------------------------------------


def _old(context: Context, rows: tuple[int, ...], record: int, items: list[Item]) -> bytes:
    """A content of the file with other parts."""
    data, message = context.record(record)
    assert message is not None
    style = context.style_of(data, message)
    level = level_of(data, message.members[0].key_start) or "" if message.members else ""
    values: dict[str, bytes | None] = {}
    set_content = _set_content(context, rows)
    if set_content is not None:
        values["parts"] = encoded(set_content[0], style, level)
    elif items or not _only_empty(context, rows):
        new = _parts(data, message, items, style)
        if new is not None:
            values["parts"] = new
    role = _role(context, rows, record) or _unsaid(context, rows, record, data, message)
    if role is not None:
        values["role"] = style.text(role)
    for key, value in context.message_fields(rows):
        values[key] = encoded(value, style, level)
    return rewrite_object(data, message, values, style) if values else data


def _parts(data: bytes, message: Object, items: list[Item], style: Style) -> bytes | None:
    """The new list of parts of a content; None where it stays as it is."""
    held = message.get("parts")
    if held is not None and data[held.start] == 91:
        array = scan_array(data, held.start)
        if items == list(range(len(array.spans))):
            return None
        own = style_of(data, array, style)
        return rewrite_array(data, array, items, own)
    if items == [0]:
        return None
    if held is not None and data[held.start] == 123 and len(items) == 1 and isinstance(items[0], tuple):
        return items[0][1]
    level = line_level(data, held.start if held is not None else message.end - 1)
    if held is None and message.members:
        level = line_level(data, message.members[0].key_start)
    one = data[held.start : held.end] if held is not None else b"{}"
    found = [item if isinstance(item, bytes) else item[1] if isinstance(item, tuple) else one for item in items]
    return style.array(found, level)


def _new(context: Context, rows: tuple[int, ...], items: list[Item]) -> bytes:
    """A content that the file does not hold."""
    style, level = context.style, context.level
    inner = level + style.unit
    set_content = _set_content(context, rows)
    if set_content is not None:
        parts = encoded(set_content[0], style, inner) or b"[]"
    else:
        parts = style.array([item for item in items if isinstance(item, bytes)], inner)
    members = [("role", style.text(_role(context, rows, -1) or "user")), ("parts", parts)]
    for key, value in context.message_fields(rows):
        made = encoded(value, style, inner)
        if made is not None:
            members.append((key, made))
    return style.object(members, level)


def _role(context: Context, rows: tuple[int, ...], record: int) -> str | None:
    """The role as this wire spells it; None where the content keeps its own."""
    word = context.new_role(rows, record)
    return None if word is None else _WORDS.get(word, word)


def _unsaid(context: Context, rows: tuple[int, ...], record: int, data: bytes, message: Object) -> str | None:
    """The role of a content that says none: it is told by the parts, which are others now. An answer is the model's by its place."""
    held = message.get("role")
    if (held is not None and data[held.start : held.end] != b"null") or context.base.pointer(record).endswith("/content"):
        return None
    word = context.role(rows[0]).name.lower()
    return _WORDS.get(word, word)


def _set_content(context: Context, rows: tuple[int, ...]) -> tuple[Any] | None:
    """What an edit set as the content of the whole message: a string is one text."""
    for row in rows:
        fields = context.fields(row)
        if "content" in fields and Kind(int(context.edited.table.kind[row])) != Kind.TOOL_RESULT:
            value = fields["content"]
            return ([{"text": value}] if isinstance(value, str) else value,)
    return None


def _only_empty(context: Context, rows: tuple[int, ...]) -> bool:
    return all(row < len(context.base) and context.base.kind[row] == Kind.EMPTY for row in rows)


# -- parts ----------------------------------------------------------------------------------------------------------------------


def _item(context: Context, row: int, record: int) -> Item | None:
    """What a row puts into the content that was `record`; None for nothing (the row of an empty content)."""
    made = context.edited.made.get(row)
    fields, content = context.fields(row), context.content(row)
    style, inner = context.style, context.level + 2 * context.style.unit
    if made is not None:
        value = made_part(made, context.call_id(row), _call_name(context, made.call), _snake(context, made.call))
        for field, set_to in fields.items():
            if field.startswith("block.") and set_to is not DELETE:
                value[field.removeprefix("block.")] = set_to
        return style.dumps(value, inner)
    table = context.base
    kind, own, number = Kind(int(table.kind[row])), int(table.record[row]), int(table.part[row])
    if _is_stream(context, row):
        part = style.dumps(stream_parts(loads(context.record(own)[0]))[number], inner)
        return edited_part(part, fields, content, style, False) if fields or content is not None else part
    if kind == Kind.EMPTY:
        return style.dumps({"text": fields["text"]}, inner) if isinstance(fields.get("text"), str) else None
    data, message = context.record(own)
    assert message is not None
    start, end = _spans(context, own)[number]
    part, mine = data[start:end], own == record
    if fields or content is not None:
        part = edited_part(part, fields, content, context.style_of(data, message), _snake(context, row))
        return (number, part) if mine else part
    return number if mine else part


def _spans(context: Context, record: int) -> list[tuple[int, int]]:
    """Where the parts of a content stand in its record."""
    found = context.elements(record, "parts")
    if found:
        return found
    _, message = context.record(record)
    member = message.get("parts") if message is not None else None
    return [(member.start, member.end)] if member is not None else []


def _call_name(context: Context, call: int) -> str | None:
    table = context.edited.table
    number = int(table.name[call]) if call >= 0 else -1
    return table.names[number] if number >= 0 else None


def _snake(context: Context, row: int) -> bool:
    """Whether keys are written in snake case where a row of the file stands (a call that a made result answers)."""
    if not 0 <= row < len(context.base):
        return False
    data, _ = context.record(int(context.base.record[row]))
    return not any(key in data for key in _CAMELS) and any(key in data for key in _SNAKES)
