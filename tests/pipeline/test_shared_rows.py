"""Transcripts that share records: what one of them drops or changes there is dropped and changed for all."""

from __future__ import annotations

import numpy as np

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Change, Edit, HeadOf, Insert, Made, Replace, Set, Words, drop
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.shared_rows import agreed
from app.providers import PROVIDERS
from tests.formats.claude_sessions import Session, call, result_block, text_block


def forked() -> Dump:
    """A call that each of three branches answers for itself; the third one leaves the second."""
    s = Session()
    s.say("go")
    at = s.answer(call("c1"))
    s.say("first", parent=at)
    s.result(result_block("c1", "late"))
    inner = s.answer(text_block("so"))
    s.say("third", parent=inner)
    s.say("fourth", parent=inner)
    s.say("second", parent=at)
    s.result(result_block("c1", "as late"))
    return FORMATS["claude-code"].parse(Source.of(s.data()))


def edited(dump: Dump, transcripts: list[Transcript], index: int, *edits: Edit) -> list[Transcript]:
    one = apply(transcripts[index], [Change("an edit", "rule:none", "loses", edits)], PROVIDERS["anthropic"]).transcript
    return [*transcripts[:index], one, *transcripts[index + 1 :]]


def orders(transcripts: list[Transcript]) -> list[list[int]]:
    return [t.order.tolist() for t in transcripts]


def test_what_is_dropped_where_branches_are_one_is_dropped_for_all_and_partners_leave_with_it() -> None:
    dump = forked()
    assert [t.id for t in dump.transcripts] == ["main", "branch-u003", "branch-u006"]
    assert orders(dump.transcripts) == [[0, 1, 7, 8], [0, 1, 2, 3, 4, 6], [0, 1, 2, 3, 4, 5]]
    after = agreed(dump, edited(dump, dump.transcripts, 0, drop(1, 8)))
    assert orders(after) == [[0, 7], [0, 2, 4, 6], [0, 2, 4, 5]]
    assert agreed(dump, after)[1] is after[1]


def test_a_made_result_leaves_with_its_call() -> None:
    dump = forked()
    made = Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.USER, "[none]", 1))
    transcripts = edited(dump, edited(dump, dump.transcripts, 1, made, drop(3)), 0, drop(1, 8))
    assert len(transcripts[1].order) == 6
    assert orders(agreed(dump, transcripts))[1] == [0, 2, 4, 6]


def test_a_change_of_what_is_shared_is_one_for_all_and_the_first_wins() -> None:
    dump = forked()
    transcripts = edited(dump, edited(dump, dump.transcripts, 0, Set(0, "text", "mine")), 1, Set(0, "text", "yours"))
    assert [t.fields[0]["text"] for t in agreed(dump, transcripts)] == ["mine", "mine", "mine"]
    untouched = dump.transcripts
    assert all(one is other for one, other in zip(agreed(dump, untouched), untouched, strict=True))


def test_a_text_that_was_set_and_one_that_was_replaced_do_not_mix() -> None:
    dump = forked()
    replaced = Replace(np.array([0], np.int32), Words("replaced"))
    for first, second, text in ((Set(0, "text", "mine"), replaced, "mine"), (replaced, Set(0, "text", "yours"), "replaced")):
        transcripts = agreed(dump, edited(dump, edited(dump, dump.transcripts, 0, first), 1, second))
        assert [FORMATS["claude-code"].block(t, 0, dump.source).text for t in transcripts] == [text] * 3
        assert all(one is other for one, other in zip(agreed(dump, transcripts), transcripts, strict=True))
