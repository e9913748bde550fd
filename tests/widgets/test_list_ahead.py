"""What the list measures is kept, follows what is judged, and is made ready in steps before a large transcript is shown."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.model.carry import bounds, waits
from app.model.findings import Report
from app.model.kinds import Role
from tests.widgets.huge import huge_state
from tests.widgets.making import Message, bot, call, make_state, result, user
from tests.widgets.states import FakeSession
from widgets.exchange_facts import Facts
from widgets.exchange_tree import Tree
from widgets.exchange_view import ExchangeView

TWO = [user("a"), bot(call("1", "read"), call("2", "read")), user(result("1", "x"), result("2", "y")), bot("b"), user("c"), bot("d")]


def test_what_is_kept_follows_the_findings() -> None:
    state = make_state(TWO)
    assert state.view is not None
    facts = Facts(Tree(state.view), state)
    assert facts.most_found() == (0, 0, 0)
    assert facts.most_calls() == facts.most_calls() == 2
    assert (facts.most_steps, facts.most_blocks) == (2, 6)
    rows = np.array([1, 2], np.int32), np.array([6], np.int32)
    facts.set_report(Report("anthropic", None, "complete", "reject", {}, [], 0, 9, error_rows=rows[0], warning_rows=rows[1]))
    assert facts.most_found() == (2, 1, 0)
    facts.set_report(None)
    assert facts.most_found() == (0, 0, 0)


@pytest.mark.parametrize(("messages", "waiting"), [(TWO, False), (TWO[:-1], True), (TWO[:3], True), (TWO[:2], False), ([], False)])
def test_whether_the_last_request_waits(messages: list[Message], waiting: bool) -> None:
    view = make_state(messages).view
    assert view is not None
    assert waits(view) is waiting
    steps, ends = bounds(view)
    assert bounds(view)[1] is ends  # made once
    assert len(steps) == len(ends) == sum(message.role == Role.ASSISTANT for message in messages) + waiting


def test_a_large_state_is_made_ready_in_steps(qtbot: QtBot) -> None:
    made = ExchangeView(FakeSession(huge_state(50)))
    qtbot.addWidget(made)
    state = huge_state(5_000)
    view = state.view
    assert view is not None
    assert sum(1 for _ in made.ahead(state)) == 5
    assert "_inverse" in view.__dict__
    assert made._made is not None
    facts = made._made[1]
    assert facts._most_calls == int(np.bincount(view.groups.exchange[facts.pip_at]).max())
    assert facts.most_steps == int(np.bincount(view.groups.step_exchange).max())
    assert facts.most_blocks == int(np.diff(facts.tree.top_first).max())
