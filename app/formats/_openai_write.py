"""Calls, parts and results of OpenAI's Chat Completions wire with edits laid over them; what was not edited keeps its bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.formats._context import encoded
from app.formats._json import compact, loads
from app.formats._openai import Piece, result_texts
from app.formats._scan import Member, Object, scan_array, scan_object
from app.formats._splice import Item, rewrite_array, rewrite_object
from app.formats._style import Style, level_of, style_of
from app.model.edits import DELETE, Cap, Content


def edited_call(data: bytes, piece: Piece, fields: Mapping[str, Any], style: Style) -> bytes:
    """A call (an entry of `tool_calls`, or a `function_call`) with other id, name, arguments or members."""
    wanted = {key: value for key, value in fields.items() if key in ("call_id", "name", "input") or key.startswith("block.")}
    if not wanted or data[:1] != b"{":
        return data
    call = scan_object(data)
    own = style_of(data, call, style)
    level = level_of(data, call.members[0].key_start) or "" if call.members else ""
    values: dict[str, bytes | None] = {
        key.removeprefix("block."): encoded(value, own, level) for key, value in wanted.items() if key.startswith("block.")
    }
    if "call_id" in wanted:
        values["id"] = encoded(wanted["call_id"], own, level)
    body_key = "custom" if piece.type == "custom" else "function"
    if piece.path == "/function_call":
        values.update(_body(wanted, "arguments", own, level))
    elif "name" in wanted or "input" in wanted:
        member = call.get(body_key)
        held = data[member.start : member.end] if member is not None else b"{}"
        if held[:1] != b"{":
            held = b"{}"
        body = scan_object(held)
        inner = style_of(held, body, own)
        changes = _body(wanted, "input" if body_key == "custom" else "arguments", inner, level)
        values[body_key] = rewrite_object(held, body, changes, inner)
    return rewrite_object(data, call, values, own)


def _body(fields: Mapping[str, Any], key: str, style: Style, level: str) -> dict[str, bytes | None]:
    """Name and arguments; arguments are a string of JSON, but for the free text of a custom tool."""
    values: dict[str, bytes | None] = {}
    if "name" in fields:
        values["name"] = encoded(fields["name"], style, level)
    if "input" in fields:
        value = fields["input"]
        if value is DELETE:
            values[key] = None
        else:
            values[key] = style.text(value if key == "input" and isinstance(value, str) else compact(value))
    return values


def edited_part(data: bytes, piece: Piece, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes:
    """A part of a content list with another text or other members."""
    if data[:1] != b"{":
        return data
    part = scan_object(data)
    own = style_of(data, part, style)
    level = level_of(data, part.members[0].key_start) or "" if part.members else ""
    values: dict[str, bytes | None] = {
        key.removeprefix("block."): encoded(value, own, level) for key, value in fields.items() if key.startswith("block.")
    }
    if isinstance(fields.get("text"), str):
        values["text" if "block.type" in fields else piece.type] = own.text(fields["text"])
    elif content is not None:
        member = part.get(piece.type)
        text = loads(data[member.start : member.end]) if member is not None else ""
        values[piece.type] = own.text("".join(content.of((text,))))
    return rewrite_object(data, part, values, own) if values else data


def edited_result(
    data: bytes, message: Object, fields: Mapping[str, Any], content: Content | None, style: Style, level: str
) -> dict[str, bytes | None]:
    """New members of a tool's message."""
    values: dict[str, bytes | None] = {}
    for field, value in fields.items():
        if field == "call_id":
            values["tool_call_id"] = encoded(value, style, level)
        elif field in ("content", "text"):
            values["content"] = encoded(value, style, level)
        elif field == "name":
            values["name"] = encoded(value, style, level)
        elif field.startswith("block."):
            values[field.removeprefix("block.")] = encoded(value, style, level)
    if content is not None:
        values["content"] = _replaced(data, message.get("content"), content, style, level)
    return values


def _replaced(data: bytes, held: Member | None, content: Content, style: Style, level: str) -> bytes:
    """A result's content with its text replaced: a string stays a string, a list a list."""
    if held is None or data[held.start] != 91:
        texts = result_texts(loads(data[held.start : held.end]))[0] if held is not None else []
        return style.text("\n".join(content.of(texts)))
    array = scan_array(data, held.start)
    own = style_of(data, array, style)
    inner = (level_of(data, array.spans[0][0]) if array.spans else None) or level + own.unit
    if not isinstance(content, Cap):
        return rewrite_array(data, array, [own.dumps({"type": "text", "text": content.text}, inner)], own)
    values = [loads(data[start:end]) for start, end in array.spans]
    texts_of = [result_texts([value])[0] for value in values]
    left = content.of([text for group in texts_of for text in group])
    items: list[Item] = []
    for number, group in enumerate(texts_of):
        new, left = left[: len(group)], left[len(group) :]
        if new == group:
            items.append(number)
        else:
            items += [own.dumps({"type": "text", "text": text}, inner) for text in new]
    return rewrite_array(data, array, items, own)
