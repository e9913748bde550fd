"""The main states of the window, posed one after the other in one window for each theme."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, QPoint, QSize, Qt
from PySide6.QtGui import QFontInfo, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.session import Session
from app.settings import Store
from tests.conftest import ROOT
from tests.inline import Inline
from widgets import theme
from widgets.main_window import MainWindow

FOLDER = Path(__file__).parent
INCIDENT = ROOT / "app/incident/invoice-agent-0412.json"
SIZE = QSize(1120, 700)
FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
FONT_IS = "abdc775b21b1bc470d50c97e790d276f2054b7504e56e5bd3e64f48d68582322"  # DejaVu Sans 2.37
NAMES = (
    "empty-light", "fault-light", "preview-light", "budget-light", "palette-light", "prompt-light", "fault-light-2x", "fault-dark",
    "budget-dark", "broken-dark", "keys-dark", "fault-dark-high", "lost-light", "larger-light", "low-light", "found-light", "blocks-dark",
    "costs-dark", "changed-dark",
)  # fmt: skip


def why_not() -> str:
    """Why pictures taken here could not be compared; "" where they can."""
    if not FONT.is_file() or hashlib.sha256(FONT.read_bytes()).hexdigest() != FONT_IS:
        return "the font of the pictures, DejaVu Sans 2.37, is not installed (Debian: fonts-dejavu-core)"
    family = QFontInfo(theme.current().ui).family()
    return "" if family == "DejaVu Sans" else f"the desktop's font here is {family}"


class Studio:
    """One window in one theme."""

    def __init__(self, app: QApplication, folder: Path, name: theme.Name) -> None:
        self._app = app
        theme.apply(app, name, "normal")
        self.session = Session(worker=Inline)
        self.session._count_exactly = False
        self.store = Store(folder / name)
        self.store.change(theme=name, contrast="normal")
        self.window = MainWindow(self.session, self.store, str(INCIDENT))
        self.window.resize(SIZE)
        self.window.show()
        self.window.chart.load()
        self.window.activateWindow()
        self.settle()

    def settle(self) -> None:
        for _ in range(8):
            self._app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)

    def wait(self, ready: Callable[[], object]) -> None:
        end = time.monotonic() + 90
        while time.monotonic() < end:
            if ready():
                return self.settle()
            self._app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents | QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 20)
        raise AssertionError("what the picture shows did not come about")

    def open(self, path: Path) -> None:
        self.session.open(str(path))
        self.wait(lambda: self.session.state.report is not None and not self.session.busy and self.session.state.rankings)

    def take(self, scale: float = 1.0) -> QImage:
        """The window and what lies over it."""
        self.settle()
        image = QImage(self.window.size() * scale, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(scale)
        image.fill(theme.current().paper)
        with QPainter(image) as painter:
            self.window.render(painter, QPoint())
            for top in self._app.topLevelWidgets():
                if top.isVisible() and top.parentWidget() is self.window:
                    top.render(painter, QPoint(60, 50))
        return image

    def close(self) -> None:
        self.window._leave = True
        self.window.close()
        self.session._watch.stop()
        self.window.deleteLater()


def one_prompt(folder: Path) -> Path:
    """A run of one prompt and forty requests."""
    messages: list[dict[str, object]] = [{"role": "user", "content": "port the parser to the new grammar and make all tests pass"}]
    for n in range(40):
        name = ("bash", "read_file", "edit_file")[n % 3]
        call = {"type": "tool_use", "id": f"toolu_{n:04d}", "name": name, "input": {"path": f"src/{n}.py"}}
        messages.append({"role": "assistant", "content": [{"type": "text", "text": "Let me look at that."}, call]})
        result = {"type": "tool_result", "tool_use_id": f"toolu_{n:04d}", "content": "a line of code\n" * (3, 20, 200, 70)[n % 4]}
        messages.append({"role": "user", "content": [result]})
    path = folder / "one-prompt.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 4096, "messages": messages}))
    return path


def broken(folder: Path) -> Path:
    """A request in which next to nothing is right."""
    odd = ({"type": "text", "text": ""}, {"type": "tool_use", "id": "bad id", "name": "", "input": None}, {"type": "wat"},
           {"type": "tool_result", "tool_use_id": "toolu_9", "content": None}, {"type": "thinking", "thinking": "hm"})  # fmt: skip
    messages = [{"role": ("assistant", "user", "assistant")[n % 3], "content": [odd[(n * k) % 5] for k in range(n % 4)]} for n in range(24)]
    path = folder / "broken.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 10, "messages": messages}))
    return path


def light(app: QApplication, folder: Path) -> Iterator[tuple[str, QImage]]:
    studio = Studio(app, folder, "light")
    window = studio.window
    yield "empty-light", studio.take()
    studio.open(INCIDENT)
    yield "fault-light", studio.take()
    yield "fault-light-2x", studio.take(2.0)
    window.acts["finding.preview"].trigger()
    studio.wait(lambda: studio.session.state.preview is not None)
    yield "preview-light", studio.take()
    window.acts["finding.cancel"].trigger()
    yield "budget-light", _budget(studio)
    yield "lost-light", _lost(studio)
    yield from _sizes(studio)
    window.acts["go.palette"].trigger()
    studio.settle()
    QTest.keyClicks(window.findChild(type(window.focusWidget()), "palette.field") or app.focusWidget(), "next")
    yield "palette-light", studio.take()
    for top in app.topLevelWidgets():
        if top.objectName() == "palette":
            top.close()
    studio.session.set_budget(None)
    window.bar.field.setText("invoice")
    window.bar.field.entered.emit(False)
    studio.wait(lambda: studio.session.state.filter is not None and not studio.session.busy)
    yield "found-light", studio.take()
    window.acts["edit.filter_clear"].trigger()
    studio.open(one_prompt(folder))
    yield "prompt-light", studio.take()
    studio.close()


def dark(app: QApplication, folder: Path) -> Iterator[tuple[str, QImage]]:
    studio = Studio(app, folder, "dark")
    window = studio.window
    studio.open(INCIDENT)
    yield "fault-dark", studio.take()
    yield "budget-dark", _budget(studio)
    window.acts["view.level3"].trigger()
    yield "blocks-dark", studio.take()
    window.acts["view.level1"].trigger()
    window.acts["view.focus_costs"].trigger()
    studio.wait(lambda: "carried" in window.costs.panel.said.text())
    yield "costs-dark", studio.take()
    yield "changed-dark", _changed(studio)
    window.acts["help.keys"].trigger()
    yield "keys-dark", studio.take()
    for top in app.topLevelWidgets():
        if top.objectName() == "keysWindow":
            top.close()
    studio.session.set_budget(None)
    studio.store.change(contrast="high")
    window.commands.reach.look.put()
    yield "fault-dark-high", studio.take()
    studio.store.change(contrast="normal")
    window.commands.reach.look.put()
    studio.open(broken(folder))
    yield "broken-dark", studio.take()
    studio.close()


def _budget(studio: Studio) -> QImage:
    studio.window.tabs.setCurrentWidget(studio.window.plan)
    studio.session.set_budget(studio.session.state.now // 2)
    studio.wait(lambda: len(studio.session.state.checked) >= len(studio.session.state.rankings))
    return studio.take()


def _lost(studio: Studio) -> QImage:
    desk = studio.window.plan._losses
    assert desk is not None
    studio.wait(lambda: len(desk.found) >= len(studio.session.state.rankings))
    studio.window.acts["plan.lost"].trigger()
    picture = studio.take()
    studio.window.acts["plan.lost"].trigger()
    return picture


def _sizes(studio: Studio) -> Iterator[tuple[str, QImage]]:
    """Larger text, and a window in which the column goes under the list."""
    window, look = studio.window, studio.window.commands.reach.look
    window.resize(1440, 900)
    studio.store.change(larger=5)
    look.put()
    studio.settle()
    yield "larger-light", studio.take()
    studio.store.change(larger=0)
    look.put()
    window.resize(1000, 640)
    studio.settle()
    yield "low-light", studio.take()
    window.resize(SIZE)
    studio.settle()


def _changed(studio: Studio) -> QImage:
    """After a plan was applied: what it took is hatched, and the change can be taken out again."""
    session, window = studio.session, studio.window
    session.apply_plan()
    studio.wait(lambda: session.state.history.active and not session.busy and session.state.rankings)
    window.acts["view.focus_changes"].trigger()
    picture = studio.take()
    session.undo()
    studio.wait(lambda: not session.state.history.active and not session.busy and session.state.rankings)
    window.acts["view.focus_findings"].trigger()
    return picture


def few_colours(image: QImage) -> QImage:
    """The 256 colours that are most of a picture; the rest take the nearest of them."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    colours, count = np.unique(np.frombuffer(image.constBits(), np.uint32), return_counts=True)
    most = colours[np.argsort(-count)][:256].tolist()
    return image.convertToFormat(QImage.Format.Format_Indexed8, most, Qt.ImageConversionFlag.ThresholdDither)
