"""Claude Code's records outside of its session log: of the web export, and of the stream that `--output-format stream-json` prints.

Each holds a message of Anthropic's wire in an envelope, one for each block of an assistant's message. They are told in the order of the
file: a conversation for each session, and one for each subagent in it. A refusal is no message; what stands before the last compaction is
no longer seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np

from app.formats import _anthropic_messages
from app.formats._anthropic import add_content, role_of
from app.formats._anthropic_blocks import content_blocks
from app.formats._chain_write import digest
from app.formats._claude_marks import SYNTHETIC, mark, refusal
from app.formats._columns import Columns, tokens_of
from app.formats._context import Context
from app.formats._dialects import Dialect
from app.formats._json import loads
from app.formats._log_write import LogWriter, Plan
from app.formats._logs import Conversation, Log, Sheet
from app.formats._scan import scan_object
from app.formats._splice import rewrite_object
from app.formats._style import style_of
from app.formats._writing import Writing
from app.model.block import Block
from app.model.dump import Dump
from app.model.kinds import Flag, Kind, Role
from app.model.table import RecordKind, Shown
from app.model.transcript import Refusal, Transcript, Wall

MESSAGE: Final = ("message",)
COPIES: Final = ("toolUseResult", "tool_use_result")
"""Members of a record that show its result once more."""
_NOTES: Final = (
    *COPIES, "isMeta", "isSynthetic", "isReplay", "isCompactSummary", "isVisibleInTranscriptOnly", "requestId", "request_id", "error",
    "sourceToolAssistantUUID",
)  # fmt: skip


class EventWire:
    """Rows and blocks of a message, texts that the program wrote in the user's name marked."""

    joins: ClassVar[bool] = False
    args_text: ClassVar[bool] = False

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> int:
        add_content(columns, record, message, role_of(value.get("role")), value.get("content"), odd=odd, mark=mark)
        return 1

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        return content_blocks(role_of(value.get("role")), value.get("content"), first=first, record=record, pointer=pointer)

    def made_type(self, kind: Kind, role: Role) -> str:
        return "tool_result" if kind == Kind.TOOL_RESULT else "text"


DIALECT: Final = Dialect(EventWire(), _anthropic_messages.rewrite, Role.USER)


class Events:
    """The records while they are read."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.held: dict[tuple[str, str], Conversation] = {}
        self.sessions: dict[str, None] = {}
        self.model: str | None = None
        self._side_of: dict[str, str] = {}  # records of subagents, by uuid
        self._usages: dict[Any, tuple[int, dict[str, Any]]] = {}
        self._flags: dict[int, int] = {}  # record to flags that its rows bear
        self._sides: list[int] = []  # records with what a parent wrote to its subagent
        self._current: Conversation | None = None

    def enter(self, place: int, offset: int, length: int, value: Any, odd: bool, pointer: str | None = None) -> None:
        """The next record; `value` None: it is no JSON."""
        sheet, record = self.sheet, self.sheet.columns.record_count
        if pointer is not None:
            sheet.pointers[record] = pointer
        if not isinstance(value, dict):
            sheet.other(offset, length, place, RecordKind.UNPARSED if value is None else RecordKind.UNKNOWN)
            return
        message, word, time = value.get("message"), value.get("type"), value.get("timestamp")
        if word in ("user", "assistant") and isinstance(message, dict) and "content" in message:
            self._message(place, offset, length, value, message, odd)
            return
        kind, shown = (RecordKind.META, Shown.HIDDEN) if isinstance(word, str) else (RecordKind.UNKNOWN, Shown.HIDDEN)
        bounds = word == "system" and value.get("subtype") == "compact_boundary"
        if bounds:
            kind, shown = RecordKind.BOUNDARY, Shown.SHOWN
        owner = -1 if self._current is None else sheet.conversations.index(self._current)
        sheet.other(offset, length, place, kind, shown, time, owner)
        if word == "system" and value.get("subtype") == "init" and isinstance(value.get("model"), str):
            self.model = value["model"]
        if bounds and self._current is not None:
            told = value.get("compact_metadata", value.get("compactMetadata"))
            before = tokens_of(told, "pre_tokens", "preTokens") if isinstance(told, dict) else 0
            self._wall(self._current, record, before or None)

    def _message(self, place: int, offset: int, length: int, value: dict[str, Any], message: dict[str, Any], odd: bool) -> None:
        sheet, record, time = self.sheet, self.sheet.columns.record_count, value.get("timestamp")
        told = self._current = self._conversation(value)
        refused = refusal(value, message) if value["type"] == "assistant" else None
        if refused is not None:
            sheet.other(offset, length, place, RecordKind.REFUSAL, Shown.SHOWN, time, sheet.conversations.index(told))
            told.refusals.append(Refusal(record, told.rows[-1] if told.rows else -1, *refused))
            return
        summary = value.get("isCompactSummary") is True
        if summary and not (told.walls and told.start == len(told.rows)):
            self._wall(told, record, None)
        model = message.get("model")
        model = model if isinstance(model, str) and model and model != SYNTHETIC else None
        if value["type"] == "assistant":
            told.model = model or told.model or self.model
        kind = RecordKind.SUMMARY if summary else RecordKind.MESSAGE
        sheet.message(told, offset, length, place, message, MESSAGE, odd, time, model, kind)
        if summary:
            self._flags[record] = Flag.SUMMARY
        elif value.get("isMeta") is True or value.get("isSynthetic") is True:
            self._flags[record] = Flag.INJECTED
        if told.subagent and value["type"] == "user":
            self._sides.append(record)
        if isinstance(message.get("usage"), dict):
            id = message.get("id")
            self._usages[id if isinstance(id, str) and id else record] = sheet.messages - 1, message["usage"]

    def _wall(self, told: Conversation, record: int, before: int | None) -> None:
        told.start = len(told.rows)
        told.walls.append(Wall(self.sheet.columns.row_count, record, before))

    def _conversation(self, value: dict[str, Any]) -> Conversation:
        """Of a record: by its session, and by the call or the agent whose subagent said it."""
        session = value.get("session_id", value.get("sessionId"))
        session = session if isinstance(session, str) else ""
        side = self._side(value)
        found = self.held.get((session, side))
        if found is None:
            self.sessions.setdefault(session)
            more = {"subagent": True, "why": "a subagent's own conversation"} if side else {}
            found = self.held[session, side] = self.sheet.conversation("", **more)
        return found

    def _side(self, value: dict[str, Any]) -> str:
        """What names the subagent that a record is of; "" for the main line."""
        parent = value.get("parent_tool_use_id")
        if isinstance(parent, str) and parent:
            return parent
        if value.get("isSidechain") is not True:
            return ""
        agent, uuid, above = value.get("agentId"), value.get("uuid"), value.get("parentUuid")
        side = agent if isinstance(agent, str) and agent else self._side_of.get(above) if isinstance(above, str) else None
        side = side or (uuid if isinstance(uuid, str) else "sidechain")
        if isinstance(uuid, str):
            self._side_of[uuid] = side
        return side

    def dump(self, complete: bool) -> Dump:
        sheet = self.sheet
        for (session, side), told in self.held.items():
            name = "main" if len(self.sessions) < 2 else f"session-{session[:8] or 'none'}"
            name = f"sidechain-{side[-12:]}" if side else name
            taken = {one.id for one in sheet.conversations}
            told.id = name if name not in taken else f"{name}-{sheet.conversations.index(told)}"
        if not sheet.conversations:
            sheet.conversation("main", why="nothing in this file was said to a model or by it", model=self.model)
        for message, usage in self._usages.values():
            fresh, output = tokens_of(usage, "input_tokens"), tokens_of(usage, "output_tokens")
            read, written = tokens_of(usage, "cache_read_input_tokens"), tokens_of(usage, "cache_creation_input_tokens")
            if fresh or output or read or written:
                sheet.columns.usage(message, fresh=fresh, cache_read=read, cache_write=written, output=output)
        dump = sheet.dump(complete)
        table = dump.table
        table.records.owner = np.maximum(table.records.owner, 0)
        for record, flag in self._flags.items():
            rows = slice(int(table.record.searchsorted(record)), int(table.record.searchsorted(record, "right")))
            table.flags[rows] |= np.uint32(flag)
        for record in self._sides:
            rows = slice(int(table.record.searchsorted(record)), int(table.record.searchsorted(record, "right")))
            said = table.kind[rows] == Kind.TEXT
            table.flags[rows][said] = (table.flags[rows][said] | np.uint32(Flag.PROMPT)) & ~np.uint32(Flag.INJECTED)
        return dump


class EventWriter(LogWriter):
    """A record whose message was changed has no display copy of its result any more; a new one has an id of its own, and what hung on one
    that goes hangs on what stands before that."""

    _numbers = 0

    def item_like(self, context: Context, record: int, data: bytes) -> bytes:
        whole = super().item_like(context, record, data)
        if record < 0:
            return whole
        item = scan_object(whole)
        style = style_of(whole, item, context.style)
        role = loads(data).get("role")
        values: dict[str, bytes | None] = {key: None for key in _NOTES if item.get(key) is not None}
        values["type"] = style.text(role if role in ("user", "assistant") else "user")
        held = item.get("uuid")
        if held is not None:
            self._numbers += 1
            d = digest(f"{whole[held.start : held.end]!r}/{self._numbers}/{len(data)}", 32)
            values["uuid"] = style.text("-".join((d[:8], d[8:12], d[12:16], d[16:20], d[20:])))
        return rewrite_object(whole, item, values, style)

    def _settle(self, plan: Plan) -> int:
        for record, data in plan.changed.items():
            item = scan_object(data)
            values: dict[str, bytes | None] = {key: None for key in COPIES if item.get(key) is not None}
            if values:
                plan.changed[record] = rewrite_object(data, item, values, self.frame)
        return self._relink(plan)

    def _relink(self, plan: Plan) -> int:
        """Sets the parents of records that named one that is gone."""
        if not plan.gone:
            return 0
        above: dict[str, str | None] = {}
        relinked = 0
        for record in range(len(self.table.records)):
            value = self._value(record)
            uuid, parent = value.get("uuid"), value.get("parentUuid")
            if record in plan.gone:
                if isinstance(uuid, str):
                    above[uuid] = above.get(parent, parent) if isinstance(parent, str) else None
            elif isinstance(parent, str) and parent in above:
                data = plan.changed.get(record)
                relinked += data is None
                data = self._item(record) if data is None else data
                item = scan_object(data)
                plan.changed[record] = rewrite_object(data, item, {"parentUuid": self.frame.dumps(above[parent])}, self.frame)
                self.writing.tally.notes.append((self.table.pointer(record), "parentUuid names what stands before the record that is gone"))
        return relinked

    def _item(self, record: int) -> bytes:
        records = self.table.records
        return self.source.read(int(records.offset[record]), int(records.length[record]))

    def _value(self, record: int) -> dict[str, Any]:
        if self.table.records.kind[record] == RecordKind.UNPARSED:
            return {}
        value = loads(self._item(record))
        return value if isinstance(value, dict) else {}


class EventLog(Log):
    """Base of both."""

    provider = "anthropic"
    mode = "prefix"
    dialect = DIALECT

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        return EventWriter(dump, transcripts, self.dialect).plan()
