"""The question of the free cut: the provider's own words at a place that parts a pair, none at a seam, and little looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.model.free_cut import FreeCut
from app.session import Session
from tests.builders import request_of
from tests.inline import Inline

TALK = "u:q | a:call toolu_1, call toolu_2 | u:result toolu_1, result toolu_2 | a:done | u:more | a:call toolu_3 | u:result toolu_3 | a:end"


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of(TALK)}))
    made = Session(worker=Inline)
    made._count_exactly = False
    made.open(str(path))
    qtbot.waitUntil(lambda: made.state.report is not None and not made.busy, timeout=20_000)
    yield made
    made.close()
    made._watch.stop()
    made.deleteLater()


def asked(session: Session, qtbot: QtBot, position: int) -> FreeCut:
    heard: list[FreeCut] = []
    session.answered.connect(lambda answer: heard.append(answer.answer))
    session.ask("free_cut", position)
    qtbot.waitUntil(lambda: bool(heard), timeout=20_000)
    assert isinstance(heard[-1], FreeCut)
    return heard[-1]


def position_of(session: Session, pointer: str) -> int:
    view = session.state.view
    assert view is not None
    return next(at for at, row in enumerate(view.rows.tolist()) if session.pointer(row).startswith(pointer))


def test_between_calls_and_their_results(session: Session, qtbot: QtBot) -> None:
    at = position_of(session, "/messages/2")
    told = asked(session, qtbot, at)
    assert (told.position, told.errors, told.rule) == (at, 2, "tool-result-orphan")
    assert told.words is not None
    assert told.words.startswith("messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1")


def test_at_the_seam_of_an_exchange(session: Session, qtbot: QtBot) -> None:
    at = position_of(session, "/messages/4")
    assert asked(session, qtbot, at) == FreeCut(at, 0)


def test_at_the_beginning_nothing_is_cut_and_behind_the_end_nothing_is_left(session: Session, qtbot: QtBot) -> None:
    view = session.state.view
    assert view is not None
    assert asked(session, qtbot, 0).errors == 0
    assert asked(session, qtbot, len(view) + 5).position == len(view)
