"""Grok CLI's `chat_history.jsonl`: lines of type system, user, assistant, tool_result, reasoning, backend_tool_call. Read, not written.

`backend_tool_call` is a tool that xAI runs itself. Source: fixtures of jazzyalex/agent-sessions, which record it.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._guess import answered, message_pieces
from app.formats._logs import About
from app.formats._paths import follow
from app.formats._piece_wires import call, result
from app.formats._pieces import Piece
from app.formats._told import ToldLog
from app.model.kinds import Flag, Kind, Role

TYPES: Final = frozenset({"system", "user", "assistant", "tool_result", "reasoning", "backend_tool_call"})


class GrokCli(ToldLog):
    name = "other-grok-cli"
    summary = "Grok CLI: a conversation, one line a message"
    provider = "openai-chat"
    why = "lines of type user, assistant, tool_result with content"

    def is_own(self, value: dict[str, Any]) -> bool:
        word = value.get("type")
        return isinstance(word, str) and word in TYPES and "role" not in value and "message" not in value and "session_id" not in value

    def is_sure(self, value: dict[str, Any]) -> bool:
        word = value["type"]
        if word == "assistant":
            return "model_id" in value or "model_fingerprint" in value
        return word == "backend_tool_call" or (word == "tool_result" and "tool_call_id" in value) or "prompt_index" in value

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        word = value.get("type")
        if not isinstance(word, str) or word not in TYPES:
            return None
        if word == "reasoning":
            return [_thought(value)]
        if word == "tool_result":
            return [answered(value, "", Role.TOOL, word)]
        if word == "backend_tool_call":
            return _hosted(value)
        found = message_pieces(value, "", word)
        if isinstance(value.get("synthetic_reason"), str):
            for piece in found:
                piece.flags |= Flag.INJECTED
        return found

    def about(self, value: dict[str, Any]) -> About:
        model = value.get("model_id")
        return About(time=value.get("timestamp"), model=model if isinstance(model, str) else None)


def _thought(value: dict[str, Any]) -> Piece:
    summary = value.get("summary")
    texts = tuple(p["text"] for p in summary if isinstance(p, dict) and isinstance(p.get("text"), str)) if isinstance(summary, list) else ()
    flags = (Flag.SIGNED if value.get("encrypted_content") else 0) | (0 if texts else Flag.REDACTED)
    return Piece(Kind.REASONING, "reasoning", Role.ASSISTANT, "", texts, flags=flags, value=value)


def _hosted(value: dict[str, Any]) -> list[Piece]:
    kind = value.get("kind")
    held = kind if isinstance(kind, dict) else {}
    action = held.get("action")
    found = [call("backend_tool_call", "", held.get("tool_type"), held.get("id"), action, value, server=True)]
    sources = follow(action, ("sources",))
    if sources is not None:
        found.append(result("backend_tool_call", Role.ASSISTANT, "", held.get("id"), sources, value, held.get("tool_type"), server=True))
    return found


FORMAT = GrokCli()
