"""The tables of a replay: strategies by what they cost over the session, and the compactions of one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from app.model.replay import Compaction, Replay, Run
from widgets import theme
from widgets.chooser import Toned
from widgets.labels import paint_blank, plain
from widgets.words import full, short

Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Cell:
    """Words of a cell, what they mean, and how they are toned: bad, soft or none."""

    text: str
    tip: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Head:
    name: str
    tip: str
    figures: bool = True
    widest: str = "888.8k"
    gives: int = 0  # columns with the highest number go first where the table is too narrow; 0 stays


RUNS = (
    Head("Strategy", "what compacts the session", False, "anthropic-clear-tool"),
    Head("Cost", "of all requests, beside the same without compaction, at the prices above; * up to where it ends", True, "888 %*"),
    Head("Rewrites", "how often it compacts", True, "8,888"),
    Head("Apart", "requests from one compaction to the next, the mean", True, "888.8", 3),
    Head("Freed", "what a compaction frees, in deficits: the median. Over 1 is overshoot: it buys requests until the next", True, "8.88 ×"),
    Head("Refused", "the first request that a provider would refuse", False, "✕ r888 full"),
    Head("Unit", "mean tokens taken at once, in typical deficits: from about 1 on it cannot hit what it aims at", True, "8.88 ×", 4),
    Head("Again", "tokens that were sent before and are written to the cache anew", True, "888.8k", 1),
    Head("Sent", "tokens of all requests", True, "888.8k", 2),
)
DONE = (
    Head("Before", "the request that was too large", False, "r8,888"),
    Head("Tokens", "of the request, before and after", False, "888.8k → 888.8k"),
    Head("Freed", "in deficits", True, "8.88 ×"),
    Head("First change", "the first place that changed: what stands behind it is written to the cache anew", False, "r8,888 tool result"),
    Head("Cache kept", "tokens in front of it"),
    Head("Again", "tokens that were sent before and are written to the cache anew"),
    Head("Blocks", "dropped, and shortened", False, "888 dropped, 888 shortened"),
    Head("Sent?", "a real check of what is left: errors that were not there before", False, "✕ 88 new"),
)


class Table(QAbstractTableModel):
    """Rows of cells under heads."""

    def __init__(self, heads: tuple[Head, ...]) -> None:
        super().__init__()
        self.heads = heads
        self.cells: list[tuple[Cell, ...]] = []

    def put(self, rows: list[tuple[Cell, ...]]) -> None:
        """Other rows; where there are as many as before, whatever is selected stays so."""
        if len(rows) == len(self.cells):
            self.cells = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.heads) - 1))
            return
        grown = rows[: len(self.cells)] == self.cells and len(rows) > len(self.cells)
        if grown:
            self.beginInsertRows(QModelIndex(), len(self.cells), len(rows) - 1)
            self.cells = rows
            self.endInsertRows()
        else:
            self.beginResetModel()
            self.cells = rows
            self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.cells)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        cell, head = self.cells[index.row()][index.column()], self.heads[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if head.figures else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(cell.tip or head.tip) if index.column() else self._all_of(index.row())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{head.name} {cell.text}. {cell.tip}" if cell.tip else f"{head.name} {cell.text}"
        if role == Qt.ItemDataRole.ForegroundRole and cell.tone:
            return theme.current().error if cell.tone == "bad" else theme.current().ink_soft
        return None

    def _all_of(self, row: int) -> str:
        """All figures of a row: a narrow table does not show each."""
        cells = self.cells[row]
        figures = "\n".join(f"{head.name}: {cell.text}" for head, cell in zip(self.heads[1:], cells[1:], strict=True))
        return plain(f"{cells[0].tip or cells[0].text}\n{figures}")

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.heads[section].name
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self.heads[section].tip)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if self.heads[section].figures else _LEFT
        if role == Qt.ItemDataRole.FontRole:
            return theme.current().small
        return None


class TableView(QTableView):
    """A table whose rows are chosen whole; figures keep their room, the first column of words gives."""

    def __init__(self, model: Table, name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setModel(model)
        self._table = model
        self.blank = ""  # what is said where it holds nothing
        self._first = 0  # what the first column needs; it takes what the others leave
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(Toned(self))
        self.verticalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(24)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.retint()

    def sizeHint(self) -> QSize:
        return QSize(300, 140)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.blank and not self._table.cells:
            paint_blank(self, self.blank)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Where the keyboard is, a row is selected."""
        super().focusInEvent(event)
        if self._table.cells and not self.selectionModel().hasSelection():
            self.selectRow(0)

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys of actions."""

    def retint(self) -> None:
        now = theme.current()
        self.verticalHeader().setDefaultSectionSize(now.row_height)
        self.verticalHeader().setMinimumSectionSize(now.row_height)
        metrics = self.fontMetrics()
        for column, head in enumerate(self._table.heads):
            self.setColumnWidth(column, max(metrics.horizontalAdvance(head.widest), metrics.horizontalAdvance(head.name)) + 14)
        self._first = self.columnWidth(0)
        self._drop_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._drop_columns()

    def _drop_columns(self) -> None:
        """The least important columns go where there is no room for all: their figures are in the first column's tooltip."""
        heads = self._table.heads
        for column in range(len(heads)):
            self.setColumnHidden(column, False)
        self.setColumnWidth(0, self._first)
        for column in sorted((at for at, head in enumerate(heads) if head.gives), key=lambda at: -heads[at].gives):
            if self.horizontalHeader().length() <= self.viewport().width():
                break
            self.setColumnHidden(column, True)
        self.setColumnWidth(0, max(self._first, self._first + self.viewport().width() - self.horizontalHeader().length()))


# -- words ------------------------------------------------------------------------------------------------------------------------


def run_cells(replay: Replay, run: Run, label: Callable[[int], str]) -> tuple[Cell, ...]:
    """A strategy's row. `label` names a request by its column."""
    ended = run.length < len(replay.columns)
    name = "as it was" if run.strategy == "none" else run.strategy
    if run.failed:
        return (Cell(name), *(Cell("-", run.failed) for _ in range(4)), Cell("not done", run.failed, "bad"), *(Cell("-") for _ in range(3)))
    share = f"{round(100 * replay.share(run))} %" + ("*" if ended else "")
    fresh = full(round(run.cost(replay.setup.prices)))
    cost = f"{fresh} tokens of fresh input; {full(run.reads)} read from the cache, {full(run.writes)} written"
    cost += "; * only up to where the session ends under it, beside the same requests" if ended else ""
    if run.asks_model and run.compactions:
        cost += "; with what a model would have taken to write the summaries"
    gap = "-" if run.gap is None else f"{run.gap:.1f}"
    until = f"{full(run.next)} requests from the first to the next" if run.next is not None else "the next trigger is not reached"
    return (
        Cell(name, "every request as it was, whatever the window" if run.strategy == "none" else run.spec),
        Cell(share, cost),
        Cell("-" if run.strategy == "none" else full(len(run.compactions)), f"the cache was lost {full(run.breaks)} times"),
        Cell(gap, until if run.compactions else ""),
        Cell(_times(run.overshoot), f"a typical deficit is {full(round(run.deficit))} tokens" if run.deficit else ""),
        _refused(replay, run, label),
        Cell(_times(run.lumps), f"{full(round(run.unit))} tokens at once, {full(round(run.deficit))} missing" if run.lumps else ""),
        Cell(short(run.again), f"{full(run.again)} tokens"),
        Cell(short(run.total), f"{full(run.total)} tokens in {full(run.length)} of {full(len(replay.columns))} requests"),
    )  # fmt: skip


def _times(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} ×"


def _refused(replay: Replay, run: Run, label: Callable[[int], str]) -> Cell:
    if run.refused < 0:
        if run.checked:
            return Cell("✓ none", "each compaction was really checked" if run.strategy != "none" else "every request fits")
        return Cell("∘", "fits; choose it, and each compaction is really checked", "soft")
    name = label(int(replay.columns[run.refused]))
    if run.why == "window":
        ends = "; the session ends there" if run.length < len(replay.columns) else ""
        return Cell(f"✕ {name} full", f"{name} would be larger than the window leaves{ends}", "bad")
    return Cell(f"✕ {name}", f"{run.why} at {name}: the compaction in front of it made what the provider refuses", "bad")


def done_cells(replay: Replay, done: Compaction, label: Callable[[int], str], place: Callable[[int], str]) -> tuple[Cell, ...]:
    """A compaction's row. `place` names a row."""
    blocks = [f"{full(done.dropped)} dropped"] if done.dropped else []
    blocks += [f"{full(done.replaced)} shortened"] if done.replaced else []
    checked = Cell("∘", "not checked yet", "soft")
    if done.new_errors is not None:
        new = full(done.new_errors)
        checked = Cell(f"✕ {new} new", "errors that were not there", "bad") if done.new_errors else Cell("✓", "no new error")
    return (
        Cell(label(done.column)),
        Cell(f"{short(done.before)} → {short(done.after)}", f"{full(done.before)} tokens → {full(done.after)}"),
        Cell(f"{done.overshoot:.2f} ×", f"{full(done.freed)} freed, {full(done.deficit)} missing"),
        Cell(place(done.row) if done.row >= 0 else "nothing", "Enter goes there"),
        Cell(short(done.prefix), f"{full(done.prefix)} tokens; {full(done.lost)} are no longer served from the cache"),
        Cell(short(done.again), f"{full(done.again)} tokens"),
        Cell(", ".join(blocks) or "none"),
        checked,
    )
