"""One pass over the lines of a Claude Code session: what is kept of each record, as columns.

Speed decides how this is written: a record is decoded, looked at and forgotten before the next one is, while it is in the
processor's cache. Nothing of it is kept but numbers: uuids and message ids as their hashes, which this process alone understands and
which are forgotten with the tree. What is kept of a record: `_claude_rows.py`.
"""

from __future__ import annotations

import gc
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from struct import error as StructError
from struct import pack
from typing import Any, Final

import numpy as np

from app.formats._claude_loop import loop
from app.formats._claude_rows import ASSISTANT, BLANK, UNPARSED, Boundary, Rows
from app.formats._columns import Columns, tokens_of
from app.formats._flags import id_flags
from app.formats._iso_times import Stamps
from app.formats._json import BOM
from app.model.kinds import Flag, Kind
from app.model.source import CHUNK, Source
from app.model.table import Ints

SOME: Final = 256  # lines after which lists become arrays: so many numbers stay in the processor's nearest cache
_COLUMNS: Final = {
    "length": "q", "what": "B", "count": "i", "uuid": "q", "parent": "q", "identity": "q", "code": "B", "size": "i", "key": "i",
    "name": "i", "told": "q",
}  # fmt: skip


@dataclass(eq=False)
class Lines:
    """What a pass keeps: one entry a record in `offset` ... `count`, one a row in `kind` ... `name`, one a call in `told`.

    `uuid`, `parent` and `message` (the message's id) are hashes, 0 where there is none. `group`: index into `groups`, which are
    session, sidechain or not, agent. `usage` belongs to the records in `used`: input, read from cache, written to it, output.
    """

    columns: Columns
    offset: Ints
    length: Ints
    place: Ints
    time: Ints
    what: Ints
    group: Ints
    uuid: Ints
    parent: Ints
    message: Ints
    model: Ints
    count: Ints  # rows of the record
    kind: Ints
    type: Ints
    size: Ints
    flags: Ints
    key: Ints
    name: Ints
    told: Ints  # hashes of the arguments of calls
    used: Ints
    usage: Ints
    groups: list[tuple[str, bool, str]] = field(default_factory=list)
    boundaries: dict[int, Boundary] = field(default_factory=dict)
    refusals: dict[int, tuple[int | None, str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)  # by session
    torn: Ints = field(default_factory=lambda: np.empty(0, np.int64))  # records of lines that are no JSON
    complete: bool = True

    def __len__(self) -> int:
        return len(self.what)


def read(source: Source, progress: Callable[[float], None] | None = None, first_look: bool = False) -> Lines:
    """Reads all lines. What a first look cuts off is left out. The collector of garbage rests meanwhile: what dies here dies at once."""
    start = len(BOM) if source.read(0, len(BOM)) == BOM else 0
    cut = first_look and source.size < source.stamp.size
    reader = io.BufferedReader(_Raw(source, start), CHUNK)
    found = _Pass(cut)
    resting = gc.isenabled()
    gc.disable()
    try:
        while found.add(islice(reader, SOME)):
            if progress is not None:
                progress(min(1.0, reader.tell() / max(1, source.size)))
    finally:
        if resting:
            gc.enable()
    return found.finish(source, start)


class _Raw(io.RawIOBase):
    """A source as Python's own buffered reader takes it: nothing here finds the ends of lines faster."""

    def __init__(self, source: Source, start: int) -> None:
        self._source, self._at = source, start

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        length = self._source.read_into(memoryview(buffer), self._at)
        self._at += length
        return length


class _Pass:
    """The columns while they grow: lists for some records, then bytes. `cut`: what has no line's end is left out."""

    def __init__(self, cut: bool) -> None:
        self.cut = cut
        self.rows = Rows()
        self.records = loop(self.rows)
        self.columns = {name: bytearray() for name in _COLUMNS}
        self.usage = bytearray()
        self.stamps = Stamps()
        self.flagged: list[int] = []
        self.flags: list[int] = []
        self.unused: list[int] = []
        self.ended = True

    def add(self, lines: Iterable[bytes]) -> bool:
        """Takes some lines with their ends; whether there were any."""
        last = self.records(lines)
        if last:
            self.ended = last.endswith(b"\n")
            self._flush()
        return bool(last)

    def _flush(self) -> None:
        """Takes over what the lists hold, and empties them."""
        rows, columns = self.rows, self.columns
        for name, form in _COLUMNS.items():
            values = getattr(rows, name)
            columns[name] += bytes(values) if form == "B" else pack(f"{len(values)}{form}", *values)
        self.usage += _usage(rows.usage)
        self.stamps.add(rows.stamp)
        if rows.flagged:
            self.flagged += [row + rows.laid for row in rows.flagged]
            self.flags += rows.flags
        if rows.unused:
            self.unused += [record + rows.done for record in rows.unused]
        rows.clear()

    def finish(self, source: Source, start: int) -> Lines:
        """All that was kept. The file begins at `start`."""
        self._flush()
        parts = {name: np.frombuffer(self.columns.pop(name), _DTYPES[form]) for name, form in _COLUMNS.items()}
        rows, what = self.rows, parts["what"]
        codes = np.array(rows.codes, np.int64).reshape(-1, 3)
        kind, type_, flags = (codes[:, at].astype(dtype)[parts["code"]] for at, dtype in enumerate((np.uint8, np.uint8, np.uint32)))
        flags[self.flagged] |= np.array(self.flags, np.uint32)
        answer, call = what == ASSISTANT, kind == Kind.TOOL_CALL
        used = answer.copy()
        used[self.unused] = False
        key = _scattered(call | (kind == Kind.TOOL_RESULT), parts["key"], -1)
        held = key >= 0
        flags[held] |= _id_flags(list(rows.columns.keys))[key[held]]
        length = parts["length"]
        joined = np.zeros(len(what) + 1, bool)
        joined[rows.joined] = True
        lines = Lines(
            columns=rows.columns, offset=np.cumsum(length) - length + start, length=length - ~joined[1:],
            place=(np.arange(len(what)) - np.cumsum(joined[:-1])).astype(np.int32),
            time=self.stamps.seconds(), what=what, group=rows.group_runs.spread(len(what), np.int32),
            uuid=_plain(parts["uuid"]), parent=_plain(parts["parent"]), message=_scattered(answer, _plain(parts["identity"]), 0),
            model=_scattered(answer, rows.model_runs.spread(len(parts["identity"]), np.int16), -1),
            count=parts["count"], kind=kind, type=type_, size=parts["size"], flags=flags, key=key,
            name=_scattered(call, parts["name"], -1), told=parts["told"], used=np.flatnonzero(used),
            usage=np.maximum(np.frombuffer(self.usage, np.int64), 0).reshape(-1, 4),
            groups=list(rows.groups), boundaries=rows.boundaries, refusals=rows.refusals,
            titles={session: title for session, (_, title) in rows.titles.items()}, complete=not self.cut,
            torn=np.array(rows.torn, np.int64),
        )  # fmt: skip
        if not self.ended:
            lines.length[-1] += 1
        return self._without(lines, source)

    def _without(self, lines: Lines, source: Source) -> Lines:
        """Lines without those that are blank, without what a first look cut off, and without the \\r before a line's end."""
        keep = lines.what != BLANK
        if self.cut and not self.ended and lines.what[-1] == UNPARSED:
            keep[-1] = False
        if not keep.all():
            number = np.cumsum(keep) - 1
            for name in ("offset", "length", "place", "time", "what", "group", "uuid", "parent", "message", "model", "count"):
                setattr(lines, name, getattr(lines, name)[keep])
            lines.used = number[lines.used]
            lines.torn = number[lines.torn[keep[lines.torn]]]
            lines.boundaries = {int(number[record]): boundary for record, boundary in lines.boundaries.items()}
            lines.refusals = {int(number[record]): refused for record, refused in lines.refusals.items()}
        ends = (lines.offset + lines.length - 1).tolist()
        if any(source.read(end, 1) == b"\r" for end in ends[:: max(1, len(ends) // 64)]):
            lines.length -= np.array([source.read(end, 1) == b"\r" for end in ends])
        return lines


def _plain(hashes: Ints) -> Ints:
    """Hashes with 0 where there was no string."""
    return np.where(hashes == _NOBODY, 0, hashes)


def _usage(figures: list[Any]) -> bytes:
    """Recorded tokens, four of 64 bits for each record; what is no count is 0 (a negative number: see `finish`)."""
    try:
        return pack(f"{len(figures)}q", *figures)
    except StructError:
        return pack(f"{len(figures)}q", *[tokens_of({"": figure}, "") for figure in figures])


_DTYPES: Final = {"q": np.int64, "i": np.int32, "B": np.uint8}
_NOBODY: Final = hash(None)


def _scattered(mask: Ints, values: Ints, empty: int) -> Ints:
    """`values` where the mask is set, `empty` elsewhere."""
    found = np.full(len(mask), empty, values.dtype)
    found[mask] = values
    return found


def _id_flags(ids: list[str]) -> Ints:
    """Flags of call ids. A run of ids that all are plain is told by one look."""
    found = np.zeros(max(1, len(ids)), np.uint32)
    for start in range(0, len(ids), 1024):
        some = ids[start : start + 1024]
        if not all(some) or max(map(len, some)) > 40 or id_flags("_".join(some)) & ~(Flag.ID_OVER_40 | Flag.ID_OVER_64):
            found[start : start + len(some)] = [id_flags(text) for text in some]
    return found
