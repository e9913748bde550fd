"""What the strip says of recorded refusals: named, about something else, mended, or a puzzle."""

from __future__ import annotations

from app.model.explained import Candidate, Explained, Recalled
from app.model.state import State
from app.model.transcript import Refusal
from tests.widgets.desk import TITLES, change, found, history, report
from tests.widgets.states import small_state
from widgets.verdict import Verdict, verdict


def say(state: State) -> Verdict:
    said = verdict(state, TITLES, lambda record: record + 1)
    assert said is not None
    return said


def stated(*recalled: Recalled, errors: bool = False, **more: object) -> State:
    state = small_state()
    assert state.transcript is not None
    assert state.view is not None
    refusals = tuple(Refusal(record, one.refusal.after, one.refusal.status, one.refusal.text) for one in recalled for record in one.records)
    transcript = state.transcript.with_(refusals=refusals)
    state.view.transcript = transcript
    judged = (
        report("reject", [found(row=1, cause="a"), found("text-empty", row=2, message="a text is empty", cause="b")])
        if errors
        else report()
    )
    return state.with_(transcript=transcript, recalled=recalled, report=judged, other=judged, **more)


def recalled(words: str, *candidates: Candidate, known: bool = True, elsewhere: str = "", after: int = -1, record: int = 7, times: int = 1,
             then: bool = False) -> Recalled:  # fmt: skip
    state = small_state()
    assert state.view is not None
    row = after if after >= 0 else int(state.view.rows[-1])
    explained = Explained(words, candidates, known=known, elsewhere=elsewhere)
    return Recalled(Refusal(record, row, 400, words), times, explained, then, tuple(range(record, record + times)))


HERE = Candidate("text-empty", "/messages/2", (), 2, "a text that is empty", "it names this place")
ABSENT = Candidate("text-empty", None, (), -1, "a text that is empty", "its words fit")
NOBODY = "The moon is full."


def test_the_finding_that_the_refusal_names_stands_in_front() -> None:
    said = say(stated(recalled("messages: text…", HERE, times=2), errors=True))
    assert said.title.endswith("The dump holds the refusal itself (line 8, two times).")
    assert said.detail.startswith("It names: a text is empty")
    assert said.row == 2


def test_a_refusal_of_something_else_is_not_the_refusal_itself() -> None:
    said = say(stated(recalled("Overloaded", known=False, elsewhere="an overloaded server"), errors=True))
    assert said.title == "Anthropic would refuse this: 2 errors, two causes."
    assert said.detail.startswith("First: ")


def test_a_refusal_that_no_rule_explains_is_said_beside_errors() -> None:
    said = say(stated(recalled(NOBODY, known=False), errors=True))
    assert said.detail.endswith("The file records a refusal that no rule explains (line 8): The moon is full.")


def test_it_is_said_where_nothing_is_found() -> None:
    said = say(stated(recalled(NOBODY, known=False)))
    assert said.title == "This was refused when it was sent, though nothing is known to be wrong with it."
    assert said.detail == "The file records a refusal that no rule explains: 400 The moon is full. (line 8)."
    assert said.actions == ("go.refusal", "finding.error", "file.report")


def test_it_is_said_where_the_conversation_went_on() -> None:
    said = say(stated(recalled(NOBODY, known=False, after=2), recalled("Stars.", known=False, after=3, record=9)))
    assert said.title.startswith("No reason found why Anthropic would refuse this")
    assert said.detail == "The file records a refusal that no rule explains (line 10), and 1 other: Stars."


def test_words_that_are_known_and_a_defect_that_is_not_there() -> None:
    said = say(stated(recalled("messages: text content blocks must be non-empty", ABSENT)))
    assert said.title == "This was refused when it was sent, though nothing is known to be wrong with it."
    assert said.detail.endswith("Those are the words of text-empty, and no such defect is here.")


def test_a_limit_is_no_reproach() -> None:
    said = say(stated(recalled("Too many requests", known=False, elsewhere="a rate or usage limit")))
    assert said.title == "No reason found why Anthropic would refuse this: 61 rules."
    assert said.detail == "The last request was refused for another reason: a rate or usage limit."


def test_what_is_mended_is_no_reproach() -> None:
    mended = stated(recalled("messages: text…", ABSENT), history=history((change(),)))
    assert say(mended).title == "After 1 change: no reason found why Anthropic would refuse this: 61 rules."
    assert say(mended).detail == "The last request was refused for text-empty, which is mended."
    then = stated(recalled("messages: text…", HERE, then=True))
    assert say(then).title == "No reason found why Anthropic would refuse this: 61 rules."


def test_an_open_call_and_a_puzzle() -> None:
    strict = report("reject", [found("tool-call-trailing", message="call c9 has no result yet")])
    state = stated(recalled(NOBODY, known=False)).with_(report=report(mode="prefix", pending=1), other=strict, mode="prefix")
    assert say(state).detail.endswith("The file records a refusal that no rule explains (line 8): The moon is full.")
