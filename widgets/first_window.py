"""The first window: painted before the rest of the program is imported, and taken away when the real one stands in its place.

It has the geometry, the menus' titles, the empty view and the keys of the real one (widgets/main_window.py). What a person asks of it is
told by signals, for somebody to keep until it can be done (app/main_start.py). Nothing may be imported here that needs numpy, the
session or the table of actions (tests/packaging/test_start.py).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app.settings import Settings
from widgets import theme
from widgets.arrangement import BAR, LEAST, column, first_size
from widgets.drops import taken
from widgets.empty_view import EmptyView, heading
from widgets.first_actions import INCIDENT, MENUS, OPEN, PASTE, QUIT, SEEK
from widgets.labels import Hairline, Word
from widgets.visible import line

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent

PROGRAM = "Transcript Inspector"


class FirstWindow(QMainWindow):
    """`painted` once. `asked(id)` an action, `file_wanted(path)`, `pasted(bytes)` a text that was dropped, `closed` by its person."""

    painted = Signal()
    asked = Signal(str)
    file_wanted = Signal(str)
    pasted = Signal(object)
    closed = Signal()

    def __init__(self, kept: Settings, offer: str = "") -> None:
        super().__init__()
        self.setObjectName("firstWindow")
        self.setWindowTitle(PROGRAM)
        self.setAcceptDrops(True)
        self.setMinimumSize(LEAST)
        self._leaving = False
        self.acts = {row.id: row.action(self) for row in (OPEN, SEEK, PASTE, INCIDENT, QUIT)}
        self.empty = EmptyView(self.acts, self)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._opening: Word | None = None
        self._lay_out()
        for name, action in self.acts.items():
            self.addAction(action)
            action.triggered.connect(self.close if name == QUIT.id else partial(self._ask, name))
        self.empty.file_wanted.connect(self._want)
        self.empty.show_recent(kept.recent)
        self.empty.offer(offer)
        self.resize(first_size())
        if kept.geometry:
            self.restoreGeometry(QByteArray(kept.geometry))
        self.empty.setFocus()

    def _lay_out(self) -> None:
        if QGuiApplication.platformName() != "cocoa":  # there the menus are not the window's
            self.menuBar().setNativeMenuBar(False)
            for name in MENUS:
                self.menuBar().addAction(f"&{name}")
        bar = QWidget()
        bar.setFixedHeight(theme.scaled(BAR))
        ground = _Ground(self)
        below = column(ground)
        for band in (bar, Hairline()):
            below.addWidget(band)
        below.addWidget(self._pages, 1)
        self.setCentralWidget(ground)

    def show_opening(self, path: str) -> None:
        """In place of the ways in: which file is going to be opened."""
        if self._opening is None:
            from PySide6.QtCore import Qt

            self._opening = Word()
            heading(self._opening)
            page = QWidget()
            below = QVBoxLayout(page)
            below.addWidget(self._opening, 0, Qt.AlignmentFlag.AlignCenter)
            self._pages.addWidget(page)
        self._opening.setText(f"Opening {line(Path(path).name, 80)}…")
        self._pages.setCurrentIndex(1)

    def retint(self) -> None:
        """The theme is another one than was guessed."""
        self.empty.retint()
        if self._opening is not None:
            heading(self._opening)

    def leave(self) -> None:
        """Another window stands in its place."""
        self._leaving = True
        self.close()
        self.deleteLater()

    def _ask(self, name: str) -> None:
        self._say_busy()
        self.asked.emit(name)

    def _say_busy(self) -> None:
        from PySide6.QtCore import Qt  # not before the first paint: widgets/inks.py

        self.setCursor(Qt.CursorShape.BusyCursor)

    def _want(self, path: str) -> None:
        self.show_opening(path)
        self.file_wanted.emit(path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        taken(event)

    def dropEvent(self, event: QDropEvent) -> None:
        what = taken(event)
        if what is None:
            return
        if isinstance(what, str):
            self._want(what)
        else:
            self._say_busy()
            self.pasted.emit(what)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if not self._leaving:
            self._leaving = True
            self.closed.emit()


class _Ground(QWidget):
    """What all stands on; says once that it was painted."""

    def __init__(self, window: FirstWindow) -> None:
        super().__init__()
        self._window: FirstWindow | None = window

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._window is not None:
            window, self._window = self._window, None
            window.painted.emit()
