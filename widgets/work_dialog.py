"""A window in which one piece of work is asked for: what it does, how far it is, a way to stop it, and what came of it."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QProgressBar, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.model.state import Changed
from app.session import Session
from widgets import theme
from widgets.buttons import button
from widgets.labels import Glyph, Paragraph, TwoLines, Word
from widgets.visible import visible


class WorkDialog(QDialog):
    """Asks a question of the session (`begin`) and takes its answer (`finished_with`). Closing it, or Stop, gives it up.

    The parts: `top` for what the work is and its choices, `body` for what is looked at, one line that says how it stands, buttons.
    """

    def __init__(self, session: Session, name: str, title: str, sentence: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(title)
        self._session, self._name, self._about = session, name, ""
        self._tone = "note"
        self._sentence = Paragraph(sentence)
        self.top, self.body = QVBoxLayout(), QVBoxLayout()
        self.text = QPlainTextEdit()
        self.text.setObjectName(f"{name}.text")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("framed", "true")
        self._bar = QProgressBar()
        self._bar.setObjectName(f"{name}.progress")
        self._bar.setAccessibleName("Progress")
        self._bar.setTextVisible(False)
        self.stop = button("Stop", f"{name}.stop", "Stop: nothing is written")
        self.stop.clicked.connect(self.give_up)
        self._glyph, self._said = Glyph(16), TwoLines()
        self._said.setObjectName(f"{name}.said")
        self._left, self._right = QHBoxLayout(), QHBoxLayout()
        self.close_button = button("Close", f"{name}.close", "Close")
        self.close_button.clicked.connect(self.reject)
        self._lay_out()
        session.answered.connect(self._take)
        session.heard.connect(self._hear)
        session.changed.connect(self._look)
        self._show_busy(False)

    def explain(self, sentence: str) -> None:
        """What the work is, where a choice changes that."""
        self._sentence.put(sentence)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        column.addWidget(self._sentence)
        self.top.setSpacing(6)
        column.addLayout(self.top)
        column.addLayout(self.body, 1)
        row = QHBoxLayout()
        row.addWidget(self._bar, 1)
        row.addWidget(self.stop)
        column.addLayout(row)
        row = QHBoxLayout()
        row.addWidget(self._glyph)
        row.addWidget(self._said, 1)
        column.addLayout(row)
        row = QHBoxLayout()
        row.addLayout(self._left)
        row.addStretch(1)
        row.addWidget(self.close_button)
        row.addLayout(self._right)
        column.addLayout(row)

    def add_left(self, made: QPushButton) -> None:
        self._left.addWidget(made)

    def add_right(self, made: QPushButton) -> None:
        self._right.addWidget(made)

    # -- the work -----------------------------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        return bool(self._about)

    def begin(self, about: str, *what: Any) -> None:
        """Asks; what was asked before is no longer wanted."""
        if self._about and self._about != about:
            self._session.ask_no_more(self._about)
        self._about = about
        self._bar.setRange(0, 0)
        self._show_busy(True)
        self._session.ask(about, *what)

    def give_up(self) -> None:
        """Nobody waits for it any more."""
        if self._about:
            self._session.ask_no_more(self._about)
            self._about = ""
            self._show_busy(False)
            self.say("note", "Stopped; nothing was written.")

    def finished_with(self, about: str, answer: Any) -> None:
        """What came of it."""
        raise NotImplementedError

    def failed_with(self, text: str) -> None:
        self.say("error", text)

    def say(self, name: str, text: str) -> None:
        """How it stands: an icon (clear, note, warning, error) and words; none take it away."""
        now, self._tone = theme.current(), name
        colour = {"error": now.error, "warning": now.warning, "clear": now.green}.get(name, now.note)
        self._glyph.setVisible(bool(text))
        self._glyph.show_icon(name, colour, name)
        self._said.put(text)
        self._said.look(now.ink)

    def _show_busy(self, busy: bool) -> None:
        self._bar.setVisible(busy)
        self.stop.setVisible(busy)
        if busy:
            self.say("note", "")

    def _take(self, answer: Any) -> None:
        if answer.about != self._about or not answer.done:
            return
        about, self._about = self._about, ""
        self._show_busy(False)
        if answer.error:
            self.failed_with(answer.error)
        else:
            self.finished_with(about, answer.answer)

    def _hear(self, heard: Any) -> None:
        if heard.about == self._about and heard.fraction is not None:
            self._bar.setRange(0, 1000)
            self._bar.setValue(round(1000 * heard.fraction))

    def _look(self, state: object, changed: Changed) -> None:
        """What was asked about is not what is open any more: no answer will come."""
        if self._about and changed & Changed.TRANSCRIPT and not self._session.asking(self._about):
            self._about = ""
            self._show_busy(False)
            self.failed_with("The transcript has changed meanwhile. Start again.")

    # -- the rest -----------------------------------------------------------------------------------------------------------------

    def show_text(self, text: str, name: str, mono: bool = True) -> None:
        now = theme.current()
        self.text.setAccessibleName(name)
        self.text.setFont(now.mono if mono else now.ui)
        self.text.setPlainText(visible(text))

    def copied(self, text: str, made: QPushButton) -> None:
        """Puts a text on the clipboard; the button says so."""
        QGuiApplication.clipboard().setText(text)
        made.setText("Copied")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.say(self._tone, self._said.text())

    def reject(self) -> None:
        self._session.ask_no_more(self._about) if self._about else None
        self._about = ""
        super().reject()


def heading(text: str) -> Word:
    now = theme.current()
    made = Word(text)
    made.look(now.ink, now.ui_bold)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made
