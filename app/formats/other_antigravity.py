"""Antigravity's and its CLI's trajectory: lines of `{step_index, source, type, status, created_at, content}`. It is read, not written.

`PLANNER_RESPONSE` is the model's; what its calls gave stands in lines of their own (`RUN_COMMAND`, `VIEW_FILE`, ...), which name no call.
Source: recorded by jazzyalex/agent-sessions (its fixtures).
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._logs import About
from app.formats._piece_wires import call, said, thought
from app.formats._pieces import Piece
from app.formats._told import ToldLog
from app.model.kinds import Flag, Kind, Role
from app.model.table import RecordKind

_SAID: Final = {"USER_INPUT": Role.USER, "SYSTEM_MESSAGE": Role.USER, "CHECKPOINT": Role.USER}


class Antigravity(ToldLog):
    name = "other-antigravity"
    summary = "Antigravity: a trajectory, one line a step"
    provider = "gemini"
    why = "lines of step_index, source and type"

    def is_own(self, value: dict[str, Any]) -> bool:
        return {"step_index", "source", "type"} <= value.keys()

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        word, content = value.get("type"), value.get("content")
        if not isinstance(word, str):
            return None
        if word == "PLANNER_RESPONSE":
            return _planned(value, content)
        if content is None:
            return []
        if word in _SAID:
            piece = said(_SAID[word], content, "/content")
            piece.flags |= Flag.SUMMARY if word == "CHECKPOINT" else Flag.INJECTED if word == "SYSTEM_MESSAGE" else 0
            return [piece]
        text = content if isinstance(content, str) else str(content)
        return [Piece(Kind.OTHER, word, Role.TOOL, "/content", (text,), value=content)]

    def about(self, value: dict[str, Any]) -> About:
        kind = RecordKind.SUMMARY if value.get("type") == "CHECKPOINT" and value.get("content") else RecordKind.MESSAGE
        return About(kind, value.get("created_at"))


def _planned(value: dict[str, Any], content: Any) -> list[Piece]:
    found = [thought(value["thinking"], "/thinking", word="thinking")] if isinstance(value.get("thinking"), str) else []
    if content is not None:
        found.append(said(Role.ASSISTANT, content, "/content"))
    calls = value.get("tool_calls")
    for number, one in enumerate(calls if isinstance(calls, list) else ()):
        if isinstance(one, dict):
            found.append(call("tool_call", f"/tool_calls/{number}", one.get("name"), one.get("id"), one.get("args"), one))
    return found


FORMAT = Antigravity()
