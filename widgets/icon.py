"""Icons of `icons/`, tinted by the theme and drawn at every size and scale that is asked for."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap

from widgets.svg import draw, renderer

__all__ = ["draw", "icon", "pixmap"]


def icon(name: str, colour: QColor | None = None, disabled: QColor | None = None) -> QIcon:
    """An icon in `colour` (None: the colours that its file has)."""
    return QIcon(_Engine(name, colour, disabled or colour))


def pixmap(name: str, size: int, colour: QColor, scale: float = 1.0) -> QPixmap:
    """A picture of `size` device-independent pixels for a screen of that scale."""
    picture = QPixmap(round(size * scale), round(size * scale))
    picture.setDevicePixelRatio(scale)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        draw(painter, name, QRectF(0, 0, size, size), colour)
    return picture


class _Engine(QIconEngine):
    """Renders the SVG anew for each size, so that nothing is ever scaled up."""

    def __init__(self, name: str, colour: QColor | None, disabled: QColor | None) -> None:
        super().__init__()
        self._name, self._colour, self._disabled = name, colour, disabled

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        colour = self._disabled if mode == QIcon.Mode.Disabled else self._colour
        renderer(self._name, colour.name() if colour else "").render(painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        return picture

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._colour, self._disabled)
