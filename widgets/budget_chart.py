"""The chart of requests and budgets: what each request carried, and what the next one would under the shown plan.

Imported after the first paint (chart_host), for with chart_scene it imports pyqtgraph, which gives the scene, its mouse and the line that
is dragged; decimation and painting are our own (chart_data, chart_paint).
"""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QGridLayout, QToolTip, QWidget

from app.model.state import Changed, State
from widgets import chart_access, chart_edge, chart_legend, chart_margin, chart_ruler, chart_words, theme
from widgets.chart_drag import Drag
from widgets.chart_edge import Edge, Gutter
from widgets.chart_free import Free
from widgets.chart_held import follow, go_to
from widgets.chart_hits import Hits, Span, described, paint_hits
from widgets.chart_keys import Keys
from widgets.chart_legend import Legend
from widgets.chart_margin import Margin
from widgets.chart_model import ChartModel, Stale
from widgets.chart_paint import Picture, Pointed
from widgets.chart_ruler import Ruler
from widgets.chart_scale import Scale, make_scale
from widgets.chart_scene import NEAR, Canvas, Line, View
from widgets.labels import paper, plain
from widgets.words import full

LATER = 200_000  # rows from which a strategy's look-up is made after the key that asked for it, once no other key follows
REST = 40  # ms


class BudgetChart(chart_access.Spoken):
    """`budget_dragged` while the budget moves (line, tag, cut handle, keys), `budget_released` when it comes to rest there;
    `request_clicked` a row to go to."""

    budget_dragged = Signal(int)
    budget_released = Signal(int)
    request_clicked = Signal(int)
    strategy_clicked = Signal(str)
    request_pointed = Signal(int)

    def __init__(self, session: Any = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        chart_access.install()
        self.session = session
        self.setObjectName("budgetChart")
        self.setAccessibleName("Budget")
        self.setAccessibleDescription("Tokens of each request, oldest first; up and down: the next size that can be reached")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.model = ChartModel()
        self.pointed = Pointed()
        self.span, self._hits = Span(self.model, self), Hits()
        self.scale = Scale(100, 1)
        self._picture: Picture | None = None
        self._missed = False
        self._make_parts()
        self.drag = Drag(self, lambda: self.budget)
        self.free = Free(self.model, session, self._free_moved, self._judge, self)
        self._lay_out()
        self._connect()
        self._later = QTimer(self, singleShot=True, interval=REST)
        self._later.timeout.connect(self._prepare)
        self._sized = QTimer(self, singleShot=True, interval=REST)
        self._sized.timeout.connect(self._fit)
        self.keys = Keys(self)
        self._retint()

    def _make_parts(self) -> None:
        self.legend = Legend(self.model)
        self.edge = Edge(self.model)
        self.gutter = Gutter()
        self.margin = Margin(self.model)
        self.ruler = Ruler(self.model)
        self.view = View()
        self.canvas = Canvas(self.paint_plot, self.view.box)
        self.over = Canvas(self._paint_over, self.view.box, 1_000)
        self.line = Line(0, angle=0, movable=True)
        self.view.box.addItem(self.line, ignoreBounds=True)
        for part, words in (
            (self.legend, "What the colours mean"), (self.edge, "Findings by request"), (self.gutter, "Tokens"),
            (self.margin, "Budget, deficit and what is freed"), (self.ruler, "Seams between requests, and the cut"),
        ):  # fmt: skip
            part.setAccessibleName(words)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 3, 0, 1)
        grid.setSpacing(0)
        grid.addWidget(self.legend, 0, 0, 1, 2)
        grid.addWidget(self.edge, 1, 1)
        grid.addWidget(self.gutter, 2, 0)
        grid.addWidget(self.view, 2, 1)
        grid.addWidget(self.ruler, 3, 1)
        grid.addWidget(self.margin, 0, 2, 4, 1)  # labels find room above and below the plot
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(2, 1)

    def _connect(self) -> None:
        drag = self.drag
        self.line.sigDragged.connect(self._line_dragged)
        self.line.sigPositionChangeFinished.connect(drag.release)
        for part in (self.margin, self.ruler):
            part.pressed.connect(drag.press)
            part.released.connect(drag.release)
        self.margin.dragged.connect(lambda y: drag.to(self.scale.rounded(self.scale.tokens(y))))
        self.ruler.cut_dragged.connect(lambda column: drag.to_cut(self.model, column))
        self.ruler.free_moved.connect(self.free.move)
        self.ruler.free_released.connect(self.let_go)
        drag.started.connect(lambda: self.setFocus(Qt.FocusReason.MouseFocusReason))
        drag.moved.connect(self.budget_dragged)
        drag.ended.connect(self.budget_released)
        drag.ended.connect(self._catch_up)
        self.edge.clicked.connect(self.request_clicked)
        self.legend.clicked.connect(self.toggle_kinds)
        self.margin.strategy_clicked.connect(self.strategy_clicked)
        self.view.box.sigResized.connect(self._resized)
        self.view.box.dragged.connect(self.span.drag)
        self.span.moved.connect(self.canvas.update)
        self.view.left.connect(lambda: self._hover(None))
        self.view.scene().sigMouseMoved.connect(self._hover)
        self.view.scene().sigMouseClicked.connect(self._clicked)

    # -- what is shown ------------------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        return self.model.state

    @property
    def budget(self) -> int:
        """The budget as it stands, *now* while it is parked."""
        return self.margin.budget

    def refresh(self, state: State, changed: Changed) -> None:
        """Shows a state; returns at once where nothing of it is new here."""
        stale = self.model.refresh(state, changed)
        if not stale:
            return
        if stale & (Stale.ALL | Stale.PLAN):
            self._make_ready()
            self.free.leave()
        if self.drag.going and stale & Stale.ALL and not changed & (Changed.DUMP | Changed.TRANSCRIPT):
            self._missed, stale = True, Stale.PLAN  # new counts: the scale must not move under the hand
        if stale & Stale.ALL or (state.budget or 0) > self.scale.top:
            self._rebuild()
        elif stale & Stale.PLAN:
            self._move()
        if stale & (Stale.ALL | Stale.MARKS):
            self.edge.lay_out()
        if stale & Stale.HITS:
            self.canvas.update()
        if stale & (Stale.ALL | Stale.CURSOR):
            follow(self)

    def _catch_up(self, *_: object) -> None:
        """What came in during a drag."""
        if self._missed:
            self._missed = False
            self._rebuild()

    def set_window(self, window: int, room: int) -> None:
        """The model's window and the room for its answer, in tokens; 0: no window is set."""
        self.model.window, self.model.room = window or None, room
        self._rebuild()

    def toggle_kinds(self) -> None:
        """Two tones, or every kind of block."""
        self.legend.all_kinds = not self.legend.all_kinds
        self._rebuild()

    def toggle_combs(self) -> None:
        """The sizes that the shown strategy can reach, or those of all of them side by side."""
        self.margin.combs.on = self.legend.combs = not self.margin.combs.on
        self.margin.lay_out()  # another width, so another plot
        self.legend.update()

    def _make_ready(self) -> None:
        """The look-up of the shown strategy: at once where that takes less than a frame or two, else right after."""
        if self.model.ready:
            return
        if self.state.view is not None and len(self.state.view) > LATER:
            self._later.start()
        else:
            self.model.prepare()

    def _prepare(self) -> None:
        if self.model.ready:
            return
        if self.model.prepare_some():
            QTimer.singleShot(0, self, self._prepare)
        else:
            self._move()

    def _resized(self, *_: Any) -> None:
        """Another size: at once, or where that takes long once the hand rests."""
        if self.state.view is not None and len(self.state.view) > LATER and self.model.width > 1:
            self._sized.start()
        else:
            self._fit()

    def _fit(self) -> None:
        self.model.resize(int(self.view.box.rect().width()))
        self._make_ready()
        self._rebuild()
        self.edge.lay_out()

    def _rebuild(self) -> None:
        """Scale, pictures, ruler: what a move of the drag leaves alone."""
        height, state = int(self.view.box.rect().height()), self.state
        now = state.now or (int(self.model.base.sizes[-1]) if self.model.base is not None and len(self.model.base.sizes) else 0)
        self.scale = make_scale(height, now, self.model.scale_marks(), self.model.offset)
        self._picture = Picture(self.model, self.scale, theme.current(), self.devicePixelRatioF(), self.legend.all_kinds)
        below = self.scale.below * self.scale.per_pixel
        self.view.box.setRange(xRange=(0, 1), yRange=(-below, self.scale.top), padding=0, disableAutoRange=True)
        self.line.setBounds((0, self.scale.top))
        there = self.model.base is not None
        self.line.setVisible(there)
        self.gutter.show_scale(self.scale if there else None, self.model.offset)
        self.margin.show_scale(self.scale, self.legend.height() + self.edge.height())
        self.ruler.forget()
        self.legend.update()
        self._move()

    def _move(self) -> None:
        """The budget or its plan is another: line, fill, margin, cut."""
        self.line.setValue(min(self.budget, self.scale.top))
        self.pointed.passed = self.model.passed()
        self.margin.lay_out()
        self.ruler.update()
        self.canvas.update()
        self.legend.follow()
        self.speak()

    def paint_plot(self, painter: QPainter) -> None:
        """Called by the scene."""
        look = theme.current()
        if self._picture is None or self.model.base is None:
            painter.fillRect(self.view.box.rect(), look.paper)
        else:
            self._picture.paint(painter, self.pointed, self.scale.y(self.line.value()))
            paint_hits(painter, self.model, self._hits.by_bin(self.model), self.scale.zero, look, self.span.going)
        if self.hasFocus():
            painter.setPen(QPen(look.blue, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.view.box.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_over(self, painter: QPainter) -> None:
        """What stands in front of the budget's line."""
        self.free.paint(painter, self.view.box.rect().width(), self.scale.zero)

    def _retint(self) -> None:
        look = theme.current()
        wide = 2 * self.devicePixelRatioF()  # a pen of pyqtgraph is as wide as the device says
        self.line.setPen(pg.mkPen(look.blue, width=wide))
        self.line.setHoverPen(pg.mkPen(look.blue, width=2 * wide))
        paper(self, look.paper)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.line.pen.color() != theme.current().blue:
            self.retint()

    def retint(self) -> None:
        """Another theme is in force, or another size of the text."""
        for part, high in ((self.legend, chart_legend.HEIGHT), (self.ruler, chart_ruler.HEIGHT)):
            part.setFixedHeight(theme.scaled(high))
        self.margin.setFixedWidth(theme.scaled(chart_margin.WIDTH))
        self.gutter.setFixedWidth(theme.scaled(chart_edge.GUTTER))
        self._retint()
        self._rebuild()
        self.edge.update()

    # -- the budget ---------------------------------------------------------------------------------------------------------------

    def _line_dragged(self, *_: Any) -> None:
        if self.line.moving and not self.drag.going:
            self.drag.press()
        self.drag.to(self.scale.rounded(self.line.value()))
        self.line.setValue(min(self.budget, self.scale.top))  # the state's own number, not the mouse's

    def take_back(self) -> bool:
        """Esc while dragging: the budget goes back to where it was taken up."""
        if not self.drag.going:
            return False
        self.line.moving = False
        self.margin.let_go()
        self.ruler.let_go()
        self.drag.take_back()
        return True

    def let_go(self) -> None:
        """The free cut ends; where the strategy takes a prefix, its cut goes to the seam that is nearest."""
        cut = self.free.leave()
        if cut is not None and self.model.cut is not None:
            self.drag.press()
            self.drag.to_cut(self.model, cut.column)
            self.drag.release()

    def _free_moved(self) -> None:
        self.over.update()
        self.speak()

    def _judge(self) -> str:
        titles = self.session.titles() if hasattr(self.session, "titles") else {}
        return titles.get(self.state.provider, self.state.provider)

    def ask(self, budget: int) -> None:
        """A budget that comes at once, by key or screen reader."""
        self.budget_dragged.emit(max(0, budget))
        self.budget_released.emit(max(0, budget))

    # -- requests -------------------------------------------------------------------------------------------------------------------

    def point(self, column: int) -> None:
        """Puts the keyboard's request cursor on a column, -1 for nowhere."""
        self.pointed.cursor = column
        self.legend.readout = " · ".join(self.model.describe(column)) if column >= 0 and self.hasFocus() else ""
        self.legend.update()
        self.canvas.update()

    def go_to(self, column: int) -> None:
        """Moves the request cursor and goes to its row."""
        go_to(self, column)

    def _hover(self, at: QPointF | None) -> None:
        """The pointer is over a request, or (None) over none."""
        bins = self.model.bins
        if at is None or bins is None or self.drag.going:
            self.pointed.hover = -1
            self.canvas.update()
            return
        y = self.scale.y(self.line.value())
        column = bins.column(at.x())
        if self.pointed.passed >= 0 and abs(bins.x(self.pointed.passed) - at.x()) <= 6 and abs(y - at.y()) <= 6:
            name = self.model.request(self.pointed.passed) or "a request that was taken out"
            lines = [f"passed {full(self.budget)} first at {name}"]
        else:
            lines = self.model.describe(column) + described(self.model, column)
        if column != self.pointed.hover:
            self.pointed.hover = column
            self.canvas.update()
        if self.view.underMouse():
            QToolTip.showText(QCursor.pos(), plain("\n".join(lines)), self.view)

    def _clicked(self, event: Any) -> None:
        bins, at = self.model.bins, event.scenePos()
        if bins is None or event.button() != Qt.MouseButton.LeftButton or abs(at.y() - self.scale.y(self.line.value())) <= NEAR:
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.go_to(bins.column(at.x()))

    # -- keys and screen readers ----------------------------------------------------------------------------------------------------

    def show_typed(self, text: str | None) -> None:
        """What is being typed as a budget, in its tag."""
        self.margin.typed = text
        self.margin.lay_out()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.retint()
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.keys.takes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.keys.press(event):
            super().keyPressEvent(event)

    def focusInEvent(self, event: Any) -> None:
        super().focusInEvent(event)
        self.point(self.pointed.cursor)

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        self.keys.forget()
        self.point(self.pointed.cursor)

    def spoken(self) -> str:
        if self.free.cut is not None:
            return self.free.spoken()
        return chart_words.spoken(self.state, self.model.verb, self.model.things)

    def value(self) -> int:
        return self.budget

    def bounds(self) -> tuple[int, int]:
        return 0, max(self.state.now, self.budget)

    def set_value(self, value: int) -> None:
        self.ask(value)
