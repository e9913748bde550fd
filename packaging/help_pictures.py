"""Takes the pictures of help anew (`make docs`): the bundled incident, light and dark, in few colours so that they stay small."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app import main
from app.settings import Store

SIZE = QSize(1120, 700)


def take(folder: Path, dark: bool) -> None:
    app = main._application()
    with tempfile.TemporaryDirectory() as kept:
        store = Store(Path(kept))
        store.change(theme="dark" if dark else "light", contrast="normal")
        window = main._window(app, store, ())
        window.resize(SIZE)
        window.show()
        window.chart.load()
        main.open_whole(window, main.incident())

        def save(name: str, part: QRect | None = None) -> None:
            settle(app)
            image = window.grab(part or QRect(QPoint(0, 0), SIZE)).toImage()
            with QPainter(image) as painter:
                for top in QApplication.topLevelWidgets():
                    if top.isVisible() and top is not window:
                        painter.drawPixmap(top.pos() - window.pos(), top.grab())
            few_colours(image).save(str(folder / f"{name}-{'dark' if dark else 'light'}.png"), "PNG", 0)

        save("window")
        save("fault", QRect(0, 0, SIZE.width(), 470))
        window.acts["finding.preview"].trigger()
        wait(app, lambda: window.session.state.preview is not None)
        save("repair", QRect(0, 62, SIZE.width(), 430))
        window.acts["finding.cancel"].trigger()
        window.tabs.setCurrentWidget(window.plan)
        window.session.set_budget(20_000)
        wait(app, lambda: len(window.session.state.checked) > 0)
        save("budget", QRect(0, 107, SIZE.width(), 480))
        window.acts["go.palette"].trigger()
        settle(app)
        QTest.keyClicks(QApplication.focusWidget(), "next")
        save("palette", QRect(0, 0, SIZE.width(), 480))
        window.session.close()
        for top in QApplication.topLevelWidgets():
            top.hide()


def few_colours(image: QImage) -> QImage:
    """The 256 colours that are most of the picture; the rest take the nearest of them."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    colours, count = np.unique(pixels, return_counts=True)
    most = colours[np.argsort(-count)][:256].tolist()
    return image.convertToFormat(QImage.Format.Format_Indexed8, most, Qt.ImageConversionFlag.ThresholdDither)


def settle(app: QApplication) -> None:
    for _ in range(8):
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)


def wait(app: QApplication, ready: Callable[[], bool]) -> None:
    while not ready():
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents | QEventLoop.ProcessEventsFlag.AllEvents, 50)


if __name__ == "__main__":
    for theme in (False, True):
        take(Path(sys.argv[1]), theme)
