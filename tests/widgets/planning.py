"""Findings, rankings and plans for states of tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.model.edits import Stub
from app.model.findings import Finding, Report
from app.model.kinds import Kind
from app.model.plan import NEVER, Actions, Plan, Ranking
from app.model.state import Ghost, State


def finding(state: State, rule: str, row: int, message: str, severity: Any = "error", cause: str = "") -> Finding:
    assert state.dump is not None
    block = state.dump.table.extra["blocks"](row)
    return Finding(rule, severity, row, block.pointer or "", None, (block.call_id or "",), message, None, "", cause=cause)


def with_findings(state: State, findings: list[Finding]) -> State:
    """The state with a report of these findings."""
    rows = {s: np.array([f.row for f in findings if f.severity == s], np.int32) for s in ("error", "warning")}
    counts: dict[str, int] = {}
    for found in findings:
        counts[found.rule] = counts.get(found.rule, 0) + 1
    report = Report(state.provider, state.model, "complete", "reject" if len(rows["error"]) else "accept", counts, findings, 0, 61,
                    error_rows=rows["error"], warning_rows=rows["warning"])  # fmt: skip
    return state.with_(report=report, other=report)


def evict_exchanges(state: State) -> Ranking:
    """Whole exchanges, oldest first, never the live one."""
    view = state.view
    assert view is not None
    assert view.tokens is not None
    exchange, live = view.groups.exchange, view.groups.live
    drop_at = np.where((exchange >= 0) & (exchange < live), exchange, NEVER).astype(np.int32)
    saved = np.bincount(exchange[exchange >= 0], view.tokens[exchange >= 0], minlength=live + 1)[:live].astype(np.int64)
    seam = view.groups.first[1 : live + 1].astype(np.int32)
    actions = Actions(saved, np.full(len(view), NEVER, np.int32), drop_at, seam=seam)
    return _ranking("evict-exchanges", actions, state.now, True)


def stub_results(state: State, keep_last: int = 2) -> Ranking:
    """Results replaced by one line, oldest first."""
    view = state.view
    assert view is not None
    assert view.tokens is not None
    found = np.flatnonzero((view.kind == Kind.TOOL_RESULT) & (view.groups.step < view.groups.steps - keep_last))
    replace_at = np.full(len(view), NEVER, np.int32)
    replace_at[found] = np.arange(len(found))
    text = "[tool result removed to save context; call the tool again if you need it]"
    actions = Actions(np.maximum(view.tokens[found] - 18, 0).astype(np.int64), replace_at, np.full(len(view), NEVER, np.int32),
                      contents=(Stub(text),), content=np.where(replace_at < NEVER, 0, -1).astype(np.int16))  # fmt: skip
    return _ranking("stub-tool-results", actions, state.now, False)


def _ranking(name: str, actions: Actions, before: int, prefix: bool) -> Ranking:
    after = before - np.concatenate([[0], np.cumsum(actions.saved)])
    keeps = np.arange(len(after))[::-1].astype(np.int32)
    return Ranking(name, name, {}, actions, before, after.astype(np.int64), False, prefix, "exchanges", keeps, len(after))


def planned(state: State, ranking: Ranking, budget: int, ghosts: tuple[Ghost, ...] = ()) -> State:
    """The state with a budget that a person has set."""
    plan: Plan = ranking.plan(budget)
    rankings = {**state.rankings, ranking.strategy: ranking}
    return state.with_(rankings=rankings, shown=ranking.strategy, budget=budget, plan=plan, ghosts=ghosts)
