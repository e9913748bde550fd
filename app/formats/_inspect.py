"""Messages of Inspect's logs (`ChatMessage`): what resembles OpenAI's Chat wire in them, and what does not.

A call is `{id, function, arguments}` with an object for arguments; a result names its tool in `function`, and what went wrong in `error`,
whose text is what the model is sent then. Content is a text or a list of parts; a part of type `tool_use` is a call that the provider
answered itself, with its result.
Source: UKGovernmentBEIS/inspect_ai src/inspect_ai: model/_chat_message.py, tool/_tool_call.py, _util/content.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from app.formats._chat_mould import ChatMould
from app.formats._json import compact, json_word
from app.formats._media import of_url
from app.formats._mould import Places, Spots
from app.formats._paths import Path
from app.formats._pieces import Piece, other
from app.model.block import Media
from app.model.edits import DELETE, Made
from app.model.kinds import Flag, Kind, Role

MEDIA: Final = {"image": "image", "audio": "audio", "video": "video", "document": "document"}
_LIST: Final = Flag.CONTENT_LIST


class InspectWire(ChatMould):
    """Messages of a sample."""

    emptied: ClassVar[Mapping[str, Any]] = {"tool_calls": DELETE, "content": ""}
    call_name: ClassVar[Path] = ("function",)
    call_args: ClassVar[Path] = ("arguments",)
    result_name: ClassVar[Path] = ("function",)

    def part(self, part: Any, role: Role, path: str) -> Piece:
        word = part.get("type") if isinstance(part, dict) else None
        if not isinstance(word, str):
            return other(part, "(no type)" if isinstance(part, dict) else json_word(part), role, path, _LIST)
        text = part.get(word)
        if word == "text" and isinstance(text, str):
            return Piece(Kind.TEXT, word, role, path, (text,), flags=_LIST, value=part)
        if word == "reasoning" and isinstance(text, str):
            signed = Flag.SIGNED if part.get("signature") else 0
            if part.get("redacted") is True:
                summary = part.get("summary")
                shown = (summary,) if isinstance(summary, str) and summary else ()
                return Piece(Kind.REASONING, word, role, path, shown, flags=_LIST | Flag.REDACTED | Flag.SIGNED, value=part)
            return Piece(Kind.REASONING, word, role, path, (text,), flags=_LIST | signed, value=part)
        if word in MEDIA:
            return Piece(Kind.MEDIA, word, role, path, media=(_media(part, word),), flags=_LIST, value=part)
        if word == "tool_use":
            name = part.get("name")
            named = name if isinstance(name, str) else None
            return Piece(
                Kind.TOOL_CALL, word, role, path, name=named, id=part.get("id"), args=part.get("arguments"), given="arguments" in part,
                flags=_LIST | Flag.SERVER | Flag.ANSWERED, value=part,
            )  # fmt: skip
        return other(part, word, role, path, _LIST)

    def is_error(self, value: Any) -> bool:
        return isinstance(value, dict)

    def result(self, message: dict[str, Any], role: Role, path: str, content: Any, id: Any) -> Piece:
        piece = super().result(message, role, path, content, id)
        error = message.get("error")
        if isinstance(error, dict):
            piece.error = True
            if isinstance(error.get("message"), str):
                piece.texts, piece.flags, piece.media = (error["message"],), 0, ()
        return piece

    def result_content(self, content: Any) -> tuple[tuple[str, ...], int, tuple[Media, ...]]:
        if not isinstance(content, list):
            return super().result_content(content)
        texts: list[str] = []
        media: list[Media] = []
        for part in content:
            word = part.get("type") if isinstance(part, dict) else None
            if isinstance(word, str) and word in MEDIA:
                media.append(_media(part, word))
            elif word == "text" and isinstance(part.get("text"), str):
                texts.append(part["text"])
            else:
                texts.append(part if isinstance(part, str) else compact(part))
        return tuple(texts), _LIST if content else _LIST | Flag.CONTENT_NONE, tuple(media)

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        if piece.kind == Kind.TOOL_CALL and piece.type == "tool_use":
            at: Path = ("content", int(piece.path.rsplit("/", 1)[1]))
            return Spots((at,), id=((*at, "id"),), name=((*at, "name"),), args=((*at, "arguments"),), args_text=isinstance(piece.args, str))
        if piece.kind == Kind.REASONING and piece.path.count("/") == 2:
            at = ("content", int(piece.path.rsplit("/", 1)[1]))
            return Spots((at,), (((*at, "reasoning"),),) if piece.texts else ())
        return super().spots(message, piece)

    def result_spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        error = message.get("error")
        if isinstance(error, dict) and isinstance(error.get("message"), str):
            told: Places = (("error", "message"),)
            return Spots((), (told,), told, (self.result_id,), (self.result_name,), (), (("error",),))
        content = message.get("content")
        texts: list[Places] = [(("content",),)]
        if isinstance(content, list):
            words = [part.get("type") if isinstance(part, dict) else None for part in content]
            texts = [(("content", number, "text"),) for number, word in enumerate(words) if word == "text"]
            texts = texts if len(texts) == len(piece.texts) else []
        return Spots((), tuple(texts), (("content",),), (self.result_id,), (self.result_name,), (), (("error",),))

    def error(self, error: bool) -> Any:
        return {"type": "unknown", "message": ""} if error else DELETE

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        message: dict[str, Any] = {"content": made.text, "role": role}
        if made.kind == Kind.TOOL_RESULT:
            message |= {"tool_call_id": call_id} if call_id is not None else {}
            message |= {"function": name} if name is not None else {}
            message |= {"error": {"type": "unknown", "message": made.text}} if made.error else {}
        return message

    def afresh(self, message: dict[str, Any]) -> dict[str, Any]:
        return {"id": DELETE} if "id" in message else {}


def _media(part: dict[str, Any], word: str) -> Media:
    found = of_url(part.get(MEDIA[word]))
    said = part.get("mime_type")
    return found if found.mime else Media(said if isinstance(said, str) else word)
