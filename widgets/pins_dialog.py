"""Pins and protection: what every plan leaves alone. The set that is worth protecting, each entry with its rows; then what was pinned one
by one, and whether all that is kept beside the dump."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QHBoxLayout, QListWidget, QPushButton, QVBoxLayout, QWidget

from app.model.pins import PROTECTION_NAMES, PROTECTIONS
from app.model.state import Changed, State
from app.model.table import Ints
from widgets import pin_words, theme
from widgets.buttons import button
from widgets.labels import Elided, Hairline, Word, plain
from widgets.words import counted

NEWS = Changed.DUMP | Changed.TRANSCRIPT | Changed.PLAN | Changed.RANKINGS

NOTHING = "Nothing yet. Ctrl+I pins the selected exchange; the menu of a row pins its step, its block, or all results of its tool."


class _List(QListWidget):
    """Delete unpins."""

    unpinned = Signal(int)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.count():
            look = theme.current()
            with QPainter(self.viewport()) as painter:
                painter.setFont(look.ui)
                painter.setPen(look.ink_faint)
                room = self.viewport().rect().adjusted(24, 8, -24, -8)
                painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), NOTHING)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.currentRow() >= 0:
            self.unpinned.emit(self.currentRow())
            return
        super().keyPressEvent(event)


class PinsDialog(QDialog):
    """Facts: `wanted(Pins)` other pins, `row_wanted(row)`, `keep_wanted()` beside the dump, `aside_wanted()` take those that lie there."""

    wanted = Signal(object)
    row_wanted = Signal(int)
    keep_wanted = Signal()
    aside_wanted = Signal()

    def __init__(self, state: State, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pinsDialog")
        self.setWindowTitle("Pins and protection")
        self._state = state
        self._shown: tuple[object, ...] | None = None
        self._rows: dict[str, Ints] = {}
        self._at: dict[str, int] = {}
        self._pins: list[pin_words.Pinned] = []
        self.boxes: dict[str, QCheckBox] = {}
        self.counts: dict[str, QPushButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(6)
        column.addLayout(self._head())
        column.addLayout(self._entries())
        column.addSpacing(4)
        column.addWidget(Hairline())
        column.addSpacing(4)
        column.addLayout(self._one_by_one(), 1)
        column.addLayout(self._foot())
        self.resize(theme.measure(720, 520))
        self.refresh(state, NEWS)

    # -- parts --------------------------------------------------------------------------------------------------------------------

    def _head(self) -> QHBoxLayout:
        self.all = button("Protect what matters", "pinsDialog.all", "Protect what matters: switch all entries on")
        self.all.clicked.connect(self._switch_all)
        title = Word("No plan touches these")
        title.look(theme.current().ink, theme.current().ui_bold)
        row = QHBoxLayout()
        row.addWidget(title)
        row.addStretch(1)
        row.addWidget(self.all)
        return row

    def _entries(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        for number, entry in enumerate(PROTECTIONS):
            box = QCheckBox(entry.title)
            box.setObjectName(f"pinsDialog.{entry.name}")
            box.setAccessibleName(entry.title)
            box.setAccessibleDescription(entry.why)
            box.setToolTip(plain(entry.why))
            box.toggled.connect(partial(self._switched, entry.name))
            count = button("…", f"pinsDialog.{entry.name}.rows", f"Go to the next row of: {entry.title}", "link")
            count.clicked.connect(partial(self._next, entry.name))
            why = Elided(entry.why)
            why.look(theme.current().ink_soft, theme.current().small)
            grid.addWidget(box, number, 0)
            grid.addWidget(why, number, 1)
            grid.addWidget(count, number, 2, Qt.AlignmentFlag.AlignRight)
            self.boxes[entry.name], self.counts[entry.name] = box, count
        grid.setColumnStretch(1, 1)
        return grid

    def _one_by_one(self) -> QVBoxLayout:
        title = Word("Pinned one by one")
        title.look(theme.current().ink, theme.current().ui_bold)
        self.list = _List()
        self.list.setObjectName("pinsDialog.list")
        self.list.setAccessibleName("Pinned one by one")
        self.list.setProperty("framed", "true")
        self.list.itemActivated.connect(lambda item: self._go(self.list.row(item)))
        self.list.currentRowChanged.connect(self._go)
        self.list.unpinned.connect(self._unpin)
        self.unpin = button("Unpin", "pinsDialog.unpin", "Unpin the chosen one (Delete)")
        self.unpin.clicked.connect(lambda: self._unpin(self.list.currentRow()))
        row = QHBoxLayout()
        row.addWidget(title)
        row.addStretch(1)
        row.addWidget(self.unpin)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        return column

    def _foot(self) -> QHBoxLayout:
        self.told = Elided()
        self.told.setObjectName("pinsDialog.told")
        self.aside = button("Use those beside it", "pinsDialog.aside", "Use the pins that are kept beside the dump", "link")
        self.aside.clicked.connect(self.aside_wanted)
        self.keep = button("Keep beside the dump", "pinsDialog.keep", "Write the pins to a file beside the dump")
        self.keep.setToolTip(plain("writes NAME.inspector.json beside the dump; nothing is written there unless you ask"))
        self.keep.clicked.connect(self.keep_wanted)
        close = button("Close", "pinsDialog.close", "Close")
        close.clicked.connect(self.close)
        row = QHBoxLayout()
        row.addWidget(self.told, 1)
        for part in (self.aside, self.keep, close):
            row.addWidget(part)
        return row

    # -- what is shown ------------------------------------------------------------------------------------------------------------

    def refresh(self, state: State, changed: Changed) -> None:
        news = (state.view, state.pins, state.held, state.aside)
        if not changed & NEWS or (self._shown is not None and all(a is b for a, b in zip(news, self._shown, strict=True))):
            return  # a move of the drag says nothing new here
        self._state, self._shown = state, news
        for name, box in self.boxes.items():
            box.blockSignals(True)
            box.setChecked(name in state.pins.protected)
            box.blockSignals(False)
        whole = state.pins.protected == frozenset(PROTECTION_NAMES)
        self.all.setText("Switch all off" if whole else "Protect what matters")
        self.all.setAccessibleName("Switch all entries off" if whole else "Protect what matters: switch all entries on")
        self._show_pins(state)
        kept = pin_words.left_alone(state)
        once = "; a row of several entries counts once" if sum(state.held.counts.values()) > kept else ""
        self.told.setText(f"{counted(kept, 'row')} left alone, partners included{once}" if kept else "Nothing is pinned.")
        self.keep.setEnabled(bool(state.pins) and state.dump is not None and state.dump.source.path is not None)
        self.aside.setVisible(state.aside is not None)

    def _show_pins(self, state: State) -> None:
        self._pins = pin_words.each(state)
        words = [one.words for one in self._pins]
        if words != [self.list.item(at).text() for at in range(self.list.count())]:
            self.list.blockSignals(True)
            self.list.clear()
            self.list.addItems(words)
            self.list.blockSignals(False)
        self.unpin.setEnabled(bool(self._pins))

    def show_rows(self, rows: Mapping[str, Ints]) -> None:
        """How many rows each entry holds, as far as that is known."""
        self._rows = dict(rows)
        for name, count in self.counts.items():
            found = rows.get(name)
            count.setText("…" if found is None else counted(len(found), "row"))
            count.setEnabled(found is not None and len(found) > 0)

    # -- what a person does -------------------------------------------------------------------------------------------------------

    def _switch_all(self) -> None:
        on = self._state.pins.protected != frozenset(PROTECTION_NAMES)
        self.wanted.emit(self._state.pins.with_all_protected(on))

    def _switched(self, name: str, on: bool) -> None:
        self.wanted.emit(self._state.pins.with_protection(name, on))

    def _next(self, name: str) -> None:
        """The next row of an entry, round and round."""
        rows = self._rows.get(name)
        if rows is not None and len(rows):
            at = self._at.get(name, -1) + 1
            self._at[name] = at = at % len(rows)
            self.row_wanted.emit(int(rows[at]))

    def _go(self, at: int) -> None:
        if 0 <= at < len(self._pins) and self._pins[at].row >= 0:
            self.row_wanted.emit(self._pins[at].row)

    def _unpin(self, at: int) -> None:
        if len(self._pins) and at < 0:
            at = 0
        if at < len(self._pins):
            self.wanted.emit(self._pins[at].without)
