"""Pins through a session: set, found again after edits, kept beside the dump only when asked, and offered when it is opened again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.model.pins import Pins
from app.pipeline.pin_file import path_of
from app.session import Session
from tests.inline import Inline
from tests.pipeline.test_pins import BODY


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "dump.json"
    made.write_text(json.dumps(BODY, indent=1))
    return made


@pytest.fixture
def session(qtbot: QtBot, path: Path) -> Iterator[Session]:
    made = Session(worker=Inline)
    made._count_exactly = False
    opened(qtbot, made, path)
    yield made
    made.close()
    made._watch.stop()
    made.deleteLater()


def opened(qtbot: QtBot, session: Session, path: Path) -> None:
    session.open(str(path))
    qtbot.waitUntil(lambda: not session.busy and len(session.state.rankings) == 7)


def ranked(qtbot: QtBot, session: Session) -> None:
    qtbot.waitUntil(lambda: not session.busy)


def row_of(session: Session, pointer: str) -> int:
    return next(row for row in session.state.view.rows.tolist() if session.pointer(row) == pointer)


def test_a_step_a_block_and_a_tool_are_pinned_and_let_go(qtbot: QtBot, session: Session) -> None:
    free = session.state.rankings["stub-tool-results"].rungs[-1]
    session.pin_row("step", row_of(session, "/messages/3/content/1"))
    ranked(qtbot, session)
    assert (session.state.held.many, session.state.pinned) == (4, frozenset())
    assert int(session.state.view.pins.sum()) == 4
    session.set_pins(session.pins.with_tool("Bash", True))
    session.pin_row("block", row_of(session, "/messages/2/content/0"))
    ranked(qtbot, session)
    assert session.state.held.many == 4 + 3 + 1
    assert session.state.rankings["stub-tool-results"].rungs[-1] > free
    session.pin_row("step", row_of(session, "/messages/4/content/0"), False)  # by another row of the same step
    ranked(qtbot, session)
    assert session.state.held.many == 4
    session.set_pins(Pins())
    ranked(qtbot, session)
    assert session.state.view.held is None
    assert session.state.rankings["stub-tool-results"].rungs[-1] == free


def test_protection_is_off_until_it_is_switched_on(qtbot: QtBot, session: Session) -> None:
    assert not session.state.pins
    session.set_pins(session.pins.with_all_protected(True))
    ranked(qtbot, session)
    assert session.state.held.counts["errors"] == 2
    assert session.state.rankings["evict-exchanges"].plan(0).length == 0  # each exchange holds something
    session.set_pins(session.pins.with_protection("errors", False))
    ranked(qtbot, session)
    assert "errors" not in session.state.held.counts


def test_rows_of_each_protection_are_told(qtbot: QtBot, session: Session) -> None:
    with qtbot.waitSignal(session.answered, check_params_cb=lambda answer: answer.about == "protections" and answer.done) as told:
        session.ask("protections")
    rows = told.args[0].answer
    assert [session.pointer(row) for row in rows["errors"].tolist()] == ["/messages/10/content/1", "/messages/12/content/0"]


def test_a_pin_stays_with_its_rows_over_edits(qtbot: QtBot, session: Session) -> None:
    session.pin(2)
    ranked(qtbot, session)
    session.set_budget(150)
    qtbot.waitUntil(lambda: not session.busy)
    session.apply_plan()
    qtbot.waitUntil(lambda: not session.busy and bool(session.state.history.active))
    state = session.state
    assert [state.view.groups.label(index) for index in sorted(state.pinned)] == ["E3"]


def test_nothing_is_written_until_asked_and_then_offered_again(qtbot: QtBot, session: Session, path: Path) -> None:
    session.pin(0)
    session.pin_row("block", row_of(session, "/messages/6/content/0"))
    ranked(qtbot, session)
    assert not path_of(path).exists()
    assert session.keep_pins() == str(path_of(path))
    kept = session.pins
    opened(qtbot, session, path)
    qtbot.waitUntil(lambda: session.state.aside is not None)
    assert not session.state.pins
    assert (session.state.aside.count, session.state.aside.missing) == (2, 0)
    session.use_aside()
    ranked(qtbot, session)
    assert (session.pins, session.state.aside, session.state.pinned) == (kept, None, frozenset([0]))


def test_a_broken_file_beside_the_dump_is_one_line(qtbot: QtBot, session: Session, path: Path) -> None:
    path_of(path).write_text("{")
    said: list[str] = []
    session.failed.connect(said.append)
    opened(qtbot, session, path)
    qtbot.waitUntil(lambda: bool(said))
    assert len(said) == 1
    assert "it is no JSON" in said[0]
    assert session.state.aside is None


def test_a_report_is_written_by_the_helper(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    session.set_budget(200)
    qtbot.waitUntil(lambda: not session.busy)
    session.apply_plan()
    qtbot.waitUntil(lambda: not session.busy and bool(session.state.history.active))
    report, removed = tmp_path / "r.json", tmp_path / "r.jsonl"
    with qtbot.waitSignal(session.answered, check_params_cb=lambda answer: answer.about == "report") as told:
        session.save_report(str(report), str(removed))
    assert told.args[0].answer == (str(report), str(removed))
    (one,) = json.loads(report.read_text())["transcripts"]
    assert one["changes"][0]["budget"] == 200
    assert one["tokens"]["counter"] == "o200k_base, partly estimated"
    assert len(removed.read_text().splitlines()) > 10
    with qtbot.waitSignal(session.answered, check_params_cb=lambda answer: answer.about == "report") as told:
        session.save_report(str(tmp_path / "nowhere" / "r.md"))
    assert "nowhere" in told.args[0].error
