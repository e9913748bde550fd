"""The filter of a session: expressions in force, blocks' words asked of the helper, edits and new files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.model.filter import Problem
from app.model.state import Changed, State
from app.session import Session
from tests.builders import request_of
from tests.inline import Inline

WIRE = "u:first words | a:call c1 | u:result c1 | a:one answer | u:second words | a:call c2,call c3 | u:result c2,result c3 | a:an answer"


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of(WIRE)}))
    made = Session(worker=Inline)
    made._count_exactly = False
    made.told_of = []  # type: ignore[attr-defined]
    made.changed.connect(lambda state, what: made.told_of.append(what))  # type: ignore[attr-defined]
    made.open(str(path))
    qtbot.waitUntil(lambda: made.state.report is not None and not made.busy, timeout=20_000)
    yield made
    made.close()
    made._watch.stop()
    made.deleteLater()


def matched(session: Session) -> list[int]:
    known = session.state.filter
    assert known is not None
    assert known.mask is not None
    assert known.shown.tolist() == np.flatnonzero(known.mask).tolist()
    return known.shown.tolist()


def put(session: Session, qtbot: QtBot, text: str) -> list[int]:
    assert session.filter(text) is None
    qtbot.waitUntil(lambda: session.state.filter is not None and session.state.filter.mask is not None, timeout=20_000)
    return matched(session)


def calls(state: State) -> list[int]:
    assert state.view is not None
    return np.flatnonzero(state.view.calls).tolist()


def test_conditions_hold_at_once(session: Session) -> None:
    session.told_of.clear()  # type: ignore[attr-defined]
    assert session.filter("kind == call") is None
    assert session.told_of == [Changed.FILTER]  # type: ignore[attr-defined]
    known, view = session.state.filter, session.state.view
    assert known is not None
    assert view is not None
    assert view.tokens is not None
    assert matched(session) == calls(session.state)
    assert (known.way, known.matches, known.tokens) == ("only", 3, int(view.tokens[calls(session.state)].sum()))
    assert session.filter("") is None
    assert session.state.filter is None


def test_one_that_cannot_be_read_changes_nothing(session: Session) -> None:
    session.filter("kind == call")
    before = session.state
    assert session.filter("kind == cal") == session.problem_of("kind == cal")
    assert isinstance(session.problem_of("kind == cal"), Problem)
    assert session.state is before


def test_words_are_looked_for_in_the_blocks_on_which_they_decide(session: Session, qtbot: QtBot) -> None:
    view = session.state.view
    assert view is not None
    texts = [session.block(int(row)).text for row in view.rows]
    assert put(session, qtbot, "words") == [at for at, text in enumerate(texts) if "words" in text] != []
    assert session.state.filter is not None
    assert session.state.filter.way == "mark"
    asked: list[int] = []
    ask = session.ask
    session.ask = lambda about, *what: (asked.append(len(what[1])), ask(about, *what))  # type: ignore[method-assign]
    assert put(session, qtbot, 'kind == text && text ~ /^(first|second)/ && text ~ "second"') == [
        at for at, text in enumerate(texts) if text.startswith("second")
    ]  # fmt: skip
    assert asked == [int((view.kind == 0).sum())]
    assert put(session, qtbot, 'text ~ "second" && kind == text') == [at for at, text in enumerate(texts) if text.startswith("second")]
    assert asked == [int((view.kind == 0).sum())]  # known by now
    assert put(session, qtbot, "c2") == [at for at, row in enumerate(view.rows) if session.block(int(row)).call_id == "c2"]  # its id too


def test_a_filter_follows_edits_and_undo(session: Session, qtbot: QtBot) -> None:
    assert put(session, qtbot, 'text ~ "answer" || kind == call') != []
    before = matched(session)
    session.show_strategy("evict-exchanges")
    qtbot.waitUntil(lambda: not session.busy)
    session.set_budget(1)
    session.apply_plan()
    qtbot.waitUntil(lambda: session.state.history.can_undo and not session.busy, timeout=20_000)
    after, view = matched(session), session.state.view
    assert view is not None
    assert len(after) < len(before)
    assert [session.block(int(view.rows[at])).text for at in after if not view.calls[at]] == ["an answer"]
    session.undo()
    qtbot.waitUntil(lambda: not session.busy)
    assert matched(session) == before


def test_parts_by_name_take_each_others_place(session: Session) -> None:
    session.filter("kind == call && tokens > 0")
    session.filter_span(2, None)
    assert session.state.filter is not None
    assert session.state.filter.text == "kind == call && tokens > 0 && span == r2..now"
    session.filter_span(1, 2)
    assert session.state.filter.text == "kind == call && tokens > 0 && span == r1..r2"
    session.narrow(("span",), None)
    session.filter_way("mark")
    session.narrow(("tokens",), None)
    assert (session.state.filter.text, session.state.filter.way) == ("kind == call", "mark")
    session.narrow(("kind",), None)
    assert session.state.filter is None


def test_the_same_file_read_anew_keeps_it(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    session.filter("kind == call")
    session.reload()
    qtbot.waitUntil(lambda: session.state.report is not None and not session.busy, timeout=20_000)
    assert matched(session) == calls(session.state)
    other = tmp_path / "other.json"
    other.write_text(json.dumps(request_of("u:q | a:call toolu_1")))
    session.open(str(other))
    assert session.state.filter is None


def test_a_search_that_is_given_up_filters_nothing(session: Session) -> None:
    session.filter("words")
    assert session.state.filter is not None
    assert session.state.filter.looked == 0.0
    session.cancel()
    assert session.state.filter is None
    assert not session.asking("filter-texts")


def test_a_pattern_that_fails_is_told(session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    import app.questions.filter_texts as module
    from app.model.errors import InspectorError

    def refuse(test: object) -> None:
        raise InspectorError("this pattern takes too long on some text; ask for less")

    monkeypatch.setattr(module, "holds", refuse)
    said: list[str] = []
    session.failed.connect(said.append)
    session.filter("text ~ /a/")
    qtbot.waitUntil(lambda: bool(said))
    assert said == ["this pattern takes too long on some text; ask for less"]
    assert session.state.filter is None
