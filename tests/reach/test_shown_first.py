"""Which strategy is shown first: one that can do something, unless a person chose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.session import Session
from tests.builders import request_of
from tests.inline import Inline

ONE = "u:q | a:call toolu_1 | u:result toolu_1 | a:call toolu_2 | u:result toolu_2 | a:call toolu_3 | u:result toolu_3"
TWO = f"u:before | a:done | {ONE}"


@pytest.mark.parametrize(("talk", "shown"), [(ONE, "evict-steps"), (TWO, "evict-exchanges")])
def test_a_run_of_one_prompt_has_no_exchange_to_take(qtbot: QtBot, tmp_path: Path, talk: str, shown: str) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of(talk)}))
    session = Session(worker=Inline)
    session._count_exactly = False
    session.open(str(path))
    qtbot.waitUntil(lambda: bool(session.state.rankings), timeout=20_000)
    assert session.state.shown == shown
    assert session.state.budget is None
    session.show_strategy("evict-exchanges")
    session.open(str(path))
    qtbot.waitUntil(lambda: bool(session.state.rankings) and not session.busy, timeout=20_000)
    assert session.state.shown == "evict-exchanges", "what a person chose stays"
    session.close()
    session._watch.stop()
