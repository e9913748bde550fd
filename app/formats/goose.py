"""Goose's sessions: lines (up to 1.9), the database `sessions.db` (since 1.10), and what it exports of one session.

The first line is a header. A compaction takes nothing away: it hides what it sums up from the model (`metadata.agentVisible`), and that
stands before what is sent. A database is read and never written.
Source: block/goose crates/goose/src/session/session_manager.rs (`Session`, tables `sessions` and `messages`), legacy.rs.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence
from typing import Any

from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._goose import TYPES, GooseMould, is_visible
from app.formats._json import NotJson, compact, loads
from app.formats._logs import ARRAY, LINES, Conversation, Lane, Log, Sheet, each_line
from app.formats._nodes import Node, document
from app.formats._paths import follow
from app.formats._peek import peek
from app.formats._runs import untouched
from app.formats._sqlite import MAGIC, has_tables, opened, rows_of
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import InspectorError, UnreadableError
from app.model.kinds import Role
from app.model.source import Source, StandIn
from app.model.table import RecordKind, Shown
from app.model.transcript import Transcript, Wall

_MOULD = GooseMould()
_HEADER = ("message_count", "description", "total_tokens", "schedule_id", "accumulated_total_tokens")


class Goose(Log):
    name = "goose"
    summary = "Goose: a session's lines, its export, or the database"
    provider = "anthropic"
    mode = "prefix"
    native = False
    dialect = Dialect(_MOULD, _MOULD.rewrite, Role.USER)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        if head.startswith(MAGIC):
            known = has_tables(head, "sessions", "messages") and b"content_json" in head
            return Confidence(self.name, 0.95, "a database with the tables sessions and messages") if known else None
        seen = peek(head, whole)
        if seen.lines or (whole and isinstance(seen.value, dict) and _is_header(seen.value)):
            records = [record for record in seen.records if isinstance(record, dict)]
            said = sum(_is_message(record) for record in records)
            header = bool(records) and _is_header(records[0])
            sure = header or any(map(_has_own, records))
            if not sure or 2 * (said + header) < len(records):
                return None
            return Confidence(self.name, 0.95, "a header with working_dir, and messages of role, created and content")
        return self._document(seen.value)

    def _document(self, value: Any) -> Confidence | None:
        if isinstance(value, list) and value and all(map(_is_message, value[:20])) and any(map(_has_own, value)):
            return Confidence(self.name, 0.93, "messages with parts toolRequest and toolResponse")
        if not isinstance(value, dict) or not isinstance(value.get("conversation"), list):
            return None
        said = [message for message in value["conversation"][:20] if _is_message(message)]
        if "working_dir" in value and (said or not value["conversation"]):
            return Confidence(self.name, 0.95, "working_dir and a conversation of role, created and content")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        if source.stand_in is None and source.read(0, len(MAGIC)) == MAGIC:
            if first_look:
                raise UnreadableError(f"{source.name}: a database is read as a whole or not at all")
            source.stand(_of_database(source))
        sheet = Sheet(self.name, self.dialect, source)
        try:
            root = None if _is_lines(source) else document(source)
        except UnreadableError:
            root = None
        if root is not None and not _is_header(root.value) and not _is_message(root.value):
            _documents(sheet, root)
        else:
            _lines(sheet, source, progress, first_look)
        if not sheet.conversations:
            raise UnreadableError(f"{source.name}: it holds no session of Goose that could be read")
        sheet.more["stand_in"] = source.stand_in
        return sheet.dump(complete=not first_look)

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        if dump.source.file().read(0, len(MAGIC)) != MAGIC:
            return super().write_plan(dump, transcripts)
        if any(not untouched(b, t) for b, t in zip(dump.transcripts, transcripts, strict=True)):
            instead = "edit what `goose session export` writes of it"
            raise InspectorError(f"{dump.source.name}: a database is read and never written here; {instead}")
        writing = Writing(dump.source.file())
        writing.copy(0, writing.source.size)
        writing.tally.same = len(dump.table.records)
        return writing


def _is_header(value: Any) -> bool:
    return isinstance(value, dict) and "role" not in value and "conversation" not in value and (
        "working_dir" in value and any(key in value for key in _HEADER)
    )  # fmt: skip


def _is_lines(source: Source) -> bool:
    """Whether a value ends with the first line and something follows it: then the file is no document, which need not be tried."""
    first, _, rest = source.read(0, min(source.size, 1 << 20)).partition(b"\n")
    try:
        return bool(rest.strip()) and isinstance(loads(first), dict)
    except NotJson:
        return False


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("role") not in ("user", "assistant") or not isinstance(value.get("content"), list):
        return False
    return "created" in value or _has_own(value)


def _has_own(value: Any) -> bool:
    """Whether a message has parts that no other wire has."""
    content = value.get("content") if isinstance(value, dict) else None
    words = [part.get("type") for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return any(isinstance(word, str) and word in TYPES for word in words)


class _Seen:
    """The messages of one conversation: those that the model no longer sees come first."""

    def __init__(self, sheet: Sheet, told: Conversation) -> None:
        self.sheet, self.told, self.index = sheet, told, sheet.conversations.index(told)
        self.gone, self.sent = array("i"), array("i")

    def enter(self, place: int, offset: int, length: int, value: Any, odd: bool) -> None:
        sheet = self.sheet
        if not isinstance(value, dict) or "role" not in value:
            kind = RecordKind.UNPARSED if value is None else RecordKind.UNKNOWN
            sheet.other(offset, length, place, kind, Shown.SHOWN, owner=self.index)
            return
        row = sheet.columns.row_count
        record = sheet.message(self.told, offset, length, place, value, (), odd, value.get("created"))
        rows = range(row, sheet.columns.row_count)
        if not is_visible(value):
            self.gone.extend(rows)
            return
        if self.gone and not self.told.walls:
            self.told.walls.append(Wall(row, record))
        self.sent.extend(rows)

    def close(self) -> None:
        self.told.rows = self.gone + self.sent
        self.told.start = len(self.gone)


def _lines(sheet: Sheet, source: Source, progress: Progress | None, first_look: bool) -> None:
    told = sheet.conversation("main")
    seen = _Seen(sheet, told)
    for number, offset, length, value, odd in each_line(source, first_look):
        if _is_header(value):
            _about(told, value)
            sheet.other(offset, length, number, owner=0)
        else:
            seen.enter(number, offset, length, value, odd)
        if progress is not None and not number % 2048:
            progress(min(1.0, offset / max(1, source.size)))
    seen.close()
    if not sheet.columns.record_count:
        sheet.conversations.clear()
    sheet.lanes.append(Lane(LINES, 0, source.size, 0, sheet.columns.record_count))


def _documents(sheet: Sheet, root: Node) -> None:
    """An export, a bare list of messages, or the sessions of a database."""
    if isinstance(root.value, list) and not any(isinstance(one, dict) and "conversation" in one for one in root.value):
        _document(sheet, "main", {}, root)
        return
    sessions = list(root.elements()) if isinstance(root.value, list) else [root]
    for number, node in enumerate(sessions):
        held = node.get("conversation")
        if held is not None and isinstance(held.value, list):
            id = node.value.get("id")
            name = "main" if len(sessions) == 1 else id if isinstance(id, str) and id else f"session-{number}"
            _document(sheet, name, node.value, held)


def _document(sheet: Sheet, name: str, info: dict[str, Any], node: Node) -> None:
    told = sheet.conversation(name)
    _about(told, info)
    seen, first = _Seen(sheet, told), sheet.columns.record_count
    for place, item in enumerate(node.elements()):
        sheet.pointers[sheet.columns.record_count] = item.pointer
        seen.enter(place, item.start, item.length, item.value, True)
    seen.close()
    sheet.lane_of[sheet.conversations.index(told)] = len(sheet.lanes)
    sheet.lanes.append(Lane(ARRAY, node.start, node.end, first, sheet.columns.record_count - first))


def _about(told: Conversation, info: dict[str, Any]) -> None:
    title = info.get("name") or info.get("description")
    told.title = title if isinstance(title, str) else ""
    model = follow(info, ("model_config", "model_name"))
    told.model = model if isinstance(model, str) and model else None
    told.subagent = info.get("session_type") == "sub_agent"


# -- a database -----------------------------------------------------------------------------------------------------------------


def _of_database(source: Source) -> StandIn:
    """All sessions of a database as one list of exports, the latest one last."""
    with opened(source) as base:
        told = [_session(base, row) for row in rows_of(base, "SELECT * FROM sessions ORDER BY created_at, id", source)]
    return StandIn(b"[" + b",\n".join(told) + b"]")


def _session(base: sqlite3.Connection, row: dict[str, Any]) -> bytes:
    info = {key: row[key] for key in ("id", "working_dir", "name", "description", "session_type", "created_at") if row.get(key) is not None}
    members = [compact(info).encode("utf-8", "surrogatepass")[1:-1]]
    if _json(row.get("model_config_json")) is not None:
        members.append(b'"model_config":' + row["model_config_json"].encode("utf-8", "surrogatepass"))
    said = []
    for held in base.execute("SELECT * FROM messages WHERE session_id = ? ORDER BY id", (row.get("id"),)):
        one = dict(held)
        front = {"id": one.get("message_id"), "role": one.get("role"), "created": one.get("created_timestamp")}
        parts = [compact({key: value for key, value in front.items() if value is not None}).encode("utf-8", "surrogatepass")[1:-1]]
        for key, column in (("content", "content_json"), ("metadata", "metadata_json")):
            data = _json(one.get(column))
            if data is not None:
                parts.append(f'"{key}":'.encode() + data)
        said.append(b"{" + b",".join(part for part in parts if part) + b"}")
    members.append(b'"conversation":[' + b",\n".join(said) + b"]")
    return b"{" + b",".join(member for member in members if member) + b"}"


def _json(value: Any) -> bytes | None:
    """What a column holds as JSON, its own bytes; None where it is none."""
    if not isinstance(value, str):
        return None
    data = value.encode("utf-8", "surrogatepass").strip()
    try:
        loads(data)
    except NotJson:
        return None
    return data


FORMAT = Goose()
