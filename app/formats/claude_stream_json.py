"""What Claude Code prints with `--output-format stream-json`, and what its Agent SDK yields: a record a line, or a list of records.

`stream_event` lines are pieces of what comes whole in the `assistant` line behind them. `parent_tool_use_id` names the call that a subagent
works for. What the person asked is not among them unless the program is told to replay it.
Source: anthropics/claude-agent-sdk-typescript (`SDKMessage`), and recorded streams.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._claude_events import EventLog, Events
from app.formats._format import Progress
from app.formats._logs import ARRAY, LINES, Lane, Sheet, each_line
from app.formats._nodes import document
from app.formats._peek import peek
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source

TYPES: Final = frozenset(
    {"system", "assistant", "user", "result", "stream_event", "rate_limit_event", "control_request", "control_response", "tool_progress",
     "auth_status", "tool_use_summary"}
)  # fmt: skip


class ClaudeStreamJson(EventLog):
    name = "claude-stream-json"
    summary = "Claude Code: what it prints as stream-json, or its Agent SDK yields"

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        listed = isinstance(seen.value, list)
        records = [r for r in (seen.value[:50] if listed else seen.records) if isinstance(r, dict)]
        own = [record for record in records if _is_own(record)]
        if not own or 2 * len(own) <= len(records) or not any(_is_sure(record) for record in own):
            return None
        return Confidence(self.name, 0.96, "records with session_id and uuid and without parentUuid")

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        events = Events(sheet)
        if source.read(0, min(source.size, 1 << 12)).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[":
            root = document(source)
            for place, item in enumerate(root.elements()):
                events.enter(place, item.start, item.length, item.value, True, item.pointer)
            sheet.lanes.append(Lane(ARRAY, root.start, root.end, 0, sheet.columns.record_count))
        else:
            for number, offset, length, value, odd in each_line(source, first_look):
                events.enter(number, offset, length, value, odd)
                if progress is not None and not number % 2048:
                    progress(min(1.0, offset / max(1, source.size)))
            sheet.lanes.append(Lane(LINES, 0, source.size, 0, sheet.columns.record_count))
        if not sheet.columns.record_count:
            raise UnreadableError(f"{source.name}: it holds no record that could be read")
        return events.dump(not first_look)


def _is_own(record: dict[str, Any]) -> bool:
    word = record.get("type")
    if not isinstance(word, str) or word not in TYPES or "parentUuid" in record:
        return False
    return "session_id" in record or (word == "user" and isinstance(record.get("message"), dict) and "parent_tool_use_id" in record)


def _is_sure(record: dict[str, Any]) -> bool:
    """Whether no other program's record looks like this one."""
    word, message = record.get("type"), record.get("message")
    if word in ("assistant", "user"):
        return isinstance(message, dict) and "content" in message
    if word == "system":
        return record.get("subtype") == "init" and isinstance(record.get("tools"), list)
    return word in ("stream_event", "rate_limit_event") or (word == "result" and "is_error" in record and "num_turns" in record)


FORMAT = ClaudeStreamJson()
