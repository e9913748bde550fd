"""What a search for secrets and personal data found, as a table whose rows are ticked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.model.evidence import Sensitive
from widgets import theme
from widgets.flat_table import FlatTable
from widgets.labels import plain
from widgets.visible import line
from widgets.words import full

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Column:
    """`width` in widths of a letter's height."""

    title: str
    meaning: str
    words: Callable[[Sensitive], str]
    width: int
    figure: bool = False


COLUMNS = (
    Column("Goes", "ticked: it is taken out", lambda one: "", 4),
    Column("Kind", "a secret, personal data, a word of your own, or what can't be searched", lambda one: one.kind, 8),
    Column("What", "what the pattern is for", lambda one: one.name, 14),
    Column("Found", "shortened, so that this list gives little away", lambda one: line(one.shown, 60), 15),
    Column("Becomes", "what stands there then, as long as it was", lambda one: line(one.mark, 40), 12),
    Column("Places", "how often it was found", lambda one: full(one.count), 5, True),
    Column("First at", "JSON pointer of the first place", lambda one: line(one.places[0], 120) if one.places else "", 0),
)


class FoundModel(QAbstractTableModel):
    """All ticked to begin with; a thing that was not ticked stays so when the search is made again."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: Sequence[Sensitive] = ()
        self._off: set[tuple[str, str]] = set()

    def put(self, found: Sequence[Sensitive]) -> None:
        self.beginResetModel()
        self._found = found
        self.endResetModel()

    def kept(self) -> tuple[int, ...]:
        """Numbers of what is not ticked."""
        return tuple(one.number for one in self._found if _key(one) in self._off)

    def toggle(self, row: int) -> None:
        """Ticks a row on or off."""
        index = self.index(row, 0)
        on = self.data(index, Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        self.setData(index, Qt.CheckState.Unchecked if on else Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)

    def tick_all(self, on: bool) -> None:
        self._off = set() if on else {_key(one) for one in self._found}
        if self._found:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._found) - 1, 0))

    # -- Qt ---------------------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._found)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._found):
            return None
        one, column = self._found[index.row()], COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.words(one)
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == 0:
            return Qt.CheckState.Unchecked if _key(one) in self._off else Qt.CheckState.Checked
        if role == Qt.ItemDataRole.TextAlignmentRole and column.figure:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain("\n".join([f"{one.name}: {one.pattern}", *one.places]))
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == 0:
            return "stays" if _key(one) in self._off else "goes"
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != 0 or index.row() >= len(self._found):
            return False
        key = _key(self._found[index.row()])
        (self._off.discard if Qt.CheckState(value) == Qt.CheckState.Checked else self._off.add)(key)
        self.dataChanged.emit(self.index(index.row(), 0), self.index(index.row(), 0))
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and 0 <= section < len(COLUMNS):
            if role == Qt.ItemDataRole.DisplayRole:
                return COLUMNS[section].title
            if role == Qt.ItemDataRole.ToolTipRole:
                return plain(COLUMNS[section].meaning)
            if role == Qt.ItemDataRole.TextAlignmentRole:
                side = Qt.AlignmentFlag.AlignRight if COLUMNS[section].figure else Qt.AlignmentFlag.AlignLeft
                return side | Qt.AlignmentFlag.AlignVCenter
        return None


class FoundTable(FlatTable):
    """Space ticks the current row on or off, whichever of its cells is current."""

    def __init__(self, model: FoundModel) -> None:
        super().__init__()
        self._found = model
        self.setModel(model)
        self.setItemDelegate(_Quiet(self))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        self.clicked.connect(lambda index: model.toggle(index.row()))

    def fit(self, letter: int) -> None:
        """Columns and rows for letters of this height."""
        self.set_row_height(letter + 10)
        for number, column in enumerate(COLUMNS[:-1]):
            self.horizontalHeader().setSectionResizeMode(number, QHeaderView.ResizeMode.Fixed)
            self.setColumnWidth(number, letter * column.width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self._found.toggle(self.currentIndex().row())
        else:
            super().keyPressEvent(event)


class _Quiet(QStyledItemDelegate):
    """No frame around the current cell: it is the row that is current. The box of a row is drawn so that it is seen on any paper."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.state &= ~QStyle.StateFlag.State_HasFocus  # type: ignore[attr-defined]
        option.features &= ~QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator  # type: ignore[attr-defined]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if index.column():
            return
        now = theme.current()
        rect: QRect = option.rect  # type: ignore[attr-defined]
        box = QRectF(rect.x() + 8, rect.center().y() - 6, 13, 13)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ticked = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        painter.setPen(QPen(now.blue if ticked else now.ink_soft, 1.2))
        painter.setBrush(now.blue if ticked else now.paper)
        painter.drawRoundedRect(box, 2.5, 2.5)
        if ticked:
            painter.setPen(QPen(now.on_blue, 1.8))
            painter.drawPolyline([box.topLeft() + QPointF(3, 7), box.topLeft() + QPointF(5.5, 9.5), box.topLeft() + QPointF(10, 3.8)])
        painter.restore()


def _key(one: Sensitive) -> tuple[str, str]:
    """What tells a thing from others, whatever number a search gave it."""
    return one.shown, one.places[0] if one.places else ""
