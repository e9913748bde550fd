"""drop-oldest-messages: the broken pass, kept on purpose."""

from app.strategies import STRATEGIES
from tests.strategies.drawn_plans import Planned

DROP = "drop-oldest-messages"


def test_it_says_that_it_breaks_pairs():
    assert [name for name, strategy in STRATEGIES.items() if strategy.breaks_pairs] == [DROP]


def test_message_by_message_with_no_thought_of_pairs_and_the_last_stays():
    planned = Planned("s=rules | u=one | a:call 1 | t:result 1 | a=done", DROP, "openai-chat")
    assert planned.actions() == [["1"], ["2/0"], ["3"]]
    assert planned.ranking.keeps.tolist() == [4, 3, 2, 1]


def test_a_message_goes_with_all_its_blocks():
    assert Planned("u:one,more | a:think,call 1 | u:result 1 | a:x", DROP).actions() == [["0/0", "0/1"], ["1/0", "1/1"], ["2/0"]]


def test_pinned_exchanges_stay():
    assert Planned("u:one | a:x | u:two | a:y | u:three", DROP, pinned=(1,)).actions() == [["0/0"], ["1/0"]]
