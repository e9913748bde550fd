"""The bar: what is open and why, whom it is judged for, words to find."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.model.state import Changed, State
from app.model.tokens import Calibration
from tests.widgets.desk import DeskSession
from tests.widgets.states import small_state
from widgets.actions import Actions
from widgets.top_bar import TopBar


def bar_of(qtbot: QtBot, state: State) -> TopBar:
    session = DeskSession(state)
    bar = TopBar(session, Actions(QObject(session)))  # type: ignore[arg-type]
    qtbot.addWidget(bar)
    bar.resize(1440, 40)
    bar.show()
    return bar


@pytest.fixture
def three(qtbot: QtBot) -> TopBar:
    state = small_state()
    assert state.dump is not None
    main = state.dump.transcripts[0]
    state.dump.transcripts += [main.with_(id="branch-2", why="leaves main at line 12"), main.with_(id="agent-7", title="<b>find</b> & fix")]
    state = state.with_(path="/home/me/invoice-agent-0412.jsonl", model="claude-sonnet-4-5", base=main)
    return bar_of(qtbot, state)


def texts(bar: TopBar, name: str) -> list[str]:
    pick = getattr(bar, name)
    menu = pick.menu_of(pick._choices())
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_what_is_open(three: TopBar) -> None:
    assert three.height() == 40
    assert three.transcripts.text() == "invoice-agent-0412.jsonl · main (1 of 3)"
    assert three.providers.text() == "for Anthropic · claude-sonnet-4-5"
    assert three.counters.text() == "o200k_base"


def test_a_long_name_leaves_room_for_the_transcript(three: TopBar) -> None:
    state = three._session.state.with_(path="/x/daaain__claude-code-log__edge_cases_of_a_long_session.jsonl")
    three.refresh(state, Changed.DUMP)
    assert three.transcripts.text() == "daaain__claude-…_session.jsonl · main (1 of 3)"
    assert "daaain__claude-code-log__edge_cases" in three.transcripts.toolTip()


def test_nothing_open(qtbot: QtBot) -> None:
    bar = bar_of(qtbot, State())
    assert bar.transcripts.text() == "nothing open"
    assert not bar.transcripts.isEnabled()
    assert not bar.field.isEnabled()


def test_each_default_says_its_reason(three: TopBar) -> None:
    assert "implies its provider" in three.providers.toolTip()
    assert "Judged for: for Anthropic" in three.providers.toolTip()
    three.refresh(three._session.state.with_(calibration=Calibration(1.12, 0, 14)), Changed.TOKENS)
    assert three.counters.text() == "o200k_base, calibrated"
    assert "1.12 × of what is counted (14 requests); it is shown, never added." in three.counters.toolTip().replace("\n", " ")


def test_a_transcript_is_picked(three: TopBar, qtbot: QtBot) -> None:
    assert texts(three, "transcripts") == ["main", "branch-2  leaves main at line 12", "agent-7  <b>find</b> && fix"]
    menu = three.transcripts.menu_of(three.transcripts._choices())
    assert [action.isChecked() for action in menu.actions()] == [True, False, False]
    with qtbot.waitSignal(three.chosen) as caught:
        menu.actions()[2].trigger()
    assert caught.args == [2]


def test_provider_model_and_mode_are_picked(three: TopBar, qtbot: QtBot) -> None:
    assert texts(three, "providers")[:2] == ["Anthropic", "OpenAI Chat"]
    assert texts(three, "providers")[-4:] == ["No model named", "Another model…", "Judge: could be sent now", "Judge: well formed so far"]
    menu = three.providers.menu_of(three.providers._choices())
    by_text = {action.text(): action for action in menu.actions()}
    with qtbot.waitSignal(three.judge) as caught:
        by_text["OpenAI Chat"].trigger()
    assert caught.args == ["openai-chat", "claude-sonnet-4-5"]
    with qtbot.waitSignal(three.judge) as caught:
        by_text["No model named"].trigger()
    assert caught.args == ["anthropic", None]


def test_a_counter_is_picked(three: TopBar, qtbot: QtBot) -> None:
    menu = three.counters.menu_of(three.counters._choices())
    with qtbot.waitSignal(three.counter) as caught:
        menu.actions()[2].trigger()
    assert caught.args == ["chars/4"]


def test_a_pick_list_opens_by_key(three: TopBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(three.counters.opened):
        qtbot.keyClick(three.counters, Qt.Key.Key_Down)
    menu = three.counters.findChild(QObject, "topBar.counter.menu")
    assert menu.isVisible()
    menu.close()


def test_several_transcripts_have_a_window_of_their_own(three: TopBar, qtbot: QtBot) -> None:
    action = three._actions["go.transcript"]
    action.setEnabled(True)
    with qtbot.waitSignal(action.triggered):
        qtbot.keyClick(three.transcripts, Qt.Key.Key_Down)
    assert three.transcripts.findChild(QObject, "topBar.transcript.menu") is None
    action.setEnabled(False)
    three.transcripts.open()
    menu = three.transcripts.findChild(QObject, "topBar.transcript.menu")
    assert menu.isVisible()
    menu.close()


def test_enter_goes_on_and_escape_takes_back_before_it_leaves(three: TopBar, qtbot: QtBot) -> None:
    three.field.setText("in_9921")
    with qtbot.waitSignal(three.field.entered) as caught:
        qtbot.keyClick(three.field, Qt.Key.Key_Return)
    assert caught.args == [False]
    with qtbot.waitSignal(three.field.entered) as caught:
        qtbot.keyClick(three.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert caught.args == [True]
    three.show_hits(3, 1_704)
    assert three._hits.text() == "3 of 1,704"
    three.show_hits(0, 2)
    assert three._hits.text() == "2 hits"
    three.show_hits(0, 0)
    assert three._hits.text() == "not found"
    three.field.setText("other")
    assert three._hits.text() == ""
    three.field.put("in_9921")
    qtbot.keyClicks(three.field, "x")
    with qtbot.assertNotEmitted(three.field.left):
        qtbot.keyClick(three.field, Qt.Key.Key_Escape)
    assert three.field.text() == "in_9921"
    with qtbot.waitSignal(three.field.left):
        qtbot.keyClick(three.field, Qt.Key.Key_Escape)


def test_one_primary_button(three: TopBar) -> None:
    primary = [button for button in three.findChildren(QPushButton) if button.property("primary")]
    assert [button.text() for button in primary] == ["Export…"]
    assert primary[0].objectName() == "button.file.export"


def test_every_control_has_a_name(three: TopBar) -> None:
    for made in [*three.findChildren(QPushButton), three.field]:
        assert made.objectName()
        assert made.accessibleName()


def test_only_its_own_flags(three: TopBar) -> None:
    three.refresh(State(), Changed.PLAN | Changed.FINDINGS | Changed.SELECTION)
    assert three.transcripts.text().startswith("invoice-agent")


@pytest.mark.parametrize("width", [1440, 1000, 800])
def test_the_number_of_hits_has_a_place_of_its_own(qtbot: QtBot, width: int) -> None:
    session = DeskSession(small_state())
    bar = TopBar(session, Actions(QObject(session)))  # type: ignore[arg-type]
    qtbot.addWidget(bar)
    bar.resize(width, 40)
    bar.show()
    bar.show_hits(1, 8)
    assert not bar._hits.geometry().intersects(bar.field.geometry())
    assert bar._hits.shown("123 of 4,567", bar._hits.metrics) == "123 of 4,567"
