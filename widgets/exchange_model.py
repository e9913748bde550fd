"""The flat model of the list: one column, one row for each thing that is open. A row is what `entity` says; words come from the view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.model.state import Ghost
from widgets.exchange_facts import Facts
from widgets.exchange_layout import Layout
from widgets.exchange_tree import EXCHANGE, GHOST, STEP, Entity

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren


class ExchangeModel(QAbstractTableModel):
    """Rows are inserted and removed where something is opened or closed; a new layout or another level is a reset."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.layout: Layout | None = None
        self.facts: Facts | None = None
        self.sentence: Callable[[Entity], str] = lambda entity: ""
        self._rows = 0
        self._entities: dict[int, Entity] = {}
        self._generation = -1

    # -- what Qt asks ----------------------------------------------------------------------------------------------------------

    def index(self, row: int, column: int = 0, parent: Index = _NOWHERE) -> QModelIndex:
        if 0 <= row < self._rows and column == 0 and not parent.isValid():
            return self.createIndex(row, 0)
        return QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A row as a sentence for whoever hears it; its place in the transcript where a text is asked for (rows are painted whole)."""
        if role == Qt.ItemDataRole.AccessibleTextRole and index.isValid():
            return self.sentence(self.entity(index.row()))
        if role == Qt.ItemDataRole.DisplayRole and index.isValid():
            entity = self.entity(index.row())
            return f"{entity.kind.name.lower()} at {entity.position}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return "Exchanges, steps and blocks"
        return None

    # -- what the view asks ----------------------------------------------------------------------------------------------------

    def entity(self, row: int) -> Entity:
        """What a row is. Raises IndexError outside of the list."""
        layout = self.layout
        if layout is None:
            raise IndexError(row)
        if layout.generation != self._generation or len(self._entities) > 2000:
            self._entities.clear()
            self._generation = layout.generation
        found = self._entities.get(row)
        if found is None:
            found = self._entities[row] = layout.entity(row)
        return found

    def row_id(self, row: int) -> int:
        """The row of the table that a row of the list speaks for: of an exchange its prompt, of a ghost the call that it answers or the
        row behind it; -1 outside of the list."""
        if self.facts is None or self.layout is None or not 0 <= row < self._rows:
            return -1
        entity, rows = self.entity(row), self.facts.view.rows
        if entity.kind == EXCHANGE:
            return int(rows[self.layout.tree.head[entity.top]])
        if entity.kind == GHOST:
            call = self.layout.ghosts[entity.ghost].call_position
            return int(rows[call if call >= 0 else min(entity.position, len(rows) - 1)])
        return int(rows[entity.position])

    def can_open(self, row: int) -> bool:
        """Whether a row holds rows."""
        if self.layout is None or not 0 <= row < self._rows:
            return False
        entity = self.entity(row)
        return entity.kind == STEP or (entity.kind == EXCHANGE and self.layout.has_children(entity.top))

    def opened(self, row: int) -> bool:
        """Whether the rows that it holds are shown."""
        if self.layout is None or not self.can_open(row):
            return False
        return self.layout.opened(self.entity(row))

    def parent_row(self, row: int) -> int:
        """Row of what holds a row: its step, its exchange; the row itself for an exchange."""
        entity, layout = self.entity(row), self.layout
        assert layout is not None
        if entity.depth == 2:
            return layout.row_of_entity(Entity(STEP, entity.top, entity.child, int(layout.tree.child_first[entity.child]), 1))
        return layout.row_of_top(min(entity.top, layout.tree.tops - 1)) if entity.depth == 1 else row

    def exchange_of(self, row: int) -> int:
        """Index of a row's exchange, -1 where it belongs to none."""
        if self.layout is None or not 0 <= row < self._rows:
            return -1
        return int(self.layout.tree.top_exchange[min(self.entity(row).top, self.layout.tree.tops - 1)])

    # -- changes ---------------------------------------------------------------------------------------------------------------

    def set_layout(self, layout: Layout | None, facts: Facts | None) -> None:
        """Other rows altogether."""
        self.beginResetModel()
        self.layout, self.facts = layout, facts
        self._rows = layout.rows if layout is not None else 0
        self._generation = -1
        self.endResetModel()

    def set_level(self, level: int) -> None:
        """Opens everything to exchanges, steps or blocks."""
        if self.layout is None:
            return
        self.beginResetModel()
        self.layout.set_level(level)
        self._rows = self.layout.rows
        self.endResetModel()

    def set_open(self, entity: Entity, on: bool) -> int:
        """Opens or closes one thing; gives how many rows came or (below 0) went."""
        layout = self.layout
        if layout is None or entity.kind not in (EXCHANGE, STEP):
            return 0
        delta = layout.set_open(entity, on)  # how many is only known once it is done: ghosts may stand in it
        if not delta:
            return 0
        layout.set_open(entity, not on)
        row = layout.row_of_entity(entity)
        if delta > 0:
            self.beginInsertRows(QModelIndex(), row + 1, row + delta)
        else:
            self.beginRemoveRows(QModelIndex(), row + 1, row - delta)
        layout.set_open(entity, on)
        self._rows = layout.rows
        if delta > 0:
            self.endInsertRows()
        else:
            self.endRemoveRows()
        return delta

    def set_ghosts(self, ghosts: Sequence[Ghost]) -> None:
        """Rows that are not there yet stand elsewhere: rows keep their number under a drag, only what they mean moves.

        Where there are more or fewer of them, these come or go at the end of the list before all take their places.
        """
        layout = self.layout
        if layout is None or (not ghosts and not layout.ghosts):
            return
        before = layout.shown_ghosts
        layout.set_ghosts(ghosts)
        after, base = layout.shown_ghosts, layout.rows - layout.shown_ghosts
        if after != before:
            layout.park_ghosts(before)
            if before:
                self._tell(base + before)
            if after > before:
                self.beginInsertRows(QModelIndex(), base + before, base + after - 1)
            else:
                self.beginRemoveRows(QModelIndex(), base + after, base + before - 1)
            layout.park_ghosts(after)
            self._rows = layout.rows
            if after > before:
                self.endInsertRows()
            else:
                self.endRemoveRows()
            layout.set_ghosts(ghosts)
        self._tell(self._rows)

    def _tell(self, rows: int) -> None:
        """One signal for all rows: what is in view is painted anew."""
        if rows:
            self.dataChanged.emit(self.createIndex(0, 0), self.createIndex(rows - 1, 0))
