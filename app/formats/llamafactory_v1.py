"""LLaMA-Factory's data of its first version: lines of `{messages, tools?}`, whose content is a list of `{type, value}`.

A `tool_call` holds a call as a JSON string (`{name, arguments}`), a message of role `tool` what came back; there are no ids, and one answer
may stand after several calls. `loss_weight` of a message is kept.
Source: hiyouga/LLaMA-Factory src/llamafactory/v1 (`Message`, `Sample`) and its demonstration data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._json import json_word
from app.formats._logs import Log, Sheet
from app.formats._media import of_url
from app.formats._mould import Mould, Places, Spots
from app.formats._openai import role_of
from app.formats._paths import DECODE, Path
from app.formats._peek import peek
from app.formats._pieces import Piece, empty, other
from app.formats._rows import Row, each_row, rows_in
from app.formats._text_calls import args_key, call_in, called, recast
from app.model.dump import Confidence, Dump
from app.model.edits import Made
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source

MEDIA: Final = frozenset({"image_url", "audio_url", "video_url", "image", "audio", "video"})
_LIST: Final = Flag.CONTENT_LIST


class LlamaFactoryWire(Mould):
    """Messages whose content is a list of `{type, value}`."""

    def pieces(self, message: dict[str, Any]) -> Sequence[Piece]:
        role, content = role_of(message.get("role")), message.get("content")
        if role == Role.TOOL:
            return [_result(message, content)]
        if not isinstance(content, list) or not content:
            if isinstance(content, str):
                return [Piece(Kind.TEXT, "text", role, "/content", (content,), value=content)]
            return [empty(content, role, "/content")]
        return [_part(part, role, f"/content/{number}") for number, part in enumerate(content)]

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        if piece.kind == Kind.TOOL_RESULT:
            texts = [(path,) for path in _texts(message.get("content"))]
            return Spots((), tuple(texts), (("content",),), id=(("tool_call_id",),))
        if piece.path.count("/") < 2:
            return Spots((), ((("content",),),), (("content",),))
        item: Path = ("content", int(piece.path.rsplit("/", 1)[1]))
        value: Places = ((*item, "value"),)
        if piece.kind == Kind.TOOL_CALL:
            call = call_in(piece.value.get("value"))
            if call is None:
                return Spots((item,), args=value, id=((*item, "id"),))
            inner, args = (*item, "value", DECODE), args_key(call)
            text = isinstance(call.get(args), str)
            return Spots((item,), name=((*inner, "name"),), args=((*inner, args),), id=((*item, "id"),), args_text=text)
        return Spots((item,), (value,) if piece.texts else (), (("content",),))

    def recast(self, piece: Piece, fields: Mapping[str, Any]) -> str | None:
        return recast(piece.value.get("value"), fields)

    def text_part(self, text: str) -> dict[str, Any]:
        return {"type": "text", "value": text}

    def content(self, value: Any, held: Any) -> Any:
        return [self.text_part(value)] if isinstance(value, str) and not isinstance(held, str) else value

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        message = {"role": role, "content": [self.text_part(made.text)]}
        return message | {"tool_call_id": call_id} if made.kind == Kind.TOOL_RESULT and call_id is not None else message


def _part(part: Any, role: Role, path: str) -> Piece:
    word = part.get("type") if isinstance(part, dict) else None
    if not isinstance(word, str):
        return other(part, "(no type)" if isinstance(part, dict) else json_word(part), role, path, _LIST)
    value = part.get("value")
    if word == "tool_call":
        name, args, given = called(value)
        return Piece(Kind.TOOL_CALL, word, role, path, name=name, id=part.get("id"), args=args, given=given, flags=_LIST, value=part)
    if word in ("text", "reasoning") and isinstance(value, str):
        return Piece(Kind.TEXT if word == "text" else Kind.REASONING, word, role, path, (value,), flags=_LIST, value=part)
    if word in MEDIA:
        return Piece(Kind.MEDIA, word, role, path, media=(of_url(value),), flags=_LIST, value=part)
    return other(part, word, role, path, _LIST)


def _result(message: dict[str, Any], content: Any) -> Piece:
    id = message.get("tool_call_id")
    if isinstance(content, list):
        texts = tuple(content[path[1]]["value"] for path in _texts(content))
        media = tuple(of_url(part.get("value")) for part in content if isinstance(part, dict) and part.get("type") in MEDIA)
        flags = _LIST if content else _LIST | Flag.CONTENT_NONE
        return Piece(Kind.TOOL_RESULT, "tool", Role.TOOL, "", texts, id=id, media=media, flags=flags, value=message)
    if isinstance(content, str):
        return Piece(Kind.TOOL_RESULT, "tool", Role.TOOL, "", (content,), id=id, value=message)
    flags = Flag.CONTENT_NULL if content is None else Flag.CONTENT_ODD
    return Piece(Kind.TOOL_RESULT, "tool", Role.TOOL, "", id=id, flags=flags, value=message)


def _texts(content: Any) -> list[tuple[str, int, str]]:
    """The ways to the texts of a result."""
    parts = content if isinstance(content, list) else ()
    return [
        ("content", number, "value")
        for number, part in enumerate(parts)
        if isinstance(part, dict) and part.get("type") not in MEDIA and isinstance(part.get("value"), str)
    ]


class LlamaFactory(Log):
    name = "llamafactory-v1"
    summary = "LLaMA-Factory v1: rows of messages made of type and value"
    provider = "openai-chat"
    mode = "prefix"
    native = False
    dialect = Dialect(LlamaFactoryWire(), LlamaFactoryWire().rewrite, Role.TOOL)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        rows = rows_in(peek(head, whole))
        told = sum(_is_row(row) for row in rows)
        return Confidence(self.name, 0.97, "messages whose content is a list of type and value") if rows and 2 * told > len(rows) else None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        each_row(sheet, _lists, progress, first_look)
        return sheet.dump(complete=not first_look)


def _is_row(row: dict[str, Any]) -> bool:
    messages = row.get("messages")
    parts = [
        part for m in (messages if isinstance(messages, list) else ()) if isinstance(m, dict) and isinstance(m.get("content"), list)
        for part in m["content"]
    ]  # fmt: skip
    return bool(parts) and all(isinstance(part, dict) and part.keys() >= {"type", "value"} for part in parts)


def _lists(row: dict[str, Any]) -> list[Row]:
    return [Row((("messages",),))] if isinstance(row.get("messages"), list) else []


FORMAT = LlamaFactory()
