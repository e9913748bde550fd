"""The edit list and the pins of the open file, kept beside the settings while the program runs, so that a crash does not cost them.

One small file a dump, in the folder `edits`: written a moment after each step, on a thread of its own, whole or not at all; taken away when
the window is closed or another file is opened. What a crash has left is found when the file is opened, and put aside under another name at
once (app/session_left_over.py): it is offered, the oldest first, never applied by itself, and stays until it was answered. Where the bytes
of the dump are no longer the same, that is said. Only the first window of a person keeps one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from app import session_left_over as files
from app.model.dump import Dump
from app.model.errors import InspectorError
from app.model.left_over import LeftOver
from app.model.state import Changed, State
from app.session import Session

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

REST = 100  # ms after a step before it is written: steps in a row are written once


class Journal(QObject):
    """`offered(LeftOver)`: a run that crashed left changes to the file that was opened. `take_up` lays them over it, `leave` takes them
    away; without an answer they stay."""

    offered = Signal(object)

    def __init__(self, session: Session, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._folder = session, folder / "edits"
        self._dump: Dump | None = None
        self._path = ""  # whose journal is ours
        self._kept: tuple[Any, ...] = ()  # what was written last, by identity
        self._found: files.Found | None = None  # what is offered
        self._spent: list[Path] = []  # what was taken up: it goes as soon as it stands in ours
        self._thread: ThreadPoolExecutor | None = None
        self._last: Future[None] | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._keep)
        session.changed.connect(self._look)

    # -- while it runs --------------------------------------------------------------------------------------------------------------

    def _look(self, state: State, changed: Changed) -> None:
        """A step was taken, or another file has been read and judged."""
        dump = state.dump
        if dump is None or not dump.complete or state.report is None:
            return
        if dump is not self._dump and changed & Changed.FINDINGS:
            again, self._dump = state.path == self._path, dump
            if not again:
                self._leave()
                self._path = state.path if dump.source.path is not None else ""
                self._offer(dump)
        if dump is self._dump and changed & (Changed.HISTORY | Changed.DUMP | Changed.PLAN) and self._path:
            self._rest.start()

    def _keep(self) -> None:
        """Writes what is in force, or takes the file away where nothing is."""
        dump, histories, pins = self._dump, self._session.edit_lists(), self._session.pin_lists()
        if dump is None or not self._path:
            return
        kept = (dump, len(histories), *(part for held in (histories, pins) for one in sorted(held.items()) for part in one))
        if len(kept) == len(self._kept) and all(a is b or a == b for a, b in zip(kept, self._kept, strict=True)):
            return
        self._kept = kept
        target = self._file(self._path)
        if histories or pins:
            lists = {dump.transcripts[index].id: history for index, history in histories.items()}
            held = {dump.transcripts[index].id: one for index, one in pins.items()}
            self._do(partial(files.write, target, dump.source, self._path, lists, held))
        else:
            self._do(partial(target.unlink, missing_ok=True))
        self._clear()

    def _clear(self) -> None:
        """What was answered is needed no more."""
        for file in self._spent:
            self._do(partial(file.unlink, missing_ok=True))
        self._spent = []

    def _leave(self) -> None:
        """Another file is open: the changes to the one before are gone, as their person has said. What was not answered stays."""
        if self._path:
            self._do(partial(self._file(self._path).unlink, missing_ok=True))
        self._clear()
        self._kept, self._found = (), None

    def end(self) -> None:
        """The end of a run that ended well. Returns when nothing is left to be written."""
        self._rest.stop()
        self._leave()
        self._path = ""
        if self._thread is not None:
            self._thread.shutdown(wait=True)
            self._thread = None

    def wait(self) -> None:
        """Until what was begun is on disk."""
        if self._rest.isActive():
            self._rest.stop()
            self._keep()
        if self._last is not None:
            self._last.result()

    def _do(self, act: Callable[[], object]) -> None:
        if self._thread is None:
            from concurrent.futures import ThreadPoolExecutor

            self._thread = ThreadPoolExecutor(1, "journal")
        self._last = self._thread.submit(_quietly, act)

    def _file(self, path: str) -> Path:
        return files.name_of(self._folder, path)

    # -- after a crash --------------------------------------------------------------------------------------------------------------

    def _offer(self, dump: Dump) -> None:
        """Says what a run that crashed has left for this file."""
        if not self._path or not self._folder.is_dir():
            return
        with suppress(OSError):
            files.set_aside(self._file(self._path))
        self._offer_left(dump)

    def _offer_left(self, dump: Dump) -> None:
        """The oldest that was not answered and is of these bytes; else it is said that there is one of others."""
        other: files.Found | None = None
        for file in files.left(self._file(self._path)):
            found = files.read(file)
            if found is None or file in self._spent:
                continue
            if not files.same(found.sums, dump.source):
                if files.is_old(file):
                    self._do(partial(file.unlink, missing_ok=True))
                else:
                    other = other or found
            elif files.by_index(found.lists, dump) or files.pins_by_index(found.pins, dump):
                self._found = found
                self.offered.emit(self._said(found, dump, True))
                return
        if other is not None:
            self.offered.emit(self._said(other, dump, False))

    def _said(self, found: files.Found, dump: Dump, same: bool) -> LeftOver:
        from app.pipeline.edit_list import titles

        histories = files.by_index(found.lists, dump).values() if same else found.lists.values()
        pins = sum(one.count + len(one.protected) for one in (files.pins_by_index(found.pins, dump) if same else found.pins).values())
        return LeftOver(self._path, tuple(titles(histories)), same, pins, 0 if same else files.KEPT)

    def take_up(self) -> None:
        """Lays what was offered over the file again. What was done meanwhile is put aside, and offered in its turn."""
        found, self._found, dump = self._found, None, self._dump
        if found is None or dump is None:
            return
        self.wait()
        if self._kept[1:] and self._kept[1]:  # edits of this run
            with suppress(OSError):
                files.set_aside(self._file(self._path))
        self._spent.append(found.file)
        self._session.take_pins(files.pins_by_index(found.pins, dump))
        if histories := files.by_index(found.lists, dump):
            self._session.take_up(histories)
        self._kept = ()
        self._rest.start()

    def leave(self) -> None:
        """A person does not want it: it goes, and the next one is offered."""
        found, self._found = self._found, None
        if found is not None:
            with suppress(OSError):
                found.file.unlink(missing_ok=True)
            if self._dump is not None:
                self._offer_left(self._dump)


def _quietly(act: Callable[[], object]) -> None:
    """A journal that cannot be written costs nobody their work."""
    with suppress(OSError, InspectorError):
        act()
