"""drop-reasoning: the reasoning of one step after the other."""

from tests.strategies.drawn_plans import Planned

DROP = "drop-reasoning"


def test_one_action_a_step_and_the_newest_keeps_its_own():
    planned = Planned("u:one | a:think?,call 1 | u:result 1 | a:think?,so | u:two | a:think?,x", DROP)
    assert planned.actions() == [["1/0"], ["3/0"]]
    assert planned.ranking.keeps.tolist() == [3, 2, 1]


def test_a_message_that_held_nothing_else_goes_with_its_overhead():
    planned = Planned("u:one | a:think? | a:yes | u:two | a:x", DROP)
    assert planned.actions() == [["1/0"]]
    assert planned.ranking.actions.saved.tolist() == [1 + 3]


def test_signed_reasoning_of_the_live_exchange_stays_unless_asked():
    drawing = "u:zero | a:think,yes | u:one | a:think,call 1 | u:result 1 | a:call 2 | u:result 2"
    assert Planned(drawing, DROP).actions() == [["1/0"]]
    assert Planned(drawing, DROP + ":live_signed=drop").actions() == [["1/0"], ["3/0"]]


def test_encrypted_reasoning_costs_nothing_and_stays():
    assert Planned("u:one | a:redacted,yes | u:two | a:x", DROP).actions() == []


def test_the_field_of_a_chat_message_goes_and_the_message_stays():
    planned = Planned("u=one | a:think?,call 1 | t:result 1 | a=done | u=two | a=x", DROP, "openai-chat")
    assert len(planned.actions()) == 1
    assert planned.ranking.actions.saved.tolist() == [1]


def test_results_that_would_come_to_stand_behind_a_prompt_hold_it():
    assert Planned("u:one | a:call 1 | u:note | a:think? | u:result 1 | a:x | u:two | a:y", DROP).actions() == []


def test_reasoning_that_is_sent_back_with_calls_stays_in_exchanges_that_call():
    drawing = "u=q | a:think,text | u=more | a:think,call 1 | t:result 1 | a:think,text | u=again | a=ok"
    assert len(Planned(drawing, "drop-reasoning", "openai-chat").actions()) == 3
    assert Planned(drawing, "drop-reasoning", "deepseek").actions() == [["1/reasoning_content"]]
