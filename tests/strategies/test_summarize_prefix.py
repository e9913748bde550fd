"""summarize-prefix: one plain pair for all before a seam."""

import numpy as np

from app.model.edits import Before, Insert
from app.model.kinds import Kind, Role
from app.strategies.summarize_prefix import ANSWER, LEAD
from tests.strategies.drawn_plans import Planned

SUM = "summarize-prefix"
LONG = "w " * 300


def test_the_seam_moves_by_exchanges_then_by_closed_steps_of_the_live_one():
    live = f"u:three | a:call 1 | u:result 1 {LONG} | a:call 2 | u:result 2 {LONG} | a:call 3 | u:result 3"
    drawing = f"u:one | a:{LONG} | u:two | a:{LONG} | {live}"
    planned = Planned(drawing, SUM)
    assert planned.actions() == [["0/0", "1/0"], ["2/0", "3/0"], ["5/0", "6/0"], ["7/0", "8/0"]]
    assert planned.ranking.actions.seam.tolist() == [2, 4, 7, 9]
    assert planned.ranking.keeps.tolist() == [3, 2, 1, 1, 1]


def test_the_pair_stands_before_the_first_row_that_stays():
    planned = Planned(f"s=rules | u=one | a={LONG} | u=two | a=x", SUM, "openai-chat")
    user, answer = planned.arranged.closing(planned.plan())
    live = int(planned.one.view.rows[3])
    assert isinstance(user, Insert)
    assert isinstance(answer, Insert)
    assert user.place == answer.place == Before(live)
    assert (user.made.kind, user.made.role, answer.made.role) == (Kind.TEXT, Role.USER, Role.ASSISTANT)
    assert user.made.text.startswith(LEAD + "\n\n")
    assert answer.made.text == ANSWER


def test_the_live_prompt_stays_behind_the_pair():
    planned = Planned(f"u:one | a:call 1 | u:result 1 {LONG} | a:call 2 | u:result 2", SUM)
    assert planned.dropped() == ["1/0", "2/0"]
    assert planned.arranged.closing(planned.plan())[0].place == Before(0)


def test_the_text_is_the_persons():
    planned = Planned(f"u:one | a:{LONG} | u:two | a:x", [(SUM, {"text": "We found the cause."})])
    assert planned.arranged.closing(planned.plan())[0].made.text == LEAD + "\n\nWe found the cause."


def test_the_skeleton_states_questions_calls_and_ids_and_nothing_else():
    drawing = "a:hello | u:why,  so\nlate? | a:call 1 get,call 2 get,call 3 put | u:result 1,result 2,result 3 | a:done | u:two | a:x"
    planned = Planned(drawing, SUM)
    text = planned.arranged.closing(planned.plan())[0].made.text
    assert text == "\n".join(
        [
            LEAD,
            "",
            "What was asked and which tools were called, oldest first:",
            "- before the first question (1 step, 0 tool calls)",
            '- asked: "why so late?" (2 steps, 3 tool calls)',
            "- called get (1, 2), put (3)",
            "Answers and tool results are not repeated here; ask or call again for what is needed.",
        ]
    )


def test_long_questions_are_shortened_and_surrogates_replaced():
    planned = Planned(f"u:{'long ' * 200}\ud83d | a:x | u:\ud83d odd | a:y | u:two | a:x", SUM)
    text = planned.arranged.closing(planned.plan(2))[0].made.text
    assert max(map(len, text.splitlines())) < 450
    assert "…" in text
    text.encode("utf-8")


def test_its_cost_is_a_column_and_exact():
    drawing = " | ".join(f"u:question {n} {LONG} | a:call {n} | u:result {n} | a:answer" for n in range(6)) + " | u:live | a:x"
    planned = Planned(drawing, SUM)
    closing = planned.ranking.actions.closing
    assert not planned.ranking.actions.approximate
    for n in range(1, len(closing)):
        user, answer = planned.arranged.closing(planned.plan(n))
        assert closing[n] == 6 + -(-len(user.made.text) // 4) + -(-len(answer.made.text) // 4)
    assert closing[0] == 0
    assert (planned.ranking.after == planned.ranking.before - np.append(0, np.cumsum(planned.ranking.actions.saved)) + closing).all()


def test_a_summary_costs_before_it_saves():
    planned = Planned("u:one | a:x | u:two | a:y", SUM)
    assert planned.ranking.after[1] > planned.ranking.before
    assert planned.ranking.cut(None) == 0
    assert planned.ranking.cut(planned.ranking.before - 1) == 0


def test_a_place_that_a_pair_crosses_is_no_seam():
    planned = Planned(f"u:one | a:call 1 {LONG} | u:two | a:wait | u:result 1,by the way | a:so | u:three | a:no", SUM)
    assert planned.ranking.actions.seam.tolist() == [len(planned.one.view) - 2]


def test_signed_reasoning_keeps_the_live_exchange():
    drawing = f"u:one | a:{LONG} | u:two | a:think,call 1 | u:result 1 {LONG} | a:call 2 | u:result 2"
    assert Planned(drawing, SUM).actions() == [["0/0", "1/0"]]
    assert len(Planned(drawing, SUM + ":live_signed=drop").actions()) == 2


def test_pinned_exchanges_stay_and_the_pair_stands_before_them():
    planned = Planned(f"u:one | a:{LONG} | u:two | a:x | u:three | a:{LONG} | u:four | a:y", SUM, pinned=(1,))
    assert planned.dropped() == ["0/0", "1/0", "4/0", "5/0"]
    assert planned.arranged.closing(planned.plan())[0].place == Before(2)


def test_an_open_step_ends_it():
    drawing = f"u:one | a:call 1 | u:note,result 9 | a:call 2 | u:result 2 {LONG} | a:call 3 | u:result 3"
    assert Planned(drawing, SUM).actions() == []


def test_without_a_prompt_the_pair_would_join_the_assistant():
    assert Planned(f"a:call 1 | u:result 1 {LONG} | a:call 2 | u:result 2", SUM).actions() == []


def test_late_results_of_an_exchange_that_stays_are_no_notes():
    drawing = f"u:one | a:call 1 | u:two | u:result 1 | a:call 2 | u:result 2 {LONG} | a:call 3 | u:result 3"
    planned = Planned(drawing, SUM)
    assert planned.dropped() == ["4/0", "5/0"]


def test_a_row_leaves_with_its_own_step_wherever_it_stands():
    planned = Planned(f"t:result 2 | t:result 9 {LONG} | a:call 2,call 3 | t:result 3 | a:call 4 | t:result 4", SUM, "openai-chat")
    assert planned.dropped() == ["1"]
