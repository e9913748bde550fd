"""A slim bar to look for something within one block: a field, how many times it stands there, to the next and back."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from widgets import theme
from widgets.buttons import button
from widgets.labels import Word, paper
from widgets.words import full

PAUSE = 120  # ms after the last key before a block is looked through


class FindBar(QWidget):
    """Facts: `asked(text)`; `stepped(+1 or -1)`; `left()`: it was closed."""

    asked = Signal(str)
    stepped = Signal(int)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("blockViewer.find")
        self.field = QLineEdit()
        self.field.setObjectName("blockViewer.find.field")
        self.field.setAccessibleName("Find in this block")
        self.field.setPlaceholderText("Find in this block")
        self.field.setToolTip("Words of this block; Return goes to the next place, Shift+Return to the one before")
        self.field.setMaxLength(1_000)
        self.field.setAcceptDrops(False)
        self.count = Word()
        self.count.setObjectName("blockViewer.find.count")
        self._before = button("◂", "blockViewer.find.before", "The place before (Shift+Enter)", "flat")
        self._next = button("▸", "blockViewer.find.next", "The next place (Enter)", "flat")
        self._close = button("✕", "blockViewer.find.close", "Close the search (Esc)", "flat")
        for made in (self._before, self._next, self._close):
            made.setToolTip(made.accessibleName())
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._ask)
        self._asked = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 3, 8, 3)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        for part in (self.count, self._before, self._next, self._close):
            row.addWidget(part)
        self.field.textChanged.connect(lambda _: self._pause.start())
        self._before.clicked.connect(lambda: self.stepped.emit(-1))
        self._next.clicked.connect(lambda: self.stepped.emit(1))
        self._close.clicked.connect(self.leave)
        self.field.installEventFilter(self)
        self.retint()
        self.hide()

    def open(self, words: str = "") -> None:
        """Shows itself; `words`: what was marked in the block."""
        self.show()
        if words:
            self.field.setText(words)
        self.field.selectAll()
        self.field.setFocus()

    def leave(self) -> None:
        self._pause.stop()
        self._asked = ""
        self.hide()
        self.asked.emit("")
        self.left.emit()

    def _ask(self) -> None:
        self._pause.stop()
        self._asked = self.field.text()
        self.asked.emit(self._asked)

    def tell(self, hit: int, total: int, done: bool, more: bool = False) -> None:
        """`3 of 17`, `none`; with `…` while it is still looked through."""
        words = ""
        if self._asked:
            many = f"{full(total)}{'+' if more else '' if done else '…'}"
            words = (f"{full(hit + 1)} of {many}" if hit >= 0 else many) if total else ("none" if done else "…")
        self.count.setText(words)
        self.count.look(theme.current().warning if words == "none" else theme.current().ink_soft)
        self.field.setAccessibleDescription(words)
        for made in (self._before, self._next):
            made.setEnabled(total > 0)

    def retint(self) -> None:
        paper(self, theme.current().paper_alt)
        self.count.look(theme.current().ink_soft)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) and isinstance(event, QKeyEvent):
            key = event.key()
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
                event.accept()  # while the field has the focus these are not the window's
                if event.type() == QEvent.Type.KeyPress:
                    self._pressed(key, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
                return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _pressed(self, key: int, back: bool) -> None:
        if key == Qt.Key.Key_Escape:
            self.leave()
        elif self._pause.isActive():
            self._ask()
        else:
            self.stepped.emit(-1 if back else 1)
