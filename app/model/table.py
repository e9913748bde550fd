"""A file's blocks and records as columns. Structure is kept, content is parsed again when somebody looks."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from app.model.ids import Ids
from app.model.kinds import Kind, Role, quick

Ints = npt.NDArray[Any]


@quick
class RecordKind(IntEnum):
    """What a record is. A record is a line of a JSONL file, or one message of a document."""

    MESSAGE = 0
    HEAD = 1  # system text or tool definitions of a request: a place to read from, in no count
    META = 2  # belongs to the program that wrote the file: titles, snapshots, progress
    REFUSAL = 3  # a provider's error that the dump itself records
    BOUNDARY = 4  # a compaction wall
    SUMMARY = 5
    UNPARSED = 6  # not JSON, or no object; kept and exported as it stands
    UNKNOWN = 7  # JSON that we do not know; shown as other


@quick
class Shown(IntEnum):
    SHOWN = 0
    HIDDEN = 1
    UNPARSED = 2


@dataclass(eq=False)
class Records:
    """One entry a record, in the order of the file. Offsets and lengths in bytes; `time` in seconds since 1970, NaN where none."""

    offset: Ints  # int64
    length: Ints  # int64, without the line's end
    place: Ints  # int32: the line (from 0, blank lines count), or the index in the document's list
    kind: Ints  # uint8, RecordKind
    shown: Ints  # uint8, Shown
    time: Ints  # float64
    model: Ints  # int16, into Table.models; -1 none
    owner: Ints  # int16, index of the transcript that counts it; -1 none

    def __len__(self) -> int:
        return len(self.offset)


@dataclass(eq=False)
class Usages:
    """What the dump records of the requests it saw: one entry for each message that carries a usage. Tokens.

    `input` is all that was sent: fresh, read from cache and written to it together.
    """

    message: Ints  # int32
    input: Ints  # int64
    cache_read: Ints  # int64
    cache_write: Ints  # int64
    output: Ints  # int64

    def __len__(self) -> int:
        return len(self.message)

    @classmethod
    def none(cls) -> Usages:
        return cls(np.empty(0, np.int32), *(np.empty(0, np.int64) for _ in range(4)))


@dataclass(eq=False)
class Table:
    """One row a block. Row ids never move and are never reused; rows that an edit makes are appended (see `grown`)."""

    format: str
    record: Ints  # int32
    part: Ints  # int32: n-th block of its record
    message: Ints  # int32: messages numbered in the order of the file; parts of one split message share a number
    kind: Ints  # uint8, Kind
    type: Ints  # uint8, into `types`: the wire's own word
    role: Ints  # uint8, Role
    name: Ints  # int32, into `names`: tool name of a call (of a result where its wire says it); -1 none
    size: Ints  # int32: characters of what is counted (app/tokens)
    flags: Ints  # uint32, Flag
    key: Ints  # int32: call id as a number; equal ids, equal numbers; -1 where there is no id
    records: Records
    usages: Usages = field(default_factory=Usages.none)
    types: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    pointer_prefix: str = "/"  # JSON pointer of a record is prefix + place ...
    pointers: dict[int, str] = field(default_factory=dict)  # ... but for these records
    request: dict[str, Any] = field(default_factory=dict)  # small top-level members of a request (thinking, max_tokens, ...)
    extra: dict[str, Any] = field(default_factory=dict)  # what the format needs to write (picklable; arrays and small values)
    ids: Ids = field(default_factory=lambda: Ids.of(()))  # the call ids by number (see `key`)
    joins: bool = True  # False: a made or moved result is a message of its own (a record holds one message, as in a session log)
    inside: bool = False  # results stand in the record of their call: one that is made goes right behind what that holds
    marks: dict[str, Ints] = field(default_factory=dict)  # rows, rising, by what is said of them (see Mark)
    calls_at: str = ""  # a call's JSON pointer is that of its record, this, and its part; "": a block must be decoded to tell
    answers: Role | None = None  # role of the messages that hold results on this wire; None: as those of the file have it
    results_named: bool = False  # a result names its tool: one that is made is written with the name of its call
    arguments: Ints | None = None  # int64, for each row of kind TOOL_CALL: a hash of its arguments as they were read; None: not known
    args_text: bool = False  # the wire writes a call's arguments as a string of JSON
    read_size: Ints | None = None  # `size` as it was read, where edits have changed it since
    wire: str | None = None  # provider whose wire the messages are in, where the format alone does not tell; "": none's. None: the format's
    item: Ints | None = None  # int32, into `item_ids`: the own id of the item that a row stands in, -1 none; None: no wire of items
    item_ids: Ids = field(default_factory=lambda: Ids.of(()))  # what a provider numbers items by (OpenAI's Responses: `fc_...`, `rs_...`)

    def __len__(self) -> int:
        return len(self.record)

    @cached_property
    def calls(self) -> Ints:
        """Rows of all calls, rising: what `arguments` is in step with. Once for all transcripts of a dump, which may be thousands."""
        return np.flatnonzero(self.kind == Kind.TOOL_CALL).astype(np.int32)

    def pointer(self, record: int) -> str:
        """JSON pointer of a record in the file."""
        found = self.pointers.get(record)
        return found if found is not None else f"{self.pointer_prefix}{self.records.place[record]}"

    def grown(self, rows: dict[str, list[int]]) -> Table:
        """A table with rows appended (`rows`: column name to values); columns of this one are not touched."""
        count = len(next(iter(rows.values())))
        changed: dict[str, Any] = {}
        for name in ROW_COLUMNS:
            old = getattr(self, name)
            changed[name] = np.concatenate([old, np.asarray(rows.get(name, [-1] * count)).astype(old.dtype)])
        if self.item is not None:
            changed["item"] = np.concatenate([self.item, np.full(count, -1, np.int32)])
        return self.with_columns(**changed)

    def with_columns(self, **changed: Any) -> Table:
        """The same table with other columns; all else is shared."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values.update(changed)
        return Table(**values)


ROW_COLUMNS = ("record", "part", "message", "kind", "type", "role", "name", "size", "flags", "key")
ROW_TYPES = {
    "record": np.int32, "part": np.int32, "message": np.int32, "kind": np.uint8, "type": np.uint8, "role": np.uint8,
    "name": np.int32, "size": np.int32, "flags": np.uint32, "key": np.int32,
}  # fmt: skip
RECORD_TYPES = {
    "offset": np.int64, "length": np.int64, "place": np.int32, "kind": np.uint8, "shown": np.uint8, "time": np.float64,
    "model": np.int16, "owner": np.int16,
}  # fmt: skip
