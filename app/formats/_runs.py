"""An edited order as messages: which of them are records that stand as they are, and which must be written anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.model.kinds import Kind
from app.model.table import Ints, RecordKind, Table
from app.model.transcript import Transcript


@dataclass(frozen=True)
class Run:
    """A message of the edited transcript. `record`: the record that it was, -1 for a new message. `clean`: that record's bytes stand
    for it. `rows` in order."""

    record: int
    clean: bool
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Stretch:
    """Clean records `first` to `last`, neighbours in the file."""

    first: int
    last: int


class Runs:
    """The messages of an edited transcript over the table that the file was read into. `dirty`: records that must be written anew
    although no row of theirs was touched."""

    def __init__(self, base: Table, edited: Transcript, dirty: frozenset[int] = frozenset()) -> None:
        self.base = base
        self.edited = edited
        heads = base.records.kind[base.record] == RecordKind.HEAD if len(base) else np.zeros(0, bool)
        order = edited.order
        known = order < len(base)
        kinds = edited.table.kind[order]
        inside = ~known & (kinds != Kind.SYSTEM) & (kinds != Kind.TOOLS)  # what is made beside the list is a member of the request
        inside[known] = ~heads[order[known]]
        self._rows = order[inside]
        self._dirty = np.asarray(sorted(dirty), np.int64)

    @cached_property
    def first_row(self) -> Ints:
        """For each record its first row; -1 where it has none."""
        first = np.full(len(self.base.records), -1, np.int64)
        rows = np.arange(len(self.base) - 1, -1, -1)
        first[self.base.record[rows]] = rows
        return first

    @cached_property
    def row_count(self) -> Ints:
        return np.bincount(self.base.record, minlength=len(self.base.records))

    @cached_property
    def _record_of_message(self) -> Ints:
        """The record that a message of the file is; -1 where there is none."""
        inside = self.base.message >= 0
        found = np.full(int(self.base.message.max(initial=-1)) + 1, -1, np.int64)
        rows = np.flatnonzero(inside)[::-1]
        found[self.base.message[rows]] = self.base.record[rows]
        return found

    def touched(self) -> Ints:
        """Mask over the rows of the edited table: those whose bytes an edit changes."""
        mask = np.zeros(len(self.edited.table), bool)
        content = self.edited.content
        if content is not None:
            mask[: len(content)] = content >= 0
        for rows in (self.edited.fields, self.edited.made):
            mask[list(rows)] = True
        count = len(self.base)
        mask[:count] |= self.edited.table.role[:count] != self.base.role
        return mask

    def __iter__(self) -> Iterator[Run | Stretch]:
        rows = self._rows
        if not len(rows):
            return
        message = self.edited.table.message[rows]
        starts = np.flatnonzero(np.concatenate([[True], message[1:] != message[:-1]]))
        ends = np.append(starts[1:], len(rows))
        records, clean = self._judged(rows, message, starts, ends)
        follows = np.zeros(len(starts), bool)
        follows[1:] = clean[1:] & clean[:-1] & (records[1:] == records[:-1] + 1)
        breaks = np.flatnonzero(~follows)
        for start, end in zip(breaks.tolist(), [*breaks[1:].tolist(), len(starts)], strict=True):
            if clean[start]:
                yield Stretch(int(records[start]), int(records[end - 1]))
            else:
                yield Run(int(records[start]), False, tuple(rows[starts[start] : ends[start]].tolist()))

    def _judged(self, rows: Ints, message: Ints, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
        """For each run its record (-1: a new message) and whether its bytes stand for it."""
        count = len(self.base)
        own = np.full(len(rows), -1, np.int64)
        known = rows < count
        own[known] = self.base.record[rows[known]]
        whole = known & ~self.touched()[rows]
        begins = np.zeros(len(rows), bool)
        begins[starts] = True
        whole[1:] &= begins[1:] | ((rows[1:] == rows[:-1] + 1) & (own[1:] == own[:-1]))
        first = own[starts]
        clean = np.logical_and.reduceat(whole, starts) & (first >= 0)
        if clean.any():
            clean &= (self.first_row[first] == rows[starts]) & (self.row_count[first] == ends - starts)
        if len(self._dirty):
            clean &= ~np.isin(first, self._dirty)
        number = message[starts]
        table = self._record_of_message
        records = np.full(len(starts), -1, np.int64)
        inside = (number >= 0) & (number < len(table))
        records[inside] = table[number[inside]]
        records[clean] = first[clean]
        return records, clean


def untouched(base: Transcript, edited: Transcript) -> bool:
    """Whether a transcript is the one that was opened, as far as bytes go."""
    if edited.made or edited.request or len(edited.table) != len(base.table) or not np.array_equal(base.order, edited.order):
        return False
    if edited.start != base.start:
        return False
    if any(edited.fields.values()) or (edited.content is not None and bool((edited.content >= 0).any())):
        return False
    return np.array_equal(base.table.role, edited.table.role) and np.array_equal(base.table.message, edited.table.message)
