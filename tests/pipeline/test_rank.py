"""Specs, rankings, chains and what settles them."""

import json

import numpy as np
import pytest

from app.model.edits import Cap, Stub
from app.model.errors import InspectorError
from app.model.plan import NEVER, Actions, Plan, Ranking
from app.pipeline.names import FAMILIES
from app.pipeline.rank import change, keeps_words, parse_policy, parse_spec, rank, texts, title
from app.pipeline.spec import chain_params, spec_of, written
from app.strategies import STRATEGIES, hidden_modules
from app.strategies.stub_tool_results import TEXT
from tests.strategies.drawn_plans import Planned

LONG = "w " * 300
RUN = "u:go | " + " | ".join(f"a:call {n} | u:result {n} {LONG}" for n in range(6))


# -- what there is ------------------------------------------------------------------------------------------------------------------


def test_the_seven_families_stand_in_the_order_of_lists():
    assert list(STRATEGIES)[:7] == [
        "evict-exchanges", "evict-steps", "stub-tool-results", "cap-tool-results", "summarize-prefix", "drop-reasoning",
        "drop-oldest-messages",
    ]  # fmt: skip
    assert list(FAMILIES) == list(STRATEGIES)[:7]
    assert len(hidden_modules()) == len(STRATEGIES)
    for strategy in STRATEGIES.values():
        assert strategy.summary
        assert "\n" not in strategy.summary


# -- specs --------------------------------------------------------------------------------------------------------------------------


def test_a_spec_gives_every_parameter():
    assert parse_spec("evict-exchanges") == [("evict-exchanges", {})]
    assert parse_spec("stub-tool-results:keep_last=5") == [("stub-tool-results", {"keep_last": 5, "text": TEXT})]
    assert parse_spec("cap-tool-results:max_chars=300+evict-steps:live_signed=drop") == [
        ("cap-tool-results", {"max_chars": 300}), ("evict-steps", {"live_signed": "drop"}),
    ]  # fmt: skip
    assert parse_spec("stub-tool-results: keep_last = 0 ,text=it is gone = so")[0][1] == {"keep_last": 0, "text": "it is gone = so"}


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("evict", "no strategy is called 'evict'; there are evict-exchanges, "),
        ("", "no strategy is called ''"),
        ("evict-exchanges+", "no strategy is called ''"),
        ("evict-exchanges:x=1", "evict-exchanges: there is no parameter 'x'; it takes none"),
        ("stub-tool-results:keep=1", "there is no parameter 'keep'; it takes keep_last, text"),
        ("stub-tool-results:keep_last", "'keep_last' is not key=value"),
        ("stub-tool-results:keep_last=two", "keep_last must be a whole number of at least 0, not 'two'"),
        ("stub-tool-results:keep_last=-1", "keep_last must be a whole number of at least 0, not '-1'"),
        ("stub-tool-results:keep_last=1,keep_last=2", "keep_last is given twice"),
        ("stub-tool-results:text=a, b", "' b' is not key=value"),
        ("evict-steps:live_signed=maybe", "live_signed must be one of keep, drop, not 'maybe'"),
    ],
)
def test_what_is_off_is_said_in_one_line(spec, line):
    with pytest.raises(InspectorError) as caught:
        parse_spec(spec)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_policy_file_holds_what_does_not_fit_on_a_line():
    policy = {"strategy": "stub-tool-results", "params": {"text": "gone, a+b", "keep_last": 1}}
    assert parse_policy(json.dumps(policy).encode(), "p.json") == [("stub-tool-results", {"keep_last": 1, "text": "gone, a+b"})]
    chain = [policy, {"strategy": "evict-exchanges"}]
    assert [name for name, _ in parse_policy(json.dumps(chain).encode(), "p.json")] == ["stub-tool-results", "evict-exchanges"]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"{", "p.json: not JSON"),
        (b"[]", "p.json: a policy is"),
        (b'"evict-exchanges"', "p.json: a policy is"),
        (b'{"strategy": "evict-exchanges", "params": [1]}', "p.json: a policy is"),
        (b'{"strategy": "evict-exchanges", "param": {}}', "p.json: a policy has no 'param'"),
        (b'{"strategy": "nope"}', "p.json: no strategy is called 'nope'"),
        (b'{"strategy": "stub-tool-results", "params": {"keep_last": 1.5}}', "keep_last must be a whole number"),
        (b'{"strategy": "stub-tool-results", "params": {"keep_last": true}}', "keep_last must be a whole number"),
        (b'{"strategy": "stub-tool-results", "params": {"text": 3}}', "text must be a text, not 3"),
    ],
)
def test_a_policy_that_is_off_is_said_in_one_line(data, line):
    with pytest.raises(InspectorError) as caught:
        parse_policy(data, "p.json")
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_spec_is_written_as_one_would_write_it():
    links = parse_spec("stub-tool-results:keep_last=2+cap-tool-results:max_chars=300")
    assert written(links) == "stub-tool-results+cap-tool-results:max_chars=300"
    twice = parse_spec("cap-tool-results:max_chars=900+cap-tool-results:max_chars=300")
    assert chain_params(twice) == {"cap-tool-results": {"max_chars": 900}, "cap-tool-results 2": {"max_chars": 300}}
    assert texts("stub-tool-results+evict-exchanges+summarize-prefix:text=so") == [TEXT, "so"]


@pytest.mark.parametrize("spec", ["evict-steps", "cap-tool-results:max_chars=900+cap-tool-results:max_chars=300+evict-exchanges"])
def test_a_ranking_knows_its_spec(spec):
    assert spec_of(Planned(RUN, spec).ranking) == parse_spec(spec)


# -- looking up ---------------------------------------------------------------------------------------------------------------------


def of(after: list[int]) -> Ranking:
    saved = -np.diff(after)
    none = np.empty(0, np.int32)
    return Ranking("x", "x", {}, Actions(saved, none, none), after[0], np.asarray(after, np.int64), False, False, "x", none, 0)


def test_a_cut_is_the_least_number_of_actions_that_fits():
    ranking = of([100, 120, 90, 95, 40])
    assert [ranking.cut(budget) for budget in (100, 99, 90, 89, 40, 39, None)] == [0, 2, 2, 4, 4, 4, 4]
    assert ranking.rungs.tolist() == [100, 90, 40]
    assert (ranking.plan(39).reached, ranking.plan(40).reached, ranking.plan(None).reached) == (False, True, True)
    assert ranking.plan(90).overshoot == 1.0
    assert ranking.plan(80).deficit == 20
    assert ranking.plan(80).freed == 60
    assert (ranking.plan(100).overshoot, ranking.plan(None).deficit) == (None, None)


def test_where_nothing_helps_nothing_is_done():
    ranking = of([100, 130, 120])
    assert [ranking.cut(budget) for budget in (99, None)] == [0, 0]
    assert of([100]).cut(5) == 0


def test_a_row_changes_state_as_the_plan_grows():
    chain = Planned(RUN, "stub-tool-results+evict-steps").ranking
    first = int(np.flatnonzero(chain.actions.replace_at < NEVER)[0])
    states = [Plan(chain, None, n).state(first) for n in range(len(chain.after))]
    assert states[0] == "kept"
    assert states[1] == "stubbed"
    assert states[-1] == "dropped"
    assert chain.first.tolist()[:2] == [-1, first]


# -- chains --------------------------------------------------------------------------------------------------------------------------


def test_a_chain_is_all_of_the_first_then_the_next_on_what_is_left():
    chain = Planned(RUN, "stub-tool-results:keep_last=3+evict-steps")
    assert chain.actions() == [["2/0"], ["4/0"], ["6/0"], ["1/0", "2/0"], ["3/0", "4/0"], ["5/0", "6/0"], ["7/0", "8/0"], ["9/0", "10/0"]]
    stub, call, overhead = 19, 4 + 3, 2 * 3  # a stubbed step: its result is worth a stub when the step goes
    assert len(TEXT) == 73
    assert chain.ranking.actions.saved.tolist()[3:] == [stub + call + overhead] * 3 + [150 + call + overhead] * 2
    assert (chain.ranking.strategy, chain.ranking.unit, chain.ranking.prefix) == ("stub-tool-results+evict-steps", "blocks", False)
    assert chain.ranking.params == {"stub-tool-results": {"keep_last": 3, "text": TEXT}, "evict-steps": {"live_signed": "keep"}}


def test_a_cut_result_can_be_stubbed_later():
    chain = Planned(RUN, "cap-tool-results:max_chars=300+stub-tool-results:keep_last=1")
    row = int(np.flatnonzero(chain.ranking.actions.replace_at < NEVER)[0])
    assert isinstance(chain.ranking.actions.content_at(row, 1), Cap)
    assert isinstance(chain.ranking.actions.content_at(row, 6), Stub)
    assert chain.plan(6).state(row) == "stubbed"
    assert sorted({type(edit.content) for edit in chain.arranged.change(chain.plan(7)).edits}, key=str) == [Cap, Stub]


def test_a_second_link_that_finds_nothing_adds_nothing():
    both = Planned(RUN, "cap-tool-results:max_chars=300+cap-tool-results:max_chars=400")
    assert len(both.ranking.actions.saved) == len(Planned(RUN, "cap-tool-results:max_chars=300").ranking.actions.saved)


def test_a_summary_in_a_chain_stays_when_the_next_link_begins():
    chain = Planned(f"u:one | a:{LONG} | {RUN}", "summarize-prefix:text=so+stub-tool-results:keep_last=1")
    closing = chain.ranking.actions.closing
    assert closing[0] == 0
    assert len(set(closing[1:].tolist())) == 1


def test_pins_hold_in_every_link():
    chain = Planned(
        f"u:one | a:call 8 | u:result 8 {LONG} | a:x | u:two | a:{LONG} | {RUN}",
        "evict-exchanges+stub-tool-results:keep_last=0",
        pinned=(0,),
    )
    assert not {"0/0", "1/0", "2/0", "3/0"} & {*chain.dropped(), *chain.replaced()}
    assert {"4/0", "5/0"} <= set(chain.dropped())


# -- words ---------------------------------------------------------------------------------------------------------------------------


def test_titles_and_what_is_kept_in_words():
    evict = Planned(" | ".join(f"u:{LONG} | a:yes" for _ in range(80)), "evict-exchanges").ranking
    assert title(Plan(evict, None, 60)) == "evict-exchanges: drop 60 exchanges (−9,420)"
    assert title(Plan(evict, None, 70)) == "evict-exchanges: drop 70 exchanges (−11.0k)"
    assert title(Plan(evict, None, 1)).startswith("evict-exchanges: drop 1 exchange (")
    assert keeps_words(evict, 22) == "58 of 80 exchanges"
    words = {
        spec: keeps_words(r, len(r.after) - 1)
        for spec in (*FAMILIES, "stub-tool-results+evict-steps")
        for r in [Planned(RUN, spec).ranking]
    }
    assert words == {
        "evict-exchanges": "1 of 1 exchange",
        "evict-steps": "all prompts, 1 of 6 steps",
        "stub-tool-results": "results of 2 of 6 steps whole",
        "cap-tool-results": "all of 6 results whole",
        "summarize-prefix": "1 of 1 exchange + summary",
        "drop-reasoning": "no steps with reasoning",
        "drop-oldest-messages": "1 of 13 messages",
        "stub-tool-results+evict-steps": "3 of 13 blocks",
    }


def test_a_plan_cut_from_a_ranking_becomes_one_change():
    planned = Planned(RUN, "stub-tool-results")
    plan = planned.ranking.plan(planned.ranking.before - 1)
    made = change(planned.one.view, plan, planned.one.provider, planned.look, len)
    assert made.title.startswith("stub-tool-results: stub 1 result (−")
    assert made.origin == "strategy:stub-tool-results"
    assert made.effect == "loses"
    assert [edit.rows.tolist() for edit in made.edits] == [[int(planned.one.view.rows[2])]]
    assert made.tokens == -plan.freed


# -- without counts at hand -------------------------------------------------------------------------------------------------------------


def test_without_a_counter_texts_are_estimated_and_it_says_so():
    one = Planned(RUN, "summarize-prefix").one
    rough = rank(one.view, "summarize-prefix", one.provider)
    assert rough.actions.approximate
    exact = Planned(RUN, "summarize-prefix").ranking
    assert not exact.actions.approximate
    assert abs(int(rough.after[-1]) - int(exact.after[-1])) < 0.2 * int(exact.before)


def test_settling_needs_a_counter():
    one = Planned(RUN, "cap-tool-results:max_chars=300").one
    from app.pipeline.rank import arrange

    with pytest.raises(ValueError, match="settled with a counter"):
        arrange(one.view, "cap-tool-results:max_chars=300", one.provider).settle(None)


def test_a_text_is_estimated_where_no_counter_is_at_hand():
    one = Planned(RUN, "stub-tool-results").one
    rough = rank(one.view, "stub-tool-results", one.provider)
    assert len(rough.actions.saved) == 4
    assert rough.actions.approximate
