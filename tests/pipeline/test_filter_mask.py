"""What filter expressions hold for, counted out one by one beside them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.model.filter import Test
from app.model.kinds import Flag, Kind, Role
from app.model.state import State
from app.pipeline.filter_columns import Scope
from app.pipeline.filter_complete import complete
from app.pipeline.filter_mask import bounds, mask, on_texts
from app.pipeline.filter_read import read
from tests.widgets.states import broken_state, evict_exchanges, planned, small_state, stub_results


@pytest.fixture(scope="module")
def state() -> State:
    return broken_state()


def scope_of(state: State) -> Scope:
    assert state.view is not None
    return Scope(state.view, state.report, state.plan if state.budget is not None else None, state.pinned)


def held(state: State, text: str) -> list[int]:
    tree = read(text)
    assert tree is not None
    return np.flatnonzero(mask(tree, scope_of(state))).tolist()


def by(state: State, fits: Callable[[int], bool]) -> list[int]:
    assert state.view is not None
    return [at for at in range(len(state.view)) if fits(at)]


def test_kinds_roles_tools(state: State) -> None:
    view = state.view
    assert view is not None
    names = view.transcript.table.names
    assert held(state, "kind == call") == by(state, lambda at: view.kind[at] == Kind.TOOL_CALL)
    assert held(state, "kind != call") == by(state, lambda at: view.kind[at] != Kind.TOOL_CALL)
    assert held(state, "kind ~ resu") == by(state, lambda at: view.kind[at] == Kind.TOOL_RESULT)
    assert held(state, "role == user") == by(state, lambda at: view.role[at] == Role.USER)

    def tool(at: int) -> str:
        at = int(view.links.partner[at]) if view.kind[at] == Kind.TOOL_RESULT and view.links.partner[at] >= 0 else at
        return names[view.name[at]] if view.name[at] >= 0 else ""

    assert held(state, "tool == get_invoice") == by(state, lambda at: tool(at) == "get_invoice")
    assert len(held(state, "tool == get_invoice")) == 5  # three calls, two results
    assert held(state, "tool ~ SEARCH") == by(state, lambda at: "search" in tool(at))
    assert held(state, "tool ~ /^get_|^read/") == by(state, lambda at: tool(at).startswith(("get_", "read")))
    assert held(state, "tool") == by(state, lambda at: bool(tool(at)))
    assert held(state, "tool == nothing_like_it") == []


def test_numbers(state: State) -> None:
    view = state.view
    assert view is not None
    assert view.tokens is not None
    groups = view.groups
    assert held(state, "tokens > 1000") == by(state, lambda at: view.tokens[at] > 1000)
    assert held(state, "tokens == 10..20") == by(state, lambda at: 10 <= view.tokens[at] <= 20)
    assert held(state, "chars < 12") == by(state, lambda at: view.size[at] < 12)
    assert held(state, "exchange == E31") == by(state, lambda at: groups.exchange[at] >= 0 and groups.label(groups.exchange[at]) == "E31")
    assert held(state, "exchange < E2") == by(state, lambda at: groups.exchange[at] >= 0 and groups.label(groups.exchange[at]) == "E1")
    assert held(state, "request == r7") == by(state, lambda at: groups.step[at] == 6)
    assert held(state, "step == 7") == held(state, "request == r7")
    assert held(state, "line > 0") == []  # a document has no lines


def test_a_span_holds_what_each_of_its_requests_added(state: State) -> None:
    view = state.view
    assert view is not None
    step = view.groups.step

    def request(at: int) -> int:
        while at < len(view) and step[at] < 0:
            at += 1
        return int(step[at]) + 1 if at < len(view) else 10**9

    assert held(state, "span == r5..r9") == by(state, lambda at: 5 <= request(at) <= 9)
    assert held(state, "span == r60..now") == by(state, lambda at: request(at) >= 60)
    assert sorted(held(state, "span == ..r4") + held(state, "span == r5..now")) == list(range(len(view)))


def test_carried_counts_the_requests_behind_a_block(state: State) -> None:
    from widgets.words import carried

    view = state.view
    assert view is not None
    assert view.tokens is not None
    assert held(state, "carried > 20k") == by(state, lambda at: carried(state, int(view.rows[at])) * int(view.tokens[at]) > 20_000)


def test_findings(state: State) -> None:
    view, report = state.view, state.report
    assert view is not None
    assert report is not None
    at = {view.at(finding.row): finding for finding in report.findings}
    assert held(state, "finding") == sorted(at)
    assert held(state, "severity == warning") == sorted(p for p, finding in at.items() if finding.severity == "warning")
    assert held(state, "rule == tool-result-orphan") == sorted(p for p, finding in at.items() if finding.rule == "tool-result-orphan")
    assert held(state, "finding ~ tool-call") == sorted(p for p, finding in at.items() if "tool-call" in finding.rule)
    assert held(state, "finding && !(severity == error)") == held(state, "severity == warning")


def test_partners_and_failures(state: State) -> None:
    view = state.view
    assert view is not None
    both = (Kind.TOOL_CALL, Kind.TOOL_RESULT)
    assert held(state, "partner") == by(state, lambda at: view.links.partner[at] >= 0)
    assert held(state, "partner == none") == by(state, lambda at: view.kind[at] in both and view.links.partner[at] < 0)
    small = small_state()
    assert small.view is not None
    assert held(small, "failed") == [at for at in range(len(small.view)) if small.view.flags[at] & Flag.ERROR]


def test_ids(state: State) -> None:
    view = state.view
    assert view is not None
    ids = view.transcript.table.ids
    assert [ids.text(int(view.key[at])) for at in held(state, "id == t1")] == ["t1", "t1"]
    assert held(state, "id ~ toolu_01") == by(state, lambda at: (ids.text(int(view.key[at])) or "").startswith("toolu_01"))
    assert held(state, "id == nobody") == []


def test_the_plan(state: State) -> None:
    assert held(state, "plan") == []
    cut = planned(state, evict_exchanges(state), state.now // 2)
    assert cut.plan is not None
    assert held(cut, "plan == dropped") == np.flatnonzero(cut.plan.dropped).tolist() != []
    stubbed = planned(state, stub_results(state), state.now // 2)
    assert stubbed.plan is not None
    assert held(stubbed, "plan == stubbed") == np.flatnonzero(stubbed.plan.replaced).tolist() != []
    assert sorted(held(stubbed, "plan") + held(stubbed, "plan == kept")) == list(range(len(scope_of(stubbed))))


def test_pins_and_joins(state: State) -> None:
    pinned = state.with_(pinned=frozenset({30}))
    assert held(pinned, "pinned") == held(state, "exchange == E31")
    both = held(state, "tool == get_invoice && kind == call")
    assert both == sorted(set(held(state, "tool == get_invoice")) & set(held(state, "kind == call")))
    assert held(state, "tool == get_invoice || kind == call") == sorted({*held(state, "tool == get_invoice"), *held(state, "kind == call")})


def test_bounds_name_the_blocks_on_which_texts_decide(state: State) -> None:
    tree = read('kind == call && "invoice" || finding')
    assert tree is not None
    sure, may = bounds(tree, scope_of(state))
    assert np.flatnonzero(sure).tolist() == held(state, "finding")
    assert np.flatnonzero(may).tolist() == held(state, "kind == call || finding")
    assert on_texts(tree) == [Test("text", "~", "invoice")]
    opposite = read('!(kind == call && "invoice")')
    assert opposite is not None
    assert np.flatnonzero(bounds(opposite, scope_of(state))[0]).tolist() == held(state, "kind != call")


def words(state: State, text: str) -> list[str]:
    return [word for word, _ in complete(text, len(text), scope_of(state)).choices]


def test_completion(state: State) -> None:
    assert words(state, "")[:3] == ["kind", "role", "tool"]
    assert words(state, "to") == ["tool", "tokens"]
    assert words(state, "tool ") == ["==", "!=", "~", "&&", "||"]
    assert words(state, "tokens ") == ["==", "!=", ">", "<", ">=", "<="]
    assert words(state, "kind == re") == ["reasoning", "result"]
    assert words(state, "tool == se")[0] == "search_invoices"
    assert "read_file" in words(state, 'tool == "rea')
    assert words(state, "rule == tool-res") == ["tool-result-orphan"]
    assert words(state, "id == toolu_01") == ["toolu_01A", "toolu_01B"]
    assert words(state, "finding ") == ["==", "!=", "~", "&&", "||"]
    assert words(state, "kind == call ") == ["&&", "||"]
    assert words(state, "kind == call && (fin") == ["finding"]
    assert words(state, "kind == call") == []  # it is there whole
    found = complete("kind == ca && finding", 10, scope_of(state))
    assert (found.start, found.end, found.choices) == (8, 10, (("call", ""),))
