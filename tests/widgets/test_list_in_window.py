"""What the list asks of the window: copies of a row, pins, and the selection that all panels share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.model.block import Block
from app.model.kinds import Kind, Role
from app.model.state import Changed
from app.settings import Store
from tests.widgets.desk import DeskSession
from tests.widgets.states import row_of, small_state
from widgets import theme
from widgets.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    theme.apply(qapp, "light")
    made = MainWindow(DeskSession(), Store(tmp_path / "settings"), "/incident.json")  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.show()
    made.session.put(small_state().with_(path="small.json"))  # type: ignore[attr-defined]
    yield made
    made._leave = True


def test_what_the_menu_copies_comes_to_the_clipboard(window: MainWindow) -> None:
    session, row = window.session, row_of(small_state(), "c2")
    for kind, wanted in (("text", session.block(row).text), ("pointer", session.pointer(row)), ("raw", session.raw(row).decode())):
        window.list.copy_requested.emit(kind, row)
        assert QGuiApplication.clipboard().text() == wanted


def test_lines_and_json_are_copied_where_there_are_some(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    session, row, clipboard = window.session, row_of(small_state(), "c2"), QGuiApplication.clipboard()
    window.list.copy_requested.emit("line", row)
    assert window.status.changes.text() == "this is one document, without lines of its own; the pointer tells the place"
    monkeypatch.setattr(session, "line", lambda row: 398)
    monkeypatch.setattr(session, "block", lambda row: Block(row, Kind.TEXT, "text", Role.USER, ("é",), value={"type": "text", "text": "é"}))
    session.put(session.state.with_(selected=row), Changed.SELECTION)  # type: ignore[attr-defined]
    window.acts["edit.copy_line"].trigger()
    assert clipboard.text() == "small.json:398"
    window.acts["edit.copy_json"].trigger()
    assert clipboard.text() == '{\n  "type": "text",\n  "text": "é"\n}'


def test_a_pin_and_a_choice_go_to_the_session(window: MainWindow) -> None:
    asked = window.session.asked  # type: ignore[attr-defined]
    window.list.pin_requested.emit(1, True)
    window.list.go(2)
    assert ("pin", (1, True)) in asked
    assert ("select", (window.list.rows.row_id(2),)) in asked
