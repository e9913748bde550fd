"""A pick-list in the looks of the program: its arrow is painted here, for a style sheet can only take one from a file of one colour."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox

from widgets import theme

ARROW = 18  # pixels at the right that the arrow has; the style sheet says the same


class Pick(QComboBox):
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        now = theme.current()
        with QPainter(self) as painter:
            painter.setFont(now.ui)
            painter.setPen(now.ink_soft if self.isEnabled() else now.border)
            painter.drawText(self.rect().adjusted(0, 0, -6, 0), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), "▾")
