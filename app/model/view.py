"""A transcript's rows as columns along its order: what rules and strategies read.

*Row* is an id in the table; *position* an index along `order`. All arrays here are aligned with positions, the unsent ones
(before `start`) included; groups and links are made over all of them, rules and strategies judge from `start` on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from app.model.kinds import Flag, Kind
from app.model.table import Ints
from app.model.transcript import Transcript


def dense(numbers: Ints) -> Ints:
    """Numbers anew from 0, in the order of their first coming: `[7, 7, 3, 7]` gives `[0, 0, 1, 0]` (int32)."""
    if not len(numbers):
        return np.empty(0, np.int32)
    steps = np.diff(numbers)
    if not (steps < 0).any():  # nothing was moved: no need to sort
        return np.concatenate([[0], np.cumsum(steps != 0)]).astype(np.int32)
    found, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    rank = np.empty(len(found), np.int32)
    rank[np.argsort(first, kind="stable")] = np.arange(len(found), dtype=np.int32)
    return rank[inverse]


@dataclass(eq=False)
class Groups:
    """Exchanges and steps (pipeline/group.py).

    For each position: `exchange` (index from 0) and `step` (index from 0, -1: belongs to none: prompts, notes, system, tools).
    System text and tool definitions have exchange -1. For each exchange: `first` position, and whether it is exchange 0 of the
    words (`zero`: what stands before the first real user message; then indices are the E numbers, else E number = index + 1).
    For each step: `step_first` position, `step_exchange`, `closed` (all its calls answered and a later step exists).
    """

    exchange: Ints
    step: Ints
    first: Ints
    zero: bool
    step_first: Ints
    step_exchange: Ints
    closed: Ints  # bool
    refused: Ints  # int32 per exchange: how often its prompt was refused and repeated
    opened_as: Ints | None = None  # int32 per exchange: its E number in the dump as opened, -1 where edits made it; None: these are they
    step_opened_as: Ints | None = None  # the same for r numbers

    def label(self, exchange: int) -> str:
        """`E9`: the number that it had when the dump was opened, whatever was taken out since."""
        if self.opened_as is not None:
            number = int(self.opened_as[exchange])
            return f"E{number}" if number >= 0 else "new"
        return f"E{exchange if self.zero else exchange + 1}"

    def step_label(self, step: int) -> str:
        """`r203`, as opened."""
        if self.step_opened_as is not None:
            number = int(self.step_opened_as[step])
            return f"r{number}" if number >= 0 else "new"
        return f"r{step + 1}"

    @property
    def longest(self) -> tuple[str, str]:
        """The longest labels: of an exchange, of a step."""
        if self.opened_as is not None and self.step_opened_as is not None:
            return f"E{self.opened_as.max(initial=9)}", f"r{self.step_opened_as.max(initial=9)}"
        return self.label(max(self.live, 0)), f"r{self.steps}"

    @property
    def exchanges(self) -> int:
        return len(self.first)

    @property
    def steps(self) -> int:
        return len(self.step_first)

    @property
    def live(self) -> int:
        """The last exchange; -1 where there is none."""
        return len(self.first) - 1


@dataclass(eq=False)
class Links:
    """The n-th call of an id and the n-th result of it (pipeline/link.py). For each position: the partner's position, or -1.
    `extra`: further results for an id that is answered already."""

    partner: Ints  # int32
    extra: Ints  # bool


@dataclass(eq=False)
class View:
    """Columns along a transcript's order, gathered once; see the module."""

    transcript: Transcript
    groups: Groups
    links: Links
    tokens: Ints | None = None  # int32 along positions: a block's own tokens, calls with their overhead; None before counting
    message_overhead: Ints | None = None  # int32 along *dense* messages
    pinned: frozenset[int] = frozenset()  # exchanges (indices) that a person pinned
    held: Ints | None = None  # bool along positions: rows that a person pinned, whole exchanges or not; None: none but `pinned`
    readings: dict[Any, Any] = field(default_factory=dict, repr=False)  # what providers made of it, kept by pipeline/read.py

    def release(self) -> None:
        """Lets go of what can be made again: the columns gathered along the order, and the readings."""
        kept = {item.name for item in fields(self)}
        for name in [name for name in self.__dict__ if name not in kept]:
            del self.__dict__[name]
        self.readings.clear()

    @cached_property
    def unread(self) -> bool:
        """Whether there is no message, or nothing but records that nobody could make one of: then nothing was judged."""
        return bool(np.isin(self.kind, (Kind.OTHER, Kind.EMPTY)).all())

    @cached_property
    def rows(self) -> Ints:
        return self.transcript.order

    @property
    def start(self) -> int:
        return self.transcript.start

    def __len__(self) -> int:
        return len(self.transcript.order)

    @cached_property
    def kind(self) -> Ints:
        return self.transcript.table.kind[self.rows]

    @cached_property
    def role(self) -> Ints:
        return self.transcript.table.role[self.rows]

    @cached_property
    def flags(self) -> Ints:
        return self.transcript.table.flags[self.rows]

    @cached_property
    def flags_present(self) -> int:
        """Flags that stand on at least one row."""
        return int(np.bitwise_or.reduce(self.flags)) if len(self.flags) else 0

    @cached_property
    def key(self) -> Ints:
        return self.transcript.table.key[self.rows]

    @cached_property
    def type(self) -> Ints:
        return self.transcript.table.type[self.rows]

    @cached_property
    def name(self) -> Ints:
        return self.transcript.table.name[self.rows]

    @cached_property
    def size(self) -> Ints:
        return self.transcript.table.size[self.rows]

    @cached_property
    def in_messages(self) -> Ints:
        """Mask: rows of the list of messages (not system text or tool definitions beside it)."""
        return (self.kind != Kind.SYSTEM) & (self.kind != Kind.TOOLS)

    @cached_property
    def message(self) -> Ints:
        """Messages numbered densely along the order, from 0; parts of one message that lie apart share the number of its first part.
        System text and tool definitions beside the list have -1."""
        inside = self.in_messages
        numbers = np.full(len(inside), -1, np.int32)
        numbers[inside] = dense(self.transcript.table.message[self.rows][inside])
        return numbers

    @property
    def pins(self) -> Ints:
        """Mask: what is pinned, and the partners of it: no plan touches these rows."""
        found = np.isin(self.groups.exchange, list(self.pinned)) if self.pinned else np.zeros(len(self), bool)
        if self.held is not None:
            found |= self.held
        ends = self.links.partner[found]
        ends = ends[ends >= 0]
        if len(ends):
            found[ends] = True
        return found

    @cached_property
    def server(self) -> Ints:
        return (self.flags & Flag.SERVER) != 0

    @cached_property
    def calls(self) -> Ints:
        """Mask: calls that the client answers."""
        return (self.kind == Kind.TOOL_CALL) & ~self.server

    @cached_property
    def results(self) -> Ints:
        """Mask: results that the client gave."""
        return (self.kind == Kind.TOOL_RESULT) & ~self.server

    @cached_property
    def position(self) -> dict[int, int]:
        """Row to position. Made on demand: for a few rows use `at`."""
        return {int(r): i for i, r in enumerate(self.rows.tolist())}

    def bears(self, word: str, position: int) -> bool:
        """Whether one row bears a mark: for a few, without a mask of all."""
        rows = self.transcript.table.marks.get(word)
        if rows is None or not len(rows):
            return False
        row = rows.dtype.type(self.rows[position])  # of one type with the rows: else all of them are converted
        at = int(np.searchsorted(rows, row))
        return at < len(rows) and bool(rows[at] == row)

    @cached_property
    def _inverse(self) -> Ints:
        inverse = np.full(len(self.transcript.table), -1, np.int32)
        inverse[self.rows] = np.arange(len(self.rows), dtype=np.int32)
        return inverse

    def marked(self, word: str) -> Ints:
        """Mask: rows that bear a mark (see Mark). Made once, not to be written to."""
        key = ("marked", word)
        if key not in self.readings:
            found = np.zeros(len(self), bool)
            rows = self.transcript.table.marks.get(word)
            if rows is not None and len(rows):
                at = self.positions(rows)
                found[at[at >= 0]] = True
            self.readings[key] = found
        marked: Ints = self.readings[key]
        return marked

    def at(self, row: int) -> int:
        """Position of a row, -1 where it is not live."""
        return int(self._inverse[row]) if 0 <= row < len(self._inverse) else -1

    def positions(self, rows: Ints) -> Ints:
        """Positions of many rows, -1 for those that are not live."""
        known = (rows >= 0) & (rows < len(self._inverse))
        found: Ints = np.where(known, self._inverse[np.where(known, rows, 0)], -1) if len(self._inverse) else np.full(len(rows), -1)
        return found


@dataclass
class Totals:
    """Tokens of a transcript: `total` is all that the next request would carry; `not_sent` what the model no longer sees."""

    total: int
    not_sent: int
    counter: str
    exact: bool
    by_step: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    by_exchange: Ints = field(default_factory=lambda: np.empty(0, np.int64))
