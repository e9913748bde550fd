"""A window in which one of many is chosen: a filter, a table that sorts by any column, one line that sums up. Quick at ten thousand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)  # fmt: skip

from widgets import theme
from widgets.buttons import button
from widgets.flat_table import FlatTable
from widgets.labels import Elided, plain

Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True)
class Column:
    """`words` of an item and their `tone` (bad, warn, good, soft or ""); `rank` sorts, None stands for what is not known and comes last
    either way. `wide`: the longest words that have room; "" takes what is left. `down`: the first click sorts from the most down."""

    title: str
    meaning: str
    words: Callable[[Any], str]
    rank: Callable[[Any], Any]
    wide: str = ""
    figure: bool = False
    down: bool = True
    tone: Callable[[Any], str] = lambda item: ""
    tip: Callable[[Any], str] | None = None  # more than there is room for; None: the words where they may be cut


class Rows(QAbstractTableModel):
    """The items that a filter leaves, in the order of a column. `at`: the index among all of the item in each row."""

    def __init__(self, columns: Sequence[Column], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = columns
        self.items: Sequence[Any] = ()
        self._texts: list[str] = []
        self.at: list[int] = []
        self.column, self.down, self.words = 0, columns[0].down, ""

    def put(self, items: Sequence[Any], texts: Sequence[str] | None = None) -> None:
        """Other items, with what a filter looks at; without it the same ones, of which more is known: each row keeps its place."""
        old, self.items = self.items, items
        if texts is not None:
            self._texts = [text.lower() for text in texts]
            self.arrange()
            return
        news = [row for row, index in enumerate(self.at) if items[index] != old[index]]
        if news:
            self.dataChanged.emit(self.index(news[0], 0), self.index(news[-1], len(self.columns) - 1))

    def retell(self, texts: Sequence[str]) -> None:
        """What a filter looks at from now on."""
        self._texts = [text.lower() for text in texts]

    def arrange(self, column: int | None = None, down: bool | None = None, words: str | None = None) -> None:
        """Another order or filter. Equal ones stand as they came."""
        self.column = self.column if column is None else column
        self.down = self.down if down is None else down
        self.words = self.words if words is None else words
        asked, rank = self.words.lower().split(), self.columns[self.column].rank
        kept = [index for index, text in enumerate(self._texts) if all(word in text for word in asked)]
        known = [index for index in kept if rank(self.items[index]) is not None]
        known.sort(key=lambda index: rank(self.items[index]), reverse=self.down)
        self.beginResetModel()
        self.at = known + [index for index in kept if rank(self.items[index]) is None]
        self.endResetModel()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.at)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not 0 <= index.row() < len(self.at):
            return None
        item, column = self.items[self.at[index.row()]], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.words(item)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{column.title} {column.words(item) or 'not known yet'}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.figure else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole and (column.tip is not None or not column.wide):
            return plain((column.tip or column.words)(item))
        if role == Qt.ItemDataRole.ForegroundRole:
            look = theme.current()
            tones = {"bad": look.error, "warn": look.warning, "good": look.green, "soft": look.ink_faint}
            return tones.get(column.tone(item), look.ink)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{column.title} {'▾' if self.down else '▴'}" if section == self.column else column.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{column.title}, sorted {'down' if self.down else 'up'}" if section == self.column else column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(f"{column.meaning}; click to sort by it (F2 sorts by the next column)")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.figure else _LEFT
        return None


class Toned(QStyledItemDelegate):
    """Words keep their tone in the selected row too."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.state &= ~QStyle.StateFlag.State_HasFocus  # type: ignore[attr-defined]  # it is the row that is current
        tone = index.data(Qt.ItemDataRole.ForegroundRole)
        if isinstance(tone, QColor):
            option.palette.setColor(QPalette.ColorRole.HighlightedText, tone)  # type: ignore[attr-defined]


class Chooser(QDialog):
    """Facts: `chosen(index)` of the item; `wanted(on)`: whether what is not known is still wanted."""

    chosen = Signal(int)
    wanted = Signal(bool)

    def __init__(self, name: str, title: str, what: str, columns: Sequence[Column], parent: QWidget | None = None) -> None:
        """`what`: the items in one word, as in "Filter the transcripts"."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.field = QLineEdit()
        self.field.setObjectName(f"{name}.filter")
        self.field.setAccessibleName(f"Filter the {what}")
        self.field.setPlaceholderText(f"Filter the {what}")
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda words: self._arranged(words=words))
        self.field.installEventFilter(self)
        self.rows = Rows(columns, self)
        self.table = FlatTable()
        self.table.setObjectName(f"{name}.table")
        self.table.setAccessibleName(f"The {what}")
        self.table.setModel(self.rows)
        self.table.setItemDelegate(Toned(self.table))
        self.table.setFont(theme.current().ui)
        self.table.set_row_height(theme.current().row_height)
        self.table.doubleClicked.connect(lambda index: self._choose())
        self._head()
        self.said = Elided()
        self.said.setObjectName(f"{name}.said")
        self.said.look(theme.current().ink_soft)
        room = self.said.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.said.setSizePolicy(room)
        self.go = button("Open it", f"{name}.go", "Open the one that is selected", "primary")
        self.go.setDefault(True)
        self.go.clicked.connect(self._choose)
        self._cancel = button("Cancel", f"{name}.cancel", "Leave it as it is")
        self._cancel.clicked.connect(self.reject)
        self._lay_out()
        self.resize(theme.measure(1060, 540))
        self.finished.connect(lambda _: self.wanted.emit(False))
        self.field.setFocus()

    def summary(self) -> str:
        """The line below the table."""
        raise NotImplementedError

    def _head(self) -> None:
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionsClickable(True)
        header.setMinimumSectionSize(30)
        header.sectionClicked.connect(self.sort_by)
        metrics = self.table.fontMetrics()
        for number, column in enumerate(self.rows.columns):
            if column.wide:
                wide = max(metrics.horizontalAdvance(column.wide), header.fontMetrics().horizontalAdvance(f"{column.title} ▾"))
                self.table.setColumnWidth(number, wide + 16)
            else:
                header.setSectionResizeMode(number, QHeaderView.ResizeMode.Stretch)

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.addWidget(self.said, 1)
        foot.addWidget(self._cancel)
        foot.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        column.addWidget(self.field)
        column.addWidget(self.table, 1)
        column.addLayout(foot)

    # -- what is shown --------------------------------------------------------------------------------------------------------------

    def put(self, items: Sequence[Any], texts: Sequence[str] | None = None) -> None:
        """See `Rows.put`; the selected item stays selected."""
        if texts is None:
            self.rows.put(items)
        else:
            at = self.selected()
            self.rows.put(items, texts)
            self.table.settle()
            self.select(at)
        self._say()

    def sort_by(self, column: int) -> None:
        """By another column; by the same one the other way round."""
        down = not self.rows.down if column == self.rows.column else self.rows.columns[column].down
        self._arranged(column=column, down=down)

    def _arranged(self, **how: Any) -> None:
        at = self.selected()
        self.rows.arrange(**how)
        self.table.settle()
        self.select(at)
        self._say()

    def _say(self) -> None:
        said = self.summary()
        self.said.setText(said)
        self.table.blank = "" if self.rows.at else "Nothing here has these words." if self.rows.items else said
        self.said.setVisible(bool(self.rows.items))  # else the table itself says so
        self.go.setEnabled(self.table.current_row() >= 0)

    def selected(self) -> int:
        """The index of the item that is selected; -1 where none is."""
        row = self.table.current_row()
        return self.rows.at[row] if 0 <= row < len(self.rows.at) else -1

    def select(self, index: int) -> None:
        """Selects an item; the first one where that is filtered out."""
        self.table.go(self.rows.at.index(index) if index in self.rows.at else 0)

    # -- what is done -----------------------------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        index = self.selected()
        if index >= 0:
            self.chosen.emit(index)
            self.accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows go through the rows while one types."""
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _KEYS:
            self.table.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F2:
            self.sort_by((self.rows.column + 1) % len(self.rows.columns) if not event.modifiers() else self.rows.column)
        else:
            super().keyPressEvent(event)

