"""What one repaint of the list has no time for is painted by the next ones, and then nothing is missing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.model.state import Changed
from tests.widgets.fake_session import FakeSession
from tests.widgets.huge import huge_state
from tests.widgets.planning import evict_exchanges, planned
from widgets import exchange_view, row_pictures
from widgets.exchange_view import ExchangeView


@pytest.fixture
def view(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> ExchangeView:
    """A list in which a repaint has time for no more than the least."""
    made = ExchangeView(FakeSession(huge_state(3_000)))
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.refresh(made._heads._reader.state, Changed.ALL)  # type: ignore[attr-defined]
    made.show()
    qtbot.waitExposed(made)
    made.set_level(3)
    settle(qtbot, made)
    monkeypatch.setattr(row_pictures, "SLICE", 0.0)
    monkeypatch.setattr(exchange_view, "BUDGET", 60.0)
    return made


def settle(qtbot: QtBot, view: ExchangeView) -> None:
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not view.unfinished)
    QApplication.processEvents()
    QApplication.processEvents()
    assert not view.unfinished


def seen(view: ExchangeView) -> QImage:
    """What stands on the screen, as it was painted piece by piece."""
    return view.screen().grabWindow(view.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)


def whole(view: ExchangeView) -> QImage:
    return view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.93])
def test_after_a_jump_all_rows_come_in(qtbot: QtBot, view: ExchangeView, share: float) -> None:
    bar = view.verticalScrollBar()
    bar.setValue(round(share * bar.maximum()))
    view.viewport().repaint()
    assert view.unfinished
    assert seen(view) != whole(view)  # a picture that is taken of it is whole at once
    settle(qtbot, view)
    assert seen(view) == whole(view)


def test_a_toggle_and_keys_end_in_the_same(qtbot: QtBot, view: ExchangeView) -> None:
    view.setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_Up, Qt.Key.Key_Home, Qt.Key.Key_PageDown):
        QTest.keyClick(view, key)
        view.viewport().repaint()
    settle(qtbot, view)
    assert seen(view) == whole(view)
    view.set_level(1)
    view.toggle(view.first_visible() + 2)
    settle(qtbot, view)
    assert seen(view) == whole(view)


def test_a_plan_that_changes_every_row_lags_and_then_stands(qtbot: QtBot, view: ExchangeView) -> None:
    view.set_level(1)
    settle(qtbot, view)
    before = seen(view)
    view.refresh(planned(view._state, evict_exchanges(view._state), view._state.now // 3), Changed.PLAN)
    view.viewport().repaint()
    assert view.unfinished
    settle(qtbot, view)
    assert seen(view) == whole(view) != before


def test_the_selected_row_is_painted_first(qtbot: QtBot, view: ExchangeView) -> None:
    view.go(view.rows.rowCount() // 2)
    view.viewport().repaint()
    assert view.unfinished
    y, height = view._header.height() + view.y_of(view.current_row()), view.row_height - 2
    width = view.viewport().width()
    assert seen(view).copy(0, y, width, height) == whole(view).copy(0, y, width, height)
