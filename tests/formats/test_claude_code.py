"""Claude Code sessions, read: which records make a conversation, in which order, and what of them is counted."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from app.formats import FORMATS
from app.formats._iso_times import seconds
from app.model.dump import Dump
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.table import RecordKind
from app.model.transcript import Transcript
from app.pipeline.counts import counts
from app.pipeline.view import make_view
from tests.formats.claude_sessions import Session, call, result_block, text_block

FORMAT = FORMATS["claude-code"]


def opened(s: Session | bytes) -> Dump:
    dump = FORMAT.parse(Source.of(s if isinstance(s, bytes) else s.data()))
    assert sum(dump.records.values()) == len(dump.table.records)
    owner = dump.table.records.owner
    assert ((owner >= 0) & (owner < max(1, len(dump.transcripts)))).all()
    return dump


def words(dump: Dump, transcript: Transcript | None = None, sent: bool = False) -> list[str]:
    transcript = transcript or dump.transcripts[dump.opened]
    order = transcript.sent if sent else transcript.order
    return [b.call_id or b.text for b in (FORMAT.block(transcript, int(row), dump.source) for row in order)]


def test_counts_of_real_dumps_are_the_true_ones(shared) -> None:  # type: ignore[no-untyped-def]
    table = csv.DictReader((shared / "samples" / "COUNTS.tsv").read_text().splitlines(), delimiter="\t")
    rows = [row for row in table if row["format"] == "claude_code"]
    assert rows
    for row in rows:
        path = shared / "samples" / row["path"]
        dump = FORMAT.parse(Source.open(path))
        found = [counts(make_view(transcript)) for transcript in dump.transcripts]
        if row["firm"] == "yes":
            want = [int(row[key]) for key in ("tool_calls", "tool_results", "orphan_results", "unanswered_calls", "sessions")]
            got = [sum(c[key] for c in found) for key in ("tool_calls", "tool_results", "orphan_results", "unanswered_calls")]
            assert [*got, len(found)] == want, row["path"]
        assert b"".join(FORMAT.write(dump, dump.transcripts)) == path.read_bytes()


def test_parts_of_a_message_come_together_and_results_behind_them() -> None:
    s = Session()
    s.say("go")
    a = s.answer(text_block("I look"), id="m")
    b = s.answer(call("c1"), id="m")
    s.result(result_block("c1", "one"))
    c = s.answer(call("c2"), id="m", parent=b)
    s.result(result_block("c2", "two"), parent=c)
    s.answer(text_block("done"))
    dump = opened(s)
    assert [t.id for t in dump.transcripts] == ["main"]
    assert words(dump) == ["go", "I look", "c1", "c2", "c1", "c2", "done"]
    messages = dump.table.message[dump.transcripts[0].order].tolist()
    assert messages[1] == messages[2] == messages[3]
    assert len(set(messages)) == 5
    usages = dump.table.usages
    assert len(usages) == 2  # parts repeat the usage of their message
    assert usages.input.tolist() == [15, 15]
    assert a


def test_a_rewind_is_a_branch_and_parallel_results_are_none() -> None:
    s = Session()
    s.say("first")
    a = s.answer(call("c1"), id="m")
    b = s.answer(call("c2"), id="m")
    s.result(result_block("c2"), parent=b)
    s.result(result_block("c1"), parent=a)
    at = s.answer(text_block("both done"))
    s.say("left behind")
    s.answer(text_block("an answer that nobody kept"))
    s.node("system", at, subtype="turn_duration")
    s.say("asked again")
    s.answer(text_block("the answer"))
    dump = opened(s)
    main, branch = dump.transcripts
    assert (main.id, dump.opened, branch.id) == ("main", 0, "branch-u007")
    assert words(dump) == ["first", "c1", "c2", "c2", "c1", "both done", "asked again", "the answer"]
    assert words(dump, branch)[-3:] == ["both done", "left behind", "an answer that nobody kept"]
    assert (branch.forks_from, branch.shared_records) == ("main", 6)
    assert "line 6" in branch.why
    assert "resume" in main.why
    assert branch.own().tolist() == [False] * 6 + [True] * 2
    assert sum(counts(make_view(t))["tool_calls"] for t in dump.transcripts) == 2


def test_a_slash_command_goes_with_what_stands_before_it() -> None:
    s = Session()
    s.say("first")
    at = s.answer(text_block("an answer"))
    s.say("<local-command-caveat>Caveat</local-command-caveat>", isMeta=True)
    s.say("<command-name>/cost</command-name>")
    s.say("<local-command-stdout>nothing</local-command-stdout>")
    s.say("asked again", parent=at)
    dump = opened(s)
    assert words(dump) == ["first", "an answer", "asked again"]
    assert [t.shared_records for t in dump.transcripts] == [0, 2]
    branch = dump.transcripts[1]
    flags = dump.table.flags[branch.order[2:]]
    assert [bool(f & Flag.INJECTED) for f in flags] == [True, False, True]
    assert [bool(f & Flag.PROMPT) for f in flags] == [False, True, False]


def test_a_missing_parent_continues_what_stands_before_it() -> None:
    s = Session()
    s.say("one")
    s.answer(text_block("two"), parent="trimmed-away")
    s.say("three", parent=None)
    s.answer(text_block("four"), parent=False)
    dump = opened(s)
    assert words(dump) == ["one", "two", "three", "four"]


def test_rewinds_to_a_missing_record_are_branches() -> None:
    s = Session()
    s.say("one", parent="gone")
    s.answer(text_block("two"))
    s.say("three", parent="gone")
    s.answer(text_block("four"))
    dump = opened(s)
    assert [words(dump, t) for t in dump.transcripts] == [["three", "four"], ["one", "two"]]
    assert dump.opened == 0


def test_a_boundary_is_a_wall_inside_one_conversation() -> None:
    s = Session()
    s.say("old")
    s.answer(text_block("old answer"))
    s.boundary(postTokens=20)
    s.say("the summary", isCompactSummary=True)
    s.answer(text_block("new answer"))
    dump = opened(s)
    main = dump.transcripts[0]
    assert (len(dump.transcripts), main.start) == (1, 2)
    assert words(dump, sent=True) == ["the summary", "new answer"]
    wall = main.walls[0]
    assert (wall.row, wall.before, wall.after) == (2, 1000, 20)
    assert dump.table.flags[2] & Flag.SUMMARY
    assert dump.table.records.kind.tolist()[2:4] == [RecordKind.BOUNDARY, RecordKind.SUMMARY]


@pytest.mark.parametrize("listed", [False, True])
def test_what_a_wall_keeps_is_sent_once_behind_its_summary(listed: bool) -> None:
    s = Session()
    s.say("old")
    head = s.answer(call("c1"))
    tail = s.result(result_block("c1"))
    s.boundary()
    wall = s.lines[-1]
    summary = s.say("the summary", isCompactSummary=True)
    s.say("next", parent=tail)
    kept = {"anchorUuid": summary, "uuids": [head, tail]} if listed else {"headUuid": head, "anchorUuid": summary, "tailUuid": tail}
    assert isinstance(wall, dict)
    wall["compactMetadata"]["preservedMessages" if listed else "preservedSegment"] = kept
    dump = opened(s)
    assert len(dump.transcripts) == 1
    assert words(dump) == ["old", "the summary", "c1", "c1", "next"]
    assert words(dump, sent=True) == ["the summary", "c1", "c1", "next"]


def test_a_subagent_is_a_conversation_of_its_own() -> None:
    s = Session()
    s.say("go")
    a = s.answer(call("t1", "Task"))
    s.say("look around", parent=None, isSidechain=True, isMeta=True)
    s.answer(text_block("found"), isSidechain=True)
    s.say("look again", parent=None, isSidechain=True)
    s.result(result_block("t1"), parent=a)
    dump = opened(s)
    assert [t.id for t in dump.transcripts] == ["main", "sidechain-u003", "sidechain-u005"]
    assert [t.subagent for t in dump.transcripts] == [False, True, True]
    assert words(dump) == ["go", "t1", "t1"]
    flags = dump.table.flags[dump.transcripts[1].order[0]]
    assert flags & Flag.PROMPT
    assert not flags & Flag.INJECTED


def test_each_session_is_a_conversation() -> None:
    one, two = Session("alpha-1"), Session("beta-22", "w")
    one.say("one")
    two.say("two")
    one.lines += two.lines
    dump = opened(one)
    assert [t.id for t in dump.transcripts] == ["session-alpha-1", "session-beta-22"]
    assert dump.opened == 1


def test_refusals_are_no_messages() -> None:
    s = Session()
    s.say("go")
    s.refused()
    s.say("go")
    s.refused("API Error: 529 Overloaded")
    dump = opened(s)
    main = dump.transcripts[0]
    assert words(dump) == ["go", "go"]
    assert [(r.record, r.after, r.status, r.text) for r in main.refusals] == [(1, 0, 400, "too long"), (3, 1, 529, "Overloaded")]
    assert dump.table.records.kind.tolist()[1] == RecordKind.REFUSAL
    assert main.model is None


def test_what_is_no_record_is_kept_and_counted() -> None:
    s = Session()
    s.loose("summary", summary="A title", leafUuid="x")
    s.say("go")
    for line in (b"42", b'"text"', b"[1]", b'{"silly": "this"}', b"", b'{"type":"user","mess', b"\xff\xfe"):
        s.raw(line)
    s.answer(text_block("yes"))
    dump = opened(s)
    assert words(dump) == ["go", "yes"]
    kinds = [RecordKind(k).name for k in dump.table.records.kind]
    assert kinds == ["META", "MESSAGE", *["UNPARSED"] * 3, "UNKNOWN", "UNPARSED", "UNPARSED", "MESSAGE"]
    assert dump.table.records.place.tolist() == [0, 1, 2, 3, 4, 5, 7, 8, 9]
    assert dump.records == {"shown": 2, "hidden": 2, "unparsed": 5}
    assert FORMAT.block(dump.transcripts[0], 1, dump.source).pointer == "/9/message/content/0"
    assert b"".join(FORMAT.write(dump, dump.transcripts)) == s.data()


def test_a_half_written_last_line_and_other_line_ends() -> None:
    s = Session()
    s.say("go")
    s.answer(text_block("yes \ud800".encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")))
    for end in (b"\n", b"\r\n"):
        data = s.data(end) + b'{"type":"assistant","message":{"ro'
        dump = opened(b"\xef\xbb\xbf" + data)
        assert words(dump)[0] == "go"
        assert dump.records["unparsed"] == 1
        assert b"".join(FORMAT.write(dump, dump.transcripts)) == b"\xef\xbb\xbf" + data
        for record in range(2):
            at, length = int(dump.table.records.offset[record]), int(dump.table.records.length[record])
            assert dump.source.read(at, length).startswith(b"{")
            assert dump.source.read(at + length - 1, 1) == b"}"
    assert dump.table.flags[1] & Flag.SURROGATE


def test_a_first_look_leaves_out_what_is_cut_off(tmp_path) -> None:  # type: ignore[no-untyped-def]
    s = Session()
    for number in range(50):
        s.say(f"prompt {number}")
    path = tmp_path / "session.jsonl"
    path.write_bytes(s.data())
    dump = FORMAT.parse(Source.open(path, limit=3000), first_look=True)
    assert not dump.complete
    assert dump.records["unparsed"] == 0
    assert 0 < len(dump.table.records) < 50


def test_messages_of_odd_shapes() -> None:
    s = Session()
    s.node("user", message={"role": "user"})
    s.node("user", message={"role": "user", "content": []})
    s.node("user", message="error")
    s.node("user", message={"content": ["wow", {"type": "image", "source": {}}]})
    dump = opened(s)
    assert dump.table.kind.tolist() == [Kind.EMPTY, Kind.EMPTY, Kind.OTHER, Kind.MEDIA]
    assert set(dump.table.role.tolist()) == {Role.USER}
    assert dump.table.records.kind.tolist()[2] == RecordKind.UNKNOWN


def test_hostile_trees_take_no_time() -> None:
    s = Session()
    s.say("root")
    for _ in range(3000):
        s.say("again", parent="u001")
    dump = opened(s)
    assert len(dump.transcripts) == 1
    assert any("rewinds" in why for why in dump.whys)
    loop = Session()
    loop.say("a", parent="u002")
    loop.say("b", parent="u001")
    loop.say("c", parent="u003")
    assert words(opened(loop)) == ["a", "b", "c"]


def test_more_sessions_than_can_be_numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.formats._claude_tree.LIMIT", 20)
    s = Session()
    for number in range(30):
        s.session = f"s{number}"
        s.say("hello", parent=None)
    dump = opened(s)
    assert len(dump.transcripts) == 20
    assert dump.transcripts[dump.opened].order.tolist() == [29]


def test_times() -> None:
    good = ["2026-03-01T10:00:00.250Z", "2024-02-29T23:59:59.000Z", "1999-12-31T00:00:00.001Z"]
    odd = ["2026-03-01T10:00:00Z", "2026-03-01", None, 5, "2023-02-29T00:00:00.000Z", "0000-00-00T00:00:00.000Z", "x" * 24]
    found = seconds([*good, *odd])
    assert found[:3].tolist() == [1772359200.25, 1709251199.0, 946598400.001]
    assert found[3] == 1772359200
    assert np.isnan(found[5:]).all()
    assert seconds(good).tolist() == found[:3].tolist()


def test_two_records_on_one_line_are_two_records() -> None:
    s = Session()
    s.say("go")
    s.answer(call("c1"))
    s.result(result_block("c1", "one"))
    s.answer(text_block("done"))
    lines = s.data().split(b"\n")
    torn = b'{"type":"pr-link","sessionId":"s-one","prNu'
    for data, unparsed, places in (
        (b"\n".join([lines[0], lines[1] + lines[2], *lines[3:]]), 0, [0, 1, 1, 2]),
        (b"\n".join([lines[0], lines[1] + b" " + lines[2], *lines[3:]]), 0, [0, 1, 1, 2]),
        (b"\n".join([lines[0], torn + lines[1], *lines[2:]]), 1, [0, 1, 1, 2, 3]),
        (b"\n".join([lines[0], b"\0" * 300 + lines[1], *lines[2:]]), 1, [0, 1, 1, 2, 3]),
        (b"\n".join([lines[0], lines[1] + torn, *lines[2:]]), 1, [0, 1, 1, 2, 3]),
    ):
        dump = opened(data)
        assert words(dump) == ["go", "c1", "c1", "done"]
        assert (dump.records["unparsed"], dump.table.records.place.tolist()) == (unparsed, places)
        assert counts(make_view(dump.transcripts[0]))["orphan_results"] == 0
        records = dump.table.records
        spans = [data[o : o + n] for o, n in zip(records.offset.tolist(), records.length.tolist(), strict=True)]
        assert [span for span in spans if span.startswith(b'{"parentUuid"')][1:3] == [lines[1] + b" " * (b"} {" in data), lines[2]]
        assert b"".join(FORMAT.write(dump, dump.transcripts)) == data


def test_a_line_that_is_cut_off_is_not_taken_for_what_it_holds() -> None:
    s = Session()
    s.say("go")
    line = s.data().strip()
    for cut in (line[:-1], line[:-1] + b"{", line[: line.index(b'"message"')]):
        dump = opened(s.data() + cut + b"\n")
        assert dump.records == {"shown": 1, "hidden": 0, "unparsed": 1}


def test_a_session_that_begins_on_a_record_of_another_goes_on_with_it() -> None:
    s = Session()
    s.say("go")
    at = s.answer(call("c1"))
    other = Session("s-two", "w")
    other.result(result_block("c1", "one"), parent=at)
    other.answer(text_block("done"))
    s.lines += other.lines
    s.at = at
    s.say("and here")
    dump = opened(s)
    one, two = dump.transcripts
    assert (one.id, two.id, two.forks_from, two.shared_records) == ("session-s-one", "session-s-two", "session-s-one", 2)
    assert two.why == "goes on with session-s-one behind line 2, under the id of another session"
    assert words(dump, two) == ["go", "c1", "c1", "done"]
    assert [counts(make_view(t))["orphan_results"] for t in dump.transcripts] == [0, 0]
    assert [counts(make_view(t))["tool_calls"] for t in dump.transcripts] == [1, 0]
    assert dump.whys == []


def test_a_call_before_a_wall_answers_for_no_result_behind_it() -> None:
    s = Session()
    s.say("go")
    s.answer(call("c1"))
    s.boundary()
    s.say("This session is being continued.", isCompactSummary=True)
    s.result(result_block("c1", "late"))
    found = counts(make_view(opened(s).transcripts[0]))
    assert (found["tool_calls"], found["tool_results"], found["unanswered_calls"], found["orphan_results"]) == (1, 1, 1, 1)


def test_a_session_in_which_nobody_said_anything() -> None:
    s = Session()
    s.node("system", None, subtype="informational", content="started")
    dump = FORMAT.parse(Source.of(s.data()))
    assert [len(transcript.order) for transcript in dump.transcripts] == [0] * len(dump.transcripts)
    assert dump.records == {"shown": 0, "hidden": 1, "unparsed": 0}
