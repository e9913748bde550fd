"""A person's walk, with the real helper process: read the strip, go to the block, look at the repair, make it, drag to half, compare,
apply, undo, redo, export, and open what was exported."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.main import create_app, incident
from tests.made import large_session, one_prompt

PAIR_SAFE = ("evict-exchanges", "evict-steps", "stub-tool-results", "cap-tool-results", "summarize-prefix", "drop-reasoning")
PATIENCE = 60_000


class Person:
    """Somebody in front of the window, who presses keys and buttons and waits for what they see."""

    def __init__(self, qtbot: QtBot, window: Any) -> None:
        self.bot, self.window, self.session = qtbot, window, window.session
        self.lines: list[str] = []
        self.session.failed.connect(self.lines.append)

    @property
    def state(self) -> Any:
        return self.session.state

    def wait(self, until: Callable[[], bool]) -> None:
        self.bot.waitUntil(until, timeout=PATIENCE)

    def rest(self) -> None:
        self.wait(lambda: not self.session.busy)

    def open(self, path: Path | str) -> None:
        self.session.open(str(path))
        self.wait(lambda: self.state.report is not None and self.state.path == str(path))
        self.rest()

    def do(self, name: str) -> None:
        action = self.window.findChild(QAction, name)
        assert action is not None, name
        assert action.isEnabled(), name
        action.trigger()

    def drag_to(self, budget: int) -> None:
        """The budget line moves in twenty steps and rests."""
        start = self.state.budget or self.state.now
        for k in range(1, 21):
            self.session.set_budget(start + (budget - start) * k // 20)
        self.rest()


@pytest.fixture
def person(qtbot: QtBot) -> Iterator[Person]:
    _, window = create_app([])
    window.show()
    one = Person(qtbot, window)
    yield one
    window.session.close()
    window._leave = True
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # left to the garbage collector, its parts would go in any order


def half_and_back(person: Person, out: Path) -> None:
    """Drag to half of what is there, apply what is shown, take it back, do it again, export, open that."""
    before = person.state.now
    person.drag_to(before // 2)
    assert person.state.plan is not None
    shown, plan = person.state.shown, person.state.plan
    assert set(person.state.checked) == set(person.state.rankings)
    for name in PAIR_SAFE:
        assert person.state.checked[name].new_findings == 0, name
    promised = person.state.checked[shown].tokens_after
    person.do("plan.apply")
    person.wait(lambda: person.state.history.cursor > 0 and person.state.totals is not None and person.state.now == promised)
    person.rest()
    assert person.state.now == promised
    assert plan.reached is (promised <= before // 2)
    person.do("edit.undo")
    person.rest()
    assert person.state.now == before
    person.do("edit.redo")
    person.rest()
    assert person.state.now == promised
    person.session.export(str(out), False)
    person.wait(lambda: person.state.written is not None or bool(person.lines))
    assert person.lines == []
    assert person.state.written.verdict == "accept"
    person.open(out)
    assert person.state.report.verdict == "accept"
    assert person.state.now == promised


def test_the_bundled_incident(person: Person, tmp_path: Path) -> None:
    person.open(incident())
    said = " ".join(label.text() for label in person.window.strip.findChildren(QLabel))
    assert "Anthropic would refuse this: 2 errors, one cause." in said
    first = person.state.report.findings[0]
    assert person.state.selected == first.row  # nobody has clicked
    person.do("go.next_finding")
    assert person.state.selected in {f.row for f in person.state.report.findings}
    person.session.preview_repair("all")
    person.wait(lambda: person.state.preview is not None)
    assert person.state.preview.report.verdict == "accept"
    assert person.state.report.verdict == "reject"  # looked at, not made
    promised = person.state.now + person.state.preview.tokens
    person.session.apply_preview()
    person.wait(lambda: person.state.history.cursor == 1)
    person.rest()
    assert person.state.now == promised
    assert person.state.report.verdict == "accept"
    half_and_back(person, tmp_path / "repaired.json")


def test_a_run_of_one_prompt(person: Person, tmp_path: Path) -> None:
    """One exchange and 150 requests: cutting exchanges frees nothing, and two other ways reach half all the same."""
    person.open(one_prompt(tmp_path / "run.json"))
    assert person.state.view.groups.exchanges == 1
    assert person.state.view.groups.steps == 150
    assert person.state.report.verdict == "accept"
    half = person.state.now // 2
    fits = [name for name in PAIR_SAFE if person.state.rankings[name].plan(half).reached]
    assert len(fits) >= 2
    person.session.show_strategy(fits[0])
    half_and_back(person, tmp_path / "out.json")


def test_a_session_of_twenty_megabytes(person: Person, tmp_path: Path) -> None:
    path = large_session(tmp_path / "large.jsonl")
    assert path.stat().st_size > 20_000_000
    person.session.open(str(path))
    assert len(person.state.view) > 0  # its first rows are there before the event loop has run
    person.wait(lambda: person.state.report is not None and bool(person.state.rankings))
    person.rest()
    half_and_back(person, tmp_path / "out.jsonl")


def test_a_real_session_of_claude_code(person: Person, shared: Path, tmp_path: Path) -> None:
    person.open(shared / "samples" / "claude_code" / "jazzyalex__agent-sessions__claude_large.jsonl")
    assert sum(person.state.dump.records.values()) == 10
    out = tmp_path / "same.jsonl"
    person.session.export(str(out), True)
    person.wait(lambda: person.state.written is not None or bool(person.lines))
    assert person.lines == []
    assert out.read_bytes() == Path(person.state.path).read_bytes()


def test_a_file_that_cannot_be_read_leaves_what_was_open(person: Person, tmp_path: Path, qtbot: QtBot) -> None:
    person.open(incident())
    bad = tmp_path / "bad.json"
    bad.write_bytes(b"\x00\x01 not json")
    person.session.open(str(bad))
    person.wait(lambda: bool(person.lines))
    person.rest()
    assert str(bad) in person.lines[0]
    assert person.state.path == incident()
    assert person.state.report.verdict == "reject"


def apply_half(person: Person, strategy: str) -> int:
    """Applies a strategy at half of what is there; the tokens that are left."""
    person.session.show_strategy(strategy)
    person.drag_to(person.state.now // 2)
    promised = person.state.checked[strategy].tokens_after
    person.do("plan.apply")
    person.wait(lambda: person.state.history.cursor > 0 and person.state.now == promised)
    person.rest()
    return int(promised)


def test_the_helper_dies_and_nothing_is_lost(person: Person) -> None:
    person.open(incident())
    left = apply_half(person, "stub-tool-results")
    os.kill(person.session._worker.pid, signal.SIGKILL)
    person.wait(lambda: bool(person.lines))
    assert "Your changes are kept" in person.lines[0]
    person.wait(lambda: not person.session.busy and bool(person.state.rankings))
    assert person.state.history.cursor == 1
    assert person.state.now == left
    assert person.state.totals.exact


def test_a_pin_stays_with_its_exchange(person: Person) -> None:
    person.open(incident())
    view = person.state.view
    row = int(view.rows[view.groups.first[2]])
    person.session.pin(2)
    person.rest()
    apply_half(person, "evict-exchanges")
    view = person.state.view
    (pinned,) = person.state.pinned
    assert int(view.rows[view.groups.first[pinned]]) == row
    person.do("edit.undo")
    person.rest()
    assert person.state.pinned == frozenset({2})


def test_a_file_that_shrinks_is_noticed(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(Path(incident()).read_bytes())
    person.open(path)
    path.write_bytes(path.read_bytes()[:5000])
    person.wait(lambda: bool(person.lines))
    assert "has changed since it was read" in person.lines[0]
    assert person.state.changed_on_disk
    assert len(person.state.view) > 0


def test_a_request_that_was_cut_off_is_no_request(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_bytes(b'{"model":"claude-sonnet-4-5","max_tokens":100,"messages":[{"role":"user","content":"hello"},{"role":"assi')
    person.open(path)
    assert person.state.report.verdict == "reject"
    assert person.state.report.counts == {"body-not-json": 1}
    assert person.state.dump.records == {"shown": 1, "hidden": 0, "unparsed": 1}


def test_the_whole_walk_by_keyboard(person: Person) -> None:
    """Findings by F8, the level of the list by 1 2 3, undo and redo by their keys."""
    person.open(incident())
    window = person.window
    window.activateWindow()
    person.bot.keyClick(window, Qt.Key.Key_F8)
    assert person.state.selected in {f.row for f in person.state.report.findings}


def test_the_real_result_of_a_call(person: Person, tmp_path: Path) -> None:
    """An open call gets a placeholder, then the words that the tool really printed, marked as no error."""
    path = tmp_path / "open.json"
    call = {"type": "tool_use", "id": "toolu_01", "name": "get_invoice", "input": {"id": "in_1"}}
    messages = [
        {"role": "user", "content": "what is in in_1?"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": "hello?"},
    ]
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 10, "messages": messages}))
    person.open(path)
    assert person.state.report.findings[0].rule == "tool-call-unanswered"
    person.do("finding.fix_all")
    person.wait(lambda: person.state.history.cursor == 1)
    person.rest()
    made = next(iter(person.state.transcript.made))
    person.session.select(made)
    button = person.window.viewer.findChild(QPushButton, "blockViewer.real_result")
    assert button.text() == "Use the real result…"
    person.bot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = person.window.findChild(QDialog, "realResultDialog")
    person.wait(dialog.isVisible)
    assert not dialog.preview.isEnabled()
    person.bot.keyClicks(dialog.text, "41 rows")
    person.bot.mouseClick(dialog.preview, Qt.MouseButton.LeftButton)
    person.wait(lambda: person.state.preview is not None)
    assert person.state.preview.report.verdict == "accept"
    person.do("finding.apply")
    person.wait(lambda: person.state.history.cursor == 2)
    person.rest()
    out = tmp_path / "out.json"
    person.session.export(str(out), False)
    person.wait(lambda: person.state.written is not None or bool(person.lines))
    assert person.lines == []
    answer = json.loads(out.read_text())["messages"][2]["content"]
    results = [block for block in answer if block["type"] == "tool_result"]
    assert [(block["tool_use_id"], str(block["content"])) for block in results] == [("toolu_01", "41 rows")]
    assert not results[0].get("is_error")
