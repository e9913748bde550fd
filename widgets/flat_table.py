"""A QTableView of one column and rows of one height that stays quick at a million rows.

Qt's own way to search by letter, to select all and to go to the end asks for every row (26 s and 15 s at a million), so each of them
is answered here. Scrolling is by pixel; what is painted over rows is painted anew when they scroll.
"""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from widgets.labels import paint_blank

_WHOLE = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


class FlatTable(QTableView):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.row_height = 22
        self.blank = ""  # what is said where it holds nothing
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setAutoScroll(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        bar = self.verticalScrollBar()
        bar.setEnabled(False)  # it keeps its place, and shows no handle where there is nothing to scroll
        bar.rangeChanged.connect(lambda low, high: bar.setEnabled(high > low))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        model = self.model()
        if self.blank and model is not None and not model.rowCount():
            paint_blank(self, self.blank)

    def set_row_height(self, height: int) -> None:
        self.row_height = height
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self.verticalScrollBar().setSingleStep(height)

    # -- places ----------------------------------------------------------------------------------------------------------------

    def current_row(self) -> int:
        return self.currentIndex().row()

    def first_visible(self) -> int:
        """The row at the upper edge, also where it is only partly in view."""
        return self.verticalScrollBar().value() // self.row_height

    def rows_visible(self) -> range:
        """The rows in view, partly visible ones included."""
        first, count = self.first_visible(), self.model().rowCount() if self.model() else 0
        last = (self.verticalScrollBar().value() + self.viewport().height() - 1) // self.row_height
        return range(min(first, count), min(last + 1, count))

    def y_of(self, row: int) -> int:
        """Upper edge of a row in the viewport, also where it is out of view."""
        return row * self.row_height - self.verticalScrollBar().value()

    def go(self, row: int) -> None:
        """Makes a row the current one and brings it into view, with some of what is around it."""
        count = self.model().rowCount()
        if not count:
            return
        row = max(0, min(row, count - 1))
        self.reveal(row)
        self.set_current(row)

    def set_current(self, row: int) -> None:
        """Makes a row the current and the selected one; nothing scrolls."""
        index = self.model().index(row, 0)
        self.selectionModel().setCurrentIndex(index, _WHOLE)

    def covered(self, row: int) -> int:
        """Pixels at the top that something lies over, where a row is scrolled to there."""
        return 0

    def reveal(self, row: int) -> None:
        """Scrolls a row into view: to a third of the height where it was out of view, else not at all."""
        y, height, top = self.y_of(row), self.viewport().height(), self.covered(row)
        if y < top or y + self.row_height > height:
            near = -2 * self.row_height < y < height + self.row_height  # one row further: as little as need be
            target = (top if y < top else height - self.row_height) if near else height // 3
            self.verticalScrollBar().setValue(row * self.row_height - target)

    def settle(self) -> None:
        """Lets the scroll bar know of rows that came or went, at once and not when events are next looked at."""
        self.executeDelayedItemsLayout()
        self.updateGeometries()
        self.verticalScrollBar().setSingleStep(self.row_height)

    # -- what Qt would do row by row ---------------------------------------------------------------------------------------------

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of actions; find is a field of its own."""

    def selectAll(self) -> None:
        """One row is selected at a time."""

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        count, row = self.model().rowCount(), self.current_row()
        page = max(1, self.viewport().height() // self.row_height - 1)
        kinds = QAbstractItemView.CursorAction
        to = {
            kinds.MoveUp: row - 1, kinds.MovePrevious: row - 1, kinds.MoveDown: row + 1, kinds.MoveNext: row + 1, kinds.MoveHome: 0,
            kinds.MoveEnd: count - 1, kinds.MovePageUp: row - page, kinds.MovePageDown: row + page,
        }.get(action, row)  # fmt: skip
        return self.model().index(max(0, min(to, count - 1)), 0) if count else QModelIndex()

    def scrollTo(
        self, index: QModelIndex | QPersistentModelIndex, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        if index.isValid():
            self.reveal(index.row())

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.viewport().update()  # lines over the rows end at the edges of the view
