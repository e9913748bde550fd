"""The edit list of the open file, kept beside the settings while the program runs, so that a crash does not cost it.

One small file a dump, in the folder `edits`: written a moment after each step, on a thread of its own, whole or not at all; taken away when
the window is closed or another file is opened. Found when a file is opened, it is offered, never applied by itself; where the bytes of the
dump are no longer the same, that is said and nothing is offered. Only the first window of a person keeps one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from PySide6.QtCore import QObject, QTimer, Signal

from app.model.dump import Dump
from app.model.edits import History
from app.model.errors import InspectorError
from app.model.left_over import LeftOver
from app.model.source import Source
from app.model.state import Changed, State
from app.session import Session

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

FORMAT = 1
REST = 100  # ms after a step before it is written: steps in a row are written once
EDGE = 1 << 16  # bytes at both ends of a dump that are compared
MOST = 64 << 20  # bytes of a journal that is read


class Journal(QObject):
    """`offered(LeftOver)`: a run that crashed left changes to the file that was opened. `take_up` lays them over it."""

    offered = Signal(object)

    def __init__(self, session: Session, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._folder = session, folder / "edits"
        self._dump: Dump | None = None
        self._path = ""  # whose journal is ours
        self._kept: tuple[Any, ...] = ()  # what was written last, by identity
        self._found: dict[int, History] = {}
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
        if dump is self._dump and changed & (Changed.HISTORY | Changed.DUMP) and self._path:
            self._rest.start()

    def _keep(self) -> None:
        """Writes what is in force, or takes the file away where nothing is."""
        dump, histories = self._dump, self._session.edit_lists()
        if dump is None or not self._path:
            return
        kept = (dump, *(part for one in sorted(histories.items()) for part in one))
        if len(kept) == len(self._kept) and all(a is b or a == b for a, b in zip(kept, self._kept, strict=True)):
            return
        self._kept = kept
        target = self._file(self._path)
        if not histories:
            if not self._found:  # what is offered stays until it is taken up or something else is done
                self._do(lambda: target.unlink(missing_ok=True))
            return
        self._found = {}
        ids = {index: dump.transcripts[index].id for index in histories}
        path = self._path
        self._do(lambda: _write(target, dump.source, path, {ids[index]: history for index, history in histories.items()}))

    def _leave(self) -> None:
        """Another file is open: the changes to the one before are gone, as their person has said."""
        if self._path and not self._found:
            target = self._file(self._path)
            self._do(lambda: target.unlink(missing_ok=True))
        self._kept, self._found = (), {}

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
        return self._folder / f"{blake2b(str(Path(path).absolute()).encode('utf-8', 'surrogateescape'), digest_size=12).hexdigest()}.json"

    # -- after a crash --------------------------------------------------------------------------------------------------------------

    def _offer(self, dump: Dump) -> None:
        """Says what a run that crashed has left for this file."""
        from app.pipeline.edit_list import titles

        target = self._file(self._path)
        found = _read(target)
        if found is None:
            return
        same = found["sums"] == _sums(dump.source)
        histories = _by_index(found["transcripts"], dump) if same else {}
        if same and histories:
            self._found = histories
            self.offered.emit(LeftOver(self._path, tuple(titles(histories.values())), True))
        elif not same and found["transcripts"]:
            self.offered.emit(LeftOver(self._path, tuple(titles(found["transcripts"].values())), False))
            self._do(lambda: target.unlink(missing_ok=True))

    def take_up(self) -> None:
        """Lays what was offered over the file again."""
        found, self._found = self._found, {}
        if found:
            self._session.take_up(found)


def _quietly(act: Callable[[], object]) -> None:
    """A journal that cannot be written costs nobody their work."""
    with suppress(OSError, InspectorError):
        act()


def _write(target: Path, source: Source, path: str, histories: dict[str, History]) -> None:
    from app.pipeline import atomic
    from app.pipeline.edit_list import written

    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lists = {name: written(history) for name, history in histories.items()}
    value = {"format": FORMAT, "path": path, "sums": _sums(source), "transcripts": lists}
    atomic.write(target, [json.dumps(value).encode()], lambda temporary: temporary.chmod(0o600))  # it may hold what a tool answered


def _read(target: Path) -> dict[str, Any] | None:
    from app.pipeline.edit_list import read

    try:
        if target.stat().st_size > MOST:
            return None
        value = json.loads(target.read_bytes())
        if value["format"] != FORMAT:
            return None
        lists = {name: history for name, one in value["transcripts"].items() if (history := read(one)) is not None}
        return {"sums": value["sums"], "transcripts": lists}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _by_index(lists: dict[str, History], dump: Dump) -> dict[int, History]:
    """The lists by index of their transcript, as far as these are there and have the rows that are spoken of."""
    from app.pipeline.edit_list import highest

    return {
        index: lists[one.id]
        for index, one in enumerate(dump.transcripts)
        if one.id in lists and lists[one.id].layers and highest(lists[one.id]) < len(dump.table)
    }


def _sums(source: Source) -> list[int]:
    """What tells the bytes of a dump: how many, when they were written, checksums of both ends."""
    file = source.file()
    size = source.stamp.size
    edge = min(EDGE, size)
    return [size, source.stamp.mtime_ns, crc32(file.read(0, edge)), crc32(file.read(size - edge, edge))]
