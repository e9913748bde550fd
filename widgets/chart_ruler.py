"""The ruler under the plot: long ticks at seams between exchanges, short ones between requests, and the handle of the cut."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QToolTip, QWidget

from app.model.cut_risk import cut_risk
from widgets import theme
from widgets.chart_model import ChartModel
from widgets.chart_paint import mix
from widgets.labels import plain

HEIGHT = 32
_LONG, _SHORT = 12, 6
_GRAB = 9
_FREELY = "Alt and drag: the cut anywhere, to see what it would break"
FREE = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
_MOST = 20_000  # seams that are looked at one by one


class Ruler(QWidget):
    """`cut_dragged` says a place in columns while the handle is dragged, `released` the end of it. With Alt (or Control, where the
    desktop keeps Alt for itself) the place is free: `free_moved` says it, `free_released` the end."""

    cut_dragged = Signal(float)
    free_moved = Signal(float)
    free_released = Signal()
    pressed = Signal()
    released = Signal()

    def __init__(self, model: ChartModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._picture: QPixmap | None = None
        self._moving: float | None = None
        self._free = False
        self.setFixedHeight(theme.scaled(HEIGHT))
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def forget(self) -> None:
        """Ticks and labels are new."""
        self._picture = None
        self.update()

    # -- painting -----------------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.deviceIndependentSize().toSize() != self.size():
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(theme.current().paper)
            with QPainter(self._picture) as painter:
                self._paint_ticks(painter)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            self._paint_handle(painter)

    def _paint_ticks(self, painter: QPainter) -> None:
        look, at, axis = theme.current(), self._model.bins, self._model.axis
        if at is None or axis is None:
            return
        per_column = at.width / at.columns
        painter.setPen(QPen(look.ink_faint, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(0, 3.5, at.width, 3.5))  # dotted: between a call and its result nothing may be cut
        if per_column >= 4:
            painter.setPen(QPen(look.ink_faint, 1))
            for column in axis.request_seam.nonzero()[0].tolist():
                x = round(at.x(column)) + 0.5
                painter.drawLine(QLineF(x, 0, x, _SHORT))
        seams = np.unique(np.round(axis.exchange_seam.nonzero()[0] * per_column)).astype(int).tolist()
        crowded = len(seams) * 8 > at.width
        painter.setPen(QPen(look.ink_faint if crowded else look.ink, 1))
        last = -9
        for seam in seams:
            if seam - last >= 3:
                painter.drawLine(QLineF(seam + 0.5, 0, seam + 0.5, _LONG))
                last = seam
        self._paint_names(painter)

    def _paint_names(self, painter: QPainter) -> None:
        """`E31` where there is room; the next request is named too."""
        look, at, axis = theme.current(), self._model.bins, self._model.axis
        assert at is not None
        assert axis is not None
        painter.setFont(look.small)
        metrics = QFontMetricsF(look.small)
        base = _LONG + 3 + metrics.ascent()
        wide = at.width / at.columns
        end = float(at.width)
        if wide >= metrics.horizontalAdvance("now") + 4:
            painter.setPen(look.ink_faint)
            painter.drawText(QPointF(at.width - wide / 2 - metrics.horizontalAdvance("now") / 2, base), "now")
            end = at.width - wide
        painter.setPen(look.ink_soft)
        free = 0.0
        edges = axis.exchange_column * wide
        for index in range(len(edges)) if len(edges) < _MOST else range(0, len(edges), len(edges) // _MOST + 1):
            left = float(edges[index])
            if left < free:
                continue
            name = self._model.exchange(index)
            width = metrics.horizontalAdvance(name)
            if not name or left + width > end:
                continue
            painter.drawText(QPointF(left + 1, base), name)
            free = left + width + 12

    def _handle_x(self) -> float | None:
        cut, at = self._model.cut, self._model.bins
        return None if cut is None or at is None else at.x(cut)

    def _paint_handle(self, painter: QPainter) -> None:
        x, look = self._handle_x(), theme.current()
        if x is None:
            return
        plan = self._model.plan
        cuts = plan is not None and plan.length > 0
        x = min(max(round(x), 7), self.width() - 7)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.paper if cuts else look.blue, 1.2))
        painter.setBrush(look.blue if cuts else mix(look.blue, look.paper, 0.12))
        painter.drawPolygon(QPolygonF([QPointF(x, 0), QPointF(x + 7, 13), QPointF(x - 7, 13)]))

    # -- the mouse ----------------------------------------------------------------------------------------------------------------

    def grabs(self, at: QPointF) -> bool:
        x = self._handle_x()
        return x is not None and abs(at.x() - min(max(x, 7), self.width() - 7)) <= _GRAB and at.y() <= 16

    def mousePressEvent(self, event: QMouseEvent) -> None:
        x = self._handle_x()
        if event.button() == Qt.MouseButton.LeftButton and event.modifiers() & FREE and self._model.bins is not None:
            self._free = True
            self.free_moved.emit(self._column(event.position().x()))
        elif event.button() == Qt.MouseButton.LeftButton and x is not None and self.grabs(event.position()):
            self._moving = event.position().x() - x
            self.pressed.emit()
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._free:
            self.free_moved.emit(self._column(event.position().x()))
            return
        if self._moving is not None and self._model.bins is not None:
            self.cut_dragged.emit(self._column(event.position().x() - self._moving))
            return
        self.setCursor(Qt.CursorShape.SizeHorCursor if self.grabs(event.position()) else Qt.CursorShape.ArrowCursor)

    def _column(self, x: float) -> float:
        at = self._model.bins
        return x * at.columns / max(1, at.width) if at is not None else 0.0

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._free and event.button() == Qt.MouseButton.LeftButton:
            self._free = False
            self.free_released.emit()
        elif self._moving is not None and event.button() == Qt.MouseButton.LeftButton:
            self._moving = None
            self.released.emit()

    def let_go(self) -> None:
        """Ends a drag without a last word of the mouse."""
        self._moving, self._free = None, False

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain(self.tip(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def tip(self, at: QPointF) -> str:
        """What is said of a place of the ruler."""
        if self._handle_x() is not None and self.grabs(at):
            return f"what stands left of the handle is taken out; drag it from seam to seam\n{_FREELY}"
        words = "long ticks: seams between exchanges; short ticks: between requests; both are safe for pairs of call and result"
        view = self._model.state.view
        risk = cut_risk(view).words() if view is not None else ""
        return "\n".join(part for part in (words, risk, _FREELY) if part)

    def handle_box(self) -> QRectF | None:
        """Where the handle is, for tests and tooltips."""
        x = self._handle_x()
        return None if x is None else QRectF(min(max(x, 7), self.width() - 7) - 7, 0, 14, 14)
