"""The real result of a call: typed, pasted, or taken from elsewhere in the dump; it is looked at before it is made."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.model.errors import InspectorError
from app.model.open_call import OpenCall
from app.session import Session
from widgets import theme
from widgets.buttons import button
from widgets.labels import Elided, Word
from widgets.pick import Pick
from widgets.visible import line
from widgets.words import counted

TYPED = "typed or pasted by hand"


class RealResultDialog(QDialog):
    """Fact: `wanted(text, error, origin)`."""

    wanted = Signal(str, bool, str)

    def __init__(self, session: Session, waits: OpenCall, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("realResultDialog")
        self.setWindowTitle("The real result")
        self._session, self.waits = session, waits
        now = theme.current()
        title = Elided(f"What {line(waits.name, 60) or 'the tool'} really answered")
        title.look(now.ink, now.ui_bold)
        told = Elided(f"It goes where the result of {line(waits.id, 60) or 'the call'} belongs, as these words and nothing else.")
        told.look(now.ink_soft)
        self.source = Pick()
        self.source.setObjectName("realResultDialog.source")
        self.source.setAccessibleName("Where the result comes from")
        self.source.addItem("Type or paste it")
        for found in waits.elsewhere:
            self.source.addItem(f"Recorded {line(found.where, 80)}, {self._size(found.row)}")
        self.source.setVisible(bool(waits.elsewhere))
        self.text = QPlainTextEdit()
        self.text.setObjectName("realResultDialog.text")
        self.text.setAccessibleName("The result's text")
        self.text.setPlaceholderText("Paste what the tool printed, from a log or from running it again")
        self.text.setTabChangesFocus(True)
        self.text.setProperty("framed", "true")
        self.text.setFont(now.mono)
        self.error = QCheckBox("The tool reported an error")
        self.error.setObjectName("realResultDialog.error")
        self.problem = Word()
        self.problem.setObjectName("realResultDialog.problem")
        self.problem.look(now.error)
        cancel = button("Cancel", "realResultDialog.cancel", "Cancel")
        cancel.clicked.connect(self.reject)
        self.preview = button("Preview", "realResultDialog.preview", "Look at the change before it is made", "primary")
        self.preview.setDefault(True)
        self.preview.clicked.connect(self._done)
        self.preview.setToolTip("Look at the change before it is made (Ctrl+Return)")
        for keys in ("Ctrl+Return", "Ctrl+Enter"):  # Return alone is a line break of the text
            QShortcut(QKeySequence(keys), self, self.preview.click)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(6)
        for widget in (title, told, self.source):
            column.addWidget(widget)
        column.addWidget(self.text, 1)
        row = QHBoxLayout()
        row.addWidget(self.error)
        row.addWidget(self.problem)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.preview)
        column.addLayout(row)
        self.source.currentIndexChanged.connect(self._chosen)
        self.text.textChanged.connect(self._offer)
        self.resize(theme.measure(560, 360))
        if waits.elsewhere:
            self.source.setCurrentIndex(1)
        self._offer()
        self.text.setFocus()

    def _size(self, row: int) -> str:
        try:
            return counted(len(self._session.recorded(row).text), "character")
        except InspectorError:
            return "unreadable"

    def _chosen(self, index: int) -> None:
        """The words of a recorded result; they may be changed before they are used."""
        self.problem.setText("")
        if index <= 0:
            return
        try:
            block = self._session.recorded(self.waits.elsewhere[index - 1].row)
        except InspectorError as error:
            self.problem.setText(line(str(error), 200))
            return
        self.text.setPlainText(block.text)
        self.error.setChecked(block.error)

    def _offer(self) -> None:
        self.preview.setEnabled(bool(self.text.toPlainText().strip()))

    def _done(self) -> None:
        index = self.source.currentIndex()
        words = self.text.toPlainText()
        origin = TYPED
        if index > 0:
            found = self.waits.elsewhere[index - 1]
            same = words == self._session.recorded(found.row).text.replace("\r\n", "\n")
            origin = f"recorded {found.where}" if same else f"recorded {found.where}, changed by hand"
        self.wanted.emit(words, self.error.isChecked(), origin)
        self.accept()
