"""The list as a person meets it: keys, mouse, signals, and what stays where it was over new states."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from app.model.edits import Layer
from app.model.kinds import Kind
from app.model.state import Changed, Ghost, Preview, State
from app.model.view import View
from tests.widgets.listed import kinds, make, press, without_oldest, y_of
from tests.widgets.states import (
    broken_state,
    evict_exchanges,
    ghost_of,
    planned,
    row_of,
    small_state,
)
from widgets.exchange_tree import BLOCK, EXCHANGE, GHOST, STEP
from widgets.exchange_view import ExchangeView


@pytest.fixture
def broken(qtbot: QtBot) -> ExchangeView:
    return make(qtbot, broken_state())


# -- opening ----------------------------------------------------------------------------------------------------------------------


def test_many_exchanges_are_shown_closed_and_few_with_their_steps(qtbot: QtBot, broken: ExchangeView) -> None:
    assert set(kinds(broken)) == {EXCHANGE}
    assert kinds(make(qtbot, small_state())) == [EXCHANGE, EXCHANGE, STEP, STEP, EXCHANGE, STEP, STEP, STEP, EXCHANGE, STEP]


def test_keys_1_2_3_open_everything(broken: ExchangeView) -> None:
    view = broken._state.view
    assert view is not None
    broken.go(31)
    press(broken, Qt.Key.Key_3)
    assert set(kinds(broken)) == {EXCHANGE, STEP, BLOCK}
    assert kinds(broken).count(STEP) == view.groups.steps
    assert broken.rows.entity(broken.current_row()).top == 31
    press(broken, Qt.Key.Key_2)
    assert BLOCK not in kinds(broken)[4:]
    press(broken, Qt.Key.Key_1)
    assert (set(kinds(broken)), broken.current_row()) == ({EXCHANGE}, 31)


def test_a_level_keeps_the_current_row_where_it_stood(broken: ExchangeView) -> None:
    broken.go(20)
    y = y_of(broken, 20)
    press(broken, Qt.Key.Key_3)
    row = broken.current_row()
    assert (broken.rows.entity(row).kind, y_of(broken, row)) == (EXCHANGE, y)


def test_right_opens_and_goes_in_and_left_goes_out_and_closes(broken: ExchangeView) -> None:
    broken.go(31)
    press(broken, Qt.Key.Key_Right)
    assert (broken.rows.opened(31), broken.current_row()) == (True, 31)
    press(broken, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert broken.rows.entity(broken.current_row())[:1] == (BLOCK,)
    press(broken, Qt.Key.Key_Left)
    assert broken.rows.entity(broken.current_row()).kind == STEP
    press(broken, Qt.Key.Key_Left, Qt.Key.Key_Left)
    assert broken.current_row() == 31
    press(broken, Qt.Key.Key_Left)
    assert not broken.rows.opened(31)
    press(broken, Qt.Key.Key_Return)
    assert broken.rows.opened(31)
    press(broken, Qt.Key.Key_Enter)
    assert not broken.rows.opened(31)


def test_a_toggle_leaves_the_row_at_the_upper_edge_alone(broken: ExchangeView) -> None:
    broken.verticalScrollBar().setValue(100)
    for row in (10, 6):
        broken.toggle(row)
        assert broken.verticalScrollBar().value() == 100
    broken.toggle(6)
    assert broken.verticalScrollBar().value() == 100


def test_the_twist_opens_by_mouse_and_a_double_click_anywhere(qtbot: QtBot, broken: ExchangeView) -> None:
    broken.verticalScrollBar().setValue(20 * broken.row_height)
    place = broken.visualRect(broken.rows.index(31))
    qtbot.mouseClick(broken.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(10, place.center().y()))
    assert broken.rows.opened(31)
    assert broken.current_row() == -1  # opening chooses nothing
    qtbot.mouseDClick(broken.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, place.center().y()))
    assert not broken.rows.opened(31)
    qtbot.mouseClick(broken.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, place.center().y()))
    assert broken.current_row() == 31


def test_closing_around_the_current_row_goes_to_what_was_closed_and_says_so(qtbot: QtBot, broken: ExchangeView) -> None:
    broken.show_row(row_of(broken._state, "t2"))
    with qtbot.waitSignal(broken.row_selected) as told:
        broken.toggle(broken.rows.layout.row_of_top(31) if broken.rows.layout else 0)
    assert (broken.current_row(), told.args) == (31, [211])


# -- keys --------------------------------------------------------------------------------------------------------------------------


def test_moving_keys(broken: ExchangeView) -> None:
    last, page = broken.rows.rowCount() - 1, broken.viewport().height() // broken.row_height - 1
    for key, row in ((Qt.Key.Key_End, last), (Qt.Key.Key_PageUp, last - page), (Qt.Key.Key_Home, 0), (Qt.Key.Key_PageDown, page),
                     (Qt.Key.Key_Down, page + 1), (Qt.Key.Key_Up, page), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Up, 0)):  # fmt: skip
        press(broken, key)
        assert broken.current_row() == row
        assert row in broken.rows_visible()


def test_letters_and_other_keys_are_left_to_the_window(broken: ExchangeView) -> None:
    broken.go(5)
    for key in [
        *(Qt.Key(code) for code in range(Qt.Key.Key_A, Qt.Key.Key_Z + 1) if code != Qt.Key.Key_B),
        Qt.Key.Key_Escape,
        Qt.Key.Key_F8,
    ]:
        event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, chr(key) if key < 128 else "")
        broken.keyPressEvent(event)
        assert not event.isAccepted(), key
    everything = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    broken.keyPressEvent(everything)
    broken.keyboardSearch("w")
    broken.selectAll()
    assert (broken.current_row(), [i.row() for i in broken.selectedIndexes()]) == (5, [5])


def test_copying_asks_for_the_text_of_the_row(qtbot: QtBot, broken: ExchangeView) -> None:
    broken.show_row(row_of(broken._state, "t2"))
    with qtbot.waitSignal(broken.copy_requested) as told:
        QTest.keyClick(broken, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert told.args == ["text", row_of(broken._state, "t2")]


# -- going somewhere ---------------------------------------------------------------------------------------------------------------


def test_showing_a_row_opens_scrolls_selects_and_tells(qtbot: QtBot, broken: ExchangeView) -> None:
    row = row_of(broken._state, "z13")
    assert not broken.is_open(row)
    with qtbot.waitSignal(broken.row_selected) as told:
        assert broken.show_row(row)
    assert told.args == [row]
    current = broken.current_row()
    assert (broken.rows.row_id(current), broken.rows.entity(current).kind, broken.is_open(row)) == (row, BLOCK, True)
    assert current in broken.rows_visible()
    assert 2 * broken.row_height <= y_of(broken, current) <= broken.viewport().height() - 2 * broken.row_height
    assert not broken.show_row(10**6)


def test_a_prompt_is_shown_by_its_exchange(broken: ExchangeView) -> None:
    assert broken.show_row(211)
    assert (broken.current_row(), broken.is_open(211)) == (31, True)


def test_a_selection_from_outside_is_shown_and_not_told_again(qtbot: QtBot, broken: ExchangeView) -> None:
    row = row_of(broken._state, "t3")
    with qtbot.assertNotEmitted(broken.row_selected):
        broken.refresh(broken._state.with_(selected=row), Changed.SELECTION)
    assert broken.rows.row_id(broken.current_row()) == row


def test_findings_are_gone_through_in_the_order_of_rows_and_round(broken: ExchangeView) -> None:
    wanted = [row_of(broken._state, id) for id in ("toolu_01A", "toolu_01B", "t3", "z13", "toolu_01A")]
    seen = []
    for _ in wanted:
        assert broken.next_finding()
        seen.append(broken.rows.row_id(broken.current_row()))
    assert seen == wanted
    assert broken.previous_finding()
    assert broken.rows.row_id(broken.current_row()) == row_of(broken._state, "z13")


def test_without_findings_there_is_nowhere_to_go(qtbot: QtBot) -> None:
    assert not make(qtbot, small_state()).next_finding()


def test_exchanges_are_gone_through(broken: ExchangeView) -> None:
    broken.show_row(row_of(broken._state, "t2"))
    assert broken.next_exchange()
    assert broken.rows.entity(broken.current_row())[:2] == (EXCHANGE, 32)
    assert broken.previous_exchange()
    assert broken.rows.entity(broken.current_row())[:2] == (EXCHANGE, 31)
    assert broken.current_exchange() == 30
    press(broken, Qt.Key.Key_End)
    assert not broken.next_exchange()


# -- new states -------------------------------------------------------------------------------------------------------------------


def test_over_an_edit_what_is_open_current_and_at_the_edge_stays(broken: ExchangeView) -> None:
    row = row_of(broken._state, "t2")
    broken.show_row(row)
    y = y_of(broken, broken.current_row())
    broken.refresh(without_oldest(broken._state, 15), Changed.TRANSCRIPT | Changed.FINDINGS)
    assert broken.rows.row_id(broken.current_row()) == row
    assert y_of(broken, broken.current_row()) == y
    assert broken.is_open(row)
    assert [e for e in kinds(broken) if e == STEP] == [STEP] * 3


def test_where_the_current_row_went_the_nearest_is_taken(broken: ExchangeView) -> None:
    broken.go(10)
    broken.refresh(without_oldest(broken._state, 25), Changed.TRANSCRIPT)
    assert broken.rows.entity(broken.current_row())[:2] == (EXCHANGE, 1)


def test_the_neighbour_of_a_selected_row_that_went_is_told_later(qtbot: QtBot, broken: ExchangeView) -> None:
    broken.go(10)
    with qtbot.waitSignal(broken.row_selected) as told:
        broken.refresh(without_oldest(broken._state, 25).with_(selected=-1), Changed.ALL)
        assert not told.signal_triggered
    assert told.args == [broken.rows.row_id(1)]


def test_a_first_look_does_not_decide_what_is_open(qtbot: QtBot) -> None:
    view = make(qtbot, small_state().with_(path="x", report=None))
    assert STEP in kinds(view)
    view.refresh(broken_state().with_(path="x"), Changed.ALL)
    assert set(kinds(view)) == {EXCHANGE}
    view = make(qtbot, broken_state().with_(path="x", report=None))
    view.toggle(5)
    view.refresh(broken_state().with_(path="x"), Changed.ALL)
    assert STEP in kinds(view)  # a person opened it: it stays open


def test_another_file_begins_anew(broken: ExchangeView) -> None:
    broken.show_row(row_of(broken._state, "t2"))
    broken.refresh(broken_state().with_(path="other.jsonl"), Changed.ALL)
    assert (set(kinds(broken)), broken.current_row(), broken.verticalScrollBar().value()) == ({EXCHANGE}, -1, 0)
    broken.refresh(State(), Changed.ALL)
    assert broken.rows.rowCount() == 0
    press(broken, Qt.Key.Key_Down, Qt.Key.Key_3, Qt.Key.Key_Home)
    assert not broken.next_exchange()
    broken.viewport().repaint()


def test_counts_that_come_in_leave_rows_alone(broken: ExchangeView) -> None:
    state = broken._state
    assert state.view is not None
    broken.show_row(row_of(state, "t2"))
    told: list[str] = []
    broken.rows.modelReset.connect(lambda: told.append("reset"))
    more = View(state.view.transcript, state.view.groups, state.view.links, state.view.tokens * 2, state.view.message_overhead)
    broken.refresh(state.with_(view=more), Changed.TOKENS)
    assert told == []
    look = broken._painter.look(broken.rows.entity(broken.current_row()))
    assert look.tokens == 14


def test_a_drag_tells_of_no_rows_that_come_or_go(qtbot: QtBot, broken: ExchangeView) -> None:
    state = broken._state
    view = state.view
    assert view is not None
    told: list[str] = []
    for name in ("modelReset", "rowsInserted", "rowsRemoved", "layoutChanged", "rowsMoved"):
        getattr(broken.rows, name).connect(lambda *a, name=name: told.append(name))
    ranking = evict_exchanges(state)
    for budget in range(30_000, 60_000, 1_500):
        broken.refresh(planned(state, ranking, budget), Changed.PLAN)
        broken.viewport().repaint()
    assert told == []
    seam = int(view.groups.first[4])
    ghosts = [tuple(Ghost(int(view.groups.first[n]), Kind.TEXT, "made", 9) for _ in range(2)) for n in (4, 9, 2)]
    broken.refresh(planned(state, ranking, 50_000, ghosts[0]), Changed.PLAN)
    assert (told, kinds(broken)[5:8]) == (["rowsInserted"], [GHOST, GHOST, EXCHANGE])
    assert broken.rows.entity(5).position == seam
    for made in ghosts[1:]:
        broken.refresh(planned(state, ranking, 50_000, made), Changed.PLAN)
    assert told == ["rowsInserted"]


def test_what_is_in_view_does_not_move_where_rows_come_above(broken: ExchangeView) -> None:
    broken.go(38)
    y, first = y_of(broken, 38), broken.first_visible()
    assert first > 5
    view = broken._state.view
    assert view is not None
    ghosts = tuple(Ghost(int(view.groups.first[2]), Kind.TEXT, "made", 9) for _ in range(2))
    broken.refresh(planned(broken._state, evict_exchanges(broken._state), 50_000, ghosts), Changed.PLAN)
    assert (broken.current_row(), y_of(broken, 40)) == (40, y)


def test_the_whole_walk_holds_under_qts_own_tester(broken: ExchangeView) -> None:
    tester = QAbstractItemModelTester(broken.rows, QAbstractItemModelTester.FailureReportingMode.Fatal)
    state = broken._state
    assert state.report is not None
    for id in ("t2", "z13", "w4"):
        broken.show_row(row_of(state, id))
    preview = Preview(Layer("repair", ()), (ghost_of(state, "t3"),), frozenset(), frozenset(), frozenset(), state.report)
    broken.refresh(state.with_(preview=preview), Changed.PREVIEW)
    assert kinds(broken).count(GHOST) == 1
    press(broken, Qt.Key.Key_1, Qt.Key.Key_3)
    broken.refresh(state, Changed.PREVIEW)
    broken.refresh(without_oldest(state, 10), Changed.TRANSCRIPT)
    press(broken, Qt.Key.Key_2)
    del tester
