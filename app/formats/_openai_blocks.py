"""The messages of OpenAI's Chat Completions wire as somebody looks at them: the counterpart of `_openai_rows.py`, block by block."""

from __future__ import annotations

from typing import Any

from app.formats._flags import id_text
from app.formats._json import compact
from app.formats._media import of_base64, of_url
from app.formats._openai import Piece, call_of, part_kind, pieces, reasoning_text, result_texts, role_of, thinking_text
from app.model.block import Block, Media
from app.model.kinds import Kind, Role

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so hot loops take these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_MEDIA, _OTHER = Kind.MEDIA, Kind.OTHER


def message_blocks(value: dict[str, Any], first: int, record: int, pointer: str) -> list[Block]:
    """The blocks of a message as rows `first`, `first + 1`, ..."""
    role = role_of(value.get("role"))
    return [_block(role, piece, value, first + part, record, pointer) for part, piece in enumerate(pieces(role, value))]


def _block(role: Role, piece: Piece, message: dict[str, Any], row: int, record: int, pointer: str) -> Block:
    kind, value, place = piece.kind, piece.value, pointer + piece.path
    texts: tuple[str, ...] = ()
    name = call_id = None
    media: tuple[Media, ...] = ()
    if kind == _TEXT:
        texts = (value if isinstance(value, str) else value[piece.type],)
    elif kind == _REASONING:
        texts = (reasoning_text(value) if piece.path.count("/") == 1 else thinking_text(value),)
        value = message.get(piece.type) if piece.path.count("/") == 1 else value
    elif kind == _CALL:
        name, _, text = call_of(piece)
        texts = () if text is None else (text,)
        call_id = id_text(value.get("id"))
    elif kind == _RESULT:
        texts = tuple(result_texts(value)[0])
        call_id, found = id_text(message.get("tool_call_id")), message.get("name")
        name = found if isinstance(found, str) else None
        media = tuple(media_of(part) for part in value if part_kind(part)[0] == _MEDIA) if isinstance(value, list) else ()
        value = message
    elif kind == _MEDIA:
        media = (media_of(value),)
    elif kind == _OTHER or piece.path:  # content that is an object or a number is shown as it is
        texts = (compact(value),)
    return Block(row, kind, piece.type, role, texts, name, call_id, False, media, place, record, value)


def media_of(part: dict[str, Any]) -> Media:
    """What a part of media holds."""
    held = part.get(part["type"])
    if part["type"] == "image_url":
        return of_url(held.get("url") if isinstance(held, dict) else held)
    if part["type"] == "document_url":
        found = of_url(held)
        return found if found.mime else Media("document")
    if not isinstance(held, dict):
        return of_base64(held, "audio") if part["type"] == "input_audio" else Media("")
    if part["type"] == "input_audio":
        found = of_base64(held.get("data"), f"audio/{held.get('format', '')}")
        return Media(found.mime, bytes=found.bytes)
    return of_url(held.get("file_data"))
