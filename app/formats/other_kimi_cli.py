"""Kimi CLI's wire log: lines that append to the context (`context.append_message`, `context.append_loop_event`). Read, not written.

A loop event is a part of what the model says, a call, a result, or the end of a step with what it cost. Older sessions are lines of
`{role, content, tool_calls}` beside `_checkpoint` and `_usage`. Source: MoonshotAI/kimi-cli, as fixtures of jazzyalex/agent-sessions
record it.
"""

from __future__ import annotations

from typing import Any

from app.formats._columns import tokens_of
from app.formats._guess import answered, called, message_pieces
from app.formats._logs import About
from app.formats._paths import follow
from app.formats._piece_wires import said, thought
from app.formats._pieces import Piece
from app.formats._told import ToldLog, milliseconds
from app.model.kinds import Flag, Kind, Role
from app.model.table import RecordKind

_GROUPS = ("context.", "turn.", "llm.", "usage.", "config.", "tools.", "permission.", "plan_mode.", "full_compaction.", "metadata")
_NOTES = ("_checkpoint", "_usage", "_system_prompt")


class KimiCli(ToldLog):
    name = "other-kimi-cli"
    summary = "Kimi CLI: the log of its wire"
    provider = "openai-chat"
    why = "lines of type context.append_message, llm.request and their like"

    def is_own(self, value: dict[str, Any]) -> bool:
        word, role = value.get("type"), value.get("role")
        if isinstance(role, str) and word is None:
            return role in _NOTES or ("content" in value and role in ("user", "assistant", "tool", "system"))
        return isinstance(word, str) and word.startswith(_GROUPS) and ("time" in value or "protocol_version" in value)

    def is_sure(self, value: dict[str, Any]) -> bool:
        if "type" not in value:
            return str(value["role"]).startswith("_")
        return value["type"].startswith(("context.", "llm.", "turn.")) or "protocol_version" in value

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        word, role = value.get("type"), value.get("role")
        if isinstance(role, str) and word is None:
            return [] if role.startswith("_") else message_pieces(value)
        if not isinstance(word, str):
            return None
        if word == "context.append_message" and isinstance(value.get("message"), dict):
            return _message(value["message"])
        if word == "context.append_loop_event" and isinstance(value.get("event"), dict):
            return _event(value["event"])
        if word == "context.apply_compaction":
            key = "contextSummary" if isinstance(value.get("contextSummary"), str) else "summary"
            if isinstance(value.get(key), str):
                return [Piece(Kind.TEXT, "text", Role.USER, f"/{key}", (value[key],), flags=Flag.SUMMARY, value=value[key])]
        return [] if word.startswith(_GROUPS) else None

    def about(self, value: dict[str, Any]) -> About:
        word, model = value.get("type"), value.get("model")
        if value.get("role") == "_usage" and isinstance(value.get("token_count"), int):
            return About(usage={"fresh": tokens_of(value, "token_count"), "cache_read": 0, "cache_write": 0, "output": 0})
        kind = RecordKind.SUMMARY if word == "context.apply_compaction" and self.tell(value) else RecordKind.MESSAGE
        usage = _usage(follow(value, ("event", "usage"))) if follow(value, ("event", "type")) == "step.end" else None
        model = model if word == "llm.request" and isinstance(model, str) else None
        return About(kind, milliseconds(value.get("time", value.get("created_at"))), model, usage)


def _message(message: dict[str, Any]) -> list[Piece]:
    found = message_pieces(message, "/message")
    if follow(message, ("origin", "kind")) not in (None, "user") and message.get("role") == "user":
        for piece in found:
            piece.flags |= Flag.INJECTED
    return found


def _event(event: dict[str, Any]) -> list[Piece]:
    word, part = event.get("type"), event.get("part")
    if word == "content.part" and isinstance(part, dict):
        if part.get("type") == "think":
            return [thought(part.get("think"), "/event/part/think", part, word="think")]
        return [said(Role.ASSISTANT, part.get("text"), "/event/part/text")] if part.get("type") == "text" else message_pieces(
            {"content": [part]}, "/event", "assistant"
        )
    if word == "tool.call":
        return [called({**event, "id": event.get("toolCallId")}, "/event", word)]
    if word == "tool.result":
        held = event.get("result")
        held = held if isinstance(held, dict) else {"output": held}
        return [answered({**held, "toolCallId": event.get("toolCallId")}, "/event", Role.TOOL, word)]
    return []


def _usage(usage: Any) -> dict[str, int] | None:
    if not isinstance(usage, dict):
        return None
    read, written = tokens_of(usage, "inputCacheRead"), tokens_of(usage, "inputCacheCreation")
    return {"fresh": tokens_of(usage, "inputOther"), "cache_read": read, "cache_write": written, "output": tokens_of(usage, "output")}


FORMAT = KimiCli()
