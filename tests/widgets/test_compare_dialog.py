"""Before and after, and two dumps: what is listed, opened and gone to, by key and with the real helper process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.model.compared import Compared, What, Words
from app.pipeline.compare import compared
from tests.pipeline.test_compare import anthropic, steps
from tests.walks import Person, person
from widgets.compare_dialog import CompareDialog
from widgets.compare_words import NOTHING
from widgets.compared_model import ComparedModel

assert person


def found() -> Compared:
    after = steps(4)
    after[2]["content"][0]["content"] = "[cleared]"
    del after[8:12]
    return compared(anthropic(steps(4)), anthropic([*after, {"role": "user", "content": "go on"}]))


def words(lines: tuple[int, ...]) -> dict[int, Words]:
    return {line: Words(f"block {line}", "old words", "new\u202e words") for line in lines}


def test_the_rows_are_what_differs_by_exchange() -> None:
    model = ComparedModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    assert tester.model() is model
    model.put(found())
    texts = [[model.data(model.index(row, column)) for column in (0, 1, 4)] for row in range(model.rowCount())]
    assert texts[0] == ["▾ E1", "1 stubbed", "21"]
    assert texts[1] == ["    ▭ stubbed", "tool result", "3"]
    assert [row[0] for row in texts[2:7]] == ["▾ E3", *["    ✕ gone"] * 4]
    assert texts[-1][0] == "    + added"
    model.take(words((2,)))
    assert model.data(model.index(1, 2)) == "old words  →  new‹U+202E› words"
    model.toggle(0)
    assert model.data(model.index(0, 0)) == "▸ E1"
    assert model.data(model.index(1, 0)) == "▾ E3"
    model.toggle(0)
    rows = model.rowCount()
    model.show_all(True)
    assert model.rowCount() == rows + 3 + 2 * (1 + 4)  # what stays of E1, and two exchanges that stay whole
    model.put(None)
    assert model.rowCount() == 0


def test_from_change_to_change_by_key(qtbot: QtBot) -> None:
    dialog = CompareDialog("compare")
    qtbot.addWidget(dialog)
    dialog.words_wanted.connect(lambda lines: dialog.take_words(words(lines)))
    asked: list[int] = []
    dialog.texts_wanted.connect(asked.append)
    dialog.show()
    dialog.show_found(found(), (("main", ""), ("branch-2", "other")), 0)
    table = dialog.table
    assert dialog._said.text() == "6 differences: 4 gone, 1 added, 1 stubbed"
    assert dialog._aside.text().startswith("Both begin with 2 messages, 2 blocks, ")
    assert dialog.other.isVisible()
    assert table.line == 2
    dialog.show_texts(2, ("old words",), ("new words",))
    assert dialog.body.toPlainText() == "  stubbed\n− old words\n+ new words"
    dialog.show_texts(3, ("late",), None)  # of a line that is no longer selected
    assert "late" not in dialog.body.toPlainText()
    table.setFocus()
    for _ in range(5):
        qtbot.keyClick(table, Qt.Key.Key_N)
    assert What(int(table.lines.found.what[table.line])) == What.ADDED  # type: ignore[union-attr]
    qtbot.keyClick(table, Qt.Key.Key_P)
    assert What(int(table.lines.found.what[table.line])) == What.GONE  # type: ignore[union-attr]
    qtbot.keyClick(table, Qt.Key.Key_Left)
    assert table.line == -1
    qtbot.keyClick(table, Qt.Key.Key_Left)
    assert table.lines.text(table.lines.rows[table.current_row()], 0) == "▸ E3"
    qtbot.keyClick(table, Qt.Key.Key_N)  # what is closed opens
    assert table.line >= 0
    with qtbot.waitSignal(dialog.place_wanted) as went:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert went.args == [table.line]
    assert asked[0] == 2
    qtbot.waitUntil(lambda: table.lines.words.get(table.line) is not None)


def _dump(folder: Path, name: str, count: int, prefix: str = "t") -> Path:
    path = folder / name
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": steps(count, prefix)}))
    return path


def test_what_the_plan_does_and_what_was_done(person: Person, tmp_path: Path) -> None:
    person.open(_dump(tmp_path, "a.json", 6))
    person.do("view.before_after")
    dialog = person.window.commands.compares.dialogs["before_after"]
    person.wait(lambda: dialog._said.text() == NOTHING)
    assert not dialog.next.isEnabled()
    person.session.show_strategy("stub-tool-results")
    person.drag_to(person.state.now // 2)
    person.wait(lambda: dialog.table.lines.found is not None and "stubbed" in dialog.table.lines.found.counts)
    planned = dialog.table.lines.found.counts
    person.wait(lambda: "→" in dialog.table.lines.text(dialog.table.lines.rows[1], 2))
    person.wait(lambda: "+ [tool result removed" in dialog.body.toPlainText())
    row = int(dialog.table.lines.found.rows_a[dialog.table.line])
    dialog.go.click()
    assert person.state.selected == row
    person.session.apply_plan()
    person.rest()
    person.wait(lambda: dialog.table.lines.found.counts == planned and not person.session.busy)
    assert dialog._said.text().startswith("Before ")
    dialog.close()
    assert person.window.commands.compares.dialogs == {}


def test_two_dumps_side_by_side(person: Person, tmp_path: Path) -> None:
    person.open(_dump(tmp_path, "a.json", 6))
    compares = person.window.commands.compares
    compares.compare(str(_dump(tmp_path, "b.json", 4, "u")))
    dialog = compares.dialogs["compare"]
    person.wait(lambda: dialog.table.lines.found is not None)
    assert dialog.table.lines.found.counts == {"same": 16, "gone": 8}
    assert dialog._said.text() == "8 differences: 8 gone · 4 call ids renamed throughout (no difference)"
    compares.compare(str(tmp_path / "absent.json"))
    person.wait(lambda: "No such file" in dialog._said.text())
    assert dialog.table.lines.rowCount() == 0
    compares.compare(str(tmp_path / "a.json"))
    person.wait(lambda: dialog._said.text() == "Both would send the same")


def test_it_may_be_left_while_it_reads(person: Person, tmp_path: Path) -> None:
    person.open(_dump(tmp_path, "a.json", 2))
    compares = person.window.commands.compares
    compares.compare(str(_dump(tmp_path, "b.json", 2_000, "u")))
    compares.dialogs["compare"].close()
    person.wait(lambda: not person.session.asking("compare"))
    assert compares.dialogs == {}


@pytest.mark.parametrize("about", ["compare", "before_after"])
def test_every_control_has_a_name(qtbot: QtBot, about: str) -> None:
    dialog = CompareDialog(about)
    qtbot.addWidget(dialog)
    for part in (dialog.table, dialog.body, dialog.before, dialog.next, dialog.stays, dialog.go, dialog._close, dialog.other):
        assert part.accessibleName()
        assert part.objectName().startswith(("compared.", "blockViewer"))
