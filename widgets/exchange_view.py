"""The list of exchanges, steps and blocks: the file in the order of the wire, with what a plan or a repair would make of it.

Facts go upward: `row_selected(row)`, `pin_requested(exchange, on)`, `copy_requested(kind, row)`. Under a drag nothing is looked
through: the state of a row is a comparison, asked when it is painted.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip

from app.model.state import State
from widgets import list_sticky
from widgets.block_heads import BUDGET
from widgets.exchange_tree import EXCHANGE
from widgets.list_keys import press
from widgets.list_menu import menu
from widgets.list_sticky import Stuck
from widgets.list_tips import tip
from widgets.row_pictures import on_screen
from widgets.state_list import StateList

NOTHING_MATCHES = "No block matches this filter. Esc clears it."


class ExchangeView(StateList):
    pin_requested = Signal(int, bool)  # an exchange, pinned or not
    pin_wanted = Signal(str, int)  # the step, block or tool of a row
    offered: tuple[QAction, ...] = ()  # in the menu of the selected row, those of them that can be used
    id_wanted = Signal(int)  # all places of the call id of a row of the table
    copy_requested = Signal(str, int)  # text, pointer or raw; a row of the table

    # -- what is asked from outside ------------------------------------------------------------------------------------------------

    def show_row(self, row: int) -> bool:
        """Opens what holds a row of the table, brings it into view with some context and selects it. False where it is not live."""
        return self._show(row)

    def toggle(self, row: int, on: bool | None = None) -> None:
        """Opens or closes an exchange or a step of the list; the row at the upper edge stays where it is."""
        if not self.rows.can_open(row) or self.rows.opened(row) == on:
            return
        self._touched = True
        entity, held, value = self.rows.entity(row), self.current_row(), self.verticalScrollBar().value()
        with self._quietly():
            delta = self.rows.set_open(entity, not self.rows.opened(row))
            if held > row and delta < 0 and held <= row - delta:
                self.set_current(row)
            self.settle()
            self.verticalScrollBar().setValue(value)
        self._tell_selected(held)
        self.viewport().update()

    def next_finding(self) -> bool:
        """Goes to the next block, in the order of the rows, with a finding of the gravest kind there is; round at the end."""
        return self._finding(1)

    def previous_finding(self) -> bool:
        return self._finding(-1)

    def _finding(self, direction: int) -> bool:
        facts, row = self._facts, self.current_row()
        at = next((a for a in (facts.errors, facts.warnings, facts.notes) if len(a)), None) if facts is not None else None
        if facts is None or at is None:
            return False
        here = facts.view.at(self.rows.row_id(row)) if row >= 0 else -1 if direction > 0 else facts.tree.count
        if direction > 0:
            found = int(at.searchsorted(here, "right"))
            to = at[found] if found < len(at) else at[0]
        else:
            found = int(at.searchsorted(here, "left")) - 1
            to = at[found]
        return self._show(int(facts.view.rows[to]))

    def next_exchange(self) -> bool:
        """Goes to the row of the next exchange."""
        return self._exchange(1)

    def previous_exchange(self) -> bool:
        return self._exchange(-1)

    def _exchange(self, direction: int) -> bool:
        layout, row = self.rows.layout, self.current_row()
        if layout is None or not layout.rows:
            return False
        top = self.rows.entity(row).top if row >= 0 else -1
        at_top = row >= 0 and self.rows.entity(row).kind == EXCHANGE
        to = top + direction if direction > 0 or at_top else top
        if not 0 <= to < layout.tree.tops:
            return False
        self.go(layout.row_of_top(to))
        return True

    def is_open(self, row: int) -> bool:
        """Whether a row of the table has a row of its own in the list now (a prompt has its exchange's)."""
        view, layout = self._state.view, self.rows.layout
        position = view.at(row) if view is not None else -1
        return position >= 0 and layout is not None and layout.is_open(position)

    def show_as_is(self, on: bool) -> None:
        """Shows the file as it is, without what a plan or a repair would do (held down: blink)."""
        if on != self._as_is:
            self._heads.read_originals(on)
            if self._words is not None and self._state.transcript is not None and self._state.transcript.touched():
                self._words.forget()
        self._as_is = on
        if self._painter.scene is not None:
            self._painter.scene.as_is = on
            self._say_above()
            self.viewport().update()
            self.outline.update()

    def label(self, exchange: int) -> str:
        return self._facts.view.groups.label(exchange) if self._facts is not None else ""

    @property
    def shown(self) -> State:
        """The state that is shown."""
        return self._state

    def call_id(self, row: int) -> bool:
        """Whether a row of the table has a call id."""
        return self._facts is not None and int(self._facts.view.transcript.table.key[row]) >= 0

    def pinned(self, exchange: int) -> bool:
        return exchange in self._state.pinned

    def current_exchange(self) -> int:
        """Index of the exchange that the current row is in, -1 where there is none."""
        return self.rows.exchange_of(self.current_row())

    def retint(self) -> None:
        """Another theme is in force."""
        self._use_scene()
        self.viewport().update()
        self._header.update()
        self.outline.update()

    # -- Qt ------------------------------------------------------------------------------------------------------------------------

    def currentChanged(self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        self.outline.update()
        if current.isValid() and not self._silent:
            self._painter.pictures.hurry()  # all panels show another row, in the same frame
            self.row_selected.emit(self.rows.row_id(current.row()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Rows and what lies over them. Qt's own way costs as much again for each row as the row itself."""
        scene = self._painter.scene
        with QPainter(self.viewport()) as painter:
            if scene is not None:
                scene.current, scene.focus = self.current_row(), self.hasFocus()
                self._paint_rows(painter, event.region())
                self._overlay.paint(painter, scene, self.rows, self.y_of(0), event.rect(), self.viewport().height(), self._painter.free)
                line = self.stuck()
                if line is not None and line.y + self.row_height > event.rect().top():
                    whole = list_sticky.paint(painter, self._painter, line, self.viewport().width(), self.row_height)
                    self._unpainted += [] if whole else [line.y]
                if self.rows.rowCount() == 0 and self._state.filter is not None:
                    painter.setPen(scene.theme.ink_soft)
                    where = self.viewport().rect().adjusted(0, 2 * self.row_height, 0, 0)
                    painter.drawText(where, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, NOTHING_MATCHES)
                self._painter.pictures.end()
                if self._unpainted:
                    self._again.start(0)

    def _paint_rows(self, painter: QPainter, region: QRegion) -> None:
        """The selected row before all others; what one repaint has no time for is painted in the next, with what lies at its edges."""
        rows, current, height, shown = self.rows_visible(), self.current_row(), self.row_height, region.boundingRect()
        kept = (height * self.devicePixelRatioF()).is_integer()  # else rows are painted anew each time, and would come and go
        screen = on_screen(painter, self)
        self._heads.begin(BUDGET if self._painter.pictures.begin(len(rows), kept and screen) else None)
        self._painting_on = self._painting_on and not screen
        if screen and region.rectCount() == 1:
            upper, lower = max(shown.top(), 0), min(shown.bottom(), self.viewport().height() - 1) + 1
            self._unpainted = [y for y in self._unpainted if max(y, 0) < upper or min(y + height, self.viewport().height()) > lower]
        for row in (current, *rows) if current in rows else rows:
            y = self.y_of(row)
            if y <= shown.bottom() and y + height > shown.top() and not self._painter.paint_row(painter, row, y):
                self._unpainted.append(y)
        self._heads.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._use_scene()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        press(self, event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_B and not event.isAutoRepeat():
            self.show_as_is(False)
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        chosen = self.currentIndex().isValid()
        with self._quietly():
            super().focusInEvent(event)
            if not chosen:  # Qt takes the first row, though nobody chose it
                self.set_current(-1)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._as_is:
            self.show_as_is(False)

    def stuck(self) -> Stuck | None:
        """The line at the top for the exchange whose inside is scrolled through."""
        return list_sticky.stuck(self.rows, self.verticalScrollBar().value(), self.row_height)

    def covered(self, row: int) -> int:
        return self.row_height if self.rows.entity(row).depth else 0

    def row_at(self, point: QPoint) -> int:
        """The row that is seen at a place: the line at the top lies over the others. -1 where none is."""
        line = self.stuck()
        return line.row if line is not None and 0 <= point.y() < line.y + self.row_height else self.indexAt(point).row()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = self.stuck()
        if line is not None and event.button() == Qt.MouseButton.LeftButton and event.position().y() < line.y + self.row_height:
            self.go(line.row)
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            return
        row = self.row_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self.rows.can_open(row) and self._on_twist(row, event.position().x()):
            self.toggle(row)
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self.rows.can_open(row):
            self.toggle(row)
            return
        super().mouseDoubleClickEvent(event)

    def _on_twist(self, row: int, x: float) -> bool:
        scene = self._painter.scene
        return scene is not None and x < scene.columns.twists[self.rows.entity(row).depth] + 16

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        row = self.current_row() if by_key else self.row_at(event.pos())
        if row < 0:
            return
        where = self.viewport().mapToGlobal(self.visualRect(self.rows.index(row)).bottomLeft()) if by_key else event.globalPos()
        made = menu(self, row)
        made.exec(where)
        made.deleteLater()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._painter.scene is not None:
            row = self.row_at(event.pos())
            words = tip(self._painter.look(self.rows.entity(row)), self._painter.scene.columns, event.pos().x()) if row >= 0 else ""
            QToolTip.showText(event.globalPos(), words, self.viewport())
            return True
        return super().viewportEvent(event)
