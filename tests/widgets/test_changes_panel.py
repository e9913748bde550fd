"""Changes as a stage: layers newest first, undone ones dim, one can be taken out, a change leads to its block."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.model.edits import After, Change, History, Insert, Layer, Made
from app.model.kinds import Kind, Role
from app.model.state import Changed, Preview, State
from tests.widgets.desk import DeskSession, change, history, report
from tests.widgets.states import row_of, small_state
from widgets.actions import Actions
from widgets.changes_panel import MOST, ChangesPanel

NOTHING: frozenset[int] = frozenset()


def panel_of(qtbot: QtBot, state: State) -> ChangesPanel:
    session = DeskSession(state)
    panel = ChangesPanel(session, Actions(session))  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    panel.resize(568, 240)
    panel.show()
    return panel


def titles(panel: ChangesPanel) -> list[str]:
    return [line.title for line in panel.list.lines.lines]


@pytest.fixture
def two(qtbot: QtBot) -> ChangesPanel:
    state = small_state()
    row = row_of(state, "c2")
    return panel_of(
        qtbot, state.with_(history=history((change("Drop it", "loses", row, tokens=-900),), (change("A", "adds"), change("B", "exact"))))
    )


def test_newest_first_with_effects_and_tokens(two: ChangesPanel) -> None:
    assert two.objectName() == "changesPanel"
    assert titles(two) == ["Step 2", "A", "B", "Step 1"]
    head, first, second, last = two.list.lines.lines
    assert (head.mark, first.mark, second.mark, last.mark) == ("adds", "adds", "exact", "loses")
    assert last.right == "−900"
    assert [line.tick for line in two.list.lines.lines] == [True, None, None, True]
    assert two.count == 3
    assert two._summary.text() == "3 changes: 1 exact, 1 adds, 1 loses"


def test_none(qtbot: QtBot) -> None:
    panel = panel_of(qtbot, small_state())
    assert titles(panel) == []
    assert panel._summary.text() == "The file is as it was opened"


def test_an_undone_layer_is_dim_and_counts_no_more(two: ChangesPanel) -> None:
    state = two._session.state.with_(history=two._session.state.history.undo())
    two._session.state = state
    two.refresh(state, Changed.HISTORY)
    head = two.list.lines.lines[0]
    assert (head.title, head.dim, head.tick, head.detail) == ("Step 2", True, False, "undone · 2 changes")
    assert two.count == 1


def test_ticking_what_was_undone_does_it_again(two: ChangesPanel, qtbot: QtBot) -> None:
    state = two._session.state.with_(history=two._session.state.history.undo())
    two._session.state = state
    two._redo.setEnabled(True)
    two.refresh(state, Changed.HISTORY)
    two.list.selectRow(0)
    with qtbot.waitSignal(two._redo.triggered):
        qtbot.keyClick(two.list, Qt.Key.Key_Space)


def test_space_takes_a_layer_out(two: ChangesPanel, qtbot: QtBot) -> None:
    two.list.selectRow(3)
    with qtbot.waitSignal(two.layer_off) as caught:
        qtbot.keyClick(two.list, Qt.Key.Key_Space)
    assert caught.args == [0]


def test_the_tick_is_clicked(two: ChangesPanel, qtbot: QtBot) -> None:
    rect = two.list.visualRect(two.list.lines.index(3, 0))
    with qtbot.waitSignal(two.layer_off) as caught:
        qtbot.mouseClick(two.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.topLeft() + QPoint(14, 12))
    assert caught.args == [0]


def test_take_out_is_for_layers_in_force(two: ChangesPanel) -> None:
    off = two.findChild(QPushButton, "changesPanel.off")
    two.list.selectRow(0)
    assert off.isEnabled()
    two.list.selectRow(1)
    assert not off.isEnabled()


def test_a_change_leads_to_its_block(two: ChangesPanel, qtbot: QtBot) -> None:
    two.list.selectRow(3)
    with qtbot.waitSignal(two.row_wanted) as caught:
        qtbot.keyClick(two.list, Qt.Key.Key_Return)
    assert caught.args == [row_of(two._session.state, "c2")]
    two.list.selectRow(1)
    assert not two.jump.isEnabled()  # it touches no row


def test_an_insert_leads_to_its_neighbour(qtbot: QtBot) -> None:
    state = small_state()
    row = row_of(state, "c3")
    put = Change("Put in a result", "rule:x", "adds", (Insert(After(row), Made(Kind.TOOL_RESULT, Role.USER, "none", row)),))
    panel = panel_of(qtbot, state.with_(history=history((put,))))
    panel.list.selectRow(0)
    with qtbot.waitSignal(panel.row_wanted) as caught:
        panel.jump.click()
    assert caught.args == [row]


def test_a_layer_is_folded(two: ChangesPanel, qtbot: QtBot) -> None:
    two.list.selectRow(0)
    qtbot.keyClick(two.list, Qt.Key.Key_Left)
    assert titles(two) == ["Step 2", "Step 1"]
    qtbot.keyClick(two.list, Qt.Key.Key_Right)
    assert titles(two) == ["Step 2", "A", "B", "Step 1"]


def test_a_preview_stands_on_top_and_has_no_tick(qtbot: QtBot) -> None:
    layer = Layer("Repair of 1 error", ((change("Drop the result"),),))
    preview = Preview(layer, (), NOTHING, NOTHING, NOTHING, report())
    panel = panel_of(qtbot, small_state().with_(history=history((change(),)), preview=preview))
    first = panel.list.lines.lines[0]
    assert (first.title, first.tick, first.detail) == ("Repair of 1 error", None, "previewed, not applied · 1 change")
    assert panel.count == 1


def test_what_was_skipped_says_why(qtbot: QtBot) -> None:
    panel = panel_of(qtbot, small_state().with_(history=history((change(),)), skipped=((change("Drop A"), "its row is gone already"),)))
    last = panel.list.lines.lines[-1]
    assert (last.title, last.mark, last.detail) == ("Drop A", "skipped", "its row is gone already")


def test_many_changes_are_cut_and_counted(qtbot: QtBot) -> None:
    many = tuple(change(f"c{n}") for n in range(MOST + 500))
    panel = panel_of(qtbot, small_state().with_(history=History((Layer("Repair", (many,)),), 1)))
    assert len(titles(panel)) == MOST + 2
    assert titles(panel)[-1] == "… 500 more of this step"
    assert panel.count == MOST + 500


def test_nothing_is_done_where_nothing_is_new(two: ChangesPanel) -> None:
    lines = two.list.lines.lines
    two.refresh(small_state(), Changed.PLAN | Changed.SELECTION)
    two.refresh(two._session.state, Changed.HISTORY | Changed.PREVIEW)
    assert two.list.lines.lines is lines
