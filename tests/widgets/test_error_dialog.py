"""The provider's error, pasted: what is asked, what is answered in words, and where an entry leads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.model.explained import Candidate, Explained, Named
from app.model.state import Changed, State
from app.settings import Store
from tests.widgets.desk import DeskSession, found, report
from tests.widgets.states import broken_state, small_state
from widgets.error_dialog import ErrorDialog
from widgets.error_words import aside, entries, headline
from widgets.main_window import MainWindow
from widgets.open_as_dialog import OpenAsDialog

TEXT = "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2"


def shown(row: int = 0, why: str = "it names this id", rule: str = "tool-call-unanswered") -> Candidate:
    return Candidate(rule, f"/messages/{row}", ("toolu_2",), row, "a call that nothing answers", why)


ABSENT = Candidate("tool-call-trailing", None, ("toolu_2",), -1, "an open call in the very last message", "its words fit; …")
ONE = Explained(TEXT, (shown(), ABSENT), known=True, named=(Named("toolu_2", 0, "/messages/0"),))


# -- words ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("explained", "said"),
    [
        (ONE, ("error", "A call that nothing answers; the text names this id.")),
        (Explained(TEXT, (shown(), shown(1)), known=True),
         ("error", "2 places come into question, the likeliest first. A call that nothing answers; the text names this id.")),
        (Explained("x", (shown(why="…"),)), ("warning", "No rule is known for these words; this is what would be refused here.")),
        (Explained(TEXT, (ABSENT,), known=True),
         ("warning", "Its words fit, but the transcript shows no such defect: an open call in the very last message.")),
        (Explained("x"), ("warning", "No rule is known for these words, and nothing else speaks against the transcript.")),
        (Explained("x", elsewhere="a rate or usage limit"),
         ("note", "It is about something else than the transcript: a rate or usage limit.")),
    ],
)  # fmt: skip
def test_one_sentence(explained: Explained, said: tuple[str, str]) -> None:
    assert headline(explained) == said


def test_what_stands_beside_it() -> None:
    assert aside(Explained("x", strange=("toolu_9",))) == "toolu_9 is nowhere in this transcript: is it another one?"
    assert aside(Explained("x", strange=("a_1", "b_2"))) == "a_1, b_2 are nowhere in this transcript: is it another one?"
    assert aside(Explained(TEXT, (ABSENT,), known=True, named=ONE.named)).startswith("What it names stands in the transcript")
    assert aside(ONE, "{'error': 1}") == f"It says: {TEXT}"
    assert aside(ONE, f"ERROR {TEXT}") == ""


def test_an_entry_a_candidate() -> None:
    first, second = entries(ONE, small_state())
    assert (first.title, first.mark, first.value) == ("tool-call-unanswered", "/messages/0 toolu_2", (0, "tool-call-unanswered"))
    assert first.detail == "it names this id · a call that nothing answers"
    assert (second.right, second.dim, second.value) == ("not here", True, (-1, "tool-call-trailing"))


def test_where_nothing_is_found_the_ids_lead_somewhere() -> None:
    lines = entries(Explained(TEXT, (ABSENT,), known=True, named=ONE.named), small_state())
    assert [(line.title, line.value) for line in lines] == [("tool-call-trailing", (-1, "tool-call-trailing")), ("toolu_2", (0, ""))]


def test_hostile_words_stay_words() -> None:
    text = aside(Explained("<b>\u202e evil", (shown(),), known=True), "x")
    assert text == "It says: <b>‹U+202E› evil"


# -- the dialog -----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def dialog(qtbot: QtBot) -> ErrorDialog:
    made = ErrorDialog(small_state())
    qtbot.addWidget(made)
    made.show()
    return made


def test_what_is_put_in_is_asked_at_once(dialog: ErrorDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog.asked) as caught:
        dialog.put(TEXT)
    assert caught.args == [TEXT]
    assert not dialog.go.isEnabled()


def test_what_is_typed_is_asked_after_a_rest(dialog: ErrorDialog, qtbot: QtBot) -> None:
    asked: list[str] = []
    dialog.asked.connect(asked.append)
    dialog.text.setFocus()
    with qtbot.waitSignal(dialog.asked):
        qtbot.keyClicks(dialog.text, "tool_use")
    assert asked == ["tool_use"]


def test_nothing_is_asked_of_nothing(dialog: ErrorDialog) -> None:
    asked: list[str] = []
    dialog.asked.connect(asked.append)
    dialog.put("  \n")
    dialog.refresh(small_state(), Changed.ALL)
    assert asked == []
    assert not dialog._pause.isActive()


def test_an_answer_leads_to_its_place(dialog: ErrorDialog, qtbot: QtBot) -> None:
    dialog.put(TEXT)
    dialog.show_told(TEXT, ONE)
    assert dialog._said.text() == "A call that nothing answers; the text names this id."
    with qtbot.waitSignal(dialog.place_wanted) as caught:
        qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)
    assert caught.args == [0, "tool-call-unanswered"]
    dialog.list.setFocus()
    with qtbot.waitSignal(dialog.place_wanted):
        qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Down)
    assert not dialog.go.isEnabled()  # it is not here


def test_an_answer_to_an_older_text_is_dropped(dialog: ErrorDialog) -> None:
    dialog.put(TEXT)
    dialog.show_told("something else", ONE)
    assert dialog._told is None
    dialog.show_told(TEXT, ONE)
    dialog.text.appendPlainText("more")
    assert dialog._told is None
    assert dialog.list.lines.lines == []


def test_other_findings_ask_again(dialog: ErrorDialog, qtbot: QtBot) -> None:
    dialog.put(TEXT)
    dialog.show_told(TEXT, ONE)
    with qtbot.waitSignal(dialog.asked):
        dialog.refresh(broken_state(), Changed.FINDINGS)
    assert dialog._told is ONE  # what is shown stays until the answer is there


def test_the_clipboard_is_taken(dialog: ErrorDialog, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText(TEXT)
    with qtbot.waitSignal(dialog.asked):
        qtbot.mouseClick(dialog.paste, Qt.MouseButton.LeftButton)
    assert dialog.text.toPlainText() == TEXT


def test_every_control_has_a_name_and_is_reached(dialog: ErrorDialog) -> None:
    for widget in (dialog.text, dialog.list, dialog.paste, dialog.go, dialog._close):
        assert widget.accessibleName()
        assert widget.objectName().startswith("errorDialog.")
    assert not dialog.isModal()
    assert dialog.text.tabChangesFocus()


# -- in the window --------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def session() -> DeskSession:
    broken = small_state().with_(report=report("reject", [found(row=1), found("text-empty", row=1), found(row=2)]), path="/a.json")
    return DeskSession(broken)


@pytest.fixture
def window(qtbot: QtBot, session: DeskSession, tmp_path: Path) -> Iterator[MainWindow]:
    made = MainWindow(session, Store(tmp_path / "settings"), "/incident.json")  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.show()
    made.refresh(session.state, Changed.ALL)
    yield made
    made._leave = True


def test_the_action_opens_it_with_what_the_clipboard_holds(window: MainWindow, session: DeskSession) -> None:
    QGuiApplication.clipboard().setText(TEXT)
    window.acts["finding.error"].trigger()
    dialog = window.commands.errors.dialog
    assert dialog is not None
    assert dialog.text.toPlainText() == TEXT
    assert ("explain", (TEXT,)) in session.asked
    session.told.emit(SimpleNamespace(text=TEXT, explained=Explained(TEXT, (shown(1, rule="text-empty"),), known=True)))
    dialog.go.click()
    assert ("select", (1,)) in session.asked
    window.acts["view.theme_dark"].trigger()
    dialog.close()
    assert window.commands.errors.dialog is None


def test_a_request_in_the_clipboard_is_no_error(window: MainWindow) -> None:
    QGuiApplication.clipboard().setText('{"messages": []}')
    window.acts["finding.error"].trigger()
    assert window.commands.errors.dialog is not None
    assert window.commands.errors.dialog.text.toPlainText() == ""


def test_pasting_an_error_asks_about_it(window: MainWindow, session: DeskSession) -> None:
    QGuiApplication.clipboard().setText(TEXT)
    window.acts["file.paste"].trigger()
    assert ("explain", (TEXT,)) in session.asked
    assert "paste" not in session.names()


def test_pasting_an_error_with_nothing_open_says_what_to_do(qtbot: QtBot, tmp_path: Path) -> None:
    session = DeskSession(State())
    window = MainWindow(session, Store(tmp_path / "settings"), "")  # type: ignore[arg-type]
    qtbot.addWidget(window)
    QGuiApplication.clipboard().setText(TEXT)
    window.acts["file.paste"].trigger()
    assert "Open the transcript that it refused" in window.strip.text
    assert window.commands.errors.dialog is None


def test_the_finding_of_the_rule_comes_to_the_front(window: MainWindow, session: DeskSession) -> None:
    state = session.state.with_(selected=1)
    session.put(state)
    assert window.viewer.finding.finding is not None
    assert window.viewer.finding.finding.rule == "tool-result-orphan"
    window.show_finding(1, "text-empty")
    assert window.viewer.finding.finding.rule == "text-empty"


# -- open as --------------------------------------------------------------------------------------------------------------------------

FORMATS = {"anthropic-messages": "Anthropic Messages", "openai-chat": "OpenAI Chat Completions"}


def test_open_as_offers_every_format_and_marks_the_one_in_force(qtbot: QtBot) -> None:
    dialog = OpenAsDialog(FORMATS, "/a.json", "openai-chat")
    qtbot.addWidget(dialog)
    dialog.show()
    assert [line.title for line in dialog.list.lines.lines] == list(FORMATS)
    assert dialog.list.line is not None
    assert (dialog.list.line.value, dialog.list.line.right) == ("openai-chat", "as now")
    qtbot.keyClick(dialog.list, Qt.Key.Key_Up)
    with qtbot.waitSignal(dialog.wanted) as caught:
        qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    assert caught.args == ["", "anthropic-messages"]
    assert all(widget.accessibleName() for widget in (dialog.list, dialog.choose, dialog.open_))


def test_open_as_needs_a_file(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = OpenAsDialog(FORMATS, "")
    qtbot.addWidget(dialog)
    assert not dialog.open_.isEnabled()
    monkeypatch.setattr("widgets.open_as_dialog.QFileDialog.getOpenFileName", lambda *_: ("/b.json", ""))
    dialog.choose.click()
    with qtbot.waitSignal(dialog.wanted) as caught:
        dialog.open_.click()
    assert caught.args == ["/b.json", "anthropic-messages"]


def test_the_window_opens_what_was_given_last_as_another_format(window: MainWindow, session: DeskSession) -> None:
    session.tried = "/a.json"
    window.acts["file.open_as"].trigger()
    dialog = window.findChild(QWidget, "openAsDialog")
    assert isinstance(dialog, OpenAsDialog)
    assert dialog.file.text() == "/a.json"
    dialog.open_.click()
    assert session.asked[-1] == ("open_as", ("anthropic-messages",))
    window.open_as("/b.json", "openai-chat")
    assert session.asked[-1] == ("open", ("/b.json", "openai-chat"))
