"""Delta debugging: as few of some things as still show a fault.

Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (IEEE TSE 28(2), 2002): chunks are taken away while the fault
is still there, ever smaller ones where it is not. One thing is left out at a time in the end, so no single one can go.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Patience:
    """How long one may go on. `wanted`: asked before each trial; False ends it as well. `trials` counts them."""

    def __init__(self, seconds: float, wanted: Callable[[], bool] = lambda: True, progress: Callable[[float], None] | None = None) -> None:
        self._seconds, self._wanted, self._progress = seconds, wanted, progress
        self._started = time.monotonic()
        self.trials = 0
        self.ended = False

    def more(self) -> bool:
        """Counts a trial; False, for good, where time is up or nobody waits any more."""
        spent = time.monotonic() - self._started
        self.ended = self.ended or spent > self._seconds or not self._wanted()
        if self.ended:
            return False
        self.trials += 1
        if self._progress is not None:
            self._progress(min(1.0, spent / self._seconds))
        return True


def shrunk(things: Sequence[T], still: Callable[[list[T]], bool], patience: Patience) -> list[T]:
    """The things that are left. `still(some)` says whether some of them, in their order, show the fault; all of them do."""
    left = list(things)
    if not left or (patience.more() and still([])):
        return []
    parts = 2
    while left and not patience.ended:
        size = -(-len(left) // parts)
        for start in range(0, len(left), size):
            rest = left[:start] + left[start + size :]
            if not patience.more():
                return left
            if len(rest) < len(left) and still(rest):
                left, parts = rest, max(parts - 1, 2)
                break
        else:
            if size <= 1:
                break
            parts = min(len(left), parts * 2)
    return left
