"""The lane above the plot: findings, recorded refusals and losses of the cache, a glyph each; and the gutter with the scale's numbers."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from widgets import icon, theme
from widgets.chart_marks import Mark, marks
from widgets.chart_model import ChartModel
from widgets.chart_scale import Scale
from widgets.labels import plain
from widgets.words import short

HEIGHT = 14
GUTTER = 48
_SIZE = 11
_DOT = 2.4
_RANK = ("error", "refusal", "warning", "cache-lost", "note")  # which glyph is kept where several fall on one place


@dataclass(frozen=True)
class Spot:
    """A glyph and the marks that it stands for, the first of them its own."""

    x: float
    marks: tuple[Mark, ...]


class Edge(QWidget):
    """Glyphs by request; those that would cover one another are one glyph. `clicked` says the row that one stands for."""

    clicked = Signal(int)

    def __init__(self, model: ChartModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.spots: list[Spot] = []
        self.setFixedHeight(HEIGHT)
        self.setMouseTracking(True)

    def lay_out(self) -> None:
        """Findings or pixels are new."""
        at = self._model.bins
        slots: dict[int, list[Mark]] = {}
        for mark in marks(self._model) if at is not None else ():
            assert at is not None
            slots.setdefault(int(at.x(mark.column + 0.5) / (_SIZE + 1)), []).append(mark)
        self.spots = []
        for slot in sorted(slots):
            found = sorted(slots[slot], key=lambda mark: (_RANK.index(mark.kind), mark.column))
            assert at is not None
            x = min(max(at.x(found[0].column + 0.5), _SIZE / 2), self.width() - _SIZE / 2)
            if self.spots and x - self.spots[-1].x < _SIZE + 1:
                x = self.spots[-1].x + _SIZE + 1
            self.spots.append(Spot(x, tuple(found)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        colours: dict[str, QColor] = {"error": look.error, "warning": look.warning, "note": look.note, "refusal": look.error}
        colours["cache-lost"] = look.warning
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), look.paper)
            for spot in self.spots:
                kind = spot.marks[0].kind
                box = QRectF(spot.x - _SIZE / 2, (HEIGHT - _SIZE) / 2, _SIZE, _SIZE)
                if kind == "note":  # there may be one at every request: a dot is enough to be found by
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(colours[kind])
                    painter.drawEllipse(box.center(), _DOT, _DOT)
                else:
                    icon.draw(painter, kind, box, colours[kind])

    def spot(self, x: float) -> Spot | None:
        """The glyph at a pixel."""
        near = min(self.spots, key=lambda spot: abs(spot.x - x), default=None)
        return near if near is not None and abs(near.x - x) <= _SIZE / 2 + 1 else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        spot = self.spot(event.position().x())
        if spot is not None and spot.marks[0].row >= 0:
            self.clicked.emit(spot.marks[0].row)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self.spot(event.position().x()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if found else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            spot = self.spot(event.pos().x())
            QToolTip.showText(event.globalPos(), plain("\n".join(self.words(spot)) if spot else ""), self)
            return True
        return super().event(event)

    def words(self, spot: Spot) -> list[str]:
        """A line for each mark, ten at most."""
        lines = []
        for mark in spot.marks[:10]:
            name = self._model.request(mark.column)
            lines.append(f"{name}: {mark.text}" if name else mark.text)
        more = len(spot.marks) - 10
        return [*lines, f"… {more} more"] if more > 0 else lines


class Gutter(QWidget):
    """The numbers left of the plot."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scale: Scale | None = None
        self._absent = 0
        self.setFixedWidth(theme.scaled(GUTTER))

    def show_scale(self, scale: Scale | None, absent: int) -> None:
        """`absent`: tokens of each request that are not in the dump, the hatched strip below zero."""
        self._scale, self._absent = scale, absent
        self.setToolTip(plain(f"below 0: {absent:,} tokens of each request that are not in the dump" if absent else ""))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), look.paper)
            if self._scale is None:
                return
            painter.setFont(look.small)
            painter.setPen(look.ink_soft)
            metrics = QFontMetricsF(look.small)
            for tick in self._scale.ticks():
                said = "0" if tick == 0 else short(tick).replace(".0", "")
                y = self._scale.y(tick) + metrics.ascent() / 2 - 1
                y = min(max(y, metrics.ascent() - 2), self.height() - 1.0)
                painter.drawText(QPointF(self.width() - 7 - metrics.horizontalAdvance(said), y), said)
