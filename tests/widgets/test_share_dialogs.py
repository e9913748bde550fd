"""What may leave the room, in the window: the real session, the real search, real keys."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.model.evidence import Sensitive
from tests.evidence import MAIL, SECRETS
from tests.widgets.sharing import dump, rested, window
from widgets.bug_report_dialog import BugReportDialog, sentence
from widgets.found_model import FoundModel, FoundTable
from widgets.in_place_dialog import InPlaceDialog
from widgets.main_window import MainWindow
from widgets.share_dialogs import RedactDialog, ShapeDialog, free_path

assert dump
assert window


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_a_bug_report_is_made_and_copied(qtbot: QtBot, window: MainWindow) -> None:
    window.acts["file.bug_report"].trigger()
    dialog = window.commands.share.dialog
    assert isinstance(dialog, BugReportDialog)
    assert dialog.busy
    assert not dialog.copy.isEnabled()
    qtbot.waitUntil(lambda: not dialog.busy)
    assert dialog._said.text().startswith("7 blocks became 1; it was checked ")
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert clipboard().startswith("## tool-result-orphan")
    assert not [secret for secret in SECRETS if secret in clipboard()]
    assert "read_file" not in clipboard()  # its call is not needed
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.commands.share.dialog is None


def test_a_report_can_be_stopped_and_says_when_the_ground_moved(qtbot: QtBot, window: MainWindow) -> None:
    window.acts["file.bug_report"].trigger()
    dialog = window.commands.share.dialog
    assert isinstance(dialog, BugReportDialog)
    qtbot.mouseClick(dialog.stop, Qt.MouseButton.LeftButton)
    assert not dialog.busy
    assert dialog._said.text() == "Stopped; nothing was written."
    assert not window.session.asking("bug_report")
    assert "names of members, models and tools, roles" in sentence(False)
    assert dialog._sentence.text() == sentence(False)
    dialog.rename.click()  # another choice begins anew
    assert dialog.busy
    assert dialog._sentence.text() == sentence(True)
    assert "tools are renamed" in sentence(True)
    assert "names of members and models, roles" in sentence(True)
    window.session.judge_for("openai-chat")
    qtbot.waitUntil(lambda: not dialog.busy)
    assert dialog._said.text() in ("The transcript has changed meanwhile. Start again.",) or "became" in dialog._said.text()
    dialog.reject()


def test_the_shape_is_written_and_proved(qtbot: QtBot, window: MainWindow, dump: Path) -> None:
    window.acts["file.shape"].trigger()
    dialog = window.commands.share.dialog
    assert isinstance(dialog, ShapeDialog)
    assert dialog.path.text() == str(dump.with_name("dump.shape.json"))
    dialog.path.setText(str(dump))
    assert not dialog.write.isEnabled()
    dialog.path.setText(str(dump.with_name("s.json")))
    qtbot.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.copy.isVisible())
    assert not [secret for secret in SECRETS if secret in dump.with_name("s.json").read_text()]
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert "fillers of an equal number" in clipboard()
    dialog.reject()


def test_redaction_is_reviewed_by_keyboard(qtbot: QtBot, window: MainWindow, dump: Path) -> None:
    window.acts["file.redact"].trigger()
    dialog = window.commands.share.dialog
    assert isinstance(dialog, RedactDialog)
    assert not dialog.write.isEnabled()
    qtbot.waitUntil(lambda: not dialog.busy)
    many = dialog.model.rowCount()
    assert many >= 4
    assert dialog.model.kept() == ()
    mail = next(row for row in range(many) if dialog.model.index(row, 2).data() == "e-mail address")
    dialog.table.selectRow(mail)
    qtbot.keyClick(dialog.table, Qt.Key.Key_Space)
    assert len(dialog.model.kept()) == 1
    qtbot.keyClicks(dialog.word, "books")
    qtbot.keyClick(dialog.word, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not dialog.busy)
    assert dialog.model.rowCount() == many + 1
    assert len(dialog.model.kept()) == 1  # what was ticked off stays so
    dialog.path.setText(str(dump.with_name("r.json")))
    qtbot.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.copy.isVisible())
    text = dump.with_name("r.json").read_text()
    assert MAIL in text
    assert not [secret for secret in (*SECRETS, "books") if secret not in ("maria", MAIL) and secret in text]
    dialog.reject()


def test_in_place_shows_the_way_back(qtbot: QtBot, window: MainWindow, dump: Path) -> None:
    old = dump.read_bytes()
    assert not window.acts["file.in_place"].isEnabled()
    window.acts["finding.fix_all"].trigger()
    qtbot.waitUntil(lambda: bool(window.session.state.history.active) and rested(window.session))
    window.acts["file.in_place"].trigger()
    dialog = window.commands.share.dialog
    assert isinstance(dialog, InPlaceDialog)
    qtbot.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.copy.isVisible())
    field = dialog.findChild(QLineEdit, "inPlace.back")
    assert field is not None
    assert field.text() == f"mv -- {dump}.bak-1 {dump}"
    copy = dialog.findChild(QPushButton, "inPlace.back.copy")
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert clipboard() == field.text()
    qtbot.waitUntil(lambda: window.session.state.report is not None and rested(window.session))
    assert Path(f"{dump}.bak-1").read_bytes() == old
    assert window.session.state.report is not None
    assert window.session.state.report.verdict == "accept"
    assert not window.session.state.changed_on_disk
    assert not window.session.state.history.layers
    dialog.reject()
    window.acts["edit.copy_summary"].trigger()  # it is still the one of what was done
    for said in ("What was wrong", "error: tool-result-orphan", "Drop the result (loses)", "Go back with: mv"):
        assert said in clipboard()


def test_what_is_followed_or_unquiet_is_not_written_over(qtbot: QtBot, window: MainWindow, dump: Path) -> None:
    window.acts["finding.fix_all"].trigger()
    qtbot.waitUntil(lambda: bool(window.session.state.history.active) and rested(window.session))
    window.session.follow(True)
    window.acts["file.in_place"].trigger()
    dialog = window.commands.share.dialog
    assert isinstance(dialog, InPlaceDialog)
    assert "is being followed" in dialog._said.text()
    assert not dialog.write.isEnabled()
    dialog.reject()
    window.session.follow(False)


def test_the_summary_for_the_review(qtbot: QtBot, window: MainWindow) -> None:
    window.acts["edit.copy_summary"].trigger()
    assert "What was wrong (Anthropic, claude-sonnet-4-5;" in clipboard()
    assert "- nothing was changed" in clipboard()
    window.acts["finding.fix_all"].trigger()
    qtbot.waitUntil(lambda: bool(window.session.state.history.active) and rested(window.session))
    window.acts["edit.copy_summary"].trigger()
    assert "error: tool-result-orphan" in clipboard()
    assert "Now: no reason found why Anthropic would refuse it" in clipboard()


def test_the_table_of_what_was_found(qtbot: QtBot) -> None:
    model = FoundModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.put([Sensitive(n, "secret", "key", "p", f"s{n}", f"M{n}", 2, (f"/{n}",)) for n in range(3)])
    table = FoundTable(model)
    table.fit(12)
    qtbot.addWidget(table)
    table.resize(800, 200)
    table.show()
    rect = table.visualRect(model.index(1, 3))
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert model.kept() == (1,)
    model.tick_all(False)
    assert model.kept() == (0, 1, 2)
    model.tick_all(True)
    assert model.kept() == ()


def test_a_free_name(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    assert free_path(str(path), "shape") == str(tmp_path / "a.shape.jsonl")
    (tmp_path / "a.shape.jsonl").touch()
    assert free_path(str(path), "shape") == str(tmp_path / "a.shape-2.jsonl")
    assert free_path(str(tmp_path / "a.json.gz"), "shape").endswith("a.json.shape.json")
