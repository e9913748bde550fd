"""Find my sessions: what a row says, how it fills up, what opening one gives."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.model.sighting import Sighting
from app.model.state import Changed, State
from widgets.sessions_dialog import COLUMNS, NOBODY, SessionsDialog

NOON = datetime(2026, 3, 1, 12, 0).timestamp()
FOUND = (
    Sighting("/h/.claude/projects/p/a.jsonl", "Claude Code", 82_000_000, NOON),
    Sighting("/h/.codex/sessions/rollout-b.jsonl", "Codex", 900, NOON + 60),
)


def words(one: Sighting) -> list[str]:
    return [column.words(one) for column in COLUMNS]


def test_words_of_a_row() -> None:
    assert words(FOUND[0]) == ["2026-03-01 12:00", "Claude Code", "a.jsonl", "82.0MB", "", "…"]
    told = Sighting("/h/a.jsonl", "pi", 900, NOON, "fix <b>the</b>\u202e tests", "pi", 1, 12, 2, 0)
    assert words(told)[1:] == ["pi", "fix <b>the</b>‹U+202E› tests", "900B", "12", "✕ 2 errors"]
    assert words(Sighting("/h/a.jsonl", "pi", 900, NOON, why="no conversation in it"))[4:] == ["", "no conversation in it"]


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
    assert dialog.rows.index(1, 2).data() == "Invoices posted twice"
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
