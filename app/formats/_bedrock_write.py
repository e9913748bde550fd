"""Bedrock's blocks written back: one block with edits laid over it, and blocks that an edit makes.

A block is an object of one key; what edits name are the members of the object below it. Only what was edited is encoded anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.formats._bedrock import facts_of, text_of, word_of
from app.formats._json import loads
from app.formats._scan import Member, scan_array, scan_object
from app.formats._splice import Item, rewrite_array, rewrite_object, set_pointer
from app.formats._style import Style, level_of, style_of
from app.model.edits import DELETE, Cap, Content, Made
from app.model.kinds import Kind

ERROR_MARK: Final = "block.is_error"
"""A field that says of a result whether it is an error, whatever the wire calls it: here the member `status`."""

_TEXTS: Final = {"text": ("text",), "guardContent": ("guardContent", "text", "text"), "citationsContent": ("citationsContent", "content")}


def edited_block(data: bytes, kind: Kind, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes:
    """The bytes of a block with edits: `fields` as Set has them (those of its message aside), `content` what takes the place of its
    text."""
    if data[:1] != b"{":
        return data
    block = scan_object(data)
    value = loads(data)
    word = word_of(value)
    own = style_of(data, block, style)
    if kind == Kind.TEXT:
        return _with_text(data, word, value, fields, content, own)
    held = block.get(word)
    if held is None or data[held.start] != 123:
        return data
    inner = data[held.start : held.end]
    body = scan_object(inner)
    within = style_of(inner, body, own)
    level = level_of(inner, body.members[0].key_start) or "" if body.members else ""
    values: dict[str, bytes | None] = {}
    for field, new in fields.items():
        for key, made in _members(field, new, kind):
            values[key] = None if made is DELETE else within.dumps(made, level)
    if content is not None and kind == Kind.TOOL_RESULT:
        values["content"] = _replaced(inner, body.get("content"), content, within, level)
    if not values:
        return data
    return data[: held.start] + rewrite_object(inner, body, values, within) + data[held.end :]


def _members(field: str, value: Any, kind: Kind) -> list[tuple[str, Any]]:
    """The members of a call or a result that a field is written to, with their values; none for fields of the message."""
    if field == "call_id":
        return [("toolUseId", value)]
    if field in ("name", "input"):
        return [(field, value)] if kind == Kind.TOOL_CALL else []
    if field == "content":
        return [("content", content_of(value))] if kind == Kind.TOOL_RESULT else []
    if field == ERROR_MARK:
        return [("status", "error" if value is True else DELETE)]
    return [(field.removeprefix("block."), value)] if field.startswith("block.") else []


def content_of(value: Any) -> Any:
    """Content as this wire wants it: a text is a list of one block."""
    return [{"text": value}] if isinstance(value, str) else value


def _with_text(data: bytes, word: str, value: Any, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes:
    text = text_of(word, value.get(word))
    new = fields.get("text")
    if not isinstance(new, str):
        if content is None or text is None:
            return data
        new = "".join(content.of((text,)))
    path = _TEXTS.get(word)
    if path is None or new == text:
        return data
    return set_pointer(data, path, [{"text": new}] if word == "citationsContent" else new, style)


def _replaced(data: bytes, held: Member | None, content: Content, style: Style, level: str) -> bytes:
    """A result's content with its text replaced, as a list. A cap cuts the texts one by one and leaves media; whatever else puts
    one text in place of everything."""
    if held is None or data[held.start] != 91:
        texts = facts_of(loads(data[held.start : held.end])).texts if held is not None else ()
        return style.dumps([{"text": "\n".join(content.of(texts))}], level)
    array = scan_array(data, held.start)
    own = style_of(data, array, style)
    inner = (level_of(data, array.spans[0][0]) if array.spans else None) or level + own.unit
    if not isinstance(content, Cap):
        return rewrite_array(data, array, [own.dumps({"text": content.text}, inner)], own)
    groups = [facts_of([loads(data[start:end])]).texts for start, end in array.spans]
    left = content.of([text for group in groups for text in group])
    items: list[Item] = []
    for number, group in enumerate(groups):
        new, left = left[: len(group)], left[len(group) :]
        if new == list(group):
            items.append(number)
        else:
            items += [own.dumps({"text": text}, inner) for text in new]
    return rewrite_array(data, array, items, own)


def made_block(made: Made, call_id: str | None) -> dict[str, Any]:
    """A block that an edit inserts, as a value. `call_id` is that of the call which a result answers."""
    if made.kind != Kind.TOOL_RESULT:
        return {"text": made.text}
    result: dict[str, Any] = {} if call_id is None else {"toolUseId": call_id}
    result["content"] = [{"text": made.text}]
    if made.error:
        result["status"] = "error"
    return {"toolResult": result}
