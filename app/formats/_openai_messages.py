"""Messages of OpenAI's Chat Completions wire written anew from the rows that they are to hold.

Results are messages of their own on this wire; the other rows of a run make one message: texts its content, calls its `tool_calls`,
and the reasoning and the refusal members of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.formats import _openai
from app.formats._anthropic_write import edited_text
from app.formats._context import Context, encoded
from app.formats._json import loads
from app.formats._openai import Piece
from app.formats._openai_write import edited_call, edited_part, edited_result
from app.formats._rewrite import Part, content_bytes, new_content
from app.formats._runs import Run
from app.formats._scan import Object, scan_array
from app.formats._splice import Item, rewrite_array, rewrite_object
from app.formats._style import Style, level_of, style_of
from app.model.kinds import Kind


@dataclass
class _Rows:
    """What the rows of one message put into it. `calls`: an index in its own list, or bytes. `members`: others by key."""

    content: list[Part] = field(default_factory=list)
    calls: list[Item] = field(default_factory=list)
    members: dict[str, bytes] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)  # keys of the message's own that stay


def rewrite(context: Context, run: Run) -> list[bytes]:
    """The messages of a run: each result by itself, all else as one."""
    out: list[bytes] = []
    rest: list[int] = []
    results = [row for row in run.rows if _alone(context, row)]
    for row in run.rows:
        if row in results:
            if rest:
                out.append(_message(context, run, tuple(rest)))
                rest = []
            out.append(_result(context, row))
        else:
            rest.append(row)
    if rest:
        out.append(_message(context, run, tuple(rest)))
    return out


def _alone(context: Context, row: int) -> bool:
    """Whether a row is a message by itself: a result, or a record that holds no blocks."""
    if Kind(int(context.edited.table.kind[row])) == Kind.TOOL_RESULT:
        return True
    return row < len(context.base) and context.record(int(context.base.record[row]))[1] is None


# -- results ----------------------------------------------------------------------------------------------------------------


def _result(context: Context, row: int) -> bytes:
    made = context.edited.made.get(row)
    if made is None:
        data, message = context.record(int(context.base.record[row]))
        if message is None:
            return data
        style = context.style_of(data, message)
        level = _level(data, message)
        values = edited_result(data, message, context.fields(row), context.content(row), style, level)
        role = context.new_role((row,), int(context.base.record[row]))
        if role is not None:
            values["role"] = style.text(role)
        values.update((key, encoded(value, style, level)) for key, value in context.message_fields((row,)))
        return rewrite_object(data, message, values, style) if values else data
    style, inner = context.style, context.level + context.style.unit
    legacy = made.call >= 0 and _wire_type(context, made.call) == "function_call"
    members: list[tuple[str, bytes]] = [("role", style.text("function" if legacy else "tool"))]
    call_id = context.call_id(row)
    if legacy:
        table = context.edited.table
        name = int(table.name[made.call])
        members.append(("name", style.text(table.names[name] if name >= 0 else "")))
    if call_id is not None:
        members.append(("tool_call_id", style.text(call_id)))
    members.append(("content", style.text(made.text)))
    for key, value in context.message_fields((row,)):
        held = encoded(value, style, inner)
        if held is not None:
            members.append((key, held))
    return style.object(members, context.level)


def _wire_type(context: Context, row: int) -> str:
    table = context.edited.table
    return table.types[int(table.type[row])]


def _level(data: bytes, message: Object) -> str:
    return level_of(data, message.members[0].key_start) or "" if message.members else ""


# -- all other messages -----------------------------------------------------------------------------------------------------


def _message(context: Context, run: Run, rows: tuple[int, ...]) -> bytes:
    """One message of the rows that are no results."""
    record = run.record
    data, message = context.record(record) if record >= 0 else (b"", None)
    if message is None or _openai.role_of(_value(data, message, "role")) in _openai.RESULT_ROLES:
        record, message = -1, None
    found = _Rows()
    for row in rows:
        _collect(context, found, row, record)
    if message is None:
        return _new(context, rows, found)
    style = context.style_of(data, message)
    level = _level(data, message)
    values: dict[str, bytes | None] = {}
    _content_value(data, message, found, style, values)
    _calls_value(data, message, found, style, values)
    for key in ("refusal", "function_call", *_openai.REASONING_KEYS, *_openai.REASONING_COPIES):
        member = message.get(key)
        if member is not None and key not in found.own and _told(_value(data, message, key)):
            values[key] = None
    values.update(found.members)
    for row in rows:
        if "content" in context.fields(row):
            values["content"] = encoded(context.fields(row)["content"], style, level)
    role = context.new_role(rows, record)
    if role is not None:
        values["role"] = style.text(role)
    values.update((key, encoded(value, style, level)) for key, value in context.message_fields(rows))
    return rewrite_object(data, message, values, style) if values else data


def _new(context: Context, rows: tuple[int, ...], found: _Rows) -> bytes:
    """A message that the file does not hold."""
    style, level = context.style, context.level
    inner = level + style.unit
    members: list[tuple[str, bytes]] = [("role", style.text(context.new_role(rows, -1) or "user"))]
    set_content = [context.fields(row)["content"] for row in rows if "content" in context.fields(row)]
    if set_content:
        members.append(("content", encoded(set_content[-1], style, inner) or b"null"))
    elif found.content:
        parts = found.content
        if len(parts) == 1 and parts[0].value is not None and parts[0].value.get("type") == "text":
            parts = [Part(data=style.text(parts[0].value["text"]), literal=True)]
        members.append(("content", new_content(parts, style, inner)))
    else:
        members.append(("content", b"null"))
    members += found.members.items()
    calls = [item for item in found.calls if isinstance(item, bytes)]
    if calls:
        members.append(("tool_calls", style.array(calls, inner)))
    for key, value in context.message_fields(rows):
        held = encoded(value, style, inner)
        if held is not None:
            members.append((key, held))
    return style.object(members, level)


def _value(data: bytes, message: Object, key: str) -> Any:
    member = message.get(key)
    return loads(data[member.start : member.end]) if member is not None else None


def _told(value: Any) -> bool:
    """Whether a member says anything: null and empty ones make no row and stay."""
    return value is not None and value != "" and value != [] and value != {}


def _odd(content: Any) -> bool:
    """Whether content is none that the wire has: a row stood for it, and is gone."""
    return content is not None and not isinstance(content, str | list)


def _collect(context: Context, found: _Rows, row: int, record: int) -> None:
    """Adds what a row puts into the message that was `record`."""
    made = context.edited.made.get(row)
    if made is not None and made.kind == Kind.EMPTY:
        return
    if made is not None:
        found.content.append(Part(value={"type": "text", "text": made.text}))
        return
    own = int(context.base.record[row])
    data, message = context.record(own)
    assert message is not None
    value = loads(data)
    piece = list(_openai.pieces(_openai.role_of(value.get("role")), value))[int(context.base.part[row])]
    fields, content = context.fields(row), context.content(row)
    style = context.style_of(data, message)
    keys = piece.path.split("/")[1:]
    mine = own == record
    if piece.kind == Kind.EMPTY and (not keys or isinstance(fields.get("text"), str)):
        text = fields.get("text")
        if isinstance(text, str):
            found.content.append(Part(data=style.text(text), literal=True))
    elif not keys:
        found.content.append(Part(data=data))
    elif keys[0] == "content":
        found.content.append(_content_part(context, piece, own, mine, fields, content, style))
    elif keys[0] == "tool_calls" and len(keys) == 2:
        start, end = context.elements(own, "tool_calls")[int(keys[1])]
        call = edited_call(data[start:end], piece, fields, style)
        found.calls.append(call if not mine else int(keys[1]) if not fields else (int(keys[1]), call))
        found.own.add("tool_calls")
    else:
        _collect_member(found, keys[0], piece, data, message, mine, fields, content, style)


def _content_part(context: Context, piece: Piece, own: int, mine: bool, fields: Mapping[str, Any], content: Any, style: Style) -> Part:
    data, message = context.record(own)
    assert message is not None
    held = message.get("content")
    assert held is not None
    keys = piece.path.split("/")
    edited = {key: value for key, value in fields.items() if key != "content"}
    if len(keys) == 2:  # the content is no list
        bytes_ = data[held.start : held.end]
        literal = data[held.start] == 34
        if literal and (edited or content is not None):
            bytes_ = edited_text(bytes_, {k: v for k, v in edited.items() if k == "text"}, content, style)
        return Part(old=0 if mine else -1, data=bytes_, literal=literal)
    number = int(keys[2])
    start, end = context.elements(own, "content")[number]
    part = data[start:end]
    if edited or content is not None:
        return Part(number if mine else -1, edited_part(part, piece, edited, content, style))
    return Part(number) if mine else Part(data=part)


def _collect_member(
    found: _Rows, key: str, piece: Piece, data: bytes, message: Object, mine: bool, fields: Mapping[str, Any], content: Any, style: Style
) -> None:
    """Reasoning, a refusal, a call of the old kind: members of the message with names of their own."""
    keys = (*_openai.REASONING_KEYS, *_openai.REASONING_COPIES) if piece.kind == Kind.REASONING else (key,)
    for name in keys:
        member = message.get(name)
        if member is None:
            continue
        found.own.add(name)
        value = data[member.start : member.end]
        changed = value
        if piece.kind == Kind.TOOL_CALL:
            changed = edited_call(value, piece, fields, style)
        elif piece.kind == Kind.TEXT and (content is not None or "text" in fields):
            changed = edited_text(value, {k: v for k, v in fields.items() if k == "text"}, content, style)
        if changed != value or not mine:
            found.members[name] = changed


def _content_value(data: bytes, message: Object, found: _Rows, style: Style, values: dict[str, bytes | None]) -> None:
    """The content of a message of the file, from what its rows left of it."""
    held = _value(data, message, "content")
    if found.content:
        new = content_bytes(data, message, found.content, style)
        if new is not None:
            values["content"] = new
    elif _told(held) or _odd(held) or (held == "" and not found.calls and "function_call" not in found.own):
        values["content"] = b"null"


def _calls_value(data: bytes, message: Object, found: _Rows, style: Style, values: dict[str, bytes | None]) -> None:
    member = message.get("tool_calls")
    if member is not None and data[member.start] == 91:
        array = scan_array(data, member.start)
        if found.calls == list(range(len(array.spans))):
            return
        values["tool_calls"] = rewrite_array(data, array, found.calls, style_of(data, array, style)) if found.calls else None
    elif found.calls:
        calls = [item for item in found.calls if isinstance(item, bytes)]
        values["tool_calls"] = style.array(calls, _level(data, message))
    elif member is not None and "tool_calls" not in found.own and _told(_value(data, message, "tool_calls")):
        values["tool_calls"] = None
