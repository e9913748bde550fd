"""Questions under way in the helper process (app/questions/). The newest of a name counts; long ones go on between other jobs."""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from app import jobs
from app.model.errors import InspectorError
from app.questions import question

if TYPE_CHECKING:
    from app.desk import Desk


class Asked:
    """`say` takes answers; `current` tells whether a question is still the newest of its name, on the newest order."""

    def __init__(self, say: Callable[[Any], None], current: Callable[[jobs.Ask], bool] = lambda job: True) -> None:
        self._say, self._current = say, current
        self._running: dict[str, tuple[jobs.Ask, Generator[Any, None, Any]]] = {}
        self.job: jobs.Ask | None = None  # what is being answered at this moment

    @property
    def going(self) -> bool:
        return bool(self._running)

    def stop(self) -> None:
        """Nothing of what is under way is wanted any more."""
        for _, run in self._running.values():
            run.close()
        self._running.clear()

    def wanted(self) -> bool:
        """Whether anybody still waits for what is being answered."""
        return self.job is not None and self._current(self.job)

    def progress(self, fraction: float | None) -> None:
        """Tells how far the question is that is being answered: 0 to 1, None where nobody knows."""
        if self.job is not None:
            self._say(jobs.Heard(self.job.generation, self.job.serial, self.job.about, fraction, self.job.ticket))

    def begin(self, desk: Desk, job: jobs.Ask) -> None:
        """Answers at once, or has it go on between other jobs."""
        held = self._running.pop(job.about, None)
        if held is not None:
            held[1].close()
        if not job.on or not self._current(job):
            return
        done, result = self._try(job, lambda: (True, question(job.about)(desk, *job.what)))
        if isinstance(result, GeneratorType):
            self._running[job.about] = job, result
        elif done:
            self._answer(job, result)

    def step(self) -> None:
        """Goes on with the question that was asked first, up to its next `yield`."""
        about, (job, run) = next(iter(self._running.items()))
        del self._running[about]  # it stays out if it failed, and else goes to the end of the line
        if not self._current(job):
            run.close()
            return
        done, part = self._try(job, lambda: _next(run))
        if done is False:
            self._running[about] = job, run
        if part is not None or done:
            self._answer(job, part, done is True)

    def _try(self, job: jobs.Ask, act: Callable[[], tuple[bool, Any]]) -> tuple[bool | None, Any]:
        """Whether it has ended, and what came of it. (None, None) where it failed: an expected failure is the question's own answer."""
        self.job = job
        try:
            return act()
        except InspectorError as error:
            self._answer(job, None, error=str(error))
            return None, None
        except Exception as error:
            self._answer(job, None, error=f"{job.about} failed ({type(error).__name__}: {error}); please report it")
            raise
        finally:
            self.job = None

    def _answer(self, job: jobs.Ask, answer: Any, done: bool = True, error: str = "") -> None:
        if self._current(job):
            self._say(jobs.Answered(job.generation, job.serial, job.about, job.what, answer, done, error, job.ticket))


def _next(run: Generator[Any, None, Any]) -> tuple[bool, Any]:
    """Whether it has ended, and the value yielded or returned."""
    try:
        return False, next(run)
    except StopIteration as stop:
        return True, stop.value
