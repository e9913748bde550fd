"""The line above the chart: its name, what its colours and lines mean, and at the right what is known of the request pointed at."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from widgets import icon, theme
from widgets.chart_data import LAYER_WORDS, Layer
from widgets.chart_marks import losses
from widgets.chart_model import ChartModel
from widgets.chart_paint import hatch, layer_colour, mix
from widgets.labels import plain
from widgets.words import short

HEIGHT = 20
TITLE = "Context by request"


class Legend(QWidget):
    """`clicked`: a person wants the other set of tones (the key is K)."""

    clicked = Signal()

    def __init__(self, model: ChartModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.all_kinds = False
        self.combs = False
        self.readout = ""
        self._shown: tuple[str, bool] = ("", False)
        self.setFixedHeight(theme.scaled(HEIGHT))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(plain("two tones or every kind of block: K; sizes of one strategy or of all: R"))

    def follow(self) -> None:
        """A move of the drag: painted anew only where its words are others."""
        plan = self._model.plan
        now = (self._model.verb, plan is not None and plan.length > 0)
        if now != self._shown:
            self._shown = now
            self.update()

    def entries(self) -> list[tuple[str, Layer | str]]:
        """Words with the layer, or the line, that they stand for."""
        live, model = self._model.live, self._model
        head = f"system + tools {short(live.head)}" if live is not None and live.head else "system + tools"
        out: list[tuple[str, Layer | str]] = []
        if self.all_kinds and live is not None:
            there = [layer for layer in Layer if layer != Layer.HEAD and live.added[:, layer].any()]
            out += [(LAYER_WORDS[layer], layer) for layer in there]
        else:
            out += [("tool results", Layer.RESULT), ("everything else", Layer.TEXT)]
        if live is not None and live.head:
            out.append((head, Layer.HEAD))
        if model.offset:
            out.append((f"{short(model.offset)} not in the dump", "absent"))
        plan = model.plan
        if plan is not None and plan.length:
            whole = model.verb in ("dropped", "summarized")
            out.append(("taken out", "dropped") if whole else ("only shortened", "shortened"))
        out.append(("as opened", "line"))
        points = model.points(9)
        if any(point.read >= 0 for point in points):
            out.append(("usage recorded: from the cache, fresh", "bars"))
        elif points:
            out.append(("usage recorded", "dots"))
        if losses(model):
            out.append(("cache lost", "cache-lost"))
        if self.combs and model.state.rankings:
            out.append((f"sizes of strategies 1 to {len(model.state.rankings)}, and where each lands", "combs"))
        return out

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), look.paper)
            painter.setFont(look.ui_bold)
            painter.setPen(look.ink)
            base = self.height() / 2 + QFontMetricsF(look.ui).ascent() / 2 - 1
            painter.drawText(QPointF(12, base), TITLE)
            x = 12 + QFontMetricsF(look.ui_bold).horizontalAdvance(TITLE) + 18
            painter.setFont(look.small)
            metrics = QFontMetricsF(look.small)
            limit = self.width() - 12.0
            if self.readout:
                said = metrics.elidedText(self.readout, Qt.TextElideMode.ElideRight, int(self.width() * 0.55))
                limit -= metrics.horizontalAdvance(said) + 16
                painter.setPen(look.ink)
                painter.drawText(QPointF(limit + 16, base), said)
            if self._model.base is None:
                return
            for words, what in self.entries():
                wide = metrics.horizontalAdvance(words)
                if x + 16 + wide > limit:
                    break
                self._paint_sign(painter, look, what, x)
                painter.setPen(look.ink_soft)
                painter.drawText(QPointF(x + 16, base), words)
                x += 16 + wide + 16

    def _paint_sign(self, painter: QPainter, look: theme.Theme, what: Layer | str, x: float) -> None:
        middle = self.height() / 2
        box = QRectF(x, round(middle) - 5, 10, 10)
        if isinstance(what, Layer):
            painter.fillRect(box, layer_colour(look, what, self.all_kinds))
        elif what == "absent":
            painter.fillRect(box, hatch(look.system, self.devicePixelRatioF(), "absent"))
        elif what in ("dropped", "shortened"):
            painter.setPen(QPen(look.rule_line, 1))
            painter.setBrush(hatch(look.ink_faint, self.devicePixelRatioF(), what))
            painter.drawRect(box.adjusted(-1.5, 0.5, 1.5, -0.5))
        elif what == "combs":
            for row, ink in enumerate((look.ink_faint, look.ink_faint, look.blue, look.ink_faint)):
                painter.fillRect(QRectF(x, round(middle) - 5 + 3 * row, 8, 2 if ink is look.blue else 1), ink)
        elif what == "line":
            painter.setPen(QPen(look.outline, 1.4))
            painter.drawLine(QLineF(x - 3, middle + 0.5, x + 11, middle + 0.5))
        elif what == "cache-lost":
            icon.draw(painter, what, box.adjusted(-1, -1, 1, 1), look.warning)
        elif what == "bars":
            for side, part in ((-2, 0.38), (5, 1.0)):
                painter.fillRect(QRectF(x + side, round(middle) - 1, 7, 3), mix(look.ink_soft, look.paper, part))
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.ink_soft)
            for i in range(3):
                painter.drawEllipse(QPointF(x - 1 + 6 * i, middle), 1.6, 1.6)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()
