"""The list as a person meets it: keys, mouse, signals, and what stays where it was over new states."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QImage, QKeyEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.model.edits import Layer
from app.model.kinds import Kind
from app.model.state import Changed, Ghost, Preview, State
from app.model.view import Groups, Links, View
from tests.widgets.states import (
    FakeSession,
    bot,
    broken_state,
    call,
    evict_exchanges,
    ghost_of,
    huge_state,
    make_state,
    planned,
    result,
    row_of,
    small_state,
    user,
)
from widgets import theme
from widgets.exchange_layout import BLOCK, EXCHANGE, GHOST, STEP
from widgets.exchange_view import ExchangeView
from widgets.list_menu import menu


def make(qtbot: QtBot, state: State) -> ExchangeView:
    view = ExchangeView(FakeSession(state))
    qtbot.addWidget(view)
    view.resize(872, 562)
    view.refresh(state, Changed.ALL)
    view.show()
    qtbot.waitExposed(view)
    view.setFocus()
    return view


@pytest.fixture
def broken(qtbot: QtBot) -> ExchangeView:
    return make(qtbot, broken_state())


def press(view: ExchangeView, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(view, key)


def kinds(view: ExchangeView) -> list[int]:
    return [int(view.rows.entity(row).kind) for row in range(view.rows.rowCount())]


def y_of(view: ExchangeView, row: int) -> int:
    return view.visualRect(view.rows.index(row)).y()


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


def without_oldest(state: State, exchanges: int) -> State:
    """The state after the oldest exchanges were dropped: other positions, the same row ids."""
    view = state.view
    assert view is not None
    keep = (view.groups.exchange < 0) | (view.groups.exchange >= exchanges)
    where = np.cumsum(keep) - 1
    steps = view.groups.step_exchange >= exchanges
    gone = int((~steps).sum())
    groups = Groups(
        np.maximum(view.groups.exchange[keep] - exchanges, -1), np.maximum(view.groups.step[keep] - gone, -1),
        where[view.groups.first[exchanges:]], False, where[view.groups.step_first[steps]], view.groups.step_exchange[steps] - exchanges,
        view.groups.closed[steps], view.groups.refused[exchanges:],
    )  # fmt: skip
    partner = view.links.partner[keep]
    links = Links(np.where(partner >= 0, where[partner], -1), view.links.extra[keep])
    transcript = view.transcript.with_(order=view.rows[keep])
    assert view.tokens is not None
    return state.with_(transcript=transcript, view=View(transcript, groups, links, view.tokens[keep]))


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


# -- what is seen ------------------------------------------------------------------------------------------------------------------


def picture(view: ExchangeView) -> QImage:
    for _ in range(3):
        QApplication.processEvents()
    return view.viewport().grab().toImage()


def test_the_cut_lies_above_the_first_row_that_stays(broken: ExchangeView) -> None:
    broken.refresh(planned(broken._state, evict_exchanges(broken._state), 36_000), Changed.PLAN)
    broken.verticalScrollBar().setValue(20 * broken.row_height)
    y = y_of(broken, 31)
    blue = theme.current().blue.rgb()
    image = picture(broken)
    assert sum(image.pixel(x, y) == blue for x in range(100)) > 40
    assert sum(image.pixel(x, y + 60) == blue for x in range(100)) == 0
    assert broken._header.above() == f"{broken.first_visible() - 1} dropped above"


def test_held_down_b_shows_the_file_as_it_is(qtbot: QtBot, broken: ExchangeView) -> None:
    before = picture(broken)
    broken.refresh(planned(broken._state, evict_exchanges(broken._state), 36_000), Changed.PLAN)
    assert picture(broken) != before
    QTest.keyPress(broken, Qt.Key.Key_B)
    assert picture(broken) == before
    QTest.keyRelease(broken, Qt.Key.Key_B)
    assert picture(broken) != before


def test_a_row_painted_again_from_its_picture_looks_the_same(broken: ExchangeView) -> None:
    broken.set_level(3)
    broken.go(300)
    first = picture(broken)
    assert picture(broken) == first
    broken._painter._pictures.clear()
    assert picture(broken) == first


def test_dark_rows_are_dark(qtbot: QtBot, broken: ExchangeView) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    light = picture(broken)
    try:
        theme.apply(app, "dark")
        broken.refresh(broken._state, Changed.ALL)
        dark = picture(broken)
    finally:
        theme.apply(app, "light")
        broken.refresh(broken._state, Changed.ALL)
    assert light.pixelColor(300, 3).lightness() > 200
    assert dark.pixelColor(300, 3).lightness() < 80


def test_hostile_words_are_painted_plainly(qtbot: QtBot) -> None:
    hostile = "<img src=x onerror=y> \u202e\x00\ud800 " + "\u0301" * 50
    view = make(qtbot, make_state([user(hostile), bot(hostile, call("a" * 300, hostile[:30].replace("\ud800", ""), x="\u202e")),
                                   user(result("a" * 300, hostile * 1000))]))  # fmt: skip
    view.set_level(3)
    assert not picture(view).isNull()
    where = view.visualRect(view.rows.index(0)).center()
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, where, view.viewport().mapToGlobal(where)))
    assert "img" not in QToolTip.text()


def test_tooltips_say_what_a_column_means(broken: ExchangeView) -> None:
    broken.verticalScrollBar().setValue(20 * broken.row_height)
    columns = broken._painter.scene.columns if broken._painter.scene else None
    assert columns is not None
    y = broken.visualRect(broken.rows.index(31)).center().y()
    said = []
    for x in (columns.pips + 5, columns.tokens - 5, columns.found + 4, columns.what):
        place = QPoint(x, y)
        QApplication.sendEvent(broken.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, broken.viewport().mapToGlobal(place)))
        said.append(QToolTip.text())
    assert said[:3] == ["Calls: 2 answered, 1 without a result; 2 results without a call", "4,623 tokens, counted", "3 errors"]


def test_the_menu_of_a_row_tells_facts(qtbot: QtBot, broken: ExchangeView) -> None:
    broken.refresh(broken._state.with_(pinned=frozenset({30})), Changed.PLAN)
    made = menu(broken, 31)
    words = {action.text().split("\t")[0].split(":")[0]: action for action in made.actions() if action.text()}
    assert list(words) == [
        "Open",
        "Unpin E31",
        "Copy text",
        "Copy JSON pointer",
        "Copy raw record",
        "Show exchanges",
        "Show steps",
        "Show blocks",
    ]
    told: list[tuple[object, ...]] = []
    broken.pin_requested.connect(lambda *args: told.append(args))
    broken.copy_requested.connect(lambda *args: told.append(args))
    words["Unpin E31"].trigger()
    words["Copy JSON pointer"].trigger()
    assert told == [(30, False), ("pointer", 211)]
    words["Open"].trigger()
    assert broken.rows.opened(31)
    words["Show blocks"].trigger()
    assert BLOCK in kinds(broken)


def test_the_menu_key_opens_the_menu_of_the_current_row(broken: ExchangeView, monkeypatch: pytest.MonkeyPatch) -> None:
    from widgets import exchange_view

    asked: list[int] = []

    class Made:
        def exec(self, where: QPoint) -> None:
            asked.append(where.y())

        def deleteLater(self) -> None:
            asked.append(-1)

    monkeypatch.setattr(exchange_view, "menu", lambda view, row: asked.append(row) or Made())
    broken.go(4)
    QApplication.sendEvent(broken.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
    assert (asked[0], asked[2]) == (4, -1)


def test_every_row_has_a_sentence(broken: ExchangeView) -> None:
    broken.set_level(3)
    said = [broken.rows.data(broken.rows.index(row), Qt.ItemDataRole.AccessibleTextRole) for row in range(broken.rows.rowCount())]
    assert all(words and "  " not in words for words in said)
    assert sum(words.startswith("Exchange E") for words in said) == 38


def test_the_outline_shows_errors_and_what_is_in_view(broken: ExchangeView) -> None:
    outline = broken.outline
    outline.repaint()
    places = broken._places()
    assert places.errors.tolist() == [31, 37]  # closed: at the rows of their exchanges
    upper, lower = outline.spans()
    assert (upper, round(lower)) == (0, round(outline.height() * broken.viewport().height() / (39 * broken.row_height)))
    error = theme.current().error.rgb()
    image = outline.grab().toImage()
    at = [y for y in range(image.height()) if image.pixel(3, y) == error]
    assert abs(at[0] - 31.5 / 39 * outline.height()) < 4
    QTest.mouseClick(outline, Qt.MouseButton.LeftButton, pos=QPoint(5, outline.height() - 2))
    assert broken.verticalScrollBar().value() == broken.verticalScrollBar().maximum()


def test_rows_in_view_are_told(broken: ExchangeView) -> None:
    seen = broken.rows_visible()
    assert seen.start == 0
    assert seen.stop == min(39, -(-broken.viewport().height() // broken.row_height))


def test_a_narrow_list_leaves_columns_out_and_nothing_overlaps(qtbot: QtBot, broken: ExchangeView) -> None:
    for width in (480, 620, 872, 1400):
        broken.resize(width, 300)
        QApplication.processEvents()
        at = broken._painter.scene.columns if broken._painter.scene else None
        assert at is not None
        assert at.width == broken.viewport().width()
        assert at.what < at.what_end < at.pips < at.tokens < at.found < at.mark < at.width
        assert (at.bar_width > 0) == (width >= 872)


def test_a_huge_list_opens_all_and_goes_to_the_end(qtbot: QtBot) -> None:
    view = make(qtbot, huge_state(60_000))
    press(view, Qt.Key.Key_3, Qt.Key.Key_End)
    assert view.current_row() == view.rows.rowCount() - 1 > 60_000
    assert QRect(0, 0, 1, view.viewport().height()).contains(0, y_of(view, view.current_row()))
