"""A message whose content is a list of blocks written anew from the rows that it is to hold: Anthropic's wire, and those like it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.formats._anthropic_write import edited_block, edited_text, made_block
from app.formats._context import Context, encoded
from app.formats._rewrite import TEXT_BLOCK, Part, content_bytes, new_content
from app.formats._runs import Run
from app.formats._splice import rewrite_object
from app.formats._style import Style, level_of
from app.model.edits import DELETE, Content, Made
from app.model.kinds import Kind


@dataclass(frozen=True)
class BlockWire:
    """How a wire writes blocks. `edited`: a block with edits laid over it; `made`: one that an edit inserts; `content`: what an edit
    sets as content, as the wire has it; `strings`: content of one text may be a string; `text`: the members of a block of text
    before the text itself, as (key, value), and the key of the text behind them."""

    edited: Callable[[bytes, Kind, Mapping[str, Any], Content | None, Style], bytes]
    made: Callable[[Made, str | None], dict[str, Any]]
    content: Callable[[Any], Any]
    strings: bool
    text: tuple[tuple[str, bytes], ...]


ANTHROPIC = BlockWire(edited_block, made_block, lambda value: value, True, TEXT_BLOCK)


def rewrite(context: Context, run: Run, wire: BlockWire = ANTHROPIC) -> list[bytes]:
    """The message of a run; records that are no messages (what could not be decoded) keep their bytes beside it."""
    whole = [row for row in run.rows if _is_whole(context, row)]
    rows = tuple(row for row in run.rows if row not in whole)
    out = [context.record(int(context.base.record[row]))[0] for row in whole]
    if not rows:
        return out
    record = run.record if run.record >= 0 and context.record(run.record)[1] is not None else -1
    parts = [part for row in rows if (part := _part(context, row, record, wire)) is not None]
    return [*out, _old(context, rows, record, parts, wire) if record >= 0 else _new(context, rows, parts, wire)]


def _is_whole(context: Context, row: int) -> bool:
    """Whether a row is a whole record that holds no blocks: an element of the list that is no object."""
    if row >= len(context.base):
        return False
    return context.record(int(context.base.record[row]))[1] is None


def _old(context: Context, rows: tuple[int, ...], record: int, parts: list[Part], wire: BlockWire) -> bytes:
    """A message of the file with other blocks."""
    data, message = context.record(record)
    assert message is not None
    style = context.style_of(data, message)
    level = level_of(data, message.members[0].key_start) or "" if message.members else ""
    values: dict[str, bytes | None] = {}
    content = _set_content(context, rows)
    if content is not None:
        values["content"] = encoded(wire.content(content[0]), style, level)
    elif parts or not _only_empty(context, rows):
        new = content_bytes(data, message, parts, style, wire.text)
        if new is not None:
            values["content"] = new
    role = context.new_role(rows, record)
    if role is not None:
        values["role"] = style.text(role)
    for key, value in context.message_fields(rows):
        values[key] = encoded(value, style, level)
    return rewrite_object(data, message, values, style) if values else data


def _new(context: Context, rows: tuple[int, ...], parts: list[Part], wire: BlockWire) -> bytes:
    """A message that the file does not hold."""
    style, level = context.style, context.level
    inner = level + style.unit
    content = _set_content(context, rows)
    if content is not None:
        held = encoded(wire.content(content[0]), style, inner) or b"null"
    else:
        held = new_content(_plain(context, parts) if wire.strings else parts, style, inner, wire.text)
    role = context.new_role(rows, -1) or "user"
    members = [("role", style.text(role)), ("content", held)]
    for key, value in context.message_fields(rows):
        made = encoded(value, style, inner)
        if made is not None:
            members.append((key, made))
    return style.object(members, level)


def _plain(context: Context, parts: list[Part]) -> list[Part]:
    """A message of one text that an edit made is written with a string for its content."""
    if len(parts) == 1 and parts[0].value is not None and parts[0].value.get("type") == "text":
        return [Part(data=context.style.text(parts[0].value["text"]), literal=True)]
    return parts


def _set_content(context: Context, rows: tuple[int, ...]) -> tuple[object] | None:
    """What an edit set as the content of the whole message."""
    for row in rows:
        fields = context.fields(row)
        if "content" in fields and Kind(int(context.edited.table.kind[row])) != Kind.TOOL_RESULT:
            return (fields["content"],)
    return None


def _only_empty(context: Context, rows: tuple[int, ...]) -> bool:
    return all(row < len(context.base) and context.base.kind[row] == Kind.EMPTY for row in rows)


def _part(context: Context, row: int, record: int, wire: BlockWire) -> Part | None:
    """What a row puts into the message that was `record`; None for nothing (the row of an empty message)."""
    made = context.edited.made.get(row)
    fields, content = context.fields(row), context.content(row)
    if made is not None and made.kind == Kind.EMPTY:
        return None
    if made is not None:
        block = wire.made(made, context.call_id(row))
        for field, value in fields.items():
            if field.startswith("block.") and value is not DELETE:
                block[field.removeprefix("block.")] = value
        return Part(value=block)
    table = context.base
    kind, own, number = Kind(int(table.kind[row])), int(table.record[row]), int(table.part[row])
    data, message = context.record(own)
    assert message is not None
    held = message.get("content")
    if isinstance(fields.get("text"), str) and kind == Kind.EMPTY:
        return Part(data=context.style.text(fields["text"]), literal=True) if wire.strings else Part(value=wire.content(fields["text"])[0])
    if held is None or data[held.start : held.end] in (b"null", b"[]") or (kind == Kind.EMPTY and data[held.start] == 91):
        return None
    if data[held.start] != 91:
        literal = data[held.start] == 34
        value = data[held.start : held.end]
        if literal and (fields or content is not None):
            value = edited_text(value, {k: v for k, v in fields.items() if k == "text"}, content, context.style_of(data, message))
        return Part(old=0 if own == record else -1, data=value, literal=literal)
    start, end = context.elements(own, "content")[number]
    held_block = data[start:end]
    if fields or content is not None:
        changed = wire.edited(held_block, kind, fields, content, context.style_of(data, message))
        return Part(number if own == record else -1, changed)
    return Part(number) if own == record else Part(data=held_block)
