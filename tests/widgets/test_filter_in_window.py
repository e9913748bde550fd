"""Filter and find by keys and mouse, in a window on a real session: field, chips, list, chart, findings and totals speak of one set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from app.session import Session
from app.settings import Store
from tests.builders import request_of
from tests.inline import Inline
from tests.widgets import chart_mouse
from widgets.exchange_tree import BLOCK
from widgets.main_window import MainWindow

WIRE = (
    "u:first words | a:call c1 | u:result c1 | a:one answer | u:second words | a:call c2,call c3 | u:result c2 | a:an answer"
    " | u:third words | a:call c4 | u:result c4 | a:the end"
)
SHIFT = Qt.KeyboardModifier.ShiftModifier
_Key = Qt.Key


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of(WIRE)}))
    session = Session(worker=Inline)
    session._count_exactly = False
    made = MainWindow(session, Store(tmp_path / "settings"))
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    session.open(str(path))
    qtbot.waitUntil(lambda: session.state.report is not None and not session.busy, timeout=20_000)
    made.chart.load()
    yield made
    session._watch.stop()
    made._leave = True
    made.close()


@pytest.fixture
def every_move() -> Iterator[None]:
    """pyqtgraph leaves out moves that follow one another quickly."""
    import pyqtgraph as pg

    before = pg.getConfigOption("mouseRateLimit")
    pg.setConfigOption("mouseRateLimit", -1)
    yield
    pg.setConfigOption("mouseRateLimit", before)


def enter(window: MainWindow, qtbot: QtBot, text: str) -> list[int]:
    """Types an expression; gives the positions that match."""
    window.acts["edit.find"].trigger()
    window.bar.field.selectAll()
    qtbot.keyClicks(window.bar.field, text)
    window.bar.field.popup.hide()
    qtbot.keyClick(window.bar.field, _Key.Key_Return)
    state = window.session.state
    qtbot.waitUntil(lambda: window.session.state.filter is not None and window.session.state.filter.mask is not None, timeout=20_000)
    qtbot.waitUntil(lambda: window.filters._going is None)
    state = window.session.state
    assert state.filter is not None
    return state.filter.shown.tolist()


def listed(window: MainWindow) -> list[int]:
    rows = window.list.rows
    return [rows.entity(row).position for row in range(rows.rowCount()) if rows.entity(row).kind == BLOCK]


def selected(window: MainWindow) -> int:
    view = window.session.state.view
    assert view is not None
    return view.at(window.session.state.selected)


def test_a_condition_is_typed_stepped_through_and_cleared(window: MainWindow, qtbot: QtBot) -> None:
    assert not window.filters.bar.isVisible()
    calls = enter(window, qtbot, "kind == call")
    assert len(calls) == 4
    assert listed(window) == calls
    assert window.filters.bar.said.text().startswith("4 of 13 blocks, ")
    assert selected(window) in calls
    at = calls.index(selected(window))
    assert window.bar._hits.text() == f"{at + 1} of 4"
    window.list.setFocus()
    qtbot.keyClick(window, _Key.Key_F3)
    assert selected(window) == calls[(at + 1) % 4]
    qtbot.keyClick(window, _Key.Key_F3, SHIFT)
    assert selected(window) == calls[at]
    assert window.filters.bar.kind.text() == "call"
    qtbot.keyClick(window.list, _Key.Key_Escape)
    assert window.session.state.filter is None
    assert window.bar.field.text() == ""
    assert not window.filters.bar.isVisible()
    assert selected(window) == calls[at]


def test_words_are_marked_and_can_be_all_there_is(window: MainWindow, qtbot: QtBot) -> None:
    hits = enter(window, qtbot, "words")
    assert len(hits) == 3
    assert len(window.list.rows.layout.tree.top_first) - 1 == 3  # type: ignore[union-attr]
    assert window.list._painter.scene is not None
    assert window.list._painter.scene.marking
    window.acts["edit.filter_only"].trigger()
    assert window.list.rows.layout is not None
    assert window.list.rows.layout.shown is not None
    assert window.acts["edit.filter_only"].isChecked()
    assert window.filters.bar.way.isChecked()


def test_what_cannot_be_read_is_underlined_and_told(window: MainWindow, qtbot: QtBot) -> None:
    field = window.bar.field
    window.acts["edit.find"].trigger()
    qtbot.keyClicks(field, "tol == x")
    assert field.problem is not None
    assert (field.problem.start, field.problem.length) == (0, 3)
    assert window.filters.bar.said.text() == 'there is no name "tol"; expected tool'
    qtbot.keyClick(field, _Key.Key_Return)
    assert window.session.state.filter is None
    assert field.text() == "tol == x"
    qtbot.keyClick(field, _Key.Key_Escape)
    assert field.text() == ""
    qtbot.keyClicks(field, "tokens >")
    assert field.problem is None  # nothing is wrong yet: it goes on
    assert window.filters.bar.said.text() == "next: a number, as 4000 or 4k"


def test_completed_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    field = window.bar.field
    window.acts["edit.find"].trigger()
    qtbot.keyClicks(field, "ki")
    assert field.popup.isVisible()
    qtbot.keyClick(field, _Key.Key_Tab)
    assert field.text() == "kind "
    qtbot.keyClicks(field, "== ca")
    assert field.choices.stringList() == ["call"]
    qtbot.keyClick(field.popup, _Key.Key_Down)
    qtbot.keyClick(field.popup, _Key.Key_Return)
    assert field.text() == "kind == call "
    qtbot.keyClick(field, _Key.Key_Return)
    assert window.session.state.filter is not None
    assert window.session.state.filter.matches == 4


def test_chips_print_their_conditions(window: MainWindow, qtbot: QtBot) -> None:
    window.acts["edit.find"].trigger()
    bar = window.filters.bar
    menu = bar.kind.menu_of(bar.kind._choices())
    next(action for action in menu.actions() if action.text() == "result").trigger()
    assert window.bar.field.text() == "kind == result"
    qtbot.mouseClick(bar.partner, Qt.MouseButton.LeftButton)
    assert window.bar.field.text() == "kind == result && partner == none"
    assert bar.partner.isChecked()
    menu = bar.kind.menu_of(bar.kind._choices())
    next(action for action in menu.actions() if action.isChecked()).trigger()
    assert window.bar.field.text() == "partner == none"
    assert listed(window) == window.session.state.filter.shown.tolist()  # type: ignore[union-attr]
    assert window.findings._summary.text().startswith("1 of 1 are in the filter · 1 error")
    menu.deleteLater()


def test_a_drag_over_the_chart_filters_every_view(window: MainWindow, qtbot: QtBot, every_move: None) -> None:
    chart = window.chart.chart
    assert chart is not None
    port = chart.view.viewport()
    at = chart.model.bins
    assert at is not None
    y = port.height() // 2
    chart_mouse.drag(port, (at.x(1.2), y), (at.x(2.8), y))
    qtbot.waitUntil(lambda: window.session.state.filter is not None)
    known = window.session.state.filter
    assert known is not None
    assert known.text == "span == r2..r3"
    assert listed(window)
    assert set(listed(window)) <= set(known.shown.tolist())
    assert window.filters.bar.span.text() == "r2–r3  ×"
    enter(window, qtbot, "span == r2..r3 && kind == call")
    window.list.setFocus()
    qtbot.keyClick(window.list, _Key.Key_Escape)
    assert window.bar.field.text() == "kind == call"  # the span goes first
    chart.setFocus()
    chart.point(1)
    qtbot.keyClick(chart, _Key.Key_Right, SHIFT)
    assert window.bar.field.text() == "kind == call && span == r2..r3"


def test_all_places_of_an_id(window: MainWindow, qtbot: QtBot) -> None:
    calls = enter(window, qtbot, "kind == call")
    window.show_row(int(window.session.state.view.rows[calls[1]]))  # type: ignore[union-attr]
    action = window.findChild(QAction, "edit.find_id")
    assert action is not None
    action.trigger()
    assert window.bar.field.text() == "id == c2"
    assert len(listed(window)) == 2
    window.bar.field.clear()
    qtbot.keyClick(window.list, _Key.Key_Escape)
    window.filters.clear()
    places = window.viewer.places
    assert places.text() == "id in 2 places"
    qtbot.mouseClick(places, Qt.MouseButton.LeftButton)
    assert window.bar.field.text() == "id == c2"


def test_the_chips_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    window.acts["edit.find"].trigger()
    bar = window.filters.bar
    qtbot.keyClick(window.bar.field, _Key.Key_Tab)
    assert bar.kind.hasFocus()
    for chip in (bar.tool, bar.finding, bar.tokens, bar.plan, bar.pinned, bar.partner):
        qtbot.keyClick(window.focusWidget(), _Key.Key_Tab)
        assert chip.hasFocus()
    assert bar.isVisible()
    qtbot.keyClick(bar.partner, _Key.Key_Space)
    assert window.bar.field.text() == "partner == none"
    qtbot.keyClick(bar.partner, _Key.Key_Escape)
    assert window.session.state.filter is None
    for part in (*bar.chips, bar.way, bar.clear):
        assert part.accessibleName()
        assert part.objectName()
