"""The figures of the chart against slow loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.model.kinds import Kind, Role
from app.model.plan import Ranking
from app.model.state import State
from app.model.table import Ints
from app.model.transcript import Wall
from app.model.view import View
from tests.widgets import chart_rankings as made
from tests.widgets.states import (
    Message,
    Part,
    bot,
    broken_state,
    call,
    huge_state,
    make_state,
    one_prompt_state,
    result,
    small_state,
    think,
    user,
)  # fmt: skip
from widgets.chart_data import LAYERS, Layer, bins, contents, first_over, requests
from widgets.chart_savings import Lookup, runs, savings, stacks


def walled_state() -> State:
    """A session that was compacted once: the second half starts at a wall."""
    messages = [user("one"), bot("a", call("c1", "ls")), user(result("c1", "x" * 4000)), bot("b"),
                user("[summary]"), bot("c", call("c2", "ls")), user(result("c2", "y" * 900)), bot("d"), user("two"), bot("e")]  # fmt: skip
    wall = 5  # the row of "[summary]"
    return make_state(messages, start=wall, walls=(Wall(wall, 4, 1200, 30),))


def slow_sizes(view: View, tokens: Ints) -> list[int]:
    """Every request added up from nothing."""
    walls = sorted({view.at(w.row) for w in view.transcript.walls if view.at(w.row) < view.start} | ({view.start} if view.start else set()))
    kind = view.kind.tolist()
    head = sum(int(tokens[p]) for p in range(view.start, len(view)) if kind[p] in (Kind.SYSTEM, Kind.TOOLS))
    out = []
    for end in [*view.groups.step_first.tolist(), len(view)]:
        begin = max([w for w in walls if w <= end or end == len(view)], default=0)
        seen: set[int] = set()
        total = head
        for p in range(begin, end):
            if kind[p] in (Kind.SYSTEM, Kind.TOOLS):
                continue
            total += int(tokens[p])
            message = int(view.message[p])
            if message not in seen and view.message_overhead is not None:
                total += int(view.message_overhead[message])
            seen.add(message)
        out.append(total)
    return out


@pytest.mark.parametrize("make", [small_state, broken_state, one_prompt_state, walled_state])
def test_sizes_are_those_of_a_slow_loop(make: object) -> None:
    state: State = make()  # type: ignore[operator]
    view = state.view
    assert view is not None
    assert view.tokens is not None
    axis = requests(view)
    assert contents(axis, view, view.tokens).sizes.tolist() == slow_sizes(view, view.tokens)


def test_now_is_the_total_and_the_first_request_is_what_stood_before_it() -> None:
    state = small_state()
    view = state.view
    assert view is not None
    assert view.tokens is not None
    sizes = contents(requests(view), view, view.tokens).sizes
    assert sizes[-1] == state.now
    assert sizes[0] == int(view.tokens[:3].sum()) + 3  # system text, a tool, the prompt with its overhead


def test_a_wall_begins_the_sums_anew() -> None:
    state = walled_state()
    view = state.view
    assert view is not None
    assert view.tokens is not None
    axis = requests(view)
    held = contents(axis, view, view.tokens)
    assert axis.walls[0][0] == axis.sent_from == 2
    assert held.sizes[1] > 1000 > held.sizes[2] > 0
    assert held.sizes[-1] == int(view.tokens[5:].sum()) + 3 * 6


def test_a_compaction_that_hides_nothing_cuts_no_curve() -> None:
    """A wall behind the start: what lies before it is still sent."""
    walled = walled_state()
    assert walled.view is not None
    transcript = walled.view.transcript.with_(start=0)
    view = View(transcript, walled.view.groups, walled.view.links, walled.view.tokens)
    view.message_overhead = walled.view.message_overhead
    assert view.tokens is not None
    axis = requests(view)
    sizes = contents(axis, view, view.tokens).sizes
    assert axis.sent_from == 0
    assert [column for column, _ in axis.walls] == [2]
    assert sizes.tolist() == slow_sizes(view, view.tokens)
    assert sizes[-1] == int(view.tokens.sum()) + 3 * 10


def test_layers_hold_what_they_say() -> None:
    state = small_state()
    view = state.view
    assert view is not None
    assert view.tokens is not None
    totals = contents(requests(view), view, view.tokens).totals(np.array([3, 5]))[-1]
    own = view.tokens.astype(int)
    assert totals[Layer.HEAD] == own[:2].sum()
    assert totals[Layer.RESULT] == own[view.kind == Kind.TOOL_RESULT].sum()
    assert totals[Layer.REASONING] == own[view.kind == Kind.REASONING].sum()
    assert totals[Layer.USER] == own[(view.kind == Kind.TEXT) & (view.role == Role.USER)].sum()
    assert totals[Layer.OTHER] == 3 * (int(view.message.max()) + 1)


def test_seams_lie_where_no_pair_crosses() -> None:
    """A result that came late makes the boundary between two requests no seam."""
    state = make_state([user("a"), bot(call("c1", "ls"), call("c2", "ls")), user(result("c1", "x")), bot("on"), user(result("c2", "y")),
                        user("b"), bot("c")])  # fmt: skip
    view = state.view
    assert view is not None
    axis = requests(view)
    assert axis.columns == 4
    assert axis.request_seam.tolist() == [True, False, True, False]
    assert axis.exchange_seam.tolist() == [True, False, True, False]
    assert axis.exchange_column.tolist() == [0, 2]


def test_after_edits_the_columns_stay() -> None:
    """Rows that are gone leave a gap; a made result stands in the request that would carry it first."""
    state = small_state()
    view = state.view
    assert view is not None
    assert view.tokens is not None
    axis = requests(view)
    before = contents(axis, view, view.tokens)
    at = int(view.groups.first[1])
    order = np.concatenate([view.rows[:2], view.rows[at:]])  # the first exchange is dropped
    edited = view.transcript.with_(order=order)
    shorter = make_view(edited, view, at - 2)
    held = contents(axis, shorter, shorter.tokens)
    gone = before.sizes[int(axis.exchange_column[1])] - before.head
    assert held.gone[:2].all()
    assert not held.gone[2:].any()
    assert (before.sizes[3:] - held.sizes[3:] == before.sizes[-1] - held.sizes[-1]).all()
    assert held.sizes[0] == held.sizes[1] == before.head
    assert gone > 0


def make_view(edited: object, view: View, cut: int) -> View:
    """A view of a transcript whose rows 2 to 2 + cut are gone; groups and links are not asked for."""
    out = View(edited, view.groups, view.links)  # type: ignore[arg-type]
    keep = np.r_[0:2, 2 + cut : len(view)]
    assert view.tokens is not None
    out.tokens = view.tokens[keep]
    out.message_overhead = np.full(int(out.message.max()) + 1, 3, np.int32)
    return out


def test_a_made_row_stands_in_front_of_the_next_one() -> None:
    state = make_state([user("a"), bot(call("c1", "ls")), bot("b"), user("c"), bot("d")])
    view = state.view
    assert view is not None
    assert view.tokens is not None
    axis = requests(view)
    table = view.transcript.table.grown({"record": [-1], "part": [0], "message": [9], "kind": [Kind.TOOL_RESULT], "type": [0],
                                         "role": [Role.USER], "name": [-1], "size": [40], "flags": [0], "key": [0]})  # fmt: skip
    order = np.array([0, 1, 2, 5, 3, 4], np.int32)  # the made result in front of the second prompt
    edited = View(view.transcript.with_(table=table, order=order), view.groups, view.links)
    edited.tokens = np.append(view.tokens, 11)[order]
    held = contents(axis, edited, edited.tokens)
    at = order.tolist().index(5)
    assert held.column[at] == held.boundary[at] == 1  # the second request begins at the prompt's answer
    assert held.added[1, Layer.RESULT] == 11


def check_ranking(state: State, ranking: Ranking, width: int) -> None:
    view = state.view
    assert view is not None
    assert view.tokens is not None
    axis = requests(view)
    held = contents(axis, view, view.tokens)
    what = savings(axis, held, view.tokens, ranking)
    at = bins(held.sizes, width)
    lookup = Lookup(axis, held, what, at)
    lengths = sorted({0, 1, 2, len(ranking.after) // 2, len(ranking.after) - 1} & set(range(len(ranking.after))))
    for length in lengths:
        plan = ranking.plan(None).__class__(ranking, None, length)
        fill = lookup.fill(length)
        assert fill[-1].sum() == plan.after
        slow = slow_fill(state, ranking, length)
        assert fill.sum(axis=1).astype(int).tolist() == [slow[c] for c in at.shows]
        for column in at.shows[:: max(1, len(at) // 5)].tolist():
            assert held.sizes[column] - what.at(column, plan) == slow[column]


def slow_fill(state: State, ranking: Ranking, length: int) -> list[int]:
    """Every request added up from what a plan leaves."""
    view, actions = state.view, ranking.actions
    assert view is not None
    assert view.tokens is not None
    own = view.tokens.astype(int).copy()
    stub = actions.contents[0] if actions.contents else None
    rest = 18 if type(stub).__name__ == "Stub" else 400
    for p in range(len(view)):
        if actions.replace_at[p] < length:
            own[p] = min(own[p], rest)
        if actions.drop_at[p] < length:
            own[p] = 0
    left = {int(m) for m, d in zip(view.message, actions.drop_at, strict=True) if d >= length}
    cost = int(actions.closing[length]) if actions.closing is not None else 0
    seam = int(actions.seam[length - 1]) if cost and actions.seam is not None else 0
    out = []
    for end in [*view.groups.step_first.tolist(), len(view)]:
        messages = {int(m) for m in view.message[:end] if m >= 0} & left
        out.append(int(own[:end].sum()) + 3 * len(messages) + (cost if end >= seam else 0))
    return out


@pytest.mark.parametrize("width", [7, 40, 1100])
@pytest.mark.parametrize("strategy", ["evict_exchanges", "evict_steps", "stub_results", "cap_results", "summarize", "drop_reasoning",
                                      "drop_oldest"])  # fmt: skip
def test_fill_under_a_plan_is_that_of_a_slow_loop(strategy: str, width: int) -> None:
    state = broken_state() if strategy != "drop_reasoning" else small_state()
    check_ranking(state, getattr(made, strategy)(state), width)


def test_stubbed_rows_that_are_dropped_later_are_saved_once() -> None:
    """A chain: all results stubbed, then exchanges dropped."""
    state = broken_state()
    view = state.view
    assert view is not None
    assert view.tokens is not None
    first = made.stub_results(state, 0)
    count = len(first.actions.saved)
    assert count >= 2
    exchange = view.groups.exchange
    drop = np.where((exchange >= 0) & (exchange < view.groups.live), exchange + count, 2**31 - 1)
    chain = made.ranked(state, "stub-tool-results+evict-exchanges", drop, first.actions.replace_at.astype(np.int64),
                        np.minimum(view.tokens, 18).astype(np.int64))  # fmt: skip
    check_ranking(state, chain, 100)


def test_savings_that_do_not_add_up_by_row_end_at_the_ranking_own_sum() -> None:
    """Whatever a strategy says that an action saves stands in the column of the next request."""
    state = broken_state()
    ranking = made.evict_exchanges(state)
    ranking.actions.saved[3] += 5
    ranking.after[4:] -= 5
    view = state.view
    assert view is not None
    axis = requests(view)
    held = contents(axis, view, view.tokens)
    lookup = Lookup(axis, held, savings(axis, held, view.tokens, ranking), bins(held.sizes, 500))
    for length in range(len(ranking.after)):
        assert lookup.fill(length)[-1].sum() == ranking.after[length]


def test_what_is_gone_and_where_the_cut_stands() -> None:
    state = broken_state()
    view = state.view
    assert view is not None
    axis = requests(view)
    held = contents(axis, view, view.tokens)
    what = savings(axis, held, view.tokens, made.evict_exchanges(state))
    steps = int((view.groups.step_exchange < 4).sum())
    assert what.cut(0) == 0
    assert what.cut(4) == steps
    lookup = Lookup(axis, held, what, bins(held.sizes, 2000))
    assert runs(lookup.gone(4)) == [(0, steps)]
    assert what.verb == "dropped"
    stub = savings(axis, held, view.tokens, made.stub_results(state))
    assert (stub.verb, stub.cut(5), stub.span(0)) == ("stubbed", 0, None)
    results = np.flatnonzero(view.kind == Kind.TOOL_RESULT)
    assert stub.span(2) == (int(held.column[results[0]]), int(held.column[results[1]]))
    assert savings(axis, held, view.tokens, made.cap_results(state)).verb == "shortened"
    assert savings(axis, held, view.tokens, made.summarize(state)).verb == "summarized"


def test_stacks_are_two_tones_or_every_kind_that_there_is() -> None:
    fill = np.zeros((2, LAYERS))
    fill[:, Layer.HEAD], fill[1, Layer.RESULT], fill[1, Layer.USER] = 9, 100, 7
    assert [(layer, edge.tolist()) for layer, edge in stacks(fill, False)] == [
        (Layer.HEAD, [9, 9]), (Layer.RESULT, [9, 109]), (Layer.TEXT, [9, 116]),
    ]  # fmt: skip
    assert [layer for layer, _ in stacks(fill, True)] == [Layer.HEAD, Layer.RESULT, Layer.USER]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.integers(1, 30))
def test_bins_show_the_largest_of_their_columns(sizes: list[int], width: int) -> None:
    at = bins(np.array(sizes), width)
    assert len(at) == min(width, len(sizes))
    assert at.starts[0] == 0
    ends = [*at.starts[1:].tolist(), len(sizes)]
    for start, end, show in zip(at.starts.tolist(), ends, at.shows.tolist(), strict=True):
        assert start <= show < end
        assert sizes[show] == max(sizes[start:end])
    for column in range(len(sizes)):
        assert at.starts[at.bin(column)] <= column < ends[at.bin(column)]


parts = st.sampled_from(["text", "call", "think"])
turns = st.lists(st.tuples(st.sampled_from(["user", "bot", "results"]), st.lists(parts, min_size=1, max_size=3)), min_size=1, max_size=14)


@settings(max_examples=60, deadline=None)
@given(turns, st.integers(1, 60), st.sampled_from(["evict_exchanges", "evict_steps", "stub_results", "summarize", "drop_oldest"]))
def test_any_transcript_adds_up(plot: list[tuple[str, list[str]]], width: int, strategy: str) -> None:
    state = make_state(_messages(plot))
    view = state.view
    assert view is not None
    assert view.tokens is not None
    axis = requests(view)
    assert contents(axis, view, view.tokens).sizes.tolist() == slow_sizes(view, view.tokens)
    ranking = getattr(made, strategy)(state)
    if len(ranking.actions.saved):
        check_ranking(state, ranking, width)


def _messages(plot: list[tuple[str, list[str]]]) -> list[Message]:
    out: list[Message] = []
    open_calls: list[str] = []
    for number, (who, kinds) in enumerate(plot):
        if who == "user":
            out.append(user("words " * (number + 1)))
        elif who == "bot":
            calls = [f"c{number}_{k}" for k, kind in enumerate(kinds) if kind == "call"]
            open_calls += calls
            named = iter(calls)
            made_parts: list[str | Part] = [
                call(next(named), "ls") if kind == "call" else think("hm " * 9) if kind == "think" else "said " * 4 for kind in kinds
            ]
            out.append(bot(*made_parts))
        else:
            out.append(user(*[result(c, "r" * (37 * number + 90)) for c in open_calls or ["orphan"]]))
            open_calls = []
    return out


def test_the_first_column_over_a_budget() -> None:
    assert first_over(np.array([1, 5, 9, 9]), 5) == 2
    assert first_over(np.array([1, 5]), 5) == -1


def test_a_hundred_thousand_blocks_add_up() -> None:
    state = huge_state(100_000)
    view = state.view
    assert view is not None
    axis = requests(view)
    held = contents(axis, view, view.tokens)
    assert held.sizes[-1] == state.now
    ranking = made.evict_steps(state)
    lookup = Lookup(axis, held, savings(axis, held, view.tokens, ranking), bins(held.sizes, 1100))
    for length in (0, 1, len(ranking.after) // 3, len(ranking.after) - 1):
        assert lookup.fill(length)[-1].sum() == ranking.after[length]


SPECS = ("evict-exchanges", "evict-steps", "stub-tool-results", "cap-tool-results:max_chars=400", "summarize-prefix", "drop-reasoning",
         "drop-oldest-messages", "cap-tool-results:max_chars=900+stub-tool-results:keep_last=1+evict-exchanges")  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("make", [small_state, broken_state, one_prompt_state, walled_state])
def test_the_strategies_themselves_add_up(make: object, spec: str) -> None:
    """At every length the column of the next request is what the plan promises."""
    from app.pipeline.rank import rank
    from app.providers import PROVIDERS

    state: State = make()  # type: ignore[operator]
    view = state.view
    assert view is not None
    assert view.tokens is not None
    ranking = rank(view, spec, PROVIDERS["anthropic"])
    axis = requests(view)
    held = contents(axis, view, view.tokens)
    assert held.sizes[-1] == ranking.before
    what = savings(axis, held, view.tokens, ranking)
    lookup = Lookup(axis, held, what, bins(held.sizes, 90))
    for length in range(0, len(ranking.after), max(1, len(ranking.after) // 40)):
        fill = lookup.fill(length)
        assert fill[-1].sum() == ranking.after[length]
        assert fill[-1, Layer.RESULT] >= 0
        assert (fill.sum(axis=1)[lookup.gone(length)] <= held.sizes[-1]).all()
        assert 0 <= what.cut(length) < axis.columns
