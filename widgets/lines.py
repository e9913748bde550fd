"""A list of two-line entries, as findings and changes are: glyph, sentence, small print, a word at the right, perhaps a tick.

One column and one delegate that paints the whole row (a QTableView: QListView and QTreeView lay out every row). Plain text only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from widgets import icon, theme
from widgets.labels import paint_blank
from widgets.visible import visible

HEIGHT = 38
MOST = 400  # characters of a text that is looked at
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Line:
    """One entry. `level` indents; `fold`: None cannot be folded, else whether it is open. `tick`: None has none, else on or off.
    `mark`: a short word in `mark_colour` before the small print. `dim`: not in force. `value`: what it stands for."""

    title: str
    detail: str = ""
    right: str = ""
    level: int = 0
    icon: str = ""
    colour: str = "ink_soft"  # an attribute of the theme
    mark: str = ""
    mark_colour: str = "ink_soft"
    bold: bool = False
    dim: bool = False
    fold: bool | None = None
    tick: bool | None = None
    value: Any = None

    def __post_init__(self) -> None:
        """What is shown is one line in which nothing is hidden, whoever made it."""
        for name in ("title", "detail", "right", "mark"):
            text: str = getattr(self, name)
            object.__setattr__(self, name, visible(text[:MOST]).replace("\n", " "))

    @property
    def spoken(self) -> str:
        """What a screen reader reads."""
        state = {None: "", True: "on, ", False: "off, "}[self.tick] + {None: "", True: "open, ", False: "folded, "}[self.fold]
        return state + ", ".join(part for part in (self.title, self.mark, self.detail, self.right) if part)


class Lines(QAbstractTableModel):
    """The entries as a model of one column."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines: list[Line] = []

    def replace(self, lines: list[Line]) -> None:
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return line.spoken
        return None


class LineList(QTableView):
    """Facts: `current(object)` the value of the entry selected (None where none), `ticked(object)`, `folded(object)`, `opened(object)`."""

    current = Signal(object)
    ticked = Signal(object)
    folded = Signal(object)
    opened = Signal(object)

    def __init__(self, name: str, accessible: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.blank = ""  # what is said where it holds nothing
        self.lines = Lines(self)
        self.setModel(self.lines)
        self.setItemDelegate(_Delegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._fit()

    def _fit(self) -> None:
        """Rows are as high as two lines of the text take."""
        self.verticalHeader().setMinimumSectionSize(theme.scaled(HEIGHT))
        self.verticalHeader().setDefaultSectionSize(theme.scaled(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.blank and not self.lines.lines:
            paint_blank(self, self.blank)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def put(self, lines: list[Line], current: Any = None) -> None:
        """Other entries; the one whose value is `current` stays selected, and the place scrolled to stays."""
        scroll = self.verticalScrollBar().value()
        self.lines.replace(lines)
        row = next((i for i, line in enumerate(lines) if line.value is current or line.value == current), -1) if current is not None else -1
        if row >= 0:
            self.selectRow(row)
        self.verticalScrollBar().setValue(scroll)

    def select_value(self, value: Any) -> bool:
        """Selects the entry of a value, without telling anybody."""
        row = next((i for i, line in enumerate(self.lines.lines) if line.value == value), -1)
        if row < 0:
            return False
        blocked = self.blockSignals(True)
        self.selectRow(row)
        self.blockSignals(blocked)
        self.scrollTo(self.lines.index(row, 0))
        return True

    @property
    def line(self) -> Line | None:
        row = self.currentIndex().row()
        return self.lines.lines[row] if 0 <= row < len(self.lines.lines) else None

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.current.emit(self.lines.lines[current.row()].value if current.isValid() else None)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of the window, and looking through rows for them would be slow."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        line, key = self.line, event.key()
        if line is None:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Space and line.tick is not None:
            self.ticked.emit(line.value)
        elif (key == Qt.Key.Key_Right and line.fold is False) or (key == Qt.Key.Key_Left and line.fold is True):
            self.folded.emit(line.value)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(line.value)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if not index.isValid() or event.button() != Qt.MouseButton.LeftButton:
            return
        line, rect = self.lines.lines[index.row()], self.visualRect(index)
        at = event.position().toPoint()
        if line.tick is not None and _tick_rect(rect, line).contains(at):
            self.ticked.emit(line.value)
        elif line.fold is not None and at.x() < _left(rect, line) + 16:
            self.folded.emit(line.value)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.opened.emit(self.lines.lines[index.row()].value)


def _left(rect: QRect, line: Line) -> int:
    return rect.left() + 8 + 18 * line.level


def _tick_rect(rect: QRect, line: Line) -> QRect:
    return QRect(_left(rect, line), rect.top() + 4, 18, 18)


class _Delegate(QStyledItemDelegate):
    """Paints one entry: two lines of words, all cut before they are elided."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, theme.scaled(HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        now = theme.current()
        view: LineList = self.parent()  # type: ignore[assignment]
        line, rect = view.lines.lines[index.row()], option.rect  # type: ignore[attr-defined]
        selected = bool(option.state & QStyle.StateFlag.State_Selected)  # type: ignore[attr-defined]
        painter.save()
        painter.fillRect(rect, now.selection if selected else now.paper)
        if selected and view.hasFocus():
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), now.blue)
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), now.rule_line)
        left = _left(rect, line)
        painter.setPen(now.ink_soft)
        painter.setFont(now.small)
        if line.fold is not None:
            painter.drawText(QPoint(left, rect.top() + theme.scaled(16)), "▾" if line.fold else "▸")
            left += 16
        if line.tick is not None:
            self._tick(painter, QRect(left + 1, rect.top() + theme.scaled(5), 13, 13), line.tick, now)
            left += 22
        if line.icon:
            side = theme.scaled(14)
            icon.draw(painter, line.icon, QRectF(left, rect.top() + theme.scaled(4), side, side), getattr(now, line.colour))
            left += side + 8
        self._words(painter, line, QRect(left, rect.top(), rect.right() - 10 - left, rect.height()), now)
        painter.restore()

    def _words(self, painter: QPainter, line: Line, rect: QRect, now: theme.Theme) -> None:
        ink = now.ink_faint if line.dim else now.ink
        right, low = 0, theme.scaled(19)
        painter.setFont(now.ui)
        if line.right:
            right = painter.fontMetrics().horizontalAdvance(line.right) + 12
            painter.setPen(now.ink_faint if line.dim else now.ink_soft)
            painter.drawText(rect.adjusted(0, 3, 0, 1 - low), int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), line.right)
        painter.setFont(now.ui_bold if line.bold else now.ui)
        self._elided(painter, rect.adjusted(0, 3, -right, 1 - low), line.title, ink)
        painter.setFont(now.small)
        shift = 0
        if line.mark:
            self._elided(painter, rect.adjusted(0, low, 0, -2), line.mark, now.ink_faint if line.dim else getattr(now, line.mark_colour))
            shift = painter.fontMetrics().horizontalAdvance(line.mark) + 8
        self._elided(painter, rect.adjusted(shift, low, 0, -2), line.detail, now.ink_faint if line.dim else now.ink_soft)

    def _elided(self, painter: QPainter, rect: QRect, text: str, colour: QColor) -> None:
        painter.setPen(colour)
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)

    def _tick(self, painter: QPainter, box: QRect, on: bool, now: theme.Theme) -> None:
        painter.setPen(now.blue if on else now.border)
        painter.setBrush(now.blue if on else now.paper)
        painter.drawRoundedRect(box, 2, 2)
        if on:
            painter.setPen(now.on_blue)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), "✓")
