"""Icons of `icons/`, drawn in a colour: what the first window needs of them (widgets/icon.py has the rest)."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtSvg import QSvgRenderer

import icons


def draw(painter: QPainter, name: str, rect: QRectF, colour: QColor) -> None:
    """Paints an icon into `rect`."""
    renderer(name, colour.name()).render(painter, rect)


@lru_cache(maxsize=256)
def renderer(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(icons.svg(name).replace("currentColor", colour).encode()))
