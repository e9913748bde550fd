"""The strip: shows the words, offers the acts, says failures and asks questions in its own line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.model.edits import Layer
from app.model.state import Changed, Preview, Progress, State
from tests.widgets.desk import DeskSession, change, found, history, report
from tests.widgets.states import broken_state, row_of, small_state
from widgets.actions import Actions
from widgets.verdict_strip import VerdictStrip

NOTHING: frozenset[int] = frozenset()


class Desk:
    def __init__(self, qtbot: QtBot, state: State) -> None:
        self.session = DeskSession(state)
        self.actions = Actions(QObject(self.session))
        self.strip = VerdictStrip(self.session, self.actions)  # type: ignore[arg-type]
        window = QWidget()
        QVBoxLayout(window).addWidget(self.strip)
        window.layout().setContentsMargins(0, 0, 0, 0)
        qtbot.addWidget(window)
        window.resize(1440, 44)
        window.show()
        self.window = window
        self.put(state)

    def put(self, state: State, changed: Changed = Changed.ALL) -> None:
        self.session.state = state
        self.actions.refresh(state)
        self.strip.refresh(state, changed)

    def buttons(self) -> list[str]:
        return [b.text() for b in self.strip.findChildren(QPushButton) if b.isVisible()]


@pytest.fixture
def broken(qtbot: QtBot) -> Desk:
    state = broken_state()
    assert state.report is not None
    findings = [replace(finding, fixes=(change(),)) for finding in state.report.findings]
    mended = replace(state.report, findings=findings)
    return Desk(qtbot, state.with_(report=mended, other=mended, path="/x/good.json"))


def test_refused(broken: Desk) -> None:
    strip = broken.strip
    assert strip.objectName() == "verdictStrip"
    assert strip.height() == 44
    assert strip.text.startswith("Anthropic would refuse this: 4 errors, three causes.")
    assert strip.accessibleName() == strip.text
    assert broken.buttons() == ["Go to it  F8", "Preview repair…"]


def test_go_to_it_names_the_row(broken: Desk, qtbot: QtBot) -> None:
    go = broken.strip.findChild(QPushButton, "verdictStrip.goto")
    with qtbot.waitSignal(broken.strip.went) as caught:
        qtbot.mouseClick(go, Qt.MouseButton.LeftButton)
    assert caught.args == [row_of(broken.session.state, "toolu_01A")]


def test_a_panel_returns_at_once_where_nothing_of_its_own_is_new(broken: Desk) -> None:
    before = broken.strip.text
    broken.put(small_state().with_(report=report(), other=report()), Changed.SELECTION | Changed.PLAN)
    assert broken.strip.text == before
    broken.put(broken.session.state, Changed.FINDINGS)
    assert broken.strip.text == "No reason found why Anthropic would refuse this: 61 rules."


def test_nothing_open_shows_nothing(qtbot: QtBot) -> None:
    assert not Desk(qtbot, State()).strip.isVisible()


def test_reading_shows_progress_and_cancel(qtbot: QtBot) -> None:
    desk = Desk(qtbot, State(path="a.json", progress=Progress("reading", 0.38)))
    assert desk.strip.text == "Reading a.json, 38 %"
    assert desk.buttons() == ["Cancel"]
    assert desk.strip._bar.value() == 38
    assert desk.strip._bar.isVisible()


def test_a_preview_offers_apply_and_cancel(broken: Desk) -> None:
    layer = Layer("Repair", ((change(),),))
    broken.put(broken.session.state.with_(preview=Preview(layer, (), NOTHING, NOTHING, NOTHING, report())))
    assert broken.buttons() == ["Apply  Enter", "Cancel"]


def test_other_ways_report_the_fix_that_was_picked(qtbot: QtBot) -> None:
    finding = found(fixes=(change("Use the real call", "exact"), change("Drop the result")))
    bad = report("reject", [finding])
    desk = Desk(qtbot, small_state().with_(report=bad, other=bad))
    assert desk.buttons()[-1] == "Other ways (2) ▾"
    desk.strip._open_ways()
    menu = desk.strip.findChild(QObject, "verdictStrip.ways.menu")
    assert [action.text() for action in menu.actions()] == ["Use the real call (exact)", "Drop the result (loses)"]
    with qtbot.waitSignal(desk.strip.fix_preview) as caught:
        menu.actions()[1].trigger()
    assert caught.args[0] is finding
    assert caught.args[1] == 1
    menu.close()


def test_on_a_narrow_window_the_sentence_has_the_room(qtbot: QtBot) -> None:
    bad = report("reject", [found(fixes=(change(), change()))])
    desk = Desk(qtbot, small_state().with_(report=bad, other=bad))
    desk.window.resize(1000, 44)
    QApplication.processEvents()
    assert not any("Other ways" in text for text in desk.buttons())
    desk.window.resize(1200, 44)
    QApplication.processEvents()
    assert any("Other ways" in text for text in desk.buttons())


def test_a_failure_is_one_line_and_goes_when_the_person_goes_on(broken: Desk, qtbot: QtBot) -> None:
    verdict = broken.strip.text
    broken.strip.fail("dump.json: not JSON at byte 12; open another file")
    assert broken.strip.text == "dump.json: not JSON at byte 12; open another file"
    assert broken.strip.detail == "still open: good.json"
    assert broken.buttons() == ["Go to it  F8", "Preview repair…", "Close"]
    qtbot.mouseClick(broken.strip.findChild(QPushButton, "verdictStrip.dismiss"), Qt.MouseButton.LeftButton)
    assert broken.strip.text == verdict
    broken.strip.fail("again")
    broken.put(broken.session.state, Changed.PROGRESS)
    assert broken.strip.text == "again"
    broken.put(broken.session.state.with_(history=history((change(),), cursor=0)), Changed.HISTORY)
    assert broken.strip.text == verdict


def test_a_failure_goes_by_itself(broken: Desk) -> None:
    verdict = broken.strip.text
    broken.strip.fail("The helper process ended (signal 9); a new one reads the file once more.")
    fading = broken.strip._fading
    assert fading.isSingleShot()
    assert 14_000 < fading.interval() <= 15_000
    again = report("reject", [found()])
    broken.put(broken.session.state.with_(report=again, other=again), Changed.FINDINGS)
    assert broken.strip.text.startswith("The helper process ended")
    assert fading.interval() <= 6_000  # long enough to read it
    fading.timeout.emit()
    assert broken.strip.text != verdict
    assert broken.strip.text.startswith("Anthropic would refuse this: 1 error, one cause.")


def test_a_failure_is_no_judgement_and_hides_no_button_of_the_verdict(broken: Desk, qtbot: QtBot) -> None:
    broken.strip.fail("bad.json: not JSON at byte 12")
    assert "refuse" not in f"{broken.strip.text} {broken.strip.detail}"
    with qtbot.waitSignal(broken.strip.went):
        qtbot.mouseClick(broken.strip.findChild(QPushButton, "verdictStrip.goto"), Qt.MouseButton.LeftButton)


def test_a_failure_with_nothing_open_is_seen(qtbot: QtBot) -> None:
    desk = Desk(qtbot, State())
    desk.strip.fail("no file")
    assert desk.strip.isVisible()
    desk.strip.fail("")
    assert not desk.strip.isVisible()


def test_a_question_acts_on_yes_only(broken: Desk, qtbot: QtBot) -> None:
    verdict, acted = broken.strip.text, []
    broken.strip.ask("2 changes not exported would be lost.", "Open b.json", lambda: acted.append(1))
    assert broken.strip.text == "2 changes not exported would be lost."
    assert broken.buttons() == ["Open b.json", "Stay"]
    qtbot.mouseClick(broken.strip.findChild(QPushButton, "verdictStrip.dismiss"), Qt.MouseButton.LeftButton)
    assert (broken.strip.text, acted) == (verdict, [])
    broken.strip.ask("2 changes not exported would be lost.", "Open b.json", lambda: acted.append(1))
    qtbot.mouseClick(broken.strip.findChild(QPushButton, "verdictStrip.yes"), Qt.MouseButton.LeftButton)
    assert (broken.strip.text, acted) == (verdict, [1])


def test_every_control_has_a_name(broken: Desk) -> None:
    for made in broken.strip.findChildren(QPushButton):
        assert made.objectName(), made.text()
        if made.isVisible():
            assert made.accessibleName()
