"""Which rows a list shows: exchanges, steps and blocks flattened in two levels over arrays, with rows that are not there yet between.

*Top*: an exchange, or what stands beside the messages (system text and tools, exchange -1). *Child*: a run of one step's blocks, or
one block that belongs to no step. A step whose blocks lie apart (a late result) has one child for each run, so that the order on the
wire is the order of the list. Nothing here is a Python list as long as a file: a row is found by two bisections.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from app.model.kinds import Flag, Kind, Role
from app.model.state import Ghost
from app.model.table import Ints
from app.model.view import View


class RowKind(IntEnum):
    EXCHANGE = 1
    STEP = 2
    BLOCK = 3
    GHOST = 4


EXCHANGE, STEP, BLOCK, GHOST = RowKind  # names that cost nothing where every row in view asks


class Entity(NamedTuple):
    """What one row of the list stands for. `position` is the first of an exchange's or a step's blocks; of a ghost the one behind it."""

    kind: RowKind
    top: int
    child: int  # -1 for an exchange
    position: int
    depth: int  # 0, 1 or 2
    ghost: int = -1


class Tree:
    """Tops and children of a view. Arrays of firsts have one entry more: the end.

    `head`: for each top the position whose words speak for it. `folded`: children that their exchange's row shows already (its prompt).
    """

    def __init__(self, view: View) -> None:
        exchange, step = view.groups.exchange, view.groups.step
        count = len(view)
        new_top = np.ones(count, bool)
        new_child = np.ones(count, bool)
        if count:
            new_top[1:] = exchange[1:] != exchange[:-1]
            new_child[1:] = new_top[1:] | (step[1:] != step[:-1]) | (step[1:] < 0)
        tops, children = np.flatnonzero(new_top), np.flatnonzero(new_child)
        self.count = count
        self.top_first = np.append(tops, count)
        self.top_exchange = exchange[tops]
        self.child_first = np.append(children, count)
        self.child_step = step[children]
        self.top_child = np.append(children.searchsorted(tops), len(children))
        self.child_top = np.repeat(np.arange(len(tops)), np.diff(self.top_child))
        self.head = self._heads(view)
        loose = self.child_step < 0
        self.folded = np.zeros(len(children), bool)
        first = self.top_child[:-1]
        if count:
            prompt = (self.head == tops) & (self.top_exchange >= 0) & loose[first] & (view.kind[self.head] == Kind.TEXT)
            self.folded[first[prompt]] = True
        self.child_size = np.where(loose, 0, np.diff(self.child_first))

    def _heads(self, view: View) -> Ints:
        """A person's words where there are some, else the first block."""
        first = self.top_first[:-1]
        if not len(first):
            return first
        words = (view.kind == Kind.TEXT) & (view.role == Role.USER)
        spoken = np.flatnonzero(words & ((view.flags & (Flag.INJECTED | Flag.SUMMARY | Flag.PROMPT)) != Flag.INJECTED))
        nearest = np.append(spoken, self.count)[spoken.searchsorted(first)]
        return np.where(nearest < self.top_first[1:], nearest, first)

    @property
    def tops(self) -> int:
        return len(self.top_first) - 1

    @property
    def children(self) -> int:
        return len(self.child_first) - 1

    def top_of(self, position: int) -> int:
        return int(self.top_first.searchsorted(position, "right")) - 1

    def child_of(self, position: int) -> int:
        return int(self.child_first.searchsorted(position, "right")) - 1

    def has_children(self, top: int) -> bool:
        """Whether there is something to open: more than the one prompt that the row itself shows."""
        start, end = int(self.top_child[top]), int(self.top_child[top + 1])
        return end - start > int(self.folded[start])


class Layout:
    """A tree and what of it is open. `generation` counts every change of what a row means."""

    def __init__(self, tree: Tree, open_top: Ints | None = None, open_child: Ints | None = None) -> None:
        self.tree = tree
        self.open_top = np.zeros(tree.tops, bool) if open_top is None else open_top
        self.open_child = np.zeros(tree.children, bool) if open_child is None else open_child
        self.ghosts: tuple[Ghost, ...] = ()
        self.ghost_calls: dict[int, int] = {}  # position of a call to the ghost that answers it
        self._anchors = _Anchors(tree, ())
        self.generation = 0
        self.recount()

    def recount(self) -> None:
        """Rows before each child and each top, counted anew."""
        tree = self.tree
        rows = (~tree.folded).astype(np.int64) + np.where(self.open_child, tree.child_size, 0)
        self._child_cum = np.concatenate([[0], np.cumsum(rows)])
        inside = self._child_cum[tree.top_child[1:]] - self._child_cum[tree.top_child[:-1]]
        self._top_cum = np.concatenate([[0], np.cumsum(1 + np.where(self.open_top, inside, 0))])
        self._place_ghosts()

    def _place_ghosts(self) -> None:
        bases, which = self._anchors.rows(self)
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
        return Entity(BLOCK, top, child, first + inside - 1, 2)

    def base_row(self, position: int) -> int:
        """Row of the innermost open thing that holds a position, ghosts not counted."""
        tree = self.tree
        top = tree.top_of(position)
        row = int(self._top_cum[top])
        if not self.open_top[top]:
            return row
        child = tree.child_of(position)
        if tree.folded[child]:
            return row
        row += 1 + int(self._child_cum[child] - self._child_cum[tree.top_child[top]])
        if tree.child_step[child] >= 0 and self.open_child[child]:
            row += 1 + position - int(tree.child_first[child])
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
            inside = int(tree.child_size[child])
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
        self._anchors = _Anchors(self.tree, self.ghosts)
        self._place_ghosts()

    def park_ghosts(self, count: int) -> None:
        """Puts `count` ghosts behind all rows: how a view is told that there are more or fewer of them, before they take their places."""
        self._ghost_rows = int(self._top_cum[-1]) + np.arange(count)
        self._ghost_which = np.zeros(count, np.int64)
        self.generation += 1

    def is_open(self, position: int) -> bool:
        """Whether a block has a row of its own now."""
        tree = self.tree
        child = tree.child_of(position)
        if tree.folded[child]:
            return True
        return bool(self.open_top[tree.top_of(position)]) and (tree.child_step[child] < 0 or bool(self.open_child[child]))


class _Anchors:
    """Where ghosts stand in a tree: before a top (depth 0), before a child of it (1), or inside a child (2)."""

    def __init__(self, tree: Tree, ghosts: tuple[Ghost, ...]) -> None:
        places = [_anchor(tree, ghost) for ghost in ghosts]
        table = np.array(places, np.int64).reshape(len(places), 4)
        self.depth, self.top, self.child, self.offset = table.T
        self.ghosts = ghosts

    def rows(self, layout: Layout) -> tuple[Ints, Ints]:
        """Base rows of the ghosts that can be seen, in order, and which ones they are."""
        if not self.ghosts:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        tree, top, child = layout.tree, self.top, self.child
        top_cum, child_cum = layout._top_cum, layout._child_cum
        held = np.minimum(top, max(tree.tops - 1, 0))
        opened = layout.open_top[held] if tree.tops else np.zeros(len(top), bool)
        in_child = np.minimum(child, max(tree.children - 1, 0))
        child_open = layout.open_child[in_child] if tree.children else opened
        base = top_cum[top].copy()
        inner = self.depth > 0
        base[inner] += 1 + child_cum[child[inner]] - child_cum[tree.top_child[held[inner]]]
        base += np.where(self.depth == 2, 1 + self.offset, 0)
        seen = np.flatnonzero((self.depth == 0) | (opened & ((self.depth == 1) | child_open)))
        order = seen[np.lexsort((seen, -self.depth[seen], base[seen]))]  # what stands deeper belongs to what is above
        return base[order], order

    def entity(self, which: int) -> Entity:
        ghost = self.ghosts[which]
        depth = int(self.depth[which])
        return Entity(GHOST, int(self.top[which]), int(self.child[which]), ghost.position, depth, which)


def _anchor(tree: Tree, ghost: Ghost) -> tuple[int, int, int, int]:
    """Depth, top, child and offset in the child. A made-up result stays with the step of its call; words stand where their place begins."""
    at = min(max(ghost.position, 0), tree.count)
    if ghost.call_position >= 0 and at > 0:
        step = tree.child_step[tree.child_of(ghost.call_position)]
        before = tree.child_of(at - 1)
        if tree.child_step[before] == step and step >= 0:
            return 2, int(tree.child_top[before]), before, at - int(tree.child_first[before])
        if at < tree.count and tree.child_step[tree.child_of(at)] == step:
            behind = tree.child_of(at)
            return 2, int(tree.child_top[behind]), behind, at - int(tree.child_first[behind])
        if at == tree.child_first[before + 1]:
            return 1, int(tree.child_top[before]), before + 1, 0
        return 2, int(tree.child_top[before]), before, at - int(tree.child_first[before])
    if at >= tree.count:
        return 0, tree.tops, tree.children, 0
    top, child = tree.top_of(at), tree.child_of(at)
    if at == tree.top_first[top]:
        return 0, top, child, 0
    if at == tree.child_first[child]:
        return 1, top, child, 0
    return 2, top, child, at - int(tree.child_first[child])


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
