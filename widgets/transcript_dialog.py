"""The chooser: the transcripts of a dump with what each comes to, filled in while one reads; quick at ten thousand."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QHeaderView, QLineEdit, QVBoxLayout, QWidget

from app.model.state import Changed, State
from app.model.survey import Surveyed
from widgets import theme
from widgets.buttons import button
from widgets.flat_table import FlatTable
from widgets.labels import Elided, plain
from widgets.transcript_rows import FIGURES, MEANINGS, NAME, NUMBER, RECORDED, TITLES, VERDICT, cell, name_of, order, summary, verdict_of

Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_WIDE = {0: "10,000", 2: "Exchanges", 3: "Requests", 4: "≈888.8k", 5: "▲ 8,888 warnings", 6: "refused ×88"}
_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class Transcripts(QAbstractTableModel):
    """The rows that a filter leaves, in the order of a column. `indices`: the transcript of each row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = State()
        self._found: dict[int, Surveyed] = {}
        self._texts: list[str] = []
        self.indices: list[int] = []
        self.column, self.down, self.words = NUMBER, False, ""

    def put(self, state: State) -> None:
        """Another dump, or more that is known of the same one. A row keeps its place while it is filled in."""
        old, self._state = self._state, state
        found = dict(state.survey.found) if state.survey is not None else {}
        if state.dump is not old.dump or state.dump is None:
            self._found = found
            self._texts = [name_of(one).lower() for one in state.dump.transcripts] if state.dump is not None else []
            self.arrange()
            return
        news = [row for row, index in enumerate(self.indices) if found.get(index) != self._found.get(index)]
        self._found = found
        if news:
            self.dataChanged.emit(self.index(news[0], 0), self.index(news[-1], len(TITLES) - 1))

    def arrange(self, column: int | None = None, down: bool | None = None, words: str | None = None) -> None:
        """Another order or filter."""
        self.column = self.column if column is None else column
        self.down = self.down if down is None else down
        self.words = self.words if words is None else words
        self.beginResetModel()
        ones = self._state.dump.transcripts if self._state.dump is not None else []
        self.indices = order(ones, self._found, self.column, self.down, self.words, self._texts)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.indices)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(TITLES)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._state.dump is None or not 0 <= index.row() < len(self.indices):
            return None
        at, column = self.indices[index.row()], index.column()
        one, known = self._state.dump.transcripts[at], self._found.get(at)
        if role == Qt.ItemDataRole.DisplayRole:
            return cell(column, at, one, known, at == self._state.chosen)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{TITLES[column]} {cell(column, at, one, known, at == self._state.chosen) or 'not known yet'}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in FIGURES else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole and column == NAME:
            return plain(name_of(one))
        if role == Qt.ItemDataRole.ForegroundRole:
            look = theme.current()
            tone = verdict_of(known)[1] if column == VERDICT else "bad" if column == RECORDED else ""
            return {"bad": look.error, "warn": look.warning, "good": look.green, "soft": look.ink_faint}.get(tone, look.ink)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(f"{MEANINGS[section]}; click to sort by it (F2 sorts by the next column)")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in FIGURES else _LEFT
        return None


class TranscriptDialog(QDialog):
    """Facts: `chosen(index)`; `survey_wanted(on)`: whether what is not known is still wanted."""

    chosen = Signal(int)
    survey_wanted = Signal(bool)

    def __init__(self, state: State, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("transcriptDialog")
        self.setWindowTitle("Choose the transcript")
        self._state = state
        self.field = QLineEdit()
        self.field.setObjectName("transcriptDialog.filter")
        self.field.setAccessibleName("Words that the transcript's name holds")
        self.field.setPlaceholderText("Filter by id or title")
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda words: self._arranged(words=words))
        self.field.installEventFilter(self)
        self.rows = Transcripts(self)
        self.table = FlatTable()
        self.table.setObjectName("transcriptDialog.table")
        self.table.setAccessibleName("Transcripts of this dump")
        self.table.setModel(self.rows)
        self.table.setFont(theme.current().ui)
        self.table.set_row_height(theme.current().row_height)
        self.table.doubleClicked.connect(lambda index: self._choose())
        self._head()
        self.said = Elided()
        self.said.setObjectName("transcriptDialog.said")
        self.go = button("Open it", "transcriptDialog.go", "Open the transcript that is selected", "primary")
        self.go.setDefault(True)
        self.go.clicked.connect(self._choose)
        self._cancel = button("Cancel", "transcriptDialog.cancel", "Leave it as it is")
        self._cancel.clicked.connect(self.reject)
        self._lay_out()
        self.resize(QSize(900, 520))
        self.refresh(state, Changed.ALL)
        self._select(state.chosen)
        self.finished.connect(lambda _: self.survey_wanted.emit(False))
        self.field.setFocus()

    def _head(self) -> None:
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(NUMBER, Qt.SortOrder.AscendingOrder)
        header.sectionClicked.connect(self.sort_by)
        metrics = self.table.fontMetrics()
        for column, words in _WIDE.items():
            wide = max(metrics.horizontalAdvance(words), header.fontMetrics().horizontalAdvance(TITLES[column]) + 14)
            self.table.setColumnWidth(column, wide + 16)

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

    def refresh(self, state: State, changed: Changed) -> None:
        if not changed & (Changed.DUMP | Changed.SURVEY):
            return
        self._state = state
        self.rows.put(state)
        self._say()

    def _say(self) -> None:
        survey, dump = self._state.survey, self._state.dump
        many = len(dump.transcripts) if dump is not None else 0
        found, left = (survey.found, survey.left) if survey is not None else ({}, 0)
        self.said.setText(summary(many, self.rows.rowCount(), found, left))
        self.said.look(theme.current().ink_soft)
        self.go.setEnabled(self.table.current_row() >= 0)

    def sort_by(self, column: int) -> None:
        """By another column: figures and findings from the most down; by the same one the other way round."""
        down = not self.rows.down if column == self.rows.column else column not in (NUMBER, NAME)
        self.table.horizontalHeader().setSortIndicator(column, Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder)
        self._arranged(column=column, down=down)

    def _arranged(self, **how: Any) -> None:
        at = self.selected()
        self.rows.arrange(**how)
        self.table.settle()
        self._select(at)
        self._say()

    def selected(self) -> int:
        """The index of the transcript that is selected; -1 where none is."""
        row = self.table.current_row()
        return self.rows.indices[row] if 0 <= row < len(self.rows.indices) else -1

    def _select(self, index: int) -> None:
        self.table.go(self.rows.indices.index(index) if index in self.rows.indices else 0)

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
            self.sort_by((self.rows.column + 1) % len(TITLES) if not event.modifiers() else self.rows.column)
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.survey_wanted.emit(False)
        super().closeEvent(event)
