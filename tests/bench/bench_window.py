"""The whole window at scale: a step of the drag from the budget to the last pixel, every key and every menu entry.

The session is the real one with nobody at the other end of the helper's pipe; its state is made, so that no file of a gigabyte is needed.
CPU time of the window's thread, for the machine may be shared: offscreen nothing is waited for.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.model.state import Changed, State
from app.pipeline import count
from app.pipeline.names import provider_named
from app.pipeline.rank import rank
from app.pipeline.weigh import weigh
from app.session import Session
from app.settings import Store
from tests.bench.measuring import line, note, p95
from tests.widgets.huge import huge_state
from widgets import appearance, theme

DRAGGED = ("evict-exchanges", "stub-tool-results")
FRAME_MS = 16
KEY_MS = 100
MOVES = 120
SLOWEST = 8  # keys and entries that are named
# What opens a dialog of its own, ends the program or needs a file; a dialog waits for a person and not for us.
LEFT_OUT = ("file.", "help.", "edit.find")
KEYS = [
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Left,
    Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Delete, Qt.Key.Key_Backspace,
    *(Qt.Key(k) for k in range(Qt.Key.Key_A, Qt.Key.Key_Z + 1)), *(Qt.Key(k) for k in range(Qt.Key.Key_0, Qt.Key.Key_9 + 1)),
]  # fmt: skip


class Nobody:
    """A helper that never answers."""

    pid = None

    def start(self) -> None: ...
    def send(self, job: Any) -> None: ...
    def stop(self) -> None: ...


def window_on(app: QApplication, blocks: int, folder: str) -> Any:
    from widgets.main_window import MainWindow

    session, store = Session(worker=lambda receive: Nobody()), Store(Path(folder))
    appearance.apply(app, store.value)  # as a start does: the first change of theme is none of setting style and sheet
    window = MainWindow(session, store, "")
    window.resize(1440, 900)
    window.show()
    window.chart.load()
    state = ranked(huge_state(blocks))
    session.state = state
    session.block = lambda row: state.dump.table.extra["blocks"](row)  # type: ignore[method-assign, union-attr]
    session.changed.emit(state, Changed.ALL)
    settle(app)
    return window


def ranked(state: State) -> State:
    """With the rankings of the two families that are dragged here: one that takes a prefix, one in another order."""
    assert state.view is not None
    provider = provider_named("anthropic")
    weigh(state.view, state.tokens, provider)  # type: ignore[arg-type]
    totals = count.totals(state.view, state.tokens, provider)  # type: ignore[arg-type]
    return state.with_(totals=totals, rankings={name: rank(state.view, [(name, {})], provider) for name in DRAGGED})


def settle(app: QApplication) -> None:
    for _ in range(5):
        app.processEvents()


def timed(app: QApplication, act: Callable[[], object], window: Any) -> float:
    """Milliseconds from the act until everything that it made dirty is painted."""
    start = time.thread_time()
    act()
    app.processEvents()
    return (time.thread_time() - start) * 1000


def drag(app: QApplication, window: Any, name: str) -> list[float]:
    session = window.session
    session.show_strategy(name)
    now = session.state.now
    settle(app)
    session.set_budget(now - 1)
    settle(app)
    return [timed(app, lambda b=now - now * k // (MOVES + 20): session.set_budget(b), window) for k in range(1, MOVES)]


def keys(app: QApplication, window: Any) -> list[tuple[float, str]]:
    """Each key in the list as it is opened to the last block, from the top and from the middle."""
    times = []
    view = window.list.view if hasattr(window.list, "view") else window.list
    for key in KEYS:
        for modifier in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
            view.setFocus()
            took = timed(app, lambda k=key, m=modifier: QTest.keyClick(view, k, m), window)
            times.append((took, f"{key.name}{'+Shift' if modifier != Qt.KeyboardModifier.NoModifier else ''}"))
    return times


def entries(app: QApplication, window: Any) -> list[tuple[float, str]]:
    times = []
    for action in window.findChildren(QAction):
        name = action.objectName()
        if not name or name.startswith(LEFT_OUT) or not action.isEnabled():
            continue
        times.append((timed(app, action.trigger, window), name))
        settle(app)  # what waits for a moment of rest is not the next one's
    return times


def main(argv: list[str]) -> int:
    app = QApplication.instance() or theme.made(["bench"])
    assert isinstance(app, QApplication)
    short = 0
    with tempfile.TemporaryDirectory() as folder:
        for blocks in (100_000, 1_000_000):
            window = window_on(app, blocks, folder)
            for name in DRAGGED:
                worst = p95(drag(app, window, name))
                if blocks == 100_000:
                    short |= line(f"drag step, {name}, {blocks:,} blocks, p95", worst, FRAME_MS, " ms")
                else:
                    note(f"drag step, {name}, {blocks:,} blocks, p95", worst, " ms")
            if blocks == 1_000_000:
                window.session.set_budget(None)
                window.list.set_level(3)
                settle(app)
                pressed, chosen = keys(app, window), entries(app, window)
                for took, name in sorted(pressed + chosen)[: -SLOWEST - 1 : -1]:
                    note(name, took, " ms")
                short |= line(f"slowest of {len(pressed)} keys at {blocks:,} blocks ({max(pressed)[1]})", max(pressed)[0], KEY_MS, " ms")
                short |= line(f"slowest of {len(chosen)} menu entries ({max(chosen)[1]})", max(chosen)[0], KEY_MS, " ms")
            window.session.close()
            window.hide()
            window.deleteLater()
            settle(app)
    return short


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
