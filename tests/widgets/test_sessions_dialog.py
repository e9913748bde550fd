"""Find my sessions: what a row says, how it fills up, what opening one gives."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from app.model.sighting import Sighting
from app.model.state import Changed, State
from widgets import theme
from widgets.sessions_dialog import COLUMNS, NOBODY, SessionsDialog, project

NOON = datetime(2026, 3, 1, 12, 0).timestamp()
FOUND = (
    Sighting("/h/.claude/projects/p/a.jsonl", "Claude Code", 82_000_000, NOON),
    Sighting("/h/.codex/sessions/rollout-b.jsonl", "Codex", 900, NOON + 60),
)


def words(one: Sighting) -> list[str]:
    return [column.words(one) for column in COLUMNS]


def test_words_of_a_row() -> None:
    assert words(FOUND[0]) == ["2026-03-01 12:00", "Claude Code", "p", "a.jsonl", "82.0MB", "", "…"]
    told = Sighting("/h/a.jsonl", "pi", 900, NOON, "fix <b>the</b>\u202e tests", "pi", 1, 12, 2, 0)
    assert words(told)[1:] == ["pi", "h", "fix <b>the</b>‹U+202E› tests", "900B", "12", "✕ 2 errors"]
    assert words(Sighting("/h/a.jsonl", "pi", 900, NOON, why="no conversation in it"))[5:] == ["", "no conversation in it"]


def test_it_fills_up_and_opens_one(qtbot: QtBot) -> None:
    state = State()
    dialog = SessionsDialog(state.with_(unseen=-1))
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.said.text() == "Being looked for…"
    dialog.refresh(state.with_(sighted=FOUND, unseen=2), Changed.SIGHTED)
    assert dialog.said.text() == "2 sessions; 2 still to be looked into"
    assert dialog.rows.at == [1, 0]  # the newest first
    seen = Sighting(**{**FOUND[0].__dict__, "title": "Invoices posted twice", "requests": 3, "errors": 1, "warnings": 0})
    dialog.refresh(state.with_(sighted=(seen, FOUND[1]), unseen=1), Changed.SIGHTED)
    assert dialog.rows.index(1, 3).data() == "Invoices posted twice"
    qtbot.keyClicks(dialog.field, "twice")
    assert dialog.rows.at == [0]
    opened: list[str] = []
    dialog.opened.connect(opened.append)
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert opened == [FOUND[0].path]


def test_nothing_found_says_where_was_looked(qtbot: QtBot) -> None:
    dialog = SessionsDialog(State())
    qtbot.addWidget(dialog)
    assert dialog.said.text() == NOBODY
    assert not dialog.go.isEnabled()


def test_the_project_is_named_by_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    named = {
        "/home/me/.claude/projects/-home-me-src-invoice-agent/a.jsonl": "src-invoice-agent",
        "/home/me/.claude/projects/-opt-work/a.jsonl": "opt-work",
    }
    assert {path: project(Sighting(path, "Claude Code", 1, NOON)) for path in named} == named
    assert project(Sighting("/home/me/.codex/sessions/2026/03/01/rollout.jsonl", "Codex", 1, NOON)) == "01"


def test_a_tone_is_kept_where_a_row_is_selected(qtbot: QtBot) -> None:
    seen = Sighting(**{**FOUND[0].__dict__, "requests": 3, "errors": 1, "warnings": 0})
    dialog = SessionsDialog(State(sighted=(seen,)))
    qtbot.addWidget(dialog)
    option = QStyleOptionViewItem()
    index = dialog.rows.index(0, len(COLUMNS) - 1)
    dialog.table.itemDelegate().initStyleOption(option, index)
    assert option.palette.color(QPalette.ColorRole.HighlightedText) == theme.current().error  # type: ignore[attr-defined]
