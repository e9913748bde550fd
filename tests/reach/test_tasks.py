"""What a reviewer comes for, done by keys and clicks on the real program; the number of steps is part of what is promised."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.model.kinds import Kind
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


def test_find_the_first_fault(person: Person, incident: Path) -> None:
    person.drop(incident)
    person.quiet()
    assert person.state.selected == int(person.state.report.error_rows[0])
    assert person.window.viewer.finding.finding.rule == "tool-result-orphan"
    assert person.steps == 1


def test_fix_all_and_export(person: Person, incident: Path) -> None:
    person.drop(incident)
    person.quiet()
    person.press("Ctrl+Shift+A")
    person.wait(lambda: person.state.history.active)
    person.quiet()
    person.press("Ctrl+E")
    dialog = person.window.findChild(ExportDialog)
    target = Path(dialog.findChild(QLineEdit, "exportDialog.path").text())
    person.click("exportDialog.write")
    person.wait(lambda: target.exists() and dialog.findChild(QPlainTextEdit, "exportDialog.proof").toPlainText() != "")
    assert person.steps == 4


def test_what_a_budget_drops_under_three_strategies(person: Person, incident: Path) -> None:
    person.drop(incident)
    person.quiet()
    person.wait(lambda: person.state.rankings)
    person.press("Ctrl+B")
    person.type("20000")
    person.press("Return")
    person.quiet()
    names = list(person.state.rankings)
    seen = {person.state.shown: (person.state.plan.after, person.state.plan.length)}
    for number in (2, 3):
        person.press(f"Alt+{number}")
        person.quiet()
        seen[person.state.shown] = (person.state.plan.after, person.state.plan.length)
    assert list(seen) == names[:3]
    assert all(after <= 20_000 and length for after, length in seen.values())
    assert person.steps == 6


def test_pin_an_exchange_and_plan_again(person: Person, incident: Path) -> None:
    person.drop(incident)
    person.quiet()
    person.press("Ctrl+H")
    person.quiet()
    person.wait(lambda: person.state.checked)
    before = person.state.plan.after
    person.press("Ctrl+I")
    person.quiet()
    assert person.state.pinned == frozenset({0})
    assert person.state.plan.length == 0 or not person.state.plan.dropped[person.state.view.at(person.state.selected)]
    assert person.state.plan.after != before
    assert person.steps == 3


def test_from_a_call_to_its_result_and_back_over_ten_thousand_rows(person: Person, tmp_path: Path) -> None:
    messages: list[dict[str, object]] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_far", "name": "build", "input": {}}]},
    ]
    messages += [{"role": ("user", "assistant")[n % 2], "content": f"turn {n}"} for n in range(10_000)]
    messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_far", "content": "built"}]})
    path = tmp_path / "far.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages}))
    person.drop(path)
    person.quiet()
    view = person.state.view
    call, result = (int((view.kind == kind).argmax()) for kind in (Kind.TOOL_CALL, Kind.TOOL_RESULT))
    assert result - call > 9_999
    person.session.select(-1)
    person.press("F9")
    assert view.at(person.state.selected) == call
    person.press("P")
    assert view.at(person.state.selected) == result
    at = person.window.list.current_row()
    assert at in person.window.list.rows_visible()
    person.press("P")
    assert view.at(person.state.selected) == call
    assert person.steps == 4


def test_any_place_by_its_name(person: Person, incident: Path) -> None:
    person.drop(incident)
    person.quiet()
    person.press("Ctrl+K")
    person.wait(lambda: person.focus.objectName() == "palette.field")
    person.type("E9")
    person.press("Return")
    groups, view = person.state.view.groups, person.state.view
    row = int(view.rows[groups.first[9]])
    person.wait(lambda: person.state.selected == row)
    assert person.steps == 4
