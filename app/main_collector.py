"""Rings of objects are looked for on the thread of the window alone, and only the young ones while somebody uses it.

Python looks for them on whatever thread happens to make an object. Here others make objects too (answers of the helper process are read on
one), and a widget that is let go on another thread than its own takes the process with it: a timer cannot be stopped from there. So nothing
is looked for by itself, and a timer of the window's thread does it.

To look through all that the program is made of takes 50 to 60 ms, and through a hundred thousand findings as much again. So that is done
when nothing was pressed for ten seconds and nothing is under way; and what comes by the ten thousand is what a file holds, plain
values without rings: it is set aside (gc.freeze, which looks at none of it), and goes by itself when the file is closed.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

EVERY: Final = 250  # ms between two looks at the count
YOUNG: Final = 2_000  # objects made since the last look for rings; Python's own number is 700, at any time
MANY: Final = 20_000  # so many at once are of a file: one would look through them for 2 ms and more, three times
OLDER: Final = 10  # looks at the young before the next generation is looked at, as Python has it ...
REST: Final = 1.0  # s without a key or a move of the mouse before that
LONG_REST: Final = 10.0  # s before all is looked through ...
BETWEEN: Final = 600.0  # s at least between two such looks
_INPUT: Final = frozenset(
    (QEvent.Type.KeyPress, QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel, QEvent.Type.TouchUpdate)
)


class Collector(QObject):
    """Python looks for no rings by itself from here on; this does, while it lives. `parent`: the window that is used; `busy`: whether
    something is under way."""

    def __init__(self, parent: QObject | None = None, busy: Callable[[], bool] = lambda: False) -> None:
        super().__init__(parent)
        gc.disable()
        self._busy = busy
        self._watched: QObject | None = None
        self._pressed = self._whole = time.monotonic()
        self._timer = QTimer(self, interval=EVERY)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Of the window's surface: what comes in from outside, before it is handed to a widget."""
        if event.type() in _INPUT:
            self._pressed = time.monotonic()
        return False

    def _look(self) -> None:
        young, older, _ = gc.get_count()
        now = time.monotonic()
        if young >= MANY:
            gc.freeze()
        elif now - self._whole >= BETWEEN and self._rests(now, LONG_REST) and not self._busy():
            self._whole = now
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        elif young >= YOUNG:
            gc.collect(1 if older >= OLDER and self._rests(now, REST) else 0)

    def _rests(self, now: float, seconds: float) -> bool:
        """Whether nobody has pressed anything for so long."""
        window = self.parent()
        surface = window.windowHandle() if isinstance(window, QWidget) else None
        if surface is not None and surface is not self._watched:  # there is none before the window is shown
            self._watched, self._pressed = surface, now
            surface.installEventFilter(self)
        return now - self._pressed >= seconds
