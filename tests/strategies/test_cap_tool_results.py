"""cap-tool-results: long results cut, with a note."""

import pytest

from app.model.edits import Cap
from app.model.errors import InspectorError
from tests.strategies.drawn_plans import Planned

LONG = "w " * 600  # 1,199 characters once trimmed


def planned(spec: str = "cap-tool-results:max_chars=400") -> Planned:
    return Planned(f"u:one | a:call 1 | u:result 1 {LONG} | a:call 2 | u:result 2 short | a:call 3 | u:result 3 {LONG} | a:done", spec)


def test_only_long_results_are_cut_oldest_first():
    one = planned()
    assert one.actions() == [["2/0"], ["6/0"]]
    assert one.ranking.actions.contents == (Cap(400),)
    assert one.ranking.actions.approximate
    assert one.ranking.keeps.tolist() == [3, 2, 1]


def test_settled_it_promises_what_a_count_gives():
    one = planned()
    arranged, plan = one.arranged.settle(None)
    text = Cap(400).of([LONG.strip()])
    assert len(text[0]) == 400
    assert plan.freed == 2 * (300 - 100)
    assert arranged.change(plan).tokens == -400


def test_the_newest_step_is_left_whole():
    assert Planned(f"u:one | a:call 1 | u:result 1 {LONG}", "cap-tool-results:max_chars=400").actions() == []


def test_a_cut_that_would_cost_more_than_it_saves_is_left_out_when_counted():
    short = "w " * 105
    one = Planned(f"u:one | a:call 1 | u:result 1 {short} | a:done", "cap-tool-results:max_chars=200")
    plan = one.arranged.settle(None)[1]
    assert plan.after <= plan.before
    assert not plan.replaced.any() or plan.after < plan.before


def test_under_200_characters_is_refused():
    with pytest.raises(InspectorError, match="max_chars must be a whole number of at least 200, not '199'"):
        planned("cap-tool-results:max_chars=199")
