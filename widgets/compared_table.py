"""The rows of a comparison on screen: by mouse and by key."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from widgets import theme
from widgets.chooser import Toned
from widgets.compared_model import ComparedModel, Index
from widgets.flat_table import FlatTable

_WIDE = {0: "≠ changed arguments", 1: "result toolu_01ABCDEFGHIJ", 3: "888,888", 4: "888,888"}


class ComparedTable(FlatTable):
    """Facts: `wanted(lines)` have words asked for; `current(line)`: -1 for an exchange; `opened(line)`: go to it."""

    wanted = Signal(tuple)
    current = Signal(int)
    opened = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compared.table")
        self.setAccessibleName("What differs, by exchange")
        self.lines = ComparedModel(self)
        self.setModel(self.lines)
        self.setWordWrap(False)
        self._ask = QTimer(self)
        self._ask.setSingleShot(True)
        self._ask.timeout.connect(self._ask_for_words)
        self.setItemDelegate(Toned(self))
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        self.fit()

    def fit(self) -> None:
        """Columns and rows by the font."""
        now = theme.current()
        self.setFont(now.ui)
        self.set_row_height(now.row_height)
        for column, words in _WIDE.items():
            self.setColumnWidth(column, self.fontMetrics().horizontalAdvance(words) + 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        QTableView.paintEvent(self, event)
        if self.lines.missing:
            self._ask.start(0)

    def _ask_for_words(self) -> None:
        rows, found = self.lines.rows, self.lines.found
        if found is None:
            return
        seen = {rows[row].line if rows[row].line >= 0 else found.sections[rows[row].section].first for row in self.rows_visible()}
        lines = tuple(sorted(self.lines.missing & seen))
        self.lines.missing.clear()
        if lines:
            self.wanted.emit(lines)

    @property
    def line(self) -> int:
        row = self.current_row()
        return self.lines.rows[row].line if 0 <= row < len(self.lines.rows) else -1

    def step(self, direction: int) -> bool:
        """To the next change or the one before; False where there is none."""
        if self.lines.found is None:
            return False
        row = self.lines.step(max(self.current_row(), -1), direction)
        if row >= 0 and self.lines.rows[row].line < 0:
            self.lines.toggle(self.lines.rows[row].section, True)
            row = self.lines.step(row, 1)
        if row >= 0:
            self.go(row)
        return row >= 0

    def toggle(self, row: int, on: bool | None = None) -> None:
        if 0 <= row < len(self.lines.rows) and self.lines.rows[row].line < 0:
            self.lines.toggle(self.lines.rows[row].section, on)
            self.settle()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.current.emit(self.lines.rows[current.row()].line)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, row = event.key(), self.current_row()
        head = 0 <= row < len(self.lines.rows) and self.lines.rows[row].line < 0
        if key in (Qt.Key.Key_N, Qt.Key.Key_P) and not event.modifiers():
            self.step(1 if key == Qt.Key.Key_N else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            self.toggle(row) if head else self.opened.emit(self.line)
        elif key == Qt.Key.Key_Right and head:
            self.toggle(row, True)
        elif key == Qt.Key.Key_Left and row >= 0:
            if head:
                self.toggle(row, False)
            else:
                self.go(next(at for at in range(row, -1, -1) if self.lines.rows[at].line < 0))
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton and index.column() == 0:
            self.toggle(index.row())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.lines.rows[index.row()].line >= 0:
            self.opened.emit(self.lines.rows[index.row()].line)
        elif index.isValid() and index.column():
            self.toggle(index.row())
