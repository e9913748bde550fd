"""The helper process: its queue and its loop. What it does stands in app/desk.py; it counts tokens whenever nothing else is asked.

One thread reads jobs, so that a cancel or a newer load is seen while work is under way; all else is one loop.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from typing import IO, Any

from app import heap, jobs
from app.desk import Desk, Glance, Slice, Step
from app.worker import NOTHING, Shared, read, write


class Queue:
    """Jobs as they come in, the superseded ones left out; a thread fills it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._jobs: queue.Queue[jobs.Job | None] = queue.Queue()
        self._newest = -1
        self._cancelled = -1
        self._cancels = self._heeded = 0  # how often something was cancelled; how many of these have had their turn
        self._serial = -1  # of the newest analysis that was asked for, in the newest generation
        self._tickets: dict[str, int] = {}  # the newest question of each name
        self.taken = 0
        self._stream = stream
        threading.Thread(target=self._fill, daemon=True, name="jobs").start()

    def _fill(self) -> None:
        while True:
            try:
                job = read(self._stream, NOTHING)
            except (EOFError, OSError):
                self._newest = sys.maxsize  # nobody is there to be answered: what is under way stops at its next look
                self._jobs.put(None)
                return
            self._newest = max(self._newest, job.generation)
            if isinstance(job, jobs.Cancel):
                self._cancelled = job.generation
                self._cancels += 1
            elif isinstance(job, jobs.Load):
                self._cancelled = min(self._cancelled, job.generation - 1)
            elif isinstance(job, jobs.Analyse):
                self._serial = job.serial
            elif isinstance(job, jobs.Ask):
                self._tickets[job.about] = job.ticket
            self._jobs.put(job)

    def wanted(self, generation: int) -> bool:
        """Whether what is being done is; a cancel stops what was asked before it, and nothing that is asked afterwards."""
        return generation >= self._newest and (generation > self._cancelled or self._cancels == self._heeded)

    def current(self, job: jobs.Ask) -> bool:
        """Whether a question is the newest of its name, about the order that was analysed last."""
        return self.wanted(job.generation) and job.serial >= self._serial and job.ticket >= self._tickets.get(job.about, 0)

    def pressing(self) -> bool:
        """Whether a job waits."""
        return not self._jobs.empty()

    def next(self, wait: bool) -> list[jobs.Job] | None:
        """The jobs that are there; waits for one if asked to. None: the other side has gone. `taken` counts all that ever came."""
        try:
            got = [self._jobs.get(block=wait)]
        except queue.Empty:
            return []
        while True:
            try:
                got.append(self._jobs.get_nowait())
            except queue.Empty:
                break
        self.taken += len(got)
        cancels = [number for number, job in enumerate(got) if isinstance(job, jobs.Cancel)]
        self._heeded += len(cancels)
        return None if None in got else newest([job for job in got[cancels[-1] if cancels else 0 :] if job is not None])


def newest(waiting: list[jobs.Job]) -> list[jobs.Job]:
    """Leaves out what a later job makes pointless: an older load and all that is about it, an older analysis, an older plan."""
    last = {(type(job), _name(job)): i for i, job in enumerate(waiting)}
    loads = [i for i, job in enumerate(waiting) if isinstance(job, jobs.Load)]
    first = loads[-1] if loads else 0
    kept = (jobs.Load, jobs.Analyse, jobs.Rank, jobs.Commit, jobs.Explain, jobs.Ask, jobs.Count, jobs.Survey, jobs.Seek)
    return [
        job for i, job in enumerate(waiting)
        if i >= first and (not isinstance(job, kept) or last[type(job), _name(job)] == i)
    ]  # fmt: skip


def _name(job: jobs.Job) -> str | None:
    """What tells two jobs of one kind apart."""
    return getattr(job, "strategy", None) or getattr(job, "about", None)


def main() -> int:
    """The loop of the helper process: jobs from standard input, answers to standard output, what libraries print to standard error."""
    heap.keep()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    shared = Shared()

    def say(answer: Any) -> None:
        try:
            write(out, answer, shared)
        except BrokenPipeError:
            os._exit(0)
        if isinstance(answer, jobs.Loaded):
            assert desk.dump is not None
            shared.hold(desk.dump)

    waiting = Queue(sys.stdin.buffer)
    desk = Desk(say, waiting.wanted, waiting.pressing, waiting.current)
    import app.pipeline.load  # what every file needs first
    from app.formats import FORMATS

    assert app.pipeline.load
    list(FORMATS)  # imports them all
    warm = False
    while True:
        got = waiting.next(wait=warm and not desk.counting and not desk.rounds.going and not desk.asked.going)
        if got is None:
            return 0
        for job in got:
            desk.do(job)
        if got:
            if any(isinstance(job, jobs.Load | jobs.Analyse | jobs.Rank) for job in got):
                desk.rest()
            say(jobs.Idle(desk.generation, waiting.taken))
        elif not warm:
            warm = _warm()
        elif desk.asked.going:
            desk.do(Step(desk.generation))
        elif desk.rounds.going:
            desk.do(Glance(desk.generation))
        elif desk.counting:
            desk.do(Slice(desk.generation))


def _warm() -> bool:
    """Imports what comes after the reading of a file, while nothing is asked."""
    import app.pipeline.apply
    import app.pipeline.check
    import app.pipeline.count
    import app.pipeline.plan
    import app.pipeline.rank
    import app.pipeline.view

    assert app.pipeline
    return True
