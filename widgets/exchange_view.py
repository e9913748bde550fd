"""The list of exchanges, steps and blocks: the file in the order of the wire, with what a plan or a repair would make of it.

Facts go upward: `row_selected(row)`, `pin_requested(exchange, on)`, `copy_requested(kind, row)`. Under a drag nothing is looked
through: the state of a row is a comparison, asked when it is painted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.model.state import Changed, State
from widgets.block_heads import BlockHeads, Reader
from widgets.exchange_facts import Facts
from widgets.exchange_layout import EXCHANGE, GHOST, STEP, Entity, Layout, Tree, carried_over
from widgets.exchange_model import ExchangeModel
from widgets.flat_table import FlatTable
from widgets.list_header import ListHeader
from widgets.list_keys import press
from widgets.list_menu import menu
from widgets.list_overlay import Overlay
from widgets.list_places import PlacesOf, find_again, hold
from widgets.list_tips import tip
from widgets.outline import Outline, Places
from widgets.row_columns import columns
from widgets.row_marks import Marks
from widgets.row_painter import RowPainter, Scene
from widgets.row_sentences import sentence
from widgets.row_words import RowWords
from widgets.theme import current
from widgets.words import full

FEW = 3  # with so many exchanges or fewer the steps are open from the start


class ExchangeView(FlatTable):
    row_selected = Signal(int)  # a row of the table
    pin_requested = Signal(int, bool)  # an exchange, pinned or not
    copy_requested = Signal(str, int)  # text, pointer or raw; a row of the table

    def __init__(self, session: Reader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("exchangeView")
        self.setAccessibleName("Exchanges, steps and blocks")
        self.rows = ExchangeModel(self)
        self.rows.sentence = self._sentence
        self._painter = RowPainter(self.rows)
        self._heads = BlockHeads(session)
        self._header = ListHeader(self)
        self.outline = Outline(self._places, self)
        self._state = State()
        self._facts: Facts | None = None
        self._words: RowWords | None = None
        self._as_is = self._silent = False
        self._places_of = PlacesOf()
        self._overlay = Overlay()
        self.setModel(self.rows)
        self.setHorizontalHeader(self._header)
        self.setVerticalScrollBar(self.outline)
        self.set_row_height(current().row_height)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self.viewport().update)
        self.outline.valueChanged.connect(self._say_above)

    # -- a new state -------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> None:
        """Shows a state. What is open, the current row and the place in the list are kept, by row ids, where the file is the same."""
        old, self._state = self._state, state
        if state.view is None:
            self._facts = self._words = self._painter.scene = None
            with self._quietly():
                self.rows.set_layout(None, None)
            self._header.set_above("")
            return
        if changed & (Changed.DUMP | Changed.TRANSCRIPT) or self._facts is None or self._facts.tree.count != len(state.view):
            self._rebuild(old, state)
        elif changed & (Changed.FINDINGS | Changed.TOKENS | Changed.TARGET):
            self._facts.set_report(state.report)
            self._facts.set_tokens(state)
            assert self._words is not None
            self._words.forget()
        self._show_marks()
        if changed & (Changed.SELECTION | Changed.DUMP) and state.selected >= 0 and self.rows.row_id(self.current_row()) != state.selected:
            with self._quietly():
                self._show(state.selected)

    def _rebuild(self, old: State, state: State) -> None:
        """Other rows: the layout anew, and in it what was open, current and in view before."""
        assert state.view is not None
        tree = Tree(state.view)
        before, rows = self.rows.layout, self._facts.view.rows if self._facts is not None else None
        current, anchor = self.current_row(), self.first_visible()
        anchor = current if current in self.rows_visible() else anchor
        held, held_y = hold(self.rows, current), self.y_of(anchor)
        edge = held if anchor == current else hold(self.rows, anchor)
        if before is not None and rows is not None and (old.path, old.chosen) == (state.path, state.chosen):
            layout = carried_over(before, rows, tree, state.view.rows)
        else:
            layout, held, edge = Layout(tree), None, None
            self._open_few(layout)
        self._heads.forget()
        self._facts = Facts(tree, state)
        self._words = RowWords(self._facts, self._heads)
        layout.set_ghosts(Marks(state, self._facts).ghosts)
        with self._quietly():
            self.rows.set_layout(layout, self._facts)
            self._use_scene()
            self.settle()
            there = find_again(edge, layout, state.view)
            self.verticalScrollBar().setValue(there * self.row_height - held_y if there >= 0 else 0)
            self.set_current(find_again(held, layout, state.view))

    def _open_few(self, layout: Layout) -> None:
        real = layout.tree.top_exchange >= 0
        if 0 < int(real.sum()) <= FEW:
            layout.set_level(2)
            layout.open_top[:] = real
            layout.recount()

    def _show_marks(self) -> None:
        """What a plan or a repair makes of the rows; its ghosts take their places and nothing in view moves."""
        scene, layout = self._painter.scene, self.rows.layout
        assert self._facts is not None
        assert scene is not None
        assert layout is not None
        scene.marks = Marks(self._state, self._facts)
        scene.as_is = self._as_is
        if scene.marks.ghosts != layout.ghosts:
            with self._anchored():
                self.rows.set_ghosts(scene.marks.ghosts)
        if scene.theme is not current():
            self._use_scene()
        self._say_above()
        self.viewport().update()
        self.outline.update()

    def _use_scene(self) -> None:
        """Measures the columns: for another theme, width or file."""
        if self._facts is None or self._words is None:
            return
        theme, groups = current(), self._facts.view.groups
        if self.row_height != theme.row_height:
            self.set_row_height(theme.row_height)
        longest = full(max(self._facts.tokens(0, self._facts.tree.count), 99_999))
        steps = int(np.bincount(groups.step_exchange, minlength=1).max()) if groups.steps else 0
        at = columns(
            theme, self.viewport().width(), (groups.label(max(groups.live, 0)), f"r{groups.steps}"), longest, f"{max(steps, 99):,} req"
        )
        self._painter.use(Scene(theme, at, self._words, Marks(self._state, self._facts), self._as_is))
        self._header.use(theme, at)

    # -- what is asked from outside ------------------------------------------------------------------------------------------------

    def show_row(self, row: int) -> bool:
        """Opens what holds a row of the table, brings it into view with some context and selects it. False where it is not live."""
        return self._show(row)

    def _show(self, row: int) -> bool:
        view, layout = self._state.view, self.rows.layout
        position = view.at(row) if view is not None else -1
        if position < 0 or layout is None:
            return False
        tree = layout.tree
        top, child = tree.top_of(position), tree.child_of(position)
        if not tree.folded[child] and not layout.is_open(position):
            with self._quietly():
                self.rows.set_open(Entity(EXCHANGE, top, -1, int(tree.top_first[top]), 0), True)
                if tree.child_step[child] >= 0:
                    self.rows.set_open(Entity(STEP, top, child, int(tree.child_first[child]), 1), True)
                self.settle()
        before = self.current_row()
        self.go(layout.row_of(position))
        self._tell_selected(-1 if before == self.current_row() else self.current_row())
        return True

    def set_level(self, level: int) -> None:
        """Opens everything to exchanges (1), steps (2) or blocks (3)."""
        with self._anchored():
            self.rows.set_level(level)

    def toggle(self, row: int, on: bool | None = None) -> None:
        """Opens or closes an exchange or a step of the list; the row at the upper edge stays where it is."""
        if not self.rows.can_open(row) or self.rows.opened(row) == on:
            return
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
        self._as_is = on
        if self._painter.scene is not None:
            self._painter.scene.as_is = on
            self.viewport().update()

    def label(self, exchange: int) -> str:
        return self._facts.view.groups.label(exchange) if self._facts is not None else ""

    def pinned(self, exchange: int) -> bool:
        return exchange in self._state.pinned

    def current_exchange(self) -> int:
        """Index of the exchange that the current row is in, -1 where there is none."""
        return self.rows.exchange_of(self.current_row())

    def _sentence(self, entity: Entity) -> str:
        scene, layout = self._painter.scene, self.rows.layout
        if scene is None or layout is None or self._facts is None:
            return ""
        ghost = entity.kind == GHOST
        kind = layout.ghosts[entity.ghost].kind if ghost else int(self._facts.view.kind[entity.position])
        return sentence(entity, self._painter.look(entity), scene.marks.of(entity), layout, kind)

    # -- keeping places ------------------------------------------------------------------------------------------------------------

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        """Nothing that happens within is told as a person's choice."""
        before, self._silent = self._silent, True
        try:
            yield
        finally:
            self._silent = before

    @contextmanager
    def _anchored(self) -> Iterator[None]:
        """The current row, where it is in view, else the upper one, stands where it stood; the current row stays current."""
        row, held, layout = self.current_row(), -1, self.rows.layout
        if layout is None or not layout.rows:
            yield
            return
        held = row if row in self.rows_visible() else min(self.first_visible(), layout.rows - 1)
        anchor, y = self.rows.entity(held), self.y_of(held)
        chosen = self.rows.entity(row) if row >= 0 else None
        with self._quietly():
            yield
            self.settle()
            self.verticalScrollBar().setValue(layout.row_of_entity(anchor) * self.row_height - y)
            if chosen is not None:
                self.set_current(layout.row_of_entity(chosen))
        self.viewport().update()
        if chosen is not None and self.rows.entity(self.current_row()) != chosen:
            self._tell_selected(-1)

    def _tell_selected(self, before: int) -> None:
        """The current row is another one since what it was in was closed."""
        row = self.current_row()
        if row >= 0 and row != before and self.rows.row_id(row) != self._state.selected and not self._silent:
            self.row_selected.emit(self.rows.row_id(row))

    # -- Qt ------------------------------------------------------------------------------------------------------------------------

    def currentChanged(self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        self.outline.update()
        if current.isValid() and not self._silent:
            self.row_selected.emit(self.rows.row_id(current.row()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Rows and what lies over them. Qt's own way costs as much again for each row as the row itself."""
        scene, shown = self._painter.scene, event.rect()
        with QPainter(self.viewport()) as painter:
            if scene is not None:
                scene.current, scene.focus = self.current_row(), self.hasFocus()
                self._heads.begin()
                for row in self.rows_visible():
                    y = self.y_of(row)
                    if y <= shown.bottom() and y + self.row_height > shown.top():
                        self._painter.paint_row(painter, row, y)
                self._overlay.paint(painter, scene, self.rows, self.y_of(0), self.viewport().height())
                self._heads.end()
                if self._heads.starved:  # more to read than one repaint has time for
                    self._again.start(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
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

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.indexAt(event.position().toPoint()).row()
        if event.button() == Qt.MouseButton.LeftButton and self.rows.can_open(row) and self._on_twist(row, event.position().x()):
            self.toggle(row)
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self.indexAt(event.position().toPoint()).row()
        if event.button() == Qt.MouseButton.LeftButton and self.rows.can_open(row):
            self.toggle(row)
            return
        super().mouseDoubleClickEvent(event)

    def _on_twist(self, row: int, x: float) -> bool:
        scene = self._painter.scene
        return scene is not None and x < scene.columns.twists[self.rows.entity(row).depth] + 16

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        row = self.current_row() if by_key else self.indexAt(event.pos()).row()
        if row < 0:
            return
        where = self.viewport().mapToGlobal(self.visualRect(self.rows.index(row)).bottomLeft()) if by_key else event.globalPos()
        made = menu(self, row)
        made.exec(where)
        made.deleteLater()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._painter.scene is not None:
            row = self.indexAt(event.pos()).row()
            words = tip(self._painter.look(self.rows.entity(row)), self._painter.scene.columns, event.pos().x()) if row >= 0 else ""
            QToolTip.showText(event.globalPos(), words, self.viewport())
            return True
        return super().viewportEvent(event)

    # -- the strip at the edge, the words in the header ------------------------------------------------------------------------------

    def _say_above(self) -> None:
        scene, layout = self._painter.scene, self.rows.layout
        if scene is None or layout is None or not layout.rows:
            self._header.set_above("")
            return
        row = min(self.first_visible(), layout.rows - 1)
        self._header.set_above("" if scene.as_is else scene.marks.above(self.rows.entity(row).position))

    def _places(self) -> Places:
        layout, facts, scene = self.rows.layout, self.rows.facts, self._painter.scene
        if layout is None or facts is None or scene is None:
            return Places()
        return self._places_of.find(layout, facts, -1 if scene.as_is else scene.marks.seam, self.current_row())
