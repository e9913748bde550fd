"""The first minute: an empty window, a file dropped on it, the fault in front without a click, a repair looked at, applied and proved."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QMenu, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.model.state import Changed, State
from tests.conftest import ROOT
from tests.reach.person import Person
from widgets.export_dialog import ExportDialog


@pytest.fixture
def person(qtbot: QtBot, tmp_path: Path) -> Iterator[Person]:
    made = Person(qtbot, tmp_path)
    yield made
    made.leave()


@pytest.fixture
def incident(tmp_path: Path) -> Path:
    return Path(shutil.copy(ROOT / "app/incident/invoice-agent-0412.json", tmp_path))


def test_before_anything_is_open(person: Person) -> None:
    empty = person.window.empty
    assert empty.isVisible()
    assert not person.window.strip.isVisible()
    words = [part.accessibleName() for part in empty.findChildren(QWidget) if part.isVisible() and part.accessibleName()]
    assert words[0] == "Open a session that broke"
    assert words[-1] == "Files are opened read-only. Nothing leaves this machine."
    assert "Drop a dump here" in words
    buttons = [one.text() for one in empty.findChildren(QAbstractButton) if one.isVisible()]
    assert buttons[:2] == ["Open…  Ctrl+O", "Paste  Ctrl+V"]
    assert "See a broken session" in buttons
    assert person.focus.objectName() == "button.file.open", "Return opens a file"


def test_from_the_drop_to_the_proof(person: Person, incident: Path, tmp_path: Path) -> None:
    window, before = person.window, incident.read_bytes()
    seen: list[State] = []
    strips: list[str] = []
    person.session.changed.connect(lambda state, changed: (seen.append(state), strips.append(window.strip.text)))
    person.drop(incident)

    # while it is read: rows, a word how far it is, and a way out
    person.wait(lambda: window.strip.isVisible())
    assert window.list.isVisible()
    assert window.list.rows.rowCount() > 0, "rows are there before it is judged"
    assert person.state.report is None
    assert window.strip.text.lower().startswith(("reading", "judging"))
    cancel = window.strip.findChild(QAbstractButton, "verdictStrip.file.cancel")
    assert cancel.isVisible()
    assert cancel.isEnabled()

    # nobody clicked: the verdict, the first faulty block in its open step, why, and in whose words
    person.quiet()
    assert window.strip.text == "Anthropic would refuse this: 2 errors, one cause."
    row = int(person.state.report.error_rows[0])
    assert person.state.selected == row
    at = window.list.current_row()
    assert window.list.rows.row_id(at) == row
    assert at in window.list.rows_visible()
    assert window.list.rows.opened(window.list.rows.parent_row(at))
    box = window.viewer.finding
    assert box.isVisible()
    words = box.findChild(QWidget, "blockViewer.words").text()
    assert "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks" in words
    assert window.tabs.currentWidget() is window.findings

    # nothing is shown as dropped before somebody asks for it
    assert all(state.budget is None and state.plan is None and state.preview is None for state in seen)
    assert window.list.header.above() == "" if hasattr(window.list, "header") else True

    # other ways, and the repair as a preview
    QTest.mouseClick(window.strip.findChild(QAbstractButton, "verdictStrip.ways"), Qt.MouseButton.LeftButton)
    menu = window.strip.findChild(QMenu, "verdictStrip.ways.menu")
    assert len(menu.actions()) == 2
    menu.close()
    QTest.mouseClick(window.strip.findChild(QAbstractButton, "verdictStrip.finding.preview"), Qt.MouseButton.LeftButton)
    person.wait(lambda: person.state.preview is not None)
    assert window.strip.text.startswith("After 2 changes: no reason found why Anthropic would refuse this")
    assert "loses" in window.strip.detail
    assert not person.state.history.active, "nothing is applied yet"
    assert window.chart.chart.model.plan is None  # type: ignore[union-attr]

    # Enter applies it
    window.activateWindow()
    person.wait(window.isActiveWindow)
    person.press("Return")
    person.wait(lambda: person.state.history.active)
    person.quiet()
    assert person.state.report.verdict == "accept"
    assert window.tabs.tabText(window.tabs.indexOf(window.changes)) == "Changes  2"

    # a new file, and the proof
    person.press("Ctrl+E")
    dialog = window.findChild(ExportDialog)
    field = dialog.findChild(QLineEdit, "exportDialog.path")
    assert field.text().startswith(str(tmp_path)), "beside what was opened"
    assert not Path(field.text()).exists()
    target = Path(field.text())
    QTest.mouseClick(dialog.findChild(QAbstractButton, "exportDialog.write"), Qt.MouseButton.LeftButton)
    person.wait(lambda: target.exists() and dialog.findChild(QPlainTextEdit, "exportDialog.proof").toPlainText() != "")
    said = [part.accessibleName() for part in dialog.findChildren(QWidget) if part.isVisible()]
    assert "Written, read again, checked." in said
    QTest.mouseClick(dialog.findChild(QAbstractButton, "exportDialog.copy"), Qt.MouseButton.LeftButton)
    assert target.name in QApplication.clipboard().text()
    assert len(json.loads(target.read_text())["messages"]) == len(json.loads(before)["messages"]) - 1
    assert incident.read_bytes() == before, "the file that was opened is what it was"


def test_a_first_look_at_a_long_session_is_not_judged(person: Person, tmp_path: Path) -> None:
    """The rows of the head stand there at once; a verdict waits until all is read."""
    lines = [
        json.dumps({"type": "user" if n % 2 == 0 else "assistant", "uuid": f"u{n}", "parentUuid": f"u{n - 1}" if n else None,
                    "sessionId": "s",
                    "message": {"role": "user" if n % 2 == 0 else "assistant", "id": f"m{n}", "content": f"turn {n} " + "x" * 2_000}})
        for n in range(600)
    ]  # fmt: skip
    path = tmp_path / "long.jsonl"
    path.write_text("\n".join(lines))
    told: list[tuple[bool, bool, bool, int]] = []

    def note(state: State, changed: Changed) -> None:
        whole = state.dump is not None and state.dump.complete
        told.append((bool(changed & Changed.DUMP), state.report is not None, whole, person.window.list.rows.rowCount()))

    person.session.changed.connect(note)
    person.drop(path)
    person.wait(lambda: person.state.dump is not None)
    assert told[0][:3] == (True, False, False)
    assert told[0][3] > 0
    person.quiet()
    assert person.state.dump.complete
    assert person.window.list.rows.rowCount() == 300
