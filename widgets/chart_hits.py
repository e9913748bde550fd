"""What a filter comes to on the chart: where its blocks came in, and the span of requests that it is narrowed to. No pyqtgraph.

A drag across the plot, or Shift with the arrows, chooses a span; it is a condition of the filter like any other.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen

from app.model.filter import Filter, Range, Test, conjuncts
from app.model.table import Ints
from widgets.chart_data import Bins
from widgets.chart_model import ChartModel
from widgets.theme import Theme

LANE = 5  # pixels at the foot of the plot
BESIDE = 150  # how strongly what lies outside of a span is paled, of 255


def span_of(known: Filter | None) -> Range | None:
    """The span of a filter, by numbers of requests as opened."""
    for part in conjuncts(known.tree if known is not None else None):
        if isinstance(part, Test) and part.name == "span" and part.op == "==" and isinstance(part.value, Range):
            return part.value
    return None


class Hits:
    """Blocks that match, by bin; counted anew where the filter, the rows or the pixels are others."""

    def __init__(self) -> None:
        self._of: tuple[object, object, object] | None = None
        self._found: Ints = np.empty(0, np.int64)

    def by_bin(self, model: ChartModel) -> Ints | None:
        """How many blocks of each bin's requests match; None where nothing is filtered."""
        known, live, at = model.state.filter, model.live, model.bins
        if known is None or known.mask is None or live is None or at is None or len(known.mask) != len(live.own):
            return None
        of = (known.mask, live, at)
        if self._of is None or any(old is not new for old, new in zip(self._of, of, strict=True)):
            own = live.own[known.shown]
            columns = np.where(own >= 0, own, live.boundary[known.shown])
            self._found = np.add.reduceat(np.bincount(columns, minlength=at.columns), at.starts)
            self._of = of
        return self._found


class Span(QObject):
    """Chooses a span by columns. `chosen` says its first and last request by number as opened; the last is 0 where it ends now."""

    chosen = Signal(int, int)
    moved = Signal()

    def __init__(self, model: ChartModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._anchor = -1
        self.going: tuple[int, int] | None = None  # columns that are being dragged over

    def drag(self, start: float, to: float, over: bool) -> None:
        """From a pixel of the plot to another; `over`: the button was let go."""
        at = self._model.bins
        if at is None:
            return
        first, last = sorted((at.column(start), at.column(to)))
        self.going = None if over else (first, last)
        self.moved.emit()
        if over:
            self._say(first, last)

    def extend(self, cursor: int, step: int) -> int:
        """Moves one end of the span by keyboard; gives the column where it is now."""
        axis = self._model.axis
        if axis is None:
            return cursor
        here = cursor if cursor >= 0 else axis.columns - 1
        if self._anchor < 0:
            self._anchor = here
        to = min(max(here + step, 0), axis.columns - 1)
        self._say(*sorted((self._anchor, to)))
        return to

    def let_go(self) -> None:
        """The next span by keyboard begins anew."""
        self._anchor = -1

    def _say(self, first: int, last: int) -> None:
        axis = self._model.axis
        if axis is not None:
            self.chosen.emit(first + 1, 0 if last >= axis.columns - 1 else last + 1)


def paint_hits(painter: QPainter, model: ChartModel, hits: Ints | None, zero: float, look: Theme, going: tuple[int, int] | None) -> None:
    """A lane at the foot with the requests that brought in what matches; what lies outside of the span is paled. `zero`: the foot."""
    at, axis = model.bins, model.axis
    if at is None or axis is None:
        return
    edges = _edges(model, at, going)
    if edges is not None:
        pale = QColor(look.paper)
        pale.setAlpha(BESIDE)
        left, right = edges
        painter.fillRect(QRectF(0, 0, left, zero), pale)
        painter.fillRect(QRectF(right, 0, at.width - right, zero), pale)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(look.blue, 1, Qt.PenStyle.SolidLine))
        for x in (left, right - 1):
            painter.drawLine(QLineF(round(x) + 0.5, 0, round(x) + 0.5, zero))
    if hits is not None:
        painter.setPen(Qt.PenStyle.NoPen)
        ground = QColor(look.paper)
        ground.setAlpha(225)
        painter.fillRect(QRectF(0, zero - LANE - 2, at.width, LANE + 2), ground)
        gap = 1 if at.width > 3 * at.columns else 0
        for index in np.flatnonzero(hits).tolist():
            left = float(at.edges[index])
            painter.fillRect(QRectF(left, zero - LANE, max(2.0, float(at.edges[index + 1]) - left - gap), LANE), look.hit)


def _edges(model: ChartModel, at: Bins, going: tuple[int, int] | None) -> tuple[float, float] | None:
    if going is not None:
        return at.x(going[0]), at.x(going[1] + 1)
    span = span_of(model.state.filter)
    if span is None:
        return None
    last = at.columns if span.high is None else min(span.high, at.columns)
    return at.x(max(0, (span.low or 1) - 1)), at.x(last)


def described(model: ChartModel, column: int) -> list[str]:
    """`3 blocks match`: for the pointer over a request."""
    known, live = model.state.filter, model.live
    if known is None or known.mask is None or live is None or len(known.mask) != len(live.own):
        return []
    own = live.own[known.shown]
    count = int((np.where(own >= 0, own, live.boundary[known.shown]) == column).sum())
    return [f"{count:,} {'block matches' if count == 1 else 'blocks match'} the filter"]
