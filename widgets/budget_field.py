"""The field of the budget: a number of tokens as people write it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QValidator
from PySide6.QtWidgets import QSpinBox, QWidget

from widgets import theme
from widgets.chart_keys import budget_of
from widgets.labels import plain


class Budget(QSpinBox):
    """A spin box without arrows: up, down and the wheel do what they would. A style sheet leaves its field no room, so it is laid here.

    What is typed may be `22.1k` or `1.5M`. Anything else is refused where it stands, in a red frame, and changes nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
        self.refused = ""  # what was typed and is no budget
        self._tip = ""
        self.lineEdit().textChanged.connect(self._typed)

    def say(self, tip: str) -> None:
        """The tooltip while nothing is refused."""
        self._tip = tip
        if not self.refused:
            self.setToolTip(plain(tip))

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:  # type: ignore[override]
        found = budget_of(text)
        good = found is not None and self.minimum() <= found <= self.maximum()
        return (QValidator.State.Acceptable if good else QValidator.State.Intermediate), text, at

    def valueFromText(self, text: str) -> int:
        found = budget_of(text)
        return self.value() if found is None else found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._refuse():
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._refuse():  # Qt would put the last number in place of what is there, and say nothing
            QWidget.focusOutEvent(self, event)
            return
        super().focusOutEvent(event)

    def _refuse(self) -> bool:
        text = self.lineEdit().text()
        if budget_of(text) is not None:
            return False
        self._show_refused(text)
        return True

    def _typed(self, text: str) -> None:
        if self.refused and text != self.refused:
            self._show_refused("")

    def _show_refused(self, text: str) -> None:
        self.refused = text or ""
        words = f"“{text}” is no budget: write 60000, 60,000, 22.1k or 1.5M" if text else ""
        self.setStyleSheet(f"QSpinBox {{ border: 1px solid {theme.current().error.name()}; }}" if text else "")
        self.setToolTip(plain(words or self._tip))
        self.setAccessibleDescription(words)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.StyleChange, QEvent.Type.Polish):
            self.lineEdit().setGeometry(self.rect().adjusted(5, 2, -5, -2))
        return done
