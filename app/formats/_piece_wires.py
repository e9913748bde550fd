"""Wires that are read piece by piece and never written: what their messages, results and texts have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from app.formats._columns import Columns
from app.formats._dialects import Wire
from app.formats._json import compact
from app.formats._media import of_base64, of_url
from app.formats._pieces import Piece, add_pieces, blocks_of, empty, other
from app.model.block import Block, Media
from app.model.kinds import Flag, Kind, Role

ROLES: Final = {
    "user": Role.USER, "human": Role.USER, "assistant": Role.ASSISTANT, "ai": Role.ASSISTANT, "model": Role.ASSISTANT,
    "system": Role.SYSTEM, "developer": Role.DEVELOPER, "tool": Role.TOOL, "function": Role.FUNCTION, "chatbot": Role.ASSISTANT,
}  # fmt: skip


class PieceWire:
    """A wire by the pieces of its messages."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = False

    def __init__(self, pieces: Callable[[Any], list[Piece]]) -> None:
        self._pieces = pieces

    def pieces(self, value: Any) -> list[Piece]:
        return self._pieces(value) or [empty(None, Role.OTHER, "")]

    def add_message(self, columns: Columns, record: int, message: int, value: Any, odd: bool) -> int:
        return add_pieces(columns, record, message, self.pieces(value), odd)

    def message_blocks(self, value: Any, first: int, record: int, pointer: str) -> Sequence[Block]:
        return blocks_of(self.pieces(value), first, record, pointer)

    def made_type(self, kind: Kind, role: Role) -> str:
        return "tool" if kind == Kind.TOOL_RESULT else "text"


def turned(turn: Callable[[Any], dict[str, Any]], wire: Wire, exact: bool = False) -> Wire:
    """A wire whose messages are turned into those of another one (see `_Turned`)."""
    own = type("Turned", (_Turned,), {"joins": wire.joins, "args_text": wire.args_text})
    found: Wire = own(turn, wire, exact)
    return found


class _Turned:
    """A wire whose messages are turned into those of another one. Its blocks point at the message, unless their place in it is the
    same (`exact`)."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = False

    def __init__(self, turn: Callable[[Any], dict[str, Any]], wire: Wire, exact: bool = False) -> None:
        self._turn, self._wire, self._exact = turn, wire, exact

    def add_message(self, columns: Columns, record: int, message: int, value: Any, odd: bool) -> int | None:
        return self._wire.add_message(columns, record, message, self._turn(value), odd)

    def message_blocks(self, value: Any, first: int, record: int, pointer: str) -> Sequence[Block]:
        blocks = self._wire.message_blocks(self._turn(value), first, record, pointer)
        return blocks if self._exact else [replace(block, pointer=pointer) for block in blocks]

    def made_type(self, kind: Kind, role: Role) -> str:
        return self._wire.made_type(kind, role)


def role_of(value: Any) -> Role:
    return ROLES.get(value.lower(), Role.OTHER) if isinstance(value, str) else Role.OTHER


def string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def said(role: Role, text: Any, path: str = "", turn: int = 0, word: str = "text") -> Piece:
    """A text; what is none is shown as it stands."""
    if isinstance(text, str):
        return Piece(Kind.TEXT, word, role, path, (text,), value=text, turn=turn)
    piece = other(text, word, role, path)
    piece.turn = turn
    return piece


def thought(text: Any, path: str, value: Any = None, signed: bool = False, turn: int = 0, word: str = "reasoning") -> Piece:
    texts = (text,) if isinstance(text, str) else ()
    flags = (Flag.SIGNED if signed else 0) | (Flag.REDACTED if signed and not any(texts) else 0)
    return Piece(Kind.REASONING, word, Role.ASSISTANT, path, texts, flags=flags, value=value, turn=turn)


def call(word: str, path: str, name: Any, id: Any, args: Any, value: Any, turn: int = 0, server: bool = False) -> Piece:
    return Piece(
        Kind.TOOL_CALL, word, Role.ASSISTANT, path, name=string(name), id=id, args=args, given=True, value=value, turn=turn,
        flags=Flag.SERVER if server else 0,
    )  # fmt: skip


def result(
    word: str, role: Role, path: str, id: Any, content: Any, value: Any, name: Any = None, error: bool = False, turn: int = 0,
    server: bool = False,
) -> Piece:  # fmt: skip
    texts, media = result_parts(content)
    flags = Flag.CONTENT_NULL if content is None else Flag.CONTENT_LIST if isinstance(content, list) else 0
    return Piece(
        Kind.TOOL_RESULT, word, role, path, tuple(texts), string(name), id, error=error, media=tuple(media), value=value, turn=turn,
        flags=flags | (Flag.SERVER if server else 0),
    )  # fmt: skip


def result_parts(content: Any) -> tuple[list[str], list[Media]]:
    """The texts and media of a result's content: a string, a list of parts, or any other JSON."""
    if content is None:
        return [], []
    if isinstance(content, str):
        return [content], []
    if isinstance(content, list) and content:
        held = [part.get("text") if isinstance(part, dict) and part.get("type") == "text" else None for part in content]
        texts = [text for text in held if isinstance(text, str)]
        if len(texts) == len(content):  # as nearly all are
            return texts, []
    if not isinstance(content, list) or not any(isinstance(part, dict) and {"type", "text"} & part.keys() for part in content):
        return [compact(content)], []
    texts = []
    media = list[Media]()
    for part in content:
        found = media_of(part)
        text = part.get("text") if isinstance(part, dict) else part
        if found is not None:
            media.append(found)
        else:
            texts.append(text if isinstance(text, str) else compact(part))
    return texts, media


def media_of(part: Any) -> Media | None:
    """The image or document that a part is, in the words of several wires; None where it is none."""
    word = part.get("type") if isinstance(part, dict) else None
    if not isinstance(word, str):
        return None
    mime = part.get("mediaType", part.get("mimeType", part.get("mime_type", part.get("media_type"))))
    if word == "image_url":
        held = part.get("image_url")
        return of_url(held.get("url") if isinstance(held, dict) else held)
    if word in ("image", "file", "document", "audio", "video", "media", "image-data", "file-data", "blob", "uri", "image-url", "file-url"):
        source = part.get("source")
        if isinstance(source, dict):
            return of_base64(source.get("data"), source.get("media_type"))
        held = next((part[key] for key in (word, "data", "image", "url", "uri", "content") if isinstance(part.get(key), str)), None)
        if isinstance(held, str) and (held.startswith(("http:", "https:", "data:")) or word in ("uri", "image-url", "file-url")):
            found = of_url(held)
            return found if found.mime else Media(mime if isinstance(mime, str) else "")
        return of_base64(held, mime) if held is not None else Media(mime if isinstance(mime, str) else word)
    return None


def content_pieces(content: Any, role: Role, path: str) -> list[Piece]:
    """A content of text: a string, or a list of parts of text and media; parts of other kinds are shown as they stand."""
    if content is None or content == []:
        return []
    if isinstance(content, str):
        return [said(role, content, path)]
    if not isinstance(content, list):
        return [other(content, "content", role, path)]
    return [part_piece(part, role, f"{path}/{number}") for number, part in enumerate(content)]


def part_piece(part: Any, role: Role, path: str) -> Piece:
    """A part that is text, reasoning or media by the words that most wires share."""
    if isinstance(part, str):
        return said(role, part, path)
    word = part.get("type") if isinstance(part, dict) else None
    text = next((part[key] for key in ("text", "content") if isinstance(part.get(key), str)), None) if isinstance(part, dict) else None
    if text is not None and word in (None, "text", "input_text", "output_text", "refusal"):
        return Piece(Kind.TEXT, "text" if word is None else str(word), role, path, (text,), value=part)
    if word in ("thinking", "reasoning", "redacted-reasoning", "redacted_thinking", "reasoning_content"):
        held = next((part[key] for key in ("thinking", "reasoning", "text", "content") if isinstance(part.get(key), str)), None)
        return thought(held, path, part, bool(part.get("signature") or part.get("data")), word=str(word))
    found = media_of(part)
    if found is not None:
        return Piece(Kind.MEDIA, str(word), role, path, media=(found,), value=part)
    return other(part, word if isinstance(word, str) else "(no type)", role, path)
