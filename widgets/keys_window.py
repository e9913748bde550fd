"""Every key of the window: one table, made from the table of actions and from what regions take themselves, with a filter."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QVBoxLayout, QWidget

from widgets import theme
from widgets.actions import MENUS, TABLE
from widgets.chooser import Column, Rows
from widgets.flat_table import FlatTable
from widgets.labels import Elided
from widgets.words import counted

# keys that a region takes itself while it has the focus
REGION_KEYS = (
    ("Chart", (("↑ ↓", "The next size that the strategy can reach"), ("Shift+↑ ↓", "One percent"),
               ("Home End", "Take nothing; take all that can be taken"), ("0 … 9", "Type a budget: 60000, 60k, 1.5m"),
               ("← →", "One request"), ("Ctrl+← →", "One exchange"), ("K", "Two tones, or every kind of block"),
               ("R", "Sizes of the shown strategy, or of all side by side"),
               ("W", "The model's window less the answer"), ("Alt+← →", "Move the cut freely, request by request: what it would break"),
               ("Alt+drag", "Move the cut freely; let go, it snaps to the nearest seam"), ("Esc", "Back to where the drag began"))),
    ("List", (("↑ ↓", "One row"), ("→ ←", "Open, fold"), ("Return", "Open or fold"), ("Home End", "First, last row"),
              ("Page Up, Page Down", "A screen"), ("1 2 3", "Exchanges, steps, blocks"), ("B held", "The file as it is"),
              ("Ctrl+C", "Copy the text of the row"), ("Menu, Shift+F10", "What can be done with the row"))),
    ("Findings and changes", (("→ ←", "Open, fold a cause"), ("Return", "Go to the block"), ("Space", "Take a step out, put it in"))),
    ("Plan table", (("↑ ↓", "Show the next strategy"), ("Page Up, Page Down", "The first, the last"))),
    ("Lists to choose from", (("F2", "Sort by the next column"), ("Shift+F2", "Sort the other way"), ("Return", "Choose"))),
)  # fmt: skip


class Key(NamedTuple):
    """One line of the page."""

    keys: str
    what: str
    where: str
    why: str = ""


COLUMNS = (
    Column("Keys", "what to press", lambda key: key.keys, lambda key: key.keys, "Page Up, Page Down, and", down=False),
    Column("What it does", "the action", lambda key: f"{key.what}{f' — {key.why}' if key.why else ''}", lambda key: key.what, down=False),
    Column("Where", "the menu that it stands in, or the part of the window that it is a key of", lambda key: key.where,
           lambda key: key.where, "Findings and changes", down=False, tone=lambda key: "soft"),
)  # fmt: skip


def all_keys() -> list[Key]:
    """Every key of the window, menu by menu, then those of the regions."""
    found = []
    for menu in MENUS:
        for row in TABLE:
            if row.menu.split("/")[0] == menu and row.keys:
                said = ", ".join(QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in row.keys.split())
                found.append(Key(said, row.text.replace("&", "").rstrip("…"), row.menu.replace("/", " › "), row.tip))
    return found + [Key(keys, what, region) for region, keys_of in REGION_KEYS for keys, what in keys_of]


class KeysWindow(QDialog):
    """A table that a filter narrows; the arrows go through it while one types."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("keysWindow")
        self.setWindowTitle("Keys")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = QLineEdit()
        self.field.setObjectName("keysWindow.filter")
        self.field.setAccessibleName("Filter the keys")
        self.field.setPlaceholderText("Filter: a key, an action, a part of the window")
        self.field.setToolTip("Only the lines that hold all these words")
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.rows = Rows(COLUMNS, self)
        self.table = FlatTable()
        self.table.setObjectName("keysWindow.table")
        self.table.setAccessibleName("Keys of the window")
        self.table.setModel(self.rows)
        self.table.setFont(theme.current().ui)
        self.table.set_row_height(theme.current().row_height)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        for number, column in enumerate(COLUMNS):
            wide = self.table.fontMetrics().horizontalAdvance(column.wide) + 20
            header.setSectionResizeMode(number, QHeaderView.ResizeMode.Interactive if column.wide else QHeaderView.ResizeMode.Stretch)
            self.table.setColumnWidth(number, wide)
        self.said = Elided()
        self.said.look(theme.current().ink_soft)
        column_of = QVBoxLayout(self)
        column_of.setContentsMargins(16, 14, 16, 12)
        column_of.setSpacing(8)
        column_of.addWidget(self.field)
        column_of.addWidget(self.table, 1)
        column_of.addWidget(self.said)
        self._keys = all_keys()
        self.rows.column = -1  # as they come: menu by menu
        self._put("")
        self.resize(theme.measure(820, 620))
        self.field.setFocus()

    def _filter(self, words: str) -> None:
        self._put(words)

    def _put(self, words: str) -> None:
        asked = words.lower().split()
        kept = [key for key in self._keys if all(word in f"{key.keys} {key.what} {key.where} {key.why}".lower() for word in asked)]
        self.rows.beginResetModel()
        self.rows.items, self.rows.at = kept, list(range(len(kept)))
        self.rows.endResetModel()
        self.table.settle()
        self.table.go(0)
        self.said.setText(f"{counted(len(kept), 'line')}; Ctrl+Shift+P runs any of the actions by name")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        moves = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in moves:
            self.table.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)


def keys_window(parent: QWidget) -> KeysWindow:
    return KeysWindow(parent)
