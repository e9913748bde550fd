"""Cost of carry: the blocks, or the tools, that filled the requests of this transcript, the dearest first, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QItemSelection, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QHeaderView, QVBoxLayout, QWidget

from app.model.carry import last_said
from app.model.costs import NOTE_WORDS, BlockCost, Costs, ToolCost
from app.model.filter import Test
from app.model.state import Changed, State
from app.session import Session
from widgets import theme
from widgets.buttons import button
from widgets.chooser import Rows, Toned
from widgets.cost_columns import TOOLS, block_columns
from widgets.flat_table import FlatTable
from widgets.labels import Elided, Hairline
from widgets.words import counted, exchange_and_step, full, short

ABOUT = "costs"
NEEDS = Changed.DUMP | Changed.TRANSCRIPT | Changed.TOKENS
PAGES = ("Blocks", "Tools")
LEAST = 120  # pixels for what a block is


class CostsPanel(QWidget):
    """Facts: `row_wanted(int)`."""

    row_wanted = Signal(int)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("costsPanel")
        self.setAccessibleName("Costs")
        self._session = session
        self._costs: Costs | None = None
        self._asked: tuple[Any, ...] = ()
        self._waiting, self._error = "", ""
        self._by = {"Blocks": (4, True), "Tools": (3, True)}  # the column that sorts, and whether the most comes first
        self.page = "Blocks"
        self._columns = {"Blocks": block_columns(self._place, self._order), "Tools": TOOLS}
        self._make_head()
        self.table = FlatTable()
        self.table.setObjectName("costsPanel.table")
        self.table.setItemDelegate(Toned(self.table))
        self.table.horizontalHeader().sectionClicked.connect(self.sort_by)
        self.table.doubleClicked.connect(lambda _: self._jump())
        self.table.installEventFilter(self)
        self.table.viewport().installEventFilter(self)
        self.note = Elided()
        self.note.setObjectName("costsPanel.note")
        self.jump = button("Go to it", "costsPanel.jump", "Go to the block", "link")
        self.jump.clicked.connect(self._jump)
        self.copy = button("Copy", "costsPanel.copy", "Copy the table, columns divided by tabs", "link")
        self.copy.clicked.connect(self._copy)
        foot = QHBoxLayout()
        foot.setContentsMargins(10, 3, 10, 4)
        foot.setSpacing(8)
        foot.addWidget(self.note, 1)
        foot.addWidget(self.jump)
        foot.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        inset = QHBoxLayout()
        inset.setContentsMargins(7, 0, 0, 0)
        inset.addWidget(self.table)
        column.addLayout(inset, 1)
        column.addWidget(Hairline())
        column.addLayout(foot)
        self.setFocusProxy(self.table)
        self._rows: Rows | None = None
        self.show_page("Blocks")
        session.answered.connect(self._take)
        session.heard.connect(self._hear)
        self.retint()

    def _make_head(self) -> None:
        self._head = QWidget()
        self._pages = QButtonGroup(self)
        self.said = Elided()
        self.said.setObjectName("costsPanel.said")
        row = QHBoxLayout(self._head)
        row.setContentsMargins(10, 3, 8, 3)
        row.setSpacing(4)
        row.addWidget(self.said, 1)
        for number, name in enumerate(PAGES):
            made = button(name, f"costsPanel.{name.lower()}", f"Costs by {name.lower()[:-1]}", "seg")
            made.setCheckable(True)
            made.setChecked(number == 0)
            made.setMinimumWidth(QFontMetrics(theme.current().ui_bold).horizontalAdvance(name) + 22)
            self._pages.addButton(made, number)
            row.addWidget(made)
        self._pages.idClicked.connect(lambda number: self.show_page(PAGES[number]))

    def _place(self, one: BlockCost) -> str:
        return exchange_and_step(self._session.state, one.row).split(" · ")[-1]

    def _order(self, one: BlockCost) -> int:
        view = self._session.state.view
        return view.at(one.row) if view is not None else one.row

    # -- what is shown ------------------------------------------------------------------------------------------------------------

    def show_page(self, name: str) -> None:
        """Blocks or tools."""
        self.page = name
        self._pages.button(PAGES.index(name)).setChecked(True)
        rows = Rows(self._columns[name], self)
        rows.column, rows.down = self._by[name]
        self.table.setModel(rows)
        self.table.setAccessibleName(f"Costs by {name.lower()[:-1]}, the dearest first")
        selection = self.table.selectionModel()
        selection.selectionChanged.connect(self._selected)
        if self._rows is not None:
            self._rows.deleteLater()
        self._rows = rows
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        self._measure()
        self._fill()

    def _measure(self) -> None:
        assert self._rows is not None
        look, header = theme.current(), self.table.horizontalHeader()
        self.table.setFont(look.ui)
        self.table.set_row_height(look.row_height)
        for number, column in enumerate(self._rows.columns):
            header.setSectionResizeMode(number, QHeaderView.ResizeMode.Interactive if column.wide else QHeaderView.ResizeMode.Stretch)
            if column.wide:
                self.table.setColumnWidth(number, self._width(number))
        self._drop_columns()

    def _drop_columns(self) -> None:
        """Where there is no room for what a block is, first the share goes, then the number of requests."""
        if self._rows is None:
            return
        wide, blocks = {number: self._width(number) for number in range(len(self._rows.columns))}, self.page == "Blocks"
        room = self.table.viewport().width() - sum(wide.values()) - theme.scaled(LEAST)
        for number in (5, 3):
            gone = blocks and room < 0
            if self.table.isColumnHidden(number) != gone:
                self.table.setColumnHidden(number, gone)
                if not gone:
                    self.table.setColumnWidth(number, wide[number])
            room += wide[number] if gone else 0

    def _width(self, number: int) -> int:
        """What a column needs; 0 for the one that takes what is left."""
        assert self._rows is not None
        column = self._rows.columns[number]
        title = self.table.horizontalHeader().fontMetrics().horizontalAdvance(f"{column.title} ▾") + 8
        return max(self.table.fontMetrics().horizontalAdvance(column.wide), title) + 10 if column.wide else 0

    def sort_by(self, column: int) -> None:
        """By another column; by the same one the other way round."""
        assert self._rows is not None
        down = not self._rows.down if column == self._rows.column else self._rows.columns[column].down
        self._by[self.page] = column, down
        held = self.item()
        self._rows.arrange(column=column, down=down)
        self.table.settle()
        self._select(held)

    def item(self) -> BlockCost | ToolCost | None:
        """What is selected."""
        row = self.table.current_row()
        if self._rows is None or not 0 <= row < len(self._rows.at):
            return None
        found: BlockCost | ToolCost = self._rows.items[self._rows.at[row]]
        return found

    def _select(self, item: BlockCost | ToolCost | None) -> None:
        assert self._rows is not None
        at = next((row for row, index in enumerate(self._rows.at) if self._rows.items[index] == item), 0)
        if self._rows.at:
            self.table.go(at)

    def refresh(self, state: State, changed: Changed) -> None:
        if changed & NEEDS and self.isVisible():
            self._ask(state)
        self._say()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask(self._session.state)

    def _ask(self, state: State) -> None:
        """Once for a transcript and its counts: as estimated, and again once they are exact."""
        exact = state.totals is not None and state.totals.exact
        key = (id(state.transcript), state.counter, exact)
        if state.view is None or state.report is None or state.totals is None:
            self._asked, self._costs = (), None
            self._fill()
        elif key != self._asked:
            if key[:2] != self._asked[:2]:
                self._costs = None
                self._fill()
            self._asked, self._error = key, ""
            self._waiting = "Costs are added up…"
            self._session.ask(ABOUT)
            self._say()

    def _take(self, answer: Any) -> None:
        if answer.about != ABOUT:
            return
        self._waiting, self._error = "", answer.error
        if isinstance(answer.answer, Costs):
            self._costs = answer.answer
            self._fill()
        self._say()

    def _hear(self, heard: Any) -> None:
        if heard.about == ABOUT and heard.fraction is not None:
            self._waiting = f"Costs are added up, {heard.fraction:.0%}…"
            self._say()

    def _fill(self) -> None:
        assert self._rows is not None
        found, held = self._costs, self.item()
        items: Sequence[Any] = () if found is None else found.blocks if self.page == "Blocks" else found.tools
        self._rows.put(items, [""] * len(items))
        self.table.settle()
        self._select(held)
        self._say()

    def _say(self) -> None:
        found = self._costs
        if found is None:
            words = f"Costs are not known: {self._error}" if self._error else self._waiting
        else:
            near = "" if found.exact else "≈ "
            requests = counted(found.requests, "request") + last_said(found.requests, found.unsent)
            words = f"{near}{short(found.carried)} tokens carried by {requests}"
            if self.page == "Blocks" and found.count > len(found.blocks):
                words += f"; the dearest {full(len(found.blocks))} of {counted(found.count, 'block')}"
        self.said.setText(words)
        self.copy.setEnabled(found is not None)
        self._tell()

    def _tell(self) -> None:
        """The selected line in words."""
        item = self.item()
        by_block = isinstance(item, BlockCost)
        self.jump.setVisible(by_block or (item is not None and bool(item.tool)))
        self.jump.setText("Go to it" if by_block else "Show its blocks")
        self.jump.setToolTip("Go to the block" if by_block else "Only the calls of this tool and their results; Esc shows all again")
        self.jump.setAccessibleName(self.jump.toolTip())
        if isinstance(item, BlockCost):
            sum_ = f"{full(item.tokens)} tok × {counted(item.requests, 'request')} = {short(item.carried)}"
            notes = " · ".join(f"{NOTE_WORDS[note.kind]}: {note.words}" for note in item.notes)
            words = notes or " · ".join(part for part in (exchange_and_step(self._session.state, item.row), sum_) if part)
        elif item is not None:
            now = self._session.state.now
            part = f"{item.tokens / now:.0%} of what would be sent now: ".replace("%", " %") if now > 0 else ""
            words = f"{part}{counted(item.calls, 'call')}, {full(item.tokens)} tokens, carried {short(item.carried)}"
        else:
            words = ""
        self.note.setText(words)
        self.note.look(theme.current().warning if isinstance(item, BlockCost) and item.notes else theme.current().ink_soft)

    def retint(self) -> None:
        self.said.look(theme.current().ink, theme.current().ui)
        self._measure()
        self._tell()

    # -- acts ---------------------------------------------------------------------------------------------------------------------

    def _selected(self, now: QItemSelection, before: QItemSelection) -> None:
        self._tell()
        if self.table.hasFocus() and isinstance(self.item(), BlockCost):
            self._jump()

    def _jump(self) -> None:
        item = self.item()
        if isinstance(item, BlockCost):
            self.row_wanted.emit(item.row)
        elif item is not None and item.tool:
            self._session.filter_by(Test("tool", "==", item.tool), "only")

    def _copy(self) -> None:
        """The table as it is sorted, one line a row, columns divided by tabs."""
        assert self._rows is not None
        columns = self._rows.columns
        lines = ["\t".join(column.title for column in columns)]
        for index in self._rows.at:
            lines.append("\t".join(column.words(self._rows.items[index]).replace("\t", " ") for column in columns))
        QGuiApplication.clipboard().setText("\n".join(lines))

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Enter goes there, F2 sorts by the next column, Ctrl+C copies."""
        if watched is self.table.viewport() and event.type() == QEvent.Type.Resize:
            self._drop_columns()
        if watched is self.table and isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
            pressed = event.type() == QEvent.Type.KeyPress
            act = {Qt.Key.Key_Return: self._jump, Qt.Key.Key_Enter: self._jump, Qt.Key.Key_F2: self._sort_next}.get(Qt.Key(event.key()))
            if event.matches(QKeySequence.StandardKey.Copy):
                act = self._copy
            if act is not None:
                event.accept()
                if pressed:
                    act()
                return pressed
        return False

    def _sort_next(self) -> None:
        assert self._rows is not None
        self.sort_by((self._rows.column + 1) % len(self._rows.columns))
