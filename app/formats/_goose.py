"""Messages of Goose: `{role, created, content: [...], metadata}`, whose calls and results are wrapped in what became of them.

`toolRequest` holds `{status: "success", value: {name, arguments}}` or an error, `toolResponse` likewise the parts of a result (older: a
list, newer: `{content, isError}`). Notifications and confirmations are for the person and never sent.
Source: block/goose crates/goose/src/conversation/message.rs, tool_result_serde.rs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from app.formats._media import of_base64
from app.formats._mould import Mould, Places, Spots
from app.formats._paths import Path, follow
from app.formats._piece_wires import result_parts, role_of
from app.formats._pieces import Piece, empty, other
from app.model.edits import Made
from app.model.kinds import Flag, Kind, Role

# Looking up a member of an enum costs as much as packing a row (Python 3.11), so what is done for each part takes these.
_TEXT, _REASONING, _CALL, _RESULT, _USER = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT, Role.USER

CALLS: Final = frozenset({"toolRequest", "frontendToolRequest"})
SHOWN: Final = frozenset(
    {"toolConfirmationRequest", "actionRequired", "systemNotification", "conversationCompacted", "contextLengthExceeded",
     "summarizationRequested"}
)  # fmt: skip
"""Parts that are shown to the person and never sent."""
TYPES: Final = CALLS | SHOWN | {"toolResponse", "redactedThinking"}
"""Types of parts that no other wire has."""


def is_visible(message: dict[str, Any]) -> bool:
    """Whether the model sees a message: a compaction hides those that it sums up."""
    return _metadata(message, "agentVisible") is not False


def _metadata(message: dict[str, Any], key: str) -> Any:
    held = message.get("metadata")
    return held.get(key) if isinstance(held, dict) else None


class GooseMould(Mould):
    result_type: ClassVar[str] = "toolResponse"

    def pieces(self, message: dict[str, Any]) -> Sequence[Piece]:
        role, content = role_of(message.get("role")), message.get("content")
        if not isinstance(content, list):
            return [empty(content, role, "/content")]
        told = [_part(part, role, f"/content/{number}") for number, part in enumerate(content)]
        found = [piece for piece in told if piece is not None]
        if role == _USER and _metadata(message, "userVisible") is False:
            for piece in found:
                piece.flags |= Flag.INJECTED
        return found or [empty([], role, "/content")]

    def spots(self, message: dict[str, Any], piece: Piece) -> Spots:
        tokens = piece.path.split("/")
        if len(tokens) < 3:
            return Spots((), (), (("content",),))
        item: Path = ("content", int(tokens[2]))
        if piece.kind == Kind.TOOL_CALL:
            value: Path = (*item, "toolCall", "value")
            return Spots((item,), id=((*item, "id"),), name=((*value, "name"),), args=((*value, "arguments"),))
        if piece.kind == Kind.TOOL_RESULT:
            return _result_spots(item, piece)
        key = "thinking" if piece.kind == Kind.REASONING else "text"
        return Spots((item,), (((*item, key),),) if piece.texts else (), (("content",),))

    def new(self, made: Made, role: str, name: str | None, call_id: str | None, like: dict[str, Any]) -> dict[str, Any]:
        part: dict[str, Any] = {"type": "text", "text": made.text}
        if made.kind == Kind.TOOL_RESULT:
            wrapped = "metadata" in like
            value: Any = {"content": [part], "isError": made.error} if wrapped else [part]
            part = {"type": "toolResponse", "id": call_id, "toolResult": {"status": "success", "value": value}}
            if made.error and not wrapped:
                part["toolResult"] = {"status": "error", "error": made.text}
            role = "user"
        message = {"role": role, "created": like.get("created", 0), "content": [part]}
        return message | {"metadata": {"userVisible": True, "agentVisible": True}} if "metadata" in like else message


def _part(part: Any, role: Role, path: str) -> Piece | None:
    """The block that a part is; None where it is never sent."""
    word = part.get("type") if isinstance(part, dict) else None
    flags = Flag.CONTENT_LIST
    if word == "text" and isinstance(part.get("text"), str):
        return Piece(_TEXT, word, role, path, (part["text"],), flags=flags, value=part)
    if word == "image":
        return Piece(Kind.MEDIA, word, role, path, media=(of_base64(part.get("data"), part.get("mimeType")),), flags=flags, value=part)
    if word == "thinking" and isinstance(part.get("thinking"), str):
        signed = Flag.SIGNED if part.get("signature") else 0
        return Piece(_REASONING, word, role, path, (part["thinking"],), flags=flags | signed, value=part)
    if word == "redactedThinking":
        sealed = Flag.REDACTED | (Flag.SIGNED if part.get("data") else 0)
        return Piece(_REASONING, word, role, path, flags=flags | sealed, value=part)
    if isinstance(word, str) and word in CALLS:
        value = part.get("toolCall")
        value = value.get("value") if isinstance(value, dict) else None
        value = value if isinstance(value, dict) else {}
        name = value.get("name")
        return Piece(
            _CALL, word, role, path, name=name if isinstance(name, str) else None, id=part.get("id"),
            args=value.get("arguments"), given="arguments" in value, flags=flags, value=part,
        )  # fmt: skip
    if word == "toolResponse":
        return _result(part, role, path)
    if not (isinstance(word, str) and word in SHOWN):
        return other(part, word if isinstance(word, str) else "(no type)", role, path, flags)
    return None


def _result(part: dict[str, Any], role: Role, path: str) -> Piece:
    held = part.get("toolResult")
    held = held if isinstance(held, dict) else {}
    value, failed = held.get("value"), held.get("status") == "error"
    error = failed or (isinstance(value, dict) and value.get("isError") is True)
    content = held.get("error") if failed else value.get("content") if isinstance(value, dict) else value
    texts, media = result_parts(content)
    flags = Flag.CONTENT_NULL if content is None else Flag.CONTENT_LIST if isinstance(content, list) else 0
    return Piece(
        _RESULT, "toolResponse", role, path, tuple(texts), id=part.get("id"), error=error, media=tuple(media), flags=flags,
        value=part,
    )  # fmt: skip


def _result_spots(item: Path, piece: Piece) -> Spots:
    held = piece.value.get("toolResult")
    held = held if isinstance(held, dict) else {}
    value: Path = (*item, "toolResult", "value")
    id = ((*item, "id"),)
    if held.get("status") == "error":
        place: Places = ((*item, "toolResult", "error"),)
        return Spots((item,), (place,), place, id)
    inner = held.get("value")
    where: Path = (*value, "content") if isinstance(inner, dict) else value
    content = follow(inner, ("content",)) if isinstance(inner, dict) else inner
    parts = content if isinstance(content, list) else []
    texts: tuple[Places, ...] = tuple(
        ((*where, number, "text"),) for number, one in enumerate(parts) if isinstance(one, dict) and isinstance(one.get("text"), str)
    )
    if isinstance(content, str):
        texts = ((where,),)
    texts = texts if len(texts) == len(piece.texts) else ()
    error: Places = ((*value, "isError"),) if isinstance(inner, dict) else ()
    copies: Places = ((*value, "structuredContent"),) if isinstance(inner, dict) and "structuredContent" in inner else ()
    return Spots((item,), texts, (where,), id, error=error, copies=copies)
