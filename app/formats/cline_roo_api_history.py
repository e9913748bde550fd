"""The conversations of Cline and Roo Code as they are sent: `api_conversation_history.json`, a list of Anthropic's messages with times.

Roo takes nothing away when it condenses: what a summary stands for names it (`condenseParent`), and so does what a full window hides
(`truncationParent`). Such messages are no longer seen as long as the summary, or the mark of the cut, is there; without these names all
before the last summary is hidden but the first message. Older tasks have calls only in their text (XML tags), which are text here as well.
Source: RooCodeInc/Roo-Code src/core/condense/index.ts (`getEffectiveApiHistory`, `getMessagesSinceLastSummary`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.formats._cline import DIALECT, ClineWriter, is_summary, model_of, seconds_of, usage_of
from app.formats._format import Progress
from app.formats._logs import ARRAY, Lane, Log, Sheet
from app.formats._nodes import document
from app.formats._peek import peek
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.source import Source
from app.model.table import RecordKind, Shown
from app.model.transcript import Transcript, Wall

_MARKS = ("condenseId", "condenseParent", "truncationId", "truncationParent", "isSummary", "conversationHistoryIndex")


class ClineRooApiHistory(Log):
    name = "cline-roo-api-history"
    summary = "Cline and Roo Code: a task as it is sent"
    provider = "anthropic"
    mode = "prefix"
    lines = False
    dialect = DIALECT

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        if seen.lines or not isinstance(seen.value, list) or not seen.value or not all(map(_is_message, seen.value)):
            return None
        values: list[dict[str, Any]] = seen.value
        if any(key in value for value in values for key in _MARKS):
            return Confidence(self.name, 0.96, "messages with condenseParent, truncationParent or isSummary")
        if all("ts" in value for value in values):
            return Confidence(self.name, 0.94, "ts on every message, roles user and assistant")
        if _is_task(values[0]):
            return Confidence(self.name, 0.91, "a first message of <task> and <environment_details>")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        root = document(source)
        if not isinstance(root.value, list):
            raise UnreadableError(f"{source.name}: it is no list of messages")
        sheet = Sheet(self.name, self.dialect, source)
        main = sheet.conversation("main")
        hidden = _hidden(root.value)
        seen: list[int] = []
        for place, item in enumerate(root.elements()):
            record, value = sheet.columns.record_count, item.value
            sheet.pointers[record] = item.pointer
            if not isinstance(value, dict):
                sheet.other(item.start, item.length, place, RecordKind.UNKNOWN, Shown.SHOWN, owner=0)
                continue
            usage, row = usage_of(value), sheet.columns.row_count
            if usage is not None:
                sheet.columns.usage(sheet.messages, **usage)
            model = model_of(value)
            main.model = model or main.model
            kind = RecordKind.SUMMARY if is_summary(value) else RecordKind.MESSAGE
            sheet.message(main, item.start, item.length, place, value, (), True, seconds_of(value.get("ts")), model, kind)
            if place not in hidden:
                seen.extend(range(row, sheet.columns.row_count))
            if is_summary(value) or value.get("isTruncationMarker") is True:
                main.walls.append(Wall(row, record))
        gone = sorted(set(main.rows) - set(seen))
        main.start = len(gone)
        main.rows[:] = type(main.rows)("i", [*gone, *seen])
        sheet.lane_of[0] = 0
        sheet.lanes.append(Lane(ARRAY, root.start, root.end, 0, sheet.columns.record_count))
        return sheet.dump(complete=not first_look)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return ClineWriter(dump, transcripts, self.dialect).plan()


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or "type" in value:
        return isinstance(value, dict) and value.get("type") == "reasoning" and "ts" in value
    return value.get("role") in ("user", "assistant") and "content" in value and not value.keys() & {"parts", "tool_calls", "turn_idx"}


def _is_task(message: dict[str, Any]) -> bool:
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"text": content}]
    texts = [block["text"] for block in blocks if isinstance(block, dict) and isinstance(block.get("text"), str)]
    return any(text.startswith("<task>") for text in texts) and any("<environment_details>" in text for text in texts)


def _hidden(messages: list[Any]) -> set[int]:
    """The messages that are not sent any more."""
    values = [message if isinstance(message, dict) else {} for message in messages]
    summaries = {m["condenseId"] for m in values if m.get("isSummary") is True and isinstance(m.get("condenseId"), str)}
    cuts = {m["truncationId"] for m in values if m.get("isTruncationMarker") is True and isinstance(m.get("truncationId"), str)}
    found = {
        number for number, m in enumerate(values) if _among(m.get("condenseParent"), summaries) or _among(m.get("truncationParent"), cuts)
    }  # fmt: skip
    last = max((number for number, m in enumerate(values) if m.get("isSummary") is True), default=-1)
    if last >= 0 and not isinstance(values[last].get("condenseId"), str):
        found |= set(range(1, last))
    return found


def _among(value: Any, ids: set[str]) -> bool:
    return isinstance(value, str) and value in ids


FORMAT = ClineRooApiHistory()
