"""The session imitates a preset: it takes its family's row, is really checked, applied as one step, and gives the row back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.pipeline.names import FAMILIES
from app.session import Session
from tests.builders import request_of
from tests.inline import Inline
from tests.test_session_errors import opened

PRESET = "anthropic-clear-tool-uses"
TALK = "u:first | a:call toolu_1 | u:result toolu_1 | a:call toolu_2 | u:result toolu_2 | a:done | u:again"


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> Iterator[Session]:
    made = Session(worker=Inline)
    made._count_exactly = False
    path = tmp_path / "dump.json"
    request = {"model": "claude-sonnet-4-5", "max_tokens": 9, **request_of(TALK)}
    for message in request["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block["type"] == "tool_result":
                block["content"] = "many words of a result " * 20
    path.write_text(json.dumps(request))
    opened(made, qtbot, path)
    qtbot.waitUntil(lambda: len(made.state.rankings) == 7 and not made.busy, timeout=20_000)
    yield made
    made._watch.stop()
    made.deleteLater()


def quiet(session: Session, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not session.busy and session.state.shown in session.state.rankings, timeout=20_000)


def test_a_preset_takes_its_family_s_row_and_is_checked(session: Session, qtbot: QtBot) -> None:
    session.imitate(PRESET, {"trigger": 1, "keep": 1})
    quiet(session, qtbot)
    qtbot.waitUntil(lambda: PRESET in session.state.checked, timeout=20_000)
    state = session.state
    assert list(state.rankings) == [PRESET if name == "stub-tool-results" else name for name in FAMILIES]
    assert state.shown == PRESET
    assert state.budget == state.now  # nobody had touched it
    assert state.plan is not None
    assert state.plan.length == 1
    assert int(state.plan.replaced.sum()) == 1
    found = state.checked[PRESET]
    assert (found.verdict, found.new_findings) == ("accept", 0)
    assert found.tokens_after < state.now


def test_it_is_one_step_that_can_be_undone(session: Session, qtbot: QtBot) -> None:
    before = session.state.now
    session.imitate(PRESET, {"trigger": 1, "keep": 1})
    quiet(session, qtbot)
    session.apply_plan()
    qtbot.waitUntil(lambda: len(session.state.history.layers) == 1 and not session.busy, timeout=20_000)
    layer = session.state.history.layers[0]
    assert layer.title.startswith(f"{PRESET}: shorten 1 result")
    assert session.state.now < before
    session.undo()
    qtbot.waitUntil(lambda: not session.busy and session.state.now == before, timeout=20_000)


def test_what_it_puts_in_is_seen_as_a_row_that_is_not_there_yet(session: Session, qtbot: QtBot) -> None:
    session.imitate("langchain-summarize", {"keep": {"messages": 3}, "summary": "what was said"})
    quiet(session, qtbot)
    qtbot.waitUntil(lambda: bool(session.state.ghosts), timeout=20_000)
    [ghost] = session.state.ghosts
    assert ghost.text == "Here is a summary of the conversation to date:\n\nwhat was said"
    assert session.state.plan is not None
    assert ghost.position == int(session.state.plan.dropped.sum())


def test_a_family_gets_its_row_back(session: Session, qtbot: QtBot) -> None:
    session.imitate(PRESET)
    quiet(session, qtbot)
    session.imitate_no_more("stub-tool-results")
    quiet(session, qtbot)
    assert list(session.state.rankings) == list(FAMILIES)
    assert session.state.shown == "stub-tool-results"
    assert session.state.imitated == {}


def test_two_presets_of_two_families_stand_side_by_side(session: Session, qtbot: QtBot) -> None:
    session.imitate(PRESET, {"trigger": 1, "keep": 1})
    session.imitate("naive-last-n", {"limit": 2})
    quiet(session, qtbot)
    qtbot.waitUntil(lambda: {PRESET, "naive-last-n"} <= set(session.state.checked), timeout=20_000)
    assert session.state.imitated == {"stub-tool-results": PRESET, "drop-oldest-messages": "naive-last-n"}
    assert session.state.rankings["naive-last-n"].breaks_pairs


def test_what_is_off_is_one_line_and_changes_nothing(session: Session, qtbot: QtBot) -> None:
    said: list[str] = []
    session.failed.connect(said.append)
    session.imitate("sk-truncate", {"target_count": 0})
    session.imitate("evict-steps")
    session.imitate("nobody")
    assert said[0] == "sk-truncate: target_count must be a whole number of at least 1, not 0"
    assert said[1] == "evict-steps is a strategy, and no preset"
    assert said[2].startswith("no strategy is called 'nobody'")
    assert session.state.imitated == {}


def test_a_parameter_that_will_not_do_is_said(session: Session, qtbot: QtBot) -> None:
    said: list[str] = []
    session.failed.connect(said.append)
    session.imitate(PRESET)
    quiet(session, qtbot)
    session.set_params(PRESET, {"keep": "many"})
    assert len(said) == 1
    assert said[0].startswith(f"{PRESET}: keep must be a number, or")
    session.set_params(PRESET, {"keep": "1", "trigger": '{"type": "tool_uses", "value": 1}'})
    quiet(session, qtbot)
    assert session.state.rankings[PRESET].params["keep"] == {"type": "tool_uses", "value": 1}
