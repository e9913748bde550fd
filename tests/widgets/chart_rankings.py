"""Rankings of all seven families over a made state, with message overhead counted as a strategy counts it; and recorded usage."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.model.edits import Cap, Content, Stub
from app.model.kinds import Kind, Role
from app.model.plan import NEVER, Actions, Ranking
from app.model.state import State
from app.model.table import Ints
from app.model.tokens import Calibration, Recorded
from app.model.view import View

STUB = Stub("[tool result removed to save context; call the tool again if you need it]")


def ranked(state: State, name: str, drop_at: Ints, replace_at: Ints | None = None, left: Ints | None = None, *, content: Content = STUB,
           seam: Ints | None = None, closing: Ints | None = None, unit: str = "exchanges", units: int | None = None,
           breaks: bool = False, params: dict[str, Any] | None = None) -> Ranking:  # fmt: skip
    """A ranking of given actions. `left`: tokens of a replaced row, along positions."""
    view = state.view
    assert view is not None
    assert view.tokens is not None
    n = len(view)
    replace_at = np.full(n, NEVER, np.int32) if replace_at is None else replace_at
    left = np.zeros(n, np.int64) if left is None else left
    ends = [a[a < NEVER].max(initial=-1) for a in (drop_at, replace_at)]
    count = int(max(ends)) + 1
    own = view.tokens.astype(np.int64)
    saved = np.zeros(count, np.int64)
    swapped = np.flatnonzero(replace_at < np.minimum(drop_at, NEVER))
    np.add.at(saved, replace_at[swapped], (own - left)[swapped])
    dropped = np.flatnonzero(drop_at < NEVER)
    worth = np.where(replace_at < drop_at, left, own)
    np.add.at(saved, drop_at[dropped], worth[dropped])
    _overhead(view, drop_at, saved)
    after = state.now - np.concatenate([[0], np.cumsum(saved)])
    if closing is not None:
        after = after + closing
    units = count if units is None else units
    keeps = np.maximum(units - np.arange(count + 1), 0).astype(np.int32)
    actions = Actions(saved, replace_at.astype(np.int32), drop_at.astype(np.int32), (content,) if len(swapped) else (),
                      np.where(replace_at < NEVER, 0, -1).astype(np.int16), closing, seam, isinstance(content, Cap))  # fmt: skip
    return Ranking(name, name, params or {}, actions, state.now, after.astype(np.int64), breaks, seam is not None, unit, keeps, units)


def _overhead(view: View, drop_at: Ints, saved: Ints) -> None:
    assert view.message_overhead is not None
    inside = view.message >= 0
    gone = np.full(len(view.message_overhead), -1, np.int64)
    np.maximum.at(gone, view.message[inside], drop_at[inside])
    leaves = np.flatnonzero((gone >= 0) & (gone < NEVER))
    np.add.at(saved, gone[leaves], view.message_overhead[leaves])


def _never(state: State) -> Ints:
    assert state.view is not None
    return np.full(len(state.view), NEVER, np.int64)


def evict_exchanges(state: State) -> Ranking:
    view = state.view
    assert view is not None
    exchange, live = view.groups.exchange, view.groups.live
    drop = np.where((exchange >= 0) & (exchange < live), exchange, NEVER)
    return ranked(state, "evict-exchanges", drop, seam=view.groups.first[1 : live + 1], units=live + 1)


def evict_steps(state: State) -> Ranking:
    view = state.view
    assert view is not None
    step, last = view.groups.step, view.groups.steps - 1
    drop = np.where((step >= 0) & (step < last), step, NEVER)
    return ranked(state, "evict-steps", drop, seam=view.groups.step_first[1 : last + 1], unit="steps", units=last + 1)


def stub_results(state: State, keep_last: int = 2, content: Content = STUB, name: str = "stub-tool-results") -> Ranking:
    view = state.view
    assert view is not None
    assert view.tokens is not None
    rest = np.minimum(view.tokens, 18 if isinstance(content, Stub) else 400)
    found = np.flatnonzero((view.kind == Kind.TOOL_RESULT) & (view.groups.step < view.groups.steps - keep_last) & (view.tokens > rest))
    replace = _never(state)
    replace[found] = np.arange(len(found))
    total = int((view.kind == Kind.TOOL_RESULT).sum())
    params = {"keep_last": keep_last, "text": STUB.text} if isinstance(content, Stub) else {"max_chars": 8000}
    return ranked(state, name, _never(state), replace, rest.astype(np.int64), content=content, unit="results", units=total, params=params)


def cap_results(state: State) -> Ranking:
    return stub_results(state, 0, Cap(8000), "cap-tool-results")


def summarize(state: State) -> Ranking:
    base = evict_exchanges(state)
    count = len(base.actions.saved)
    closing = np.where(np.arange(count + 1) > 0, 600 + 20 * np.arange(count + 1), 0)
    return ranked(state, "summarize-prefix", base.actions.drop_at, seam=base.actions.seam, closing=closing, units=base.units,
                  params={"text": "", "live_signed": "keep"})  # fmt: skip


def drop_reasoning(state: State) -> Ranking:
    view = state.view
    assert view is not None
    found = np.flatnonzero(view.kind == Kind.REASONING)
    drop = _never(state)
    drop[found] = np.arange(len(found))
    return ranked(state, "drop-reasoning", drop, unit="steps", units=max(len(found), 1))


def drop_oldest(state: State) -> Ranking:
    view = state.view
    assert view is not None
    message = view.message
    last = int(message.max(initial=-1))
    drop = np.where((message >= 0) & (message < last) & (view.role != Role.SYSTEM), message, NEVER)
    seam = np.searchsorted(np.maximum.accumulate(message), np.arange(1, last + 1)).astype(np.int32)
    return ranked(state, "drop-oldest-messages", drop, seam=seam, unit="messages", units=last + 1, breaks=True)


def all_ranked(state: State) -> State:
    """The state with the seven rankings of the plan table, in its order."""
    made = (evict_exchanges(state), evict_steps(state), stub_results(state), cap_results(state), summarize(state), drop_reasoning(state),
            drop_oldest(state))  # fmt: skip
    return state.with_(rankings={r.strategy: r for r in made})


def shown(state: State, name: str, budget: int | None) -> State:
    """The state with a strategy shown at a budget that a person has set (None: parked)."""
    plan = state.rankings[name].plan(budget) if budget is not None else None
    return state.with_(shown=name, budget=budget, plan=plan)


def with_recorded(state: State, factor: float = 1.12, offset: int = 2600, cached: bool = True) -> State:
    """The state with the usage of a session: every third request has none."""
    view = state.view
    assert view is not None
    assert view.tokens is not None
    sums = np.concatenate([[0], np.cumsum(view.tokens)])
    sent = (sums[view.groups.step_first] * factor + offset).astype(np.int64)
    there = np.arange(len(sent)) % 3 != 2
    read = np.where(there & cached, np.concatenate([[0], sent[:-1]]), -1)
    recorded = Recorded(np.where(there, sent, -1), np.minimum(read, sent), np.where(there & cached, sent - read, -1))
    return state.with_(recorded=recorded, calibration=Calibration(factor, offset, int(there.sum()), factor * 0.98, factor * 1.02))
