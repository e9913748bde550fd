"""The list of exchanges alone, at a million blocks: repaint, toggle, levels, jumps, filters, a drag, and every key; and at 100,000 blocks
the frame budget of scroll, jump, toggle, filter and drag.

CPU time of the thread that paints, from the act until all that it made dirty is painted. For scale it is also said how long the same
machine needs to draw the words of 40 plain rows, six to a row, in the same minute.
"""

from __future__ import annotations

import gc
import itertools
import os
import statistics
import sys
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.model.filter import Filter
from app.model.state import Changed, State
from app.pipeline.filter_columns import Scope
from app.pipeline.filter_mask import mask
from app.pipeline.filter_read import read
from tests.bench.measuring import line, note, p95
from tests.widgets.fake_session import FakeSession
from tests.widgets.huge import huge_state
from tests.widgets.planning import evict_exchanges, planned
from widgets import theme
from widgets.exchange_view import ExchangeView

PAINT_MS, FRAME_MS, LARGE_MS, KEY_MS = 9, 16, 33, 100
BLOCKS, FRAME_BLOCKS = 1_000_000, 100_000
FILTERS = (
    "tool == bash", "", "tool == read_file && tokens > 4000", "kind == result || tokens > 10k", "span == r500..r900", "", "finding", "",
    "kind != text && carried > 1m", "",
)  # fmt: skip
_Key = Qt.Key
MOVES = (_Key.Key_Home, _Key.Key_End, _Key.Key_PageUp, _Key.Key_PageDown, _Key.Key_Up, _Key.Key_Down, _Key.Key_Left, _Key.Key_Right,
         _Key.Key_Return, _Key.Key_Enter, _Key.Key_Space, _Key.Key_Tab, _Key.Key_Backtab, _Key.Key_Escape, _Key.Key_Delete,
         _Key.Key_Backspace, _Key.Key_Asterisk, _Key.Key_Plus, _Key.Key_Minus)  # fmt: skip
RANGES = ((_Key.Key_A, _Key.Key_Z), (_Key.Key_0, _Key.Key_9), (_Key.Key_F1, _Key.Key_F12))
KEYS = (*MOVES, *(_Key(k) for first, last in RANGES for k in range(first, last + 1)))


class Timed(ExchangeView):
    """A list that tells when each of its pictures was done, in seconds of the thread."""

    painted: list[float] = []

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.painted.append(time.thread_time())


class Listed:
    """A list on a made state, and what an act on it costs."""

    def __init__(self, blocks: int, app: QApplication) -> None:
        self.app, self.state = app, huge_state(blocks)
        self.view = Timed(FakeSession(self.state))
        self.view.resize(1000, 900)
        self.view.refresh(self.state, Changed.ALL)
        self.view.show()
        self.settle()
        gc.freeze()  # as the window does

    def settle(self) -> None:
        for _ in range(4):
            self.app.processEvents()

    def took(self, act: Callable[[], object]) -> float:
        """Milliseconds until everything is painted."""
        start = time.thread_time()
        act()
        self.view.viewport().repaint()
        self._finish()
        return (time.thread_time() - start) * 1000

    def _finish(self) -> None:
        idle = 0
        while idle < 2:
            self.app.processEvents()
            idle = 0 if self.view.unfinished else idle + 1

    def frame(self, act: Callable[[], object]) -> float:
        """Milliseconds of the longest frame: from the act to the first picture after it, or from one picture to the next, with all that
        is done between, until nothing in view is still to be painted."""
        self.view.painted = []
        start = time.thread_time()
        act()
        self.view.viewport().repaint()
        self._finish()
        ends = [start, *self.view.painted[:-1], time.thread_time()]
        return max(end - begin for begin, end in itertools.pairwise(ends)) * 1000

    def frames(self, act: Callable[[], object], rounds: int) -> list[float]:
        return [self.frame(act) for _ in range(rounds)]

    def times(self, act: Callable[[], object], rounds: int) -> list[float]:
        return [self.took(act) for _ in range(rounds)]

    def jump(self, at: float) -> None:
        bar = self.view.verticalScrollBar()
        bar.setValue(round(at * bar.maximum()))

    def filters(self) -> list[float]:
        """Expressions put in force and taken back, each from the reading of its text to the last pixel."""
        out = []
        scope = Scope(self.state.view, self.state.report) if self.state.view is not None else None  # kept while the rows are the same
        for _ in range(2):
            for text in FILTERS:
                out.append(self.frame(lambda text=text, scope=scope: self.view.refresh(self._filtered(text, scope), Changed.FILTER)))
        return out

    def _filtered(self, text: str, scope: Scope | None) -> State:
        tree, view = read(text), self.state.view
        if tree is None or scope is None or view is None:
            return self.state.with_(filter=None)
        found = mask(tree, scope)
        tokens = int(view.tokens[found].sum()) if view.tokens is not None else 0
        return self.state.with_(filter=Filter(text, tree, found, tokens, None, None, np.flatnonzero(found)))

    def drag(self, moves: int = 60) -> list[float]:
        ranking, now = evict_exchanges(self.state), self.state.now
        states = [planned(self.state, ranking, now - now * k // (moves + 10)) for k in range(1, moves)]
        return [self.frame(lambda s=state: self.view.refresh(s, Changed.PLAN)) for state in states]


def plain_rows() -> float:
    """Milliseconds for 40 rows of six words."""
    picture = QPixmap(1000, 900)
    start = time.thread_time()
    with QPainter(picture) as painter:
        for row in range(40):
            words = (f"E{row}", "x", f"which of my invoices are overdue {row}", "3 req", f"{row * 1000:,}", "drop")
            for x, text in zip((60, 110, 188, 456, 620, 800), words, strict=True):
                painter.drawText(x, row * 22 + 16, text)
    return (time.thread_time() - start) * 1000


def keys(listed: Listed) -> tuple[float, str]:
    """The slowest of all keys, pressed plainly, with Shift and with Ctrl, in the middle of a list that is open to its blocks."""
    worst = (0.0, "")
    view = listed.view
    for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier):
        for key in KEYS:
            view.set_level(3)
            view.go(view.rows.rowCount() // 2)
            view.setFocus()
            listed.settle()
            took = listed.took(lambda k=key, m=modifier: QTest.keyClick(view, k, m))
            worst = max(worst, (took, f"{key.name.removeprefix('Key_')}, {modifier.name}"))
    return worst


def main(argv: list[str]) -> int:
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme.apply(app, "light")
    listed = Listed(BLOCKS, app)
    view, rng = listed.view, np.random.default_rng(1)
    note(f"drawing the words of 40 plain rows, {BLOCKS:,} blocks follow", statistics.median(plain_rows() for _ in range(20)), " ms")
    short = 0
    for level, name in ((1, "exchanges"), (2, "steps"), (3, "blocks")):
        view.set_level(level)
        listed.jump(0.4)
        listed.settle()
        short |= line(f"repaint, open to {name}, median", statistics.median(listed.times(lambda: None, 30)), PAINT_MS, " ms")
    listed.took(lambda: view.set_level(1))
    short |= line(
        "expand all, median",
        statistics.median(listed.times(lambda: view.set_level(3 if view.rows.rowCount() < BLOCKS else 1), 15)),
        FRAME_MS,
        " ms",
    )
    view.set_level(3)
    view.go(view.rows.layout.row_of_top(40_000) if view.rows.layout else 0)
    listed.times(lambda: view.toggle(view.current_row()), 2)  # the rows that it shows are read once
    short |= line("toggle one, p95", p95(listed.frames(lambda: view.toggle(view.current_row()), 30)), FRAME_MS, " ms")
    listed.filters()
    short |= line("filter, p95", p95(listed.filters()), LARGE_MS, " ms")
    note("jump to rows never seen, median", statistics.median(listed.times(lambda: listed.jump(rng.random()), 30)), " ms")
    note("wheel step, p95", p95(listed.times(lambda: view.verticalScrollBar().setValue(view.verticalScrollBar().value() + 66), 40)), " ms")
    note("drag step, p95", p95(listed.drag()), " ms")
    took, which = keys(listed)
    short |= line(f"slowest of {3 * len(KEYS)} keys ({which})", took, KEY_MS, " ms")
    view.hide()
    view.deleteLater()
    return short | frames(Listed(FRAME_BLOCKS, app), rng)


def frames(listed: Listed, rng: np.random.Generator) -> int:
    """The frame budget at 100,000 blocks."""
    view, short = listed.view, 0
    view.set_level(3)
    view.go(view.rows.layout.row_of_top(4_000) if view.rows.layout else 0)
    listed.times(lambda: view.toggle(view.current_row()), 2)
    bar = view.verticalScrollBar()
    acts: tuple[tuple[str, Callable[[], list[float]]], ...] = (
        ("scroll", lambda: listed.frames(lambda: bar.setValue(bar.value() + 66), 60)),
        ("jump", lambda: listed.frames(lambda: listed.jump(rng.random()), 40)),
        ("toggle", lambda: listed.frames(lambda: view.toggle(view.current_row()), 40)),
        ("filter", listed.filters),
        ("drag", listed.drag),
    )
    whole = statistics.median(listed.times(lambda: listed.jump(rng.random()), 30))
    note(f"jump to rows never seen, {FRAME_BLOCKS:,} blocks, until all is painted, median", whole, " ms")
    for name, act in acts:
        short |= line(f"{name}, {FRAME_BLOCKS:,} blocks, p95", p95(act()), FRAME_MS, " ms")
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
