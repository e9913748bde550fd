"""The table of strategies: seven rows in a fixed order, the arrow keys choose the one that is shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from app.model.lost import Lost
from app.model.state import State
from widgets import icon, theme
from widgets.labels import plain
from widgets.plan_rows import MEANINGS, PLACES, Row, Shares, rows
from widgets.words import short

Index = QModelIndex | QPersistentModelIndex
NAME, FITS, AFTER, FREED, KEEPS, CACHE, SENT, LOST = range(1, 9)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_FIGURES = (AFTER, FREED, CACHE, LOST)
_PAD = 3  # as the header has it
_KEPT = "88 of 88 exch."  # the unit may be cut before another column goes
_WIDE = {
    0: "●", NAME: "⚠  drop-oldest-messages", FITS: "Fits ", AFTER: "≥ 888.8k", FREED: "8.88 ×", CACHE: "100 %", SENT: "✕ still ",
    LOST: "88 rules",
}  # fmt: skip

_BOLD = {FREED, SENT, LOST}
# what is counted, where it does not fit whole; the tooltip says all
_UNITS = {
    "exchanges": "exch.", "exchange": "exch.", "messages": "msgs", "message": "msg", " steps": "", " results": "", " with reasoning": "",
    "prompts, ": "", "summary": "sum.",
}  # fmt: skip
_LARGE = re.compile(r"\d{1,3}(,\d{3})+")
_BRIEF = re.compile("|".join(sorted(_UNITS, key=len, reverse=True)))


def _look(row: Row, column: int) -> tuple[bool, str, str]:
    return row.shown, row.cells[column], row.tones[column]


class Strategies(QAbstractTableModel):
    """The rows as they are said now; a move of the drag gives new words to the same rows."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []

    def put(self, found: list[Row]) -> None:
        same = [row.name for row in found] == [row.name for row in self.rows]
        if not same:
            self.beginResetModel()
        old, self.rows = self.rows, found
        if not same:
            self.endResetModel()
            return
        for column in range(len(PLACES)):  # a move changes some columns only
            if any(_look(new, column) != _look(was, column) for new, was in zip(found, old, strict=True)):
                self.dataChanged.emit(self.index(0, column), self.index(len(found) - 1, column))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(PLACES)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return row.cells[column]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in _FIGURES else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(row.tips[column] or row.tips[NAME])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken if column in (0, NAME) else f"{PLACES[column]} {row.tips[column] or row.cells[column]}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return PLACES[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(MEANINGS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in _FIGURES else _LEFT
        if role == Qt.ItemDataRole.FontRole:
            return theme.current().small
        return None


class _Cell(QStyledItemDelegate):
    """Paints a cell by hand: seven rows are painted anew at each move of a drag. A strategy that breaks pairs has the triangle."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, look = index.model(), theme.current()
        assert isinstance(model, Strategies)
        row, column, box = model.rows[index.row()], index.column(), option.rect  # type: ignore[attr-defined]
        if row.shown:
            painter.fillRect(box, look.selection)
        words = box.adjusted(_PAD, 0, -_PAD, 0)
        if column == NAME and row.breaks_pairs:
            icon.draw(painter, "warning", QRectF(words.x(), box.y() + (box.height() - 12) / 2, 12, 12), look.warning)
            words.setLeft(words.left() + 16)
        painter.setFont(font_of(look, row, column))
        painter.setPen(colour_of(look, row.tones[column]))
        text = row.cells[column]
        if column in (NAME, KEEPS):
            metrics = painter.fontMetrics()
            if column == KEEPS and metrics.horizontalAdvance(text) > words.width():
                text = _brief(text, lambda words_: metrics.horizontalAdvance(words_) <= words.width())
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, words.width())
        elif column == LOST and painter.fontMetrics().horizontalAdvance(text) > words.width():
            text = _figure(text)
        painter.drawText(words, int(_RIGHT if column in _FIGURES else _LEFT), text)


def _brief(text: str, fits: Callable[[str], bool]) -> str:
    """What is kept in fewer words: a shorter unit, none (it is the strategy's name), rounded figures."""
    if text.startswith("no "):
        return "none"
    text = _BRIEF.sub(lambda found: _UNITS[found[0]], text)
    if not fits(text) and text.endswith(("exch.", "msgs", "whole")):
        text = text.rpartition(" ")[0]
    if not fits(text):
        text = text.removesuffix(" + sum.")
    return text if fits(text) else _LARGE.sub(lambda found: short(int(found[0].replace(",", ""))), text)


def _figure(text: str) -> str:
    """`2,013 rules` as `2.0k !`: the tooltip says the rest."""
    count = int(text.split(" ")[0].replace(",", ""))
    return f"{short(count)} !" if " " in text else short(count)


def colour_of(look: theme.Theme, tone: str) -> QColor:
    return {"good": look.green, "bad": look.error, "warn": look.warning, "soft": look.ink_faint}.get(tone, look.ink)


def font_of(look: theme.Theme, row: Row, column: int) -> QFont:
    return look.ui_bold if (row.shown and column == NAME) or row.tones[column] == "warn" else look.ui


class PlanTable(QTableView):
    """`chosen` says the name of the strategy that a person wants to see."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("planTable")
        self.setAccessibleName("Strategies at this budget")
        self.strategies = Strategies()
        self.setModel(self.strategies)
        self.setItemDelegate(_Cell(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(KEEPS, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(18)
        self._following = self._sharing = False
        self._shares = Shares()
        self._losses: dict[str, Lost] = {}
        self.selectionModel().currentRowChanged.connect(self._current)
        self.retint()

    def retint(self) -> None:
        """Sizes and fonts of the theme in force."""
        look = theme.current()
        self.verticalHeader().setMinimumSectionSize(look.row_height)
        self.verticalHeader().setDefaultSectionSize(look.row_height)
        self.setFont(look.ui)
        for column, width in self._widths().items():
            self.setColumnWidth(column, width)
        self._drop_columns()
        self.viewport().update()

    def refresh(self, state: State) -> None:
        """New words for the rows; the row of the shown strategy is the current one."""
        self.strategies.put(rows(state, self._shares, self._losses))
        shown = next((i for i, row in enumerate(self.strategies.rows) if row.shown), -1)
        if shown != self.currentIndex().row():
            self._following = True
            self.setCurrentIndex(self.strategies.index(shown, NAME) if shown >= 0 else QModelIndex())
            self._following = False

    def lost(self, state: State, losses: dict[str, Lost]) -> None:
        """What each plan loses is known, or no longer."""
        self._losses = losses
        self.strategies.put(rows(state, self._shares, losses))

    def make_room(self, on: bool) -> None:
        """For what stands below: it shares the height with the rows, of which four stay in view wherever that can be."""
        self._sharing = on
        self.updateGeometry()
        if on and self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def _current(self, index: QModelIndex, _: QModelIndex) -> None:
        if not self._following and index.isValid():
            self.chosen.emit(self.strategies.rows[index.row()].name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._drop_columns()

    def _widths(self) -> dict[int, int]:
        """Of the columns that do not stretch; what is pointed out is bold."""
        look = theme.current()
        plain_, bold = QFontMetrics(look.ui), QFontMetrics(look.ui_bold)
        return {
            column: max(plain_.horizontalAdvance(words), bold.horizontalAdvance(words) if column in _BOLD else 0) + 8
            for column, words in _WIDE.items()
        }

    def _drop_columns(self) -> None:
        """Where there is no room for what stays whole, first the share of the cache goes, then what is freed."""
        widths = self._widths()
        room = self.viewport().width() - sum(widths.values()) - self.fontMetrics().horizontalAdvance(_KEPT) - 2 * _PAD
        for column in (CACHE, FREED):
            if self.isColumnHidden(column) != (room < 0):
                self.setColumnHidden(column, room < 0)
                if room >= 0:
                    self.setColumnWidth(column, widths[column])
            room += widths[column] if room < 0 else 0

    def sizeHint(self) -> QSize:
        return QSize(540, self.horizontalHeader().sizeHint().height() + 7 * theme.current().row_height + 2)

    def minimumSizeHint(self) -> QSize:
        rows = 4 if self._sharing else 3  # the others are scrolled to
        return QSize(200, self.horizontalHeader().sizeHint().height() + rows * theme.current().row_height + 2)
