"""One line that offers the pins which lie beside the dump."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.model.pins import Aside as Pins
from widgets.buttons import button
from widgets.labels import Elided
from widgets.words import counted


class Aside(QWidget):
    """`answered`: whether a person takes them."""

    answered = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("pinsAside")
        self.words = Elided("")
        self.take = button("Use them", "pinsAside.take", "Use the pins that are kept beside the dump", "link")
        self.leave = button("Leave them", "pinsAside.leave", "Go on without the pins that are kept beside the dump", "link")
        self.take.clicked.connect(lambda: self.answered.emit(True))
        self.leave.clicked.connect(lambda: self.answered.emit(False))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(10)
        row.addWidget(self.words, 1)
        row.addWidget(self.take)
        row.addWidget(self.leave)
        self.hide()

    def show_pins(self, found: Pins | None) -> None:
        if (found is None) != self.isHidden():
            self.setVisible(found is not None)
        if found is None:
            return
        gone = f"; {counted(found.missing, 'further one')} no longer {'has its' if found.missing == 1 else 'have their'} place"
        self.words.setText(f"{counted(found.count, 'pin')} kept beside this dump" + (gone if found.missing else ""))
