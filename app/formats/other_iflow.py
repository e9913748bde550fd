"""iFlow CLI's sessions: Claude Code's envelope around messages that are written while they stream, so that a call stands in two records.

The first record of a call counts; where it is repeated it is passed over. They are read, not written.
Source: a recorded session among the fixtures of kenn-io/agentsview.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from app.formats._guess import answered, message_pieces
from app.formats._logs import About, Conversation, Sheet
from app.formats._paths import follow
from app.formats._pieces import Piece
from app.formats._told import ToldLog
from app.model.block import Block
from app.model.kinds import Role
from app.model.table import Table

_ID: Final = re.compile(r"response-\d{13}").match
_REPEATED: Final = {"type": "(repeated)"}


class IFlow(ToldLog):
    name = "other-iflow"
    summary = "iFlow CLI: a session, Claude Code's envelope"
    provider = "anthropic"
    why = "Claude Code's envelope, ids of messages like response-1768975012469"
    score = 0.99

    def is_own(self, value: dict[str, Any]) -> bool:
        return "uuid" in value and "sessionId" in value and isinstance(value.get("message"), dict)

    def is_sure(self, value: dict[str, Any]) -> bool:
        id = value["message"].get("id")
        return value.get("type") == "assistant" and isinstance(id, str) and _ID(id) is not None

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        message = value.get("message")
        if not isinstance(message, dict):
            return [] if "type" in value else None
        content = message.get("content")
        if not isinstance(content, list):
            return message_pieces(message, "/message")
        found = message_pieces({**message, "content": [block for block in content if block is not _REPEATED]}, "/message")
        places = [number for number, block in enumerate(content) if block is not _REPEATED]
        for piece, place in zip(found, places, strict=False):
            piece.path = f"/message/content/{place}"
            if isinstance(piece.value, dict) and piece.value.get("type") == "tool_result":
                text = follow(piece.value, ("content", "responseParts", "functionResponse", "response", "output"))
                if isinstance(text, str):
                    piece.texts = answered({"content": text}, "", Role.USER).texts
        return found

    def about(self, value: dict[str, Any]) -> About:
        model = follow(value, ("message", "model"))
        return About(time=value.get("timestamp"), model=model if isinstance(model, str) else None)

    def _enter(self, sheet: Sheet, main: Conversation, place: int, offset: int, length: int, value: Any, odd: bool) -> None:
        record = sheet.columns.record_count
        seen: set[str] = sheet.more.setdefault("calls", set())
        repeated: dict[int, tuple[int, ...]] = sheet.more.setdefault("repeated", {})
        content = follow(value, ("message", "content"))
        numbers = []
        for number, block in enumerate(content if isinstance(content, list) else ()):
            id = block.get("id") if isinstance(block, dict) and block.get("type") == "tool_use" else None
            if isinstance(id, str):
                if id in seen:
                    numbers.append(number)
                seen.add(id)
        if numbers:
            repeated[record] = tuple(numbers)
            value = _without(value, repeated[record])
        super()._enter(sheet, main, place, offset, length, value, odd)

    def blocks(self, table: Table, record: int, value: Any, first: int) -> Sequence[Block]:
        numbers = table.extra["repeated"].get(record)
        return super().blocks(table, record, _without(value, numbers) if numbers else value, first)


def _without(value: dict[str, Any], numbers: tuple[int, ...]) -> dict[str, Any]:
    """A record with a mark in place of the calls that an earlier one holds."""
    content = value["message"]["content"]
    left = [_REPEATED if number in numbers else block for number, block in enumerate(content)]
    return {**value, "message": {**value["message"], "content": left}}


FORMAT = IFlow()
