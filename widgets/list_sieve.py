"""What a filter leaves of the list, and how the list was open before: clearing it gives that back."""

from __future__ import annotations

import numpy as np

from app.model.state import State
from app.model.table import Ints
from widgets.exchange_layout import Layout, carried_over

FEW = 300  # so many blocks or fewer are shown at once, whatever was open


class Sieve:
    """`plain`: the layout of all rows while only some are shown."""

    def __init__(self) -> None:
        self.plain: Layout | None = None
        self._mask: Ints | None = None
        self._text = ""

    @property
    def on(self) -> bool:
        """Whether rows are left out."""
        return self.plain is not None

    def forget(self) -> None:
        self.plain, self._mask, self._text = None, None, ""

    def hits(self, state: State) -> Ints | None:
        """Positions that match, rising; None where nothing is looked for, it is not known yet, or words were not found: nothing is dimmed
        then."""
        known, view = state.filter, state.view
        if known is None or known.mask is None or view is None or len(known.mask) != len(view):
            return None
        return known.shown if known.matches or known.way == "only" else None

    def _wanted(self, state: State) -> Ints | None:
        """The mask of the rows that there are; None where all are shown. A repair that is looked at is seen among all rows."""
        known = state.filter
        return known.mask if known is not None and known.way == "only" and state.preview is None and self.hits(state) is not None else None

    def over(self, plain: Layout, state: State, old_rows: Ints | None) -> Layout:
        """The layout to show for a new order; `old_rows`: row ids of the old one, where the file is the same."""
        before, mask = self.plain and self._sifted, self._wanted(state)
        text = self._text
        self.forget()
        if mask is None or state.view is None or state.filter is None:
            return plain
        sifted = None
        if before is not None and old_rows is not None and text == state.filter.text:
            carried = carried_over(before, old_rows, plain.tree, state.view.rows)
            sifted = carried.open_top, carried.open_child
        return self._put(plain, sifted, mask, mask, state.filter.text)

    def through(self, layout: Layout, state: State, also: int) -> Layout | None:
        """The layout to show for another filter, None where the one there is will do."""
        mask = self._wanted(state)
        if mask is None:
            plain = self.plain
            self.forget()
            return plain
        assert state.filter is not None
        if self.plain is not None and mask is self._mask and also < 0:
            return None
        rows = mask
        if also >= 0:
            rows = mask.copy()
            rows[also] = True
            if self.plain is not None and layout.shown is not None:
                rows[layout.shown] = True
        same = self.plain is not None and (mask is self._mask or self._text == state.filter.text)
        sifted = (layout.open_top, layout.open_child) if same else None
        return self._put(self.plain or layout, sifted, rows, mask, state.filter.text)

    def _put(self, plain: Layout, opened: tuple[Ints, Ints] | None, rows: Ints, mask: Ints, text: str) -> Layout:
        """The layout of some rows; `opened`: which exchanges and steps are open in it, None: as in the plain one, or all of them where
        the rows are few."""
        if opened is None and int(np.count_nonzero(rows)) <= FEW:
            opened = np.ones(plain.tree.tops, bool), plain.tree.child_step >= 0
        tops, children = opened or (plain.open_top.copy(), plain.open_child.copy())
        sifted = Layout(plain.tree, tops, children, rows)
        self.plain, self._mask, self._text, self._sifted = plain, mask, text, sifted
        return sifted
