"""Files that hold messages of a known wire inside envelopes of their own: session logs, exports, data sets. What is common to them.

A record is an *item* of the file: a line, or an element of an array. The message stands in it at the end of a path (`_paths.py`), often
the whole of it. A format fills a `Sheet`: which items there are, whose message each holds, and in which conversation it stands.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np
import orjson

from app.formats._columns import NO_TIME, RECORD, ROW, Columns
from app.formats._dialects import Dialect
from app.formats._flags import text_flags
from app.formats._format import Format
from app.formats._iso_times import seconds
from app.formats._json import BOM, NotJson, compact, loads_odd
from app.formats._nodes import Node
from app.formats._paths import Path, follow, pointer_of
from app.formats._runs import untouched
from app.formats._writing import Writing
from app.model.block import Block
from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.ids import Ids
from app.model.kinds import Kind, Role
from app.model.source import CHUNK, Source
from app.model.table import Ints, RecordKind, Shown, Table
from app.model.transcript import Refusal, Transcript, Wall

LINES = 0
ARRAY = 1
ALONE = 2


@dataclass(frozen=True)
class Lane:
    """A stretch of neighbouring records that are elements of one container. `sort`: LINES, or ARRAY from bracket to bracket at `start`
    and `end`, or ALONE: one record in no list; records `first` to `first + count - 1`."""

    sort: int
    start: int
    end: int
    first: int
    count: int


@dataclass(eq=False)
class Conversation:
    """One transcript while it is read. `rows`: its rows in order; `start`: how many of them the model no longer sees; `shared`: how many
    records it has in common with `forks_from`."""

    id: str
    title: str = ""
    model: str | None = None
    rows: array[int] = field(default_factory=lambda: array("i"))
    start: int = 0
    subagent: bool = False
    why: str = ""
    walls: list[Wall] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    forks_from: str | None = None
    shared: int = 0
    messages: int = 0


@dataclass(frozen=True, slots=True)
class About:
    """What an element of a list tells beside its message. `kind`: what its record is, where it holds none that was sent; `usage`: see
    `Columns.usage`; `refusal`: a provider's error that it records; `owner`: another conversation than that of the list."""

    kind: RecordKind = RecordKind.MESSAGE
    time: Any = None
    model: Any = None
    usage: dict[str, int] | None = None
    refusal: str | None = None
    owner: Conversation | None = None


_NOTHING: Final = About()

# Looking up a member of an enum costs as much as packing a record (Python 3.11), so what is done for each line takes these.
_SHOWN, _UNPARSED = Shown.SHOWN, RecordKind.UNPARSED
_pack_record: Final = RECORD.pack
_RECORD_SIZE: Final = RECORD.size
_ROW_SIZE: Final = ROW.size


class Sheet:
    """What a format fills in while it reads a file."""

    def __init__(self, format: str, dialect: Dialect, source: Source) -> None:
        self.source, self.dialect = source, dialect
        self.columns = Columns(format)
        self.conversations: list[Conversation] = []
        self.lanes: list[Lane] = []
        self.whys: list[str] = []
        self.messages = 0
        self.lane_of: dict[int, int] = {}  # the lane in which a conversation begins
        self.pointers: dict[int, str] = {}
        self.more: dict[str, Any] = {}  # what a format notes for itself: stands in Table.extra
        self.turn: Callable[[Any], Any] | None = None  # what is made of each message of a list before it is looked at
        self._paths: dict[Path, int] = {(): 0}
        self._path_of = bytearray()
        self._stamps: dict[int, Any] = {}
        self._spoken = 0  # the conversation of the last message
        self._add = dialect.wire.add_message

    def conversation(self, id: str, **more: Any) -> Conversation:
        found = Conversation(id, **more)
        self.conversations.append(found)
        return found

    def message(
        self, owner: Conversation | None, offset: int, length: int, place: int, value: dict[str, Any], path: Path = (), odd: bool = True,
        time: Any = None, model: Any = None, kind: RecordKind = RecordKind.MESSAGE,
    ) -> int:  # fmt: skip
        """A record that holds a message at the end of `path`; `value` is the message. Its number in the table comes back. `owner`: None
        where only the whole file tells (see `dump`). `time`: ISO 8601, or seconds since 1970."""
        columns = self.columns
        records, rows = columns.records, columns.rows
        record, first = len(records) // _RECORD_SIZE, len(rows) // _ROW_SIZE
        index = -1
        if owner is not None:
            held, index = self.conversations, self._spoken
            if index >= len(held) or held[index] is not owner:
                index = self._spoken = held.index(owner)
        number = self._paths.get(path)
        self._path_of.append(self._number(path) if number is None else number)
        records += _pack_record(offset, length, place, kind, _SHOWN, NO_TIME, -1 if model is None else columns.model_of(model), index)
        if time is not None:
            self._stamps[record] = time
        turns = self._add(columns, record, self.messages, value, odd) or 1
        self.messages += turns
        if owner is not None:
            owner.messages += turns
            behind = len(rows) // _ROW_SIZE
            if behind == first + 1:
                owner.rows.append(first)
            else:
                owner.rows.extend(range(first, behind))
        return record

    def other(
        self, offset: int, length: int, place: int, kind: RecordKind = RecordKind.META, shown: Shown = Shown.HIDDEN, time: Any = None,
        owner: int = -1,
    ) -> int:  # fmt: skip
        """A record that holds no message."""
        if kind == _UNPARSED:
            shown = Shown.UNPARSED
        records = self.columns.records
        record = len(records) // _RECORD_SIZE
        self._path_of.append(0)
        if time is not None:
            self._stamps[record] = time
        records += _pack_record(offset, length, place, kind, shown, NO_TIME, -1, owner)
        return record

    def listed(
        self, owner: Conversation, node: Node | None, path: Path = (), model: Any = None, about: Callable[[Any], About] | None = None
    ) -> None:
        """All elements of a list as messages of a conversation; `path` leads from an element to its message, `about` says of an element
        what it tells beside that."""
        if node is None or not isinstance(node.value, list) or node.path:
            return
        first, index, before = self.columns.record_count, self.conversations.index(owner), -1
        for place, item in enumerate(node.elements()):
            message = follow(item.value, path)
            if self.turn is not None:
                message = self.turn(message)
            record = self.columns.record_count
            self.pointers[record] = item.pointer
            told = about(item.value) if about is not None and isinstance(message, dict) else _NOTHING
            if not isinstance(message, dict):
                self.other(item.start, item.length, place, RecordKind.UNKNOWN, owner=index)
            elif told.kind != RecordKind.MESSAGE:
                shown = Shown.SHOWN if told.refusal else Shown.HIDDEN
                self.other(item.start, item.length, place, told.kind, shown, told.time, owner=index)
            else:
                if told.usage is not None:
                    self.columns.usage(self.messages, **told.usage)
                held = told.owner or owner
                self.message(held, item.start, item.length, place, message, path, time=told.time, model=told.model or model)
                before = owner.rows[-1] if len(owner.rows) else -1
            if told.refusal is not None:
                owner.refusals.append(Refusal(record, before, None, told.refusal))
        self.lane_of.setdefault(index, len(self.lanes))
        self.lanes.append(Lane(ARRAY, node.start, node.end, first, self.columns.record_count - first))

    def alone(self, owner: Conversation, node: Node, path: Path = ()) -> None:
        """A message that stands in no list."""
        message = follow(node.value, path)
        if not isinstance(message, dict) or node.path:
            return
        record, index = self.columns.record_count, self.conversations.index(owner)
        self.pointers[record] = node.pointer
        self.message(owner, node.start, node.length, 0, message, path)
        self.lane_of.setdefault(index, len(self.lanes))
        self.lanes.append(Lane(ALONE, node.start, node.end, record, 1))

    def head(self, owner: Conversation, node: Node | None) -> None:
        """System text that stands beside the messages, a string: it comes before all that is sent. To be called once they are there."""
        if node is None or not isinstance(node.value, str) or not node.value or node.path:
            return
        columns, text = self.columns, node.value
        index, record = self.conversations.index(owner), columns.record_count
        self.pointers[record] = node.pointer
        self.other(node.start, node.length, 0, RecordKind.HEAD, owner=index)
        flags = text_flags(text, odd=True)
        row = columns.row(
            record=record, part=0, message=-1, kind=Kind.SYSTEM, type="text", role=Role.SYSTEM, size=len(text), flags=flags
        )  # fmt: skip
        owner.rows.insert(owner.start, row)
        self.lanes.append(Lane(ALONE, node.start, node.end, record, 1))

    def _number(self, path: Path) -> int:
        number = self._paths.get(path)
        if number is None:
            if len(self._paths) > 250:
                raise ValueError("too many ways into a record")
            number = self._paths[path] = len(self._paths)
        return number

    def spans(self) -> tuple[Ints, Ints]:
        """For each record so far its first row, and how many it has."""
        count = np.bincount(self.columns.record_of_rows(), minlength=self.columns.record_count)
        return np.cumsum(count) - count, count

    def dump(self, complete: bool, pointer_prefix: str = "/", opened: int = -1, owner: Ints | None = None, **more: Any) -> Dump:
        """The dump. `opened`: which conversation is opened, the one with most messages unless told. `owner`: for each record the
        conversation that counts it, where that was not told with the records."""
        columns, wire = self.columns, self.dialect.wire
        path_of = np.frombuffer(bytes(self._path_of), np.uint8)
        extra = {"paths": list(self._paths), "path_of": path_of, "lanes": self.lanes, "lane_of": self.lane_of, **self.more}
        table = columns.table(
            pointer_prefix=pointer_prefix, extra=extra, joins=wire.joins, args_text=wire.args_text, item=columns.items(),
            item_ids=Ids.of(columns.own), pointers=self.pointers, answers=self.dialect.answers, **more,
        )  # fmt: skip
        table.records.time = self._times(len(table.records))
        if owner is not None:
            table.records.owner = owner.astype(np.int16)
        held = self.conversations
        transcripts = [
            Transcript(
                table, np.frombuffer(c.rows.tobytes(), np.int32).copy(), start=c.start, id=c.id, title=c.title, index=i, model=c.model,
                subagent=c.subagent, why=c.why, walls=tuple(c.walls), refusals=tuple(c.refusals), forks_from=c.forks_from,
                shared_records=c.shared,
            )
            for i, c in enumerate(held)
        ]  # fmt: skip
        if opened < 0:
            opened = max(range(len(held)), key=lambda i: (not held[i].subagent, held[i].messages, -i), default=0)
        return Dump(self.source, columns.format, table, transcripts, opened=opened, whys=self.whys, complete=complete)

    def _times(self, count: int) -> Ints:
        """The times of all records, converted together."""
        times = np.full(count, NO_TIME)
        if self._stamps:
            stamps = list(self._stamps.values())
            found = seconds(stamps)
            for at, stamp in enumerate(stamps):
                if not isinstance(stamp, str):
                    found[at] = stamp if isinstance(stamp, int | float) and not isinstance(stamp, bool) and abs(stamp) < 1e12 else NO_TIME
            times[list(self._stamps)] = found
        return times


class Log(Format):
    """Base of these formats."""

    dialect: ClassVar[Dialect]
    lines: ClassVar[bool] = True

    def value(self, table: Table, source: Source, record: int) -> Any:
        value = super().value(table, source, record)
        path = path_of(table, record)
        return follow(value, path) if path and not isinstance(value, bytes) else value

    def blocks(self, table: Table, record: int, value: Any, first: int) -> Sequence[Block]:
        pointer = table.pointer(record) + pointer_of(path_of(table, record))[0]
        if isinstance(value, dict):
            return self.dialect.wire.message_blocks(value, first, record, pointer)
        if table.records.kind[record] == RecordKind.HEAD and isinstance(value, str):
            return [Block(first, Kind.SYSTEM, "text", Role.SYSTEM, (value,), pointer=pointer, record=record, value=value)]
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else compact(value)
        role = Role(int(table.role[first]))
        return [Block(first, Kind.OTHER, table.types[table.type[first]], role, (text,), pointer=pointer, record=record, value=value)]

    def write_plan(self, dump: Dump, transcripts: Sequence[Transcript]) -> Writing:
        from app.formats._log_write import LogWriter

        if not self.writable and any(not untouched(b, t) for b, t in zip(dump.transcripts, transcripts, strict=True)):
            instead = "export the messages of this transcript as a request instead"
            raise InspectorError(f"{dump.source.name}: {self.name} is read and never written here; {instead}")
        return LogWriter(dump, transcripts, self.dialect).plan()

    def made_type(self, kind: Kind, role: Role) -> str:
        return self.dialect.wire.made_type(kind, role)


def path_of(table: Table, record: int) -> Path:
    """Where a record's message stands in it."""
    found: Path = table.extra["paths"][table.extra["path_of"][record]]
    return found


# -- lines --------------------------------------------------------------------------------------------------------------------


class _Raw(io.RawIOBase):
    """A source as Python's own buffered reader takes it: nothing here finds the ends of lines faster."""

    def __init__(self, source: Source, start: int) -> None:
        self._source, self._at = source, start

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        count = self._source.read_into(buffer, self._at)
        self._at += count
        if self._source.told is not None:
            self._source.told(self._at / max(1, self._source.size))
        return count


def each_line(source: Source, first_look: bool = False) -> Iterator[tuple[int, int, int, Any, bool]]:
    """Every line that is not blank: its number, offset, length (without its end), the decoded value and whether it is odd (see
    `loads_odd`); the value is None where it is no JSON. What a first look cuts off is left out."""
    start = len(BOM) if source.read(0, len(BOM)) == BOM else 0
    cut = first_look and source.size < source.stamp.size
    decode, refused = orjson.loads, orjson.JSONDecodeError
    offset, odd = start, False
    for number, line in enumerate(io.BufferedReader(_Raw(source, start), CHUNK)):
        size = len(line)
        try:
            value, odd = decode(line), False
        except refused:
            if not line.strip():
                offset += size
                continue
            try:
                value, odd = loads_odd(line.rstrip(b"\r\n"))
            except NotJson:
                value, odd = None, True
        length = size
        if line[-1] == 10:
            length = size - 1
            if length and line[length - 1] in b"\r\n":
                length = len(line.rstrip(b"\r\n"))
        elif cut and value is None:
            continue  # the last line
        yield number, offset, length, value, odd
        offset += size


def each_text(
    source: Source, first_look: bool = False, decode: Callable[[bytes], tuple[Any, bool]] = loads_odd
) -> Iterator[tuple[int, int, bytes, Any, bool]]:
    """The same with the text of a line in place of its length."""
    start = len(BOM) if source.read(0, len(BOM)) == BOM else 0
    cut = first_look and source.size < source.stamp.size
    offset = start
    for number, line in enumerate(io.BufferedReader(_Raw(source, start), CHUNK)):
        text = line.rstrip(b"\r\n")
        if text and not text.isspace():
            try:
                value, odd = decode(text)
            except NotJson:
                value, odd = None, True
            if not (cut and value is None and not line.endswith(b"\n")):
                yield number, offset, text, value, odd
        offset += len(line)
