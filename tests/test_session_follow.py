"""A file that is still being written, followed: what comes in is taken in, what is on screen and what was changed stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.model.edits import Change, Drop, Layer
from app.model.source import Source
from app.session import Session
from app.session_follow import Edges
from tests.builders import request_of
from tests.inline import Inline
from tests.test_session_errors import opened


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(worker=Inline)
    made._count_exactly = False
    made._watch.stop()  # looks are taken by hand
    yield made
    made.deleteLater()


def record(number: int, content: Any, role: str = "user", **more: Any) -> str:
    message: dict[str, Any] = {"role": role, "content": content}
    if role == "assistant":
        message |= {"id": f"msg_{number}", "type": "message", "model": "claude-sonnet-4-5", "stop_reason": None}
    return json.dumps({
        "type": role, "uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None, "sessionId": "s", "isSidechain": False,
        "timestamp": f"2026-03-01T12:00:{number:02d}.000Z", "message": message, **more,
    }) + "\n"  # fmt: skip


CALL = [{"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a"}}]
RESULT = [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "42"}]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_text(record(0, "read a") + record(1, CALL, "assistant"))
    return path


def look(session: Session, qtbot: QtBot) -> None:
    session._not_before = 0.0
    session._look_at_file()
    qtbot.waitUntil(lambda: session._growing is None and not session.busy, timeout=20_000)


def drop_answer(session: Session) -> None:
    session._push(Layer("dropped", ((Change("drop", "rule:by-hand", "loses", (Drop(np.array([1])),)),),)))


def texts(session: Session) -> list[str]:
    assert session.state.transcript is not None
    return [session.block(int(row)).text for row in session.state.transcript.order]


def test_what_comes_in_is_taken_in(session: Session, qtbot: QtBot, log: Path) -> None:
    opened(session, qtbot, log)
    session.select(1)
    session.judge_mode("complete")
    session.follow(True)
    assert [f.rule for f in session.state.report.findings if f.severity == "error"] == ["tool-call-trailing"]  # type: ignore[union-attr]
    with log.open("a") as file:
        file.write(record(2, RESULT) + record(3, "42 it is", "assistant"))
    look(session, qtbot)
    assert texts(session)[-2:] == ["42", "42 it is"]
    assert session.state.report is not None
    assert not [f for f in session.state.report.findings if f.severity == "error"]
    assert (session.state.came_in, session.state.selected, session.state.changed_on_disk) == (2, 1, False)
    with log.open("a") as file:
        file.write(record(4, "and b?"))
    look(session, qtbot)
    assert (session.state.came_in, texts(session)[-1]) == (3, "and b?")


def test_what_is_not_followed_is_said_once(session: Session, qtbot: QtBot, log: Path) -> None:
    opened(session, qtbot, log)
    said: list[str] = []
    session.failed.connect(said.append)
    with log.open("a") as file:
        file.write(record(2, RESULT))
    look(session, qtbot)
    look(session, qtbot)
    assert (len(said), session.state.changed_on_disk, session.state.came_in) == (1, True, 0)
    assert "F5 reads it again" in said[0]
    session.follow(True)
    look(session, qtbot)
    assert (session.state.changed_on_disk, session.state.came_in) == (False, 1)


def test_changes_stay_where_a_file_only_grew(session: Session, qtbot: QtBot, log: Path, tmp_path: Path) -> None:
    opened(session, qtbot, log)
    session.follow(True)
    drop_answer(session)
    qtbot.waitUntil(lambda: not session.busy, timeout=20_000)
    assert texts(session) == ["read a"]
    with log.open("a") as file:
        file.write(record(2, "never mind"))
    look(session, qtbot)
    assert texts(session) == ["read a", "never mind"]
    session.undo()
    qtbot.waitUntil(lambda: not session.busy, timeout=20_000)
    assert len(texts(session)) == 3


def test_a_file_that_was_written_anew_is_not_taken_in_over_changes(session: Session, qtbot: QtBot, log: Path) -> None:
    opened(session, qtbot, log)
    session.follow(True)
    drop_answer(session)
    qtbot.waitUntil(lambda: not session.busy, timeout=20_000)
    said: list[str] = []
    session.failed.connect(said.append)
    log.write_text(record(0, "something else") + record(1, "hm", "assistant") + record(2, "go on"))
    look(session, qtbot)
    assert (len(said), session.state.changed_on_disk) == (1, True)
    assert len(session.state.history.active) == 1


def test_a_file_that_was_written_anew_is_shown_where_nothing_was_changed(session: Session, qtbot: QtBot, log: Path) -> None:
    opened(session, qtbot, log)
    session.follow(True)
    log.write_text(record(0, "something else"))
    look(session, qtbot)
    assert texts(session) == ["something else"]


def test_a_document_that_is_half_written_is_waited_for(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    whole = json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of("u:q | a:hi")})
    path.write_text(whole)
    opened(session, qtbot, path)
    session.follow(True)
    said: list[str] = []
    session.failed.connect(said.append)
    path.write_text("\x00\x01")
    look(session, qtbot)
    look(session, qtbot)
    assert (said, len(session.state.transcript or ())) == ([], 2)
    look(session, qtbot)
    assert len(said) == 1
    assert said[0].endswith("What is on screen is the file as it was.")
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of("u:q | a:hi | u:more")}))
    look(session, qtbot)
    assert texts(session) == ["q", "hi", "more"]


def test_a_file_that_goes_away_stays_on_screen(session: Session, qtbot: QtBot, log: Path) -> None:
    opened(session, qtbot, log)
    session.follow(True)
    said: list[str] = []
    session.failed.connect(said.append)
    log.unlink()
    look(session, qtbot)
    assert (len(said), len(session.state.transcript or ())) == (1, 2)


def test_only_whole_lines_behind_the_same_text_are_growth(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"

    def edges(text: str) -> Edges:
        path.write_text(text)
        found = Edges.of(Source.open(path))
        assert found is not None
        return found

    def now(text: str) -> Source:
        path.write_text(text)
        return Source.open(path)

    assert edges("one\ntwo\n").grew(now("one\ntwo\nthree\n"))
    assert not edges("one\ntw").grew(now("one\ntwo\n"))
    assert not edges("one\ntwo\n").grew(now("one\nTwo\nthree\n"))
    assert not edges("one\ntwo\n").grew(now("one\n"))
    assert not edges("one\ntwo\n").grew(now("one\ntwo\n"))
    assert edges("").grew(now("one\n"))
    assert Edges.of(Source.of(b"pasted")) is None
