"""The status line adds up, says how tokens are known, and leads to what was not read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.model.source import Source
from app.model.state import Changed, State
from app.model.table import Shown
from app.model.tokens import Calibration
from app.model.view import Totals
from app.pipeline.load import load
from tests.widgets.claude_lines import claude_lines
from tests.widgets.desk import DeskSession, change, history
from tests.widgets.states import row_of, small_state
from widgets.status_line import StatusLine, changes_line, half_written, records_line, tokens_line


def line_of(qtbot: QtBot, state: State) -> StatusLine:
    line = StatusLine(DeskSession(state))  # type: ignore[arg-type]
    qtbot.addWidget(line)
    line.resize(1440, 24)
    line.show()
    return line


def with_shown(state: State, hidden: int, unparsed: int) -> State:
    assert state.dump is not None
    records = state.dump.table.records
    records.shown = records.shown.copy()
    counted = np.flatnonzero(records.kind != 1)
    records.shown[counted] = Shown.SHOWN
    records.shown[counted[:hidden]] = Shown.HIDDEN
    records.shown[counted[hidden : hidden + unparsed]] = Shown.UNPARSED
    return state


def test_records_add_up() -> None:
    state = small_state()
    assert state.dump is not None
    total = sum(state.dump.records.values())
    assert records_line(state.dump) == f"{total} records = {total} shown"
    with_shown(state, 2, 1)
    assert records_line(state.dump) == f"{total} records = {total - 3} shown + 2 hidden + 1 unparsed"
    state.dump.complete = False
    assert records_line(state.dump) == "the first records; the rest is being read"
    assert records_line(None) == ""


def test_after_changes_the_records_are_those_of_the_file(qtbot: QtBot) -> None:
    state = small_state()
    line = line_of(qtbot, state)
    before = line.records.text()
    edited = state.with_(history=history((change(),)))
    line.refresh(edited, Changed.HISTORY)
    assert line.records.text() == before.replace(" = ", " in the file = ")
    line.refresh(edited.with_(history=history((change(),), cursor=0)), Changed.HISTORY)
    assert line.records.text() == before


def test_unparsed_records_are_a_click_away(qtbot: QtBot) -> None:
    line = line_of(qtbot, with_shown(small_state(), 0, 2))
    assert line.objectName() == "statusLine"
    assert line.records.text().endswith("+ 2 unparsed ▸")
    with qtbot.waitSignal(line.unparsed):
        qtbot.mouseClick(line.records, Qt.MouseButton.LeftButton)


def test_with_nothing_unparsed_there_is_nothing_to_click(qtbot: QtBot) -> None:
    line = line_of(qtbot, small_state())
    assert not line.records.isEnabled()
    assert "▸" not in line.records.text()


def test_tokens_and_how_they_are_known() -> None:
    state = small_state().with_(totals=Totals(147_104, 0, "o200k_base", True), calibration=None)
    assert tokens_line(state) == "147,104 tokens, exact o200k_base"
    calibrated = state.with_(calibration=Calibration(1.12, 18_000, 361))
    assert tokens_line(calibrated) == "147,104 tokens, exact o200k_base, calibrated on 361 usages"
    estimated = state.with_(totals=Totals(1, 5_000, "chars/4", False))
    assert tokens_line(estimated) == "≈ 1 token, estimated by chars/4, being counted · 5,000 more not sent"
    assert tokens_line(State()) == ""


def test_changes() -> None:
    state = small_state()
    assert changes_line(state) == "no changes · file untouched"
    one = state.with_(history=history((change(),)))
    assert changes_line(one) == "1 change not exported · file untouched"
    assert changes_line(one.with_(exported_cursor=1)) == "1 change exported · file untouched"
    assert changes_line(State()) == ""


def test_the_place_copies_its_pointer(qtbot: QtBot) -> None:
    state = small_state()
    line = line_of(qtbot, state.with_(selected=row_of(state, "c2")))
    assert line.place.text() == "E2 · r3"
    assert line.place.accessibleName() == "Place E2 · r3, click copies the pointer"
    with qtbot.waitSignal(line.pointer):
        qtbot.mouseClick(line.place, Qt.MouseButton.LeftButton)
    line.refresh(state.with_(selected=-1), Changed.SELECTION)
    assert line.place.text() == ""
    assert not line.place.isEnabled()


def test_only_its_own_flags(qtbot: QtBot) -> None:
    state = small_state()
    line = line_of(qtbot, state)
    before = (line.records.text(), line.tokens.text(), line.changes.text(), line.place.text())
    line.refresh(State(), Changed.PLAN | Changed.CHECKED | Changed.RANKINGS)
    assert (line.records.text(), line.tokens.text(), line.changes.text(), line.place.text()) == before
    line.say("copied /messages/2")
    assert line.changes.text() == "copied /messages/2"
    line.refresh(state, Changed.HISTORY)
    assert line.changes.text() == "no changes · file untouched"


def test_half_a_line_of_a_followed_file_is_being_written(tmp_path: Path) -> None:
    half, whole = tmp_path / "half.jsonl", tmp_path / "whole.jsonl"
    head = claude_lines(1)
    half.write_text(head + '{"type": "user", "mess')
    whole.write_text(head + '{"type": "user", "mess\n')
    torn, odd = load(Source.open(half)), load(Source.open(whole))
    assert half_written(torn)
    assert not half_written(odd)
    assert records_line(torn, written=True) == "9 records = 8 shown + 1 being written"
    assert records_line(odd) == "9 records = 8 shown + 1 unparsed"
