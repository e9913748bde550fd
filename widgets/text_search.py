"""Looks through a text of any length without holding the window: a stretch at a time, between two events."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left

from PySide6.QtCore import QObject, QTimer, Signal

from widgets.laid_text import Whole

STRETCH = 1_000_000  # characters between two events: some milliseconds
MOST = 100_000  # hits that are kept; more are counted as "and more"


class TextSearch(QObject):
    """`starts` rise. `moved()`: more is known; `done` once all was looked through. Upper and lower case are one."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.starts: array[int] = array("q")
        self.needle, self.length = "", 0
        self.done = True
        self._whole: Whole | None = None
        self._at = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)

    def begin(self, whole: Whole | None, needle: str) -> None:
        """Begins anew; "" looks for nothing. The first stretch is looked through at once."""
        self._timer.stop()
        self._whole, self.needle = whole, needle
        self.starts, self._at = array("q"), 0
        self.done = whole is None or not needle
        if self.done:
            self.moved.emit()
        else:
            assert whole is not None
            self.length = len(needle.encode("utf-8", "surrogatepass")) if whole.unit == "byte" else len(needle)
            self._look()

    def _look(self) -> None:
        whole = self._whole
        assert whole is not None
        end = min(whole.size, self._at + STRETCH)
        room = MOST - len(self.starts)
        base, last = self._at, end + self.length - 1
        for found in _find(whole.slice_for_search(base, last), self.needle, end - base):
            self.starts.append(base + found)
            room -= 1
            if room <= 0:
                break
        self._at = end
        self.done = end >= whole.size or room <= 0
        if self.done:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start(0)
        self.moved.emit()

    @property
    def more(self) -> bool:
        """Whether there are more hits than are kept."""
        return len(self.starts) >= MOST

    def next(self, place: int, backwards: bool = False) -> int:
        """Number of the hit at or behind a place (or in front of it), around the end; -1 where there is none."""
        if not self.starts:
            return -1
        index = bisect_left(self.starts, place)
        return (index - 1) % len(self.starts) if backwards else index % len(self.starts)


def _find(stretch: str | bytes, needle: str, end: int) -> list[int]:
    """Where a needle begins before `end`, whatever its case."""
    out: list[int] = []
    if isinstance(stretch, bytes):
        low, wanted = stretch.lower(), needle.encode("utf-8", "surrogatepass").lower()
        at = low.find(wanted)
        while 0 <= at < end:
            out.append(at)
            at = low.find(wanted, at + len(wanted))
        return out
    lowered, word = stretch.lower(), needle.lower()
    if len(lowered) != len(stretch) or len(word) != len(needle):  # a letter that is two in lower case: places would be off
        return [found.start() for found in re.finditer(re.escape(needle), stretch, re.IGNORECASE) if found.start() < end]
    at = lowered.find(word)
    while 0 <= at < end:
        out.append(at)
        at = lowered.find(word, at + len(word))
    return out
