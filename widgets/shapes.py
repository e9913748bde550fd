"""The small shapes of the list: kinds, outcomes, pips, severities and acts. Drawn by us, since fonts differ in which of them they have.

Each shape is drawn in a square of 16 units and kept as a picture for a size, a colour and a scale.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPainterPathStroker, QPen, QPixmap, QPolygonF

UNITS = 16.0


def paint(painter: QPainter, name: str, x: float, y: float, size: float, colour: QColor) -> None:
    """Paints a shape with its upper left corner at x, y."""
    device = painter.device()
    painter.drawPixmap(QPointF(x, y), picture(name, size, colour.rgba(), device.devicePixelRatioF() if device else 1.0))


@lru_cache(maxsize=1024)
def picture(name: str, size: float, rgba: int, scale: float) -> QPixmap:
    """A shape as a picture of `size` device-independent pixels. Raises KeyError for a name that is not here."""
    draw = _SHAPES[name]
    pixmap = QPixmap(math.ceil(size * scale), math.ceil(size * scale))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(size / UNITS, size / UNITS)
        draw(painter, QColor.fromRgba(rgba))
    return pixmap


@lru_cache(maxsize=512)
def chip(text: str, size: int, rgba: int, font: QFont, scale: float) -> QPixmap:
    """A number in a ring, for a call and its result."""
    width = size if len(text) < 2 else size + 5 * (len(text) - 1)
    pixmap = QPixmap(math.ceil(width * scale), math.ceil(size * scale))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor.fromRgba(rgba), 1))
        rect = QRectF(0.5, 0.5, width - 1, size - 1)
        painter.drawRoundedRect(rect, size / 2 - 0.5, size / 2 - 0.5)
        small = QFont(font)
        small.setPixelSize(max(8, size - 5))
        painter.setFont(small)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
    return pixmap


def names() -> list[str]:
    """All shapes."""
    return sorted(_SHAPES)


def _polygon(*points: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points])


def _filled(*points: tuple[float, float]) -> Callable[[QPainter, QColor], None]:
    def draw(painter: QPainter, colour: QColor) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(_polygon(*points))

    return draw


def _lines(*strokes: tuple[tuple[float, float], ...], width: float = 2.0, dash: bool = False) -> Callable[[QPainter, QColor], None]:
    def draw(painter: QPainter, colour: QColor) -> None:
        pen = QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.MiterJoin)
        if dash:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([1.3, 1.1])
        painter.setPen(pen)
        for stroke in strokes:
            painter.drawPolyline(_polygon(*stroke))

    return draw


def _disc(radius: float, fill: bool = True, width: float = 2.0) -> Callable[[QPainter, QColor], None]:
    def draw(painter: QPainter, colour: QColor) -> None:
        painter.setPen(Qt.PenStyle.NoPen if fill else QPen(colour, width))
        painter.setBrush(colour if fill else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(8, 8), radius, radius)

    return draw


def _both(*parts: Callable[[QPainter, QColor], None]) -> Callable[[QPainter, QColor], None]:
    def draw(painter: QPainter, colour: QColor) -> None:
        for part in parts:
            part(painter, colour)

    return draw


def _half(painter: QPainter, colour: QColor) -> None:
    _disc(5.5, fill=False)(painter, colour)
    path = QPainterPath(QPointF(8, 2.5))
    path.arcTo(QRectF(2.5, 2.5, 11, 11), 90, 180)
    path.closeSubpath()
    painter.fillPath(path, colour)


def _cut_out(outline: QPolygonF, mark: QPainterPath) -> Callable[[QPainter, QColor], None]:
    """A filled shape with a mark left free in it, so that it stands on any paper."""

    def draw(painter: QPainter, colour: QColor) -> None:
        path = QPainterPath()
        path.addPolygon(outline)
        path.closeSubpath()
        painter.fillPath(path.subtracted(mark), colour)

    return draw


def _cross_mark() -> QPainterPath:
    path = QPainterPath()
    for a, b in (((5.2, 5.2), (10.8, 10.8)), ((10.8, 5.2), (5.2, 10.8))):
        path.moveTo(*a)
        path.lineTo(*b)
    stroker = QPainterPathStroker()
    stroker.setWidth(2.0)
    return stroker.createStroke(path).simplified()


def _alarm_mark() -> QPainterPath:
    path = QPainterPath()
    path.addRect(QRectF(7.1, 5.4, 1.8, 4.6))
    path.addRect(QRectF(7.1, 11.2, 1.8, 1.8))
    return path


_OCTAGON = _polygon((5, 1), (11, 1), (15, 5), (15, 11), (11, 15), (5, 15), (1, 11), (1, 5))
_FRAME = _lines(((2.5, 2.5), (13.5, 2.5), (13.5, 13.5), (2.5, 13.5), (2.5, 2.5)), width=1.7)
_ARC = ((13.4, 6.4), (11.6, 3.6), (8, 2.6), (4.2, 4), (2.6, 8), (4.2, 12), (8, 13.4), (12, 11.6))
_TRIANGLE = _polygon((8, 1), (15.5, 14.8), (0.5, 14.8))

_SHAPES: dict[str, Callable[[QPainter, QColor], None]] = {
    # what opens and closes
    "closed": _filled((5, 3.5), (11.5, 8), (5, 12.5)),
    "opened": _filled((3.5, 5), (12.5, 5), (8, 11.5)),
    # kinds
    "square": _filled((2, 2), (14, 2), (14, 14), (2, 14)),
    "dot": _disc(5.5),
    "diamond": _filled((8, 1.2), (14.8, 8), (8, 14.8), (1.2, 8)),
    "call": _filled((2.5, 1.8), (14.5, 8), (2.5, 14.2)),
    "result": _filled((13.5, 1.8), (1.5, 8), (13.5, 14.2)),
    "media": _both(_FRAME, _filled((5.4, 5.4), (10.6, 5.4), (10.6, 10.6), (5.4, 10.6))),
    "box": _FRAME,
    # outcomes
    "check": _lines(((2.5, 8.5), (6.3, 12.3), (13.5, 4)), width=2.2),
    "cross": _lines(((3.5, 3.5), (12.5, 12.5)), ((12.5, 3.5), (3.5, 12.5)), width=2.2),
    "dots": _both(*(_filled((x, 9), (x + 2.4, 9), (x + 2.4, 11.4), (x, 11.4)) for x in (1.8, 6.8, 11.8))),
    "bolt": _lines(((9.5, 1.8), (4.5, 8.4), (11, 7.6), (6.5, 14.2)), width=1.8),
    "wall": _both(_lines(((8, 2), (8, 10)), ((3, 14), (13, 14)), width=2.0), _filled((3.6, 6.5), (12.4, 6.5), (8, 11.8))),
    "refused": _both(_disc(6, fill=False, width=1.9), _lines(((4, 12), (12, 4)), width=1.9)),
    # pips
    "ring": _disc(5.0, fill=False, width=2.2),
    "half": _half,
    "hollow": _lines(((13, 2.6), (2.6, 8), (13, 13.4), (13, 2.6)), width=2.0),
    "double": _both(_disc(3.4), _disc(6.4, fill=False, width=1.5)),
    # severities
    "error": _cut_out(_OCTAGON, _cross_mark()),
    "warning": _cut_out(_TRIANGLE, _alarm_mark()),
    "note": _disc(4.6),
    # acts
    "plus": _lines(((8, 2.5), (8, 13.5)), ((2.5, 8), (13.5, 8)), width=2.4),
    "stub": _lines(((1.5, 4), (14.5, 4), (14.5, 12), (1.5, 12), (1.5, 4)), width=1.8, dash=True),
    "cap": _both(_lines(((2, 3), (14, 3), (14, 13), (2, 13), (2, 3)), width=1.6), _filled((2, 3), (8, 3), (8, 13), (2, 13))),
    "summary": _lines(((2.5, 4), (13.5, 4)), ((2.5, 8), (13.5, 8)), ((2.5, 12), (13.5, 12)), width=1.9),
    "moved": _lines(((2, 5), (14, 5)), ((11, 2), (14, 5), (11, 8)), ((14, 11), (2, 11)), ((5, 8), (2, 11), (5, 14)), width=1.6),
    "changed": _lines(((2.5, 13.5), (3.5, 9.8), (11, 2.3), (13.7, 5), (6.2, 12.5), (2.5, 13.5)), width=1.6),
    "pin": _both(_filled((5, 1.5), (11, 1.5), (10.2, 7), (13, 9.8), (3, 9.8), (5.8, 7)), _lines(((8, 9.8), (8, 15)), width=1.8)),
    "again": _lines(_ARC, ((13.6, 2.6), (13.4, 6.6), (9.6, 6)), width=1.7),
    "up": _lines(((8, 14), (8, 3)), ((4, 7), (8, 2.5), (12, 7)), width=1.9),
    "down": _lines(((8, 2), (8, 13)), ((4, 9), (8, 13.5), (12, 9)), width=1.9),
}  # fmt: skip
