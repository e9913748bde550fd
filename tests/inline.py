"""A helper that answers in the tests' own process, a turn of the event loop later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QTimer

from app import jobs
from app.desk import Desk, Step


class Inline:
    """A worker for `Session(worker=Inline)`: jobs are done in order, questions go on between them, nothing is counted."""

    def __init__(self, receive: Callable[[Any], None]) -> None:
        self._newest: dict[str, int] = {}
        self._desk = Desk(receive, current=lambda job: job.ticket >= self._newest.get(job.about, 0))
        self._going = False

    def start(self) -> None: ...

    def stop(self) -> None:
        self._desk.asked.stop()

    def send(self, job: Any) -> None:
        if isinstance(job, jobs.Ask):
            self._newest[job.about] = job.ticket
        if not isinstance(job, jobs.Count):
            QTimer.singleShot(0, lambda: self._do(job))

    def _do(self, job: Any) -> None:
        self._desk.do(job)
        self._go_on()

    def _go_on(self) -> None:
        if self._desk.asked.going and not self._going:
            self._going = True
            QTimer.singleShot(0, self._step)

    def _step(self) -> None:
        self._going = False
        if self._desk.asked.going:
            self._desk.do(Step(self._desk.generation))
            self._go_on()
