"""The margin right of the plot: the comb of rungs under a lens, deficit and overshoot, and the labels with the budget's tag."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from app.model.plan import Plan
from widgets import chart_words, theme
from widgets.chart_combs import STRIDE, TOOTH, Combs
from widgets.chart_model import ChartModel
from widgets.chart_paint import hatch, mix
from widgets.chart_scale import Lens, Scale, apart
from widgets.labels import plain
from widgets.words import full, short

WIDTH = 236
_COMB, _BRACKET, _WORDS = 8.0, 28.0, 46.0
_GAP = 17  # pixels from one label to the next
_EDGE = 10
_GRAB = 7


@dataclass
class Label:
    """Words at a height: `at` is what they belong to, `y` where they stand."""

    kind: str  # now, deficit, fewer, tag, after, freed, hint
    text: str
    at: float
    y: float = 0.0


class Margin(QWidget):
    """Paints what a model says of its plan. `top`: the plot's upper edge in this widget's pixels.

    `dragged` says a height in the plot's pixels while the tag or the line is dragged, `released` the end of it.
    """

    dragged = Signal(float)
    pressed = Signal()
    released = Signal()
    strategy_clicked = Signal(str)  # its comb

    def __init__(self, model: ChartModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._scale, self._top = model, Scale(100, 1), 0
        self.typed: str | None = None
        self.labels: list[Label] = []
        self._moving: float | None = None
        self.combs = Combs(model)
        self._show_width()
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_scale(self, scale: Scale, top: int) -> None:
        self._scale, self._top = scale, top
        self.lay_out()

    def _show_width(self) -> None:
        self.setFixedWidth(theme.scaled(WIDTH) + self._more)

    @property
    def _more(self) -> int:
        """Pixels that the combs of all strategies take beyond those of one."""
        return max(0, self.combs.width - STRIDE) if self.combs.there else 0

    @property
    def _bracket(self) -> float:
        return _BRACKET + self._more

    @property
    def _left(self) -> float:
        """Where words begin."""
        return _WORDS + self._more

    # -- figures ------------------------------------------------------------------------------------------------------------------

    @property
    def budget(self) -> int:
        """The budget in tokens, *now* while it is parked."""
        state = self._model.state
        return state.now if state.budget is None else state.budget

    def height_of(self, tokens: float) -> float:
        """Height in this widget; what lies above the plot stands at its upper edge."""
        return self._top + min(max(self._scale.y(tokens), 0), self._scale.zero)

    def lens(self) -> Lens | None:
        """The comb's own scale around the budget; None where the strategy has nothing to do."""
        if self.combs.there:
            return self.combs.lens(self.budget, self.height_of)
        rungs = self._model.rungs
        if rungs is None or len(rungs.rising) < 2:
            return None
        high, low = rungs.most, rungs.least
        focus = min(max(self.budget, low), high)
        return Lens(focus, high, low, self.height_of(focus), self.height_of(high), self.height_of(low))

    def enclosing(self) -> tuple[int | None, int | None]:
        """The smallest rung above the budget and the largest that fits."""
        rungs = self._model.rungs
        return (rungs.above(self.budget), rungs.within(self.budget)) if rungs is not None else (None, None)

    def lay_out(self) -> None:
        """Chooses the labels and where they stand."""
        if self.width() != theme.scaled(WIDTH) + self._more:
            self._show_width()
        state, plan = self._model.state, self._model.plan
        if state.view is None:
            self.labels = []
            self.update()
            return
        labels = self._fitting(self._wanted(plan))
        weights = [1000.0 if label.kind == "tag" else 10.0 if label.kind in ("now", "after") else 1.0 for label in labels]
        placed = apart([label.at for label in labels], theme.scaled(_GAP), _EDGE, max(_EDGE + 1, self.height() - _EDGE), weights)
        for label, y in zip(labels, placed, strict=True):
            label.y = y
        self.labels = labels
        self.update()

    def _fitting(self, labels: list[Label]) -> list[Label]:
        """Without those of less weight above the tag where they would push it off its line."""
        tag = next(label for label in labels if label.kind == "tag")
        for kind in ("fewer", "deficit"):
            above = labels.index(tag)
            if tag.at - _EDGE >= above * theme.scaled(_GAP) - 4:
                break
            labels = [label for label in labels if label.kind != kind or label.at > tag.at]
        return labels

    def _wanted(self, plan: Plan | None) -> list[Label]:
        """Labels from top to bottom, at the heights of what they name."""
        state = self._model.state
        now = Label("now", chart_words.now(state), self.height_of(state.now))
        tag = Label("tag", self._tag_words(), self.height_of(self.budget))
        if state.budget is None:
            hint = "drag down: nothing taken yet" if state.rankings else "ranking the strategies…"
            return [now, tag, Label("hint", hint, tag.at + theme.scaled(_GAP))]
        if plan is None:
            return [now, tag] if state.now > state.budget else [tag, now]
        if not plan.deficit:
            return [tag, now, Label("hint", "fits as it is", now.at + theme.scaled(_GAP))]
        deficit = Label("deficit", f"deficit {short(plan.deficit)}", (now.at + tag.at) / 2)
        checked = chart_words.checked_after(state, plan)
        after = Label("after", chart_words.after(plan, checked), self.height_of(plan.after))
        freed = Label("freed", chart_words.overshoot(plan, checked), max(after.at, tag.at) + theme.scaled(_GAP))
        if not plan.reached:
            freed.text = f"{short((plan.after if checked is None else checked) - state.budget)} too many; runs dry"
            above = [deficit, after] if after.at > deficit.at else [after, deficit]
            return [now, *above, tag, freed]
        fewer = self._fewer(plan)
        above = sorted([deficit, *([fewer] if fewer else [])], key=lambda label: label.at)
        return [now, *above, tag, after, freed]

    def _fewer(self, plan: Plan) -> Label | None:
        """The size one rung up, where it is far enough away to be told apart."""
        upper, lower = self.enclosing()
        lens = self.lens()
        if upper is None or lower is None or lens is None or upper >= plan.before or upper - lower < plan.before * 0.02:
            return None
        last = self._model.last_dropped(upper)
        return Label("fewer", f"{f'up to {last}' if last else 'one fewer'}: {chart_words.fine(upper)}", lens.y(upper))

    def _tag_words(self) -> str:
        if self.typed is not None:
            return f"budget {self.typed}▏↵"
        return "budget ⇕" if self._model.state.budget is None else f"budget {full(self.budget)} ⇕"

    # -- painting -----------------------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        look = theme.current()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), look.paper)
            if self._model.state.view is None:
                return
            y = round(self.height_of(self.budget))
            painter.fillRect(QRectF(0, y - 1, self._left - 8, 2), look.blue)
            self._paint_comb(painter, look)
            self._paint_bracket(painter, look)
            self._paint_room(painter, look)
            for label in self.labels:
                self._paint_label(painter, look, label)

    def _paint_comb(self, painter: QPainter, look: theme.Theme) -> None:
        lens, rungs = self.lens(), self._model.rungs
        if lens is not None and self.combs.there:
            self._paint_combs(painter, look, lens)
            return
        if lens is None or rungs is None:
            return
        first, last = round(lens.y_high), round(lens.y_low)
        thin, thick = mix(look.ink_faint, look.paper, 0.75).rgb(), look.ink_soft.rgb()
        inks = np.array([look.paper.rgb(), thin, thick], np.uint32)
        teeth = np.repeat(inks[np.minimum(lens.comb(rungs, first, last), 2)], 13)
        picture = QImage(teeth.data, 13, last - first + 1, 52, QImage.Format.Format_RGB32)  # one picture, as it is painted at each move
        painter.drawImage(QPointF(_COMB, first), picture)
        plan = self._model.plan
        if plan is None or not plan.deficit:
            return
        for rung in self.enclosing():
            if rung is not None:
                y = round(lens.y(rung))
                painter.fillRect(QRectF(_COMB - 3, y, 18, 2), look.blue if rung == plan.after else look.ink)
        if plan.length:  # from the rung under the lens to where it is in the plot
            painter.setPen(QPen(look.blue, 1))
            painter.drawLine(QLineF(_COMB + 15, round(lens.y(plan.after)) + 1, self._bracket - 1, round(self.height_of(plan.after))))

    def _paint_combs(self, painter: QPainter, look: theme.Theme, lens: Lens) -> None:
        """All strategies', and from where the shown one lands under the lens to where that is in the plot."""
        self.combs.paint(painter, look, lens, _COMB, self._model.state.budget)
        painter.fillRect(QRectF(0, round(self.height_of(self.budget)), self._left - 8, 1), look.blue)
        plan = self._model.plan
        if plan is not None and plan.deficit and plan.length:
            number = list(self._model.state.rankings).index(self._model.state.shown)
            painter.setPen(QPen(look.blue, 1))
            start = _COMB + number * STRIDE + TOOTH + 1
            painter.drawLine(QLineF(start, round(lens.y(plan.after)) + 1, self._bracket - 1, round(self.height_of(plan.after))))

    def _paint_bracket(self, painter: QPainter, look: theme.Theme) -> None:
        """Deficit solid, overshoot hatched amber; what a dry strategy leaves over is hatched red."""
        plan = self._model.plan
        if plan is None or not plan.deficit:
            return
        now, budget, after = (round(self.height_of(t)) for t in (plan.before, self.budget, plan.after))
        length = budget - now if plan.reached else min(budget, after) - now
        painter.fillRect(QRectF(self._bracket, now, 8, max(1, length)), look.outline)
        if plan.reached and plan.freed >= chart_words.OVERSHOT * plan.deficit:
            self._hatched(painter, look.warning, QRectF(self._bracket, budget, 8, max(4, after - budget)))
        elif not plan.reached:
            self._hatched(painter, look.error, QRectF(self._bracket, after, 8, max(4, budget - after)))

    def _hatched(self, painter: QPainter, colour: QColor, box: QRectF) -> None:
        painter.setPen(QPen(colour, 1))
        painter.setBrush(hatch(colour, self.devicePixelRatioF(), "absent"))
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_room(self, painter: QPainter, look: theme.Theme) -> None:
        """Where the window is exceeded: what fits beside the answer offers itself."""
        room = self._model.room_budget
        if room is None or room >= self._model.state.now or room == self._model.state.budget:
            return
        y = round(self.height_of(room)) + 0.5
        painter.setPen(QPen(look.blue, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(0, y, self._bracket + 10, y))
        painter.setFont(look.small)
        painter.drawText(QPointF(self._bracket + 9, y - 2), "W")

    def _paint_label(self, painter: QPainter, look: theme.Theme, label: Label) -> None:
        font, ink = self._style(look, label)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        base = round(label.y + metrics.ascent() / 2 - 1)
        if label.kind == "tag":
            box = self.tag_box(label)
            parked = self._model.state.budget is None and self.typed is None
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(look.blue, 1.4))
            if abs(label.y - label.at) > 2:
                painter.drawLine(QLineF(self._left - 8, label.at, self._left, label.y))
            painter.setBrush(look.paper if parked else look.blue)
            painter.drawRoundedRect(box, 4, 4)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        elif label.kind in ("now", "after", "fewer") and abs(label.y - label.at) > 3:
            painter.setPen(QPen(look.rule_line, 1))
            x = self._bracket + 9 if label.kind != "fewer" else _COMB + 16
            painter.drawLine(QLineF(x, label.at, self._left - 4, label.y))
        painter.setPen(ink)
        painter.drawText(QPointF(self._left + (6 if label.kind == "tag" else 0), base), label.text)

    def tag_box(self, label: Label) -> QRectF:
        """Where the budget's tag is, in this widget."""
        width = QFontMetricsF(theme.current().ui_bold).horizontalAdvance(label.text) + 14
        return QRectF(self._left - 1, round(label.y) - theme.scaled(9), width, theme.scaled(18))

    def _style(self, look: theme.Theme, label: Label) -> tuple[QFont, QColor]:
        plan = self._model.plan
        if label.kind == "tag":
            parked = self._model.state.budget is None and self.typed is None
            return look.ui_bold, look.blue if parked else look.on_blue
        if label.kind == "after":
            return look.ui_bold, look.green if plan is not None and plan.reached else look.error
        if label.kind == "freed" and plan is not None:
            if not plan.reached:
                return look.ui, look.error
            over = bool(plan.deficit) and plan.freed >= chart_words.OVERSHOT * (plan.deficit or 1)
            return (look.ui_bold, look.warning) if over else (look.ui, look.ink_soft)
        if label.kind in ("fewer", "hint"):
            return look.small, look.ink_faint
        return look.ui, look.ink

    # -- the mouse ----------------------------------------------------------------------------------------------------------------

    def grabs(self, at: QPointF) -> bool:
        """Whether a press there takes hold of the budget: on its tag, or on its line."""
        tag = next((label for label in self.labels if label.kind == "tag"), None)
        on_line = at.x() < self._left and abs(at.y() - self.height_of(self.budget)) <= _GRAB
        return on_line or (tag is not None and self.tag_box(tag).contains(at))

    def comb_at(self, x: float) -> str:
        """The strategy whose comb is there; "" where there is none, or only one is shown."""
        return self.combs.at(x - _COMB) if self.combs.there else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        name = self.comb_at(event.position().x())
        if name and event.button() == Qt.MouseButton.LeftButton and abs(event.position().y() - self.height_of(self.budget)) > _GRAB:
            self.strategy_clicked.emit(name)
            return
        if event.button() == Qt.MouseButton.LeftButton and self.grabs(event.position()):
            self._moving = event.position().y() - self.height_of(self.budget)
            self.pressed.emit()
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._moving is not None:
            self.dragged.emit(event.position().y() - self._moving - self._top)
            return
        self.setCursor(Qt.CursorShape.SizeVerCursor if self.grabs(event.position()) else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._moving is not None and event.button() == Qt.MouseButton.LeftButton:
            self._moving = None
            self.released.emit()

    def let_go(self) -> None:
        """Ends a drag without a last word of the mouse."""
        self._moving = None

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain(self.tip(event.pos())), self)
            return True
        return super().event(event)

    def tip(self, at: QPoint) -> str:
        """Exact figures of the label under the pointer."""
        state, plan = self._model.state, self._model.plan
        label = next((label for label in self.labels if abs(label.y - at.y()) <= theme.scaled(_GAP) / 2), None)
        name = self.comb_at(at.x())
        if name:
            return self.combs.tip(name, state.budget)
        if label is None or at.x() < _COMB + 18:
            rungs = self._model.rungs
            said = f"every size that {state.shown} can reach: {full(len(rungs.rising))}, spread around the budget" if rungs else ""
            return said + ("\nR: those of all strategies side by side" if said else "")
        if label.kind in ("now", "hint") or plan is None:
            return chart_words.now_tip(state)
        checked = chart_words.checked_after(state, plan)
        near, tokens = (chart_words.approx(plan), plan.after) if checked is None else ("", checked)
        after = f"after {near}{full(tokens)}, freed {full(plan.before - tokens)}"
        return f"budget {full(self.budget)}, deficit {full(plan.deficit or 0)}\n{after}"
