"""Qwen Code's session log: Claude Code's envelope (`uuid`, `parentUuid`, `sessionId`) around contents of Gemini's wire.

Lines of type `system` say what happened beside the talk: a `rewind` hangs on the record that the talk goes on from, `chat_compression`
carries the history that takes the place of what came before (a copy), `ui_telemetry` tells of requests and of those that failed. Lines of
one uuid are parts of one turn. `toolCallResult` is a display copy of a result.
Source: QwenLM/qwen-code packages/core/src/services/chatRecordingService.ts, and recorded sessions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from app.formats._chain_read import ChainReading
from app.formats._chain_write import ChainWriter, Unit, digest
from app.formats._chains import Tree
from app.formats._columns import tokens_of
from app.formats._dialects import GEMINI
from app.formats._format import Progress
from app.formats._json import loads
from app.formats._log_write import Plan
from app.formats._logs import LINES, Lane, Log, Sheet, each_line
from app.formats._peek import peek
from app.formats._scan import scan_object
from app.formats._splice import rewrite_object
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.edits import DELETE
from app.model.errors import UnreadableError
from app.model.source import Source
from app.model.table import RecordKind, Shown
from app.model.transcript import Transcript

MESSAGE: Final = ("message",)
TYPES: Final = frozenset({"user", "assistant", "tool_result", "system"})
_OWN: Final = ("systemPayload", "provenance")  # members that tell Qwen's lines from those of others with this envelope
_OTHERS: Final = ("toolCallResult", "usageMetadata", "model", "subtype", "systemPayload", "provenance", "contextWindowSize")


class QwenCode(Log):
    name = "qwen-code"
    summary = "Qwen Code: a session log, contents of Gemini's wire in a tree of uuids"
    provider = "gemini"
    mode = "prefix"
    dialect = GEMINI

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        seen = peek(head, whole)
        records = [record for record in seen.records if isinstance(record, dict)]
        if not records or not (seen.lines or whole):
            return None
        own = sum(_is_own(record) for record in records)
        if not own or 2 * own < len(records):
            return None
        return Confidence(self.name, 0.99, "lines with uuid and parentUuid around a message of parts")

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
        return QwenWriter(dump, transcripts, self.dialect).plan()


def _is_own(record: dict[str, Any]) -> bool:
    message = record.get("message")
    parts = isinstance(message, dict) and "parts" in message
    return "uuid" in record and "parentUuid" in record and (parts or any(key in record for key in _OWN))


def enter(tree: Tree, value: Any, session: str | None) -> str | None:
    """A record of the tree; the session at hand comes back."""
    if not isinstance(value, dict) or "uuid" not in value:
        tree.beside()
        return session
    id = value.get("sessionId")
    if isinstance(id, str) and id != session:
        tree.session()
        session = id
    uuid, parent = value["uuid"], value.get("parentUuid")
    last = len(tree.names) - 1
    while last >= 0 and tree.group[last] < 0:
        last -= 1
    part = last >= 0 and tree.group[last] == tree.groups - 1 and uuid == tree.names[last]
    tree.entry(uuid, uuid if part else parent)
    return session


class _Reading(ChainReading):
    """The lines of a session, one by one."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet, Tree())
        self.session: str | None = None

    def line(self, number: int, offset: int, length: int, value: Any, odd: bool) -> None:
        sheet, record = self.sheet, self.sheet.columns.record_count
        groups = self.tree.groups
        self.session = enter(self.tree, value, self.session)
        if self.tree.groups > groups:
            self.sessions.append(self.session or "")
        if not isinstance(value, dict):
            sheet.other(offset, length, number, RecordKind.UNPARSED if value is None else RecordKind.UNKNOWN)
            return
        message, word, stamp = value.get("message"), value.get("type"), value.get("timestamp")
        if isinstance(message, dict) and "parts" in message and "uuid" in value:
            model = value.get("model")
            sheet.message(None, offset, length, number, message, MESSAGE, odd, stamp, model)
            if isinstance(model, str) and model:
                self.models[record] = model
            self._usage(value.get("usageMetadata"))
            return
        payload = value.get("systemPayload")
        kind, shown = RecordKind.META if isinstance(word, str) and word in TYPES else RecordKind.UNKNOWN, Shown.HIDDEN
        if isinstance(payload, dict) and "uuid" in value:
            kind, shown = self._system(record, value.get("subtype"), payload) or (kind, shown)
        sheet.other(offset, length, number, kind, shown, stamp)

    def _system(self, record: int, subtype: Any, payload: dict[str, Any]) -> tuple[RecordKind, Shown] | None:
        """A line that holds no message: what kind of record it is, None where it is of no consequence."""
        if subtype == "custom_title" and isinstance(payload.get("customTitle"), str):
            self.titles[record] = payload["customTitle"]
        elif subtype == "chat_compression":
            info = payload.get("info")
            told = info if isinstance(info, dict) else {}
            self.walls[record] = _number(told.get("originalTokenCount")), _number(told.get("newTokenCount"))
            return RecordKind.BOUNDARY, Shown.SHOWN
        elif subtype == "ui_telemetry":
            event = payload.get("uiEvent")
            name = event.get("event.name") if isinstance(event, dict) else None
            if isinstance(event, dict) and isinstance(name, str) and name.endswith("api_error"):
                said = event.get("error_message", event.get("error"))
                self.refused[record] = _number(event.get("status_code")) or None, said if isinstance(said, str) else ""
                return RecordKind.REFUSAL, Shown.SHOWN
        return None

    def _usage(self, usage: Any) -> None:
        if not isinstance(usage, dict):
            return
        total, read = tokens_of(usage, "promptTokenCount"), tokens_of(usage, "cachedContentTokenCount")
        output = tokens_of(usage, "candidatesTokenCount") + tokens_of(usage, "thoughtsTokenCount")
        if total or output:
            self.sheet.columns.usage(self.sheet.messages - 1, fresh=max(0, total - read), cache_read=read, cache_write=0, output=output)


def _number(value: Any) -> int | None:
    try:
        return int(value) if isinstance(value, int | str) and not isinstance(value, bool) else None
    except ValueError:
        return None


class QwenWriter(ChainWriter):
    """Lays edits over a session."""

    id_key, parent_key = "uuid", "parentUuid"
    _session: str | None = None

    def enter(self, record: int, value: Any) -> None:
        self._session = enter(self.tree, value, self._session)

    def fresh_id(self, seed: str) -> str:
        taken, number = set(self.tree.names), 0
        while True:
            d = digest(f"{seed}/{number}", 32)
            id = f"{d[:8]}-{d[8:12]}-{d[12:16]}-{d[16:20]}-{d[20:]}"
            if id not in taken:
                self.tree.names.append(id)
                return id
            number += 1

    def rootless(self, gone: int) -> str | None:
        """What hung on one record still names one record, so that branches stay apart."""
        above = [record for record in self.tree.above if record >= 0]
        return self.tree.names[gone] if len(set(above)) < len(above) else None

    def walls(self, plan: Plan) -> None:
        """What the model no longer sees stands before the compaction that hides it."""
        for base, _ in self.pairs:
            if not base.walls:
                continue
            wall = base.walls[-1].record
            records = self.chains[base.index].records
            behind = set(records[records.index(wall) :])
            ended: list[Unit] = []
            for units in [*(self.before[record] for record in self.before if record in behind), self.tails.get(base.index, [])]:
                ended += [unit for unit in units if unit.unseen]
                units[:] = [unit for unit in units if not unit.unseen]
            self.before = {record: units for record, units in self.before.items() if units}
            if ended:
                self.before[wall] = ended

    def own_members(self, unit: Unit) -> dict[str, Any]:
        """The type of a new line, and none of what its neighbour says of itself."""
        content = loads(unit.data)
        parts = content.get("parts") if isinstance(content.get("parts"), list) else ()
        answers = any(isinstance(part, dict) and ("functionResponse" in part or "function_response" in part) for part in parts)
        word = "tool_result" if answers else "assistant" if content.get("role") == "model" else "user"
        return {"type": word, **dict.fromkeys(_OTHERS, DELETE)}

    def keep(self, plan: Plan) -> None:
        """What was changed has no display copy any more."""
        for record, data in plan.changed.items():
            line = scan_object(data)
            if line.get("toolCallResult") is not None:
                plan.changed[record] = rewrite_object(data, line, {"toolCallResult": None}, self.frame)


FORMAT = QwenCode()
