"""What was judged is laid out in steps where it is large, and comes to the same; exact counts are added, not summed up anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app import session_takes
from app.model.state import Changed, State
from app.pipeline import count
from app.pipeline.names import provider_named
from app.pipeline.weigh import weigh
from app.session import Session
from app.session_takes import recounted
from tests.inline import Inline
from tests.pipeline.test_pins import BODY
from tests.widgets.huge import huge_state


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "dump.json"
    made.write_text(json.dumps(BODY))
    return made


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(worker=Inline)
    made._count_exactly = False
    yield made
    made.close()
    made._watch.stop()
    made.deleteLater()


def whole(qtbot: QtBot, session: Session) -> State:
    qtbot.waitUntil(lambda: not session.busy and len(session.state.rankings) == 7)
    return session.state


def test_a_large_transcript_is_shown_when_all_is_made_ready(
    qtbot: QtBot, session: Session, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.open(str(path))
    small = whole(qtbot, session)
    monkeypatch.setattr(session_takes, "LARGE", 0)
    seen: list[str] = []

    def ready(state: State, parts: list[Iterator[None]]) -> None:
        def steps() -> Iterator[None]:
            for number in range(3):
                seen.append(f"step {number}, shown {session.state.view is state.view}, busy {session.busy}")
                yield

        parts.append(steps())

    session.coming.connect(ready)
    session.changed.connect(lambda state, what: seen.append("shown") if what & Changed.TRANSCRIPT and state.report else None)
    session.reload()
    large = whole(qtbot, session)
    assert seen == [*(f"step {number}, shown False, busy True" for number in range(3)), "shown"]
    assert (large.totals.total, large.report.verdict, large.selected) == (small.totals.total, small.report.verdict, small.selected)
    assert (large.progress, len(large.report.findings)) == (None, len(small.report.findings))


def test_steps_towards_what_nobody_waits_for_are_left(qtbot: QtBot, session: Session, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_takes, "LARGE", 0)
    begun: list[str] = []

    def ready(state: State, parts: list[Iterator[None]]) -> None:
        def steps() -> Iterator[None]:
            begun.append(state.provider)
            if len(begun) == 1:
                session.judge_for("openai-chat")  # while it is laid out
            yield

        parts.append(steps())

    session.coming.connect(ready)
    judged: list[str] = []
    session.changed.connect(lambda state, what: judged.append(state.provider) if what & Changed.TRANSCRIPT and state.report else None)
    session.open(str(path))
    state = whole(qtbot, session)
    assert begun == ["anthropic", "openai-chat"]
    assert state.provider == "openai-chat"
    assert set(judged) == {"openai-chat"}


def test_counts_of_some_rows_come_to_the_totals_of_all() -> None:
    rng, provider = np.random.default_rng(5), provider_named("anthropic")
    state = huge_state(3_000)
    view, tokens = state.view, state.tokens
    assert view is not None
    assert tokens is not None
    view.transcript = view.transcript.with_(start=700)
    tokens.exact[:] = False
    weigh(view, tokens, provider)
    totals = count.totals(view, tokens, provider)
    held = view.tokens
    for left in (2, 1, 0):
        rows = rng.choice(len(view), 900, replace=False).astype(np.int32) if left else np.flatnonzero(~tokens.exact).astype(np.int32)
        tokens.own[rows] = rng.integers(0, 5_000, len(rows))
        tokens.exact[rows] = True
        totals = recounted(state.with_(totals=totals), np.concatenate([rows, rows[:5]]))
        slow = count.totals(view, tokens, provider)
        assert (totals.total, totals.not_sent, totals.exact) == (slow.total, slow.not_sent, slow.exact)
        assert slow.exact == (not left)
        assert (totals.by_step == slow.by_step).all()
        assert (totals.by_exchange == slow.by_exchange).all()
        assert (view.tokens == tokens.own[view.rows]).all()
    assert view.tokens is not held
