"""Where things stand in the list as it is open now: for the strip at its edge, and for finding a row again when rows are new."""

from __future__ import annotations

import numpy as np

from app.model.table import Ints
from app.model.view import View
from widgets.exchange_facts import Facts
from widgets.exchange_layout import Layout
from widgets.exchange_model import ExchangeModel
from widgets.exchange_tree import EXCHANGE, RowKind
from widgets.list_overlay import Cut
from widgets.outline import Places

Held = tuple[RowKind, Ints]


def hold(model: ExchangeModel, row: int) -> Held | None:
    """What to look for in rows to come: the kind of a row, and row ids from its own onwards, then backwards."""
    if model.facts is None or model.layout is None or not 0 <= row < model.rowCount():
        return None
    entity, rows = model.entity(row), model.facts.view.rows
    position = int(model.layout.tree.head[entity.top]) if entity.kind == EXCHANGE else min(entity.position, len(rows) - 1)
    return entity.kind, np.concatenate([rows[position:], rows[:position][::-1]])


def find_again(held: Held | None, layout: Layout, view: View) -> int:
    """The row of the list for what was held, or for the nearest that is still there; -1 where nothing is."""
    if held is None:
        return -1
    alive = view.positions(held[1])
    near = np.flatnonzero(alive >= 0)
    if not len(near):
        return -1
    position = int(alive[near[0]])
    return layout.row_of_top(layout.tree.top_of(position)) if held[0] == EXCHANGE else layout.row_of(position)


class PlacesOf:
    """Rows of findings and walls, looked up again where rows or findings are new."""

    def __init__(self) -> None:
        self._of: tuple[Layout, int, Ints, Ints, Ints | None] | None = None
        self._found = Places()

    def find(self, layout: Layout, facts: Facts, seam: int, selected: int, hits: Ints | None = None) -> Places:
        kept = self._of
        if (
            kept is None
            or kept[0] is not layout
            or kept[1] != layout.generation
            or kept[2] is not facts.errors
            or kept[3] is not facts.warnings
            or kept[4] is not hits
        ):
            self._of = (layout, layout.generation, facts.errors, facts.warnings, hits)
            walls = np.array([layout.row_of(position) for position in facts.walls], np.int64)
            marked = hits is not None and layout.shown is None  # where nothing else is shown there is nothing to mark
            found = _rows_of_many(layout, hits) if marked and hits is not None else np.empty(0, np.int64)
            self._found = Places(layout.rows, _rows(layout, facts.errors), _rows(layout, facts.warnings), walls, found)
        self._found.selected = selected
        self._found.cut = Cut(layout, seam).row if seam >= 0 else -1
        return self._found


def _rows(layout: Layout, at: Ints) -> Ints:
    if not len(at):
        return at
    return once(layout.rows_of_children(once(layout.tree.child_first.searchsorted(at, "right") - 1)))


def _rows_of_many(layout: Layout, at: Ints) -> Ints:
    """The same for as many positions as there are blocks: by sums in place of bisections."""
    tree = layout.tree
    there = np.zeros(tree.count + 1, np.int32)
    there[at + 1] = 1
    before = np.cumsum(there, dtype=np.int32)[tree.child_first]
    return once(layout.rows_of_children(np.flatnonzero(before[1:] > before[:-1])))


def once(rising: Ints) -> Ints:
    """Numbers that rise, each once (np.unique sorts or hashes them)."""
    return rising[np.concatenate([[True], rising[1:] != rising[:-1]])] if len(rising) else rising
