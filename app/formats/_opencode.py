"""Messages of opencode: what rows and decoded blocks are both made of.

A message is `{info, parts}`. A part of type `tool` is a call and, once it has run, its result; what the model was sent in several messages
(a step's words and calls, then the results of those calls, then the next step) stands in one message here. A message, or a part, that is a
file of its own is taken for what it is.
Source: sst/opencode packages/opencode/src/session/message-v2.ts (`toModelMessages`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from app.formats._columns import Columns
from app.formats._json import compact
from app.formats._media import of_base64, of_url
from app.formats._pieces import Piece, add_pieces, blocks_of, empty, other
from app.model.block import Block, Media
from app.model.kinds import ROLES, Flag, Kind, Mark, Role

MARKS: Final = frozenset({"step-start", "step-finish", "snapshot", "patch", "agent", "retry"})
"""Parts that are no content: where a step begins and ends, what the work tree looked like, an attempt that failed."""
ANSWERED: Final = frozenset({"completed", "error"})
CLEARED: Final = "[Old tool result content cleared]"
"""What is sent in place of a result that was pruned (`state.time.compacted`)."""
_WAITING: Final = frozenset({"pending", "running"})


def role_of(message: dict[str, Any]) -> Role:
    info = message.get("info", message)
    word = info.get("role") if isinstance(info, dict) else None
    if isinstance(word, str):
        return ROLES.get(word, Role.OTHER)
    return Role.ASSISTANT if "type" in message and "info" not in message else Role.OTHER


def stopped(message: dict[str, Any]) -> str | None:
    """Why the run that gave a message ended before it was whole: `error` or `aborted`."""
    info = message.get("info")
    error = info.get("error") if isinstance(info, dict) else None
    if not error:
        return None
    return "aborted" if isinstance(error, dict) and error.get("name") == "MessageAbortedError" else "error"


def parts_of(message: dict[str, Any]) -> list[Any]:
    """The parts of a message; of a part that is a file of its own, that part."""
    if "info" not in message and "role" not in message:
        return [message]
    parts = message.get("parts")
    return parts if isinstance(parts, list) else []


def pieces(message: dict[str, Any]) -> list[Piece]:
    """The blocks of a message, step by step: words, thoughts and calls, then the results of these calls. None at all of one that was
    refused before it said anything."""
    role, why = role_of(message), stopped(message)
    bare = "info" not in message and "role" not in message
    found: list[Piece] = []
    step: list[Piece] = []
    results: list[Piece] = []
    turn = 0

    def close() -> None:
        nonlocal turn
        for piece in step:
            piece.turn = turn
        turn += bool(step)
        for piece in results:
            piece.turn = turn
        turn += bool(results)
        found.extend((*step, *results))
        step.clear()
        results.clear()

    for number, part in enumerate(parts_of(message)):
        path = "" if bare else f"/parts/{number}"
        word = part.get("type") if isinstance(part, dict) else None
        if word == "step-start":
            close()
        elif word == "tool":
            step.append(_call(part, path))
            result = _result(part, path)
            if result is not None:
                results.append(result)
        else:
            if results and word in ("text", "reasoning"):  # a model that goes on to speak has read what its calls gave
                close()
            step.extend(_part(part, word, role, path))
    close()
    if why is not None:
        for piece in found:
            piece.marks = (f"{Mark.STOPPED}.{why}",)
    elif not found and not bare:
        return [empty([], role, "")]
    return found


def _part(part: Any, word: Any, role: Role, path: str) -> Iterator[Piece]:
    if not isinstance(part, dict):
        yield other(part, "(no object)", role, path)
    elif word == "text" and isinstance(part.get("text"), str):
        if part.get("ignored") is not True:
            flags = Flag.INJECTED if part.get("synthetic") is True and role == Role.USER else 0
            yield Piece(Kind.TEXT, word, role, path, (part["text"],), flags=flags | Flag.CONTENT_LIST, value=part)
    elif word == "reasoning" and isinstance(part.get("text"), str):
        yield Piece(Kind.REASONING, word, role, path, (part["text"],), flags=_signed(part) | Flag.CONTENT_LIST, value=part)
    elif word == "file":
        media = media_of(part)
        if media.mime.startswith(("image/", "audio/", "video/", "application/pdf")):
            yield Piece(Kind.MEDIA, word, role, path, media=(media,), flags=Flag.CONTENT_LIST, value=part)
        else:
            yield _quoted(part, word, role, path, 0)
    elif word == "compaction":
        yield _quoted(part, word, role, path, Flag.SUMMARY)
    elif word == "subtask":
        yield _quoted(part, word, role, path, 0)
    elif not (isinstance(word, str) and word in MARKS):
        yield other(part, word if isinstance(word, str) else "(no type)", role, path, Flag.CONTENT_LIST)


def _quoted(part: dict[str, Any], word: str, role: Role, path: str, flags: int) -> Piece:
    """A part that opencode puts into words of its own when it sends the session."""
    return Piece(Kind.OTHER, word, role, path, (compact(part),), flags=flags | Flag.CONTENT_LIST, value=part)


def _signed(part: dict[str, Any]) -> int:
    """Whether a provider's metadata of a thought holds a signature or its ciphertext."""
    metadata = part.get("metadata")
    held = [one for one in metadata.values() if isinstance(one, dict)] if isinstance(metadata, dict) else []
    keys = ("signature", "redactedData", "reasoningEncryptedContent", "thoughtSignature", "encryptedContent")
    return Flag.SIGNED if any(one.get(key) for one in held for key in keys) else 0


def media_of(part: dict[str, Any]) -> Media:
    """Of a file that is attached: a data URL is looked into."""
    mime, url = part.get("mime"), part.get("url")
    found = of_url(url)
    if found.mime or not isinstance(mime, str):
        return found
    return of_base64(None, mime)


# -- a call with its result -----------------------------------------------------------------------------------------------------


def state_of(part: dict[str, Any]) -> dict[str, Any]:
    state = part.get("state")
    return state if isinstance(state, dict) else {}


def _call(part: dict[str, Any], path: str) -> Piece:
    name, state = part.get("tool"), state_of(part)
    status = state.get("status")
    marks = (f"{Mark.STOPPED}.{status}",) if isinstance(status, str) and status in _WAITING else ()
    return Piece(
        Kind.TOOL_CALL, "tool", Role.ASSISTANT, path, name=name if isinstance(name, str) else None, id=part.get("callID"),
        args=state.get("input"), given="input" in state, flags=_server(part) | Flag.CONTENT_LIST, value=part, marks=marks,
    )  # fmt: skip


def has_result(part: dict[str, Any]) -> bool:
    """Whether a call has run: what did not end has no result."""
    status = state_of(part).get("status")
    return isinstance(status, str) and status in ANSWERED


def _result(part: dict[str, Any], path: str) -> Piece | None:
    if not has_result(part):
        return None
    state, name = state_of(part), part.get("tool")
    failed = state["status"] == "error"
    text = state.get("error" if failed else "output")
    attached = state.get("attachments")
    media = tuple(media_of(one) for one in attached if isinstance(one, dict)) if isinstance(attached, list) else ()
    time = state.get("time")
    if not failed and isinstance(time, dict) and time.get("compacted"):
        text, media = CLEARED, ()
    texts = (text,) if isinstance(text, str) else () if text is None else (compact(text),)
    flags = _server(part) | (Flag.CONTENT_NULL if text is None else 0)
    return Piece(
        Kind.TOOL_RESULT, "tool-result", Role.USER, f"{path}/state", texts, name if isinstance(name, str) else None, part.get("callID"),
        error=failed, media=media, flags=flags, value=state,
    )  # fmt: skip


def _server(part: dict[str, Any]) -> int:
    metadata = part.get("metadata")
    return Flag.SERVER if isinstance(metadata, dict) and metadata.get("providerExecuted") is True else 0


class OpencodeWire:
    """Rows and blocks of a message."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = False

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int:
        return add_pieces(columns, record, message, pieces(value), odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return blocks_of(pieces(value), first, record, pointer)

    def made_type(self, kind: Kind, role: Role) -> str:
        return "tool-result" if kind == Kind.TOOL_RESULT else "text"
