"""Where the chart stands: an empty frame at first, the chart itself as soon as the first picture of the window is on screen.

Importing pyqtgraph takes a quarter of a second and more and holds the interpreter, so it must not stand between a person and the window.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.model.state import Changed, State
from widgets import theme

if TYPE_CHECKING:
    from widgets.budget_chart import BudgetChart


class _Frame(QWidget):
    """What stands there before the chart; says once that it was painted."""

    painted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("budgetChart")
        self.setAccessibleName("Budget")
        self._told = False

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.current().paper)
        if not self._told:
            self._told = True
            self.painted.emit()


class ChartHost(QWidget):
    """A panel with the signals of the chart. `chart` is None until it is there; `load` brings it at once."""

    budget_dragged = Signal(int)
    budget_released = Signal(int)
    request_clicked = Signal(int)
    strategy_clicked = Signal(str)
    request_pointed = Signal(int)  # the cursor was moved: to a request's first row, -1: away
    span_chosen = Signal(int, int)  # first and last request by number as opened; 0: up to now
    loaded = Signal()

    def __init__(self, session: Any = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chartHost")
        self.session = session
        self.chart: BudgetChart | None = None
        self._state: State | None = None
        self._window = (0, 0)
        self._held = -1
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._frame = _Frame()
        self._column.addWidget(self._frame)
        self._frame.painted.connect(lambda: QTimer.singleShot(0, self, self.load))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def load(self) -> None:
        """Puts the chart in place of the frame; does nothing where it is there."""
        if self.chart is not None:
            return
        from widgets.budget_chart import BudgetChart

        self.chart = chart = BudgetChart(self.session, self)
        for ours, its in (
            (self.budget_dragged, chart.budget_dragged), (self.budget_released, chart.budget_released),
            (self.request_clicked, chart.request_clicked), (self.span_chosen, chart.span.chosen),
            (self.strategy_clicked, chart.strategy_clicked),
            (self.request_pointed, chart.request_pointed),
        ):  # fmt: skip
            its.connect(ours)
        focused = self.hasFocus()
        self.setFocusProxy(chart)
        self._frame.hide()  # kept: Qt and Python do not agree on who deletes a widget that left its layout
        self._frame.setObjectName("")
        self._column.addWidget(chart)
        chart.show()
        if focused:
            chart.setFocus()
        chart.set_window(*self._window)
        if self._state is not None:
            chart.refresh(self._state, Changed.ALL)
        self.hold(self._held)
        self.loaded.emit()

    def ahead(self, state: State) -> Iterator[None]:
        """Makes a state ready that will be shown, a step at each turn."""
        return self.chart.model.ahead(state) if self.chart is not None else iter(())

    def refresh(self, state: State, changed: Changed) -> None:
        """Hands a state on to the chart, or keeps it until there is one."""
        self._state = state
        if self.chart is not None:
            self.chart.refresh(state, changed)

    def toggle_combs(self) -> None:
        """The sizes of all strategies side by side, or of the shown one alone."""
        if self.chart is not None:
            self.chart.toggle_combs()

    def retint(self) -> None:
        """Another theme is in force."""
        if self.chart is not None:
            self.chart.retint()

    def hold(self, row: int) -> None:
        """Holds the cursor at the request of a row, whatever is selected; -1: lets it go."""
        self._held = row
        if self.chart is not None:
            from widgets.chart_held import hold

            hold(self.chart, row)

    def set_window(self, window: int, room: int) -> None:
        """The model's window and the room for its answer, in tokens; 0: no window is set."""
        self._window = (window, room)
        if self.chart is not None:
            self.chart.set_window(window, room)
