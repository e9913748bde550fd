"""One move of the drag in chart and plan table: cut, fill, margin, labels, and the painting of all of it, offscreen. CPU time."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import partial

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.model.state import Changed, State
from tests.bench.measuring import line, note, p95
from tests.widgets import chart_rankings
from tests.widgets.huge import huge_state
from widgets import theme

TARGET = 16.0  # ms a move, p95
MOVES = 300
STRATEGIES: tuple[Callable[[State], object], ...] = (
    chart_rankings.evict_exchanges, chart_rankings.evict_steps, chart_rankings.stub_results,
)  # fmt: skip


class Bench:
    """Chart and plan panel under one state, as the window has them."""

    def __init__(self, app: QApplication, blocks: int) -> None:
        from widgets.chart_host import ChartHost
        from widgets.plan_panel import PlanPanel

        self._app = app
        self.blocks = blocks
        state = huge_state(blocks)
        rankings = [make(state) for make in STRATEGIES]
        self.state = state.with_(rankings={r.strategy: r for r in rankings})  # type: ignore[attr-defined]
        self.window = QWidget()
        column = QVBoxLayout(self.window)
        column.setContentsMargins(0, 0, 0, 0)
        self.host, self.panel = ChartHost(), PlanPanel()
        self.host.setFixedHeight(206)
        column.addWidget(self.host)
        column.addWidget(self.panel)
        self.window.resize(1440, 460)
        self.window.show()
        self.host.load()
        self.opened = self.timed(lambda: self.put(self.state, Changed.ALL))

    def choose(self, name: str) -> None:
        """Another strategy, until its fill is there."""
        self.put(self.state.with_(shown=name, budget=None, plan=None), Changed.PLAN)
        chart = self.host.chart
        assert chart is not None
        while not chart.model.ready:
            self._app.processEvents()

    def put(self, state: State, changed: Changed) -> None:
        self.state = state
        self.host.refresh(state, changed)
        self.panel.refresh(state, changed)
        self._app.processEvents()
        self._app.processEvents()  # what was put off by a zero timer, and its painting

    def timed(self, work: Callable[[], None]) -> float:
        """CPU of this thread in ms: offscreen nothing is waited for, and a busy machine does not count."""
        start = time.thread_time()
        work()
        return (time.thread_time() - start) * 1000

    def moves(self, name: str) -> list[float]:
        """A drag over nearly all budgets, there and back, as a hand does it, with jumps."""
        now = self.state.now
        way = np.concatenate([np.linspace(0.98, 0.05, MOVES // 2), np.random.default_rng(3).uniform(0.03, 0.99, MOVES // 2)])
        taken = []
        for part in way:
            budget = int(now * part)
            taken.append(self.timed(partial(self._move, name, budget)))
        return taken

    def _move(self, name: str, budget: int) -> None:
        plan = self.state.rankings[name].plan(budget)
        self.put(self.state.with_(shown=name, budget=budget, plan=plan), Changed.PLAN | Changed.CHECKED)

    def keys(self) -> float:
        """The slowest key of the chart, in ms."""
        chart = self.host.chart
        assert chart is not None
        chart.budget_dragged.connect(
            lambda n: self.put(self.state.with_(budget=n, plan=self.state.rankings[self.state.shown].plan(n)), Changed.PLAN)
        )
        keys = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_K)
        slowest = 0.0
        for key in (*keys, *keys):
            slowest = max(slowest, self.timed(partial(self._press, chart, key)))
        return slowest

    def _press(self, chart: QWidget, key: Qt.Key) -> None:
        QTest.keyClick(chart, key)
        self._app.processEvents()


def main(argv: list[str]) -> int:
    """Exit status 1 where a move at 100,000 blocks takes longer than a frame."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme.apply(app, "light")
    short = 0
    for blocks in [int(a) for a in argv] or [100_000, 1_000_000]:
        bench = Bench(app, blocks)
        note(f"{blocks:,} blocks: shown after", bench.opened, " ms")
        for name in bench.state.rankings:
            switch = bench.timed(partial(bench.choose, name))
            taken = bench.moves(name)
            note(f"{blocks:,} blocks, {name}: chosen after", switch, " ms")
            said = f"{blocks:,} blocks, {name}: a move in chart and plan table, p95"
            if blocks <= 100_000:
                short |= line(said, p95(taken), TARGET, " ms")
            else:
                note(said, p95(taken), " ms")
            note("median", sorted(taken)[len(taken) // 2], " ms")
        note(f"{blocks:,} blocks: the slowest key of the chart", bench.keys(), " ms")
        bench.window.close()
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
