"""The scene of the chart: its view, the picture in it, the line of the budget. Beside budget_chart alone it needs pyqtgraph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QPainter

NEAR = 5  # pixels beside the line at which it can be taken hold of


class Line(pg.InfiniteLine):  # type: ignore[misc]
    """The budget: two pixels to see, more to take hold of."""

    _box: QRectF | None = None

    def boundingRect(self) -> QRectF:
        if self._boundingRect is None or self._box is None:  # the scene asks four times for each picture
            box: QRectF = super().boundingRect()
            pixel = self.pixelLength(pg.Point(0, 1)) or 0
            self._box = box.adjusted(0, -NEAR * pixel, 0, NEAR * pixel)
        return self._box


class Canvas(pg.GraphicsObject):  # type: ignore[misc]
    """A picture in the scene, in the view's own pixels; `depth`: behind the line where it is below 0."""

    def __init__(self, paint: Callable[[QPainter], None], box: pg.ViewBox, depth: float = -1) -> None:
        super().__init__()
        self._paint, self._box = paint, box
        self.setParentItem(box)
        self.setZValue(depth)

    def boundingRect(self) -> QRectF:
        return QRectF(self._box.rect())

    def paint(self, painter: QPainter, *_: Any) -> None:
        self._paint(painter)


class Box(pg.ViewBox):  # type: ignore[misc]
    """A drag across it chooses a span: from a pixel, to a pixel, whether it is over."""

    dragged = Signal(float, float, bool)

    def mouseDragEvent(self, event: Any, axis: Any = None) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        self.dragged.emit(event.buttonDownScenePos().x(), event.scenePos().x(), bool(event.isFinish()))


class View(pg.GraphicsView):  # type: ignore[misc]
    """A scene without axes and without keys of its own."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__(background=None)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumSize(60, 30)
        self.setAccessibleName("Requests and budget, picture")
        self.box = Box(enableMouse=False, enableMenu=False, defaultPadding=0)
        self.setCentralItem(self.box)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def wheelEvent(self, event: Any) -> None:
        event.ignore()

    keyPressEvent = wheelEvent
