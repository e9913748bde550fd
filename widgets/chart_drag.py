"""A drag of the budget, by whatever part it is taken hold of: one start, every budget once, one end."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from widgets.chart_model import ChartModel


class Drag(QObject):
    """`moved` says a budget whenever it is another, `ended` the one that it comes to rest at. `budget` tells the one in force."""

    started = Signal()
    moved = Signal(int)
    ended = Signal(int)

    def __init__(self, parent: QObject, budget: Callable[[], int]) -> None:
        super().__init__(parent)
        self._budget = budget
        self._start = 0
        self._said: int | None = None
        self.going = False

    def press(self) -> None:
        self._start, self._said = self._budget(), None
        self.going = True
        self.started.emit()

    def to(self, budget: int) -> None:
        if self.going and budget != self._said:
            self._said = budget
            self.moved.emit(budget)

    def to_cut(self, model: ChartModel, column: float) -> None:
        """The handle goes from seam to seam and writes the budget of that rung: of the seam nearest to a place in columns."""
        found, axis = model.savings, model.axis
        if found is None or axis is None or not len(found.cuts):
            return
        cuts = found.cuts
        at = int(cuts.searchsorted(column))
        before = int(cuts[at - 1]) if at else axis.sent_from
        if at < len(cuts) and cuts[at] - column < column - before:
            length = at + 1
        else:  # of several actions that cut at one boundary, the first
            length = int(cuts.searchsorted(before)) + 1 if at else 0
        self.to(int(found.ranking.after[length]))

    def release(self, *_: object) -> None:
        if self.going:
            self.going = False
            self.ended.emit(self._budget() if self._said is None else self._said)

    def take_back(self) -> None:
        """Back to where it was taken up, and over."""
        self.to(self._start)
        self.release()
