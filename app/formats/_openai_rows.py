"""The messages of OpenAI's Chat Completions wire as rows: what `parse` keeps of them."""

from __future__ import annotations

from typing import Any, Final

from app.formats._columns import ROW, Columns
from app.formats._flags import ARGS, class_of_string, id_flags, id_text, text_flags
from app.formats._json import compact, has_surrogate
from app.formats._marks import mark
from app.formats._noted import mark_role
from app.formats._openai import (
    FOREIGN_KEYS,
    RESULT_ROLES,
    Piece,
    call_of,
    is_signed,
    pieces,
    reasoning_text,
    result_texts,
    role_of,
    thinking_text,
)
from app.model.kinds import Flag, Kind, Mark, Role

_CALLING_KEYS: Final = frozenset({"role", "content", "tool_calls", "name", "refusal", "annotations", "audio", "function_call", "prefix"})
_MASK: Final = 0xFFFFFFFF

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_MEDIA, _USER, _ASSISTANT, _TOOL, _OTHER = Kind.MEDIA, Role.USER, Role.ASSISTANT, Role.TOOL, Role.OTHER


def add_message(columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> None:
    """Adds the rows of a message."""
    role = role_of(value.get("role"))
    common = 0
    if len(value) > 2:
        common = Flag.NAMED if value.get("name") is not None else 0
        if value.get("tool_calls") == []:
            common |= Flag.CALLS_NONE
        if not FOREIGN_KEYS.isdisjoint(value):
            common |= Flag.UNKNOWN_KEYS
        if value.get("cache_control") is not None:
            common |= Flag.CACHE
        if value.get("prefix") is True or value.get("reasoning_content") == "":
            first = columns.row_count
            _add_pieces(columns, record, message, value, role, common, odd)
            for word, said in ((Mark.PREFIX, value.get("prefix") is True), (Mark.REASONING, value.get("reasoning_content") == "")):
                for row in range(first, columns.row_count) if said else ():
                    columns.mark(word, row)
            return
    if role == _OTHER:
        first = columns.row_count
        _add_pieces(columns, record, message, value, role, common, odd)
        mark_role(columns, first, value)
        return
    content = value.get("content")
    if not odd:
        if isinstance(content, str) and _plain(columns, record, message, role, value, content, common):
            return
        if role == _ASSISTANT and _calling(columns, record, message, value, content, common):
            return
    _add_pieces(columns, record, message, value, role, common, odd)


def _add_pieces(columns: Columns, record: int, message: int, value: dict[str, Any], role: Role, common: int, odd: bool) -> None:
    for part, piece in enumerate(pieces(role, value)):
        name, size, key, flags = _measured(columns, role, piece, value, odd)
        columns.rows += ROW.pack(
            record, part, message, piece.kind, columns.type_of(piece.type), role, name, size, (common | piece.flags | flags) & _MASK, key
        )


def _plain(columns: Columns, record: int, message: int, role: Role, value: dict[str, Any], content: str, flags: int) -> bool:
    """The row of a message that is one text or one result, as most are, without listing pieces; False for all others."""
    if role in RESULT_ROLES:
        call_id, name = value.get("tool_call_id"), value.get("name")
        if not isinstance(call_id, str):
            return False
        word = columns.type_of("tool" if role == _TOOL else "function")
        named = columns.names[name] if isinstance(name, str) else -1
        flags = (flags | id_flags(call_id) | text_flags(content)) & _MASK
        columns.rows += ROW.pack(record, 0, message, _RESULT, word, role, named, len(content), flags, columns.keys[call_id])
        return True
    if len(value) > 2:
        return False
    flags = (flags | text_flags(content) | (mark(content) if role == _USER else 0)) & _MASK
    columns.rows += ROW.pack(record, 0, message, _TEXT, columns.type_of("text"), role, -1, len(content), flags, -1)
    return True


def _calling(columns: Columns, record: int, message: int, value: dict[str, Any], content: Any, flags: int) -> bool:
    """The rows of an assistant's message of functions called and perhaps a text, without listing pieces; False for all others."""
    calls = value.get("tool_calls")
    if not calls or not isinstance(calls, list) or not _CALLING_KEYS.issuperset(value) or value.get("refusal"):
        return False
    if content is not None and not isinstance(content, str):
        return False
    rows, part = bytearray(), 0
    told: list[int] = []
    if isinstance(content, str) and content:
        text = (flags | text_flags(content)) & _MASK
        rows += ROW.pack(record, 0, message, _TEXT, columns.type_of("text"), _ASSISTANT, -1, len(content), text, -1)
        part = 1
    word = columns.type_of("function")
    for call in calls:
        try:
            call_id, body = call["id"], call["function"]
            name, arguments = body["name"], body["arguments"]
            if call["type"] != "function" or call.get("cache_control") is not None:
                return False
            number = columns.names[name] if isinstance(name, str) else -1
            key = columns.keys[call_id] if isinstance(call_id, str) else -1
        except (KeyError, TypeError, AttributeError):
            return False
        if number < 0 or key < 0 or not isinstance(arguments, str):
            return False
        own = (flags | ARGS[class_of_string(arguments)] | id_flags(call_id)) & _MASK
        rows += ROW.pack(record, part, message, _CALL, word, _ASSISTANT, number, len(name) + len(arguments), own, key)
        told.append(hash(arguments))
        part += 1
    columns.rows += rows
    columns.arguments.extend(told)
    return True


def _measured(columns: Columns, role: Role, piece: Piece, message: dict[str, Any], odd: bool) -> tuple[int, int, int, int]:
    """Name, size, key and flags of a piece's row."""
    kind, value = piece.kind, piece.value
    flags = Flag.CACHE if isinstance(value, dict) and kind != _REASONING and value.get("cache_control") is not None else 0
    if kind == _TEXT:
        text = value if isinstance(value, str) else value[piece.type]
        return -1, len(text), -1, flags | text_flags(text, odd) | (mark(text) if role == _USER else 0)
    if kind == _REASONING:
        text = reasoning_text(value) if piece.path.count("/") == 1 else thinking_text(value)
        signed = is_signed(value) if piece.path.count("/") == 1 else bool(value.get("signature"))
        flags |= text_flags(text, odd) | (Flag.SIGNED if signed else 0) | (Flag.REDACTED if signed and not text else 0)
        return -1, len(text), -1, flags
    if kind == _CALL:
        return _call_row(columns, piece, flags, odd)
    if kind == _RESULT:
        texts, more = result_texts(value)
        call_id, name = message.get("tool_call_id"), message.get("name")
        key = id_text(call_id)
        flags |= more | id_flags(call_id) | (Flag.SURROGATE if odd and any(map(has_surrogate, texts)) else 0)
        named = columns.names[name] if isinstance(name, str) else -1
        return named, sum(map(len, texts)), -1 if key is None else columns.keys[key], flags
    return -1, 0 if kind == _MEDIA or piece.path == "" else len(compact(value)), -1, flags


def _call_row(columns: Columns, piece: Piece, flags: int, odd: bool) -> tuple[int, int, int, int]:
    name, found, text = call_of(piece)
    columns.arguments.append(hash(text))
    call_id = piece.value.get("id")
    key = id_text(call_id)
    flags |= ARGS[found] | id_flags(call_id)
    if odd and text is not None and has_surrogate(text):
        flags |= Flag.SURROGATE
    if piece.type not in ("function", "custom", "function_call"):
        flags |= Flag.TYPE_ODD
    size = len(name or "") + len(text or "")
    return -1 if name is None else columns.names[name], size, -1 if key is None else columns.keys[key], flags
