"""The start: a first window at once, then the real one in its place.

The first window (widgets/first_window.py) is painted before anything else is imported. From then on the rest is imported and built in
steps between two turns of the event loop, so that it can be closed and clicked all the while. The real window takes over geometry and
focus, and the first one goes when the real one has been painted. What was asked of the first one is done then; of several wishes, the last.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.settings import Store
from widgets import appearance
from widgets.first_window import FirstWindow

if TYPE_CHECKING:
    from app.session import Session
    from widgets.main_window import MainWindow

PATIENCE_MS = 1_000  # after which a window that nobody shows (it was minimised) counts as painted
POLL_MS = 5
OF_SESSION = ("app.model.state", "app.session")  # in this order: each is one step
OF_WINDOW = ("widgets.actions", "widgets.block_viewer", "widgets.exchange_view", "widgets.plan_panel", "widgets.commands",
             "widgets.main_window")  # fmt: skip


class Start(QObject):
    """`built(window)`: the real window is there and not yet shown. `over`: it stands where the first one stood."""

    built = Signal(object)
    over = Signal()

    def __init__(
        self, app: QApplication, store: Store, make_session: Callable[[], Session], make_window: Callable[[Session], MainWindow]
    ) -> None:
        super().__init__(app)
        self._app, self._store, self._make_session, self._make_window = app, store, make_session, make_window
        self.first: FirstWindow | None = None
        self.window: MainWindow | None = None
        self._wish: tuple[str, object] | None = None  # a verb and what it is about
        self._steps: Iterator[int] | None = None  # gives the milliseconds until the next step
        self._ended = False

    def begin(self, paths: list[str]) -> None:
        """Shows the first window; the event loop does the rest."""
        self._app.setQuitOnLastWindowClosed(False)  # one window more or less does not end the program in between
        self.first = first = FirstWindow(self._store.value, self._store.offer)
        first.asked.connect(lambda name: self._wish_for("do", name))
        first.file_wanted.connect(lambda path: self._wish_for("open", path))
        first.pasted.connect(lambda data: self._wish_for("paste", data))
        first.closed.connect(self.end)
        first.painted.connect(lambda: QTimer.singleShot(0, self, self.painted))
        if paths:
            self.open(paths[0])
        first.show()
        QTimer.singleShot(PATIENCE_MS, self, self.painted)

    def open(self, path: str) -> None:
        """A file that was named, or that the desktop hands over."""
        if self.first is None:
            if self.window is not None:
                self.window.open(path)
            return
        self.first.show_opening(path)
        self._wish_for("open", path)

    def painted(self) -> None:
        """The first window is on the screen: from here on the rest is imported and built."""
        if self._steps is None and not self._ended:
            self._steps = self._build()
            self._go_on()

    def end(self) -> None:
        """The first window was closed by its person: that ends the program, or closes the window that stands in its place."""
        if self.window is not None:
            self.window.close()
            return
        if self.first is not None and not self._ended:
            self._store.change(geometry=bytes(self.first.saveGeometry().data()))
            self._store.close()
        self._ended = True
        self._app.quit()

    def _wish_for(self, verb: str, what: object) -> None:
        self._wish = verb, what

    # -- the steps ----------------------------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        if self._ended or self._steps is None:
            return
        try:
            pause = next(self._steps, None)
        except Exception:
            import traceback

            traceback.print_exc()
            self._ended = True
            self._app.exit(1)
            return
        if pause is not None:
            QTimer.singleShot(pause, self, self._go_on)

    def _build(self) -> Iterator[int]:
        import threading

        from widgets import icon

        assert self.first is not None
        if appearance.settle(self._app, self._store):
            self.first.retint()
        self.first.setWindowIcon(icon.icon("app"))
        # the longest import of all, and one that has nothing to do with Qt: it may run beside the window
        numpy = threading.Thread(target=_quietly_import, args=("numpy",), name="import numpy")
        numpy.start()
        while numpy.is_alive():
            yield POLL_MS
        for name in OF_SESSION:
            import_module(name)
            yield 0
        session = self._make_session()
        session.warm()  # another process: it makes itself ready while the window is built
        yield 0
        for name in OF_WINDOW:
            import_module(name)
            yield 0
        window = self._make_window(session)
        for _ in window.steps:
            yield 0
        self.window = window
        self.built.emit(window)
        window.chart.loaded.connect(session.ahead)  # the chart comes after the first paint
        window.chart.loaded.connect(lambda: gc.freeze())  # modules and widgets: to look through them for rings stops a window for 50 ms
        yield 0
        if self._wish is not None and self._wish[0] == "open":
            self._grant()  # its first rows are part of the window's first picture
        self._show(window, self.first)

    # -- from one window to the other ---------------------------------------------------------------------------------------------

    def _show(self, window: MainWindow, first: FirstWindow) -> None:
        from PySide6.QtCore import Qt  # not before the first paint: widgets/inks.py

        window.restoreGeometry(first.saveGeometry())
        if not window.windowState() & (Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen):
            window.resize(first.size())  # what was kept is fitted to the screen, and it was shown as it is
        if first.isMinimized():
            window.setWindowState(window.windowState() | Qt.WindowState.WindowMinimized)
        window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not first.isActiveWindow())
        focus = first.focusWidget()
        named = window.empty.findChild(QWidget, focus.objectName()) if focus is not None and focus.objectName() else None
        if named is not None and window.session.state.dump is None:
            named.setFocus()
        window.show()
        self._app.setQuitOnLastWindowClosed(True)
        QTimer.singleShot(PATIENCE_MS, self, self._take_away)
        handle = window.windowHandle()
        if handle.isExposed():
            window.repaint()
            QTimer.singleShot(0, self, self._take_away)
        else:
            handle.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The real window comes on the screen: Qt paints it when this has returned."""
        if event.type() == QEvent.Type.Expose:
            QTimer.singleShot(0, self, self._take_away)
        return False

    def _take_away(self) -> None:
        first, window = self.first, self.window
        if first is None or window is None:
            return
        self.first = None
        handle = window.windowHandle()
        if handle is not None:
            handle.removeEventFilter(self)
        from PySide6.QtCore import Qt

        window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)
        active = first.isActiveWindow()
        first.leave()
        if active:
            window.activateWindow()
        self.over.emit()
        if window.isVisible():
            self._grant()

    def _grant(self) -> None:
        """Does what was asked last."""
        wish, self._wish = self._wish, None
        if wish is None or self.window is None:
            return
        verb, what = wish
        if verb == "do":
            QTimer.singleShot(0, self.window, self.window.acts[str(what)].trigger)
        elif verb == "open":
            self.window.open(str(what))
        elif isinstance(what, bytes):
            self.window.paste(what)


def _quietly_import(name: str) -> None:
    """Whoever needs it and does not find it says so."""
    try:
        import_module(name)
    except ImportError:
        return
