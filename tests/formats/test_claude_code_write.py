"""Claude Code sessions, written: exported and opened again they are what was in memory."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.formats._writing import Writing
from app.model.dump import Dump
from app.model.edits import After, Before, Change, Edit, End, HeadOf, Insert, Made, Move, Replace, Set, Stub, drop
from app.model.errors import RefusedError
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.diff import difference
from app.pipeline.shared_rows import agreed
from app.providers import PROVIDERS
from tests.formats.claude_sessions import Session, call, random_session, result_block, text_block
from tests.formats.edits import _edit, state

FORMAT = FORMATS["claude-code"]


def after(dump: Dump, *edits: Edit, index: int | None = None) -> list[Transcript]:
    """All transcripts when the opened one was edited."""
    index = dump.opened if index is None else index
    transcripts = list(dump.transcripts)
    change = Change("an edit", "rule:none", "loses", edits)
    transcripts[index] = apply(transcripts[index], [change], PROVIDERS["anthropic"]).transcript
    return agreed(dump, transcripts)


def written(dump: Dump, transcripts: list[Transcript]) -> tuple[Dump, Writing, bytes]:
    writing = FORMAT.write_plan(dump, transcripts)
    data = b"".join(writing.chunks())
    return FORMAT.parse(Source.of(data)), writing, data


def records(data: bytes) -> dict[str, dict[str, Any]]:
    return {r["uuid"]: r for r in map(json.loads, filter(None, data.split(b"\n"))) if "uuid" in r}


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_without_an_edit_the_bytes_are_the_same(seed: int) -> None:
    data = random_session(seed)
    dump = FORMAT.parse(Source.of(data))
    again, writing, out = written(dump, dump.transcripts)
    assert out == data
    assert writing.tally.same == sum(dump.records.values())
    assert [t.id for t in again.transcripts] == [t.id for t in dump.transcripts]


def pinned(*seeds: int) -> Callable[[Any], Any]:
    """These seeds are tried each time: each once came back as something else."""

    def with_examples(test: Any) -> Any:
        for seed in seeds:
            test = example(seed=seed)(test)
        return test

    return with_examples


def edits_of(dump: Dump, seed: int, index: int) -> tuple[list[Transcript], list[Edit]]:
    """All transcripts after some random edits of one, and the edits."""
    r = random.Random(seed)
    transcripts, done = list(dump.transcripts), []
    for _ in range(r.randrange(1, 4)):
        edit = _edit(transcripts[index], r)
        if edit is not None:
            change = Change("an edit", "rule:none", "loses", (edit,))
            transcripts[index] = apply(transcripts[index], [change], PROVIDERS["anthropic"]).transcript
            done.append(edit)
    return agreed(dump, transcripts), done


def comes_back(seed: int, index: int | None = None, mixed: bool = False) -> None:
    """Edited, exported and opened again it is what was in memory. The one thing that a session cannot hold, and that is refused, is
    a message between the parts of a split one: a part that was moved to where it stood."""
    dump = FORMAT.parse(Source.of(random_session(seed, mixed=mixed)))
    if not dump.transcripts or not len(dump.transcripts[dump.opened].order):
        return
    index = dump.opened if index is None else index % len(dump.transcripts)
    transcripts, done = edits_of(dump, seed, index)
    try:
        again, writing, _ = written(dump, transcripts)
    except RefusedError:
        assert any(isinstance(edit, Move) for edit in done)
        return
    spoken = [t for t in transcripts if len(t.order)]
    read = [t for t in again.transcripts if len(t.order)]
    assert len(read) == len(spoken), done
    if len(spoken) == len(dump.transcripts):  # uuids are short in these sessions
        assert all(a.id.startswith(t.id) for a, t in zip(read, spoken, strict=True)), done
    one = read[spoken.index(transcripts[index])] if transcripts[index] in spoken else None
    if one is not None:
        assert state(again, one) == state(dump, transcripts[index]), done
        assert one.start == transcripts[index].start, done
    assert difference(dump, transcripts, again, {index}) is None, done
    tally = writing.tally
    assert tally.same + tally.changed + tally.relinked + tally.dropped == sum(dump.records.values())
    if not any(isinstance(edit, Insert | Move) for edit in done):
        assert [state(again, t) for t in read] == [state(dump, t) for t in spoken], done


@pinned(83690, 3956, 4338, 4635, 4750, 5663, 2605, 561, 723, 929, 1031, 1782, 3573, 2795, 7821, 9458, 7211, 96, 1576, 1284, 4298, 5403)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same_transcript(seed: int) -> None:
    comes_back(seed)


@pinned(25, 11, 133, 212, 472, 639, 2472, 9458)
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_so_it_is_when_another_transcript_than_the_opened_one_was_edited(seed: int) -> None:
    comes_back(seed, index=random.Random(seed).randrange(100))


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_so_it_is_where_sessions_go_on_with_another_and_records_share_a_line(seed: int) -> None:
    comes_back(seed, random.Random(seed).randrange(100), mixed=True)


def session() -> tuple[Session, list[str]]:
    s = Session()
    uuids = [s.say("one"), s.answer(call("c1"), id="m")]
    uuids.append(s.result(result_block("c1", "secret words"), toolUseResult={"stdout": "secret words"}))
    uuids += [s.answer(text_block("two")), s.say("three"), s.answer(text_block("four"))]
    return s, uuids


def test_what_hung_on_a_dropped_record_hangs_on_the_one_above_it() -> None:
    s, uuids = session()
    data = s.data()
    dump = FORMAT.parse(Source.of(data))
    again, writing, out = written(dump, after(dump, drop(1, 2, 3)))
    assert records(out)[uuids[4]]["parentUuid"] == uuids[0]
    assert (writing.tally.dropped, writing.tally.relinked, writing.tally.same) == (3, 1, 2)
    assert [b.text for b in FORMAT.each_block(again.table, again.source, range(3))] == ["one", "three", "four"]
    lines, new = data.split(b"\n"), out.split(b"\n")
    assert (new[0], new[2]) == (lines[0], lines[5])
    assert new[1] == lines[4].replace(uuids[3].encode(), uuids[0].encode(), 1)


def test_a_copy_of_a_result_keeps_no_text_that_was_removed() -> None:
    s, _ = session()
    dump = FORMAT.parse(Source.of(s.data()))
    _, writing, out = written(dump, after(dump, Replace(np.array([2], np.int32), Stub("gone"))))
    assert b"secret" not in out
    assert records(out)["u003"]["message"]["content"][0]["content"] == "gone"
    assert records(out)["u003"]["toolUseResult"] == "gone"
    assert (writing.tally.changed, writing.tally.same) == (1, 5)


def test_a_made_result_takes_its_envelope_from_its_neighbours_and_is_the_same_each_time() -> None:
    s = Session()
    s.say("one")
    a = s.answer(call("c1"))
    b = s.say("two")
    dump = FORMAT.parse(Source.of(s.data()))
    edit = Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.USER, "[no result recorded]", 1, True))
    again, writing, out = written(dump, after(dump, edit))
    assert out == b"".join(FORMAT.write(dump, after(dump, edit)))
    made = next(r for uuid, r in records(out).items() if uuid not in ("u001", "u002", "u003"))
    block = {"type": "tool_result", "tool_use_id": "c1", "content": "[no result recorded]", "is_error": True}
    assert made["message"] == {"role": "user", "content": [block]}
    assert (made["parentUuid"], records(out)[b]["parentUuid"]) == (a, made["uuid"])
    assert {k: made[k] for k in ("sessionId", "cwd", "version", "gitBranch", "userType", "isSidechain", "type")} == {
        "sessionId": "s-one", "cwd": "/home/ana", "version": "2.1.80", "gitBranch": "main", "userType": "external",
        "isSidechain": False, "type": "user",
    }  # fmt: skip
    assert (writing.tally.inserted, writing.tally.relinked) == (1, 1)
    assert again.table.kind.tolist() == [Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TEXT]


def test_what_is_put_before_a_fork_leaves_it_a_fork() -> None:
    s = Session()
    s.say("one")
    at = s.answer(call("c1"))
    s.say("left behind")
    s.answer(text_block("no"))
    s.say("asked again", parent=at)
    dump = FORMAT.parse(Source.of(s.data()))
    edit = Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.USER, "[none]", 1))
    again, _, _ = written(dump, after(dump, edit))
    assert [t.id for t in again.transcripts] == ["main", "branch-u003"]
    assert state(again, again.transcripts[0])[2][2] == ("[none]",)


def test_branches_stay_apart_when_all_that_they_share_is_dropped() -> None:
    s = Session()
    s.say("one")
    at = s.answer(text_block("two"))
    s.say("left behind")
    s.say("asked again", parent=at)
    s.answer(text_block("three"))
    dump = FORMAT.parse(Source.of(s.data()))
    transcripts = after(dump, drop(0, 1))
    again, _, _ = written(dump, transcripts)
    assert [state(again, t) for t in again.transcripts] == [state(dump, t) for t in transcripts]
    assert again.transcripts[again.opened].id == "main"


def test_places_and_ends() -> None:
    for end, final in ((b"\n", True), (b"\n", False), (b"\r\n", True), (b"\r\n", False)):
        s, _ = session()
        dump = FORMAT.parse(Source.of(s.data(end, final, (", ", ": "))))
        made = Made(Kind.TEXT, Role.USER, "made é")
        inserts = (Insert(Before(0), made), Insert(After(3), made), Insert(End(), made))
        transcripts = after(dump, *inserts, Set(0, "text", "uno"), Set(1, "call_id", "k"), drop(5))
        again, _, out = written(dump, transcripts)
        assert state(again, again.transcripts[0]) == state(dump, transcripts[0])
        assert out.endswith(end) == final
        assert out.count(b"\n") == out.count(end) == 7 + final


# -- forks ------------------------------------------------------------------------------------------------------------------------


def forked(parent: bool = True) -> Session:
    """Two ways on from one call, which nothing answers; the second one is where a resume would go on. Uuids as long as real ones."""
    s = Session(prefix="0b5e7c1a-uuid-")
    s.say("one")
    at = s.answer(call("c1")) if parent else None
    s.say("left behind", parent=at)
    s.answer(text_block("no"))
    s.say("asked again", parent=at)
    s.answer(text_block("yes"))
    return s


def texts(dump: Dump) -> list[list[str]]:
    return [[b.text for b in FORMAT.each_block(t.table, dump.source, t.order)] for t in dump.transcripts]


def exported(dump: Dump, transcripts: list[Transcript]) -> tuple[Dump, Writing, bytes]:
    """The same, and it is what is in memory."""
    again, writing, out = written(dump, transcripts)
    assert difference(dump, transcripts, again, set(range(len(transcripts)))) is None
    assert [t.id for t in again.transcripts] == [t.id for t in dump.transcripts]
    return again, writing, out


def test_a_prompt_of_a_fork_leaves_a_line_that_keeps_its_branch_apart() -> None:
    for index, row in ((0, 4), (1, 2)):
        data = forked().data()
        dump = FORMAT.parse(Source.of(data))
        again, writing, out = exported(dump, after(dump, drop(row), index=index))
        assert (writing.tally.changed, writing.tally.dropped, writing.tally.relinked) == (1, 0, 0)
        left = next(r for r in records(out).values() if r.get("messageRemoved"))
        gone = records(data)[left["uuid"]]
        assert (left["type"], left["subtype"], "message" in left) == ("system", "informational", False)
        assert (left["parentUuid"], left["sessionId"], left["timestamp"]) == (gone["parentUuid"], gone["sessionId"], gone["timestamp"])
        third = FORMAT.parse(Source.of(out))
        assert written(third, third.transcripts)[2] == out
        assert texts(again)[1 - index] == texts(dump)[1 - index]


def test_the_place_where_branches_part_may_go() -> None:
    dump = FORMAT.parse(Source.of(forked().data()))
    again, _, _ = exported(dump, after(dump, drop(0, 1), index=0))
    assert texts(again) == [["asked again", "yes"], ["left behind", "no"]]
    again, _, _ = exported(dump, after(dump, drop(0, 1, 4), index=0))
    assert texts(again) == [["yes"], ["left behind", "no"]]
    again, _, _ = exported(dump, after(dump, drop(0, 1, 4, 5), index=0))
    assert [t.id for t in again.transcripts] == [t.id for t in dump.transcripts]
    assert texts(again) == [[], ["left behind", "no"]]


def test_an_answer_where_branches_part_belongs_to_all_of_them() -> None:
    dump = FORMAT.parse(Source.of(forked().data()))
    made = Made(Kind.TOOL_RESULT, Role.USER, "[none]", 1)
    transcripts = after(dump, Insert(HeadOf(1), made), index=0)
    change = Change("an edit", "rule:none", "adds", (Insert(HeadOf(1), made),))
    transcripts[1] = apply(dump.transcripts[1], [change], PROVIDERS["anthropic"]).transcript
    again, writing, out = exported(dump, transcripts)
    assert (writing.tally.inserted, writing.tally.relinked) == (1, 2)
    answer = next(r for r in records(out).values() if r["type"] == "user" and isinstance(r["message"]["content"], list))
    prompts = [r for r in records(out).values() if r["message"]["content"] in ("left behind", "asked again")]
    assert [r["parentUuid"] for r in prompts] == [answer["uuid"]] * 2
    # one conversation alone was mended: the file has one line for both, and the other one ends as it did
    again, writing, _ = written(dump, after(dump, Insert(HeadOf(1), made), index=1))
    assert writing.tally.inserted == 1
    assert [len(t.order) for t in again.transcripts] == [5, 5]


def test_a_rewind_to_the_beginning_is_a_fork_where_only_the_programs_own_record_stands_there() -> None:
    s = Session()
    at = s.node("progress", None, data={"type": "hook_progress"})
    s.say("first try")
    s.say("second try", parent=at)
    s.answer(text_block("so"))
    dump = FORMAT.parse(Source.of(s.data()))
    assert texts(dump) == [["second try", "so"], ["first try"]]


def test_where_two_conversations_want_different_lines_in_one_place_it_is_refused_by_name() -> None:
    dump = FORMAT.parse(Source.of(forked().data()))
    transcripts = list(dump.transcripts)
    for index, text in enumerate(("mine", "yours")):
        edit = Insert(Before(1), Made(Kind.TEXT, Role.ASSISTANT, text))
        transcripts[index] = apply(transcripts[index], [Change("an edit", "rule:none", "adds", (edit,))], PROVIDERS["anthropic"]).transcript
    with pytest.raises(RefusedError, match="transcript main"):
        written(dump, agreed(dump, transcripts))


def test_subagents_that_lose_their_prompts_stay_apart_and_keep_their_names() -> None:
    s = Session(prefix="0b5e7c1a-uuid-")
    for text in ("do this", "do that"):
        s.at = None
        s.say(text, isSidechain=True)
        s.answer(text_block(f"{text}: done"), isSidechain=True)
    dump = FORMAT.parse(Source.of(s.data()))
    assert len(dump.transcripts) == 2
    again, _, _ = exported(dump, after(dump, drop(2), index=1))
    assert texts(again) == [["do this", "do this: done"], ["do that: done"]]
    before = Insert(Before(2), Made(Kind.TEXT, Role.USER, "first this"))
    again, _, _ = exported(dump, after(dump, before, index=1))
    assert texts(again) == [["do this", "do this: done"], ["first this", "do that", "do that: done"]]


# -- walls ------------------------------------------------------------------------------------------------------------------------


def compacted(**metadata: Any) -> tuple[Session, list[str]]:
    """An exchange, a wall with its summary, another exchange."""
    s = Session()
    uuids = [s.say("one"), s.answer(text_block("two")), s.say("three"), s.answer(text_block("four"))]
    uuids.append(s.boundary(**metadata))
    uuids.append(s.say("This session is being continued.", isCompactSummary=True))
    uuids += [s.say("five"), s.answer(text_block("six"))]
    return s, uuids


def segment(out: bytes) -> Any:
    wall = next(r for r in records(out).values() if r.get("subtype") == "compact_boundary")
    return wall["compactMetadata"].get("preservedSegment", wall["compactMetadata"].get("preservedMessages"))


def test_a_wall_names_its_kept_talk_by_records_that_are_there() -> None:
    kept = {"headUuid": "u002", "tailUuid": "u004", "anchorUuid": "u006"}
    s, _ = compacted(preservedSegment=kept)
    dump = FORMAT.parse(Source.of(s.data()))
    assert texts(dump) == [["one", "This session is being continued.", "two", "three", "four", "five", "six"]]
    for rows, told in (
        ((1,), {"headUuid": "u003"}), ((3,), {"tailUuid": "u003"}), ((1, 2), {"headUuid": "u004"}), ((4,), {"anchorUuid": "u005"}),
        ((2,), {}),
    ):  # fmt: skip
        _, _, out = exported(dump, after(dump, drop(*rows)))
        assert segment(out) == kept | told
    _, _, out = exported(dump, after(dump, drop(1, 2, 3)))
    assert segment(out) is None
    made = Made(Kind.TEXT, Role.USER, "made")
    again, _, out = exported(dump, after(dump, Insert(Before(1), made)))
    new = next(r["uuid"] for r in records(out).values() if r.get("message", {}).get("content") == "made")
    assert segment(out) == kept | {"headUuid": new}
    assert texts(again) == [["one", "This session is being continued.", "made", "two", "three", "four", "five", "six"]]


def test_a_wall_lists_its_kept_talk() -> None:
    s, _ = compacted(preservedMessages={"uuids": ["u003", "u004"], "anchorUuid": "u006"})
    dump = FORMAT.parse(Source.of(s.data()))
    _, _, out = exported(dump, after(dump, drop(2), Insert(Before(3), Made(Kind.TEXT, Role.USER, "made"))))
    new = next(r["uuid"] for r in records(out).values() if r.get("message", {}).get("content") == "made")
    assert segment(out)["uuids"] == [new, "u004"]


def test_what_ends_the_history_stands_before_the_wall() -> None:
    s, _ = compacted()
    dump = FORMAT.parse(Source.of(s.data()))
    for place, start in ((After(3), 5), (Before(4), 4)):
        transcripts = after(dump, Insert(place, Made(Kind.TEXT, Role.USER, "made")))
        again, _, _ = exported(dump, transcripts)
        assert again.transcripts[0].start == transcripts[0].start == start


def test_a_summary_that_is_a_wall_by_itself_leaves_a_wall() -> None:
    s = Session()
    s.say("one")
    s.answer(text_block("two"))
    s.say("This session is being continued.", isCompactSummary=True, parent=None)
    s.answer(text_block("three"))
    dump = FORMAT.parse(Source.of(s.data()))
    assert dump.transcripts[0].start == 2
    again, _, out = exported(dump, after(dump, drop(2)))
    assert again.transcripts[0].start == 2
    assert sum(r.get("subtype") == "compact_boundary" for r in records(out).values()) == 1
    again, _, _ = exported(dump, after(dump, Insert(Before(2), Made(Kind.TEXT, Role.USER, "made"))))
    assert (again.transcripts[0].start, texts(again)[0][2:4]) == (2, ["made", "This session is being continued."])


# -- names ------------------------------------------------------------------------------------------------------------------------


def test_a_parent_that_is_not_in_the_file_is_still_named() -> None:
    s = Session()
    s.say("one", parent="not-in-this-file")
    s.answer(text_block("two"))
    s.say("three")
    dump = FORMAT.parse(Source.of(s.data()))
    assert records(written(dump, after(dump, drop(0)))[2])["u002"]["parentUuid"] == "not-in-this-file"
    out = records(written(dump, after(dump, Insert(Before(0), Made(Kind.TEXT, Role.USER, "made"))))[2])
    made = next(r for r in out.values() if r["message"]["content"] == "made")
    assert (made["parentUuid"], out["u001"]["parentUuid"]) == ("not-in-this-file", made["uuid"])


def test_lines_that_are_made_under_equal_uuids_have_names_of_their_own() -> None:
    s = Session()
    for _ in range(3):
        s.say("one")
        s.answer(text_block("two"))
    for line in s.lines:
        line |= {"uuid": "[trimmed]", "parentUuid": "[trimmed]"}  # type: ignore[operator, misc]
    dump = FORMAT.parse(Source.of(s.data()))
    made = Made(Kind.TEXT, Role.USER, "made")
    _, _, out = written(dump, after(dump, *(Insert(Before(row), made) for row in (1, 3, 5))))
    uuids = [r["uuid"] for r in map(json.loads, filter(None, out.split(b"\n"))) if r["message"]["content"] == "made"]
    assert len(set(uuids)) == 3


def test_a_title_is_about_a_record_that_is_there() -> None:
    s, uuids = session()
    s.loose("summary", summary="A title", leafUuid=uuids[5])
    s.loose("summary", summary="Of another file", leafUuid="elsewhere")
    dump = FORMAT.parse(Source.of(s.data()))
    _, _, out = written(dump, after(dump, drop(5)))
    titles = [r["leafUuid"] for r in map(json.loads, filter(None, out.split(b"\n"))) if r["type"] == "summary"]
    assert titles == [uuids[4], "elsewhere"]
