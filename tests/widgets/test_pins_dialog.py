"""The dialog of pins: entries with their rows, what is pinned one by one, and what is asked of the session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.jobs import Answered
from app.model.pins import PROTECTION_NAMES, Aside, Held, Pins
from app.model.state import Changed, State
from app.settings import Store
from tests.widgets.desk import DeskSession
from tests.widgets.states import row_of, small_state
from widgets import pin_words, theme
from widgets.main_window import MainWindow
from widgets.pins_dialog import PinsDialog


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    theme.apply(qapp, "light")
    made = MainWindow(DeskSession(), Store(tmp_path / "settings"), "/incident.json")  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.show()
    made.session.put(small_state().with_(path="small.json"))  # type: ignore[attr-defined]
    yield made
    made._leave = True


def dialog_of(qtbot: QtBot, state: State) -> tuple[PinsDialog, list[Any]]:
    made = PinsDialog(state)
    qtbot.addWidget(made)
    wanted: list[Any] = []
    made.wanted.connect(wanted.append)
    made.show()
    return made, wanted


def test_all_is_on_at_one_click_and_each_entry_can_be_switched(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, "light")
    state = small_state()
    dialog, wanted = dialog_of(qtbot, state)
    assert not any(box.isChecked() for box in dialog.boxes.values())
    qtbot.mouseClick(dialog.all, Qt.MouseButton.LeftButton)
    assert wanted[-1].protected == frozenset(PROTECTION_NAMES)
    dialog.refresh(state.with_(pins=wanted[-1]), Changed.PLAN)
    assert all(box.isChecked() for box in dialog.boxes.values())
    qtbot.mouseClick(dialog.boxes["small"], Qt.MouseButton.LeftButton)
    assert wanted[-1].protected == frozenset(PROTECTION_NAMES) - {"small"}
    assert len(wanted) == 2


def test_rows_of_an_entry_are_counted_and_gone_through(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, "light")
    dialog, _ = dialog_of(qtbot, small_state())
    went: list[int] = []
    dialog.row_wanted.connect(went.append)
    dialog.show_rows({"errors": np.asarray([3, 5], np.int32), "small": np.empty(0, np.int32)})
    assert [dialog.counts[name].text() for name in ("errors", "small", "system")] == ["2 rows", "0 rows", "…"]
    assert not dialog.counts["small"].isEnabled()
    for _ in range(3):
        qtbot.mouseClick(dialog.counts["errors"], Qt.MouseButton.LeftButton)
    assert went == [3, 5, 3]


def test_what_is_pinned_one_by_one_is_named_and_let_go(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, "light")
    state = small_state()
    call = row_of(state, "c2")
    first = int(state.view.rows[state.view.groups.first[0]])
    pins = Pins(exchanges=frozenset([first]), blocks=frozenset([call]))
    dialog, wanted = dialog_of(qtbot, state.with_(pins=pins))
    words = [dialog.list.item(at).text() for at in range(dialog.list.count())]
    assert words[0] == f"{state.view.groups.label(0)}, the whole exchange"
    assert words[1].endswith(", tool call")
    dialog.list.setCurrentRow(1)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Delete)
    assert wanted == [replace(pins, blocks=frozenset())]


def test_the_line_of_the_plan_says_what_is_pinned() -> None:
    state = small_state()
    assert pin_words.summary(State()) == ""
    assert pin_words.summary(state) == "none pinned"
    pins = Pins(blocks=frozenset([1, 2]), protected=frozenset(["errors"]))
    assert state.view is not None
    rows = np.zeros(len(state.view), bool)
    rows[:3] = True
    view = replace(state.view, held=rows)
    held = Held(frozenset(), rows, {"errors": 2, "small": 2})  # one row stands in both
    many = int(np.count_nonzero(view.pins))
    assert 3 <= many < 6
    assert pin_words.summary(state.with_(view=view, pins=pins, held=held)) == f"pinned 2, protected: {many} rows in all"
    alone = Pins(protected=frozenset(["errors"]))
    assert pin_words.summary(state.with_(view=view, pins=alone, held=held)) == f"protected {many} rows"
    assert pin_words.left_alone(state.with_(view=view, pins=pins, held=held)) == many


def test_menu_keys_and_dialog_ask_the_session(window: MainWindow, qtbot: QtBot) -> None:
    session: Any = window.session
    call = row_of(small_state(), "c2")
    session.put(session.state.with_(selected=call), Changed.SELECTION)
    for action, wanted in (
        ("plan.pin_step", ("pin_row", ("step", call, True))), ("plan.pin_block", ("pin_row", ("block", call, True))),
        ("plan.pin_tool", ("set_pins", (Pins(tools=frozenset([pin_words.tool_of(session.state, call)])),))),
        ("plan.protect", ("set_pins", (Pins(protected=frozenset(PROTECTION_NAMES)),))),
    ):  # fmt: skip
        window.acts[action].trigger()
        assert session.asked[-1] == wanted
    window.list.pin_wanted.emit("block", call)
    assert session.asked[-1] == ("pin_row", ("block", call, True))
    qtbot.mouseClick(window.plan.pins, Qt.MouseButton.LeftButton)
    dialog = window.commands.pins.dialog
    assert dialog is not None
    assert session.asked[-1] == ("protections",)
    session.answered.emit(Answered(0, 0, "protections", (), {"errors": np.asarray([call], np.int32)}))
    assert dialog.counts["errors"].text() == "1 row"
    dialog.close()
    assert window.commands.pins.dialog is None


def test_pins_beside_the_dump_are_offered_in_one_line(window: MainWindow, qtbot: QtBot) -> None:
    session: Any = window.session
    assert window.plan.aside.isHidden()
    session.put(session.state.with_(aside=Aside("x", {"main": Pins(blocks=frozenset([1, 2]))}, 1)), Changed.PLAN)
    assert not window.plan.aside.isHidden()
    assert window.plan.aside.words.text() == "2 pins kept beside this dump; 1 further one no longer has its place"
    window.tabs.setCurrentWidget(window.plan)
    qtbot.mouseClick(window.plan.aside.take, Qt.MouseButton.LeftButton)
    assert session.asked[-1] == ("use_aside", (True,))
