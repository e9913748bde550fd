"""The list on what the whole path makes of real files: the bundled incident, and dumps beside the project where they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.model.block import Block
from app.model.errors import InspectorError
from app.model.source import Source
from app.model.state import Changed, State
from app.pipeline import count, ghosts, look
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.names import FAMILIES, provider_named
from app.pipeline.rank import rank
from app.pipeline.view import make_view
from widgets.exchange_facts import Facts, Pip
from widgets.exchange_tree import GHOST, Tree
from widgets.exchange_view import ExchangeView
from widgets.ties import ties

INCIDENT = Path(__file__).resolve().parents[2] / "app" / "incident" / "invoice-agent-0412.json"


class Reads:
    def __init__(self, block: Callable[[int], Block]) -> None:
        self.block = block


def opened(path: Path, provider_name: str = "anthropic") -> tuple[State, Reads]:
    dump = load(Source.open(path))
    transcript = dump.transcripts[dump.opened]
    provider = provider_named(provider_name)
    tokens = count.estimate(dump.table, provider)
    view = make_view(transcript, tokens, provider)
    report = check(view, provider, None, "complete", dump)
    totals = count.totals(view, tokens, provider)
    state = State(dump, str(path), dump.opened, transcript, transcript, view, provider_name, report=report, other=report, tokens=tokens,
                  totals=totals)  # fmt: skip
    return state, Reads(lambda row: look.block(dump, transcript, row))


def shown(qtbot: QtBot, state: State, reads: Reads) -> ExchangeView:
    view = ExchangeView(reads)
    qtbot.addWidget(view)
    view.resize(872, 562)
    view.refresh(state, Changed.ALL)
    view.show()
    return view


def sentences(view: ExchangeView) -> list[str]:
    return [view.rows.data(view.rows.index(row), Qt.ItemDataRole.AccessibleTextRole) for row in range(view.rows.rowCount())]


def test_the_incident_is_told_by_its_rows(qtbot: QtBot) -> None:
    state, reads = opened(INCIDENT)
    view = shown(qtbot, state, reads)
    said = sentences(view)
    assert said[0].startswith("Beside the messages, system text and 9 tool definitions")
    assert said[1].startswith("Exchange E0, broken, before the first prompt")
    assert "2 results without a call" in said[1]
    assert view.next_finding()
    assert state.report is not None
    assert view.rows.row_id(view.current_row()) == state.report.error_rows[0]


def test_tokens_of_the_rows_add_up_to_all_that_is_sent(qtbot: QtBot) -> None:
    state, reads = opened(INCIDENT)
    view = shown(qtbot, state, reads)
    looks = [view._painter.look(view.rows.entity(row)) for row in range(view.rows.rowCount())]
    assert sum(seen.tokens for seen in looks) == state.now
    view.set_level(3)
    steps = [view._painter.look(view.rows.entity(row)) for row in range(view.rows.rowCount())]
    assert state.totals is not None
    by_number = {seen.number: seen.tokens for seen in steps if seen.number.startswith("r")}
    assert [by_number[f"r{n + 1}"] for n in range(len(state.totals.by_step))] == state.totals.by_step.tolist()


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_can_be_dragged_over_it(qtbot: QtBot, name: str) -> None:
    state, reads = opened(INCIDENT)
    view = shown(qtbot, state, reads)
    view.set_level(3)
    tester = QAbstractItemModelTester(view.rows, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert state.view is not None
    ranking = rank(state.view, name, provider_named("anthropic"))
    for budget in range(state.now, 0, -state.now // 9):
        plan = ranking.plan(budget)
        made = ghosts.of_plan(state.view, plan)
        view.refresh(state.with_(plan=plan, budget=budget, ghosts=made, shown=name), Changed.PLAN)
        view.viewport().grab()
        assert plan.length == 0 or sum(view.rows.entity(row).kind == GHOST for row in range(view.rows.rowCount())) == len(made)
        scene = view._painter.scene
        assert scene is not None
        for row in range(view.rows.rowCount()):
            entity = view.rows.entity(row)
            if entity.kind == 3:
                assert scene.marks.of(entity).gone == (plan.state(entity.position) == "dropped")
    del tester


@pytest.mark.parametrize("wire", ["anthropic", "openai-chat"])
def test_a_call_without_an_id_is_not_said_to_be_answered_without_a_result(qtbot: QtBot, tmp_path: Path, wire: str) -> None:
    ask = {"role": "user", "content": "go"}
    if wire == "anthropic":
        call = {"role": "assistant", "content": [{"type": "tool_use", "input": {}}]}
        answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "done"}]}
    else:
        call = {"role": "assistant", "tool_calls": [{"type": "function", "function": {"arguments": "{}"}}]}
        answer = {"role": "tool", "tool_call_id": "x", "content": "done"}
    path = tmp_path / "request.json"
    path.write_bytes(orjson.dumps({"model": "gpt-4o", "max_tokens": 9, "messages": [ask, call, answer]}))
    state, reads = opened(path, wire)
    view = shown(qtbot, state, reads)
    assert state.view is not None
    assert state.view.links.partner.tolist() == [-1, 2, 1]  # tied by place, since nothing else would take either
    view.set_level(3)
    looks = [view._painter.look(view.rows.entity(row)) for row in range(view.rows.rowCount())]
    assert looks[0].pips is not None
    assert looks[0].pips.shown == (Pip.MISSING, Pip.ORPHAN)
    assert [look.chip.word for look in looks if look.chip] == ["no result", "no call"]
    assert "1 call without a result, 1 result without a call" in sentences(view)[0]
    assert ties(view.rows, Facts(Tree(state.view), state), 0, 9, -1) == []
    view.refresh(state.with_(report=None), Changed.FINDINGS)
    assert view._painter.look(view.rows.entity(0)).pips.shown == (Pip.ANSWERED,)  # type: ignore[union-attr]


def test_messages_without_content_say_so_at_every_level(qtbot: QtBot, tmp_path: Path) -> None:
    said = [("assistant", []), ("user", []), ("assistant", "x"), ("user", "q"), ("assistant", None), ("user", [])]
    messages = [{"role": role, "content": content} for role, content in said]
    path = tmp_path / "request.json"
    path.write_bytes(orjson.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages}))
    state, reads = opened(path)
    view = shown(qtbot, state, reads)
    view.set_level(3)
    looks = [view._painter.look(view.rows.entity(row)) for row in range(view.rows.rowCount())]
    words = [(look.number or look.word, "".join(piece.text for piece in look.pieces)) for look in looks]
    empty = "(no content)"
    assert words == [
        ("E0", f"before the first prompt  {empty}"), ("r1", empty), ("empty", empty), ("E1", empty), ("empty", empty), ("r2", "x"),
        ("text", "x"), ("E2", "q"), ("r3", empty), ("empty", empty), ("E3", empty), ("empty", empty),
    ]  # fmt: skip


def test_dumps_beside_the_project_are_shown_whole(qtbot: QtBot, shared: Path) -> None:
    seen = 0
    for folder, provider in (("anthropic_messages", "anthropic"), ("openai_chat", "openai-chat"), ("claude_code", "anthropic")):
        for path in sorted((shared / "samples" / folder).glob("*.json*")):
            try:
                state, reads = opened(path, provider)
            except InspectorError:
                continue
            view = shown(qtbot, state, reads)
            view.set_level(3)
            assert all(sentences(view))
            assert state.view is not None
            assert all(view.is_open(int(row)) for row in state.view.rows)
            view.viewport().grab()
            seen += 1
    assert seen > 5
