"""Holding a key shows the file as it is: list, block and verdict without plan, preview and changes, until the key is let go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

from app.model.state import Changed, State

if TYPE_CHECKING:
    from widgets.main_window import MainWindow

SHOWN = Changed.TRANSCRIPT | Changed.FINDINGS | Changed.PLAN | Changed.PREVIEW | Changed.TOKENS
_ENDS = (QEvent.Type.KeyRelease, QEvent.Type.MouseButtonPress, QEvent.Type.ApplicationStateChange, QEvent.Type.WindowDeactivate)


class Blink(QObject):
    """`begin` on the press of the key; its release, a click or another window ends it. Events are looked at only while it is held."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._opened: State | None = None  # the open transcript before all changes, with its report
        self.held = False

    def refresh(self, state: State, changed: Changed) -> None:
        """Keeps what the transcript was before the first change."""
        if not state.history.active and state.preview is None and state.report is not None:
            self._opened = state
        elif self._opened is not None and (self._opened.dump is not state.dump or self._opened.chosen != state.chosen):
            self._opened = None
        if self.held and changed & SHOWN:
            self.end()

    def begin(self) -> None:
        window, state = self._window, self._window.session.state
        if self.held or state.view is None:
            return
        self.held = True
        bare = {"plan": None, "preview": None, "ghosts": (), "selected": state.selected}
        opened = self._opened
        shown = (opened if state.history.active and opened is not None else state).with_(**bare)
        judged = (shown.provider, shown.model, shown.mode) == (state.provider, state.model, state.mode)
        if shown.view is not state.view:
            window.list.refresh(shown, SHOWN)
        window.list.show_as_is(True)
        window.viewer.show_as_is(True, shown)
        window.strip.show_as_is(shown, judged)
        QGuiApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def end(self) -> None:
        if not self.held:
            return
        self.held = False
        QGuiApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        window = self._window
        window.list.show_as_is(False)
        window.list.refresh(window.session.state, SHOWN)
        window.viewer.show_as_is(False, window.session.state)
        window.strip.show_as_is(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) and isinstance(event, QKeyEvent) and event.isAutoRepeat():
            return True
        if kind in _ENDS and not (isinstance(event, QKeyEvent) and (event.isAutoRepeat() or event.key() != Qt.Key.Key_B)):
            self.end()
        return False
