"""Codex rollouts: JSONL whose lines wrap items of OpenAI's Responses.

A line is `{timestamp, type, payload}`; the items are the payloads of `response_item`. `event_msg` shows the same messages once more for the
screen, `compacted` carries the history that replaces what came before: both are copies. Files from before 0.32 hold bare items behind a
bare header. Sources: openai/codex codex-rs/protocol (types `RolloutLine`, `RolloutItem`), and recorded sessions.
"""

from __future__ import annotations

from typing import Any, Final

from app.formats._dialects import RESPONSES
from app.formats._format import Progress
from app.formats._logs import LINES, Conversation, Lane, Log, Sheet, each_line
from app.formats._peek import peek
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source
from app.model.table import RecordKind, Shown
from app.model.transcript import Wall

TYPES: Final = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"})
PAYLOAD: Final = ("payload",)
_ITEMS: Final = frozenset(
    {"message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "local_shell_call",
     "web_search_call"}
)  # fmt: skip


class Codex(Log):
    name = "codex"
    summary = "Codex CLI: a rollout, one line a record"
    provider = "openai-responses"
    mode = "prefix"
    dialect = RESPONSES

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        records = [record for record in seen.records if isinstance(record, dict)]
        wrapped = sum(record.get("type") in TYPES and "payload" in record for record in records)
        if wrapped and 2 * wrapped >= len(records):
            return Confidence(self.name, 0.97, "lines of timestamp, type and payload")
        if seen.lines and any(record.get("record_type") == "state" for record in records) and any(r.get("type") in _ITEMS for r in records):
            return Confidence(self.name, 0.9, "bare items beside record_type state")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        reading = _Reading(sheet)
        for number, offset, length, value, odd in each_line(source, first_look):
            reading.line(number, offset, length, value, odd)
            if progress is not None and not number % 2048:
                progress(min(1.0, offset / max(1, source.size)))
        if not sheet.columns.record_count:
            raise UnreadableError(f"{source.name}: it holds no line that could be read")
        sheet.lanes.append(Lane(LINES, 0, source.size, 0, sheet.columns.record_count))
        return sheet.dump(complete=not first_look)


class _Reading:
    """The lines of a rollout, one by one."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.conversation: Conversation | None = None
        self.model: str | None = None

    def _current(self) -> Conversation:
        if self.conversation is None:
            self.conversation = self.sheet.conversation("main")
        return self.conversation

    def line(self, number: int, offset: int, length: int, value: Any, odd: bool) -> None:
        sheet = self.sheet
        if not isinstance(value, dict):
            sheet.other(offset, length, number, RecordKind.UNPARSED)
            return
        kind, payload = value.get("type"), value.get("payload")
        stamp = value.get("timestamp")
        time = stamp if isinstance(stamp, str) else None
        if kind == "response_item" and isinstance(payload, dict):
            sheet.message(self._current(), offset, length, number, payload, PAYLOAD, odd, time, self.model)
        elif kind in _ITEMS and "payload" not in value:
            sheet.message(self._current(), offset, length, number, value, (), odd, time, self.model)
        else:
            known = kind in TYPES or "record_type" in value or number == 0
            record = sheet.other(
                offset, length, number, RecordKind.META if known else RecordKind.UNKNOWN, Shown.HIDDEN, time, owner=0
            )  # fmt: skip
            self._meta(kind, payload, record)

    def _meta(self, kind: Any, payload: Any, record: int) -> None:
        """A line that holds no message: a header, a model, a wall."""
        if not isinstance(payload, dict):
            return
        if kind == "session_meta" and self.conversation is None:
            found = payload.get("id")
            self.conversation = self.sheet.conversation(found if isinstance(found, str) and found else "main")
        elif kind == "turn_context" and isinstance(payload.get("model"), str):
            self.model = payload["model"]
            self._current().model = self.model
        elif kind == "compacted":
            current = self._current()
            current.start = len(current.rows)
            current.walls.append(Wall(len(self.sheet.columns.rows) and self.sheet.columns.row_count, record))


FORMAT = Codex()
