"""The contents of Gemini's wire as rows: what `parse` keeps of them."""

from __future__ import annotations

from typing import Any, Final

from app.formats._columns import ROW, Columns
from app.formats._flags import ARGS, id_flags, id_text, text_flags
from app.formats._gemini import OWN_ROLES, Piece, call_of, is_odd_signature, pieces, result_of, role_of, signature_of
from app.formats._json import compact, has_surrogate
from app.formats._marks import mark
from app.model.kinds import Flag, Kind, Mark, Role

_MASK: Final = 0xFFFFFFFF

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_MEDIA, _EMPTY, _USER = Kind.MEDIA, Kind.EMPTY, Role.USER
_SIGNED = Flag.SIGNED


def add_content(columns: Columns, record: int, message: int, content: dict[str, Any], odd: bool) -> None:
    """Adds the rows of a content. `odd`: strings may hold unpaired surrogates."""
    role = role_of(content)
    word = content.get("role")
    marked = "" if isinstance(word, str) and word in OWN_ROLES else Mark.ROLE_ABSENT if word is None else Mark.ROLE
    add_pieces(columns, record, message, role, list(pieces(content)), odd, marked)


def add_pieces(columns: Columns, record: int, message: int, role: Role, found: list[Piece], odd: bool, marked: str = "") -> None:
    """Adds a row for each piece of a message. `marked`: what is said of its role (see Mark), "" nothing."""
    for part, piece in enumerate(found):
        row = columns.row_count
        name, size, key, flags = _measured(columns, role, piece, odd, row)
        if piece.kind != _EMPTY:
            signature = signature_of(piece.value)
            if signature is not None:
                flags |= _SIGNED
                if is_odd_signature(signature):
                    columns.mark(Mark.SIGNATURE, row)
        if marked:
            columns.mark(marked, row)
        flags = (piece.flags | flags) & _MASK
        columns.rows += ROW.pack(record, part, message, piece.kind, columns.type_of(piece.type), role, name, size, flags, key)


def _measured(columns: Columns, role: Role, piece: Piece, odd: bool, row: int) -> tuple[int, int, int, int]:
    """Name, size, key and flags of a piece's row."""
    kind = piece.kind
    if kind in (_TEXT, _REASONING):
        text = piece.held
        return -1, len(text), -1, text_flags(text, odd) | (mark(text) if role == _USER and kind == _TEXT else 0)
    if kind == _CALL:
        return _call(columns, piece, odd)
    if kind == _RESULT:
        return _result(columns, piece, odd, row)
    if kind == _MEDIA or (kind == _EMPTY and not piece.path):
        return -1, 0, -1, 0
    return -1, len(compact(piece.value)), -1, 0


def _call(columns: Columns, piece: Piece, odd: bool) -> tuple[int, int, int, int]:
    name, found, text = call_of(piece)
    call_id = piece.held.get("id")
    key = id_text(call_id)
    flags = ARGS[found] | id_flags(call_id)
    if odd and text is not None and has_surrogate(text):
        flags |= Flag.SURROGATE
    named = -1 if name is None else columns.names[name]
    return named, len(name or "") + len(text or ""), -1 if key is None else columns.keys[key], flags


def _result(columns: Columns, piece: Piece, odd: bool, row: int) -> tuple[int, int, int, int]:
    texts, flags, error, _ = result_of(piece)
    call_id, name = piece.held.get("id"), piece.held.get("name")
    key = id_text(call_id)
    flags |= id_flags(call_id) | (Flag.ERROR if error else 0)
    if odd and any(map(has_surrogate, texts)):
        flags |= Flag.SURROGATE
    response = piece.held.get("response")
    if piece.type == "functionResponse" and response is not None and not isinstance(response, dict):
        columns.mark(Mark.JSON_ODD, row)
    named = columns.names[name] if isinstance(name, str) else -1
    return named, sum(map(len, texts)), -1 if key is None else columns.keys[key], flags
