"""The items of OpenAI's Responses as somebody looks at them: the counterpart of `_responses_rows.py`, block by block."""

from __future__ import annotations

from typing import Any

from app.formats._flags import id_text
from app.formats._media import of_base64, of_url
from app.formats._responses import Piece, pieces
from app.model.block import Block, Media
from app.model.kinds import Kind


def item_blocks(item: dict[str, Any], first: int, record: int, pointer: str) -> list[Block]:
    """The blocks of an item as rows `first`, `first + 1`, ..."""
    return [_block(piece, first + part, record, pointer) for part, piece in enumerate(pieces(item))]


def _block(piece: Piece, row: int, record: int, pointer: str) -> Block:
    media = tuple(media_of(part) for part in piece.media)
    error = piece.kind == Kind.TOOL_RESULT and piece.value.get("status") == "failed"
    return Block(
        row, piece.kind, piece.type, piece.role, piece.texts, piece.name, id_text(piece.call_id), error, media, pointer + piece.path,
        record, piece.value,
    )  # fmt: skip


def media_of(part: dict[str, Any]) -> Media:
    """What is known of an image or a file: inline data is looked into, a place elsewhere is never fetched."""
    word = part.get("type")
    if word == "image_generation_call":
        return of_base64(part.get("result"), f"image/{part.get('output_format', 'png')}")
    if word == "input_audio":
        held = part.get("input_audio", part)
        if not isinstance(held, dict):
            return Media("")
        found = of_base64(held.get("data"), f"audio/{held.get('format', '')}")
        return Media(found.mime, bytes=found.bytes)
    held = part.get("file_data") if word == "input_file" else part.get("image_url")
    if isinstance(held, dict):
        held = held.get("url")
    return of_url(held)
