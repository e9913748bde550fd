"""Anthropic's blocks written back: one block with edits laid over it, and blocks that an edit makes.

Used by every format whose messages hold these blocks. Only what was edited of a block is encoded anew; all else keeps its bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.formats._anthropic import result_texts
from app.formats._json import NotJson, loads
from app.formats._scan import Member, Object, scan_array, scan_object
from app.formats._splice import Item, rewrite_array, rewrite_object
from app.formats._style import Style, level_of, line_level, style_of
from app.model.edits import DELETE, Cap, Content, Made
from app.model.kinds import Kind

_ID_KEYS = {Kind.TOOL_CALL: "id", Kind.TOOL_RESULT: "tool_use_id"}


def edited_block(data: bytes, kind: Kind, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes:
    """The bytes of a block (an object) with edits: `fields` as Set has them (those of its message aside), `content` what takes the
    place of its text."""
    if data[:1] != b"{":
        return data
    block = scan_object(data)
    own = style_of(data, block, style)
    level = level_of(data, block.members[0].key_start) or "" if block.members else ""
    values: dict[str, bytes | None] = {}
    for field, value in fields.items():
        key = _key(field, kind)
        if key is not None:
            values[key] = None if value is DELETE else own.dumps(value, level)
    if content is not None:
        if kind == Kind.TOOL_RESULT:
            values["content"] = replaced_content(data, block.get("content"), content, own, level)
        else:
            held = block.get("text")
            text = loads(data[held.start : held.end]) if held else ""
            values["text"] = own.text("".join(content.of((text,))))
    return rewrite_object(data, block, values, own) if values else data


def _key(field: str, kind: Kind) -> str | None:
    """The member of a block that a field is written to; None for fields of the message."""
    if field == "call_id":
        return _ID_KEYS.get(kind)
    if field in ("name", "input"):
        return field if kind == Kind.TOOL_CALL or (field == "name" and kind == Kind.TOOLS) else None
    if field == "text":
        return "text"
    if field == "content":
        return "content" if kind == Kind.TOOL_RESULT else None
    return field.removeprefix("block.") if field.startswith("block.") else None


def replaced_content(data: bytes, held: Member | None, content: Content, style: Style, level: str) -> bytes:
    """A result's content with its text replaced: a string stays a string, a list a list. A cap cuts the texts one by one and leaves
    media; whatever else puts one text in place of everything."""
    if held is None or data[held.start] != 91:
        try:
            texts, _ = result_texts(loads(data[held.start : held.end])) if held else ([], 0)
        except NotJson:
            texts = []
        return style.text("\n".join(content.of(texts)))
    array = scan_array(data, held.start)
    own = style_of(data, array, style)
    inner = (level_of(data, array.spans[0][0]) if array.spans else None) or level + own.unit
    if not isinstance(content, Cap):
        return rewrite_array(data, array, [own.dumps({"type": "text", "text": content.text}, inner)], own)
    return rewrite_array(data, array, _capped(data, array.spans, content, own, inner), own)


def _capped(data: bytes, spans: list[tuple[int, int]], cap: Cap, style: Style, level: str) -> list[Item]:
    """The elements of a capped list: each gives as many texts as it held, as far as they go; media stays."""
    values = [loads(data[start:end]) for start, end in spans]
    texts = [result_texts([value])[0] for value in values]
    left = cap.of([text for group in texts for text in group])
    items: list[Item] = []
    for number, (value, group) in enumerate(zip(values, texts, strict=True)):
        if not group:
            items.append(number)
            continue
        new, left = left[: len(group)], left[len(group) :]
        if new == group:
            items.append(number)
        elif isinstance(value, dict) and value.get("type") == "text" and len(new) == 1:
            start, end = spans[number]
            items.append((number, _with_text(data[start:end], new[0], style)))
        else:
            items += [style.dumps({"type": "text", "text": text}, level) for text in new]
    return items


def _with_text(data: bytes, text: str, style: Style) -> bytes:
    block: Object = scan_object(data)
    own = style_of(data, block, style)
    return rewrite_object(data, block, {"text": own.text(text)}, own)


def made_block(made: Made, call_id: str | None) -> dict[str, Any]:
    """A block that an edit inserts, as a value. `call_id` is that of the call which a result answers."""
    if made.kind != Kind.TOOL_RESULT:
        return {"type": "text", "text": made.text}
    block: dict[str, Any] = {"type": "tool_result"}
    if call_id is not None:
        block["tool_use_id"] = call_id
    block["content"] = made.text
    if made.error:
        block["is_error"] = True
    return block


def edited_text(data: bytes, fields: Mapping[str, Any], content: Content | None, style: Style) -> bytes:
    """Content that is a string, with edits: the literal that takes its place (or other content where a field says so)."""
    if "text" in fields and fields["text"] is not DELETE:
        return style.text(fields["text"])
    if "content" in fields and fields["content"] is not DELETE:
        return style.dumps(fields["content"], line_level(data, 0))
    if content is not None:
        return style.text("".join(content.of((loads(data),))))
    return data
