"""The rows that stay, and the places between them where moved and made rows go."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.model.table import Ints

BEHIND: Final = 0  # attached to the row before the gap
BEFORE: Final = 1  # attached to the row after it
LAST: Final = 2  # behind everything

Spot = tuple[int, int]  # gap and side


class Line:
    """`rows` stay where they are; others are put into the gaps between them. Gap g lies in front of `rows[g]`.

    What is put behind one row, or in front of one, keeps the order in which it came. `size`: rows of the table. What is put into a gap
    is a chain, linked both ways, so that neither a place nor a neighbour is ever searched for.
    """

    def __init__(self, rows: Ints, size: int) -> None:
        self.rows = rows
        self._at = np.full(size, -1, np.int32)
        self._at[rows] = np.arange(len(rows), dtype=np.int32)
        self._spot: dict[int, Spot] = {}  # of a row that was put
        self._ends: dict[Spot, tuple[int, int]] = {}  # first and last of a chain
        self._after: dict[int, int] = {}
        self._before: dict[int, int] = {}
        self._newest: dict[int, int] = {}  # the last that was put behind a row that was itself put

    def has(self, row: int) -> bool:
        return row in self._spot or self._index(row) >= 0

    def _index(self, row: int) -> int:
        return int(self._at[row]) if 0 <= row < len(self._at) else -1

    def next(self, row: int) -> int:
        """The row behind one, -1 at the end."""
        if row in self._after:
            return self._after[row]
        gap, side = self._spot.get(row, (self._index(row) + 1, -1))
        for further in range(side + 1, LAST + 1):
            ends = self._ends.get((gap, further))
            if ends is not None:
                return ends[0]
        return int(self.rows[gap]) if gap < len(self.rows) else -1

    def previous(self, row: int) -> int:
        """The row before one, -1 at the start."""
        if row in self._before:
            return self._before[row]
        gap, side = self._spot.get(row, (self._index(row), LAST + 1))
        for earlier in range(side - 1, -1, -1):
            ends = self._ends.get((gap, earlier))
            if ends is not None:
                return ends[1]
        return int(self.rows[gap - 1]) if gap > 0 else -1

    def put_before(self, row: int, anchor: int) -> None:
        spot = self._spot.get(anchor)
        if spot is None:
            self.put_into(row, self._index(anchor), BEFORE)
        elif anchor in self._before:
            self._link(row, self._before[anchor], anchor, spot)
        else:
            first, last = self._ends[spot]
            self._ends[spot] = row, last
            self._tie(row, first)
            self._spot[row] = spot

    def put_behind(self, row: int, anchor: int) -> None:
        spot = self._spot.get(anchor)
        if spot is None:
            self.put_into(row, self._index(anchor) + 1, BEHIND)
            return
        behind = self._newest.get(anchor, anchor)
        self._newest[anchor] = row
        if behind in self._after:
            self._link(row, behind, self._after[behind], spot)
        else:
            self.put_into(row, *spot)

    def put_last(self, row: int) -> None:
        self.put_into(row, len(self.rows), LAST)

    def put_into(self, row: int, gap: int, side: int) -> None:
        """At the end of a gap's chain."""
        spot = gap, side
        ends = self._ends.get(spot)
        if ends is not None:
            self._tie(ends[1], row)
        self._ends[spot] = ends[0] if ends is not None else row, row
        self._spot[row] = spot

    def _link(self, row: int, before: int, after: int, spot: Spot) -> None:
        self._tie(before, row)
        self._tie(row, after)
        self._spot[row] = spot

    def _tie(self, one: int, other: int) -> None:
        self._after[one], self._before[other] = other, one

    def order(self, unsent: int) -> tuple[Ints, int]:
        """All rows in order, and how many of them stand before what is sent; `unsent`: how many of `rows` do."""
        gaps: list[int] = []
        put: list[int] = []
        more = 0
        for (gap, side), (first, _) in sorted(self._ends.items()):
            before = len(put)
            row: int | None = first
            while row is not None:
                put.append(row)
                row = self._after.get(row)
            gaps.extend([gap] * (len(put) - before))
            if gap < unsent or (gap == unsent and side == BEHIND and unsent > 0):
                more += len(put) - before
        if not put:
            return self.rows, unsent
        return np.insert(self.rows, gaps, np.asarray(put, np.int32)), unsent + more
