"""Questions of panels: answered by name in the helper process, the newest of a name, in parts, between other jobs."""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

import app.asked
import app.questions
from app import helper, jobs
from app.model.errors import InspectorError
from app.session import Session
from app.worker import NOTHING, write
from tests.builders import request_of
from tests.inline import Inline

CLOSED: list[str] = []


def rows(desk: Any, times: int) -> int:
    return times * len(desk.view.rows)


def slowly(desk: Any, upto: int) -> Generator[int, None, int]:
    try:
        for part in range(upto):
            desk.progress(part / upto)
            yield part
        return upto * 100
    finally:
        CLOSED.append("slowly")


def refuse(desk: Any) -> None:
    raise InspectorError("there is nothing to ask about")


def fall(desk: Any) -> None:
    raise ValueError("a defect")


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    answers = {"rows": rows, "slowly": slowly, "refuse": refuse, "fall": fall}
    monkeypatch.setattr(app.asked, "question", answers.__getitem__)
    CLOSED.clear()
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of("u:q | a:call toolu_1 | u:result toolu_1")}))
    made = Session(worker=Inline)
    made._count_exactly = False
    made.heard_so_far, made.answers, made.said = [], [], []  # type: ignore[attr-defined]
    made.heard.connect(lambda heard: made.heard_so_far.append(heard.fraction))  # type: ignore[attr-defined]
    made.answered.connect(lambda answer: made.answers.append((answer.about, answer.answer, answer.done, answer.error)))  # type: ignore[attr-defined]
    made.failed.connect(made.said.append)  # type: ignore[attr-defined]
    made.open(str(path))
    qtbot.waitUntil(lambda: made.state.report is not None and not made.busy, timeout=20_000)
    yield made
    made.close()
    made._watch.stop()
    made.deleteLater()


def asked(session: Session, qtbot: QtBot, about: str, *what: Any) -> list[Any]:
    session.ask(about, *what)
    assert session.asking(about)
    qtbot.waitUntil(lambda: not session.asking(about), timeout=20_000)
    return session.answers  # type: ignore[attr-defined, no-any-return]


def test_one_value(session: Session, qtbot: QtBot) -> None:
    assert asked(session, qtbot, "rows", 10) == [("rows", 30, True, "")]


def test_parts_then_the_whole(session: Session, qtbot: QtBot) -> None:
    answers = asked(session, qtbot, "slowly", 3)
    assert [(answer, done) for _, answer, done, _ in answers] == [(0, False), (1, False), (2, False), (300, True)]
    assert session.heard_so_far == [0, 1 / 3, 2 / 3]  # type: ignore[attr-defined]


def test_failures_are_the_questions_own_answer(session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[type[BaseException]] = []
    monkeypatch.setattr("sys.excepthook", lambda kind, *_: logged.append(kind))
    assert asked(session, qtbot, "refuse") == [("refuse", None, True, "there is nothing to ask about")]
    assert session.said == []  # type: ignore[attr-defined]
    asked(session, qtbot, "fall")
    qtbot.waitUntil(lambda: len(session.said) == 1)  # type: ignore[attr-defined]
    assert session.answers[-1][3] == "fall failed (ValueError: a defect); please report it"  # type: ignore[attr-defined]
    assert logged == [ValueError]


def test_a_newer_question_takes_the_place_of_an_older_one(session: Session, qtbot: QtBot) -> None:
    session.ask("slowly", 1000)
    qtbot.waitUntil(lambda: len(session.answers) > 1)  # type: ignore[attr-defined]
    session.ask("slowly", 1)
    qtbot.waitUntil(lambda: not session.asking("slowly"))
    assert session.answers[-1][1] == 100  # type: ignore[attr-defined]
    assert CLOSED == ["slowly", "slowly"]


def test_no_longer_wanted_or_about_an_older_order(session: Session, qtbot: QtBot) -> None:
    session.ask("slowly", 1000)
    qtbot.waitUntil(lambda: len(session.answers) > 1)  # type: ignore[attr-defined]
    session.ask_no_more("slowly")
    assert not session.asking("slowly")
    qtbot.waitUntil(lambda: CLOSED == ["slowly"])
    session.ask("slowly", 1000)
    session.judge_for("anthropic", "claude-opus-4-1")  # another analysis: what was asked about the last one is dropped
    assert not session.asking("slowly")
    qtbot.waitUntil(lambda: not session.busy)
    session.ask("rows", 1)
    qtbot.waitUntil(lambda: session.answers[-1] == ("rows", 3, True, ""))  # type: ignore[attr-defined]


def test_the_queue_knows_the_newest() -> None:
    stream = io.BytesIO()
    old, new = jobs.Ask(1, 4, "a", (), 1), jobs.Ask(1, 4, "a", (), 2)
    other = jobs.Ask(1, 4, "b", (), 3)
    late = jobs.Ask(1, 5, "b", (), 4)
    for job in (old, new, other, late):
        write(stream, job, NOTHING)
    stream.seek(0)
    waiting = helper.Queue(stream)
    got = waiting.next(wait=True)
    while got is not None:
        got = waiting.next(wait=True)
    assert helper.newest([old, new, other]) == [new, other]
    assert waiting._tickets == {"a": 2, "b": 4}


def test_by_name_only() -> None:
    with pytest.raises(KeyError):
        app.questions.question("no-such-question")


def test_a_cancel_stops_what_was_asked_before_it_and_nothing_else() -> None:
    read_end, write_end = os.pipe()
    with os.fdopen(read_end, "rb") as stream, os.fdopen(write_end, "wb") as sending:
        waiting = helper.Queue(stream)
        for job in (jobs.Explain(3, 1, "a"), jobs.Cancel(3)):
            write(sending, job, NOTHING)
        sending.flush()
        while waiting.wanted(3):  # both have come
            time.sleep(0.001)
        got = waiting.next(wait=True)
        while got is not None and not any(isinstance(job, jobs.Cancel) for job in got):
            got = waiting.next(wait=True)
        assert waiting.wanted(3)  # the cancel has had its turn
        write(sending, jobs.Explain(3, 1, "b"), NOTHING)
        sending.flush()
        found = waiting.next(wait=True)
        assert found is not None
        assert [job.text for job in found if isinstance(job, jobs.Explain)] == ["b"]
