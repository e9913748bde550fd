"""A transcript: a table and an order, with what edits have laid over it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from app.model.edits import Content, Made
from app.model.table import Ints, Table


@dataclass(frozen=True)
class Refusal:
    """A provider's error that the dump records: the record (-1: it stands in none of its own), the row that it stands behind (-1: before
    all), status and the provider's words. What the words speak of is found by pipeline/recall.py, whichever format they come from."""

    record: int
    after: int
    status: int | None
    text: str


@dataclass(frozen=True)
class Wall:
    """A recorded compaction: the first row behind it, its record, tokens before and after where the dump tells."""

    row: int
    record: int
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, eq=False)
class Transcript:
    """`order` lists the live rows: first those of this conversation that the model no longer sees, from `start` on what would be sent.

    Rules, places and strategies look at `sent` only; counts, groups and the list at all of it.
    """

    table: Table
    order: Ints  # int32
    start: int = 0
    id: str = "main"
    title: str = ""
    index: int = 0  # the owner number in Records.owner
    model: str | None = None
    forks_from: str | None = None
    shared_records: int = 0
    why: str = ""  # why this one is opened, or where it leaves its parent
    subagent: bool = False
    refusals: tuple[Refusal, ...] = ()
    walls: tuple[Wall, ...] = ()
    # what edits laid over the table
    contents: tuple[Content, ...] = ()
    content: Ints | None = None  # int16 over the table's rows: index in `contents`, -1 none; many rows share one
    fields: dict[int, dict[str, Any]] = field(default_factory=dict)  # row to field to value (see Set)
    made: dict[int, Made] = field(default_factory=dict)  # row to what an edit inserted
    request: dict[str, Any] = field(default_factory=dict)  # JSON pointer to value (see SetRequest)
    moved: frozenset[int] = frozenset()  # rows that stand elsewhere than in the file

    @property
    def sent(self) -> Ints:
        return self.order[self.start :]

    def __len__(self) -> int:
        return len(self.order)

    def with_(self, **changes: Any) -> Transcript:
        return replace(self, **changes)

    def content_of(self, row: int) -> Content | None:
        """What an edit put in place of a row's text."""
        if self.content is None or row >= len(self.content) or self.content[row] < 0:
            return None
        return self.contents[self.content[row]]

    def touched(self) -> set[int]:
        """Rows whose bytes an edit changed or made."""
        replaced = [] if self.content is None else np.flatnonzero(self.content >= 0).tolist()
        return {*replaced, *self.fields, *self.made}

    def own(self) -> Ints:
        """Mask over `order`: rows that this transcript counts (a branch counts only what its parent does not hold)."""
        record = self.table.record[self.order]
        owner = np.where(record >= 0, self.table.records.owner[np.maximum(record, 0)], self.index)
        return owner == self.index
