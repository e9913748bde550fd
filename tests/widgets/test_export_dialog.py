"""Export: where to, what changes, refused while errors remain; then the proof."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.model.state import Changed, State, Written
from tests.widgets.desk import DeskSession, change, found, history, report
from tests.widgets.states import evict_exchanges, planned, small_state
from widgets.export_dialog import ExportDialog, changes_text, default_path, path_problem, where_words

SUMMARY = "Written to out.json: 539 of 541 records the same bytes, 1 inserted, 1 re-linked; read again: no reason found, 61 rules."


def dialog_of(qtbot: QtBot, state: State, path: Path) -> ExportDialog:
    dialog = ExportDialog(DeskSession(state.with_(path=str(path))))  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "dump.jsonl"
    path.write_text("{}")
    return path


def clean() -> State:
    return small_state().with_(report=report(), history=history((change("Put in a result", "adds"), change("Drop it"))))


def test_it_proposes_a_new_file_beside(qtbot: QtBot, source: Path) -> None:
    dialog = dialog_of(qtbot, clean(), source)
    assert dialog.path.text() == str(source.with_name("dump.repaired.jsonl"))
    assert dialog.changes.toPlainText().split("\n")[:2] == ["adds   Put in a result", "loses  Drop it"]
    assert dialog._refusal.text() == "No reason found why Anthropic would refuse it: 61 rules."
    with qtbot.waitSignal(dialog.export_wanted) as caught:
        qtbot.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    assert caught.args == [str(source.with_name("dump.repaired.jsonl")), False, ""]
    assert not dialog.write.isEnabled()


def test_refused_while_errors_remain_unless_told(qtbot: QtBot, source: Path) -> None:
    dialog = dialog_of(qtbot, clean().with_(report=report("reject", [found(), found(row=1)])), source)
    assert dialog._refusal.text().startswith("Refused while 2 errors would remain")
    assert not dialog.write.isEnabled()
    qtbot.mouseClick(
        dialog.broken, Qt.MouseButton.LeftButton, pos=dialog.broken.rect().center() * 0 + dialog.broken.rect().topLeft().__class__(8, 9)
    )
    assert dialog.broken.isChecked()
    with qtbot.waitSignal(dialog.export_wanted) as caught:
        qtbot.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    assert caught.args[1] is True


def test_never_over_the_source(qtbot: QtBot, source: Path) -> None:
    dialog = dialog_of(qtbot, clean(), source)
    dialog.path.setText(str(source))
    assert "never written over" in dialog._where.text()
    assert not dialog.write.isEnabled()
    link = source.with_name("link.jsonl")
    link.symlink_to(source)
    assert "never written over" in path_problem(str(link), str(source))


def test_other_places_that_are_none(tmp_path: Path, source: Path) -> None:
    assert path_problem("", str(source)) == "Name a file to write to."
    assert path_problem(str(tmp_path), str(source)) == "That is a folder. Name a file in it."
    assert path_problem(str(tmp_path / "no" / "x"), str(source)).startswith("There is no folder ")
    assert path_problem(str(tmp_path / "x.json"), str(source)) == ""
    assert where_words(str(source)).startswith("A file of this name is there")
    assert where_words(str(tmp_path / "x.json")).startswith("A new file")


def test_the_default_is_numbered_where_it_is_taken(source: Path) -> None:
    source.with_name("dump.repaired.jsonl").write_text("")
    assert default_path(str(source)) == str(source.with_name("dump.repaired-2.jsonl"))
    assert default_path("") == "pasted.repaired.json"
    assert default_path("pasted") == "pasted.repaired.json"


def test_the_proof_is_shown_and_copied(qtbot: QtBot, source: Path) -> None:
    state = clean()
    dialog = dialog_of(qtbot, state, source)
    qtbot.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    written = Written("/tmp/out.json", 541, 539, 1, 1, 0, 0, "accept", SUMMARY)
    dialog.refresh(state.with_(written=written), Changed.HISTORY | Changed.PROGRESS)
    assert dialog.proof.isVisible()
    assert dialog.proof.text.toPlainText() == SUMMARY
    assert dialog.proof._title.text() == "Written, read again, checked."
    qtbot.mouseClick(dialog.proof.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == SUMMARY
    with qtbot.waitSignal(dialog.open_wanted) as caught:
        dialog.findChild(QPushButton, "exportDialog.open").click()
    assert caught.args == ["/tmp/out.json"]
    assert not dialog.isVisible()


def test_an_older_proof_is_not_mistaken_for_this_one(qtbot: QtBot, source: Path) -> None:
    state = clean().with_(written=Written("/tmp/old.json", 1, 1, 0, 0, 0, 0, "accept", "old"))
    dialog = dialog_of(qtbot, state, source)
    dialog.refresh(state, Changed.ALL)
    assert not dialog.proof.isVisible()


def test_a_broken_one_says_so(qtbot: QtBot, source: Path) -> None:
    dialog = dialog_of(qtbot, clean(), source)
    dialog._write()
    dialog.refresh(clean().with_(written=Written("/x", 1, 1, 0, 0, 0, 0, "reject", "s")), Changed.HISTORY)
    assert dialog.proof._title.text() == "Written and read again; errors remain, as you allowed."


def test_a_failure_is_said_in_the_dialog(qtbot: QtBot, source: Path) -> None:
    dialog = dialog_of(qtbot, clean(), source)
    qtbot.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    dialog.fail("dump.jsonl: the file has changed since it was read; open it again before exporting from it")
    assert dialog._refusal.text().startswith("dump.jsonl: the file has changed")
    assert dialog.write.isEnabled()


def test_what_changes_in_words() -> None:
    assert changes_text(small_state()) == "Nothing: the file is written with the same bytes."
    many = small_state().with_(history=history(tuple(change(f"c{n}") for n in range(1_234))))
    assert "… and 1,034 more" in changes_text(many)


def test_that_a_shown_plan_is_not_written_is_said() -> None:
    clean_state = small_state()
    state = planned(clean_state, evict_exchanges(clean_state), clean_state.now // 2)
    assert state.plan is not None
    told = f"The plan that is shown ({state.shown}) is not applied, and not written."
    assert changes_text(state) == f"Nothing: the file is written with the same bytes.\n{told}"
    assert changes_text(state.with_(history=history((change(),)))).endswith(told)


def test_every_control_has_a_name(qtbot: QtBot, source: Path) -> None:
    dialog = dialog_of(qtbot, clean(), source)
    for kind in (QPushButton, QLineEdit, QPlainTextEdit, QCheckBox):
        for made in dialog.findChildren(kind):
            assert made.objectName()
            assert made.accessibleName()


def test_the_bundled_incident_is_not_exported_into_the_program(tmp_path: Path) -> None:
    own = tmp_path / "app" / "incident" / "invoice.json"
    own.parent.mkdir(parents=True)
    own.write_text("{}")
    made = Path(default_path(str(own), str(own)))
    assert made.name.startswith("invoice.repaired")
    assert made.parent.is_dir()
    assert own.parent not in made.parents
    other = tmp_path / "other.json"
    assert default_path(str(other), str(own)) == str(tmp_path / "other.repaired.json")


def test_another_wire_has_a_file_of_its_own(qtbot: QtBot, source: Path) -> None:
    dialog = dialog_of(qtbot, clean().with_(report=report("reject", [found()])), source)
    assert not dialog.write.isEnabled()
    menu = dialog.wires.menu_of(dialog._choices())
    menu.actions()[1].trigger()
    assert dialog.path.text() == str(source.with_name("dump.openai-chat.json"))
    assert dialog.changes.toPlainText().startswith("Written anew from what would be sent now")
    assert dialog.write.isEnabled()  # it is judged once it is written
    with qtbot.waitSignal(dialog.export_wanted) as caught:
        qtbot.mouseClick(dialog.write, Qt.MouseButton.LeftButton)
    assert caught.args == [str(source.with_name("dump.openai-chat.json")), False, "openai-chat"]
    dialog.path.setText(str(source.with_name("mine.json")))
    dialog.write_as("")
    assert dialog.path.text() == str(source.with_name("mine.json"))  # a name that a person gave stays
