"""Rings of objects are looked for on the thread of the window alone.

Python looks for them on whatever thread happens to make an object. Here others make objects too (answers of the helper process are read on
one), and a widget that is let go on another thread than its own takes the process with it: a timer cannot be stopped from there. So nothing
is looked for by itself, and a timer of the window's thread does it, younger objects oftener than old ones, as Python has it.
"""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer

EVERY: Final = 250  # ms between two looks at the count
YOUNG: Final = 2_000  # objects made since the last look for rings; Python's own number is 700, at any time
OLDER: Final = 10  # looks at a generation before the next one is looked at, as Python has it


class Collector(QObject):
    """Python looks for no rings by itself from here on; this does, while it lives."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._looks = 0
        self._timer = QTimer(self, interval=EVERY)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        if gc.get_count()[0] < YOUNG:
            return
        self._looks += 1
        gc.collect(2 if self._looks % (OLDER * OLDER) == 0 else 1 if self._looks % OLDER == 0 else 0)
