"""Factory Droid: its session store (`session_start`, then messages with Anthropic's blocks), and what it prints as stream-json. Read only.

Source: fixtures of jazzyalex/agent-sessions, which record both.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._guess import answered, called, message_pieces
from app.formats._logs import About
from app.formats._piece_wires import result_parts, role_of, said
from app.formats._pieces import Piece
from app.formats._told import ToldLog, milliseconds
from app.model.kinds import Flag, Kind, Role
from app.model.table import RecordKind

_STREAM: Final = frozenset({"system", "message", "tool_call", "tool_result", "completion", "error", "reasoning"})
_STORE: Final = frozenset({"session_start", "message", "todo_state", "session_end", "compaction_state"})


class Droid(ToldLog):
    name = "other-droid"
    summary = "Factory Droid: a session, or its stream-json"
    provider = "anthropic"
    why = "lines of type session_start and message, or of a stream with session_id"
    score = 0.98

    def is_own(self, value: dict[str, Any]) -> bool:
        word = value.get("type")
        if not isinstance(word, str):
            return False
        return (word in _STREAM and ("session_id" in value or "sessionId" in value) and "message" not in value) or word in _STORE

    def is_sure(self, value: dict[str, Any]) -> bool:
        word = value["type"]
        if word == "session_start":
            return True
        return ("session_id" in value or "sessionId" in value) and (
            (word == "message" and "text" in value and "role" in value) or (word in ("tool_call", "tool_result") and "toolCallId" in value)
        )

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        word, message = value.get("type"), value.get("message")
        if not isinstance(word, str):
            return None
        if word == "message" and isinstance(message, dict):
            return message_pieces(message, "/message")
        if word == "message":
            return [said(role_of(value.get("role")), value.get("text", value.get("content")), "/text" if "text" in value else "/content")]
        if word == "tool_call":
            return [called(value, "", word)]
        if word == "tool_result":
            return [_result(value)]
        if word == "completion" and isinstance(value.get("finalText"), str) and value["finalText"]:
            return [said(Role.ASSISTANT, value["finalText"], "/finalText")]
        if word == "reasoning" and isinstance(value.get("text"), str):
            return [Piece(Kind.REASONING, word, Role.ASSISTANT, "/text", (value["text"],), value=value)]
        if word == "compaction_state" and isinstance(value.get("summaryText"), str):
            return [Piece(Kind.TEXT, "text", Role.USER, "/summaryText", (value["summaryText"],), flags=Flag.SUMMARY, value=value)]
        return [] if word in _STREAM | _STORE else None

    def about(self, value: dict[str, Any]) -> About:
        word, model, text = value.get("type"), value.get("model"), value.get("message")
        refusal = text if word == "error" and isinstance(text, str) else None
        kind = RecordKind.SUMMARY if word == "compaction_state" and isinstance(value.get("summaryText"), str) else RecordKind.MESSAGE
        return About(kind, milliseconds(value.get("timestamp")), model if isinstance(model, str) else None, None, refusal)

    def title(self, value: dict[str, Any]) -> str | None:
        title = value.get("title", value.get("sessionTitle")) if value.get("type") == "session_start" else None
        return title if isinstance(title, str) else None


def _result(value: dict[str, Any]) -> Piece:
    piece = answered(value, "", Role.TOOL, "tool_result")
    held = value.get("value")
    if isinstance(held, dict) and isinstance(held.get("stdout"), str):
        piece.texts = tuple(text for text in (held["stdout"], held.get("stderr")) if isinstance(text, str) and text) or ("",)
    elif not piece.texts and held is not None:
        piece.texts = tuple(result_parts(held)[0])
    return piece


FORMAT = Droid()
