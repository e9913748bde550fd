"""What is lost, and costs, in the whole window: keys, jumps, pins, and the room that the list takes while it is open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.session import Session
from app.settings import Store
from tests.inline import Inline
from tests.losing import body
from tests.losing_cases import CASES
from widgets import theme
from widgets.costs_panel import CostsPanel
from widgets.lost_panel import BLOCK
from widgets.main_window import MainWindow

Key, Control = Qt.Key, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    theme.apply(qapp, "light")
    path = tmp_path / "found.json"
    path.write_bytes(body(next(one for one in CASES if one.name == "found by a search").script))
    session = Session(worker=Inline)
    session._count_exactly = False
    session.use_counter("chars/4")
    made = MainWindow(session, Store(tmp_path / "settings"), "/incident.json")
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    session.open(str(path))
    qtbot.waitUntil(lambda: bool(session.state.rankings) and not session.busy, timeout=20_000)
    session.set_budget(60)
    qtbot.waitUntil(lambda: not session.busy, timeout=20_000)
    yield made
    made._leave = True
    session.close()
    session._watch.stop()


def test_opened_by_a_key_with_room_for_it(qtbot: QtBot, window: MainWindow) -> None:
    desk = window.plan._losses
    assert desk is not None
    before = window.column.sizes()
    qtbot.keyClick(window, Key.Key_D, Control | Qt.KeyboardModifier.AltModifier)
    assert desk.panel.list.isVisible()
    most = sum(before) - min(theme.scaled(BLOCK), sum(before) * 2 // 5)
    qtbot.waitUntil(lambda: window.column.sizes()[0] >= min(desk.panel.room(), most) - 4)
    assert window.plan.table.height() >= 4 * theme.current().row_height
    assert desk.panel.list.height() <= desk.panel.list.maximumHeight()
    qtbot.keyClick(window, Key.Key_D, Control | Qt.KeyboardModifier.AltModifier)
    assert desk.panel.list.isHidden()
    assert window.column.sizes() == before


def test_in_a_narrow_window_the_lower_part_grows(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1000, 760)
    qtbot.waitUntil(lambda: window.body.orientation() == Qt.Orientation.Vertical)
    before = window.body.sizes()
    qtbot.keyClick(window, Key.Key_D, Control | Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: window.body.sizes()[1] > before[1])


def test_a_jump_and_a_pin(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    qtbot.keyClick(window, Key.Key_D, Control | Qt.KeyboardModifier.AltModifier)
    desk = window.plan._losses
    assert desk is not None
    qtbot.waitUntil(desk.panel.list.hasFocus)
    qtbot.keyClick(desk.panel.list, Key.Key_Down)
    item = desk.panel.list.line
    assert item is not None
    assert item.title == "in_9921"
    assert session.state.selected == item.value.stated
    qtbot.mouseClick(desk.panel.pin_all, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not session.busy, timeout=20_000)
    assert session.state.pinned == {0, 1}
    assert len(session.pins.exchanges) == 2


def test_costs_are_made_when_their_tab_is_shown(qtbot: QtBot, window: MainWindow) -> None:
    assert window.costs.panel is None
    qtbot.keyClick(window, Key.Key_7, Control)
    panel = window.costs.panel
    assert isinstance(panel, CostsPanel)
    qtbot.waitUntil(lambda: panel.said.text().endswith("requests"), timeout=20_000)
    qtbot.waitUntil(panel.table.hasFocus)
    qtbot.keyClick(panel.table, Key.Key_Down)
    item = panel.item()
    assert item is not None
    assert window.session.state.selected == item.row
    panel.resize(330, 200)
    qtbot.waitUntil(lambda: panel.table.isColumnHidden(5) and panel.table.isColumnHidden(3))
    panel.show_page("Tools")
    assert not panel.table.isColumnHidden(3)
