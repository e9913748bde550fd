"""Messages of pi's wire: what rows and decoded blocks are both made of.

`user` and `assistant` hold blocks (text, image, thinking, toolCall), `toolResult` answers one call. What pi turns into a user's text when
it sends it: `bashExecution` (a command that a person ran), `custom` (an extension's words), `branchSummary` and `compactionSummary`, and
the entries of the same meaning (`custom_message`, `branch_summary`, `compaction`).
Source: badlogic/pi-mono packages/coding-agent/src/core/messages.ts (`convertToLlm`) and session-manager.ts (`buildSessionContext`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from app.formats._anthropic import result_texts
from app.formats._columns import Columns
from app.formats._media import of_base64
from app.formats._pieces import Piece, add_pieces, blocks_of, empty, other
from app.model.block import Block
from app.model.kinds import Flag, Kind, Mark, Role

SUMMARIES: Final = {
    "compaction": Flag.SUMMARY, "compactionSummary": Flag.SUMMARY, "branch_summary": Flag.INJECTED, "branchSummary": Flag.INJECTED,
}  # fmt: skip
"""Roles and entries whose text is a summary, and what their row is marked as."""
INJECTED: Final = frozenset({"custom", "hookMessage", "custom_message"})
STOPPED: Final = frozenset({"error", "aborted"})
"""Stop reasons of messages that pi leaves out when it sends the session again (pi-ai transform-messages.ts)."""
# Looking up a member of an enum costs as much as packing a row (Python 3.11), so what is done for each block takes these.
_TEXT, _REASONING, _CALL, _RESULT = Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_RESULT
_USER, _TOOL, _ASSISTANT, _NO_ROLE = Role.USER, Role.TOOL, Role.ASSISTANT, Role.OTHER
_SAID: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "toolResult": Role.TOOL}


def word_of(message: dict[str, Any]) -> str:
    """The role of a message, or the type of an entry that stands for one."""
    word = message.get("role", message.get("type"))
    return word if isinstance(word, str) else ""


def pieces(message: dict[str, Any]) -> list[Piece]:
    """The blocks of a message in order; at least one."""
    word = word_of(message)
    if word == "toolResult":
        return [_result(message)]
    if word in SUMMARIES:
        return [_summary(message, word)]
    if word == "bashExecution":
        text = shell_text(message)
        return [Piece(Kind.TEXT, word, Role.USER, "", (text,), flags=Flag.INJECTED, value=message)]
    role = _USER if word in INJECTED else _SAID.get(word, _NO_ROLE)
    flags = Flag.INJECTED if word in INJECTED else 0
    stop = message.get("stopReason")
    marks = (f"{Mark.STOPPED}.{stop}",) if role == _ASSISTANT and isinstance(stop, str) and stop in STOPPED else ()
    found = _content(message.get("content"), role, flags)
    if marks:
        for piece in found:
            piece.marks = marks
    return found


def _content(content: Any, role: Role, flags: int) -> list[Piece]:
    if isinstance(content, str):
        return [Piece(_TEXT, "text", role, "/content", (content,), flags=flags, value=content)]
    if not isinstance(content, list) or not content:
        return [empty(content, role, "/content")]
    flags |= Flag.CONTENT_LIST
    return [_block(block, role, f"/content/{number}", flags) for number, block in enumerate(content)]


def _block(block: Any, role: Role, path: str, flags: int) -> Piece:
    word = block.get("type") if isinstance(block, dict) else None
    if word == "text" and isinstance(block.get("text"), str):
        return Piece(_TEXT, word, role, path, (block["text"],), flags=flags, value=block)
    if word == "toolCall":
        name = block.get("name")
        return Piece(
            _CALL, word, role, path, name=name if isinstance(name, str) else None, id=block.get("id"),
            args=block.get("arguments"), given="arguments" in block, flags=flags, value=block,
        )  # fmt: skip
    if word == "thinking" and isinstance(block.get("thinking"), str):
        signed = Flag.SIGNED if block.get("thinkingSignature") else 0
        if block.get("redacted") is True:
            return Piece(_REASONING, word, role, path, flags=flags | signed | Flag.REDACTED, value=block)
        return Piece(_REASONING, word, role, path, (block["thinking"],), flags=flags | signed, value=block)
    if word == "image":
        return Piece(Kind.MEDIA, word, role, path, media=(of_base64(block.get("data"), block.get("mimeType")),), flags=flags, value=block)
    return other(block, word if isinstance(word, str) else "(no type)", role, path, flags)


def _result(message: dict[str, Any]) -> Piece:
    content, name = message.get("content"), message.get("toolName")
    texts, flags = result_texts(content)
    media = tuple(of_base64(b.get("data"), b.get("mimeType")) for b in content if _is_image(b)) if isinstance(content, list) else ()
    return Piece(
        _RESULT, "toolResult", _TOOL, "", tuple(texts), name if isinstance(name, str) else None, message.get("toolCallId"),
        error=message.get("isError") is True, media=media, flags=flags & ~Flag.PART_EMPTY, value=message,
    )  # fmt: skip


def _is_image(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "image"


def _summary(message: dict[str, Any], word: str) -> Piece:
    text = message.get("summary")
    if not isinstance(text, str):
        return Piece(Kind.EMPTY, "empty", Role.USER, "", flags=Flag.CONTENT_NULL, value=text)
    return Piece(Kind.TEXT, word, Role.USER, "/summary", (text,), flags=SUMMARIES[word], value=message)


def shell_text(message: dict[str, Any]) -> str:
    """A command and its output, in the words that pi sends."""
    output = message.get("output")
    text = f"Ran `{message.get('command', '')}`\n" + (f"```\n{output}\n```" if output else "(no output)")
    code = message.get("exitCode")
    if message.get("cancelled") is True:
        text += "\n\n(command cancelled)"
    elif code is not None and code != 0:
        text += f"\n\nCommand exited with code {code}"
    if message.get("truncated") is True and message.get("fullOutputPath"):
        text += f"\n\n[Output truncated. Full output: {message['fullOutputPath']}]"
    return text


class PiWire:
    """Rows and blocks of a message."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = False

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int:
        return add_pieces(columns, record, message, pieces(value), odd)

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return blocks_of(pieces(value), first, record, pointer)

    def made_type(self, kind: Kind, role: Role) -> str:
        return "toolResult" if kind == Kind.TOOL_RESULT else "text"

