"""Real mouse events for a pyqtgraph scene: QTest's own drags do not reach it with the buttons held."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


def send(widget: QWidget, what: QEvent.Type, x: float, y: float, button: Qt.MouseButton = NONE, held: Qt.MouseButton = NONE) -> None:
    at = QPointF(x, y)
    QApplication.sendEvent(widget, QMouseEvent(what, at, widget.mapToGlobal(at), button, held, Qt.KeyboardModifier.NoModifier))


def hover(widget: QWidget, x: float, y: float) -> None:
    send(widget, QEvent.Type.MouseMove, x, y)


def press(widget: QWidget, x: float, y: float) -> None:
    hover(widget, x, y)
    send(widget, QEvent.Type.MouseButtonPress, x, y, LEFT, LEFT)


def move(widget: QWidget, x: float, y: float) -> None:
    send(widget, QEvent.Type.MouseMove, x, y, NONE, LEFT)


def release(widget: QWidget, x: float, y: float) -> None:
    send(widget, QEvent.Type.MouseButtonRelease, x, y, LEFT, NONE)


def drag(widget: QWidget, start: tuple[float, float], *ways: tuple[float, float]) -> None:
    """Press, every way in ten moves, release."""
    press(widget, *start)
    x, y = start
    for to_x, to_y in ways:
        for i in range(1, 11):
            move(widget, x + (to_x - x) * i / 10, y + (to_y - y) * i / 10)
        x, y = to_x, to_y
    release(widget, x, y)


def click(widget: QWidget, x: float, y: float) -> None:
    press(widget, x, y)
    release(widget, x, y)
