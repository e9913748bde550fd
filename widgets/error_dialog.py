"""The provider's error, pasted: what it speaks of, a place an entry; going to one leaves the window open beside the transcript."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.model.explained import Explained
from app.model.state import Changed, State
from widgets import theme
from widgets.buttons import button
from widgets.error_words import ASKING, EMPTY, aside, entries, headline
from widgets.labels import Glyph, TwoLines, Word
from widgets.lines import LineList
from widgets.visible import visible

TOP = 104  # pixels below the upper edge of the window: under its strip
PAUSE = 200  # ms after the last key before the text is looked at
LONGEST = 400_000  # characters that are taken from the clipboard
NEEDS = Changed.DUMP | Changed.TRANSCRIPT | Changed.FINDINGS | Changed.TARGET
GLYPHS = {"error": "refusal", "warning": "warning", "note": "note"}


class ErrorDialog(QDialog):
    """Facts: `asked(text)`: what does this speak of; `place_wanted(row, rule)`: go there. `show_told` puts the answer."""

    asked = Signal(str)
    place_wanted = Signal(int, str)

    def __init__(self, state: State, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("errorDialog")
        self.setWindowTitle("The provider's error")
        self.setModal(False)
        self._state = state
        self._told: Explained | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self.ask)
        self._title = Word("What the provider said")
        self.text = QPlainTextEdit()
        self.text.setObjectName("errorDialog.text")
        self.text.setAccessibleName("What the provider said")
        self.text.setPlaceholderText(EMPTY)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("framed", "true")
        self.text.setFixedHeight(92)
        self.text.textChanged.connect(self._changed)
        self._glyph = Glyph(16)
        self._said, self._aside = TwoLines(), TwoLines()
        self._said.setObjectName("errorDialog.said")
        self._aside.setObjectName("errorDialog.aside")
        self.list = LineList("errorDialog.candidates", "What it may speak of, the likeliest first")
        self.list.opened.connect(self._go_to)
        self.list.current.connect(lambda value: self._offer())
        self.paste = button("Paste", "errorDialog.paste", "Put in what the clipboard holds")
        self.paste.clicked.connect(self.take_clipboard)
        self.go = button("Go to it", "errorDialog.go", "Go to the block of the entry that is chosen", "primary")
        self.go.setDefault(True)
        self.go.clicked.connect(self._go)
        self._close = button("Close", "errorDialog.close", "Close")
        self._close.clicked.connect(self.close)
        self._lay_out()
        self.resize(theme.measure(560, 430))
        self.retint()
        self._show()

    def _lay_out(self) -> None:
        said = QHBoxLayout()
        said.setSpacing(8)
        said.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._said)
        words.addWidget(self._aside)
        said.addLayout(words, 1)
        row = QHBoxLayout()
        row.addWidget(self.paste)
        row.addStretch(1)
        row.addWidget(self._close)
        row.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(self.text)
        column.addLayout(said)
        column.addWidget(self.list, 1)
        column.addLayout(row)

    # -- the text -----------------------------------------------------------------------------------------------------------------

    def put(self, text: str) -> None:
        """Puts a text in and asks at once; what is there is replaced."""
        self.text.setPlainText(visible(text[:LONGEST]))
        self.text.selectAll()
        self.ask()

    def take_clipboard(self) -> None:
        self.put(QGuiApplication.clipboard().text())
        self.text.setFocus()

    def _changed(self) -> None:
        self._told = None
        self._pause.start()
        self._show()

    def ask(self) -> None:
        """Asks what the text speaks of, where there is one."""
        self._pause.stop()
        text = self.text.toPlainText()
        if text.strip():
            self.asked.emit(text)
        self._show()

    # -- the answer ---------------------------------------------------------------------------------------------------------------

    def show_told(self, text: str, found: Explained) -> None:
        """An answer; one about another text is of the past."""
        if text != self.text.toPlainText():
            return
        self._told = found
        self.list.put(entries(found, self._state))
        if self.list.lines.lines:
            self.list.selectRow(0)
        self._show()

    def refresh(self, state: State, changed: Changed) -> None:
        """Another transcript, other findings: the same text may speak of something else."""
        self._state = state
        if changed & NEEDS and self.text.toPlainText().strip():
            self._pause.start()

    def retint(self) -> None:
        now = theme.current()
        self._title.look(now.ink, now.ui_bold)
        self._said.look(now.ink)
        self._aside.look(now.ink_soft)
        self.text.setFont(now.mono)
        self._show()

    def _show(self) -> None:
        found, empty = self._told, not self.text.toPlainText().strip()
        tone, said = headline(found) if found is not None else ("note", "" if empty else ASKING)
        now = theme.current()
        self._said.put(said)
        self._aside.put(aside(found, self.text.toPlainText()) if found is not None else "")
        self._glyph.show_icon(GLYPHS[tone], now.severity(tone), tone)
        self._glyph.setVisible(found is not None)
        if found is None:
            self.list.put([])
        self.setAccessibleDescription(said or EMPTY)
        self._offer()

    def _offer(self) -> None:
        line = self.list.line
        self.go.setEnabled(line is not None and line.value[0] >= 0)

    def _go(self) -> None:
        if self.list.line is not None:
            self._go_to(self.list.line.value)

    def _go_to(self, value: object) -> None:
        row, rule = value if isinstance(value, tuple) else (-1, "")
        if row >= 0:
            self.place_wanted.emit(row, rule)

    def stand_beside(self, window: QWidget) -> None:
        """At the upper right of a window, so that its list, and the block with its finding, stay in view."""
        corner = window.mapToGlobal(QPoint(window.width() - self.width() - 24, TOP))
        self.move(max(0, corner.x()), max(0, corner.y()))
