"""No label, tooltip, menu or accessible name shows a text of a dump as it turns the line around: U+202E is spelled out everywhere."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.model.passages import Passage
from app.model.state import Changed, State
from tests.widgets.desk import DeskSession, change, found, history, report
from tests.widgets.states import small_state
from widgets.actions import Actions
from widgets.block_viewer import BlockViewer
from widgets.buttons import ElidedButton, PickList, button
from widgets.changes_panel import ChangesPanel
from widgets.findings_panel import FindingsPanel
from widgets.help_dialogs import rule_window
from widgets.labels import Elided, in_menu, plain
from widgets.lines import Line, LineList
from widgets.status_line import StatusLine
from widgets.verdict_strip import VerdictStrip

BAD = "toolu_\u202e01A\u2066x\u200b"
SEEN = "toolu_‹U+202E›01A‹U+2066›x‹U+200B›"
HIDDEN = "\u202e\u2066\u200b"
FULL = Changed.ALL


def texts(widget: QWidget) -> list[str]:
    """All that a widget and its children say to eyes and to screen readers."""
    said: list[str] = []
    for part in [widget, *widget.findChildren(QWidget)]:
        said += [part.toolTip(), part.accessibleName(), part.accessibleDescription(), part.windowTitle()]
        if isinstance(part, QLabel | QAbstractButton):
            said.append(part.text())
        if isinstance(part, QPlainTextEdit):
            said.append(part.toPlainText())
        if isinstance(part, LineList):
            said += [text for line in part.lines.lines for text in (line.title, line.detail, line.right, line.mark, line.spoken)]
        if isinstance(part, QMenu):
            said += [action.text() for action in part.actions()]
    return said + [action.text() for action in widget.findChildren(QAction)]


def hostile() -> State:
    fixes = (change(f"Drop {BAD}"), change(f"Rename {BAD}", "exact"))
    one = found(message=f"result {BAD} has no call", reason=f"{BAD} was cut", provider_error=f"no {BAD}", fixes=fixes, cause="m")
    two = found(row=1, message=f"result {BAD} has no call", reason=f"{BAD} was cut", cause="m", fixes=fixes)
    bad = report("reject", [one, two, found(row=2, message=BAD, reason=BAD, fixes=fixes)])
    return small_state().with_(report=bad, other=bad, path=f"/x/{BAD}.json", model=BAD, selected=0)


def assert_nothing_hidden(widget: QWidget) -> None:
    said = texts(widget)
    assert any(SEEN in text for text in said)
    for text in said:
        assert not any(char in text for char in HIDDEN), text


def test_the_strip_and_its_menu(qtbot: QtBot) -> None:
    state = hostile()
    session = DeskSession(state)
    strip = VerdictStrip(session, Actions(QObject(session)))  # type: ignore[arg-type]
    qtbot.addWidget(strip)
    strip.resize(1440, 44)
    strip.refresh(state, FULL)
    strip._open_ways()
    assert SEEN in strip.detail
    assert_nothing_hidden(strip)
    strip.fail(f"{BAD}: no such file")
    assert strip.text == f"{SEEN}: no such file"
    strip.ask("Lost.", f"Open {BAD}", lambda: None)
    assert_nothing_hidden(strip)


def test_the_findings(qtbot: QtBot) -> None:
    panel = FindingsPanel(DeskSession(hostile()))  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    panel.list.selectRow(0)
    panel.list.folded.emit(None)
    panel._open_ways()
    assert SEEN in panel.list.lines.lines[0].detail
    assert_nothing_hidden(panel)


def test_the_changes(qtbot: QtBot) -> None:
    state = hostile().with_(history=history((change(f"Drop {BAD}"), change(f"Keep {BAD}"))))
    session = DeskSession(state)
    panel = ChangesPanel(session, Actions(QObject(session)))  # type: ignore[arg-type]
    qtbot.addWidget(panel)
    assert_nothing_hidden(panel)


def test_the_block_and_its_finding(qtbot: QtBot) -> None:
    viewer = BlockViewer(DeskSession(hostile()))  # type: ignore[arg-type]
    qtbot.addWidget(viewer)
    viewer.resize(600, 400)
    assert_nothing_hidden(viewer)


def test_what_the_status_says_in_passing(qtbot: QtBot) -> None:
    line = StatusLine(DeskSession(hostile()))  # type: ignore[arg-type]
    qtbot.addWidget(line)
    line.say(f"copied /{BAD}")
    assert_nothing_hidden(line)


def test_the_parts_that_all_are_made_of(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    Elided(BAD, root)
    ElidedButton(BAD, "a", f"Preview {BAD}", root)
    button(BAD, "b", f"Open {BAD}", parent=root)
    pick = PickList("c", "What", lambda: (), root)
    pick.say(BAD, BAD)
    assert_nothing_hidden(root)
    assert plain(BAD) == SEEN
    assert plain(f"<b>{BAD}") == f"<span>&lt;b&gt;{SEEN}</span>"
    assert in_menu(f"a & {BAD}") == f"a && {SEEN}"
    assert Line(BAD, f"{BAD}\nx", BAD, mark=BAD).spoken == f"{SEEN}, {SEEN}, {SEEN} x, {SEEN}"
    window = rule_window(root, BAD, (Passage("title", BAD), Passage("text", f"about {BAD}\n<b>second</b> line"), Passage("code", BAD)))
    assert window.body.toPlainText() == f"{SEEN}\n\nabout {SEEN}\n<b>second</b> line\n\n{SEEN}"
    assert_nothing_hidden(window)
