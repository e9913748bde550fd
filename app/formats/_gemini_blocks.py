"""The contents of Gemini's wire as somebody looks at them: the counterpart of `_gemini_rows.py`, block by block."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.formats._flags import id_text
from app.formats._gemini import Piece, call_of, held, piece, pieces, result_of, role_of
from app.formats._json import compact
from app.formats._media import of_base64
from app.model.block import Block, Media
from app.model.kinds import Kind, Role

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_MEDIA, _EMPTY = Kind.MEDIA, Kind.EMPTY


def content_blocks(content: dict[str, Any], first: int, record: int, pointer: str) -> list[Block]:
    """The blocks of a content as rows `first`, `first + 1`, ..."""
    return blocks_of(role_of(content), pieces(content), first, record, pointer)


def blocks_of(role: Role, found: Iterable[Piece], first: int, record: int, pointer: str) -> list[Block]:
    """The blocks of a message made of these pieces."""
    return [_block(role, one, first + part, record, pointer) for part, one in enumerate(found)]


def _block(role: Role, found: Piece, row: int, record: int, pointer: str) -> Block:
    kind, place = found.kind, pointer + found.path
    texts: tuple[str, ...] = ()
    name = call_id = None
    error, media = False, ()  # type: bool, tuple[Media, ...]
    if kind in (_TEXT, _REASONING):
        texts = (found.held,)
    elif kind == _CALL:
        name, _, text = call_of(found)
        texts = () if text is None else (text,)
        call_id = id_text(found.held.get("id"))
    elif kind == _RESULT:
        given, _, error, parts = result_of(found)
        texts, call_id = tuple(given), id_text(found.held.get("id"))
        named = found.held.get("name")
        name = named if isinstance(named, str) else None
        media = tuple(media_of(part) for part in parts)
    elif kind == _MEDIA:
        media = (media_of(found.value),)
    elif kind != _EMPTY or found.path:  # what is not known, and parts that are a string or a number, are shown as they are
        texts = (compact(found.value),)
    return Block(row, kind, found.type, role, texts, name, call_id, error, media, place, record, found.value)


def media_of(part: dict[str, Any]) -> Media:
    """Of a part with data inside it, or with the place of a file."""
    value = piece(part, "").held
    mime = held(value, "mimeType")
    mime = mime if mime is not None else value.get("mime_type")
    data = value.get("data")
    if isinstance(data, str):
        return of_base64(data.replace("-", "+").replace("_", "/"), mime)
    return Media(mime if isinstance(mime, str) else "")
