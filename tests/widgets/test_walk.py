"""Where F8, Ctrl+Down and P lead."""

from __future__ import annotations

import time
from dataclasses import replace

from app.model.state import State
from tests.widgets.states import broken_state, finding, huge_state, row_of, small_state, with_findings
from widgets import walk


def test_findings_by_severity_each_kind_in_the_order_of_the_transcript() -> None:
    state = broken_state()
    assert state.report is not None
    assert state.view is not None
    errors = [int(row) for row in state.report.error_rows]
    assert errors[:2] == [row_of(state, "toolu_01A"), row_of(state, "toolu_01B")]
    rest = {"warning": set(), "note": set()}
    for one in state.report.findings:
        if one.severity != "error" and one.row not in errors:
            rest[one.severity].add(one.row)
    order = sorted(errors, key=state.view.at)
    order += sorted(rest["warning"], key=state.view.at) + sorted(rest["note"] - rest["warning"], key=state.view.at)
    seen, here = [], state
    for _ in range(len(order) + 1):
        here = here.with_(selected=walk.finding(here))
        seen.append(here.selected)
    assert seen == [*order, order[0]]


def test_from_a_row_without_finding_to_the_next_error() -> None:
    state = small_state()
    assert state.view is not None
    early, late, last = row_of(state, "c1"), row_of(state, "c3"), int(state.view.rows[-1])
    note = replace(finding(state, "x", last, "m"), severity="note")
    state = with_findings(state, [finding(state, "x", late, "m"), note])
    assert walk.finding(state.with_(selected=early)) == late
    assert walk.finding(state.with_(selected=late)) == last
    assert walk.finding(state.with_(selected=last)) == late
    assert walk.finding(state.with_(selected=early), backwards=True) == late


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
