"""System text and tool definitions of Gemini's wire: read where they stand, deep in their members, and written back there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from app.formats._context import Context, encoded
from app.formats._flags import text_flags
from app.formats._gemini import SNAKE, piece
from app.formats._gemini_write import edited_part
from app.formats._json import compact, loads
from app.formats._requests import Layout, Reading
from app.formats._scan import Member, scan_array, scan_object
from app.formats._splice import Item, rewrite_array, rewrite_object
from app.formats._style import Style, style_of
from app.model.kinds import Flag, Kind, Role

SYSTEM = ("systemInstruction", SNAKE["systemInstruction"])
DECLARATIONS = ("functionDeclarations", SNAKE["functionDeclarations"])
_OBJECT, _LIST = b"{", b"["


# -- reading ----------------------------------------------------------------------------------------------------------------------


def add_heads(reading: Reading, base: str) -> None:
    """Adds a row for each part of the system instruction and for each tool definition. `base`: pointer of the request."""
    for key in SYSTEM:
        member = reading.outline.member(key)
        if member is not None and reading.value(member) is not None:
            data = reading.source.read(member.start, member.end - member.start)
            for tokens, start, end in _texts(data, (key,)):
                _add_system(reading, member, data, base, tokens, start, end)
            break
    member = reading.outline.member("tools")
    if member is not None and reading.value(member) is not None:
        data = reading.source.read(member.start, member.end - member.start)
        for tokens, start, end in _tools(data, ("tools",)):
            _add_tool(reading, member, data, base, tokens, start, end)


Spot = tuple[tuple[str, ...], int, int]
"""Tokens of a pointer, and the span of what stands there."""


def _texts(data: bytes, tokens: tuple[str, ...], start: int = 0) -> Iterator[Spot]:
    """The parts of a system instruction: a content, a list of parts, or a string."""
    if data[start : start + 1] == _OBJECT:
        parts = scan_object(data, start).get("parts")
        if parts is None:
            yield tokens, start, scan_object(data, start).end
        elif data[parts.start : parts.start + 1] == _LIST:
            yield from _elements(data, (*tokens, "parts"), parts.start)
        else:
            yield (*tokens, "parts"), parts.start, parts.end
    elif data[start : start + 1] == _LIST:
        yield from _elements(data, tokens, start)
    elif data[start : start + 4] != b"null":
        yield tokens, start, len(data)


def _tools(data: bytes, tokens: tuple[str, ...]) -> Iterator[Spot]:
    """Each function declaration, and each other tool."""
    entries = list(_elements(data, tokens, 0)) if data[:1] == _LIST else [(tokens, 0, len(data))] if data[:1] == _OBJECT else []
    for path, start, end in entries:
        members = scan_object(data, start).members if data[start : start + 1] == _OBJECT else []
        if not members:
            yield path, start, end
        for member in members:
            if member.key in DECLARATIONS and data[member.start : member.start + 1] == _LIST:
                yield from _elements(data, (*path, member.key), member.start)
            else:
                yield (*path, member.key), member.start, member.end


def _elements(data: bytes, tokens: tuple[str, ...], start: int) -> Iterator[Spot]:
    for number, (begin, end) in enumerate(scan_array(data, start).spans):
        yield (*tokens, str(number)), begin, end


def _head(reading: Reading, member: Member, base: str, tokens: tuple[str, ...], start: int, end: int) -> int:
    place = next((int(token) for token in reversed(tokens) if token.isdigit()), 0)
    return reading.head(member.start + start, end - start, place, base + "".join(f"/{token}" for token in tokens))


def _add_system(reading: Reading, member: Member, data: bytes, base: str, tokens: tuple[str, ...], start: int, end: int) -> None:
    record = _head(reading, member, base, tokens, start, end)
    value = loads(data[start:end])
    text = system_text(value)
    flags = text_flags(text, odd=True) | (0 if isinstance(value, str) else Flag.CONTENT_LIST)
    if system_type(value) != "text":
        flags |= Flag.TYPE_ODD
    reading.front.row(
        record=record, part=0, message=-1, kind=Kind.SYSTEM, type=system_type(value), role=Role.SYSTEM, size=len(text), flags=flags
    )


def _add_tool(reading: Reading, member: Member, data: bytes, base: str, tokens: tuple[str, ...], start: int, end: int) -> None:
    record = _head(reading, member, base, tokens, start, end)
    value = loads(data[start:end])
    word, text = tool_type(tokens), tool_text(value, tokens)
    reading.front.row(
        record=record, part=0, message=-1, kind=Kind.TOOLS, type=word, role=Role.SYSTEM, name=tool_name(value, tokens), size=len(text)
    )


def system_text(value: Any) -> str:
    """The text of a part of the system instruction; another part as compact JSON."""
    if isinstance(value, str):
        return value
    found = piece(value, "")
    return found.held if found.type == "text" and isinstance(found.held, str) else compact(value)


def system_type(value: Any) -> str:
    return "text" if isinstance(value, str) else piece(value, "").type


FUNCTION = "functionDeclaration"


def tool_type(tokens: Sequence[str]) -> str:
    """The word for a tool, from its pointer in tokens: a function, or the name of one that the service brings along."""
    if any(token in DECLARATIONS for token in tokens):
        return FUNCTION
    last = tokens[-1] if tokens else ""
    return "(no type)" if last.isdigit() or last in ("", "tools") else last


def tool_name(value: Any, tokens: Sequence[str]) -> str | None:
    """The name of a function."""
    name = value.get("name") if isinstance(value, dict) and tool_type(tokens) == FUNCTION else None
    return name if isinstance(name, str) else None


def tool_text(value: Any, tokens: Sequence[str]) -> str:
    """What is counted and shown of a tool: its definition, or its name and options."""
    word = tool_type(tokens)
    return compact(value if word in (FUNCTION, "(no type)") else {word: value})


# -- writing ------------------------------------------------------------------------------------------------------------------------


def edited_heads(context: Context, layout: Layout) -> dict[str, bytes | None]:
    """New values of the members of the request that hold them, by key; None: taken away."""
    base, heads = context.base, np.arange(layout.first)
    rows = np.searchsorted(base.record, heads)
    live = set(np.intersect1d(context.edited.order, rows).tolist())
    changes: dict[str, list[tuple[tuple[str, ...], bytes | None]]] = {}
    for record, row in zip(heads.tolist(), rows.tolist(), strict=True):
        if row in live and not context.fields(row) and context.content(row) is None:
            continue
        tokens = tuple(base.pointer(record).split("/")[1 + len(layout.path) :])
        changes.setdefault(tokens[0], []).append((tokens[1:], _edited(context, record, row) if row in live else None))
    values: dict[str, bytes | None] = {}
    for key, found in changes.items():
        start, end = next((start, end) for name, _, start, end in reversed(layout.members) if name == key)
        data: bytes | None = context.source.read(start, end - start)
        for tokens, new in reversed(found):  # from behind, so that numbers of elements stay true
            data = _put(data, tokens, new, context.style) if data is not None else None
        values[key] = data
    return values


def _edited(context: Context, record: int, row: int) -> bytes:
    """A system text or a tool definition with edits."""
    data, found = context.record(record)
    fields, content = context.fields(row), context.content(row)
    style = context.style
    if found is None:
        text = fields.get("text", loads(data))
        return style.text("".join(content.of((text,))) if content is not None else text)
    if context.base.kind[row] == Kind.SYSTEM:
        return edited_part(data, fields, content, context.style_of(data, found), False)
    own = context.style_of(data, found)
    values = {field.removeprefix("block."): encoded(value, own, "") for field, value in fields.items() if field != "text"}
    return rewrite_object(data, found, values, own)


def _put(data: bytes, tokens: Sequence[str], new: bytes | None, style: Style) -> bytes | None:
    """A value with other bytes at a pointer; None where nothing is left of it. A list or an object that loses its last element goes."""
    if not tokens:
        return new
    if data[:1] == _OBJECT:
        found = scan_object(data)
        member = found.get(tokens[0])
        assert member is not None
        value = _put(data[member.start : member.end], tokens[1:], new, style)
        if value is None and (len(found.members) == 1 or tokens[0] == "parts"):
            return None
        return rewrite_object(data, found, {tokens[0]: value}, style_of(data, found, style))
    array = scan_array(data)
    number = int(tokens[0])
    start, end = array.spans[number]
    value = _put(data[start:end], tokens[1:], new, style)
    items: list[Item] = [item for item in range(len(array.spans)) if item != number or value is not None]
    if value is not None:
        items[number] = (number, value)
    return rewrite_array(data, array, items, style_of(data, array, style)) if items else None
