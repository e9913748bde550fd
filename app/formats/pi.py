"""pi's session log: one JSON object a line, a tree of entries.

Line 1 is the header (`session`); from version 2 on each entry has an `id` and a `parentId`, version 1 is a plain list. What is sent is the
line from the root to the last entry. A `compaction` stands for what lies before it: its summary is sent first, then the entries from
`firstKeptEntryId` on up to it (version 1: `firstKeptEntryIndex`), then what follows. A turn that ended in an error or was aborted is kept
and never sent again; one without content is what a provider refused.
Source: badlogic/pi-mono packages/coding-agent/src/core/session-manager.ts, packages/ai/src/providers/transform-messages.ts, and recorded
sessions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from app.formats._chain_read import ChainReading
from app.formats._columns import tokens_of
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._logs import LINES, Lane, Log, Sheet, each_line
from app.formats._peek import peek
from app.formats._pi import STOPPED, PiWire, word_of
from app.formats._pi_tree import ENTRIES, Entries, parted
from app.formats._pi_write import PiWriter, rewrite
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Role
from app.model.source import Source
from app.model.table import RecordKind, Shown
from app.model.transcript import Transcript

TYPES: Final = frozenset(
    {"session", "message", "model_change", "thinking_level_change", "compaction", "branch_summary", "custom", "custom_message", "label",
     "session_info"}
)  # fmt: skip
MESSAGE: Final = ("message",)
_STATUS: Final = re.compile(r"\b([45]\d\d)\b")


class Pi(Log):
    name = "pi"
    summary = "pi: a session log, JSON Lines with a tree of entries"
    provider = "anthropic"
    mode = "prefix"
    native = False
    dialect = Dialect(PiWire(), rewrite, Role.TOOL)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        records = [record for record in seen.records if isinstance(record, dict)]
        if not records or not (seen.lines or whole):
            return None
        known = sum(str(record.get("type")) in TYPES and "timestamp" in record for record in records)
        header = any(record.get("type") == "session" and ("cwd" in record or "provider" in record) for record in records)
        said = any(record.get("type") == "message" and isinstance(record.get("message"), dict) for record in records)
        if 2 * known < len(records) or not (header or said):
            return None
        return Confidence(self.name, 0.97 if header else 0.8, "a session header and entries of type message" if header else "entries of pi")

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
        return reading.dump(not first_look)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return PiWriter(dump, transcripts, self.dialect).plan()


class _Reading(ChainReading):
    """The lines of a session, one by one."""

    def __init__(self, sheet: Sheet) -> None:
        self.entries = Entries()
        super().__init__(sheet, self.entries.tree)

    def line(self, number: int, offset: int, length: int, value: Any, odd: bool) -> None:
        sheet, record = self.sheet, self.sheet.columns.record_count
        self.entries.add(record, value)
        if not isinstance(value, dict):
            kind = RecordKind.UNPARSED if value is None else RecordKind.UNKNOWN
            sheet.other(offset, length, number, kind)
            return
        kind_word, message, stamp = value.get("type"), value.get("message"), value.get("timestamp")
        kind_word = kind_word if isinstance(kind_word, str) else ""  # what is no string is in no set
        if kind_word == "message" and isinstance(message, dict):
            self._message(number, offset, length, message, odd, stamp if stamp is not None else _seconds(message.get("timestamp")))
        elif kind_word == "compaction" and not value.get("summary"):
            sheet.other(offset, length, number, RecordKind.BOUNDARY, Shown.SHOWN, stamp)
            self.walls[record] = _tokens(value), None
        elif kind_word in ENTRIES and ("summary" in value or "content" in value):
            kind = RecordKind.MESSAGE if kind_word == "custom_message" else RecordKind.SUMMARY
            sheet.message(None, offset, length, number, value, (), odd, stamp, kind=kind)
            if kind_word == "compaction":
                self.walls[record] = _tokens(value), None
        else:
            known = isinstance(kind_word, str) and kind_word in TYPES
            sheet.other(offset, length, number, RecordKind.META if known else RecordKind.UNKNOWN, time=stamp)
            self._meta(kind_word, value, record)

    def _meta(self, word: Any, value: dict[str, Any], record: int) -> None:
        if word == "session":
            id = value.get("id")
            self.sessions.append(id if isinstance(id, str) else "")
        if word in ("model_change", "session") and isinstance(value.get("modelId"), str):
            self.models[record] = value["modelId"]
        elif word == "session_info" and isinstance(value.get("name"), str):
            self.titles[record] = value["name"]

    def _message(self, number: int, offset: int, length: int, message: dict[str, Any], odd: bool, time: Any) -> None:
        sheet, columns = self.sheet, self.sheet.columns
        record, word = columns.record_count, word_of(message)
        if word == "bashExecution" and message.get("excludeFromContext") is True:
            sheet.other(offset, length, number, time=time)
            return
        stop = message.get("stopReason")
        if word == "assistant" and isinstance(stop, str) and stop in STOPPED:
            text = message.get("errorMessage")
            said = text if isinstance(text, str) else ""
            if stop == "error":
                found = _STATUS.search(said)
                self.refused[record] = int(found[1]) if found else None, said
            if message.get("content") in ([], None, ""):
                refused = stop == "error"
                sheet.other(offset, length, number, RecordKind.REFUSAL if refused else RecordKind.META,
                            Shown.SHOWN if refused else Shown.HIDDEN, time)  # fmt: skip
                return
        model = message.get("model")
        sheet.message(None, offset, length, number, message, MESSAGE, odd, time, model)
        if word == "assistant":
            if isinstance(model, str) and model:
                self.models[record] = model
            _add_usage(sheet, message.get("usage"))

    def parted(self, records: list[int]) -> tuple[list[int], list[int]]:
        return parted(records, self.entries.walls)


def _tokens(value: dict[str, Any]) -> int | None:
    tokens = value.get("tokensBefore")
    return tokens if isinstance(tokens, int) and not isinstance(tokens, bool) else None


def _seconds(stamp: Any) -> float | None:
    return stamp / 1000 if isinstance(stamp, int | float) and not isinstance(stamp, bool) else None


def _add_usage(sheet: Sheet, usage: Any) -> None:
    """What is recorded of the request that gave the last message."""
    if not isinstance(usage, dict):
        return
    fresh, read, written, output = (tokens_of(usage, key) for key in ("input", "cacheRead", "cacheWrite", "output"))
    if fresh or read or written or output:
        sheet.columns.usage(sheet.messages - 1, fresh=fresh, cache_read=read, cache_write=written, output=output)


FORMAT = Pi()
