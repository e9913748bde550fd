"""One pass over the lines of a Claude Code session: what is kept of each record, as columns.

Speed decides how this is written: a record is decoded, looked at and forgotten before the next one is, while it is in the
processor's cache. Nothing of it is kept but numbers: uuids and message ids as their hashes, which this process alone understands and
which are forgotten with the tree. What is kept of a record: `_claude_rows.py`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from struct import error as StructError
from struct import pack
from typing import Any, Final

import numpy as np

from app.formats._claude_rows import ASSISTANT, Boundary, Rows, hash_of
from app.formats._columns import Columns, tokens_of
from app.formats._flags import id_flags
from app.formats._iso_times import seconds
from app.formats._json import BOM
from app.model.kinds import Flag, Kind
from app.model.source import Source
from app.model.table import Ints

RUN: Final = 1 << 16  # bytes read at once
SOME: Final = 4096  # records after which lists become arrays


@dataclass(eq=False)
class Lines:
    """What a pass keeps: one entry a record in `offset` ... `count`, one a row in `kind` ... `name`.

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
    used: Ints
    usage: Ints
    groups: list[tuple[str, bool, str]] = field(default_factory=list)
    boundaries: dict[int, Boundary] = field(default_factory=dict)
    refusals: dict[int, tuple[int | None, str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)  # by session
    complete: bool = True

    def __len__(self) -> int:
        return len(self.what)


def read(source: Source, progress: Callable[[float], None] | None = None, first_look: bool = False) -> Lines:
    """Reads all lines. The collector of garbage rests meanwhile: what dies here dies at once."""
    lines = _Pass()
    resting = gc.isenabled()
    gc.disable()
    try:
        for run, offset in _runs(source, first_look):
            lines.add(run, offset)
            if progress is not None:
                progress((offset + len(run)) / max(1, source.size))
    finally:
        if resting:
            gc.enable()
    return lines.finish(complete=not (first_look and source.size < source.stamp.size))


def _runs(source: Source, first_look: bool) -> Iterator[tuple[bytes, int]]:
    """Runs of whole lines without the last \\n, and the offset of each.
    What stands behind the last \\n is a line too, but where a first look cut it off."""
    offset = end = len(BOM) if source.read(0, len(BOM)) == BOM else 0
    parts: list[bytes] = []
    for chunk in source.chunks(offset, RUN):
        end += len(chunk)
        cut = chunk.rfind(b"\n")
        if cut < 0:
            parts.append(chunk)
            continue
        parts.append(chunk[:cut])
        yield b"".join(parts), offset
        parts = [chunk[cut + 1 :]]
        offset = end - len(parts[0])
    rest = b"".join(parts)
    if rest and not (first_look and source.size < source.stamp.size):
        yield rest, offset


class _Pass:
    """The columns while they grow: lists for some thousand records, then arrays."""

    def __init__(self) -> None:
        self.rows = Rows()
        self.spans: list[tuple[Ints, Ints, Ints]] = []  # offset, length, place
        self.parts: list[dict[str, Ints]] = []
        self.lines = 0

    def add(self, run: bytes, offset: int) -> None:
        """A run of whole lines that begins at `offset`."""
        lines = run.split(b"\n")
        lengths = np.array(list(map(len, lines)), np.int64)
        offsets = np.cumsum(lengths + 1) - (lengths + 1) + offset
        places = np.arange(self.lines, self.lines + len(lines), dtype=np.int32)
        if b"\r" in run:
            lengths -= np.array([line.endswith(b"\r") for line in lines])
        blank = self.rows.records(lines)
        if blank:
            offsets, lengths, places = (np.delete(column, blank) for column in (offsets, lengths, places))
        self.spans.append((offsets, lengths, places))
        self.lines += len(lines)
        if len(self.rows.what) > SOME:
            self.flush()

    def flush(self) -> None:
        """What came since the last time becomes arrays."""
        rows = self.rows
        _, _, uuids, parents, groups, stamps = zip(*rows.fields, strict=True) if rows.fields else ((),) * 6
        self.parts.append({
            "time": seconds(stamps), "what": _packed(rows.what, "B"), "count": _packed(rows.count, "i"),
            "uuid": _hashes(uuids), "parent": _hashes(parents), "group": _numbers(groups, rows.groups), "identity": _hashes(rows.identity),
            "code": _packed(rows.code, "B"), "size": _packed(rows.size, "i"), "flags": rows.row_flags(),
            "key": _packed(rows.key, "i"), "name": _packed(rows.name, "i"), "usage": _usage(rows.figures),
        })  # fmt: skip
        rows.clear()

    def finish(self, complete: bool) -> Lines:
        """All that was kept."""
        self.flush()
        parts: dict[str, Ints] = {}
        for name in list(self.parts[0]):
            parts[name] = np.concatenate([part.pop(name) for part in self.parts])
        spans = self.spans or [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int32))]
        offset, length, place = (np.concatenate([span[i] for span in spans]) for i in range(3))
        rows = self.rows
        codes = np.array(rows.codes, np.int64).reshape(-1, 3)
        kind, type_ = codes[:, 0].astype(np.uint8)[parts["code"]], codes[:, 1].astype(np.uint8)[parts["code"]]
        what = parts["what"]
        answer, call = what == ASSISTANT, kind == Kind.TOOL_CALL
        key = _scattered(call | (kind == Kind.TOOL_RESULT), parts["key"], -1)
        held = key >= 0
        parts["flags"][held] |= _id_flags(list(rows.columns.keys))[key[held]]
        used = parts["usage"][:, 0] >= 0
        return Lines(
            columns=rows.columns, offset=offset, length=length, place=place, time=parts["time"], what=what,
            group=parts["group"], uuid=parts["uuid"], parent=parts["parent"], message=_scattered(answer, parts["identity"], 0),
            model=_scattered(answer, rows.model_runs.spread(len(parts["identity"]), np.int16), -1),
            count=parts["count"], kind=kind, type=type_, size=parts["size"], flags=parts["flags"], key=key,
            name=_scattered(call, parts["name"], -1), used=np.flatnonzero(answer)[used], usage=parts["usage"][used],
            groups=[(g, False, "") if isinstance(g, str) else (g[0], True, g[1]) for g in rows.groups],
            boundaries=rows.boundaries, refusals=rows.refusals,
            titles={session: title for session, (_, title) in rows.titles.items()}, complete=complete,
        )  # fmt: skip


def _hashes(values: Sequence[Any]) -> Ints:
    """Hashes of strings; 0 where there is none, or what is no string."""
    types = set(map(type, values))
    if types <= {str}:
        return _packed(map(hash, values), "q", len(values))
    if types <= {str, type(None)}:
        found = _packed(map(hash, values), "q", len(values))
        return np.where(found == _NOBODY, 0, found)
    return _packed(map(hash_of, values), "q", len(values))


def _numbers(groups: Sequence[Any], known: dict[Any, int]) -> Ints:
    """The number of each group; a new one gets the next."""
    if len(set(groups)) == 1:
        return np.full(len(groups), known.setdefault(groups[0], len(known)), np.int32)
    return _packed((known.setdefault(group, len(known)) for group in groups), "i", len(groups))


def _usage(figures: list[Any]) -> Ints:
    """Recorded tokens, n x 4; -1 where there are none. What is no count is 0."""
    try:
        found = _packed([figure for four in figures for figure in four], "q").reshape(-1, 4)
        if not len(found) or found.min() >= 0:
            return found
    except (StructError, TypeError):
        pass
    plain = [[-1] * 4 if four is None else [tokens_of({"": figure}, "") for figure in four] for four in figures]
    return np.array(plain, np.int64).reshape(-1, 4)


def _packed(values: Iterable[Any], form: str, count: int = -1) -> Ints:
    """Numbers as an array: `struct` packs three times as fast as numpy gathers. `count`: how many, where they are no list."""
    if form == "B":
        return np.frombuffer(bytes(values), np.uint8)
    return np.frombuffer(pack(f"{count if count >= 0 else len(values)}{form}", *values), _DTYPES[form])  # type: ignore[arg-type]


_DTYPES: Final = {"q": np.int64, "i": np.int32}
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
