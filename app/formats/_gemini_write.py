"""Parts of Gemini's wire written back: a part with edits laid over it, and parts that an edit makes.

Only what was edited of a part is encoded anew, in the spelling that it has; all else keeps its bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.formats._context import encoded
from app.formats._gemini import SNAKE, Piece, is_error, only_text, piece, response_texts
from app.formats._json import loads
from app.formats._scan import Object, scan_object
from app.formats._splice import rewrite_object
from app.formats._style import Style, level_of, style_of
from app.model.edits import DELETE, Cap, Content, Made
from app.model.kinds import Kind

_INNER = {"call_id": "id", "name": "name", "input": "args"}


def spelled(key: str, snake: bool) -> str:
    """A key of this wire in one of its spellings."""
    return SNAKE.get(key, key) if snake else key


def edited_part(data: bytes, fields: Mapping[str, Any], content: Content | None, style: Style, snake: bool) -> bytes:
    """The bytes of a part (an object) with edits: `fields` as Set has them (those of its content aside), `content` what takes the place
    of its text. `snake`: how keys are spelled that the part does not show."""
    if data[:1] != b"{":
        return data
    part = scan_object(data)
    found = piece(loads(data), "")
    own = style_of(data, part, style)
    level = _level(data, part)
    values: dict[str, bytes | None] = {}
    if found.key in SNAKE.values():
        snake = True
    elif found.key in SNAKE:
        snake = False
    for field, value in fields.items():
        if field == "block.signature":
            key = next((key for key in ("thoughtSignature", "thought_signature") if part.get(key) is not None), None)
            values[key or spelled("thoughtSignature", snake)] = encoded(value, own, level)
        elif field.startswith("block.") and not (field == "block.is_error" and found.kind == Kind.TOOL_RESULT):
            values[field.removeprefix("block.")] = encoded(value, own, level)
    if found.kind in (Kind.TOOL_CALL, Kind.TOOL_RESULT):
        inner = _inner(data, part, found, fields, content, own)
        if inner is not None:
            values[found.key] = inner
    elif "text" in fields and isinstance(fields["text"], str):
        values["text"] = own.text(fields["text"])
    elif content is not None:
        values["text"] = own.text("".join(content.of((found.held if isinstance(found.held, str) else "",))))
    return rewrite_object(data, part, values, own) if values else data


def _level(data: bytes, container: Object) -> str:
    return level_of(data, container.members[0].key_start) or "" if container.members else ""


def _inner(data: bytes, part: Object, found: Piece, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes | None:
    """The call or the response inside a part, with edits; None where it stays as it is."""
    member = part.get(found.key)
    assert member is not None
    held = data[member.start : member.end]
    inner = scan_object(held)
    own = style_of(held, inner, style)
    level = _level(held, inner)
    values: dict[str, bytes | None] = {}
    for field, value in fields.items():
        key = _INNER.get(field)
        if key is not None and not (key == "args" and found.kind == Kind.TOOL_RESULT):
            values[key] = encoded(value, own, level)
    if found.kind == Kind.TOOL_RESULT:
        values.update(_response(found, fields, content, own, level))
    return rewrite_object(held, inner, values, own) if values else None


def _response(found: Piece, fields: Mapping[str, Any], content: Content | None, style: Style, level: str) -> dict[str, bytes | None]:
    """Members of a result: its content under another text or another value, its mark as an error."""
    values: dict[str, bytes | None] = {}
    response = found.held.get("response")
    marked = fields.get("block.is_error")
    error = marked is True if marked is not None else is_error(response)
    for field in ("content", "text"):
        if field in fields and fields[field] is not DELETE:
            value = fields[field]
            response = {_key(response, error): value} if isinstance(value, str) else value
            values["response"] = style.dumps(response, level)
    if content is not None:
        texts, _ = response_texts(response)
        response = {_key(response, error): "\n".join(content.of(texts))}
        values["response"] = style.dumps(response, level)
        if not isinstance(content, Cap) and found.held.get("parts") is not None:
            values["parts"] = None
    if marked is not None and error != is_error(response):
        texts, _ = response_texts(response)
        values["response"] = style.dumps({"error" if error else "output": "\n".join(texts)}, level)
    return values


def _key(response: Any, error: bool) -> str:
    """Under which key a text stands: the one that it has, else the word that the documentation has for a result or an error."""
    key = only_text(response)
    if key is not None and is_error(response) == error:
        return key
    return "error" if error else "output"


def made_part(made: Made, call_id: str | None, name: str | None, snake: bool) -> dict[str, Any]:
    """A part that an edit inserts, as a value. `call_id` and `name` are those of the call which a result answers."""
    if made.kind != Kind.TOOL_RESULT:
        return {"text": made.text}
    inner: dict[str, Any] = {} if call_id is None else {"id": call_id}
    if name is not None:
        inner["name"] = name
    inner["response"] = {"error" if made.error else "output": made.text}
    return {spelled("functionResponse", snake): inner}
