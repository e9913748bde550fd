"""Tasks about a budget, and what it makes of the session."""

from __future__ import annotations

from pathlib import Path

from tests.tasks.reviewer import Reviewer
from tests.widgets.claude_lines import claude_lines

BUDGET = 50_000


def test_see_what_a_budget_drops_under_three_strategies(person: Reviewer, tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text(claude_lines(120))
    person.see(path)
    person.wait(lambda: person.state.rankings)
    assert person.state.now > BUDGET
    person.press("Ctrl+B")
    person.type(str(BUDGET))
    person.press("Return")
    person.quiet()
    names = list(person.state.rankings)
    seen = {person.state.shown: (person.state.plan.after, person.state.plan.length)}
    for number in (2, 3):
        person.press(f"Alt+{number}")
        person.quiet()
        seen[person.state.shown] = (person.state.plan.after, person.state.plan.length)
    assert list(seen) == names[:3]
    assert all(after <= BUDGET and length for after, length in seen.values())
    assert len({length for _, length in seen.values()}) == 3
    person.did("see what a budget of 50,000 drops under three strategies", 5)


def test_pin_an_exchange_and_plan_again(person: Reviewer, incident: Path) -> None:
    person.see(incident)
    person.press("Ctrl+H")
    person.quiet()
    person.wait(lambda: person.state.checked)
    before = person.state.plan.after
    person.press("Ctrl+I")
    person.quiet()
    assert person.state.pinned == frozenset({0})
    assert person.state.plan.length == 0 or not person.state.plan.dropped[person.selected()]
    assert person.state.plan.after != before
    person.did("pin an exchange and plan again", 2)


def test_compare_before_and_after(person: Reviewer, incident: Path) -> None:
    """Made all repairs, and wants to see what they did: from the tab of the changes."""
    person.see(incident)
    person.press("Ctrl+Shift+A")
    person.wait(person.applied())
    person.steps = 1  # what there is to compare has been made
    person.tab("Changes")
    person.click("button.view.before_after")
    dialog = person.window.commands.compares.dialogs["before_after"]
    person.wait(lambda: dialog.table.lines.found is not None)
    assert "2 gone" in " ".join(one.text() for one in dialog.findChildren(type(person.window.status.changes)))
    person.did("compare before and after", 2)


def test_as_the_file_is_while_a_key_is_held(person: Reviewer, incident: Path) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    person.see(incident)
    person.press("Ctrl+Shift+A")
    person.wait(person.applied())
    QTest.keyPress(person.focus, Qt.Key.Key_B)
    person.wait(lambda: "would refuse" in person.window.strip.text)
    QTest.keyRelease(person.focus, Qt.Key.Key_B)
    person.wait(lambda: "no reason found" in person.window.strip.text.lower())


def test_compare_two_runs(person: Reviewer, incident: Path, tmp_path: Path, monkeypatch: object) -> None:
    import json

    from PySide6.QtWidgets import QFileDialog

    body = json.loads(incident.read_text())
    body["messages"] = body["messages"][:-4]
    other = tmp_path / "other.json"
    other.write_text(json.dumps(body))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (str(other), ""))  # type: ignore[attr-defined]
    person.see(incident)
    person.menu("File", "Compare with")
    person.steps += 1  # the file is chosen
    dialog = person.window.commands.compares.dialogs["compare"]
    person.wait(lambda: dialog.table.lines.found is not None)
    person.did("compare two runs", 3)
