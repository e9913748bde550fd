"""evict-steps: closed steps, oldest first; prompts stay."""

import pytest

from app.pipeline.rank import arrange
from app.tokens import counter
from tests.converse import CLAUDE, NOVA, drawn
from tests.strategies.drawn_plans import Planned
from tests.strategies.laws import opened

EVICT = "evict-steps"


def test_steps_go_with_all_their_results_and_prompts_stay():
    planned = Planned("u:one | a:call 1,call 2 | u:result 2,result 1 | a:done | u:two | a:call 3 | u:result 3 | a:no", EVICT)
    assert planned.actions() == [["1/0", "1/1", "2/0", "2/1"], ["3/0"], ["5/0", "6/0"]]
    assert planned.ranking.keeps.tolist() == [4, 3, 2, 1]


def test_results_in_messages_of_their_own_go_with_their_step():
    planned = Planned("u=one | a:call 1,call 2 | t:result 1,result 2 | a=done | u=two | a=x", EVICT, "openai-chat")
    assert planned.actions() == [["1/0", "1/1", "2", "3"], ["4"]]


def test_an_open_step_is_not_dropped():
    planned = Planned("u:one | a:call 1 | u:two | a:call 2 | u:result 2 | a:no", EVICT)
    assert planned.actions() == [["3/0", "4/0"]]


def test_closed_steps_of_the_live_exchange_may_go_but_for_the_newest():
    planned = Planned("u:one | a:call 1 | u:result 1 | a:call 2 | u:result 2 | a:call 3 | u:result 3", EVICT)
    assert planned.actions() == [["1/0", "2/0"], ["3/0", "4/0"]]


def test_signed_reasoning_keeps_the_steps_of_the_live_exchange_unless_asked():
    drawing = "u:zero | a:think,yes | u:one | a:think,call 1 | u:result 1 | a:call 2 | u:result 2"
    assert Planned(drawing, EVICT).actions() == [["1/0", "1/1"]]
    assert Planned(drawing, EVICT + ":live_signed=drop").actions() == [["1/0", "1/1"], ["3/0", "3/1", "4/0"]]


def test_unsigned_reasoning_keeps_nothing():
    assert len(Planned("u:one | a:think?,call 1 | u:result 1 | a:call 2 | u:result 2", EVICT).actions()) == 1


def test_text_beside_results_goes_with_the_step():
    assert Planned("u:one | a:call 1 | u:result 1,and | a:yes | u:two", EVICT).actions() == [["1/0", "2/0", "2/1"]]


def test_a_system_message_stays_while_its_place_is_one():
    planned = Planned("u:one | a:call 1 | u:result 1 | s=note | a:call 2 | u:result 2 | a:no | u:two | a:x", EVICT)
    assert planned.actions() == [["1/0", "2/0"], ["4/0", "5/0"], ["3", "6/0"]]


def test_pinned_exchanges_keep_their_steps():
    assert Planned("u:one | a:x | u:two | a:y | u:three | a:z", EVICT, pinned=(0,)).actions() == [["3/0"]]


def test_a_step_whose_late_result_is_pinned_elsewhere_stays():
    planned = Planned("u:one | a:call 1 | u:two | a:x | u:result 1,so | a:y | u:three | a:z", EVICT, pinned=(1,))
    assert "1/0" not in planned.dropped()


def test_steps_that_a_pair_crosses_go_together():
    planned = Planned("u:one | a:call 1 | u:note | a:wait | u:result 1 | a:so | u:two | a:no", EVICT)
    assert planned.actions()[0] == ["1/0", "3/0", "4/0"]


def test_a_result_whose_call_stands_in_a_prompt_stays():
    planned = Planned("u:one | a:x | u:result 9 | a:y | u:two,call 9 | a:z | u:three | a:w", EVICT)
    assert "2/0" not in planned.dropped()


def test_a_result_before_its_call_and_before_every_step_holds_that_step():
    planned = Planned("u:result 1 | a:call 2 | u:result 2 | a:call 1 | u:note | a:x | u:two | a:y", EVICT)
    dropped = planned.dropped()
    assert ("0/0" in dropped) == ("3/0" in dropped)


def test_no_late_result_leaves_a_step_that_waits_for_another():
    planned = Planned("u:one | a:call 1 | u:two | a:call 2,call 3 | u:so,result 1 | u:result 2 | a:x | u:three | a:y", EVICT)
    assert "1/0" not in planned.dropped()
    assert "4/1" not in planned.dropped()


def test_text_beside_a_late_result_goes_with_it_unless_the_turn_is_emptied():
    beside = "u:one | a:call 1 | u:two | a:wait | u:result 1,by the way | a:so | u:three | a:y"
    assert Planned(beside, EVICT).actions()[0] == ["1/0", "3/0", "4/0", "4/1"]
    kept = "u:one | a:call 1 | u:two | a:call 2 | u:result 2,result 1 | a:so | u:three | a:y"
    assert Planned(kept, EVICT).actions()[:2] == [["1/0", "4/1"], ["3/0", "4/0"]]


@pytest.mark.parametrize(("model", "actions"), [(NOVA, 2), (None, 2), (CLAUDE, 3)])
def test_a_step_of_results_alone_stays_in_front_where_a_user_must_come_first(model, actions):
    """What was cut away left results; without them the assistant would come first, which some of Bedrock's models refuse."""
    one = opened(drawn("u:result 9 | a:call 1 | u:result 1 | a:done | u:q | a:call 2 | u:result 2", model), "bedrock")
    ranked = arrange(one.view, EVICT, one.provider, counter("chars/4"))
    drops = ranked.ranking.actions.drop_at
    assert len(ranked.ranking.actions.saved) == actions
    assert (drops[1] == 0) == (model == CLAUDE)
