"""A panel that is made when it is looked at for the first time: until then it costs an empty widget, and its module is not imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.model.state import Changed, State


class Kept(Protocol):
    """What is shown in the end."""

    def refresh(self, state: State, changed: Changed) -> None: ...
    def retint(self) -> None: ...


class Later(QWidget):
    """`make` gives the panel, whole and up to date; from then on it is told of every state."""

    def __init__(self, make: Callable[[], QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self.panel: Kept | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)

    def showEvent(self, event: QShowEvent) -> None:
        if self.panel is None:
            made = self._make()
            layout = self.layout()
            assert layout is not None
            layout.addWidget(made)
            self.setFocusProxy(made)
            self.panel = made  # type: ignore[assignment]
        super().showEvent(event)

    def refresh(self, state: State, changed: Changed) -> None:
        if self.panel is not None:
            self.panel.refresh(state, changed)

    def retint(self) -> None:
        if self.panel is not None:
            self.panel.retint()
