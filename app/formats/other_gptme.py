"""gptme's conversations: lines of `{role, content, timestamp}`; calls are fenced code in the text, answers have the role tool or system.

They are read, not written. Source: gptme/gptme gptme/message.py and logmanager.py.
"""

from __future__ import annotations

from typing import Any

from app.formats._columns import tokens_of
from app.formats._guess import message_pieces
from app.formats._logs import About
from app.formats._paths import follow
from app.formats._pieces import Piece
from app.formats._told import ToldLog

_OWN = ("pinned", "hide", "quiet", "call_id", "files", "file_hashes")


class Gptme(ToldLog):
    name = "other-gptme"
    summary = "gptme: a conversation, one line a message"
    provider = "openai-chat"
    why = "lines of role, content and timestamp, with pinned, hide or metadata"

    def is_own(self, value: dict[str, Any]) -> bool:
        return {"role", "content", "timestamp"} <= value.keys() and isinstance(value["content"], str) and "model" not in value

    def is_sure(self, value: dict[str, Any]) -> bool:
        return any(key in value for key in _OWN) or isinstance(follow(value, ("metadata", "model")), str)

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        return message_pieces(value) if isinstance(value.get("role"), str) and "content" in value else None

    def about(self, value: dict[str, Any]) -> About:
        model, usage = follow(value, ("metadata", "model")), follow(value, ("metadata", "usage"))
        told = None
        if isinstance(usage, dict):
            fresh, output = tokens_of(usage, "input_tokens"), tokens_of(usage, "output_tokens")
            read, written = tokens_of(usage, "cache_read_tokens"), tokens_of(usage, "cache_creation_tokens")
            told = {"fresh": max(0, fresh - read - written), "cache_read": read, "cache_write": written, "output": output}
        return About(time=value.get("timestamp"), model=model, usage=told)


FORMAT = Gptme()
