"""evict-exchanges: whole exchanges, oldest first."""

from tests.strategies.drawn_plans import Planned

EVICT = "evict-exchanges"


def test_exchanges_go_oldest_first_and_the_live_one_stays():
    planned = Planned("u:one | a:call 1 | u:result 1 | a:done | u:two | a:yes | u:three | a:call 2 | u:result 2", EVICT)
    assert planned.actions() == [["0/0", "1/0", "2/0", "3/0"], ["4/0", "5/0"]]
    assert planned.ranking.keeps.tolist() == [3, 2, 1]
    assert planned.ranking.actions.seam.tolist() == [4, 6]


def test_what_stands_before_the_first_prompt_is_the_oldest():
    planned = Planned("a:hello | u:one | a:yes | u:two | a:no", EVICT)
    assert planned.actions() == [["0/0"], ["1/0", "2/0"]]


def test_system_text_and_tools_stay():
    planned = Planned("u:one | a:yes | u:two | a:no", EVICT, system="be brief", tools=[{"name": "look", "input_schema": {}}])
    assert planned.actions() == [["0/0", "1/0"]]


def test_developer_messages_stay_where_the_provider_takes_them_anywhere():
    planned = Planned("s=rules | u=one | d=note | a=yes | u=two | a=no", EVICT, "openai-chat")
    assert planned.actions() == [["1", "3"]]


def test_a_system_message_inside_goes_where_the_provider_would_refuse_its_place():
    planned = Planned("u:one | s=note | a:yes | u:two | s=more | a:no", EVICT)
    assert planned.actions() == [["0/0", "1", "2/0"]]


def test_pinned_exchanges_are_not_touched_and_not_the_reason_to_stop():
    planned = Planned("u:one | a:yes | u:two | a:no | u:three | a:well | u:four | a:so", EVICT, pinned=(1,))
    assert planned.actions() == [["0/0", "1/0"], ["4/0", "5/0"]]
    assert planned.ranking.keeps.tolist() == [4, 3, 2]


def test_the_newest_step_is_kept_with_its_exchange_when_the_live_prompt_has_no_answer_yet():
    planned = Planned("u:one | a:yes | u:two | a:call 1 | u:result 1 | u:three", EVICT)
    assert planned.actions() == [["0/0", "1/0"]]


def test_a_late_result_leaves_with_its_call():
    planned = Planned("u:one | a:call 1 | u:two | a:yes | u:result 1,by the way | a:so | u:three | a:no", EVICT)
    assert planned.actions() == [["0/0", "1/0", "4/0"], ["2/0", "3/0", "4/1", "5/0"]]


def test_exchanges_that_a_pair_crosses_go_together_where_the_late_result_is_all_of_its_turn():
    planned = Planned("u:one | a:call 1 | u:two | a:wait | u:result 1 | a:so | u:three | a:no", EVICT)
    assert planned.actions() == [["0/0", "1/0", "2/0", "3/0", "4/0", "5/0"]]
    assert planned.ranking.keeps.tolist() == [3, 1]


def test_what_hangs_on_a_pinned_exchange_stays_with_it():
    planned = Planned("u:one | a:call 1 | u:two | a:wait | u:result 1 | a:so | u:three | a:no", EVICT, pinned=(0,))
    assert planned.actions() == []


def test_ids_that_repeat_are_not_cut_between_calls_that_nobody_can_tell_apart():
    drawing = "u:one | a:call 1 | u:two | a:call 1 | u:result 1 | u:three | a:call 1 | u:result 1 | u:four | a:no"
    planned = Planned(drawing, EVICT)
    assert planned.actions() == [["0/0", "1/0", "2/0", "3/0", "4/0", "5/0", "6/0", "7/0"]]


def test_nothing_to_do_is_no_action():
    assert Planned("u:one | a:call 1 | u:result 1", EVICT).actions() == []
    assert Planned("u:one", EVICT).actions() == []
    assert Planned("a:one", EVICT).actions() == []
