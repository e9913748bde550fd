"""What holds of every plan, over random requests, clean and damaged: exact, within the budget, no worse than before, pairs whole."""

import os

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.plan import judged
from app.pipeline.rank import arrange, keeps_words, title
from app.strategies import STRATEGIES
from app.tokens import counter
from tests.strategies.laws import Opened, budgets, error_set, opened, pairs_whole, read, recounted, untouched, written
from tests.strategies.random_requests import WIRES, request, session

CHAINS = (
    "cap-tool-results:max_chars=300+stub-tool-results:keep_last=1",
    "stub-tool-results:keep_last=0+evict-steps:live_signed=drop",
    "drop-reasoning+summarize-prefix",
    "cap-tool-results:max_chars=600+cap-tool-results:max_chars=200+summarize-prefix:text=short",
    "summarize-prefix:live_signed=drop+stub-tool-results:keep_last=1",
)
SAFE = (*(name for name, strategy in STRATEGIES.items() if not strategy.breaks_pairs), *CHAINS)

cases = given(
    seed=st.integers(0, 10_000), wire=st.sampled_from([*WIRES, "claude-code"]), exchanges=st.integers(1, 5),
    damages=st.sampled_from([0, 0, 1, 2, 4, 8]), pin=st.sampled_from([None, None, None, 0, 1, 2]),
)  # fmt: skip
some = settings(max_examples=int(os.environ.get("LAW_EXAMPLES", "6")), deadline=None)


def ranked(one: Opened, spec: str):
    def block(row):
        return FORMATS[one.dump.format].block(one.view.transcript, row, one.dump.source)

    return arrange(one.view, spec, one.provider, counter(one.counter), block)


def case(seed, wire, exchanges, damages, pin, name="chars/4"):
    pinned = frozenset() if pin is None else frozenset([pin])
    if wire == "claude-code":
        lines = session(seed, exchanges, damages)
        assume(lines)  # an accident may leave nothing
        return read(lines, wire, name, pinned)
    return opened(request(seed, wire, exchanges, damages), wire, name, pinned)


@pytest.mark.parametrize("spec", [*SAFE, "drop-oldest-messages"])
@cases
@some
def test_a_plan_promises_what_a_count_of_the_written_file_gives(spec, seed, wire, exchanges, damages, pin):
    one = case(seed, wire, exchanges, damages, pin)
    assume(len(one.view))
    arranged = ranked(one, spec)
    for budget in budgets(arranged):
        settled, plan = arranged.settle(budget)
        checked, after = judged(one.dump, settled, plan, None, "complete", one.counter)
        assert checked.tokens_after == plan.after
        assert recounted(one, after) == plan.after
        assert plan.reached == (budget is None or plan.after <= budget)
        assert plan.length == 0 or budget is None or plan.before > budget
        assert title(plan).startswith(plan.ranking.strategy)
        assert keeps_words(plan.ranking, plan.length)


@pytest.mark.parametrize("spec", SAFE)
@cases
@some
def test_no_plan_makes_anything_worse(spec, seed, wire, exchanges, damages, pin):
    one = case(seed, wire, exchanges, damages, pin)
    assume(len(one.view))
    arranged = ranked(one, spec)
    before = error_set(check(one.view, one.provider, None, "complete", one.dump.source, all_findings=True))
    for budget in budgets(arranged, 4):
        settled, plan = arranged.settle(budget)
        checked, after = judged(one.dump, settled, plan, None, "complete", one.counter)
        assert checked.new_findings == 0, (before, after)
        assert untouched(one, plan)
        assert pairs_whole(one, plan)


@pytest.mark.parametrize("spec", SAFE)
@cases
@some
def test_every_rung_is_worth_its_place(spec, seed, wire, exchanges, damages, pin):
    """Actions save something, `after` adds up, a bisection finds the least number of actions, and what was kept only shrinks."""
    one = case(seed, wire, exchanges, damages, pin)
    assume(len(one.view))
    ranking = ranked(one, spec).ranking
    actions = ranking.actions
    assert (actions.saved > 0).all()
    closing = actions.closing if actions.closing is not None else 0
    assert (ranking.after == ranking.before - np.append(0, np.cumsum(actions.saved)) + closing).all()
    assert (np.diff(ranking.keeps) <= 0).all()
    assert 0 <= ranking.keeps[-1] <= ranking.units
    for budget in [*ranking.rungs.tolist(), 0, ranking.before, ranking.before + 1]:
        fits = np.flatnonzero(ranking.after <= budget)
        want = fits[0] if len(fits) else np.argmin(ranking.after)
        assert ranking.cut(budget) == want
    assert (np.diff(ranking.rungs) < 0).all()


@pytest.mark.parametrize(
    "spec", ["stub-tool-results", "cap-tool-results:max_chars=300", "evict-exchanges", "evict-steps", "drop-reasoning"]
)
@cases
@some
def test_a_second_run_changes_nothing(spec, seed, wire, exchanges, damages, pin):
    one = case(seed, wire, exchanges, damages, None)
    assume(len(one.view))
    arranged, plan = ranked(one, spec).settle(None)
    after = apply(one.view.transcript, [arranged.change(plan)], one.provider).transcript
    if not len(after):
        return
    again = ranked(read(written(one, after), wire, one.counter), spec)
    second, plan = again.settle(None)
    assert plan.freed == 0 or spec.startswith("evict"), second.change(plan).edits


@given(seed=st.integers(0, 10_000), wire=st.sampled_from(WIRES), damages=st.sampled_from([0, 2]))
@settings(max_examples=8, deadline=None)
def test_tiktoken_counts_hold_as_well(seed, wire, damages):
    one = case(seed, wire, 3, damages, None, "o200k_base")
    assume(len(one.view))
    for spec in SAFE:
        arranged = ranked(one, spec)
        for budget in budgets(arranged, 2):
            settled, plan = arranged.settle(budget)
            after = apply(one.view.transcript, [settled.change(plan)], one.provider).transcript
            assert recounted(one, after) == plan.after
