"""Muse Code's event log: lines of `{schema_version, stream, record_type, payload_type, payload}`. It is read, not written.

What was said stands in `payload.event`: the prompt of a run, calls and results in batches, the assistant's words.
Source: fixtures of specstoryai/getspecstory, which record it.
"""

from __future__ import annotations

from typing import Any

from app.formats._columns import tokens_of
from app.formats._guess import answered, called
from app.formats._logs import About
from app.formats._paths import follow
from app.formats._piece_wires import said, thought
from app.formats._pieces import Piece
from app.formats._told import ToldLog
from app.model.kinds import Role

_EVENT = "/payload/event"


class MuseCode(ToldLog):
    name = "other-musecode"
    summary = "Muse Code: a session, one line an event"
    provider = "openai-chat"
    why = "lines of stream, record_type and payload_type"

    def is_own(self, value: dict[str, Any]) -> bool:
        return {"stream", "record_type", "payload_type", "payload"} <= value.keys()

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        event = follow(value, ("payload", "event"))
        if not isinstance(event, dict):
            return [] if isinstance(value.get("payload"), dict) else None
        word = event.get("kind")
        if word == "started" and isinstance(event.get("prompt"), str):
            return [said(Role.USER, event["prompt"], f"{_EVENT}/prompt")]
        if word == "user_message_committed" or word == "assistant_message_committed":
            role = Role.USER if word == "user_message_committed" else Role.ASSISTANT
            found = [thought(event["reasoning"], f"{_EVENT}/reasoning")] if isinstance(event.get("reasoning"), str) else []
            return [*found, said(role, event.get("text"), f"{_EVENT}/text")]
        if word == "assistant_tool_calls_committed":
            calls = event.get("tool_calls")
            found = [said(Role.ASSISTANT, event["text"], f"{_EVENT}/text")] if isinstance(event.get("text"), str) and event["text"] else []
            return found + [
                called({**one, "id": one.get("call_id", one.get("id"))}, f"{_EVENT}/tool_calls/{number}")
                for number, one in enumerate(calls if isinstance(calls, list) else ()) if isinstance(one, dict)
            ]  # fmt: skip
        if word == "tool_result_batch_committed":
            results = event.get("results")
            return [
                answered(one, f"{_EVENT}/results/{number}", Role.TOOL)
                for number, one in enumerate(results if isinstance(results, list) else ()) if isinstance(one, dict)
            ]  # fmt: skip
        return []

    def about(self, value: dict[str, Any]) -> About:
        event, stamp = follow(value, ("payload", "event")), value.get("recorded_at")
        model = follow(value, ("payload", "record", "model_id")) or follow(event, ("model",))
        usage = follow(event, ("usage",)) if follow(event, ("kind",)) == "model_completed" else None
        time = stamp / 1e6 if isinstance(stamp, int) and not isinstance(stamp, bool) and abs(stamp) < 1e18 else None
        told = None
        if isinstance(usage, dict):
            read, written = tokens_of(usage, "cache_read_tokens", "cached_tokens"), tokens_of(usage, "cache_write_tokens")
            fresh = max(0, tokens_of(usage, "input_tokens") - read - written)
            told = {"fresh": fresh, "cache_read": read, "cache_write": written, "output": tokens_of(usage, "output_tokens")}
        return About(time=time, model=model if isinstance(model, str) else None, usage=told)


FORMAT = MuseCode()
