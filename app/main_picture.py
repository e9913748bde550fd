"""A picture of the window, taken without showing anything."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QElapsedTimer, QEventLoop, QMessageLogContext, QPoint, QSize, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from app import main
from app.model.errors import InspectorError, UnreadableError
from app.settings import Store
from widgets import theme
from widgets.arrangement import SIZE
from widgets.main_window import MainWindow

PATIENCE = 120_000  # ms that a picture waits for what it shows


def open_whole(window: MainWindow, path: str) -> None:
    """Opens a file in a window and waits until all is read, judged, counted and ranked: for pictures."""
    nothing = dict.fromkeys(("format", "transcript", "provider", "model", "mode", "strategy", "budget"))
    _Sitting(window).pose(Namespace(file=path, **nothing))


def snapshot(words: Namespace) -> int:
    """Writes a picture of the window on `words.file`. InspectorError, one line, where that cannot be.

    `words`: file, out, size (width, height) or None, scale, theme, budget, strategy, transcript, provider, model, mode.
    """
    before = qInstallMessageHandler(_quiet)
    try:
        return _snapshot(words)
    finally:
        qInstallMessageHandler(before)


def _snapshot(words: Namespace) -> int:
    if QApplication.instance() is None:
        os.environ["QT_SCALE_FACTOR"] = str(words.scale)
    app = main._application()
    missing = theme.missing_font()
    if missing:
        raise InspectorError(f"{words.out}: {missing}")
    with TemporaryDirectory(prefix=main.PROGRAM) as folder:
        store = Store(Path(folder))
        store.change(theme=words.theme)
        window = main._window(app, store, (), keep=False)
        try:
            window.resize(QSize(*words.size) if words.size else SIZE)
            window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
            window.show()
            window.chart.load()
            _Sitting(window).pose(words)
            _save(window, words.out, words.scale)
        finally:
            window.session.close()
            window.hide()
            window.deleteLater()
    return 0


def _quiet(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """What the offscreen platform says of every window is nobody's concern."""
    if not message.startswith("This plugin does not support"):
        print(message, file=sys.stderr)


class _Sitting:
    """Puts a window into the state that a picture is asked of, waiting for what is computed elsewhere."""

    def __init__(self, window: MainWindow) -> None:
        self._window, self._session = window, window.session
        self._failure = ""
        self._session.failed.connect(self._note)

    def _note(self, line: str) -> None:
        self._failure = line

    def pose(self, words: Namespace) -> None:
        session = self._session
        if words.file == "-":
            session.paste(sys.stdin.buffer.read(), "-", words.format)
        else:
            session.open(words.file, words.format)
        self._wait(words.file, lambda: session.state.report is not None)
        if words.transcript is not None:
            self._choose(words.transcript)
        if words.provider or words.model:
            session.judge_for(words.provider or session.state.provider, words.model or session.state.model)
            self._quiet(words.file)
        if words.mode:
            session.judge_mode(words.mode)
        self._wait(words.file, lambda: bool(session.state.rankings) and bool(session.state.totals and session.state.totals.exact))
        self._quiet(words.file)
        if words.strategy:
            self._strategy(words.strategy)
        if words.budget is not None:
            self._window.tabs.setCurrentWidget(self._window.plan)
            session.set_budget(words.budget)
            self._quiet(words.file)
        self._settle()

    def _choose(self, name: str) -> None:
        dump = self._session.state.dump
        ids = [transcript.id for transcript in dump.transcripts] if dump is not None else []
        if name not in ids:
            raise InspectorError(f"{self._session.state.path}: there is no transcript {name}; there are {', '.join(ids[:8])}")
        self._session.choose(ids.index(name))
        self._quiet(name)

    def _strategy(self, spec: str) -> None:
        from app.pipeline.catalogue import strategy_named
        from app.pipeline.rank import parse_spec

        chain = parse_spec(spec)
        if len(chain) == 1 and strategy_named(chain[0][0]).gated:
            self._session.imitate(*chain[0])
            self._quiet(spec)
            return
        if len(chain) != 1 or chain[0][0] not in self._session.state.rankings:
            raise InspectorError(
                f"{spec}: the window shows one of {', '.join(self._session.state.rankings)}; chains are for plan and export"
            )
        name, params = chain[0]
        if params:
            self._session.set_params(name, params)
            self._quiet(spec)
        self._session.show_strategy(name)

    def _quiet(self, what: str) -> None:
        self._wait(what, lambda: not self._session.busy)

    def _wait(self, what: str, ready: Callable[[], bool]) -> None:
        """Runs the event loop until something is so; a failure or two minutes end it."""
        clock = QElapsedTimer()
        clock.start()
        app = QApplication.instance()
        assert app is not None
        while not ready():
            app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents | QEventLoop.ProcessEventsFlag.AllEvents, 50)
            if self._failure:
                raise UnreadableError(self._failure)
            if clock.elapsed() > PATIENCE:
                raise InspectorError(f"{what}: still being read after {PATIENCE // 1000} seconds; no picture was taken")

    def _settle(self) -> None:
        """What panels put off to the next turn of the loop is done before the picture."""
        app = QApplication.instance()
        assert app is not None
        for _ in range(5):
            app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)


def _save(window: MainWindow, path: str, scale: float) -> None:
    ratio = window.devicePixelRatioF()
    if abs(ratio - scale) < 0.01:
        image = window.grab().toImage()
    else:  # the application was made for another scale
        image = QImage(window.size() * scale, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(scale)
        image.fill(theme.current().paper)
        with QPainter(image) as painter:
            window.render(painter, QPoint())
    if not image.save(path, "PNG"):  # type: ignore[call-overload]  # the stub asks for bytes, Qt for a string
        raise InspectorError(f"{path}: the picture cannot be written there; check the folder and its permissions")
