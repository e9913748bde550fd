"""The line at the top of the list for the exchange whose inside is scrolled through."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from tests.widgets.listed import make, press
from tests.widgets.states import broken_state, row_of
from widgets.exchange_tree import EXCHANGE
from widgets.exchange_view import ExchangeView


@pytest.fixture
def view(qtbot: QtBot) -> ExchangeView:
    made = make(qtbot, broken_state())
    made.set_level(3)
    return made


def top_of(view: ExchangeView, exchange: int) -> int:
    layout = view.rows.layout
    assert layout is not None
    return layout.row_of_top(exchange)


def test_it_is_there_while_its_inside_is_at_the_top(view: ExchangeView) -> None:
    bar, height, row = view.verticalScrollBar(), view.row_height, top_of(view, 31)
    bar.setValue(row * height)
    assert view.stuck() is None  # its own row stands there
    bar.setValue(row * height + 1)
    assert view.stuck() == (row, 0)
    bar.setValue((row + 5) * height + 7)
    assert view.stuck() == (row, 0)
    following = top_of(view, 32)
    bar.setValue(following * height - 6)
    assert view.stuck() == (row, 6 - height)  # the next exchange pushes it out
    bar.setValue(following * height)
    assert view.stuck() is None
    view.set_level(1)
    bar.setValue(5 * height + 3)
    assert view.stuck() is None  # closed ones have no inside


def test_a_click_goes_to_its_row(view: ExchangeView, qtbot: QtBot) -> None:
    row = top_of(view, 31)
    view.verticalScrollBar().setValue((row + 5) * view.row_height)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, view.row_height // 2))
    assert view.current_row() == row
    assert view.y_of(row) >= view.row_height


def test_nothing_that_is_gone_to_lies_under_it(view: ExchangeView) -> None:
    row = top_of(view, 31)
    view.go(row + 9)
    view.verticalScrollBar().setValue((row + 9) * view.row_height)
    view.setFocus()
    for _ in range(6):
        press(view, Qt.Key.Key_Up)
        current = view.current_row()
        least = view.row_height if view.rows.entity(current).kind != EXCHANGE else 0
        assert view.y_of(current) >= least
    view.show_row(row_of(broken_state(), "t3"))
    assert view.y_of(view.current_row()) >= view.row_height


def test_it_is_painted_over_the_rows(view: ExchangeView) -> None:
    row = top_of(view, 31)
    bar = view.verticalScrollBar()
    bar.setValue(row * view.row_height)
    own = view.viewport().grab().toImage().copy(0, 0, 400, view.row_height - 2)
    bar.setValue((row + 4) * view.row_height)
    assert view.viewport().grab().toImage().copy(0, 0, 400, view.row_height - 2) == own
