"""Gemini CLI's sessions: one JSON document with its messages, or (since 0.40) lines that are replayed; and checkpoints, `{history}`.

Of lines, a message with an id takes the place of an earlier one with that id, `{"$rewindTo": id}` takes back that message and all behind
it, `{"$set": {...}}` changes the header, and with `messages` in it puts a new list in place of all that were there. What was taken back is
a branch, what a new list leaves out stands before it and is no longer seen.
Source: google-gemini/gemini-cli packages/core/src/services/chatRecordingService.ts and chatRecordingTypes.ts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from app.formats._chains import filled
from app.formats._columns import tokens_of
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._gemini_cli import ROLES, GeminiCliWire
from app.formats._gemini_cli_write import GeminiCliWriter
from app.formats._json import NotJson, loads
from app.formats._logs import ARRAY, LINES, Conversation, Lane, Log, Sheet, each_line
from app.formats._nodes import Node, document
from app.formats._peek import peek
from app.formats._scan import Malformed, Torn, scan_object
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import UnreadableError
from app.model.kinds import Role
from app.model.source import Source
from app.model.table import Ints, RecordKind, Shown
from app.model.transcript import Refusal, Transcript, Wall

TYPES: Final = frozenset({"user", "gemini", "info", "error", "warning"})
HEADER: Final = frozenset({"sessionId", "projectHash", "startTime"})
_STATUS: Final = re.compile(r"\b([45]\d\d)\b")


def _never(context: Any, run: Any) -> list[bytes]:
    raise NotImplementedError  # messages are written with their results in them: see GeminiCliWriter


class GeminiCli(Log):
    name = "gemini-cli"
    summary = "Gemini CLI: a session, one document or lines that are replayed"
    provider = "gemini"
    mode = "prefix"
    native = False
    dialect = Dialect(GeminiCliWire(), _never, Role.USER)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        if seen.lines or (whole and isinstance(seen.value, dict) and seen.value.keys() >= HEADER and "messages" not in seen.value):
            records = [record for record in seen.records if isinstance(record, dict)]
            header = any(r.keys() >= HEADER and "uuid" not in r for r in records)
            told = sum(_is_message(r) or "$set" in r or "$rewindTo" in r or r.keys() >= HEADER for r in records)
            if not told or 2 * told < len(records) or not (header or any("$set" in r or "$rewindTo" in r for r in records)):
                return None
            return Confidence(self.name, 0.97, "lines of a session: a header with projectHash, messages of type user and gemini")
        value = seen.value
        if isinstance(value, list):
            said = sum(_is_message(m) and "role" not in m for m in value[:20])
            return Confidence(self.name, 0.8, "messages of type user and gemini") if said and 2 * said > len(value[:20]) else None
        if not isinstance(value, dict):
            return None
        messages = value.get("messages")
        if isinstance(messages, list) and "sessionId" in value and ("projectHash" in value or any(map(_is_message, messages[:20]))):
            return Confidence(self.name, 0.97, "sessionId, projectHash and messages")
        history = value.get("history")
        if isinstance(history, list) and history and isinstance(history[0], dict) and "parts" in history[0]:
            return Confidence(self.name, 0.9, "history of contents made of parts")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        sheet = Sheet(self.name, self.dialect, source)
        reading = _Reading(sheet)
        try:
            root = None if _is_lines(source) else document(source)
        except UnreadableError:
            root = None
        if root is not None and not _is_line(root.value):
            reading.document(root)
        else:
            for number, offset, length, value, odd in each_line(source, first_look):
                reading.line(number, offset, length, value, odd)
                if progress is not None and not number % 2048:
                    progress(min(1.0, offset / max(1, source.size)))
            reading.close(source.size)
        begun = root is not None and isinstance(root.value, dict) and root.value.get("messages") == []  # and nothing said yet
        if (not sheet.columns.record_count or not reading.told) and not begun:
            raise UnreadableError(f"{source.name}: it holds no session of Gemini CLI that could be read")
        return reading.dump(not first_look)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return GeminiCliWriter(dump, transcripts, self.dialect).plan()


def _is_message(value: Any) -> bool:
    word = value.get("type") if isinstance(value, dict) else None
    return isinstance(word, str) and word in TYPES and "timestamp" in value and ("content" in value or "toolCalls" in value)


def _is_line(value: Any) -> bool:
    """Whether what is the whole file is the first line of a session."""
    return isinstance(value, dict) and not isinstance(value.get("messages"), list) and not isinstance(value.get("history"), list)


def _is_lines(source: Source) -> bool:
    """Whether a file is one of lines: its first line is a value, and another one follows."""
    head = source.read(0, min(source.size, 1 << 20)).split(b"\n", 1)
    if len(head) < 2 or not head[1].strip():
        return False
    try:
        return isinstance(loads(head[0].strip().removeprefix(b"\xef\xbb\xbf")), dict)
    except NotJson:
        return not head[0].strip()[:2].isspace() and head[0].strip()[:1] == b"{" and len(head[0].strip()) > 1


class _Reading:
    """A session while it is replayed. `state`: ids and the records that stand for them now; `past`: records that a new list left out."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.state: dict[Any, int] = {}
        self.past: list[int] = []
        self.walls: list[tuple[int, int]] = []  # record, and how many records of `past` stand before it
        self.branches: list[tuple[list[int], list[int], int]] = []  # past, state, and how much of it the main line shares
        self.versions: dict[int, list[int]] = {}
        self.first: dict[int, int] = {}
        self.rewinds: dict[int, list[int]] = {}
        self.hidden: list[int] = []
        self.refused: dict[int, tuple[int | None, str]] = {}
        self.models: dict[int, str] = {}
        self.usage: dict[int, tuple[int, dict[str, Any]]] = {}
        self.title, self.subagent, self.told, self.id = "", False, False, "main"
        self._lane: tuple[int, int] = (0, 0)  # where the lane of lines at hand begins: offset and record
        self.more: dict[str, Any] = {}  # for the writer: `history`: the contents of a checkpoint

    # -- what is in the file --------------------------------------------------------------------------------------------------

    def document(self, root: Node) -> None:
        """A session that is one document."""
        node: Node | None = root
        if isinstance(root.value, dict):
            self._header(root.value)
            key = "messages" if isinstance(root.value.get("messages"), list) else "history"
            if key == "history":
                self.more["history"] = True
            node = root.get(key)
        if node is not None:
            self._list(node, self.sheet.columns.record_count, replayed=False)

    def _list(self, node: Node, first: int, replayed: bool, offset: int = 0) -> None:
        """The elements of a list of messages. `offset`: where in the file the text begins that the node was read from."""
        sheet = self.sheet
        seen = dict(self.state)
        if replayed:
            self.state = {}
        for place, item in enumerate(node.elements()):
            sheet.pointers[sheet.columns.record_count] = item.pointer
            self._entry(item.start + offset, item.length, place, item.value, True, seen, replayed)
        self.told = True
        sheet.lane_of.setdefault(0, len(sheet.lanes))
        sheet.lanes.append(Lane(ARRAY, node.start + offset, node.end + offset, first, sheet.columns.record_count - first))
        if replayed:
            lost = [record for id, record in seen.items() if id not in self.state]
            self.past += lost
            if lost:
                self.walls.append((first - 1, len(self.past)))

    def line(self, number: int, offset: int, length: int, value: Any, odd: bool) -> None:
        sheet, record = self.sheet, self.sheet.columns.record_count
        if not isinstance(value, dict):
            sheet.other(offset, length, number, RecordKind.UNPARSED if value is None else RecordKind.UNKNOWN)
        elif "$rewindTo" in value:
            sheet.other(offset, length, number)
            self._rewind(record, value["$rewindTo"])
        elif "id" in value and "$set" not in value:
            self._entry(offset, length, number, value, odd, self.state, False)
            self.told = True
        else:
            patch = value.get("$set", value)
            known = "$set" in value or bool(HEADER & value.keys())
            sheet.other(offset, length, number, RecordKind.META if known else RecordKind.UNKNOWN)
            self.told = self.told or known
            if known and isinstance(patch, dict):
                self._header(patch)
                if isinstance(patch.get("messages"), list) and (patch["messages"] or "$set" in value):
                    self._listed(number, offset, length, value, record)

    def _listed(self, number: int, offset: int, length: int, value: dict[str, Any], record: int) -> None:
        """A line that holds a list of messages: its elements are records of their own, and no lane of lines holds it."""
        data = self.sheet.source.read(offset, length)
        try:
            scan_object(data)
        except (Torn, Malformed):
            return
        root = Node(data, value, 0, len(data), f"/{number}")
        node = root.get("$set", "messages") if "$set" in value else root.get("messages")
        if node is None:
            return
        self._close(offset, record)
        self._list(node, record + 1, True, offset)
        self._lane = offset + length, self.sheet.columns.record_count

    def _close(self, end: int, record: int) -> None:
        """Ends the lane of lines at hand before a record."""
        start, first = self._lane
        if record > first:
            self.sheet.lane_of.setdefault(0, len(self.sheet.lanes))
            self.sheet.lanes.append(Lane(LINES, start, end, first, record - first))

    def close(self, end: int) -> None:
        self._close(end, self.sheet.columns.record_count)

    def _entry(self, offset: int, length: int, place: int, value: Any, odd: bool, seen: dict[Any, int], replayed: bool) -> None:
        """A message: `seen` are those that it may take the place of."""
        sheet, record = self.sheet, self.sheet.columns.record_count
        if not isinstance(value, dict):
            sheet.other(offset, length, place, RecordKind.UNKNOWN, owner=0)
            self.state[("other", record)] = record
            return
        word = value.get("type", value.get("role"))
        time = value.get("timestamp", value.get("ts"))
        message = sheet.messages
        if isinstance(word, str) and word in ROLES:
            sheet.message(None, offset, length, place, value, (), odd, time, value.get("model"))
            if isinstance(value.get("tokens"), dict):
                self.usage[record] = message, value["tokens"]
            if isinstance(value.get("model"), str) and value["model"]:
                self.models[record] = value["model"]
        elif word == "error":
            sheet.other(offset, length, place, RecordKind.REFUSAL, Shown.SHOWN, time)
            text = value.get("content")
            said = text if isinstance(text, str) else ""
            found = _STATUS.search(said)
            self.refused[record] = int(found[1]) if found else None, said
        else:
            known = isinstance(word, str) and word in TYPES
            sheet.other(offset, length, place, RecordKind.META if known else RecordKind.UNKNOWN, time=time)
        id = value.get("id")
        id = id if isinstance(id, str) and "history" not in self.more else ("other", record)
        before = seen.get(id, -1)
        if before >= 0:
            self.versions[record] = [*self.versions.pop(before, []), before]
            self.hidden.append(before)
            if not replayed:
                self.first[record] = self.first.pop(before, before)
        self.state[id] = record

    def _rewind(self, record: int, target: Any) -> None:
        ids = list(self.state)
        at = ids.index(target) if target in self.state else 0
        removed = [self.state[id] for id in ids[at:]]
        if target in self.state:
            self.rewinds[record] = removed
        if removed:
            self.branches.append((list(self.past), list(self.state.values()), at))
        for id in ids[at:]:
            del self.state[id]

    def _header(self, value: dict[str, Any]) -> None:
        if isinstance(value.get("summary"), str):
            self.title = value["summary"]
        if value.get("kind") == "subagent":
            self.subagent = True

    # -- what it says -----------------------------------------------------------------------------------------------------------

    def dump(self, complete: bool) -> Dump:
        sheet = self.sheet
        first, count = sheet.spans()
        owner = np.full(sheet.columns.record_count, -1, np.int64)
        main = sheet.conversation("main", title=self.title, subagent=self.subagent)
        self._told(main, self.past, list(self.state.values()), first, count, owner, 0)
        for past, state, at in self.branches:
            removed = [record for record in state[at:] if owner[record] < 0]
            if not any(count[record] for record in removed):
                owner[removed] = 0
                continue
            index = len(sheet.conversations)
            told = sheet.conversation(f"rewound-{index}", why="taken back by a rewind", subagent=self.subagent)
            told.forks_from, told.shared = "main", at
            self._told(told, past, state, first, count, owner, index)
        for record, older in self.versions.items():
            owner[older] = owner[record]
        replaced = set(self.hidden)
        usages = {message: tokens for record, (message, tokens) in self.usage.items() if record not in replaced}
        for message, tokens in usages.items():
            cached = tokens_of(tokens, "cached")
            fresh, output = tokens_of(tokens, "input") - cached, tokens_of(tokens, "output") + tokens_of(tokens, "thoughts")
            if fresh > 0 or cached or output:
                sheet.columns.usage(message, fresh=max(0, fresh), cache_read=cached, cache_write=0, output=output)
        if self.branches:
            sheet.whys.append(f"{len(self.branches)} rewind{'s' if len(self.branches) > 1 else ''}; what was taken back is shown by itself")
        replay = {"versions": self.versions, "first": self.first, "rewinds": self.rewinds}
        dump = sheet.dump(complete, opened=0, owner=filled(owner), inside=True)
        dump.table.extra |= {"replay": replay, **self.more}
        records = dump.table.records
        records.kind, records.shown = records.kind.copy(), records.shown.copy()
        live = {record for past, state, _ in self.branches for record in (*past, *state)}
        hidden = [record for record in self.hidden if record not in live]
        records.kind[hidden], records.shown[hidden] = RecordKind.META, Shown.HIDDEN
        return dump

    def _told(self, told: Conversation, past: list[int], state: list[int], first: Ints, count: Ints, owner: Ints, index: int) -> None:
        """One conversation, and which records it counts."""
        row = -1
        for number, record in enumerate([*past, *state]):
            if number == len(past):
                told.start = len(told.rows)
            mine = owner[record] < 0
            if mine:
                owner[record] = index
            if count[record]:
                told.rows.extend(range(int(first[record]), int(first[record] + count[record])))
                told.messages += 1
                row = int(first[record] + count[record] - 1)
            if record in self.refused and mine:
                told.refusals.append(Refusal(record, row, *self.refused[record]))
            told.model = self.models.get(record, told.model)
        if past and not state:
            told.start = len(told.rows)
        for record, before in self.walls:
            behind = [*past, *state][before:]
            found = next((r for r in behind if count[r]), -1)
            if before <= len(past):
                told.walls.append(Wall(int(first[found]) if found >= 0 else -1, record))


FORMAT = GeminiCli()
