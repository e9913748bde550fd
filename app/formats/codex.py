"""Codex rollouts: JSONL whose lines wrap items of OpenAI's Responses.

A line is `{timestamp, type, payload}`; the items are the payloads of `response_item`. `event_msg` shows the same messages once more for the
screen, `compacted` carries the history that replaces what came before: both are copies. Files from before 0.32 hold bare items behind a
bare header. Sources: openai/codex codex-rs/protocol (types `RolloutLine`, `RolloutItem`), and recorded sessions.

`thread_rolled_back` takes the last turns back: what is sent of a session is what Codex makes of it when it resumes
(codex-rs/core/src/context_manager/history.rs, `drop_last_n_user_turns`), and what was taken back is a branch. A turn begins at a user's
message that a person wrote, with what was put in right before it. A fork begins with the lines of the session that it leaves, that one's
header behind its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from app.formats._codex_events import NEVER_SENT, Events, note_refusal, refusal_of
from app.formats._columns import ROW
from app.formats._dialects import RESPONSES
from app.formats._format import Progress
from app.formats._logs import LINES, Conversation, Lane, Log, Sheet, each_line
from app.formats._peek import peek
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.ids import Ids
from app.model.kinds import Flag, Role
from app.model.source import Source
from app.model.table import RecordKind, Shown
from app.model.transcript import Transcript, Wall

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}").fullmatch

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
        wrapped = sum(str(record.get("type")) in TYPES and "payload" in record for record in records)
        if wrapped and 2 * wrapped >= len(records):
            return Confidence(self.name, 0.97, "lines of timestamp, type and payload")
        state = any(record.get("record_type") == "state" for record in records)
        if seen.lines and state and any(str(record.get("type")) in _ITEMS for record in records):
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
        dump = sheet.dump(complete=not first_look, opened=0)
        table = dump.table  # ids of items are kept and never sent (but to Azure): nothing is judged by them
        table.item, table.item_ids = np.full(len(table), -1, np.int32), Ids.of(())
        dump.table.extra["header"], dump.table.extra["unread"] = reading.header, reading.unread
        for index, rows in reading.branches:
            dump.table.records.owner[dump.table.record[rows]] = index
        return dump

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        from app.formats._codex_write import CodexWriter

        return CodexWriter(dump, transcripts, self.dialect).plan()


class _Reading:
    """The lines of a rollout, one by one."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.conversation: Conversation | None = None
        self.model: str | None = None
        self.events = Events(sheet)
        self.header = False  # a header that says which session it is
        self.unread: dict[int, tuple[str, str]] = {}  # records that Codex passes over: what is wrong, and a timestamp that is missing
        self.stamp = ""  # of the record before
        self.turns: list[int] = []  # where the turns of persons begin among the rows of the conversation
        self.branches: list[tuple[int, list[int]]] = []

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
        kind = kind if isinstance(kind, str) else ""  # what is no string is in no set
        stamp = value.get("timestamp")
        time = stamp if isinstance(stamp, str) else None
        before, self.stamp = self.stamp, time or self.stamp
        row, message = sheet.columns.row_count, sheet.messages
        if kind == "response_item" and isinstance(payload, dict) and payload.get("type") not in NEVER_SENT:
            record = sheet.message(self._current(), offset, length, number, payload, PAYLOAD, odd, time, self.model)
            wrong = _wrong(payload)
            if wrong or time is None:
                self.unread[record] = (wrong, "") if wrong else ("it has no `timestamp`", before)
            self.events.item(payload, message, row)
            if payload.get("role") == "user":
                self._turn()
        elif kind in _ITEMS and "payload" not in value:
            record = sheet.message(self._current(), offset, length, number, value, (), odd, time, self.model)
            self.unread[record] = "it is an item without its envelope, as files before 0.32 had them", ""
            self.events.item(value, message, row)
        else:
            known = kind in TYPES or "record_type" in value or number == 0
            refused = refusal_of(payload) if kind == "event_msg" else None
            if refused is not None:
                note_refusal(self._current(), sheet.other(offset, length, number, RecordKind.REFUSAL, Shown.SHOWN, time, owner=0), refused)
                return
            record = sheet.other(
                offset, length, number, RecordKind.META if known else RecordKind.UNKNOWN, Shown.HIDDEN, time, owner=0
            )  # fmt: skip
            self._meta(kind, payload, record)

    def _meta(self, kind: Any, payload: Any, record: int) -> None:
        """A line that holds no message: a header, a model, a wall."""
        if not isinstance(payload, dict):
            return
        if kind == "session_meta" and not self.header:
            found = payload.get("id")
            self.header = isinstance(found, str) and _UUID(found) is not None
        if kind == "session_meta" and self.conversation is None:
            found = payload.get("id")
            self.conversation = self.sheet.conversation(found if isinstance(found, str) and found else "main")
            source, forked = payload.get("source"), payload.get("forked_from_id")
            self.conversation.subagent = isinstance(source, dict) and "subagent" in source
            if isinstance(forked, str) and forked:
                self.conversation.why = f"a fork of the session {forked}, with whose lines it begins"
        elif kind == "turn_context" and isinstance(payload.get("model"), str):
            self.model = payload["model"]
            self._current().model = self.model
        elif kind == "compacted":
            current = self._current()
            current.start = len(current.rows)
            current.walls.append(Wall(len(self.sheet.columns.rows) and self.sheet.columns.row_count, record))
            self.turns = []  # what it keeps of them stands in it
        elif kind == "event_msg" and payload.get("type") == "thread_rolled_back":
            turns = payload.get("num_turns")
            if isinstance(turns, int) and not isinstance(turns, bool) and turns > 0 and self.turns:
                self._roll_back(turns)
        elif kind == "event_msg":
            self.events.event(self._current(), payload, record)

    def _row(self, row: int) -> tuple[int, int]:
        """Role and flags of a row."""
        fields = ROW.unpack_from(self.sheet.columns.rows, row * ROW.size)
        return fields[5], fields[8]

    def _turn(self) -> None:
        """A user's message stands behind all else; a turn begins there where a person wrote it."""
        rows = self._current().rows
        record = self.sheet.columns.record_count - 1
        first = len(rows) - 1
        while first > 0 and ROW.unpack_from(self.sheet.columns.rows, rows[first - 1] * ROW.size)[0] == record:
            first -= 1
        if not self._row(rows[first])[1] & Flag.INJECTED:
            self.turns.append(first)

    def _roll_back(self, turns: int) -> None:
        """Takes the last turns out of the conversation: they are a branch of it."""
        current = self._current()
        rows, cut = current.rows, self.turns[-min(turns, len(self.turns))]
        while cut > max(self.turns[0], current.start):  # what was put in before a turn goes with it
            role, flags = self._row(rows[cut - 1])
            if role != Role.DEVELOPER and not (role == Role.USER and flags & Flag.INJECTED):
                break
            cut -= 1
        gone = rows[cut:].tolist()
        number, said = len(self.branches) + 1, len(self.turns[-turns:])
        branch = self.sheet.conversation(
            f"{current.id}~{number}", model=current.model, rows=rows[:], start=min(current.start, cut), forks_from=current.id,
            title=f"{'a turn' if said == 1 else f'{said} turns'} taken back", shared=self._records(rows[:cut]),
            messages=self._records(rows[cut:]), why="the person took these turns back; the model no longer sees them",
        )  # fmt: skip
        self.branches.append((self.sheet.conversations.index(branch), gone))
        del rows[cut:]
        current.messages -= branch.messages
        self.turns = [turn for turn in self.turns if turn < cut]

    def _records(self, rows: Sequence[int]) -> int:
        data = self.sheet.columns.rows
        return len({ROW.unpack_from(data, row * ROW.size)[0] for row in rows})


def _wrong(payload: dict[str, Any]) -> str:
    """Why Codex does not read an item; "" where nothing is seen that would keep it from that."""
    if not isinstance(payload.get("type"), str):
        return "its payload has no `type`"
    if payload["type"] == "message" and not isinstance(payload.get("content"), list):
        return "the content of its message is no list"
    if payload["type"] == "function_call" and not isinstance(payload.get("arguments"), str):
        return "the arguments of its call are no string"
    return ""


FORMAT = Codex()
