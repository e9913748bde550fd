"""stub-tool-results: a short text in place of old results."""

import pytest

from app.model.edits import Stub
from app.model.errors import InspectorError
from app.strategies.stub_tool_results import TEXT
from tests.strategies.drawn_plans import Planned

LONG = "w " * 80
STEPS = " | ".join(f"a:call {n} | u:result {n} {LONG}" for n in range(1, 6))


def test_results_of_the_newest_two_steps_stay_whole():
    planned = Planned(f"u:one | {STEPS}", "stub-tool-results")
    assert planned.actions() == [["2/0"], ["4/0"], ["6/0"]]
    assert planned.ranking.keeps.tolist() == [5, 4, 3, 2]
    assert planned.ranking.actions.contents == (Stub(TEXT),)
    assert planned.ranking.actions.saved.tolist() == [40 - 19] * 3


def test_the_newest_step_is_never_touched():
    assert Planned(f"u:one | {STEPS}", "stub-tool-results:keep_last=0").replaced() == ["2/0", "4/0", "6/0", "8/0"]
    assert Planned(f"u:one | {STEPS} | a:done", "stub-tool-results:keep_last=0").replaced() == ["2/0", "4/0", "6/0", "8/0", "10/0"]


def test_steps_without_results_do_not_count():
    planned = Planned(f"u:one | {STEPS} | a:so | u:two | a:well | u:three | a:done", "stub-tool-results:keep_last=1")
    assert planned.replaced() == ["2/0", "4/0", "6/0", "8/0"]


def test_all_results_of_a_kept_step_stay():
    drawing = f"u:one | a:call 1,call 2 | u:result 1 {LONG},result 2 {LONG} | a:call 3,call 4 | u:result 4 {LONG},result 3 {LONG}"
    planned = Planned(drawing, "stub-tool-results:keep_last=1")
    assert planned.actions() == [["2/0"], ["2/1"]]
    assert planned.ranking.keeps.tolist() == [2, 1, 1]


def test_what_saves_nothing_is_left_out():
    drawing = "u:one | a:call 1 | u:result 1 short | a:call 2 | u:result 2 | a:call 3 | u:result 3"
    assert Planned(drawing, "stub-tool-results:keep_last=0").actions() == []


def test_a_second_run_changes_nothing():
    stubbed = " | ".join(f"a:call {n} | u:result {n} {TEXT}" for n in range(1, 5))
    assert Planned(f"u:one | {stubbed}", "stub-tool-results:keep_last=0").actions() == []


def test_results_of_server_tools_are_left_alone():
    planned = Planned(f"u:one | a:server 1,found 1,call 2 | u:result 2 {LONG} | a:call 3 | u:result 3", "stub-tool-results:keep_last=0")
    assert planned.replaced() == ["2/0"]


def test_another_text_is_what_is_counted():
    planned = Planned(f"u:one | {STEPS}", [("stub-tool-results", {"text": "gone, sorry"})])
    assert planned.ranking.actions.saved.tolist() == [40 - 3] * 3
    assert planned.ranking.params == {"keep_last": 2, "text": "gone, sorry"}


@pytest.mark.parametrize("text", ["", "  "])
def test_a_blank_text_is_refused(text):
    with pytest.raises(InspectorError, match="must not be blank"):
        Planned("u:one", [("stub-tool-results", {"text": text})])
