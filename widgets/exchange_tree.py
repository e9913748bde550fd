"""Exchanges, steps and blocks of a view as a tree of two levels, in arrays.

*Top*: an exchange, or what stands beside the messages (system text and tools, exchange -1). *Child*: a run of one step's blocks, or
one block that belongs to no step. A step whose blocks lie apart (a late result) has one child for each run, so that the order on the
wire is the order of the list.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from app.model.kinds import Flag, Kind, Role
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
        self.child_size = np.where(loose, 0, np.diff(self.child_first)).astype(np.int32)
        self.child_head = (~self.folded).astype(np.int32)  # rows of a child itself: 1, or none where its exchange's row shows it

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
