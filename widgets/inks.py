"""Words in a colour, before anything asks for Qt's own enumerations.

PySide makes the hundred enumerations of `Qt` at the first mention of one, or of a pen that is set to a colour: 35 ms, an eighth of a bare
window's start. What the first window shows (widgets/first_window.py) therefore says flags in numbers and lets the style write its words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStylePainter

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QColor, QPainter

MIDDLE_LEFT, MIDDLE_RIGHT, TOP_CENTRE = 0x81, 0x82, 0x24  # Qt.AlignmentFlag


def write(painter: QPainter, room: QRect, flags: int, text: str, ink: QColor, palette: QPalette) -> None:
    """Draws words with a QStylePainter; `palette` is the caller's copy."""
    assert isinstance(painter, QStylePainter)  # `with` says of every painter that it is a QPainter
    palette.setColor(QPalette.ColorRole.WindowText, ink)
    painter.drawItemText(room, flags, palette, True, text, QPalette.ColorRole.WindowText)
