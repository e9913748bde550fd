"""Words and numbers of the chart."""

from __future__ import annotations

import pytest

from app.model.edits import Change
from app.model.plan import Checked
from app.model.tokens import Calibration
from tests.widgets import chart_rankings as made
from tests.widgets.states import broken_state
from widgets import chart_words as words
from widgets.plan_rows import Shares, rows


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0"), (812, "812"),
     (1_204, "1,204"), (9_999, "9,999"), (10_004, "10.00k"),
     (59_970, "59.97k"), (59_999, "60.00k"), (20_819, "20.82k"), (99_999, "100.0k"), (147_104, "147.1k"),
     (999_940, "999.9k"), (999_999, "1.000M"),
     (1_234_567, "1.235M"), (-87_134, "−87.13k"), (2_147_483_648, "2.147G")],
)  # fmt: skip
def test_fine_numbers_have_four_digits_rounded_to_the_nearest(number: int, said: str) -> None:
    assert words.fine(number) == said


def test_a_plan_is_said_in_words() -> None:
    state = made.all_ranked(broken_state())
    ranking = state.rankings["evict-exchanges"]
    budget = int(ranking.after[4]) + 10
    state = made.shown(state, "evict-exchanges", budget)
    plan = state.plan
    assert plan is not None
    assert plan.length == 4
    assert words.done(plan, "dropped", words.touched(plan)) == f"✕ dropped: 4 exchanges, {plan.freed / 1000:.1f}k"
    assert words.after(plan) == f"after {words.fine(plan.after)} fits"
    assert words.overshoot(plan) == f"freed {plan.freed / plan.deficit:.2f} × needed"  # type: ignore[operator]
    assert words.spoken(state, "dropped", words.touched(plan)) == f"budget {budget:,} tokens, after {plan.after:,}, fits, drops 4 exchanges"
    assert words.units(ranking, 1) == "1 exchange"


def test_what_was_really_counted_takes_the_place_of_what_was_reckoned() -> None:
    state = made.all_ranked(broken_state())
    state = made.shown(state, "cap-tool-results", state.now - 2_000)
    plan = state.plan
    assert plan is not None
    assert words.checked_after(state, plan) is None
    after = plan.after - 20
    found = Checked(Change("cap", "strategy:cap-tool-results", "loses", ()), (), after, "accept", 0, 0, None)
    state = state.with_(checked={"cap-tool-results": found})
    checked = words.checked_after(state, plan)
    assert checked == after
    table = next(row for row in rows(state, Shares()) if row.shown)
    assert words.after(plan, checked) == f"after {table.cells[3]} {'fits' if table.cells[2] == '✓' else 'does not fit'}"
    assert "≈" not in words.after(plan, checked)
    assert f"after {after:,}" in words.spoken(state, "shortened", "results")
    assert words.done(plan, "shortened", "results", checked).endswith(words.short(plan.before - after))
    assert words.checked_after(state.with_(budget=1), plan) is None


def test_an_overshoot_and_a_strategy_that_runs_dry_are_spoken() -> None:
    state = made.all_ranked(broken_state())
    ranking = state.rankings["evict-exchanges"]
    state = made.shown(state, "evict-exchanges", ranking.before - 1)
    assert words.spoken(state, "dropped", "1 exchange").endswith(
        f"drops 1 exchange, freed {ranking.before - ranking.after[1]:.2f} × needed"
    )
    stub = made.shown(state, "stub-tool-results", 1_000)
    assert stub.plan is not None
    said = words.spoken(stub, "stubbed", "9 tool results")
    assert f"does not fit, {stub.plan.after - 1000:,} too many, nothing more to take, stubs 9 tool results" in said
    assert words.after(stub.plan).endswith("does not fit")
    assert words.overshoot(stub.plan).startswith("freed only 0.")


def test_parked_nothing_is_said_to_be_dropped() -> None:
    state = made.shown(made.all_ranked(broken_state()), "evict-exchanges", None)
    assert words.spoken(state, "dropped", "") == f"budget parked at now, {state.now:,} tokens, nothing is dropped"


def test_how_now_is_known() -> None:
    state = broken_state().with_(calibration=Calibration(1.2, 2600, 40, 1.17, 1.248))
    assert words.now(state) == f"now {state.now / 1000:.1f}k ±4 %"
    assert "2,600 tokens of each request are not in the dump" in words.now_tip(state)
    assert state.totals is not None
    state.totals.exact = False
    assert words.now(state).startswith("now ≈")


def test_ratios_have_four_signs() -> None:
    assert [words.times(one) for one in (1, 1.054, 9.994, 9.996, 34.21, 99.96, 12345.6)] == [
        "1.00 ×", "1.05 ×", "9.99 ×", "10.0 ×", "34.2 ×", "100 ×", "12,346 ×",
    ]  # fmt: skip
