"""Where F8, Ctrl+Down and P lead."""

from __future__ import annotations

import time
from dataclasses import replace

from app.model.state import State
from tests.widgets.states import broken_state, finding, huge_state, row_of, small_state, with_findings
from widgets import walk


def test_findings_in_the_order_of_the_transcript_round_the_end() -> None:
    state = broken_state()
    rows = [row_of(state, key) for key in ("toolu_01A", "toolu_01B", "t3")]
    seen, here = [], state
    for _ in range(6):
        here = here.with_(selected=walk.finding(here))
        seen.append(here.selected)
    assert seen[:3] == rows
    assert seen[5] == rows[0]
    assert sorted(seen[:5]) == seen[:5]


def test_backwards() -> None:
    state = broken_state()
    first = row_of(state, "toolu_01A")
    last = walk.finding(state, backwards=True)
    assert walk.finding(state.with_(selected=first), backwards=True) == last
    assert walk.finding(state.with_(selected=last)) == first


def test_a_finding_on_a_row_that_was_dropped_is_no_place() -> None:
    state = small_state()
    assert state.view is not None
    row = row_of(state, "c2")
    state = with_findings(state, [finding(state, "x", row, "m")])
    assert walk.finding(state) == row
    assert walk.finding(State()) == -1


def test_exchanges() -> None:
    state = small_state()
    assert state.view is not None
    first, second, third = (int(state.view.rows[position]) for position in state.view.groups.first)
    assert walk.exchange(state) == first
    assert walk.exchange(state.with_(selected=first)) == second
    assert walk.exchange(state.with_(selected=third)) == -1
    inside = row_of(state, "c2")
    assert walk.exchange(state.with_(selected=inside), backwards=True) == second
    assert walk.exchange(state.with_(selected=second), backwards=True) == first


def test_partner_there_and_back() -> None:
    state = small_state()
    call = row_of(state, "c3")
    result = walk.partner(state.with_(selected=call))
    assert result != call
    assert walk.partner(state.with_(selected=result)) == call
    assert walk.partner(state.with_(selected=0)) == -1
    assert walk.partner(state) == -1


def test_the_other_place_of_a_finding_there_and_back() -> None:
    state = small_state()
    call, result, third = row_of(state, "c3"), walk.partner(state.with_(selected=row_of(state, "c3"))), row_of(state, "c2")
    note = replace(finding(state, "call-repeated", result, "m"), related=call)
    state = with_findings(state, [note, replace(note, row=third, related=result)])
    assert walk.other(state.with_(selected=result)) == call
    assert walk.other(state.with_(selected=call)) == result
    assert walk.other(state.with_(selected=third)) == result
    assert walk.other(state.with_(selected=0)) == -1
    assert walk.other(State()) == -1


def test_no_key_is_slow_at_a_million_rows() -> None:
    state = huge_state(1_000_000)
    assert state.view is not None
    state = state.with_(selected=int(state.view.rows[500_000]))
    walk.exchange(state)  # columns are gathered once
    for step in (walk.exchange, walk.finding, walk.partner):
        start = time.perf_counter()
        step(state)
        assert time.perf_counter() - start < 0.1, step
