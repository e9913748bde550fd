"""Following a file that is still being written: it is read again beside what is on screen, and takes its place in one go.

The old rows stay, and where one stands in them. Changes are kept where the file only grew, for then every row is still the row it was;
a file that was written anew is not taken in over changes.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from PySide6.QtCore import QTimer

from app import jobs
from app.model.dump import Dump
from app.model.edits import History
from app.model.errors import InspectorError
from app.model.pins import Pins
from app.model.source import Source
from app.model.state import Changed
from app.model.transcript import Transcript
from app.session_pins import Pinning

WATCH = 2000  # ms between two looks at whether the open file is still the one that was read
REST = 5  # a file is read again no sooner than so many times what reading it took last
MOST_FAILURES = 3  # readings in a row after which a person is told
EDGE = 1 << 16  # bytes at both ends of what was there that are compared


@dataclass(eq=False)
class _Growing:
    """A newer state of the open file, on its way to the screen."""

    source: Source
    appended: bool
    since: float
    dump: Dump | None = None
    chosen: int = 0
    gone: bool = False  # the transcript on screen is not in the newer file


class Follows(Pinning):
    """`follow` switches it; what the file does is looked at every other second whether or not it is followed."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._growing: _Growing | None = None
        self._edges: Edges | None = None  # of the file as it was read
        self._not_before = 0.0
        self._failures = 0
        self._watch = QTimer(self, interval=WATCH)
        self._watch.timeout.connect(self._look_at_file)
        self._watch.start()

    def follow(self, on: bool) -> None:
        """Whether what comes into the file is taken in by itself."""
        if on != self.state.following:
            self._set(Changed.PROGRESS, following=on)
            if on:
                self._look_at_file()

    def _look_at_file(self) -> None:
        """Says once when the open file is no longer what was read; what is on screen stays, an export from it is refused. A file that is
        followed is read again."""
        state = self.state
        if self.asking("in_place"):
            return  # it is we who write
        if self._source is None or state.dump is None or not state.dump.complete or self._growing is not None or not self._source.changed():
            return
        if state.following and time.monotonic() >= self._not_before and not self._waiting - {"Count", "Survey", "Seek"}:
            if self._take_in():
                return
        elif state.following:
            return  # soon
        self._say_changed()

    def _say_changed(self) -> None:
        if not self.state.changed_on_disk:
            self._set(Changed.PROGRESS, changed_on_disk=True)
            drops = " and drops your changes" if self.edit_lists() else ""
            self.failed.emit(f"{self.state.path}: the file has changed since it was read. F5 reads it again{drops}.")

    def _kept_row(self, source: Source, path: str) -> int:
        """The selected row, where a file is read anew that begins as it did: it is the same block then. -1 else."""
        state, edges = self.state, self._edges
        same = state.path == path and edges is not None and edges.begins(source) and state.dump is not None
        return state.selected if same and state.dump is not None and state.selected < len(state.dump.table) else -1

    def _take_in(self) -> bool:
        """Has the file read again; False where that would cost changes."""
        assert self._source is not None
        try:
            source = Source.open(self.state.path)
        except InspectorError:
            return False
        appended = self._edges is not None and self._edges.grew(source)
        edited = self.state.history.can_undo or self.state.history.can_redo
        if not appended and (edited or any(history.active for history in self._histories.values())):
            source.close()
            return False
        self._generation += 1
        self._growing = _Growing(source, appended, time.monotonic())
        self._waiting = set()
        self._ask(jobs.Load(self._generation, self.state.path, self.state.path, None, self._hint))
        return True

    def _given_up(self, why: str) -> bool:
        """Whether it was a newer state that could not be read: a document is half-written for a moment. What is on screen stays; what
        remains unreadable is said once."""
        growing, self._growing = self._growing, None
        if growing is None:
            return False
        growing.source.close()
        self._not_before = time.monotonic() + WATCH / 1000
        self._failures += 1
        if self._failures == MOST_FAILURES:
            self.failed.emit(f"{why} What is on screen is the file as it was.")
        return True

    def _grown(self, answer: jobs.Loaded) -> None:
        """The newer state was read: it is judged before anybody sees it."""
        growing, state = self._growing, self.state
        assert growing is not None
        assert isinstance(answer.dump, Dump)
        self._waiting.discard("Load")
        self._failures = 0
        if not growing.appended and (state.history.can_undo or state.history.can_redo):  # changed while it was being read
            self._growing = None
            growing.source.close()
            self._say_changed()
            return
        if answer.stamp != growing.source.stamp:  # it has grown again meanwhile
            growing.source.close()
            growing.source = Source.open(state.path)
        dump = growing.dump = answer.dump
        stand_in = dump.table.extra.get("stand_in")
        if stand_in is not None:
            growing.source.stand(stand_in)
        dump.source = growing.source
        moved = {old: new for old, one in enumerate(state.dump.transcripts if state.dump else []) if (new := place(one, dump)) >= 0}
        growing.chosen = moved.get(state.chosen, dump.opened)
        histories = {moved[old]: history for old, history in self._histories.items() if old in moved}
        self._histories = histories
        self._pins = {moved[old]: pins for old, pins in self._pins.items() if old in moved} if growing.appended else {}
        self._serial += 1
        growing.gone = state.chosen not in moved
        history = History() if growing.gone else state.history
        pins = self._pins.get(growing.chosen, Pins())
        judge = (state.provider, state.model, state.mode, state.counter)
        self._ask(jobs.Analyse(self._generation, self._serial, growing.chosen, history.active, *judge, pins))

    def _shown_now(self) -> dict[str, Any]:
        """What of the state is new once the newer dump was judged; nothing where none is on its way."""
        growing, self._growing = self._growing, None
        if growing is None or growing.dump is None:
            return {}
        old = self.state.dump
        before = sum(old.records.values()) if old is not None else 0
        self._source, self._edges = growing.source, Edges.of(growing.source)
        spent = time.monotonic() - growing.since
        self._not_before = time.monotonic() + REST * spent
        came = max(0, sum(growing.dump.records.values()) - before)
        return {
            "dump": growing.dump, "chosen": growing.chosen, "base": growing.dump.transcripts[growing.chosen], "changed_on_disk": False,
            "survey": None, "came_in": self.state.came_in + came, "history": History() if growing.gone else self.state.history,
        }  # fmt: skip


@dataclass(frozen=True)
class Edges:
    """What tells whether a file only grew: its inode and size, checksums of its head and of its end, whether its last line is whole.
    What is appended to half a line makes another record of it."""

    inode: int
    size: int
    head: int
    tail: int
    whole: bool

    @classmethod
    def of(cls, source: Source) -> Edges | None:
        """None for what is no file, or for one that a text stands for."""
        if source.path is None or source.stand_in is not None:
            return None
        head, tail = _sums(source, source.size)
        return cls(source.stamp.inode, source.size, head, tail, source.read(source.size - 1, 1) == b"\n" if source.size else True)

    def begins(self, new: Source) -> bool:
        """Whether a newer state begins with this one."""
        return new.size >= self.size and _sums(new, self.size) == (self.head, self.tail)

    def grew(self, new: Source) -> bool:
        """Whether a newer state is this one and more behind it."""
        same = new.stamp.inode == self.inode and new.size > self.size and self.whole
        return same and _sums(new, self.size) == (self.head, self.tail)


def _sums(source: Source, size: int) -> tuple[int, int]:
    edge = min(EDGE, size)
    return crc32(source.read(0, edge)), crc32(source.read(size - edge, edge))


def place(one: Transcript, dump: Dump) -> int:
    """The index of the transcript of a newer dump that goes on with one; -1 where none does."""
    return next((index for index, other in enumerate(dump.transcripts) if other.id == one.id), -1)


