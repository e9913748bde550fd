"""The contents of Gemini's wire as rows: what `parse` keeps of them."""

from __future__ import annotations

from typing import Any, Final
from zlib import crc32

from app.formats._columns import ROW, Columns
from app.formats._flags import ARGS, id_flags, id_text, text_flags
from app.formats._gemini import OWN_ROLES, Piece, call_of, is_odd_signature, pieces, result_of, role_of, signature_of
from app.formats._json import compact, compact_hashed, compact_size, has_surrogate
from app.formats._marks import mark
from app.model.kinds import Args, Flag, Kind, Mark, Role

_MASK: Final = 0xFFFFFFFF
_ROLES: Final = {"user": Role.USER, "model": Role.ASSISTANT}

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_MEDIA, _EMPTY, _USER = Kind.MEDIA, Kind.EMPTY, Role.USER
_SIGNED, _LIST, _OBJECT = Flag.SIGNED, Flag.CONTENT_LIST, ARGS[Args.OBJECT]


def add_content(columns: Columns, record: int, message: int, content: dict[str, Any], odd: bool) -> None:
    """Adds the rows of a content. `odd`: strings may hold unpaired surrogates."""
    word, parts = content.get("role"), content.get("parts")
    plain = _ROLES.get(word) if not odd and isinstance(word, str) else None
    if plain is not None and isinstance(parts, list) and parts and _plain(columns, record, message, plain, parts):
        return
    role = role_of(content)
    marked = "" if isinstance(word, str) and word in OWN_ROLES else Mark.ROLE_ABSENT if word is None else Mark.ROLE
    add_pieces(columns, record, message, role, list(pieces(content)), odd, marked)


def _plain(columns: Columns, record: int, message: int, role: Role, parts: list[Any]) -> bool:
    """The rows of parts in the shapes that nearly all have, with as little work as they take; False where one is of another shape."""
    rows, pack, type_of = bytearray(), ROW.pack, columns.type_of
    told: list[int] = []
    for number, part in enumerate(parts):
        if type(part) is not dict:
            return False
        text = part.get("text")
        if text is not None:
            if len(part) > 1 or type(text) is not str:
                return False
            flags = _LIST | (text_flags(text) if not text or text[-1].isspace() else 0) | (mark(text) if role == _USER else 0)
            rows += pack(record, number, message, _TEXT, type_of("text"), role, -1, len(text), flags, -1)
            continue
        call = part.get("functionCall") or part.get("function_call")
        made = _usual_call(columns, part, call, told) if call else _usual_result(columns, part)
        if made is None:
            return False
        kind, word, name, size, key, flags = made
        rows += pack(record, number, message, kind, type_of(word), role, name, size, flags, key)
    columns.rows += rows
    columns.arguments.extend(told)
    return True


_Row = tuple[Kind, str, int, int, int, int]  # kind, type, name, size, key, flags


def _usual_call(columns: Columns, part: dict[str, Any], call: Any, told: list[int]) -> _Row | None:
    """A call by name with an object for its arguments, signed or not; a hash of them goes to `told`."""
    if type(call) is not dict or len(part) > 2:
        return None
    name, args, call_id = call.get("name"), call.get("args"), call.get("id")
    if type(name) is not str or type(args) is not dict:
        return None
    flags = _LIST | _OBJECT
    if len(part) == 2:
        signature = part.get("thoughtSignature") or part.get("thought_signature")
        if not signature or is_odd_signature(signature):
            return None
        flags |= _SIGNED
    if call_id is not None and type(call_id) is not str:
        return None
    size, found = compact_hashed(args)
    told.append(found)
    if call_id is None:
        return _CALL, "functionCall", columns.names[name], len(name) + size, -1, flags | Flag.ID_ABSENT
    return _CALL, "functionCall", columns.names[name], len(name) + size, columns.keys[call_id], flags | id_flags(call_id)


def _usual_result(columns: Columns, part: dict[str, Any]) -> _Row | None:
    """A result that names its tool and holds one text, or an object that says nothing of errors."""
    held = part.get("functionResponse") or part.get("function_response")
    if type(held) is not dict or len(part) > 1 or "parts" in held:
        return None
    name, response, call_id = held.get("name"), held.get("response"), held.get("id")
    if type(name) is not str or type(response) is not dict or not response or "error" in response:
        return None
    if len(response) == 1 and type(text := next(iter(response.values()))) is str:
        size, flags = len(text), text_flags(text)
    else:
        size, flags = compact_size(response), 0
    if call_id is None:
        return _RESULT, "functionResponse", columns.names[name], size, -1, flags | Flag.ID_ABSENT
    if type(call_id) is not str:
        return None
    return _RESULT, "functionResponse", columns.names[name], size, columns.keys[call_id], flags | id_flags(call_id)


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
    columns.arguments.append(crc32((text or "").encode("utf-8", "surrogatepass")))  # as `compact_hashed` has it
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
