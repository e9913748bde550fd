"""Findings: by cause, errors first, with counts; Preview and Fix speak of one cause; the selection follows."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.model.edits import Drop, Set
from app.model.state import Changed, State
from tests.widgets.desk import DeskSession, change, found, report
from tests.widgets.states import broken_state, row_of, small_state
from widgets.findings_panel import FindingsPanel, grouped, together, words_of


def panel_of(qtbot: QtBot, state: State) -> FindingsPanel:
    panel = FindingsPanel(DeskSession(state))  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    panel.resize(568, 240)
    panel.show()
    return panel


@pytest.fixture
def broken(qtbot: QtBot) -> FindingsPanel:
    return panel_of(qtbot, broken_state())


def titles(panel: FindingsPanel) -> list[str]:
    return [line.title for line in panel.list.lines.lines]


def test_one_entry_a_cause_errors_first(broken: FindingsPanel) -> None:
    assert broken.objectName() == "findingsPanel"
    assert titles(broken) == [
        "no tool call with this id stands before it",
        "the call of get_invoice has no result",
        "the call of read_file has no result",
        "sent four times",
    ]
    assert [line.right for line in broken.list.lines.lines] == ["× 2", "E31 · r107", "E37 · r130", "E33"]
    assert broken.count == 5
    assert broken._summary.text() == "4 errors, 1 warning"


def test_an_entry_is_read_aloud_whole(broken: FindingsPanel) -> None:
    spoken = broken.list.lines.data(broken.list.lines.index(0, 0), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("folded, no tool call with this id stands before it, tool-result-orphan")


def test_a_cause_is_unfolded_by_key_and_by_mouse(broken: FindingsPanel, qtbot: QtBot) -> None:
    broken.list.selectRow(0)
    qtbot.keyClick(broken.list, Qt.Key.Key_Right)
    assert len(titles(broken)) == 6
    assert broken.list.currentIndex().row() == 0
    qtbot.keyClick(broken.list, Qt.Key.Key_Left)
    assert len(titles(broken)) == 4
    place = broken.list.visualRect(broken.list.lines.index(0, 0)).topLeft()
    qtbot.mouseClick(broken.list.viewport(), Qt.MouseButton.LeftButton, pos=place + QPoint(12, 12))
    assert len(titles(broken)) == 6


def test_return_goes_to_the_block(broken: FindingsPanel, qtbot: QtBot) -> None:
    broken.list.selectRow(1)
    with qtbot.waitSignal(broken.row_wanted) as caught:
        qtbot.keyClick(broken.list, Qt.Key.Key_Return)
    assert caught.args == [row_of(broken._session.state, "t3")]


def test_the_entry_follows_the_selected_row_and_tells_nobody(broken: FindingsPanel, qtbot: QtBot) -> None:
    state = broken._session.state
    with qtbot.assertNotEmitted(broken.row_wanted):
        broken.refresh(state.with_(selected=row_of(state, "z13")), Changed.SELECTION)
    assert broken.list.currentIndex().row() == 2


def test_a_letter_does_nothing_to_the_selection(broken: FindingsPanel, qtbot: QtBot) -> None:
    broken.list.selectRow(0)
    qtbot.keyClick(broken.list, "t")
    assert broken.list.currentIndex().row() == 0


def test_nothing_is_done_where_nothing_is_new(broken: FindingsPanel) -> None:
    lines = broken.list.lines.lines
    broken.refresh(small_state(), Changed.PLAN | Changed.TOKENS | Changed.SELECTION)
    assert broken.list.lines.lines is lines
    broken.refresh(broken._session.state, Changed.FINDINGS)
    assert broken.list.lines.lines is lines  # the same report


def test_preview_and_fix_hand_over_the_change_of_the_whole_cause(qtbot: QtBot) -> None:
    findings = [found(row=n, cause="m", fixes=(change("Drop the result", "loses", n),)) for n in (4, 5)]
    panel = panel_of(qtbot, small_state().with_(report=report("reject", findings)))
    preview, fix = panel.findChild(QPushButton, "findingsPanel.preview"), panel.findChild(QPushButton, "findingsPanel.fix")
    assert not preview.isEnabled()
    panel.list.selectRow(0)
    for made, signal in ((preview, panel.preview_wanted), (fix, panel.fix_wanted)):
        assert made.isEnabled()
        with qtbot.waitSignal(signal) as caught:
            qtbot.mouseClick(made, Qt.MouseButton.LeftButton)
        assert caught.args[0].title == "Drop the result (2 findings)"
        assert caught.args[0].edits[0].rows.tolist() == [4, 5]


def test_the_other_place_is_reached_by_mouse_and_by_key_and_leads_back(qtbot: QtBot) -> None:
    state = small_state().with_(report=report("accept", [found(severity="note", row=4, related=2, related_at="/messages/2"), found(row=6)]))
    panel = panel_of(qtbot, state)
    panel.list.selectRow(0)
    assert not panel.other.isVisible()  # errors first: that one speaks of one place
    panel.list.selectRow(1)
    assert panel.other.isVisible()
    assert "/messages/2" in panel.other.toolTip()
    with qtbot.waitSignal(panel.row_wanted) as caught:
        qtbot.mouseClick(panel.other, Qt.MouseButton.LeftButton)
    assert caught.args == [2]
    panel.refresh(state.with_(selected=2), Changed.SELECTION)
    panel._session.state = state.with_(selected=2)
    assert panel.list.currentIndex().row() == 1  # the finding stays in front
    panel.other.setFocus()
    with qtbot.waitSignal(panel.row_wanted) as caught:
        qtbot.keyClick(panel.other, Qt.Key.Key_Space)
    assert caught.args == [4]


def test_a_finding_without_a_fix_offers_none(qtbot: QtBot) -> None:
    panel = panel_of(qtbot, small_state().with_(report=report("reject", [found()])))
    panel.list.selectRow(0)
    assert not panel.preview.isEnabled()
    assert not panel.fix.isEnabled()
    assert panel.list.lines.lines[0].detail.endswith("no fix")


def test_together_is_one_change_with_the_worst_effect() -> None:
    one = change("Rename", "exact")
    one = one.__class__(one.title, one.origin, one.effect, (Set(3, "name", "a"),))
    both = together((found(fixes=(one,)), found(fixes=(change("Drop", "loses", 2, 1),)), found(fixes=(change("Drop", "loses", 2),))))
    assert both.effect == "loses"
    drops = [edit for edit in both.edits if isinstance(edit, Drop)]
    assert len(drops) == 1
    np.testing.assert_array_equal(drops[0].rows, [1, 2])
    assert Set(3, "name", "a") in both.edits


def test_findings_without_a_cause_stand_alone() -> None:
    assert [len(group) for group in grouped([found(), found(row=1), found(cause="a"), found(row=3, cause="a")])] == [1, 1, 2]
    assert [group[0].severity for group in grouped([found(severity="note"), found(severity="warning"), found()])] == [
        "error",
        "warning",
        "note",
    ]


def test_words() -> None:
    assert words_of(None) == ""
    assert words_of(report()) == "No findings, 61 rules"
    cut = report("reject", [found()], counts={"tool-result-orphan": 12_345}, left_out=12_344)
    assert words_of(cut) == "12,345 errors, 12,344 of them not listed"


def test_hostile_words_stay_plain(qtbot: QtBot) -> None:
    panel = panel_of(qtbot, small_state().with_(report=report("reject", [found(message="<b>bold</b>\u202e\n" * 200)])))
    shown = panel.list.lines.lines[0].title
    assert shown.startswith("<b>bold</b>‹U+202E› <b>")
    assert len(shown) == 300
    panel.grab()
