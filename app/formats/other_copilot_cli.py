"""GitHub Copilot CLI's events: lines of `{type, data, id, timestamp, parentId}` with dotted types. They are read, not written.

`assistant.message` holds its calls (`toolRequests`), `tool.execution_complete` a result; that a tool was started is a copy of its call.
Source: github/copilot-cli's session files, as fixtures of jazzyalex/agent-sessions record them.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._guess import called
from app.formats._logs import About
from app.formats._piece_wires import result, said, thought
from app.formats._pieces import Piece
from app.formats._told import ToldLog
from app.model.kinds import Flag, Kind, Role
from app.model.table import RecordKind

_GROUPS: Final = frozenset({"session", "user", "assistant", "tool", "system", "hook", "abort", "subagent", "skill", "permission"})


class CopilotCli(ToldLog):
    name = "other-copilot-cli"
    summary = "GitHub Copilot CLI: a session, one line an event"
    provider = "openai-chat"
    why = "events with dotted types and data"

    def is_own(self, value: dict[str, Any]) -> bool:
        word = value.get("type")
        return isinstance(word, str) and isinstance(value.get("data"), dict) and word.split(".")[0] in _GROUPS

    def is_sure(self, value: dict[str, Any]) -> bool:
        return value["type"] in ("session.start", "session.resume", "user.message", "assistant.message")

    def tell(self, value: dict[str, Any]) -> list[Piece] | None:
        word, data = value.get("type"), value.get("data")
        if not isinstance(word, str) or not isinstance(data, dict):
            return None
        if word == "user.message":
            return [said(Role.USER, data.get("content"), "/data/content")]
        if word == "system.message":
            return [said(Role.SYSTEM, data.get("content"), "/data/content")]
        if word == "assistant.message":
            return _answered(data)
        if word == "tool.execution_complete":
            return [_result(data)]
        if word == "session.compaction_complete" and isinstance(data.get("summaryContent"), str):
            return [Piece(Kind.TEXT, "text", Role.USER, "/data/summaryContent", (data["summaryContent"],), flags=Flag.SUMMARY, value=data)]
        return [] if word.split(".")[0] in _GROUPS else None

    def about(self, value: dict[str, Any]) -> About:
        word, data = value.get("type"), value.get("data")
        data = data if isinstance(data, dict) else {}
        model = data.get("newModel", data.get("selectedModel", data.get("model")))
        failed = word == "session.error" and isinstance(data.get("message"), str)
        kind = RecordKind.SUMMARY if word == "session.compaction_complete" and data.get("success") is not False else RecordKind.MESSAGE
        kind = RecordKind.BOUNDARY if kind == RecordKind.SUMMARY and not isinstance(data.get("summaryContent"), str) else kind
        return About(kind, value.get("timestamp"), model if isinstance(model, str) else None, None, data["message"] if failed else None)


def _answered(data: dict[str, Any]) -> list[Piece]:
    text, calls = data.get("content"), data.get("toolRequests")
    found = [thought(data["reasoningText"], "/data/reasoningText")] if isinstance(data.get("reasoningText"), str) else []
    calls = [(number, one) for number, one in enumerate(calls) if isinstance(one, dict)] if isinstance(calls, list) else []
    if text or not (calls or found):
        found.append(said(Role.ASSISTANT, text, "/data/content"))
    return [*found, *(called(one, f"/data/toolRequests/{number}", "toolRequest") for number, one in calls)]


def _result(data: dict[str, Any]) -> Piece:
    held, error = data.get("result"), data.get("error")
    content = held.get("content", held.get("detailedContent")) if isinstance(held, dict) else held
    if content is None and error is not None:
        content = error.get("message") if isinstance(error, dict) else error
    failed = data.get("success") is False
    return result("tool.execution_complete", Role.TOOL, "/data", data.get("toolCallId"), content, data, data.get("toolName"), failed)


FORMAT = CopilotCli()
