"""Says when the first window has been painted (the variable is 1) or the real one in its place (whole), and ends the program: how a start
is measured (tests/bench/bench_bundle.py).

Both programs that are compared are measured by the same words: the real one, and `bare.py`. Not used unless a person sets the variable.
"""

from __future__ import annotations

import os

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

ASKED = "TRANSCRIPT_INSPECTOR_FIRST_PAINT"
WHOLE = os.environ.get(ASKED) == "whole"


class Watch(QObject):
    """Sees the events of a window until it is painted; of the real one all of them, since its panels cover it."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and (not WHOLE or (watched.isWidgetType() and watched.window().objectName() == "mainWindow")):
            QTimer.singleShot(0, self._painted)
        return False

    def _painted(self) -> None:
        os.write(1, b"painted\n")
        os._exit(0)


def watch(window: QWidget) -> None:
    """To be called before a window is shown. The first one is watched by itself: a filter of the whole program makes Python objects of
    everything that an event is sent to, which costs a quarter of a start and is no part of one."""
    app = QCoreApplication.instance()
    assert app is not None
    (app if WHOLE else window).installEventFilter(Watch(app))
