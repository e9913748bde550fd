"""Where a provider's error is asked about: one dialog at most, what it asks handed to the session, the answer handed back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QGuiApplication

from app.model.state import Changed, State
from widgets.actions import whole
from widgets.error_dialog import ErrorDialog

if TYPE_CHECKING:
    from widgets.main_window import MainWindow

NOTHING_OPEN = "This looks like a provider's error. Open the transcript that it refused, then paste the error again"


class ErrorDesk:
    """`dialog` is None while it is closed."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._session = window, window.session
        self.dialog: ErrorDialog | None = None

    def open(self) -> None:
        """The dialog, with what the clipboard holds where that is an error, else with what stood there."""
        text = QGuiApplication.clipboard().text()
        before = self.dialog.text.toPlainText() if self.dialog is not None else ""
        self.show(text if self._session.is_error(text) else before)

    def show(self, text: str) -> None:
        """What an error speaks of, in a window of its own beside this one."""
        if not whole(self._session.state):
            self._window.fail(NOTHING_OPEN)
            return
        dialog = self.dialog or self._made()
        dialog.put(text)
        dialog.raise_()
        dialog.activateWindow()
        dialog.text.setFocus()

    def _made(self) -> ErrorDialog:
        dialog = self.dialog = ErrorDialog(self._session.state, self._window)
        dialog.asked.connect(self._session.explain)
        dialog.place_wanted.connect(self._window.show_finding)
        dialog.finished.connect(self._done)
        dialog.show()
        dialog.stand_beside(self._window)
        return dialog

    def _done(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
        self.dialog = None

    def told(self, answer: Any) -> None:
        """What the session found out: `answer.text` and `answer.explained`."""
        if self.dialog is not None:
            self.dialog.show_told(answer.text, answer.explained)

    def refresh(self, state: State, changed: Changed) -> None:
        if self.dialog is not None:
            self.dialog.refresh(state, changed)

    def retint(self) -> None:
        if self.dialog is not None:
            self.dialog.retint()
