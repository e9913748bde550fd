"""Messages of Gemini CLI's session files: what rows and decoded blocks are both made of.

A message of type `gemini` holds its thoughts, its content and its calls, and each call its result: what the model was sent in two contents
stands in one message here. A checkpoint holds plain contents of Gemini's wire (`role`, `parts`).
Source: google-gemini/gemini-cli packages/core/src/services/chatRecordingTypes.ts, packages/cli/src/utils/sessionUtils.ts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from app.formats import _gemini
from app.formats._columns import Columns
from app.formats._gemini import call_of, is_error, only_text, response_texts, result_of
from app.formats._media import of_base64
from app.formats._pieces import Piece, add_pieces, blocks_of, empty, other
from app.model.block import Block, Media
from app.model.kinds import Flag, Kind, Mark, Role

ROLES: Final = {"user": Role.USER, "gemini": Role.ASSISTANT, "model": Role.ASSISTANT, "assistant": Role.ASSISTANT}
# Looking up a member of an enum costs as much as packing a row (Python 3.11), so what is done for each message takes these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_USER, _ASSISTANT, _NO_ROLE = Role.USER, Role.ASSISTANT, Role.OTHER
STOPPED: Final = frozenset({"cancelled", "error"})
"""States of a call that has no result: why."""


def role_of(message: dict[str, Any]) -> Role:
    word = message.get("type", message.get("role"))
    return ROLES.get(word, _NO_ROLE) if isinstance(word, str) else _NO_ROLE


def pieces(message: dict[str, Any]) -> list[Piece]:
    """The blocks of a message in order: thoughts, content, calls; and in a second message the results of those calls."""
    role = role_of(message)
    key = "parts" if "parts" in message and "content" not in message else "content"
    thoughts, calls = message.get("thoughts"), message.get("toolCalls")
    found = [_thought(t, f"/thoughts/{n}") for n, t in enumerate(thoughts)] if isinstance(thoughts, list) else []
    entries = list(enumerate(calls)) if isinstance(calls, list) else []
    content = message.get(key)
    if not (content in (None, "", []) and (found or entries or (content == "" and role != _USER))):
        found += _content(content, role, f"/{key}")
    found += [_call(entry, f"/toolCalls/{number}") for number, entry in entries]
    found += [result for number, entry in entries if (result := _result(entry, f"/toolCalls/{number}/result")) is not None]
    if not found:
        return [empty(None, role, "")]
    if found[0].turn:  # results alone are one message
        for piece in found:
            piece.turn = 0
    return found


def _thought(thought: Any, path: str) -> Piece:
    held = [thought.get(key) for key in ("subject", "description")] if isinstance(thought, dict) else [thought]
    texts = tuple(text for text in held if isinstance(text, str) and text)
    return Piece(_REASONING, "thought", _ASSISTANT, path, texts, value=thought)


def _content(content: Any, role: Role, path: str) -> Iterator[Piece]:
    if isinstance(content, str):
        yield Piece(_TEXT, "text", role, path, (content,), value=content)
    elif isinstance(content, dict):
        yield _part(content, role, path, 0)
    elif isinstance(content, list) and content:
        for number, part in enumerate(content):
            if isinstance(part, str):
                yield Piece(_TEXT, "text", role, f"{path}/{number}", (part,), flags=Flag.CONTENT_LIST, value=part)
            else:
                yield _part(part, role, f"{path}/{number}", Flag.CONTENT_LIST)
    else:
        yield empty(content, role, path)


def _part(part: Any, role: Role, path: str, flags: int) -> Piece:
    found = _gemini.piece(part, path, flags)
    if found.kind in (Kind.TEXT, Kind.REASONING):
        return Piece(found.kind, found.type, role, path, (found.held,), flags=found.flags, value=part)
    if found.type == "functionCall":
        name, _, _ = call_of(found)
        held = found.held
        return Piece(
            found.kind, found.type, role, path, name=name, id=held.get("id"), args=held.get("args"), given="args" in held,
            flags=found.flags, value=part,
        )  # fmt: skip
    if found.type == "functionResponse":
        texts, own, error, media = result_of(found)
        name = found.held.get("name")
        return Piece(
            found.kind, found.type, role, path, tuple(texts), name if isinstance(name, str) else None, found.held.get("id"),
            error=error, media=tuple(map(_media, media)), flags=found.flags | own & Flag.CONTENT_NULL, value=part,
        )  # fmt: skip
    if found.kind == Kind.MEDIA:
        return Piece(found.kind, found.type, role, path, media=(_media(part),), flags=found.flags, value=part)
    return other(part, found.type, role, path, flags)


def _media(part: dict[str, Any]) -> Media:
    held = _gemini.held(part, "inlineData")
    if isinstance(held, dict):
        return of_base64(held.get("data"), held.get("mimeType", held.get("mime_type")))
    held = _gemini.held(part, "fileData")
    mime = held.get("mimeType", held.get("mime_type")) if isinstance(held, dict) else None
    return Media(mime if isinstance(mime, str) else "")


# -- calls with their results ---------------------------------------------------------------------------------------------------


def _call(entry: Any, path: str) -> Piece:
    if not isinstance(entry, dict):
        return other(entry, "toolCall", _ASSISTANT, path)
    name, status = entry.get("name"), entry.get("status")
    stopped = isinstance(status, str) and status in STOPPED and not has_result(entry)
    return Piece(
        _CALL, "toolCall", _ASSISTANT, path, name=name if isinstance(name, str) else None, id=entry.get("id"),
        args=entry.get("args"), given="args" in entry, value=entry, marks=(f"{Mark.STOPPED}.{status}",) if stopped else (),
    )  # fmt: skip


def has_result(entry: Any) -> bool:
    """Whether a call holds its result: one that is null or empty is none, whatever its status says."""
    return isinstance(entry, dict) and entry.get("result") not in (None, [], "", {})


def _result(entry: Any, path: str) -> Piece | None:
    if not has_result(entry):
        return None
    result, name = entry["result"], entry.get("name")
    texts, media, error, id = list[str](), list[Media](), False, None
    for part in result if isinstance(result, list) else [result]:
        text, more, failed = part_texts(part)
        texts += text
        media += more
        error = error or failed
        held = _gemini.held(part, "functionResponse") if isinstance(part, dict) else None
        if id is None and isinstance(held, dict):
            id = held.get("id")
    flags = Flag.CONTENT_LIST if isinstance(result, list) else 0
    return Piece(
        _RESULT, "result", _USER, path, tuple(texts), name if isinstance(name, str) else None,
        entry.get("id") if id is None else id, error=error, media=tuple(media), flags=flags, value=result, turn=1,
    )  # fmt: skip


def part_texts(part: Any) -> tuple[list[str], list[Media], bool]:
    """Texts and media of a part of a result, and whether it says that the call failed."""
    if isinstance(part, str):
        return [part], [], False
    if isinstance(part, dict) and len(part) == 1:
        response = part.get("functionResponse")
        response = response.get("response") if isinstance(response, dict) and "parts" not in response else None
        key = only_text(response)
        if response is not None and key is not None:  # as nearly all are
            return [response[key]], [], is_error(response)
    found = _gemini.piece(part, "")
    if found.type == "functionResponse":
        texts, _, error, media = result_of(found)
        return texts, [_media(one) for one in media], error
    if found.kind == Kind.MEDIA:
        return [], [_media(part)], False
    if found.kind == Kind.TEXT:
        return [found.held], [], False
    return [], [], False


class GeminiCliWire:
    """Rows and blocks of a message."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = False

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int:
        return add_pieces(columns, record, message, pieces(value), odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return blocks_of(pieces(value), first, record, pointer)

    def made_type(self, kind: Kind, role: Role) -> str:
        return "result" if kind == Kind.TOOL_RESULT else "text"


__all__ = ["GeminiCliWire", "has_result", "is_error", "part_texts", "pieces", "response_texts", "role_of"]
