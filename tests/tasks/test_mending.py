"""Tasks in which something is mended, or leaves the room."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from tests.tasks.reviewer import Reviewer
from widgets.export_dialog import ExportDialog


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_fix_all_and_export(person: Reviewer, incident: Path) -> None:
    person.see(incident)
    person.press("Ctrl+Shift+A")
    person.wait(person.applied())
    person.press("Ctrl+E")
    dialog = person.window.findChild(ExportDialog)
    target = Path(dialog.findChild(QLineEdit, "exportDialog.path").text())
    person.click("exportDialog.write")
    person.wait(lambda: target.exists() and dialog.findChild(QPlainTextEdit, "exportDialog.proof").toPlainText() != "")
    person.did("fix all and export", 3)


def test_put_in_the_real_result_of_a_call(person: Reviewer, claude: Path) -> None:
    person.see(claude)
    person.click("blockViewer.real_result")
    person.wait(lambda: person.focus.objectName() == "realResultDialog.text")
    person.type("12 matches in src")
    person.press("Ctrl+Return")
    person.wait(lambda: person.state.preview is not None)
    assert person.state.preview.report.verdict == "accept"
    assert person.window.focusWidget() is person.window.viewer.pages.page  # not somewhere in the bar
    person.press("Return")
    person.wait(person.applied())
    (made,) = person.state.transcript.made
    assert person.session.block(made).text == "12 matches in src"
    assert person.state.report.verdict == "accept"
    person.did("put in the real result of a call", 4)


def test_copy_a_minimal_report(person: Reviewer, incident: Path) -> None:
    """From the row in front: nobody needs to know which menu it stands in."""
    person.see(incident)
    person.right_click("Copy as a bug report")
    person.wait(lambda: person.dialog("bugReport") is not None and not person.dialog("bugReport").busy)
    person.press("Return")
    assert "fails the same rule" in clipboard()
    assert "what is left of 270 blocks: 1" in clipboard()
    assert "in_9924" not in clipboard()  # contents are fillers
    person.did("copy a minimal report", 3)


def test_repair_a_session_in_place_and_go_back(qtbot: QtBot, claude: Path, tmp_path: Path) -> None:
    """With the real helper process, and the file as two programs see it."""
    person = Reviewer(qtbot, tmp_path, real=True)
    old = claude.read_bytes()
    person.see(claude)
    person.press("Ctrl+Shift+A")
    person.wait(person.applied())
    person.menu("File", "Repair in place")
    person.wait(lambda: person.dialog("inPlace").write.isEnabled())
    person.click("inPlace.write")
    person.wait(lambda: person.dialog("inPlace").copy.isVisible())
    assert person.field("inPlace.resume") == f"cd /home/ada/shop && claude --resume {claude.stem}"
    person.quiet()
    mended, first = claude.read_bytes(), Path(f"{claude}.bak-1")
    assert first.read_bytes() == old != mended
    assert person.state.report.verdict == "accept"
    person.click("inPlace.resume.copy")
    assert clipboard() == person.field("inPlace.resume")
    person.did("repair a session in place, the command to resume copied", 5)

    person.steps = 1
    person.click("inPlace.goBack")
    person.wait(lambda: person.dialog("goBack") is not None and person.dialog("goBack").go.isEnabled())
    person.press("Return")
    person.wait(lambda: not person.dialog("goBack").go.isVisible())
    person.wait(lambda: person.state.report is not None and person.state.report.verdict == "reject")
    person.quiet()
    second = Path(f"{claude}.bak-2")
    assert claude.read_bytes() == old
    assert (first.read_bytes(), second.read_bytes()) == (old, mended)  # no backup is written over or taken away
    assert person.field("goBack.back") == f"mv -- {second} {claude}"
    person.did("go back", 2)
    person.leave()


def test_in_place_again_takes_the_next_number(person: Reviewer, incident: Path) -> None:
    Path(f"{incident}.bak-1").write_text("somebody's")
    person.see(incident)
    person.press("Ctrl+Shift+A")
    person.wait(person.applied())
    person.palette("repair in place")
    person.wait(lambda: person.dialog("inPlace") is not None and person.dialog("inPlace").write.isEnabled())
    person.click("inPlace.write")
    person.wait(lambda: Path(f"{incident}.bak-2").exists() and person.dialog("inPlace").copy.isVisible())
    assert Path(f"{incident}.bak-1").read_text() == "somebody's"
    assert json.loads(Path(f"{incident}.bak-2").read_text())["messages"]


def test_in_place_from_the_export_and_the_command_of_codex(person: Reviewer, tmp_path: Path) -> None:
    """Somebody who looks for it where things are written finds it there."""
    name = "0199aaaa-0000-7000-8000-000000000001"
    call = {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "call_1"}
    items = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go"}]}, call]
    items.append({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go on"}]})
    lines: list[object] = [{"timestamp": "2026-01-01T00:00:00.000Z", "type": "session_meta", "payload": {"id": name}}]
    lines += [{"timestamp": "2026-01-01T00:00:01.000Z", "type": "response_item", "payload": one} for one in items]
    path = tmp_path / "rollout-2026-01-01.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    os.utime(path, (time.time() - 60,) * 2)
    person.see(path)
    assert person.state.report.verdict == "reject"
    person.press("Ctrl+Shift+A")
    person.wait(person.applied())
    person.click("button.file.export")
    person.wait(lambda: person.window.commands.export_dialog is not None)
    person.click("exportDialog.inPlace")
    person.wait(lambda: person.dialog("inPlace") is not None and person.dialog("inPlace").write.isEnabled())
    person.click("inPlace.write")
    assert person.field("inPlace.resume") == f"codex resume {name}"
    assert Path(f"{path}.bak-1").read_text().count("\n") == 4
    person.did("repair in place, from the export", 4)


def test_what_was_dropped_is_named(person: Reviewer, incident: Path) -> None:
    """Two repairs of one kind are told apart by the call id of what is gone."""
    person.see(incident)
    person.press("Ctrl+Shift+A")
    person.wait(person.applied())
    person.press("Ctrl+5")
    named = [one.detail for one in person.window.changes.list.lines.lines if one.level]
    assert named == ["rule:tool-result-orphan · toolu_01S…VnN7", "rule:tool-result-orphan · toolu_01r…reAh"]
