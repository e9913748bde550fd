"""Names of the list's columns, and how much a plan takes above what is in view."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from widgets.row_columns import Columns
from widgets.theme import Theme


class ListHeader(QHeaderView):
    """One section as wide as the list, painted with the names of what stands under it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme: Theme | None = None
        self._columns: Columns | None = None
        self._above = ""
        self.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Columns of the list")

    def use(self, theme: Theme, columns: Columns) -> None:
        self._theme, self._columns = theme, columns
        self.viewport().update()

    def set_above(self, words: str) -> None:
        """`30 exchanges dropped above`."""
        if words != self._above:
            self._above = words
            self.setAccessibleDescription(words)
            self.viewport().update()

    def above(self) -> str:
        return self._above

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), (self._theme.row_height if self._theme else 22) + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, at = self._theme, self._columns
        with QPainter(self.viewport()) as painter:
            if theme is None or at is None:
                return
            rect = self.viewport().rect()
            painter.fillRect(rect, theme.paper_alt)
            painter.fillRect(0, rect.bottom(), rect.width(), 1, theme.rule_line)
            painter.setFont(theme.ui)
            painter.setPen(theme.ink_soft)
            left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
            middle = Qt.AlignmentFlag.AlignVCenter
            for x, width, side, word in (
                (at.number, at.sign - at.number, left, "#"), (at.what, 60, left, "What"), (at.pips, 70, left, "Calls"),
                (at.tokens - 90, 90, right, "Tokens"), (at.mark, at.width - at.mark, left, "Plan" if at.has_marks else ""),
            ):  # fmt: skip
                painter.drawText(QRect(x, 0, width, rect.height() - 1), int(side | middle), word)
            if self._above:
                painter.setPen(theme.blue)
                room = QRect(at.what + 60, 0, at.pips - at.what - 76, rect.height() - 1)
                words = painter.fontMetrics().elidedText(self._above, Qt.TextElideMode.ElideRight, room.width())
                painter.drawText(room, int(right | middle), words)
