"""A question whose work is one long call: done on a thread, so that whatever else is asked is answered meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.desk import Desk

LOOK = 0.05  # s between two looks at whether it is done


class NoLonger(Exception):
    """Nobody waits any more."""


class Care:
    """What the work asks on its way. `progress` notes how far it is, and raises NoLonger where nobody waits."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.fraction: float | None = None

    def wanted(self) -> bool:
        return not self.stopped.is_set()

    def progress(self, fraction: float) -> None:
        self.fraction = fraction
        if self.stopped.is_set():
            raise NoLonger


def threaded(desk: Desk, work: Callable[[Care], Any]) -> Generator[Any, None, Any]:
    """Does `work(care)` and returns what it gives; an error of it is raised here. Closed before its end, it waits until the work has seen
    that: nothing then reads a dump that is about to be let go."""
    care, came = Care(), list[Any]()

    def run() -> None:
        try:
            came.append((True, work(care)))
        except BaseException as error:  # it is raised again where it is looked for
            came.append((False, error))

    thread = threading.Thread(target=run, name="question", daemon=True)
    thread.start()
    told: float | None = None
    try:
        while thread.is_alive():
            thread.join(LOOK)
            if care.fraction is not None and care.fraction != told:
                told = care.fraction
                desk.progress(told)
            yield None
    finally:
        care.stopped.set()
        thread.join()
    good, value = came[0]
    if not good:
        raise value
    return value
