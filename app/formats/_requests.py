"""Documents that hold one conversation: a request, a response, or a bare list of messages. What is common to their wires.

Records are the system texts and tool definitions that stand beside the messages (kind HEAD: places to read from), then one for each
message. A message that no decoder takes, and the torn end of a file that was cut off, are records of kind UNPARSED.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from app.formats._columns import NO_TIME, RECORD, Columns, order_of
from app.formats._elements import NOT_JSON
from app.formats._format import Format, Progress
from app.formats._json import NotJson, compact, has_bare_word, json_word, loads, shown
from app.formats._outline import Outline, outline
from app.formats._scan import Malformed, Member, Torn, scan_array
from app.model.block import Block
from app.model.dump import Dump
from app.model.errors import UnreadableError
from app.model.findings import Mode
from app.model.kinds import ROLES, Flag, Kind, Mark, Role
from app.model.source import Source
from app.model.table import RecordKind, Shown, Table
from app.model.transcript import Transcript

SMALL = 4096  # bytes of a top-level member that is kept in `Table.request`
HEAD_MAX = 64 << 20  # bytes of system text, tools or choices that are decoded
_HEAD = int(RecordKind.HEAD)
_ROLE = re.compile(rb'"role"\s*:\s*"([a-z]{1,12})"')


@dataclass
class Layout:
    """Where things stand in the document: what an export needs beside the records (`Table.extra["layout"]`). All are offsets.

    `root`: span of the document, its end -1 where it is cut off. `members`: (key, start of the key, start and end of the value) of the
    top level. `messages`: span of the list of messages (-1, -1: none), `member` its index in `members` (-1: the list is the
    document). `first` is the first record of the list, `count` how many there are. `lasts`: for each message beside the list its
    record and what is to be taken away with it (span of an element and of its array; -1: it is the document itself).
    `rest`: where what was not understood begins, -1 nowhere; `rest_in`: it is not only the end of the file between two messages.
    `key`: the name under which the list stands, or would stand. `single`: one text stands in its place. `reverse`: its last element
    comes first in the transcript. `path`: pointer, in tokens, of the object that is taken for the root.
    """

    root: tuple[int, int]
    members: list[tuple[str, int, int, int]] = field(default_factory=list)
    messages: tuple[int, int] = (-1, -1)
    member: int = -1
    first: int = 0
    count: int = 0
    lasts: list[tuple[int, int, int]] = field(default_factory=list)
    rest: int = -1
    rest_in: bool = False
    key: str = "messages"
    single: bool = False
    reverse: bool = False
    path: tuple[str, ...] = ()


class Reading:
    """A document while it is read: the outline, the columns, and what a wire finds beside its list of messages."""

    def __init__(self, format: str, source: Source) -> None:
        self.source = source
        self.columns = Columns(format)
        self.front = self.columns.front()
        self.pointers: dict[int, str] = {}  # of records in `columns`
        self.front_pointers: dict[int, str] = {}
        self.messages = 0
        self.model: str | None = None
        self.single = False
        self.lasts: list[tuple[int, int, int]] = []
        self.path: tuple[str, ...] = ()  # pointer of the root, in tokens
        self.outline: Outline

    def value(self, member: Member | None) -> Any:
        """A top-level member, decoded; None where there is none, or it is too large or no JSON."""
        if member is None or member.end - member.start > HEAD_MAX:
            return None
        try:
            return loads(self.source.read(member.start, member.end - member.start))
        except NotJson:
            return None

    def elements(self, member: Member) -> list[tuple[int, int]]:
        """Offset and length of each element of a top-level member that is a list; none where it is no list."""
        if member.end - member.start > HEAD_MAX:
            return []
        data = self.source.read(member.start, member.end - member.start)
        try:
            return [(member.start + start, end - start) for start, end in scan_array(data).spans]
        except (Torn, Malformed):
            return []

    def head(self, offset: int, length: int, place: int, pointer: str) -> int:
        """Adds a record of kind HEAD; its number among those."""
        record = self.front.record(offset=offset, length=length, place=place, kind=RecordKind.HEAD, shown=Shown.HIDDEN)
        self.front_pointers[record] = pointer
        return record

    def last(self, offset: int, length: int, pointer: str, model: Any, whole: tuple[int, int]) -> int:
        """Adds the record of a message that stands beside the list. `whole`: what holds nothing but it (see Layout.lasts)."""
        record = self.columns.record(offset=offset, length=length, place=self.messages, model=self.columns.model_of(model))
        self.pointers[record] = pointer
        self.lasts.append((record, *whole))
        return record


class Requests(Format):
    """Base of the formats whose documents are requests, responses and bare lists."""

    list_keys: ClassVar[tuple[str, ...]] = ("messages",)  # names of the list, the one that is taken first in front
    model_key: ClassVar[str] = "model"
    joins: ClassVar[bool] = True
    args_text: ClassVar[bool] = False

    def add_message(self, columns: Columns, record: int, message: int, value: dict[str, Any], odd: bool) -> None:
        """Adds the rows of a message."""
        raise NotImplementedError

    def message_blocks(self, value: dict[str, Any], first: int, record: int, pointer: str) -> Sequence[Block]:
        """The same message for whoever looks at it."""
        raise NotImplementedError

    def add_heads(self, reading: Reading) -> None:
        """Adds records and rows of system text and tools, to `reading.front`."""
        raise NotImplementedError

    def add_lasts(self, reading: Reading) -> None:
        """Adds the messages that stand beside the list (an answer), and what is recorded of tokens."""
        raise NotImplementedError

    def settle_list(self, reading: Reading) -> None:
        """Where something else than the list that was walked is the list of messages: adds its records and rows, and sets the span."""

    def reading(self, source: Source) -> Reading:
        """What is at hand while a document is read."""
        return Reading(self.name, source)

    def root(self, reading: Reading) -> int:
        """Where the object begins that is to be read, and in `reading.path` its pointer; -1: the document itself."""
        return -1

    def extra(self, reading: Reading, heads: int) -> dict[str, Any]:
        """What the format needs beside the layout to write (`Table.extra`). `heads`: how many records come before those of `reading`."""
        return {}

    def more(self, reading: Reading) -> dict[str, Any]:
        """Further fields of the table."""
        return {}

    def alternatives(self, table: Table) -> tuple[int, str]:
        """Rows that stand before what is one conversation, for they are other answers to the same request; and a sentence that says so."""
        return 0, ""

    def mode_of(self, layout: Layout) -> Mode | None:
        """Which question a document is asked; None: the one of the format. What ends in an answer was not meant to be sent like that."""
        return "prefix" if layout.lasts else None

    def head_block(self, value: Any, kind: Kind, first: int, record: int, pointer: str) -> Block:
        """A system text or a tool definition."""
        raise NotImplementedError

    # -- reading ------------------------------------------------------------------------------------------------------------

    def parse(self, source: Source, progress: Progress | None = None, first_look: bool = False) -> Dump:
        reading = self.reading(source)
        columns = reading.columns
        pack, add_message = RECORD.pack, self.add_message
        message, shown = int(RecordKind.MESSAGE), int(Shown.SHOWN)

        record = 0

        def add(offset: int, length: int, value: Any, odd: bool) -> None:
            nonlocal record
            if isinstance(value, dict):
                columns.records += pack(offset, length, record, message, shown, NO_TIME, -1, 0)
                if odd and has_bare_word(source.read(offset, length)):
                    columns.mark(Mark.NOT_JSON, columns.row_count)
                add_message(columns, record, record, value, odd)
            else:
                _add_other(reading, offset, length, record, value)
            record += 1

        def restart() -> None:
            nonlocal record
            columns.clear()
            record = 0

        try:
            reading.outline = outline(source, self.list_keys, add, restart, progress, self.root(reading))
        except (Torn, Malformed) as error:
            raise UnreadableError(_unreadable(source, error)) from None
        reading.messages = record
        return self._dump(reading, first_look)

    def _dump(self, reading: Reading, first_look: bool) -> Dump:
        found, columns = reading.outline, reading.columns
        self.settle_list(reading)
        listed = reading.messages
        model = reading.value(found.member(self.model_key))
        reading.model = model if isinstance(model, str) and model else None
        self.add_heads(reading)
        self.add_lasts(reading)
        _look_for_bare_words(reading)
        if not reading.messages and found.span is None:
            raise UnreadableError(_no_messages(reading.source, found, self.name))
        notes = list(found.notes)
        if found.rest >= 0 and not first_look:
            notes += _rest(reading)
        heads = reading.front.record_count
        pointers = {**reading.front_pointers, **{record + heads: pointer for record, pointer in reading.pointers.items()}}
        span = found.span
        base = "".join(f"/{token}" for token in reading.path)
        layout = Layout(
            root=(found.root.start, found.root.end),
            members=[(m.key, m.key_start, m.start, m.end) for m in found.root.members],
            messages=(span.start, span.end) if span else (-1, -1),
            member=span.member if span else -1,
            first=heads,
            count=listed,
            lasts=[(record + heads, start, end) for record, start, end in reading.lasts],
            rest=found.rest,
            rest_in=found.rest_in,
            key=found.key,
            single=reading.single,
            path=reading.path,
        )
        table = columns.table(
            reading.front,
            pointer_prefix=f"{base}/{found.key}/" if span is None or span.member >= 0 else "/",
            pointers=pointers,
            request=_small(reading, found.key),
            extra={"layout": layout, **self.extra(reading, heads)},
            joins=self.joins,
            args_text=self.args_text,
            **self.more(reading),
        )
        _require_something(reading, table)
        start, why = self.alternatives(table)
        transcript = Transcript(table, order_of(len(table)), start, model=reading.model, why=why)
        return Dump(reading.source, self.name, table, [transcript], whys=notes, complete=not first_look, mode=self.mode_of(layout))

    # -- looking ------------------------------------------------------------------------------------------------------------

    def blocks(self, table: Table, record: int, value: Any, first: int) -> Sequence[Block]:
        pointer = table.pointer(record)
        if table.records.kind[record] == _HEAD:
            return [self.head_block(value, Kind(int(table.kind[first])), first, record, pointer)]
        if isinstance(value, dict):
            return self.message_blocks(value, first, record, pointer)
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else compact(value)
        role = Role(int(table.role[first]))
        return [Block(first, Kind.OTHER, table.types[table.type[first]], role, (text,), pointer=pointer, record=record, value=value)]


def _add_other(reading: Reading, offset: int, length: int, record: int, value: Any) -> None:
    """An element of the list that is no object, or that no decoder takes: shown as other, and as a message of its own."""
    unparsed = value is NOT_JSON
    kind, shown = (RecordKind.UNPARSED, Shown.UNPARSED) if unparsed else (RecordKind.UNKNOWN, Shown.SHOWN)
    reading.columns.record(offset=offset, length=length, place=record, kind=kind, shown=shown)
    role = Role.OTHER
    if unparsed:
        data = reading.source.read(offset, length)
        text = data.decode("utf-8", "replace")
        found = _ROLE.search(data[:512]) or _ROLE.search(data[-512:])
        role = ROLES.get(found[1].decode(), Role.OTHER) if found else Role.OTHER
    else:
        text = compact(value)
    word = "unparsed" if unparsed else json_word(value)
    columns = reading.columns
    columns.row(record=record, part=0, message=record, kind=Kind.OTHER, type=word, role=role, size=len(text), flags=Flag.TYPE_ODD)


def _rest(reading: Reading) -> list[str]:
    """What could not be read at the end is a record without rows; what is said of it."""
    found, source = reading.outline, reading.source
    length = source.size - found.rest
    if length:
        reading.columns.record(offset=found.rest, length=length, place=reading.messages, kind=RecordKind.UNPARSED, shown=Shown.UNPARSED)
        reading.pointers[reading.columns.record_count - 1] = ""
    if found.root.end >= 0:
        return []
    end = f"the file ends early or is damaged: from byte {found.rest} of {source.size} on it could not be read"
    whole = "the message before is" if reading.messages == 1 else f"the {reading.messages:,} messages before are"
    return [f"{end}; {whole} complete" if found.span and reading.messages else end]


def _look_for_bare_words(reading: Reading) -> None:
    """Notes whether a member beside the list holds NaN or Infinity (of messages it is noted where they are read)."""
    found = reading.outline
    for number, member in enumerate(found.root.members):
        listed = found.span is not None and found.span.member == number
        small = 0 <= member.end - member.start <= HEAD_MAX
        if not listed and small and has_bare_word(reading.source.read(member.start, member.end - member.start)):
            reading.front.mark(Mark.NOT_JSON, -1)
            return


def _small(reading: Reading, list_key: str) -> dict[str, Any]:
    """Small top-level members."""
    left_out = {list_key, "system", "tools", "functions", "choices", "content", "toolConfig", "output", "candidates", "systemInstruction"}
    small: dict[str, Any] = {}
    for member in reading.outline.root.members:
        if member.key not in left_out and 0 <= member.end - member.start <= SMALL:
            small[member.key] = reading.value(member)
    return small


def _require_something(reading: Reading, table: Table) -> None:
    """A file of which not one record could be decoded is not opened."""
    shown = table.records.kind
    if reading.messages and not ((shown == RecordKind.MESSAGE) | (shown == RecordKind.UNKNOWN)).any():
        first = int(table.records.offset[reading.front.record_count])
        length = int(table.records.length[reading.front.record_count])
        try:
            loads(reading.source.read(first, length))
        except NotJson as error:
            where = f" at byte {first + error.pos}" if error.pos >= 0 else f" from byte {first} on"
            name = reading.source.name
            raise UnreadableError(f"{name}: no message can be decoded: {error}{where}; save it again as UTF-8 JSON") from None


def _unreadable(source: Source, error: ValueError) -> str:
    if isinstance(error, Malformed):
        return f"{source.name}: no JSON at byte {error.pos}; a request, a response or a list of messages is expected"
    return f"{source.name}: the file is empty; a request, a response or a list of messages is expected"


def _no_messages(source: Source, found: Outline, name: str) -> str:
    if found.rest >= 0 and found.root.end < 0:
        return f"{source.name}: the file ends or breaks at byte {found.rest} before any message; get the whole file"
    return f"{source.name}: no messages in it (its keys: {shown(found.keys())}); not a dump of {name}"
