"""The first window, and the real one in its place: what a person does in between is done, and closing ends it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app import main
from app.main_start import Start
from app.settings import Store
from tests.conftest import ROOT
from widgets import appearance, theme
from widgets.first_window import FirstWindow

REQUEST = '{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"hello"}]}'


@pytest.fixture
def start(qapp: QApplication, fresh_settings: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """A start that has not begun. Its windows and its helper process end with the test; the application of all tests goes on."""
    monkeypatch.setattr(QApplication, "quit", lambda *_: None)
    store = Store()
    appearance.apply(qapp, store.value)
    made = Start(qapp, store, lambda: main._session(qapp, store), lambda session: main._built(session, store, at_once=False))
    yield made
    made._ended = True
    if made.first is not None:
        made.first.leave()
    if made.window is not None:
        made.window._leave = True
        made.window.close()
        made.window.deleteLater()
    qapp.setQuitOnLastWindowClosed(True)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "request.json"
    path.write_text(REQUEST)
    return path


def begun(start: Start, qtbot: QtBot, *paths: str) -> FirstWindow:
    """The first window, and nothing of the real one yet."""
    start.begin(list(paths))
    assert start.first is not None
    assert start.first.isVisible()
    assert start.window is None
    return start.first


def over(start: Start, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: start.window is not None and start.first is None, timeout=30_000)
    assert start.window is not None
    assert start.window.isVisible()


def test_the_first_window_is_replaced_by_the_real_one(start: Start, qtbot: QtBot, qapp: QApplication) -> None:
    first = begun(start, qtbot)
    first.resize(1111, 777)
    paste = first.findChild(QPushButton, "button.file.paste")
    assert paste is not None
    paste.setFocus()
    assert not qapp.quitOnLastWindowClosed()
    over(start, qtbot)
    assert start.window is not None
    assert (start.window.width(), start.window.height()) == (1111, 777)
    assert start.window.focusWidget().objectName() == "button.file.paste"
    assert qapp.quitOnLastWindowClosed()
    assert [one.objectName() for one in qapp.topLevelWidgets() if one.isVisible()] == ["mainWindow"]
    assert start.window.session._worker.pid is not None  # type: ignore[attr-defined]  # the helper process was started ahead


def test_it_is_the_real_empty_window_but_for_what_stands_in_the_bar(start: Start, qtbot: QtBot) -> None:
    first = begun(start, qtbot)
    qtbot.waitUntil(first.isActiveWindow)
    before = first.grab().toImage()
    over(start, qtbot)
    assert start.window is not None
    after = start.window.grab().toImage()
    bar = start.window.bar
    top = bar.mapTo(start.window, bar.rect().topLeft()).y()
    assert before.size() == after.size()
    assert before.copy(0, 0, before.width(), top) == after.copy(0, 0, after.width(), top)
    below = top + bar.height()
    assert before.copy(0, below, before.width(), before.height()) == after.copy(0, below, after.width(), after.height())


@pytest.mark.parametrize("way", ["click", "key"])
def test_what_was_asked_early_is_done_later(start: Start, qtbot: QtBot, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    built = start._make_window

    def make(session: object) -> object:
        window = built(session)  # type: ignore[arg-type]
        assert list(window.steps)  # it is made in steps
        monkeypatch.setattr(window.commands, "run", done.append)
        for name in ("file.open", "file.paste"):
            window.acts[name].triggered.disconnect()
            window.acts[name].triggered.connect(lambda _=False, name=name: done.append(name))
        return window

    start._make_window = make  # type: ignore[assignment]
    first = begun(start, qtbot)
    qtbot.waitUntil(first.isActiveWindow)
    if way == "click":
        qtbot.mouseClick(first.findChild(QPushButton, "button.file.open"), Qt.MouseButton.LeftButton)  # type: ignore[no-untyped-call]
    else:
        qtbot.keyClick(first, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)  # type: ignore[no-untyped-call]
    assert done == []
    over(start, qtbot)
    qtbot.waitUntil(lambda: bool(done))
    assert done == ["file.open" if way == "click" else "file.paste"]


def test_a_broken_session_is_shown_when_asked_for_early(start: Start, qtbot: QtBot) -> None:
    first = begun(start, qtbot)
    qtbot.mouseClick(first.findChild(QPushButton, "button.file.incident"), Qt.MouseButton.LeftButton)  # type: ignore[no-untyped-call]
    over(start, qtbot)
    assert start.window is not None
    qtbot.waitUntil(lambda: start.window is not None and start.window.session.state.dump is not None, timeout=30_000)
    assert start.window.session.state.path == main.incident()


def test_a_named_file_is_opened(start: Start, qtbot: QtBot, dump: Path) -> None:
    first = begun(start, qtbot, str(dump))
    assert first._opening is not None
    assert first._opening.isVisible()
    assert first._opening.text() == "Opening request.json…"
    assert not first.empty.isVisible()
    over(start, qtbot)
    assert start.window is not None
    assert start.window.session.state.path == str(dump)
    qtbot.waitUntil(lambda: start.window is not None and start.window.session.state.report is not None, timeout=30_000)


def test_a_file_that_is_dropped_early_is_opened(start: Start, qtbot: QtBot, dump: Path) -> None:
    first = begun(start, qtbot)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(dump))])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    first.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, left, none))
    over(start, qtbot)
    assert start.window is not None
    assert start.window.session.state.path == str(dump)


def test_a_file_that_the_desktop_hands_over_is_opened_early_and_late(start: Start, qtbot: QtBot, dump: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(REQUEST)
    begun(start, qtbot)
    start.open(str(dump))
    over(start, qtbot)
    assert start.window is not None
    assert start.window.session.state.path == str(dump)
    start.open(str(other))
    assert start.window.session.state.path == str(other)


def test_closed_early_nothing_is_built(start: Start, qtbot: QtBot) -> None:
    first = begun(start, qtbot)
    first.resize(1000, 700)
    first.close()
    assert start._ended
    start.painted()
    assert start._steps is None
    assert start.window is None
    assert Store().first  # the lock was given back
    assert Store().value.geometry  # and how it stood is kept


EARLY = """
import os, sys, threading
from PySide6.QtCore import QTimer
from app import __main__, main_start
pids = []
step = main_start.Start._go_on
def go_on(self):
    step(self)
    if WHEN == "built" and "app.session" in sys.modules:
        from app.session_asks import Helper
        from app.worker import Worker
        if not hasattr(Worker, "kept"):
            start, Worker.kept = Worker.start, True
            Worker.start = lambda self: (start(self), pids.append(self.pid))
    if self.first is not None and (WHEN == "painted" or pids):
        self.first.close()
main_start.Start._go_on = go_on
status = __main__.main([])
print(status, *pids, flush=True)
sys.exit(status)
"""


BROKEN = """
import sys
from app import main
def broken(*_, **__):
    raise ZeroDivisionError("by nought")
main._built = broken
sys.exit(main.main([]))
"""


def program(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("when", ["painted", "built"])
def test_closing_early_ends_the_program_well_and_its_helper_process(when: str) -> None:
    code = EARLY.replace("WHEN", repr(when))
    done = program(code)
    assert done.returncode == 0, done.stderr
    status, *pids = done.stdout.split()
    assert status == "0"
    assert len(pids) == (1 if when == "built" else 0)
    for pid in pids:
        assert gone(int(pid))
    assert "Traceback" not in done.stderr


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_an_error_of_ours_ends_a_start_and_says_so() -> None:
    done = program(BROKEN)
    assert done.returncode == 1
    assert "ZeroDivisionError: by nought" in done.stderr


@pytest.mark.parametrize(("kept", "look"), [({"theme": "dark"}, (True, False)), ({"desktop": "high"}, (False, True)), ({}, (False, False))])
def test_the_look_is_guessed_for_the_first_window(qapp: QApplication, fresh_settings: Path, kept: dict[str, str], look: object) -> None:
    """This desktop is light and asks for no contrast."""
    appearance.apply(qapp, Store().value)
    store = Store()
    store.change(**kept)
    made = appearance.guess(qapp, store.value)
    assert (made.dark, made.high) == look
    wrong = kept == {"desktop": "high"}
    assert appearance.settle(qapp, store) is wrong
    assert (made.dark, False) == (theme.current().dark, theme.current().high)
    assert store.value.desktop == "normal"
    theme.apply(qapp, "light")


def test_a_first_window_of_a_wrong_guess_is_put_right(start: Start, qtbot: QtBot, qapp: QApplication, dump: Path) -> None:
    start._store.change(desktop="high")
    appearance.guess(qapp, start._store.value)
    first = begun(start, qtbot, str(dump))
    assert theme.current().high
    steps = start._build()
    next(steps)
    assert not theme.current().high
    assert first.empty._title._ink == theme.current().ink
