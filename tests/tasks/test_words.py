"""What somebody types who does not know our words yet: the palette offers what is meant, first or among the first three."""

from __future__ import annotations

from pathlib import Path

from tests.tasks.reviewer import Reviewer
from widgets.actions import TABLE
from widgets.palette import Palette
from widgets.palette_synonyms import SYNONYMS

MEANT = {
    "fault": "go.next_finding",
    "error": "go.next_finding",
    "biggest tool": "view.focus_costs",
    "fills": "view.focus_costs",
    "jump to result": "go.partner",
    "50000": "",
    "limit": "plan.budget",
    "keep": "plan.pin",
    "fix all": "finding.fix_all",
    "diff": "view.before_after",
    "before": "view.before_after",
    "compare": "file.compare",
    "first seen": "edit.find_first",
    "grep": "edit.find",
    "insert result": "finding.real_result",
    "lost cache": "go.cache_lost",
    "minimal": "file.bug_report",
    "reproduce": "file.bug_report",
    "revert": "file.go_back",
    "restore": "file.go_back",
    "backup": "file.go_back",
    "shortcuts": "help.keys",
}


def test_every_synonym_is_of_an_action() -> None:
    assert set(SYNONYMS) <= {row.id for row in TABLE}


def test_other_words_lead_there(person: Reviewer, incident: Path) -> None:
    person.see(incident)
    palette = Palette(person.window.acts, person.session, person.window.show_row, [], person.window)
    for typed, meant in MEANT.items():
        found = [row.id for row in palette._found(typed)[:3]]
        assert meant in found if meant else found == [], (typed, found)
    palette.close()


def test_the_menu_of_a_finding(person: Reviewer, incident: Path) -> None:
    from PySide6.QtWidgets import QApplication

    person.see(incident)
    panel = person.window.findings.list
    panel.customContextMenuRequested.emit(panel.rect().center())
    popup = QApplication.activePopupWidget()
    assert [one.objectName() for one in popup.actions()] == ["finding.fix", "help.rule", "file.bug_report"]
    popup.close()
