"""What holds for every test of a widget."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from widgets import theme


@pytest.fixture(autouse=True)
def light() -> Iterator[None]:
    """No test leaves its theme to the next one."""
    yield
    app = QApplication.instance()
    if isinstance(app, QApplication) and theme.current().dark:
        theme.apply(app, "light")


@pytest.fixture(autouse=True)
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A widget lives until its test was torn down: events are looked at once more when the test's own names are gone, and a widget that is
    collected while it is painted takes the process with it."""
    kept: list[QWidget] = []
    add = QtBot.addWidget

    def hold(self: QtBot, widget: QWidget, **how: Any) -> None:
        kept.append(widget)
        add(self, widget, **how)

    monkeypatch.setattr(QtBot, "addWidget", hold)
    yield
    kept.clear()
