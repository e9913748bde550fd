"""Somebody at the window: real drops, keys and clicks on the real program; each of them is a step, and steps are counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.session import Session
from app.settings import Store
from tests.inline import Inline
from widgets.main_window import MainWindow

PATIENCE = 30_000  # ms


class Person:
    """`steps` so far. Waiting is none."""

    def __init__(self, qtbot: QtBot, folder: Path, real: bool = False) -> None:
        """`real`: with a helper process, as the program has it."""
        self.qtbot = qtbot
        self.session = Session() if real else Session(worker=Inline)
        self.session._count_exactly = False
        self.window = MainWindow(self.session, Store(folder / "settings"), "")
        qtbot.addWidget(self.window)
        self.window.resize(1440, 900)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.steps = 0

    @property
    def state(self) -> Any:
        return self.session.state

    def drop(self, path: Path) -> None:
        """A file from the desktop."""
        self.steps += 1
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        at, copy, left, none = QPointF(700, 400), Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(self.window, QDragEnterEvent(at.toPoint(), copy, data, left, none))
        QApplication.sendEvent(self.window, QDropEvent(at, copy, data, left, none))

    def press(self, keys: str) -> None:
        """A key, in the words of QKeySequence, wherever the focus is."""
        self.steps += 1
        combination = QKeySequence(keys)[0]
        QTest.keyClick(self.focus, combination.key(), combination.keyboardModifiers())

    def type(self, text: str) -> None:
        self.steps += 1
        QTest.keyClicks(self.focus, text)

    def click(self, name: str) -> None:
        """A button by its objectName, in whichever window is in front."""
        self.steps += 1
        made = next(
            one for top in QApplication.topLevelWidgets() for one in top.findChildren(QAbstractButton, name) if one.isVisible()
        )  # fmt: skip
        assert made.isEnabled(), name
        QTest.mouseClick(made, Qt.MouseButton.LeftButton)

    @property
    def focus(self) -> QWidget:
        return QApplication.focusWidget() or self.window

    def wait(self, ready: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(ready()), timeout=PATIENCE)

    def quiet(self) -> None:
        """Until all that was asked for has come."""
        self.wait(lambda: self.state.report is not None and not self.session.busy)

    def leave(self) -> None:
        self.window._leave = True
        self.window.close()
        self.session._watch.stop()
