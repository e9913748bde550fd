"""Composition root: puts session, settings and widgets together. Only it and its parts (main_*.py) import widgets.

`create_app` builds and does not start the event loop; `main` does, with a first window that is painted before the rest is imported
(app/main_start.py): so this module imports as little as it. `snapshot` takes a picture without showing anything (app/main_picture.py).
"""

from __future__ import annotations

import contextlib
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.main_start import Start
from app.settings import Store
from app.version import DESKTOP_ID, VERSION
from widgets import appearance, theme

if TYPE_CHECKING:
    from argparse import Namespace
    from types import TracebackType

    from app.session import Session
    from widgets.main_window import MainWindow

PROGRAM = "transcript-inspector"
INCIDENT = "--incident"
OWN_NAMES = (PROGRAM, "transcript_inspector", "__main__", "app")


def create_app(argv: Sequence[str]) -> tuple[QApplication, MainWindow]:
    """Builds everything: `argv` with or without the program's own name, then at most one file, or `--incident` for the bundled one.

    The file is opened at once, as far as its head; the rest comes in when the event loop runs.
    """
    app = _application()
    return app, _window(app, Store(), _files(argv))


def main(argv: Sequence[str]) -> int:
    """Runs the window until it is closed; `argv` without the program's own name."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    app = _application()
    missing = theme.missing_font()
    if missing:
        print(f"{PROGRAM}: {missing}", file=sys.stderr)
        return 2
    store = Store()
    appearance.guess(app, store.value)
    start = Start(app, store, lambda: _session(app, store), lambda session: _built(session, store, at_once=False))
    start.built.connect(_report_to)
    if sys.platform == "darwin":  # nobody else sends it, and a filter is asked about every event
        app.installEventFilter(_HandedOver(start))
    start.begin(_files(argv))
    return app.exec()


def _report_to(window: MainWindow) -> None:
    sys.excepthook = _reporting(window)


def incident() -> str:
    """Path of the broken session that comes with the program."""
    from importlib.resources import files

    return str(files("app").joinpath("incident", "invoice-agent-0412.json"))


def open_whole(window: MainWindow, path: str) -> None:
    """Opens a file in a window and waits until all is read, judged, counted and ranked: for pictures."""
    from app.main_picture import open_whole

    open_whole(window, path)


def snapshot(words: Namespace) -> int:
    """Writes a picture of the window on `words.file`. InspectorError, one line, where that cannot be.

    `words`: file, out, size (width, height) or None, scale, theme, budget, strategy, transcript, provider, model, mode.
    """
    from app.main_picture import snapshot

    return snapshot(words)


def _application() -> QApplication:
    found = QApplication.instance()
    app = found if isinstance(found, QApplication) else theme.made([PROGRAM])
    app.setApplicationName(PROGRAM)
    app.setApplicationDisplayName("Transcript Inspector")
    app.setApplicationVersion(VERSION)
    app.setDesktopFileName(DESKTOP_ID)
    return app


def _keep_edits(window: MainWindow, store: Store) -> None:
    """A crash keeps the edit list of the open file; the next run offers it."""
    from app.session_journal import Journal
    from widgets.left_over import offer

    journal = Journal(window.session, store.folder, window)
    journal.offered.connect(lambda left: offer(window.strip, left, journal.take_up, journal.leave))
    window.closed_well.connect(journal.end)


def _session(app: QApplication, store: Store) -> Session:
    from app.session import Session

    session = Session()
    if store.value.counter:
        session.use_counter(store.value.counter)
    app.aboutToQuit.connect(session.close)
    return session


def _built(session: Session, store: Store, keep: bool = True, at_once: bool = True) -> MainWindow:
    """Not `at_once`: whoever asks goes through the steps of the window."""
    from widgets.main_window import MainWindow

    window = MainWindow(session, store, incident(), at_once=False)
    window.steps = chain(window.steps, _beside(window, store, keep))
    if at_once:
        deque(window.steps, 0)
    return window


def _beside(window: MainWindow, store: Store, keep: bool) -> Iterator[None]:
    from app.main_collector import Collector

    yield
    Collector(window, lambda: window.session.busy)
    if store.first and keep:
        _keep_edits(window, store)


def _window(app: QApplication, store: Store, paths: Sequence[str], keep: bool = True) -> MainWindow:
    """All at once, without a first window."""
    appearance.apply(app, store.value)
    window = _built(_session(app, store), store, keep)
    if paths:
        window.open(paths[0])
    if sys.platform == "darwin":
        app.installEventFilter(_HandedOver(window))
    return window


class _Opens(Protocol):
    def open(self, path: str) -> None: ...


class _HandedOver(QObject):
    """A file that a Mac's Finder or Dock hands over comes as an event (QFileOpenEvent), not as a word of the call."""

    def __init__(self, window: _Opens) -> None:
        super().__init__(window if isinstance(window, QObject) else None)
        self._window = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self._window.open(event.file())
            return True
        return False


def _files(argv: Sequence[str]) -> list[str]:
    """The files named; `--incident` stands for the bundled one."""
    words = list(argv)
    if words and (words[0] == sys.argv[0] or Path(words[0]).stem in OWN_NAMES):
        words = words[1:]
    return [incident() if word == INCIDENT else word for word in words if word == INCIDENT or not word.startswith("-")]


def _reporting(window: MainWindow) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """An error of ours inside a slot: written to standard error, and one line in the window, which goes on."""

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        import traceback

        traceback.print_exception(kind, error, trace)
        with contextlib.suppress(RuntimeError):  # the window is gone
            window.fail(f"Something went wrong in this program ({kind.__name__}: {error}). The file is untouched.")

    return report
