"""The rows that stay, and the places between them where moved and made rows go."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.model.table import Ints

BEHIND: Final = 0  # attached to the row before the gap
BEFORE: Final = 1  # attached to the row after it
LAST: Final = 2  # behind everything


class Line:
    """`rows` stay where they are; others are put into the gaps between them. Gap g lies in front of `rows[g]`.

    What is put behind one row, or in front of one, keeps the order in which it came. `size`: rows of the table.
    """

    def __init__(self, rows: Ints, size: int) -> None:
        self.rows = rows
        self._at = np.full(size, -1, np.int32)
        self._at[rows] = np.arange(len(rows), dtype=np.int32)
        self._chains: dict[tuple[int, int], list[int]] = {}
        self._where: dict[int, tuple[int, int]] = {}
        self._behind: dict[int, int] = {}  # how many were put behind a row that was itself put

    def has(self, row: int) -> bool:
        return row in self._where or self._index(row) >= 0

    def _index(self, row: int) -> int:
        return int(self._at[row]) if 0 <= row < len(self._at) else -1

    def next(self, row: int) -> int:
        """The row behind one, -1 at the end."""
        spot = self._where.get(row)
        if spot is None:
            gap, side = self._index(row) + 1, -1
        else:
            gap, side = spot
            chain = self._chains[spot]
            if chain[-1] != row:
                return chain[chain.index(row) + 1]
        for further in range(side + 1, LAST + 1):
            chain = self._chains.get((gap, further), [])
            if chain:
                return chain[0]
        return int(self.rows[gap]) if gap < len(self.rows) else -1

    def previous(self, row: int) -> int:
        """The row before one, -1 at the start."""
        spot = self._where.get(row)
        if spot is None:
            gap, side = self._index(row), LAST + 1
        else:
            gap, side = spot
            chain = self._chains[spot]
            if chain[0] != row:
                return chain[chain.index(row) - 1]
        for earlier in range(side - 1, -1, -1):
            chain = self._chains.get((gap, earlier), [])
            if chain:
                return chain[-1]
        return int(self.rows[gap - 1]) if gap > 0 else -1

    def put_before(self, row: int, anchor: int) -> None:
        spot = self._where.get(anchor)
        if spot is None:
            self._append(row, (self._index(anchor), BEFORE))
        else:
            chain = self._chains[spot]
            chain.insert(chain.index(anchor), row)
            self._where[row] = spot

    def put_behind(self, row: int, anchor: int) -> None:
        spot = self._where.get(anchor)
        if spot is None:
            self._append(row, (self._index(anchor) + 1, BEHIND))
            return
        chain = self._chains[spot]
        count = self._behind.get(anchor, 0)
        if count == 0 and chain[-1] == anchor:
            chain.append(row)
        else:
            chain.insert(chain.index(anchor) + 1 + count, row)
        self._behind[anchor] = count + 1
        self._where[row] = spot

    def put_last(self, row: int) -> None:
        self._append(row, (len(self.rows), LAST))

    def put_into(self, row: int, gap: int, side: int) -> None:
        """Into a gap, where the row that the place named is gone."""
        self._append(row, (gap, side))

    def _append(self, row: int, spot: tuple[int, int]) -> None:
        self._chains.setdefault(spot, []).append(row)
        self._where[row] = spot

    def order(self, unsent: int) -> tuple[Ints, int]:
        """All rows in order, and how many of them stand before what is sent; `unsent`: how many of `rows` do."""
        gaps: list[int] = []
        put: list[int] = []
        more = 0
        for (gap, side), chain in sorted(self._chains.items()):
            gaps.extend([gap] * len(chain))
            put.extend(chain)
            if gap < unsent or (gap == unsent and side == BEHIND and unsent > 0):
                more += len(chain)
        if not put:
            return self.rows, unsent
        return np.insert(self.rows, gaps, np.asarray(put, np.int32)), unsent + more
