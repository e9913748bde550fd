"""The laws of plans on Gemini's wire, where only numbers pair calls and results: exact, within the budget, no worse than before."""

from __future__ import annotations

import os

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.pipeline.check import check
from app.pipeline.plan import judged
from app.strategies import STRATEGIES
from tests.strategies.laws import Opened, budgets, error_set, opened, pairs_whole, recounted, untouched
from tests.strategies.random_gemini import request
from tests.strategies.test_laws import ranked

SAFE = [name for name, strategy in STRATEGIES.items() if not strategy.breaks_pairs]
cases = given(seed=st.integers(0, 10_000), exchanges=st.integers(1, 5), damages=st.sampled_from([0, 0, 1, 2, 4]))
some = settings(max_examples=int(os.environ.get("LAW_EXAMPLES", "5")), deadline=None)


def case(seed: int, exchanges: int, damages: int) -> Opened:
    return opened(request(seed, exchanges, damages), "gemini")


@pytest.mark.parametrize("spec", [*SAFE, "drop-oldest-messages"])
@cases
@some
def test_a_plan_promises_what_a_count_of_the_written_file_gives(spec: str, seed: int, exchanges: int, damages: int) -> None:
    one = case(seed, exchanges, damages)
    assume(len(one.view))
    arranged = ranked(one, spec)
    for budget in budgets(arranged):
        settled, plan = arranged.settle(budget)
        checked, after = judged(one.dump, settled, plan, None, "complete", one.counter)
        assert checked.tokens_after == plan.after == recounted(one, after)
        assert plan.reached == (budget is None or plan.after <= budget)


@pytest.mark.parametrize("spec", SAFE)
@cases
@some
def test_no_plan_makes_anything_worse(spec: str, seed: int, exchanges: int, damages: int) -> None:
    one = case(seed, exchanges, damages)
    assume(len(one.view))
    arranged = ranked(one, spec)
    before = error_set(check(one.view, one.provider, None, "complete", one.dump.source, all_findings=True))
    for budget in budgets(arranged, 4):
        settled, plan = arranged.settle(budget)
        checked, after = judged(one.dump, settled, plan, None, "complete", one.counter)
        assert checked.new_findings == 0, (before, after)
        assert untouched(one, plan)
        assert pairs_whole(one, plan)
