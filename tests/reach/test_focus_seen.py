"""Where the keyboard is can be seen: every widget that takes the focus looks another when it has it, in every theme, at 1x and 2x."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.settings import Store
from tests.widgets.desk import DeskSession, change, found, history, report
from tests.widgets.states import broken_state, evict_exchanges, planned
from widgets import theme
from widgets.main_window import MainWindow

LEAST = 24  # pixels that look another, at 1x
CONTRAST = 1.25  # by which each of them is lighter or darker than it was
LOOKS = [
    ("light", "normal", 1.0), ("dark", "normal", 1.0), ("light", "high", 1.0), ("dark", "high", 1.0), ("light", "normal", 2.0),
    ("dark", "normal", 2.0),
]  # fmt: skip


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    state = broken_state()
    state = planned(state, evict_exchanges(state), state.now // 2)
    state = state.with_(
        report=report("reject", [found(row=4, fixes=(change(), change("Another way"))), found(row=6)]), other=state.report,
        history=history((change(),)), selected=4, path="/home/me/a.json",
    )  # fmt: skip
    session = DeskSession()
    made = MainWindow(session, Store(tmp_path_factory.mktemp("kept")), "/incident.json")  # type: ignore[arg-type]
    made.chart.load()
    made.show()
    made.activateWindow()
    session.put(state)
    yield made
    made._leave = True
    made.close()


def stops(window: QWidget) -> list[QWidget]:
    """What Tab comes to."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        and widget.visibleRegion().boundingRect().width() > 4
    ]  # fmt: skip


def picture(window: QWidget, part: QRect, scale: float) -> np.ndarray:  # type: ignore[type-arg]
    """The luminance of a part of a window."""
    image = QImage(part.size() * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    with QPainter(image) as painter:
        window.render(painter, QPoint(), part)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[:, :, :3].astype(float) / 255
    linear = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.0722, 0.7152, 0.2126])  # type: ignore[no-any-return]


def unseen(window: QWidget, scale: float, show: Callable[[QWidget], None]) -> list[str]:
    """Names of what looks the same with and without the focus."""
    away = QWidget(window)
    away.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    away.setGeometry(0, 0, 1, 1)
    away.show()
    bad = []
    for widget in stops(window):
        show(widget)
        part = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()).adjusted(-3, -3, 3, 3) & window.rect()
        away.setFocus()
        QApplication.processEvents()
        without = picture(window, part, scale)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.processEvents()
        if isinstance(widget, QLineEdit):
            widget.deselect()
        with_it = picture(window, part, scale)
        ratio = (np.maximum(without, with_it) + 0.05) / (np.minimum(without, with_it) + 0.05)
        if int((ratio > CONTRAST).sum()) < LEAST * scale * scale and widget is not away:
            bad.append(f"{type(widget).__name__} {widget.objectName()} {int((ratio > CONTRAST).sum())}")
    away.hide()
    away.deleteLater()
    return bad


@pytest.mark.parametrize(("name", "contrast", "scale"), LOOKS)
def test_in_the_window(qtbot: QtBot, qapp: QApplication, window: MainWindow, name: theme.Name, contrast: str, scale: float) -> None:
    window.store.change(theme=name, contrast=contrast)
    window.commands.reach.look.put()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    bad = []
    for tab in (window.plan, window.findings, window.changes) if scale == 1 else (window.plan,):
        window.tabs.setCurrentWidget(tab)
        QApplication.processEvents()
        bad += unseen(window, scale, lambda widget: None)
    assert len(stops(window)) > 12
    assert not bad, "\n".join(bad)


def dialogs() -> list[Callable[[QWidget], QDialog]]:
    from widgets.help_pages import HelpPages
    from widgets.keys_window import KeysWindow

    return [HelpPages, KeysWindow]


@pytest.mark.parametrize("make", dialogs())
@pytest.mark.parametrize("name", ["light", "dark"])
def test_in_dialogs(qtbot: QtBot, qapp: QApplication, make: Callable[[QWidget], QDialog], name: theme.Name) -> None:
    theme.apply(qapp, name)
    root = QWidget()
    qtbot.addWidget(root)
    made = make(root)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    assert unseen(made, 1.0, lambda widget: widget.selectAll() if isinstance(widget, QAbstractItemView) else None) == []


def test_the_store_of_this_test_is_its_own(window: MainWindow) -> None:
    assert Path(window.store.folder).name.startswith("kept")
