"""Icons of `icons/`, drawn in a colour: what the first window needs of them (widgets/icon.py has the rest)."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtSvg import QSvgRenderer

import icons


def draw(painter: QPainter, name: str, rect: QRectF, colour: QColor) -> None:
    """Paints an icon into `rect`."""
    renderer(name, colour.name()).render(painter, rect)


@lru_cache(maxsize=256)
def renderer(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(icons.svg(name).replace("currentColor", colour).encode()))


def frame(painter: QPainter, room: QRect, edge: QColor, ground: QColor) -> None:
    """Paints a round frame of dashes just inside `room`; as a picture, for a pen would want what widgets/inks.py avoids."""
    wide, high = room.width(), room.height()
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"><rect x="1" y="1" width="{wide - 2}" height="{high - 2}" '
        f'rx="8" ry="8" fill="{ground.name()}" stroke="{edge.name()}" stroke-width="1.5" stroke-dasharray="6 3" stroke-linecap="square" '
        'stroke-linejoin="bevel"/></svg>'
    )
    QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(room))
