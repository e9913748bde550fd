"""Says when the first window has been painted (the variable is 1) or the real one in its place (whole), and ends the program: how a start
is measured (tests/bench/bench_bundle.py).

Both programs that are compared are measured by the same words: the real one, and `bare.py`. Not used unless a person sets the variable.
"""

from __future__ import annotations

import os

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer

ASKED = "TRANSCRIPT_INSPECTOR_FIRST_PAINT"
WHOLE = os.environ.get(ASKED) == "whole"


class Watch(QObject):
    """Sees every event of the program until something of a window is painted: the window itself is not, where its panels cover it."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and watched.isWidgetType() and (not WHOLE or watched.window().objectName() == "mainWindow"):
            QTimer.singleShot(0, self._painted)
        return False

    def _painted(self) -> None:
        os.write(1, b"painted\n")
        os._exit(0)


def watch() -> None:
    """To be called where the application is there and its window is not."""
    app = QCoreApplication.instance()
    assert app is not None
    app.installEventFilter(Watch(app))
