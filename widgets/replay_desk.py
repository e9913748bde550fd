"""The tab of the replay, made when it is first looked at, and the scrubber: what the model saw at a request.

The scrubber is the chart's cursor, held: while it is, the rows that the request did not carry are greyed in the list, and the arrow keys of
the chart (and its clicks) move it. A strategy that is open in the replay is asked what the request would have carried under it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from app.model.replay import Run, seen_at
from app.model.state import Changed, State
from widgets.words import counted, full

if TYPE_CHECKING:
    from widgets.main_window import MainWindow
    from widgets.replay_panel import ReplayPanel


class ReplayDesk:
    """`panel` is None until its tab is looked at. `column`: the request that is looked at, -1 none."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._session = window, window.session
        self.panel: ReplayPanel | None = None
        self.page = QWidget()
        self.page.setObjectName("replayPage")
        self.page.setAccessibleName("Replay")
        self._place = QVBoxLayout(self.page)
        self._place.setContentsMargins(0, 0, 0, 0)
        self._run: Run | None = None
        self.column = -1
        self._set = (0, 0)

    def attach(self, tabs: QTabWidget) -> None:
        tabs.addTab(self.page, "Replay")
        tabs.setTabToolTip(tabs.indexOf(self.page), "The session request by request: what each strategy would have sent, and what it costs")
        tabs.currentChanged.connect(lambda _: self._make() if tabs.currentWidget() is self.page else None)
        window = self._window
        window.plan.window_set.connect(self.set_window)
        window.chart.request_pointed.connect(self._pointed)

    def _make(self) -> None:
        if self.panel is not None:
            return
        from widgets.replay_panel import ReplayPanel

        window = self._window
        self.panel = panel = ReplayPanel(self._session, window.store.value.replay)
        panel.set_window(*self._set)
        panel.row_wanted.connect(window.show_row)
        panel.chosen.connect(self._chose)
        panel.remember.connect(lambda text: window.store.change(replay=text))
        self._place.addWidget(panel)
        self.page.setFocusProxy(panel.table)

    def show(self) -> None:
        """The tab in front, with the keyboard."""
        self._window.tabs.setCurrentWidget(self.page)
        assert self.panel is not None
        (self.panel.table if self.panel.replay is not None else self.panel.start).setFocus()

    def set_window(self, window: int, room: int) -> None:
        self._set = (window, room)
        if self.panel is not None:
            self.panel.set_window(window, room)

    def refresh(self, state: State, changed: Changed) -> None:
        if self.panel is not None:
            self.panel.refresh(state, changed)
        if changed & (Changed.DUMP | Changed.TRANSCRIPT) and (self.column >= 0 or state.seen is not None):
            self.end()

    def retint(self) -> None:
        if self.panel is not None:
            self.panel.retint()

    # -- what the model saw -----------------------------------------------------------------------------------------------------------

    def toggle(self) -> None:
        """Holds the chart's cursor where it is, or lets it go."""
        if self.column >= 0:
            self.end()
            return
        state, view = self._session.state, self._session.state.view
        if view is None:
            return
        at = view.at(state.selected) if state.selected >= 0 else -1
        step = int(view.groups.step[at]) if at >= 0 else -1
        if step < 0 and at >= 0:  # a prompt: the request that carried it first
            step = int((view.groups.step_first <= at).sum())
        self._look(step if at >= 0 else view.groups.steps)

    def end(self) -> None:
        self.column = -1
        self._window.chart.hold(-1)
        self._session.look_at(None)
        self._window.status.refresh(self._session.state, Changed.HISTORY)

    def _pointed(self, row: int) -> None:
        """The chart's cursor was moved, by key or click: to a request's first row; -1: taken away."""
        if self.column < 0:
            return
        view = self._session.state.view
        at = view.at(row) if view is not None and row >= 0 else -1
        if view is None or at < 0:
            self.end()
            return
        step = int(view.groups.step[at])
        self._look(step if step >= 0 and view.groups.step_first[step] == at else view.groups.steps)

    def _chose(self, run: Run | None) -> None:
        """Another strategy is open in the replay."""
        self._run = run if run is not None and run.left is not None else None
        if self.column >= 0:
            self._look(self.column)

    def _look(self, column: int) -> None:
        view = self._session.state.view
        assert view is not None
        self.column = min(max(column, 0), view.groups.steps)
        seen = seen_at(view, self.column, self._run)
        steps = view.groups.steps
        row = int(view.rows[view.groups.step_first[self.column]]) if self.column < steps else -2
        self._session.look_at(seen)
        self._window.chart.hold(row)
        name = view.groups.step_label(self.column) if self.column < steps else "the next request"
        under = f" under {seen.strategy}" if seen.strategy else ""
        tokens = f", {full(int(view.tokens[seen.mask].sum()))} tokens" if view.tokens is not None else ""
        self._window.status.say(f"seen at {name}{under}: {full(seen.blocks)} of {counted(len(view), 'block')}{tokens} · S ends it")
