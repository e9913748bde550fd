"""What rows are painted from."""

from __future__ import annotations

from dataclasses import dataclass

from app.model.table import Ints
from widgets.exchange_tree import GHOST, Entity
from widgets.row_columns import Columns
from widgets.row_marks import Marks
from widgets.row_words import RowWords
from widgets.theme import Theme

GONE, UNSENT, UNSEEN = 0.5, 0.4, 0.32  # ink of a row that a plan drops, of one that the model no longer sees, did not at a request
BESIDE = 0.38  # of one that is not what is looked for


@dataclass
class Scene:
    """What rows are painted from; the view puts a new one in where one of these is new."""

    theme: Theme
    columns: Columns
    words: RowWords
    marks: Marks
    as_is: bool = False  # the file as it is: nothing that a plan or a repair would do
    hits: Ints | None = None  # positions that match the filter, rising; None where there is none
    marking: bool = False  # they are marked among the others

    seen: Ints | None = None  # positions that the model saw at the request looked at, rising; None where none is looked at

    current: int = -1  # the selected row of the list
    focus: bool = False  # whether keys go to the list

    def hits_in(self, entity: Entity) -> int:
        """How many blocks of a row match the filter; -1 where there is none."""
        if self.hits is None or entity.kind == GHOST:
            return -1
        first, end = self.hits.searchsorted(self.words.facts.span(entity))
        return int(end - first)

    def saw(self, entity: Entity) -> bool:
        """Whether the model saw something of a row, at the request that is looked at."""
        if self.seen is None or entity.kind == GHOST:
            return True
        first, end = self.seen.searchsorted(self.words.facts.span(entity))
        return bool(end > first)

    def ink(self, position: int) -> float:
        """How strongly a block is drawn."""
        if self.hits is not None:
            at = int(self.hits.searchsorted(position))
            if at == len(self.hits) or self.hits[at] != position:
                return BESIDE
        if self.seen is not None:
            at = int(self.seen.searchsorted(position))
            if at == len(self.seen) or self.seen[at] != position:
                return UNSEEN
        if not self.as_is and self.marks.gone(position):
            return GONE
        return UNSENT if position < self.words.facts.view.start else 1.0
