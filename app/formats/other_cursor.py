"""Cursor's agent transcripts: lines of `{role, message: {content}}`, blocks of Anthropic's kind without ids of calls. Read, not written.

Source: the files below `~/.cursor/projects`, as fixtures of jazzyalex/agent-sessions record them.
"""

from __future__ import annotations

from typing import Any

from app.formats._guess import message_pieces
from app.formats._logs import About
from app.formats._pieces import Piece
from app.formats._told import ToldLog
from app.model.kinds import Kind


class Cursor(ToldLog):
    name = "other-cursor"
    summary = "Cursor: an agent's transcript"
    provider = "anthropic"
    why = "lines of role and message.content"

    def is_own(self, value: dict[str, Any]) -> bool:
        message = value.get("message")
        held = isinstance(message, dict) and "content" in message and "role" not in message
        return held and value.get("role") in ("user", "assistant") and not value.keys() & {"uuid", "sessionId", "session_id", "type"}

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        message, role = value.get("message"), value.get("role")
        if isinstance(message, dict) and isinstance(role, str):
            found = message_pieces(message, "/message", role)
            for piece in found:  # calls have no ids, so that those of results name nothing: both are told by their order
                piece.id = None if piece.kind == Kind.TOOL_RESULT else piece.id
            return found
        return [] if "type" in value else None

    def about(self, value: dict[str, Any]) -> About:
        return About(time=value.get("timestamp"))


FORMAT = Cursor()
