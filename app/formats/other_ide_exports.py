"""Conversations that editors export (Antigravity, Windsurf, Kiro): `{app, conversation: {messages}}`. They are read, not written.

A message says who speaks in `role` or in `sender`, and what in `content` or in `parts`.
Source: fixtures of simonw/claude-code-transcripts.
"""

from __future__ import annotations

from typing import Any

from app.formats._guess import is_message, message_pieces
from app.formats._logs import About
from app.formats._nodes import Node
from app.formats._paths import follow
from app.formats._pieces import Piece
from app.formats._told import ToldDocument, milliseconds


class IdeExports(ToldDocument):
    name = "other-ide-exports"
    summary = "An editor's export of a conversation"
    provider = "openai-chat"
    why = "app, and messages in a conversation"

    def is_own(self, value: dict[str, Any]) -> bool:
        messages = follow(value, ("conversation", "messages"))
        return isinstance(messages, list) and ("app" in value or any(map(is_message, messages[:5])))

    def found(self, root: Node) -> Node | None:
        return root.get("conversation", "messages")

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        return message_pieces(value) if is_message(value) else None

    def about(self, value: dict[str, Any]) -> About:
        model = value.get("model")
        stamp = value.get("createdAt", value.get("created_at", value.get("timestamp")))
        return About(time=milliseconds(stamp), model=model if isinstance(model, str) else None)


FORMAT = IdeExports()
