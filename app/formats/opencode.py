"""opencode's sessions: a session's file with the folders of messages and parts beside it, what `opencode export` writes, or the database.

The file of a session stands for its tree. A message that asks for a compaction, once the summary is there, ends what was before it: the
model sees it and what follows (and from `tail_start_id` on what was kept of before). What a person has taken back (`revert`) is a branch.
Written, a session is the document that `opencode import` reads: edits of a folder come out as that. A message or a part alone is shown,
and a database is read; neither is written.
Source: sst/opencode packages/opencode/src/session/message-v2.ts (`filterCompacted`), cli/cmd/export.ts and import.ts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from app.formats._columns import tokens_of
from app.formats._dialects import Dialect
from app.formats._format import Progress
from app.formats._logs import ARRAY, Conversation, Lane, Log, Sheet
from app.formats._nodes import Node, document
from app.formats._opencode import MARKS, OpencodeWire, pieces, stopped
from app.formats._opencode_files import in_storage, of_database, of_folder
from app.formats._opencode_write import OpencodeWriter, never
from app.formats._peek import peek
from app.formats._runs import untouched
from app.formats._sqlite import MAGIC, has_tables
from app.formats._writing import Writing
from app.model.dump import Confidence, Dump
from app.model.errors import InspectorError, UnreadableError
from app.model.kinds import Role
from app.model.source import Source, StandIn
from app.model.table import RecordKind, Shown
from app.model.transcript import Refusal, Transcript, Wall

PARTS: Final = frozenset({"text", "reasoning", "tool", "file", "subtask", "compaction"}) | MARKS
_SESSION: Final = ("projectID", "directory", "version", "title")


class Opencode(Log):
    name = "opencode"
    summary = "opencode: a session, its folder, its export or the database"
    provider = "anthropic"
    mode = "prefix"
    native = False
    lines = False
    dialect = Dialect(OpencodeWire(), never, Role.USER)

    def sniff(self, head: bytes, name: str, whole: bool) -> Confidence | None:
        if head.startswith(MAGIC):
            if not has_tables(head, "session", "message", "part"):
                return None
            return Confidence(self.name, 0.95, "a database with the tables session, message and part")
        seen = peek(head, whole)
        found = _kind(seen.value) if not seen.lines else None
        if found:
            return Confidence(self.name, *WHYS[found])
        if whole and in_storage(name):
            return Confidence(self.name, 0.7, "it stands in a storage folder, beside session, message and part")
        return None

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        if source.stand_in is None:
            _stand(source, first_look)
        sheet = Sheet(self.name, self.dialect, source)
        reading = _Reading(sheet)
        try:
            root: Node | None = document(source)
        except UnreadableError:
            root = None
        if root is not None and _kind(root.value) is not None:
            reading.root(root)
        elif in_storage(source.name):
            sheet.pointers[0] = ""
            sheet.other(0, source.size, 0, RecordKind.META)
        else:
            raise UnreadableError(f"{source.name}: it holds no session of opencode that could be read")
        if not sheet.conversations:
            sheet.conversation("main", why="nothing in this file was said to a model or by it; it is a piece of a session")
        dump = sheet.dump(not first_look, inside=True)
        dump.table.extra |= {"bare": reading.bare, "stand_in": source.stand_in}
        return dump

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        changed = any(not untouched(b, t) for b, t in zip(dump.transcripts, transcripts, strict=True))
        if not changed:
            writing = Writing(dump.source.file())
            writing.copy(0, writing.source.size)
            writing.tally.same = len(dump.table.records)
            return writing
        if dump.table.extra["bare"]:
            raise InspectorError(f"{dump.source.name}: a piece of a session cannot be edited by itself; open the file of the session")
        if dump.source.file().read(0, len(MAGIC)) == MAGIC:
            raise InspectorError(f"{dump.source.name}: a database is read and never written here; edit what `opencode export` writes of it")
        return OpencodeWriter(dump, transcripts, self.dialect).plan()


WHYS: Final = {
    "export": (0.97, "info and messages of info and parts"),
    "exports": (0.97, "a list of sessions, each with info and messages"),
    "messages": (0.95, "messages of info and parts"),
    "session": (0.9, "a session: its project, directory and version"),
    "message": (0.9, "a message: sessionID and role"),
    "part": (0.85, "a part of a message: its type, and sessionID or time"),
}


def _stand(source: Source, first_look: bool) -> None:
    """Puts the whole of a session in place of its file, or of a database."""
    if source.read(0, len(MAGIC)) == MAGIC:
        if first_look:
            raise UnreadableError(f"{source.name}: a database is read as a whole or not at all")
        source.stand(of_database(source))
        return
    try:
        value = document(source).value
    except UnreadableError:
        value = None
    kind = _kind(value)
    found = of_folder(source, value) if kind == "session" else None
    if found is not None:
        source.stand(found)
    elif kind is None and in_storage(source.name):
        source.stand(StandIn(source.all()))  # a note of the program's own; it is one only where it stands


def _kind(value: Any) -> str | None:
    """Which of its documents a value is."""
    if isinstance(value, list):
        first = value[0] if value else None
        if _is_message(first):
            return "messages"
        return "exports" if _kind(first) == "export" and not isinstance(first, list) else None
    if not isinstance(value, dict):
        return None
    info, messages = value.get("info"), value.get("messages")
    if isinstance(info, dict) and isinstance(messages, list):
        known = any(key in info for key in _SESSION)
        return "export" if (any(map(_is_message, messages[:3])) if messages else known) else None
    if "messages" in value or "parts" in value:
        return None
    word = value.get("type")
    if isinstance(word, str) and word in PARTS and ("messageID" in value or "sessionID" in value or _is_old_part(value)):
        return "part"
    if "sessionID" in value and isinstance(value.get("role"), str) and "time" in value:
        return "message"
    if isinstance(value.get("time"), dict) and "id" in value and sum(key in value for key in _SESSION) > 2:
        return "session"
    return None


def _is_old_part(value: dict[str, Any]) -> bool:
    time = value.get("time")
    return "id" in value and isinstance(time, dict) and "start" in time and ("text" in value or "state" in value)


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("info"), dict) and isinstance(value.get("parts"), list)


class _Reading:
    """The messages of a document."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.bare = False

    def root(self, root: Node) -> None:
        sheet, kind = self.sheet, _kind(root.value)
        if kind == "exports":
            for number, node in enumerate(root.elements()):
                self._session(node, f"session-{number}")
        elif kind == "export":
            self._session(root, "main")
        elif kind == "messages":
            self._messages(root, {}, "main")
        elif kind in ("message", "part"):
            self.bare = True
            sheet.pointers[0] = ""
            sheet.message(sheet.conversation("main"), root.start, root.length, 0, root.value)
        elif kind == "session":
            self.bare = True
            sheet.pointers[0] = ""
            why = "the file of a session; its messages are not beside it"
            sheet.other(root.start, root.length, 0, RecordKind.META)
            sheet.conversation("main", why=why, title=_string(root.value.get("title")))

    def _session(self, node: Node, name: str) -> None:
        info = node.value.get("info")
        info = info if isinstance(info, dict) else {}
        id = info.get("id")
        held = node.get("messages")
        if held is not None and isinstance(held.value, list):
            self._messages(held, info, name if name == "main" or not isinstance(id, str) or not id else id)

    def _messages(self, node: Node, info: dict[str, Any], name: str) -> None:
        sheet = self.sheet
        main = sheet.conversation(name, title=_string(info.get("title")), subagent=bool(info.get("parentID")))
        at = sheet.conversations.index(main)
        values = node.value
        back = _taken_back(values, info)
        tail, walls = _seen_from(values if back is None else values[:back])
        first, told = sheet.columns.record_count, main
        for place, item in enumerate(node.elements()):
            if place == back:
                told = sheet.conversation(f"{name}-reverted", why="taken back by a person", subagent=main.subagent, model=main.model)
                told.forks_from, told.shared, told.start = main.id, place, main.start
                told.rows.extend(main.rows)
                told.walls = list(main.walls)
            if place == tail:
                told.start = len(told.rows)
            if place in walls:
                told.walls.append(Wall(sheet.columns.row_count, sheet.columns.record_count))
            sheet.pointers[sheet.columns.record_count] = item.pointer
            self._message(told, place, item)
        sheet.lane_of.setdefault(at, len(sheet.lanes))
        sheet.lanes.append(Lane(ARRAY, node.start, node.end, first, sheet.columns.record_count - first))

    def _message(self, told: Conversation, place: int, item: Node) -> None:
        sheet, value = self.sheet, item.value
        index = sheet.conversations.index(told)
        if not _is_message(value):
            sheet.other(item.start, item.length, place, RecordKind.UNKNOWN, Shown.SHOWN, owner=index)
            return
        info = value["info"]
        time = info.get("time")
        created = time.get("created") if isinstance(time, dict) else None
        when = created / 1000 if isinstance(created, int | float) and not isinstance(created, bool) and abs(created) < 1e15 else None
        model = _model(info)
        if model:
            told.model = model
        why, record = stopped(value), sheet.columns.record_count
        if why is not None and not pieces(value):
            kind, shown = (RecordKind.REFUSAL, Shown.SHOWN) if why == "error" else (RecordKind.META, Shown.HIDDEN)
            sheet.other(item.start, item.length, place, kind, shown, when, owner=index)
        else:
            before = sheet.messages
            sheet.message(told, item.start, item.length, place, value, (), True, when, model)
            self._usage(value, before)
        for error in _errors(value):
            told.refusals.append(Refusal(record, told.rows[-1] if told.rows else -1, *error))

    def _usage(self, value: dict[str, Any], before: int) -> None:
        """What is recorded of the requests that gave a message: one for each step, or one for all of it."""
        if value["info"].get("role") != "assistant":
            return
        marks = [part for part in value["parts"] if isinstance(part, dict) and part.get("type") == "step-finish"]
        ends = [part["tokens"] for part in marks if isinstance(part.get("tokens"), dict)]
        turns = _asked(value)
        told = ends if len(ends) == len(turns) else [value["info"].get("tokens")] * bool(turns)
        for turn, tokens in zip(turns if len(told) == len(turns) else turns[-1:], told, strict=False):
            if isinstance(tokens, dict):
                cache = tokens.get("cache")
                cache = cache if isinstance(cache, dict) else {}
                fresh, output = tokens_of(tokens, "input"), tokens_of(tokens, "output") + tokens_of(tokens, "reasoning")
                read, written = tokens_of(cache, "read"), tokens_of(cache, "write")
                if fresh or output or read or written:
                    self.sheet.columns.usage(before + turn, fresh=fresh, cache_read=read, cache_write=written, output=output)


def _asked(value: dict[str, Any]) -> list[int]:
    """Which of the messages that a record stands for a model gave."""
    return sorted({piece.turn for piece in pieces(value) if piece.role == Role.ASSISTANT})


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _model(info: dict[str, Any]) -> str | None:
    model = info.get("modelID")
    return model if isinstance(model, str) and model and info.get("role") == "assistant" else None


def _errors(value: dict[str, Any]) -> list[tuple[int | None, str]]:
    """Status and words of what a provider refused: of the message, and of attempts before it (`retry`)."""
    held = [part.get("error") for part in value["parts"] if isinstance(part, dict) and part.get("type") == "retry"]
    found = []
    for error in (*held, value["info"].get("error")):
        data = error.get("data") if isinstance(error, dict) else None
        if not isinstance(data, dict) or error.get("name") == "MessageAbortedError":
            continue
        status, body, said = data.get("statusCode"), data.get("responseBody"), data.get("message")
        text = body if isinstance(body, str) and body else said if isinstance(said, str) else ""
        found.append((status if isinstance(status, int) and not isinstance(status, bool) else None, text))
    return found


def _taken_back(messages: list[Any], info: dict[str, Any]) -> int | None:
    """The first message that a person has taken back; None where there is none."""
    revert = info.get("revert")
    if not isinstance(revert, dict):
        return None
    id = revert.get("messageID")
    for number, message in enumerate(messages):
        if isinstance(id, str) and _is_message(message) and message["info"].get("id") == id:
            at = number + bool(revert.get("partID"))
            return at if 0 < at < len(messages) else None
    return None


def _seen_from(messages: list[Any]) -> tuple[int, set[int]]:
    """The first message that the model still sees, and at which messages compactions stand."""
    ids = {m["info"].get("id"): n for n, m in enumerate(messages) if _is_message(m) and isinstance(m["info"].get("id"), str)}
    walls: set[int] = set()
    tail = -1
    for message in messages:
        if not _is_message(message):
            continue
        info = message["info"]
        if info.get("role") != "assistant" or info.get("summary") is not True or not info.get("finish"):
            continue
        asked = ids.get(info["parentID"]) if isinstance(info.get("parentID"), str) else None
        if asked is None:
            continue
        held = [part for part in messages[asked]["parts"] if isinstance(part, dict) and part.get("type") == "compaction"]
        if held:
            walls.add(asked)
            kept = held[-1].get("tail_start_id")
            at = ids.get(kept, asked) if isinstance(kept, str) else asked
            tail = min(at, asked)
    return tail, walls


FORMAT = Opencode()
