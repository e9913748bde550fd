"""A plan that is really applied: its figures, its place in the file, the cache that it leaves."""

import numpy as np
import pytest

from app.model.edits import Drop
from app.pipeline.ghosts import of_plan
from app.pipeline.plan import commit, figures, first_changed, judged, make, prefix_tokens
from tests.builders import request_of
from tests.strategies.drawn_plans import Planned
from tests.strategies.laws import opened, read, recounted, written
from tests.strategies.random_requests import WIRES, request

LONG = "w " * 300
TALK = f"u:one | a:call 1 | u:result 1 {LONG} | a:done | u:two | a:{LONG} | u:three | a:call 2 | u:result 2 {LONG} | a:so"


def made(spec: str, budget: int | None, drawing: str = TALK, wire: str = "anthropic", **members):
    one = opened(request_of(drawing, wire, **members), wire)
    arranged, plan = make(one.dump, one.view, spec, budget, one.provider, one.counter)
    checked, after = judged(one.dump, arranged, plan, None, "complete", one.counter)
    return one, plan, checked, after, figures(one.view, plan, checked)


def test_the_figures_of_a_plan():
    one, plan, _, after, told = made("evict-exchanges", 400)
    assert told == {
        "strategy": "evict-exchanges", "params": {}, "budget": 400, "tokens_before": 500, "tokens_after": 329, "reached": True,
        "deficit": 100, "freed": 171, "overshoot": 1.71, "exchanges": {"kept": 2, "dropped": 1}, "blocks": {"dropped": 4, "replaced": 0},
        "keeps": "2 of 3 exchanges", "cache": {"first_changed_at": "/messages/0", "prefix_tokens_kept": 0}, "verdict": "accept",
        "new_findings": 0, "warnings": [],
    }  # fmt: skip
    assert plan.after == recounted(one, after) == 329


def test_a_budget_that_is_met_already_changes_nothing():
    one, plan, checked, after, told = made("evict-exchanges", 10_000)
    assert (plan.length, told["deficit"], told["overshoot"], told["freed"]) == (0, 0, None, 0)
    assert told["cache"] == {"first_changed_at": None, "prefix_tokens_kept": plan.before}
    assert checked.change.edits == ()
    assert written(one, after) == one.dump.source.all()


def test_a_strategy_that_runs_dry_says_so():
    _, plan, _, _, told = made("drop-reasoning", 10)
    assert (told["reached"], plan.reached) == (False, False)
    assert told["overshoot"] == 0.0


def test_without_a_budget_all_is_done():
    _, plan, _, _, told = made("stub-tool-results:keep_last=0", None)
    assert (told["budget"], told["deficit"], told["overshoot"], told["reached"]) == (None, None, None, True)
    assert told["blocks"] == {"dropped": 0, "replaced": 2}
    assert plan.length == len(plan.ranking.actions.saved)


def test_what_the_cache_keeps_is_tools_system_text_and_the_messages_before():
    tools, system = [{"name": "look", "input_schema": {"type": "object"}}], "be brief and kind"
    one, _, checked, _, _ = made("stub-tool-results:keep_last=0", None, system=system, tools=tools)
    tokens = one.view.tokens
    beside = int(tokens[~one.view.in_messages].sum())
    first, second = one.view.at(one.dump.table.message.tolist().index(0)), one.view.at(one.dump.table.message.tolist().index(1))
    assert checked.first_changed == "/messages/2/content/0"
    assert checked.prefix_tokens == beside + int(tokens[first]) + 3 + int(tokens[second]) + 3


def test_a_message_that_is_changed_in_its_middle_is_not_before_itself():
    drawing = f"u:one | a:call 1,call 2 | u:result 1,result 2 {LONG} | a:call 3 | u:result 3 {LONG} | a:done"
    one, plan, checked, _, _ = made("stub-tool-results:keep_last=0", None, drawing)
    assert checked.first_changed == "/messages/2/content/1"
    assert checked.prefix_tokens == int(one.view.tokens[:3].sum()) + 6
    assert prefix_tokens(one.view, -1) == plan.before


def test_a_message_that_goes_whole_is_named_as_one():
    _, _, checked, _, _ = made("evict-steps", None, "u=one | a=yes | u=two | a=no", "openai-chat")
    assert checked.first_changed == "/messages/1"


def test_a_broken_pass_says_what_it_breaks():
    _, plan, _, _, told = made("drop-oldest-messages", 490)
    assert plan.ranking.breaks_pairs
    assert told["new_findings"] == 1
    assert told["verdict"] == "reject"


def test_commit_plans_applies_and_checks():
    one = opened(request_of(TALK), "anthropic")
    checked, after = commit(one.dump, one.view, [("evict-exchanges", {})], 400, one.provider, None, "complete", one.counter)
    assert checked.tokens_after == recounted(one, after) == 329
    assert checked.change.origin == "strategy:evict-exchanges"
    assert isinstance(checked.change.edits[0], Drop)
    assert checked.change.tokens == -171
    assert checked.closing == ()


def test_a_summary_comes_with_its_closing_edits():
    one = opened(request_of(TALK), "anthropic")
    checked, after = commit(one.dump, one.view, "summarize-prefix", None, one.provider, None, "complete", one.counter)
    assert len(checked.closing) == 2
    assert checked.change.edits[-2:] == checked.closing
    assert checked.tokens_after == recounted(one, after)
    assert checked.new_findings == 0


def test_a_cache_mark_or_an_earlier_edit_does_not_hide_the_place_in_the_file():
    planned = Planned(TALK, "evict-exchanges")
    plan = planned.plan(1)
    assert first_changed(planned.one.view, plan, planned.look) == "/messages/0"
    assert first_changed(planned.one.view, planned.plan(0), planned.look) is None


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("seed", range(4))
def test_a_plan_applied_and_read_again_is_the_transcript_in_memory(wire, seed):
    one = opened(request(seed, wire, 4, seed % 2), wire)
    for spec in ("evict-exchanges", "summarize-prefix", "cap-tool-results:max_chars=300+evict-steps", "drop-reasoning"):
        _, after = commit(one.dump, one.view, spec, 300, one.provider, None, "complete", one.counter)
        again = read(written(one, after), wire)
        from app.pipeline import look

        here = [look.block(one.dump, after, int(row)) for row in after.order]
        there = [look.block(again.dump, again.transcript, int(row)) for row in again.transcript.order]
        assert [(b.kind, b.role, b.texts, b.name, b.call_id, b.error, b.media) for b in here] == [
            (b.kind, b.role, b.texts, b.name, b.call_id, b.error, b.media) for b in there
        ]
        assert np.array_equal(after.table.size[after.order], again.dump.table.size[again.transcript.order])


@pytest.mark.parametrize("spec", ["summarize-prefix", "summarize-prefix:text=so"])
def test_ghosts_stand_where_the_pair_will(spec):
    drawing = f"s=rules | u=one | a={LONG} | u=two | a:call 1 | t:result 1 {LONG} | a:call 2 | t:result 2 {LONG} | a:call 3 | t:result 3"
    planned = Planned(drawing, spec, "openai-chat")
    for length in range(1, len(planned.ranking.after)):
        plan = planned.plan(length)
        place = planned.arranged.closing(plan)[0].place
        assert [int(planned.one.view.rows[ghost.position]) for ghost in of_plan(planned.one.view, plan)] == [place.row, place.row]
    assert of_plan(planned.one.view, planned.plan(0)) == ()
