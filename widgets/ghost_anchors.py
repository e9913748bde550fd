"""Where rows that are not there yet stand in a tree."""

from __future__ import annotations

import numpy as np

from app.model.state import Ghost
from app.model.table import Ints
from widgets.exchange_tree import GHOST, Entity, Tree


class Anchors:
    """Where ghosts stand in a tree: before a top (depth 0), before a child of it (1), or inside a child (2)."""

    def __init__(self, tree: Tree, ghosts: tuple[Ghost, ...]) -> None:
        places = [_anchor(tree, ghost) for ghost in ghosts]
        table = np.array(places, np.int64).reshape(len(places), 4)
        self.depth, self.top, self.child, self.offset = table.T
        self.tree, self.ghosts = tree, ghosts

    def rows(self, top_cum: Ints, child_cum: Ints, open_top: Ints, open_child: Ints) -> tuple[Ints, Ints]:
        """Base rows of the ghosts that can be seen, in order, and which ones they are. `top_cum`, `child_cum`: rows before each."""
        if not self.ghosts:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        tree, top, child = self.tree, self.top, self.child
        held = np.minimum(top, max(tree.tops - 1, 0))
        opened = open_top[held] if tree.tops else np.zeros(len(top), bool)
        in_child = np.minimum(child, max(tree.children - 1, 0))
        child_open = open_child[in_child] if tree.children else opened
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
