"""Which rows a list shows: a tree of exchanges, steps and blocks flattened over arrays, with rows that are not there yet between.

Nothing here is a Python list as long as a file: a row is found by two bisections. Where only some blocks are shown (a filter), what
holds none of them has no row either; a position without a row is where its row would be.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.state import Ghost
from app.model.table import Ints
from widgets.exchange_tree import BLOCK, EXCHANGE, GHOST, STEP, Entity, Tree
from widgets.ghost_anchors import Anchors


class Layout:
    """A tree and what of it is open. `generation` counts every change of what a row means."""

    def __init__(self, tree: Tree, open_top: Ints | None = None, open_child: Ints | None = None, mask: Ints | None = None) -> None:
        self.tree = tree
        self.open_top = np.zeros(tree.tops, bool) if open_top is None else open_top
        self.open_child = np.zeros(tree.children, bool) if open_child is None else open_child
        self.ghosts: tuple[Ghost, ...] = ()
        self.ghost_calls: dict[int, int] = {}  # position of a call to the ghost that answers it
        self._anchors = Anchors(tree, ())
        self.generation = 0
        self.shown: Ints | None = None  # positions that have rows, rising; None: all
        self._child_size = tree.child_size
        self._child_head: Ints = tree.child_head
        self._top_head: Ints | None = None  # 0: of no row
        self.sift(mask)

    def sift(self, mask: Ints | None) -> None:
        """Only these blocks (a mask over positions) and what holds them have rows; None: all."""
        tree = self.tree
        self.shown = None if mask is None else np.flatnonzero(mask)
        if mask is None:
            self._child_size, self._child_head, self._top_head = tree.child_size, tree.child_head, None
        else:
            before = np.zeros(tree.count + 1, np.int32)
            np.cumsum(mask, out=before[1:])
            at = before[tree.child_first]
            inside = at[1:] - at[:-1]
            self._child_head = tree.child_head * (inside > 0)
            self._child_size = inside * (tree.child_size > 0)
            at = before[tree.top_first]
            self._top_head = at[1:] > at[:-1]
        self.recount()

    def recount(self) -> None:
        """Rows before each child and each top, counted anew."""
        tree = self.tree
        rows = self._child_size * self.open_child
        rows += self._child_head
        self._child_cum = np.zeros(tree.children + 1, np.int64)
        np.cumsum(rows, out=self._child_cum[1:])
        at = self._child_cum[tree.top_child]
        of_top = (at[1:] - at[:-1]) * self.open_top
        of_top += 1
        self._top_cum = np.zeros(tree.tops + 1, np.int64)
        np.cumsum(of_top if self._top_head is None else of_top * self._top_head, out=self._top_cum[1:])
        self._place_ghosts()

    def has_children(self, top: int) -> bool:
        """Whether there is something to open in a top."""
        if self.shown is None:
            return self.tree.has_children(top)
        return bool(self._child_cum[self.tree.top_child[top + 1]] > self._child_cum[self.tree.top_child[top]])

    def has_row(self, position: int) -> bool:
        """Whether a block has a row, or what holds it closed stands for it."""
        if self.shown is None:
            return True
        at = int(self.shown.searchsorted(position))
        return at < len(self.shown) and int(self.shown[at]) == position

    def _inside(self, child: int, number: int) -> int:
        """Position of the n-th block with a row in a child, from 0."""
        first = int(self.tree.child_first[child])
        return first + number if self.shown is None else int(self.shown[int(self.shown.searchsorted(first)) + number])

    def _number(self, child: int, position: int) -> int:
        """How many blocks with a row stand before a position in a child."""
        first = int(self.tree.child_first[child])
        return position - first if self.shown is None else int(np.diff(self.shown.searchsorted((first, position)))[0])

    def _place_ghosts(self) -> None:
        bases, which = self._anchors.rows(self._top_cum, self._child_cum, self.open_top, self.open_child)
        self._ghost_rows = bases + np.arange(len(bases))
        self._ghost_which = which
        self.generation += 1

    # -- counting and finding ----------------------------------------------------------------------------------------------

    @property
    def rows(self) -> int:
        return int(self._top_cum[-1]) + len(self._ghost_rows)

    @property
    def shown_ghosts(self) -> int:
        return len(self._ghost_rows)

    def entity(self, row: int) -> Entity:
        """What a row is. Raises IndexError outside of the list."""
        if not 0 <= row < self.rows:
            raise IndexError(row)
        tree = self.tree
        if len(self._ghost_rows):
            before = int(self._ghost_rows.searchsorted(row))
            if before < len(self._ghost_rows) and self._ghost_rows[before] == row:
                return self._anchors.entity(int(self._ghost_which[before]))
            row -= before
        top = int(self._top_cum.searchsorted(row, "right")) - 1
        offset = row - int(self._top_cum[top])
        if offset == 0:
            return Entity(EXCHANGE, top, -1, int(tree.top_first[top]), 0)
        offset += int(self._child_cum[tree.top_child[top]]) - 1
        child = int(self._child_cum.searchsorted(offset, "right")) - 1
        inside = offset - int(self._child_cum[child])
        first = int(tree.child_first[child])
        if tree.child_step[child] < 0:
            return Entity(BLOCK, top, child, first, 1)
        if inside == 0:
            return Entity(STEP, top, child, first, 1)
        return Entity(BLOCK, top, child, self._inside(child, inside - 1), 2)

    def base_row(self, position: int) -> int:
        """Row of the innermost open thing that holds a position, ghosts not counted."""
        tree = self.tree
        top = tree.top_of(position)
        row = int(self._top_cum[top])
        if not self.open_top[top] or (self._top_head is not None and not self._top_head[top]):
            return row
        child = tree.child_of(position)
        if tree.folded[child]:
            return row
        row += 1 + int(self._child_cum[child] - self._child_cum[tree.top_child[top]])
        if tree.child_step[child] >= 0 and self.open_child[child] and self._child_head[child]:
            row += 1 + self._number(child, position)
        return row

    def row_of(self, position: int) -> int:
        """Row of the innermost open thing that holds a position."""
        return self._with_ghosts(self.base_row(position))

    def row_of_top(self, top: int) -> int:
        return self._with_ghosts(int(self._top_cum[top]))

    def row_of_entity(self, entity: Entity) -> int:
        """Where a thing stands now; the row of what holds it where it is closed. A ghost that went gives the row of its position."""
        if entity.kind == EXCHANGE:
            return self.row_of_top(entity.top)
        if entity.kind == GHOST:
            row = self.row_of_ghost(entity.ghost)
            return row if row >= 0 else self.row_of(min(entity.position, self.tree.count - 1))
        if entity.kind == STEP and self.open_top[entity.top]:
            base = 1 + int(self._top_cum[entity.top] + self._child_cum[entity.child] - self._child_cum[self.tree.top_child[entity.top]])
            return self._with_ghosts(base)
        return self.row_of(entity.position)

    def row_of_ghost(self, which: int) -> int:
        """Row of a ghost, -1 where what holds it is closed."""
        found = np.flatnonzero(self._ghost_which == which)
        return int(self._ghost_rows[found[0]]) if len(found) else -1

    def rows_of_children(self, children: Ints) -> Ints:
        """Rows of many children at once, of their top where that is closed (for the outline)."""
        tops = self.tree.child_top[children]
        inside = 1 + self._child_cum[children] - self._child_cum[self.tree.top_child[tops]]
        if self._top_head is not None:
            inside = np.minimum(inside, self._top_cum[tops + 1] - self._top_cum[tops])
        rows: Ints = self._top_cum[tops] + np.where(self.open_top[tops] & ~self.tree.folded[children], inside, 0)
        return rows + (self._ghost_rows - np.arange(len(self._ghost_rows))).searchsorted(rows, "right")

    def _with_ghosts(self, base: int) -> int:
        if not len(self._ghost_rows):
            return base
        return base + int((self._ghost_rows - np.arange(len(self._ghost_rows))).searchsorted(base, "right"))

    # -- changing ------------------------------------------------------------------------------------------------------------

    def set_open(self, entity: Entity, on: bool) -> int:
        """Opens or closes an exchange or a step; gives how many rows come (or, below 0, go) right behind it."""
        tree, before = self.tree, self.rows
        if entity.kind == EXCHANGE and self.open_top[entity.top] != on:
            top = entity.top
            self.open_top[top] = on
            inside = int(self._child_cum[tree.top_child[top + 1]] - self._child_cum[tree.top_child[top]])
            self._top_cum[top + 1 :] += inside if on else -inside
        elif entity.kind == STEP and self.open_child[entity.child] != on:
            child = entity.child
            self.open_child[child] = on
            inside = int(self._child_size[child])
            self._child_cum[child + 1 :] += inside if on else -inside
            if self.open_top[entity.top]:
                self._top_cum[entity.top + 1 :] += inside if on else -inside
        self._place_ghosts()
        return self.rows - before

    def set_level(self, level: int) -> None:
        """1: exchanges, 2: their steps, 3: all blocks."""
        self.open_top[:] = level >= 2
        self.open_child[:] = (level >= 3) & (self.tree.child_step >= 0)
        self.recount()

    def set_ghosts(self, ghosts: Sequence[Ghost]) -> None:
        self.ghosts = tuple(ghosts)
        self.ghost_calls = {ghost.call_position: which for which, ghost in enumerate(self.ghosts) if ghost.call_position >= 0}
        self._anchors = Anchors(self.tree, self.ghosts)
        self._place_ghosts()

    def park_ghosts(self, count: int) -> None:
        """Puts `count` ghosts behind all rows: how a view is told that there are more or fewer of them, before they take their places."""
        self._ghost_rows = int(self._top_cum[-1]) + np.arange(count)
        self._ghost_which = np.zeros(count, np.int64)
        self.generation += 1

    def opened(self, entity: Entity) -> bool:
        """Whether a thing's rows are shown. A block has none, and a row to come may stand behind the last thing there is."""
        if entity.kind == EXCHANGE:
            return bool(self.open_top[entity.top])
        return entity.kind == STEP and bool(self.open_child[entity.child])

    def is_open(self, position: int) -> bool:
        """Whether a block has a row of its own now."""
        tree = self.tree
        if not self.has_row(position):
            return False
        child = tree.child_of(position)
        if tree.folded[child]:
            return True
        return bool(self.open_top[tree.top_of(position)]) and (tree.child_step[child] < 0 or bool(self.open_child[child]))


def carried_over(old: Layout, old_rows: Ints, tree: Tree, rows: Ints) -> Layout:
    """A layout of a new tree in which is open what was open before, told by row ids: edits move rows and never rename them."""
    if not old.open_top.any() and not old.open_child.any():
        return Layout(tree)
    opened = np.zeros(int(max(old_rows.max(initial=-1), rows.max(initial=-1))) + 1, np.uint8)
    opened[old_rows] = np.repeat(old.open_top, np.diff(old.tree.top_first))
    opened[old_rows] |= np.repeat(old.open_child, np.diff(old.tree.child_first)).astype(np.uint8) << 1
    if not tree.tops:
        return Layout(tree)
    here = opened[rows]
    tops = (np.bitwise_or.reduceat(here, tree.top_first[:-1]) & 1).astype(bool)
    children = (np.bitwise_or.reduceat(here, tree.child_first[:-1]) & 2).astype(bool) & (tree.child_step >= 0)
    return Layout(tree, tops, children)
