"""What a session asks of the helper process, and the plumbing of the answers: generations, serials, what is under way.

An answer that belongs to an older dump (its *generation*) or an older order (its *serial*) is dropped. `_take_NAME` takes the answer of
that name; who asks has it beside the question.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app import jobs
from app.model.edits import History
from app.model.pins import Pins
from app.model.source import Source, stamp_of
from app.model.state import Changed, Progress, State
from app.session_reads import Reads
from app.worker import Died, Worker


def _ahead() -> None:
    """None of it is needed for the first paint, and all of it for the first file: 0.3 s that nobody should wait for twice."""
    import numpy.ma  # a tenth of a second, by the first `unique`

    import app.pipeline.count
    import app.pipeline.load
    import app.pipeline.look
    import app.pipeline.view
    import app.presets
    from app.formats import FORMATS

    assert app.pipeline
    assert numpy.ma
    list(FORMATS)  # imports them all


SLOW = 500  # ms after which what is under way is said
LABELS = {
    "Try": "working out the repair of", "Commit": "applying the plan to", "Explain": "looking for the place in",
    "Analyse": "judging",
}  # fmt: skip


class Helper(Protocol):
    """What the session needs of a worker; tests hand in one that answers in this process."""

    def start(self) -> None: ...
    def send(self, job: Any) -> None: ...
    def stop(self) -> None: ...


class Asks(Reads):
    """`changed(State, Changed)`: another state and what of it is new. `failed(str)`: one line for the person."""

    changed = Signal(object, object)  # State, Changed
    failed = Signal(str)
    _answered = Signal(object)

    def __init__(self, parent: QObject | None = None, worker: Callable[[Callable[[Any], None]], Helper] = Worker) -> None:
        super().__init__(parent)
        self.state = State()
        self._generation = 0
        self._serial = 0  # of what was asked to be analysed last; answers on an older order are dropped
        self._source: Source | None = None
        self._paste: bytes | None = None
        self._hint: str | None = None
        self._histories: dict[int, History] = {}
        self._pins: dict[int, Pins] = {}  # by transcript
        self._sent = 0  # jobs that the helper process got in its life
        self._waiting: set[str] = set()  # kinds of jobs that are under way
        self._tickets = 0  # questions asked so far
        self._newest: dict[str, int] = {}  # the newest ticket of each question
        self._deaths = 0
        self._orphaned = False  # no helper process holds what is shown: its file was no longer that when it was to be read once more
        self._slow = QTimer(self, singleShot=True, interval=SLOW)
        self._slow.timeout.connect(self._say_slow)
        self._answered.connect(self._take)
        self._worker = worker(self._answered.emit)

    @property
    def busy(self) -> bool:
        """Whether anything that was asked for is still to come, exact counts included."""
        return bool(self._waiting)

    def warm(self) -> None:
        """Starts the helper process, so that the first file finds it ready."""
        self._worker.start()

    def ahead(self) -> None:
        """Imports what the first file needs here, while the window waits for one; to be called when the window is painted."""
        threading.Thread(target=_ahead, daemon=True, name="imports").start()

    def close(self) -> None:
        self._worker.stop()

    def _ask(self, job: jobs.Job) -> None:
        self._waiting.add(type(job).__name__)
        if type(job).__name__ in LABELS and not self._slow.isActive():
            self._slow.start()
        self._tell(job)

    def _tell(self, job: jobs.Job) -> None:
        """Sends a job that has no answer."""
        if isinstance(job, jobs.Load):
            self._orphaned = False
        elif self._orphaned and not isinstance(job, jobs.Seek | jobs.Cancel):
            self._refuse(job)
            return
        self._sent += 1
        self._worker.send(job)

    def _set(self, what: Changed, **changes: Any) -> None:
        self.state = self.state.with_(**changes)
        self.changed.emit(self.state, what)

    def _take(self, answer: Any) -> None:
        if isinstance(answer, Died):
            self._revive(answer)
            return
        if isinstance(answer, jobs.Idle):
            self._take_idle(answer)
            return
        if answer.generation != self._generation:
            return
        serial = getattr(answer, "serial", self._serial)
        if serial == self._serial:
            getattr(self, f"_take_{type(answer).__name__.lower()}")(answer)
            self._slow_ended()

    # -- what takes longer than one waits without a word ------------------------------------------------------------------------------

    def _say_slow(self) -> None:
        """What is under way for half a second is said, with a way to stop it where nothing hangs on it."""
        under_way = next((kind for kind in LABELS if kind in self._waiting), None)
        if under_way is not None and self.state.progress is None and self.state.report is not None:
            self._set(Changed.PROGRESS, progress=Progress(LABELS[under_way], None, under_way != "Analyse"))

    def _slow_ended(self) -> None:
        said = self.state.progress
        kinds = {kind for kind, label in LABELS.items() if said is not None and label == said.label}
        if kinds and not kinds & self._waiting:
            self._set(Changed.PROGRESS, progress=None)

    def _stop_slow(self) -> bool:
        """Gives up what was said to be slow: its answer is dropped when it comes. Whether there was such a thing."""
        said = self.state.progress
        kinds = {kind for kind, label in LABELS.items() if said is not None and label == said.label} & self._waiting - {"Analyse"}
        if not kinds:
            return False
        self._waiting -= kinds
        self._set(Changed.PROGRESS, progress=None)
        return True

    def _revive(self, died: Died) -> None:
        """A dead helper costs what was under way and nothing else: the file is read again, changes stay."""
        self._waiting.clear()
        self._sent = 0
        self._deaths += 1
        state = self.state
        if self._deaths > 2 or not state.path:
            self.failed.emit(f"The helper process ended ({died.why}) and is not started again for this file; open it again to retry.")
            self._set(Changed.PROGRESS, progress=None)
            return
        if state.dump is not None and state.dump.complete and self._source is not None and self._source.changed():
            self._orphan(f"The helper process ended ({died.why}). ")
            return
        self.failed.emit(f"The helper process ended ({died.why}); a new one reads the file once more. Your changes are kept.")
        self._read_again()

    def _read_again(self) -> None:
        path = self.state.path
        self._ask(jobs.Load(self._generation, path if self._paste is None else None, path, self._paste, self._hint))

    def _orphan(self, why: str = "") -> None:
        """The file is not what was read: changes name places in what was, and are not laid over another. All stays as it is shown."""
        self._orphaned = True
        self._waiting.clear()
        name, state = os.path.basename(self.state.path), self.state
        came = "is gone" if stamp_of(state.path) is None else "has changed since it was read"
        edited = state.history.layers or any(history.layers for history in self._histories.values())
        what = "Your changes wait" if edited else "What is shown stays"
        self.failed.emit(f"{why}{name} {came}. {what} until it is as it was; F5 reads it anew.")
        self._set(Changed.PROGRESS, progress=None, changed_on_disk=True)

    def _refuse(self, job: jobs.Job) -> None:
        """What was asked of a helper process that does not hold the dump: where the file is as it was again, it is read first."""
        about = f"Ask {job.about}" if isinstance(job, jobs.Ask) else type(job).__name__
        self._waiting.discard(about)
        if self._source is not None and not self._source.changed():
            self._set(Changed.PROGRESS, changed_on_disk=False)
            self._read_again()
        elif not isinstance(job, jobs.Ask):
            QTimer.singleShot(0, self, lambda: self._orphan() if self._orphaned else None)  # unless it is being read again by then

    def _take_progressed(self, answer: jobs.Progressed) -> None:
        if self.state.report is not None and self.state.following:
            return  # what is taken in while one reads takes nobody's view
        self._set(Changed.PROGRESS, progress=Progress(answer.label, answer.fraction))

    def _take_idle(self, answer: jobs.Idle) -> None:
        """Nothing is left but counting, where nothing was asked since: jobs that a later one superseded have no answer of their own."""
        if answer.done == self._sent:
            self._waiting = {kind for kind in self._waiting if kind in ("Count", "Survey", "Seek") or kind.startswith("Ask ")}
            self._slow_ended()

    # -- the transcript as it stands now --------------------------------------------------------------------------------------------

    def _analyse(self) -> None:
        state = self.state
        if state.dump is None or not state.dump.complete:
            return
        self._serial += 1
        self._waiting = {kind for kind in self._waiting if kind not in ("Rank", "Commit", "Try", "Explain") and not kind.startswith("Ask ")}
        layers = state.history.active
        pins = self._pins.get(state.chosen, Pins())
        self._ask(
            jobs.Analyse(self._generation, self._serial, state.chosen, layers, state.provider, state.model, state.mode, state.counter, pins)
        )
