"""Codex sessions of the oldest kind: lines of `{timestamp, role, content, model}`, with `tool_call` and `tool_result` lines beside them.

No version that is known writes the latter; fixtures do. They are read, not written. Source: fixtures of jazzyalex/agent-sessions.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._guess import answered, called, message_pieces
from app.formats._logs import About
from app.formats._pieces import Piece
from app.formats._told import ToldLog
from app.model.kinds import Role

_CALLS: Final = frozenset({"tool_call", "function_call"})
_RESULTS: Final = frozenset({"tool_result", "function_result", "tool_output"})
_OTHERS: Final = frozenset({"payload", "uuid", "session_id", "sessionId", "message", "metadata", "pinned", "hide"})
"""Members of other programs' lines."""


class CodexLegacyOrSynthetic(ToldLog):
    name = "codex-legacy-or-synthetic"
    summary = "Codex: a session of the oldest kind, one line a message"
    provider = "openai-responses"
    why = "lines of timestamp, role and model, or of tool_call"
    score = 0.91

    def is_own(self, value: dict[str, Any]) -> bool:
        if "timestamp" not in value or value.keys() & _OTHERS:
            return False
        word = value.get("type")
        return {"role", "content"} <= value.keys() or (isinstance(word, str) and word in _CALLS | _RESULTS)

    def is_sure(self, value: dict[str, Any]) -> bool:
        return "model" in value or "type" in value

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        word = value.get("type")
        if isinstance(word, str) and word in _CALLS:
            return [called(value, "", word)]
        if isinstance(word, str) and word in _RESULTS:
            return [answered(value, "", Role.TOOL, word)]
        if isinstance(value.get("role"), str):
            return message_pieces(value)
        return None if "timestamp" not in value else []

    def about(self, value: dict[str, Any]) -> About:
        model = value.get("model")
        return About(time=value.get("timestamp"), model=model if isinstance(model, str) else None)


FORMAT = CodexLegacyOrSynthetic()
