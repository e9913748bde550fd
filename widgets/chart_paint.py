"""The plot as a picture: grounds, fill, hatches, outline, dots, walls. QPainter only; the scene around it is budget_chart's.

All is laid out in the pixels of the plot. What does not move under a drag (bands, grid, outline, dots, walls) is painted once into two
pictures; a move paints the fill between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPixmap, QPolygonF, QTransform

from app.model.table import Ints
from widgets import chart_tags, chart_words
from widgets.chart_data import Bins, Layer
from widgets.chart_model import ChartModel
from widgets.chart_savings import runs, stacks
from widgets.chart_scale import Scale
from widgets.theme import Theme
from widgets.words import short

_TILE = 8


def mix(front: QColor, back: QColor, part: float) -> QColor:
    """`part` of one colour over another."""
    pairs = zip(front.getRgb()[:3], back.getRgb()[:3], strict=True)  # type: ignore[index,arg-type]
    return QColor(*(round(a * part + b * (1 - part)) for a, b in pairs))


def layer_colour(theme: Theme, layer: Layer, all_kinds: bool) -> QColor:
    """The fill of a layer; of two tones, or of every kind."""
    if layer == Layer.HEAD:
        return mix(theme.system, theme.paper, 0.38)
    if layer == Layer.RESULT:
        return mix(theme.tool_result, theme.paper, 0.92)
    if not all_kinds:
        return mix(theme.text, theme.paper, 0.62)
    colour = {
        Layer.CALL: theme.tool_call, Layer.REASONING: theme.reasoning, Layer.TEXT: theme.text, Layer.USER: theme.user,
        Layer.MEDIA: theme.media, Layer.OTHER: theme.system,
    }[layer]  # fmt: skip
    return mix(colour, theme.paper, 0.85)


def polygon(x: Ints, y: Ints) -> QPolygonF:
    """Two arrays as a polygon, without an object a point."""
    out = QPolygonF()
    out.resize(len(x))
    if len(x):
        memory: Any = shiboken6.VoidPtr(out.data(), len(x) * 16, True)  # type: ignore[call-arg, arg-type]
        points = np.frombuffer(memory, np.float64).reshape(-1, 2)
        points[:, 0] = x
        points[:, 1] = y
    return out


def hatch(colour: QColor, scale: float, kind: str) -> QBrush:
    """`dropped`: lines that rise; `shortened`: level dashes; `absent`: lines that fall, close together."""
    size = _TILE if kind != "absent" else 5
    tile = QPixmap(QSize(round(size * scale), round(size * scale)))
    tile.fill(Qt.GlobalColor.transparent)
    with QPainter(tile) as painter:
        painter.scale(tile.width() / size, tile.height() / size)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour, 1))
        if kind == "shortened":
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.drawLine(QLineF(0, 2, size * 0.62, 2))
            painter.drawLine(QLineF(size * 0.5, 6, size, 6))
            painter.drawLine(QLineF(0, 6, size * 0.12, 6))
        else:
            ends = ((0, size), (size, 0)) if kind == "dropped" else ((0, 0), (size, size))
            (ax, ay), (bx, by) = ends
            for shift in (-size, 0, size):
                painter.drawLine(QLineF(ax + shift, ay, bx + shift, by))
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(size / tile.width(), size / tile.height()))
    return brush


@dataclass
class Pointed:
    """Where the pointer and the keyboard are: columns, -1 for nowhere; the column where the outline passes the budget first."""

    hover: int = -1
    cursor: int = -1
    held: int = -1  # the request that is looked at as the model saw it
    passed: int = -1


class Picture:
    """Paints a model at a size in a theme. Made anew when any of these changes."""

    def __init__(self, model: ChartModel, scale: Scale, theme: Theme, ratio: float, all_kinds: bool) -> None:
        self.model, self.scale, self.theme, self.all_kinds = model, scale, theme, all_kinds
        self._ratio = ratio
        self._dropped = hatch(mix(theme.ink_faint, theme.paper, 0.55), ratio, "dropped")
        self._shortened = hatch(mix(theme.ink_faint, theme.paper, 0.75), ratio, "shortened")
        at = model.bins
        self._outline = self._steps(model.base.sizes[at.shows]) if model.base is not None and at is not None else QPolygonF()
        self._tags = chart_tags.tags(model, scale, at, theme) if model.base is not None and at is not None else []
        self._ground = self._pixmap(self._paint_ground, theme.paper)
        self._over = self._pixmap(self._paint_over)
        self._hatched = self._pixmap(lambda painter: painter.fillRect(0, 0, model.width, scale.zero, self._dropped))

    @property
    def _bins(self) -> Bins:
        found = self.model.bins
        assert found is not None
        return found

    def _pixmap(self, paint: Callable[[QPainter], None], paper: QColor | None = None) -> QPixmap:
        out = QPixmap(round(self.model.width * self._ratio), round(self.scale.height * self._ratio))
        out.setDevicePixelRatio(self._ratio)
        out.fill(Qt.GlobalColor.transparent if paper is None else paper)
        if self.model.base is not None:
            with QPainter(out) as painter:
                paint(painter)
        return out

    def _ys(self, tokens: Ints) -> Ints:
        return np.round(self.scale.zero * (1 - np.minimum(tokens, 2 * self.scale.top) / self.scale.top) * self._ratio) / self._ratio

    def _steps(self, tokens: Ints) -> QPolygonF:
        edges = self._bins.edges
        return polygon(np.repeat(edges, 2)[1:-1], np.repeat(self._ys(tokens), 2))

    def _area(self, tops: Ints, first: int, last: int, floor: Ints | float) -> QPolygonF:
        """The area between the steps of two curves (or a level) over bins `first` to `last`."""
        edges = np.repeat(self._bins.edges[first : last + 1], 2)[1:-1]
        upper = np.repeat(tops[first:last], 2)
        lower = np.repeat(floor[first:last], 2) if isinstance(floor, np.ndarray) else np.full(len(edges), floor)
        return polygon(np.concatenate([edges, edges[::-1]]), np.concatenate([upper, lower[::-1]]))

    # -- what stands still ------------------------------------------------------------------------------------------------------

    def _paint_ground(self, painter: QPainter) -> None:
        theme, scale, at, axis = self.theme, self.scale, self._bins, self.model.axis
        assert axis is not None
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mix(theme.band, theme.paper, 0.6))
        edges = [at.x(column) for column in axis.exchange_column.tolist()] + [float(at.width)] if len(axis.exchange_column) < 4000 else []
        for i in range(1, len(edges) - 1, 2):
            if edges[i + 1] - edges[i] >= 3:
                painter.drawRect(QRectF(round(edges[i]), 0, round(edges[i + 1]) - round(edges[i]), scale.zero))
        painter.setPen(QPen(mix(theme.rule_line, theme.paper, 0.7), 1))
        for tick in scale.ticks():
            y = round(scale.y(tick)) - (0.5 if tick == 0 else 0)
            painter.drawLine(QLineF(0, y, at.width, y))
        if scale.below:
            painter.fillRect(QRectF(0, scale.zero, at.width, scale.below), hatch(theme.system, self._ratio, "absent"))

    def _paint_over(self, painter: QPainter) -> None:
        """Outline, dots, window and walls; what the model no longer sees is veiled."""
        theme, axis, at = self.theme, self.model.axis, self._bins
        assert axis is not None
        painter.setPen(QPen(theme.outline, 1.4))
        painter.drawPolyline(self._outline)
        self._paint_points(painter)
        self._paint_window(painter)
        veil = QColor(theme.paper)
        veil.setAlphaF(0.6)
        if axis.sent_from:
            painter.fillRect(QRectF(0, 0, at.x(axis.sent_from), self.scale.height), veil)
        painter.setPen(QPen(theme.ink_soft, 1, Qt.PenStyle.DashLine))
        for column, _ in axis.walls:
            x = round(at.x(column)) + 0.5
            painter.drawLine(QLineF(x, 0, x, self.scale.zero))

    def _paint_points(self, painter: QPainter) -> None:
        """Recorded input: dots, or short bars whose light part was read from the cache."""
        theme, at = self.theme, self._bins
        light, dark = mix(theme.ink_soft, theme.paper, 0.38), theme.ink_soft
        for point in self.model.points(9):
            x, y = at.x(point.column + 0.5), self.scale.y(point.tokens)
            if y < 1:
                continue
            if point.read < 0:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(theme.paper, 1))
                painter.setBrush(theme.ink_soft)
                painter.drawEllipse(QPointF(x, y), 2.1, 2.1)
                continue
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            left, top, split = round(x) - 3, round(y) - 1, round(6 * point.read)
            painter.fillRect(QRectF(left - 1, top - 1, 8, 5), theme.paper)  # a rim, so that it is seen on the fill
            painter.fillRect(QRectF(left, top, split, 3), light)
            painter.fillRect(QRectF(left + split, top, 6 - split, 3), dark)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_window(self, painter: QPainter) -> None:
        """The model's window where it is not far above everything; its words are a tag."""
        y = chart_tags.window_y(self.model, self.scale)
        if y is not None:
            painter.setPen(QPen(self.theme.ink_soft, 1, Qt.PenStyle.DotLine))
            painter.drawLine(QLineF(0, round(y) + 0.5, self._bins.width, round(y) + 0.5))

    # -- what moves ---------------------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, pointed: Pointed, budget_y: float) -> None:
        """The whole plot but the budget line, which lies above it and is the scene's."""
        if self.model.base is None:
            return
        painter.drawPixmap(0, 0, self._ground)
        gone = runs(self.model.gone())
        self._paint_gone(painter, gone)
        fill = self.model.fill()
        layers = stacks(fill, self.all_kinds)
        painter.setPen(Qt.PenStyle.NoPen)
        for layer, tops in reversed(layers):
            painter.setBrush(layer_colour(self.theme, layer, self.all_kinds))
            painter.drawPolygon(self._area(self._ys(tops), 0, len(self._bins), float(self.scale.zero)))
        tops = self._ys(layers[-1][1])
        self._paint_shortened(painter, tops)
        painter.drawPixmap(0, 0, self._over)
        self._paint_cut(painter)
        self._paint_pointed(painter, pointed, budget_y)
        self._paint_label(painter, tops, gone, budget_y)

    def _paint_gone(self, painter: QPainter, gone: list[tuple[int, int]]) -> None:
        """Requests that are gone are hatched to the top; what is left of them is painted over it."""
        edges = np.round(self._bins.edges * self._ratio) / self._ratio
        for first, last in gone:
            left, wide = float(edges[first]), float(edges[last] - edges[first])
            source = QRectF(left * self._ratio, 0, wide * self._ratio, self.scale.zero * self._ratio)
            painter.drawPixmap(QRectF(left, 0, wide, self.scale.zero), self._hatched, source)

    def _paint_shortened(self, painter: QPainter, tops: Ints) -> None:
        """Where a plan only shortens or thins out, the gap that it leaves."""
        span = self.model.touched()
        live = self.model.live
        if span is None or live is None:
            return
        at = self._bins
        first, last = at.bin(span[0]), at.bin(span[1]) + 1
        was = self._ys(live.sizes[at.shows])
        painter.setBrush(self._shortened if self.model.verb != "dropped" else self._dropped)
        painter.drawPolygon(self._area(was, first, last, tops))

    def _paint_cut(self, painter: QPainter) -> None:
        cut = self.model.cut
        plan = self.model.plan
        if cut is None or plan is None or not plan.length:
            return
        x = round(self._bins.x(cut))
        painter.fillRect(QRectF(x - 1, 0, 2, self.scale.zero), self.theme.blue)

    def _paint_label(self, painter: QPainter, tops: Ints, gone: list[tuple[int, int]], budget_y: float) -> None:
        """`dropped: 30 exchanges, 87.1k`, in the hatched part where there is room, else beside it."""
        plan, base, live, at = self.model.plan, self.model.base, self.model.live, self._bins
        if base is None or live is None:
            return
        if plan is not None and plan.length:
            said = chart_words.done(plan, self.model.verb, self.model.things, chart_words.checked_after(self.model.state, plan))
            first, last = self._taken_span()
            left, right = at.x(first), at.x(last)
        elif gone and base is not live and base.sizes[-1] > live.sizes[-1]:
            said = f"✕ taken out by changes: {short(int(base.sizes[-1] - live.sizes[-1]))}"
            left, right = at.edges[gone[0][0]], at.edges[gone[0][1]]
        else:
            return
        painter.setFont(self.theme.ui_bold)
        metrics = QFontMetricsF(self.theme.ui_bold)
        width = metrics.horizontalAdvance(said) + 8
        x = left + 6
        if right - left < width + 12:  # beside the hatched part
            x = right + 6 if right + width + 6 < at.width else max(4.0, left - width - 6)
        y = self._free_y(x, x + width, metrics.height() + 2, budget_y, tops)
        self._paint_tag(painter, said, x, y, self.theme.ink)

    def _taken_span(self) -> tuple[int, int]:
        """Column boundaries between which a plan takes something."""
        span, axis = self.model.touched(), self.model.axis
        if span is not None:
            return span[0], span[1] + 1
        return (axis.sent_from if axis is not None else 0), self.model.cut or 0

    def _free_y(self, left: float, right: float, height: float, budget_y: float, tops: Ints) -> float:
        """Where a label of that height crosses neither the budget line nor, if it can be helped, the outline and the fill."""
        at, base = self._bins, self.model.base
        assert base is not None
        first, last = at.bin(at.column(left)), at.bin(at.column(right)) + 1
        line, filled = self._ys(base.sizes[at.shows[first:last]]), tops[first:last]
        taken = any(tag.x < right and left < tag.x + tag.wide for tag in self._tags) and self._tags_shown()
        first_y = chart_tags.TOP + height if taken else 16.0
        y = np.arange(first_y, max(first_y + 1, self.scale.zero - height), 6.0)
        crossed = ((line > y[:, None] - 2) & (line < y[:, None] + height + 2)).mean(axis=1)
        covered = (filled < y[:, None] + height).mean(axis=1)
        on_budget = (y - 5 < budget_y) & (budget_y < y + height + 5)
        cost = 1000.0 * on_budget + 100 * crossed + 100 * covered + 0.1 * np.abs(y - self.scale.zero * 0.42)
        return float(y[np.argmin(cost)])

    def _paint_tag(self, painter: QPainter, said: str, x: float, y: float, ink: QColor) -> None:
        chart_tags.paint_tag(painter, self.theme, said, x, y, ink)

    def _paint_tags(self, painter: QPainter, budget_y: float) -> None:
        """The model's window and the walls, over every line and clear of the budget's."""
        painter.setFont(self.theme.small)
        height = QFontMetricsF(self.theme.small).height()
        for tag in self._tags if self._tags_shown() else ():
            self._paint_tag(painter, tag.said, tag.x, chart_tags.clear_y(tag.y, height, budget_y), self.theme.ink_soft)

    def _tags_shown(self) -> bool:
        """A low plot has no room for them beside what a plan drops."""
        return self.scale.zero >= 3.5 * QFontMetricsF(self.theme.small).height()

    def _paint_held(self, painter: QPainter, column: int, x: float, budget_y: float) -> None:
        """The request that is looked at says so beside its line, clear of the budget's."""
        said = f"seen at {self.model.request(column) or 'this request'}"
        metrics = QFontMetricsF(painter.font())
        wide = metrics.horizontalAdvance(said) + 10
        y = chart_tags.held_y(metrics.height(), budget_y)
        self._paint_tag(painter, said, x + 5 if x + wide < self._bins.width else x - wide, y, self.theme.blue)

    def _paint_pointed(self, painter: QPainter, pointed: Pointed, budget_y: float) -> None:
        at, theme = self._bins, self.theme
        held_x = -1.0
        for column, colour in ((pointed.cursor, theme.blue), (pointed.hover, theme.ink_soft)):
            if 0 <= column < at.columns:
                x = round(at.x(column + 0.5)) + 0.5
                held = column == pointed.held
                dashed = column == pointed.cursor and not held
                painter.setPen(QPen(colour, 2 if held else 1, Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine))
                painter.drawLine(QLineF(x, 0, x, self.scale.zero))
                held_x = x if held else held_x
        self._paint_tags(painter, budget_y)
        if held_x >= 0:
            self._paint_held(painter, pointed.held, held_x, budget_y)
        if pointed.passed >= 0:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.blue, 1.5))
            painter.setBrush(theme.paper)
            painter.drawEllipse(QPointF(at.x(pointed.passed), budget_y), 3.5, 3.5)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

