"""The items of OpenAI's Responses as rows: what `parse` keeps of them."""

from __future__ import annotations

from typing import Any, Final

from app.formats._columns import ROW, Columns
from app.formats._flags import ARGS, class_of_string, id_flags, id_text, text_flags
from app.formats._json import has_surrogate
from app.formats._marks import mark
from app.formats._responses import pieces, role_of
from app.model.kinds import Flag, Kind, Mark, Role

_MASK: Final = 0xFFFFFFFF
FOREIGN_KEYS: Final = frozenset({"tool_calls", "tool_call_id", "tool_use_id", "function_call", "parts"})
"""Members of other dialects' messages."""

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_USER, _ASSISTANT, _TOOL, _LIST = Role.USER, Role.ASSISTANT, Role.TOOL, Flag.CONTENT_LIST
_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})


def add_item(columns: Columns, record: int, message: int, item: dict[str, Any], odd: bool) -> None:
    """Adds the rows of an item."""
    before = len(columns.rows)
    if odd or not _usual(columns, record, message, item):
        _add(columns, record, message, item, odd)
    own = item.get("id")
    if own is not None:
        columns.own_id((len(columns.rows) - before) // ROW.size, id_text(own) or "")


def _usual(columns: Columns, record: int, message: int, item: dict[str, Any]) -> bool:
    """The row of an item in one of the shapes that nearly all have, with as little work as it takes; False for all others."""
    word = item.get("type")
    try:
        if word == "function_call":
            call_id, name, text = item["call_id"], item["name"], item["arguments"]
            if type(call_id) is not str or type(name) is not str or type(text) is not str:
                return False
            flags = ARGS[class_of_string(text)] | id_flags(call_id)
            size, key, kind, role, named = len(name) + len(text), columns.keys[call_id], _CALL, _ASSISTANT, columns.names[name]
            columns.arguments.append(hash(text))
        elif word in _OUTPUTS:
            call_id, text = item["call_id"], item["output"]
            if type(call_id) is not str or type(text) is not str or "status" in item:
                return False
            flags = id_flags(call_id) | (text_flags(text) if not text or text[-1].isspace() else 0)
            size, key, kind, role, named = len(text), columns.keys[call_id], _RESULT, _TOOL, -1
        else:
            return (word == "message" or (word is None and "role" in item)) and _said(columns, record, message, item)
    except (KeyError, TypeError):
        return False
    columns.rows += ROW.pack(record, 0, message, kind, columns.type_of(word), role, named, size, flags & _MASK, key)
    return True


def _said(columns: Columns, record: int, message: int, item: dict[str, Any]) -> bool:
    """The row of a message that is one text."""
    content = item["content"]
    word, flags = "text", 0
    if type(content) is list:
        if len(content) != 1:
            return False
        part = content[0]
        word, content, flags = part["type"], part["text"], _LIST
        if word != "input_text" and word != "output_text":
            return False
    if type(content) is not str or not FOREIGN_KEYS.isdisjoint(item):
        return False
    role = role_of(item["role"])
    flags |= text_flags(content) | (mark(content) if role == _USER else 0)
    columns.rows += ROW.pack(record, 0, message, _TEXT, columns.type_of(word), role, -1, len(content), flags & _MASK, -1)
    return True


def _add(columns: Columns, record: int, message: int, item: dict[str, Any], odd: bool) -> None:
    common = 0 if FOREIGN_KEYS.isdisjoint(item) else Flag.UNKNOWN_KEYS
    for part, piece in enumerate(pieces(item)):
        flags = common | piece.flags
        if piece.kind == _TEXT:
            flags |= text_flags(piece.texts[0], odd) | (mark(piece.texts[0]) if piece.role == _USER else 0)
        elif odd and any(map(has_surrogate, piece.texts)):
            flags |= Flag.SURROGATE
        if piece.kind == _CALL:
            columns.arguments.append(hash("".join(piece.texts)))
        key, size = id_text(piece.call_id), sum(map(len, piece.texts)) + len(piece.name or "")
        if piece.type == "compaction" and not flags & Flag.SIGNED:
            columns.mark(Mark.NOTHING, columns.row_count)
        named = -1 if piece.name is None else columns.names[piece.name]
        number = -1 if key is None else columns.keys[key]
        columns.rows += ROW.pack(
            record, part, message, piece.kind, columns.type_of(piece.type), piece.role, named, size, flags & _MASK, number
        )
        if piece.kind == _RESULT and number >= 0 and item.get("call_id") is None:
            columns.mark(Mark.CALL_ID_LENT, columns.row_count - 1)
