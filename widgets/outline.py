"""The strip at the right edge of the list: the whole of it in one look, and the scroll bar.

Errors are long red ticks, warnings short amber ones at the right, what is looked for short yellow ones at the left, walls dashed lines,
the cut a blue one; the lit part is what is in view.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollBar, QWidget

from app.model.table import Ints
from widgets.theme import current

WIDTH = 10


def _none() -> Ints:
    return np.empty(0, np.int64)


@dataclass(eq=False)
class Places:
    """Rows of the list where something stands, and how many rows there are."""

    rows: int = 0
    errors: Ints = field(default_factory=_none)
    warnings: Ints = field(default_factory=_none)
    walls: Ints = field(default_factory=_none)
    hits: Ints = field(default_factory=_none)  # of a filter
    selected: int = -1
    cut: int = -1


class Outline(QScrollBar):
    """A scroll bar that shows where things are. `places` is asked when it paints; it may answer with what it kept."""

    def __init__(self, places: Callable[[], Places], parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._places = places
        self.setObjectName("outline")
        self.setAccessibleName("Outline of the list")
        self.setFixedWidth(WIDTH)
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, super().sizeHint().height())

    def spans(self) -> tuple[float, float]:
        """Upper and lower edge of what is in view, in pixels."""
        whole = self.maximum() - self.minimum() + self.pageStep()
        scale = self._scale()
        upper = (self.value() - self.minimum()) / whole * scale if whole else 0.0
        height = self.pageStep() / whole * scale if whole else scale
        return upper, max(upper + min(height, scale), upper + 8)

    def _scale(self) -> float:
        """Pixels of the strip that stand for the whole list: fewer than all of it where the list is shorter than the window."""
        return float(self.height())

    # -- painting --------------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, places = current(), self._places()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.paper_alt)
            painter.fillRect(0, 0, 1, self.height(), theme.rule_line)
            if self.maximum() > self.minimum():
                upper, lower = self.spans()
                colour = QColor(theme.blue)
                colour.setAlphaF(0.28)
                painter.fillRect(QRectF(1, upper, self.width() - 1, lower - upper), colour)
            if not places.rows:
                return
            rows = max(places.rows, 1)
            scale = self._scale() if self.maximum() > self.minimum() else min(self._scale(), rows * float(theme.row_height))
            self._walls(painter, places, scale / rows, theme.ink_soft)
            self._ticks(painter, places.hits, scale / rows, theme.hit, 1, 2, self.width() // 2)
            self._ticks(painter, places.warnings, scale / rows, theme.warning, self.width() // 2, 2)
            self._ticks(painter, places.errors, scale / rows, theme.error, 1, 3)
            for row, colour in ((places.cut, theme.blue), (places.selected, theme.ink)):
                if row >= 0:
                    painter.fillRect(QRectF(1, round((row + (row == places.selected) * 0.5) * scale / rows), self.width() - 1, 2), colour)

    def _ticks(self, painter: QPainter, at: Ints, scale: float, colour: QColor, left: int, thick: int, right: int = 0) -> None:
        if len(at):
            ys = ((at + 0.5) * scale).astype(np.int64)
            for y in ys[np.concatenate([[True], ys[1:] != ys[:-1]])].tolist():
                painter.fillRect(left, y - 1, self.width() - left - right, thick, colour)

    def _walls(self, painter: QPainter, places: Places, scale: float, colour: QColor) -> None:
        pen = QPen(colour, 1)
        pen.setDashPattern([2, 1])
        painter.setPen(pen)
        for y in np.unique((places.walls * scale).astype(np.int64)).tolist():
            painter.drawLine(1, y, self.width(), y)

    # -- the mouse: where it points is in the middle of what is in view -----------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._go(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position().y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setSliderDown(False)

    def _go(self, y: float) -> None:
        whole = self.maximum() - self.minimum() + self.pageStep()
        self.setValue(self.minimum() + round(y / max(1, self.height()) * whole - self.pageStep() / 2))
