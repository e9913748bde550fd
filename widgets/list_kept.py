"""How the list of a file was open, and where it stood, while that file is read anew: its head is shown first, which may hold less."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.model.state import State
from app.model.table import Ints, Table
from widgets.exchange_layout import Layout
from widgets.list_places import Held


@dataclass(frozen=True, eq=False)
class Kept:
    """The layout of a whole file, its rows, what was current, what was at the edge and how far from it."""

    path: str
    chosen: str  # id of the transcript
    table: Table
    layout: Layout
    rows: Ints
    held: Held | None
    edge: Held | None
    edge_y: int

    def fits(self, state: State) -> bool:
        """Whether a state is the same file whole again: what was there is there, whatever came behind it."""
        transcript, dump = state.transcript, state.dump
        if dump is None or transcript is None or not dump.complete or (self.path, self.chosen) != (state.path, transcript.id):
            return False
        count = len(self.table)
        same = (np.array_equal(getattr(self.table, name), getattr(dump.table, name)[:count]) for name in ("kind", "size"))
        return len(dump.table) >= count and all(same)
