"""What rows are painted from."""

from __future__ import annotations

from dataclasses import dataclass

from widgets.row_columns import Columns
from widgets.row_marks import Marks
from widgets.row_words import RowWords
from widgets.theme import Theme

GONE, UNSENT = 0.5, 0.4  # ink of a row that a plan drops, of one that the model no longer sees


@dataclass
class Scene:
    """What rows are painted from; the view puts a new one in where one of these is new."""

    theme: Theme
    columns: Columns
    words: RowWords
    marks: Marks
    as_is: bool = False  # the file as it is: nothing that a plan or a repair would do

    current: int = -1  # the selected row of the list
    focus: bool = False  # whether keys go to the list

    def ink(self, position: int) -> float:
        """How strongly a block is drawn."""
        if not self.as_is and self.marks.gone(position):
            return GONE
        return UNSENT if position < self.words.facts.view.start else 1.0
