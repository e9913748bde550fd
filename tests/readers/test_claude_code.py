"""What Claude Code would make of a session when it resumes: what is found, and what mends it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.errors import RefusedError
from app.model.findings import Finding
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.diff import difference
from app.pipeline.export import export
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.pipeline.shared_rows import agreed
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from app.readers import READERS
from tests.formats.claude_sessions import Session, call, random_session, result_block, text_block

ANTHROPIC, READER = PROVIDERS["anthropic"], READERS["claude-code"]
FORMAT = FORMATS["claude-code"]


def opened(data: bytes | Session) -> Dump:
    return FORMAT.parse(Source.of(data if isinstance(data, bytes) else data.data()))


def findings(dump: Dump, index: int | None = None) -> list[Finding]:
    """What the reader has to say of one transcript, of all where none is named."""
    found = []
    for transcript in dump.transcripts if index is None else [dump.transcripts[index]]:
        report = check(make_view(transcript), ANTHROPIC, transcript.model, "prefix", dump)
        found += [finding for finding in report.findings if finding.rule in READER.judges]
        assert all(finding.severity == "warning" for finding in found)
    return found


def mended(dump: Dump, *rules: str) -> tuple[Dump, bytes]:
    """The file with the findings of some rules mended, written and read again: the conversations are those that were there."""
    transcripts = [repair(t, dump, ANTHROPIC, t.model, "prefix", "none", rules)[1] for t in dump.transcripts]
    transcripts = agreed(dump, transcripts)
    writing = FORMAT.write_plan(dump, transcripts)
    again = FORMAT.parse(Source.of(b"".join(writing.chunks())))
    assert difference(dump, transcripts, again) is None
    return again, b"".join(writing.chunks())


def told(dump: Dump) -> list[tuple[str, str, str]]:
    return [(f.rule, f.at, f.message) for f in findings(dump)]


def talk(s: Session, *texts: str) -> list[str]:
    return [s.say(text) if at % 2 == 0 else s.answer(text_block(text)) for at, text in enumerate(texts)]


# -- the way back -------------------------------------------------------------------------------------------------------------------


def test_a_parent_that_is_not_there_ends_the_way() -> None:
    s = Session()
    talk(s, "one", "two")
    s.at = "never-written"
    talk(s, "three", "four", "five")
    dump = opened(s)
    assert told(dump) == [
        ("resume-chain-broken", "/2", "A resume would read 3 of 5 messages: line 3 names a parent that the file does not have.")
    ]
    again, out = mended(dump, "resume-chain-broken")
    assert findings(again) == []
    lines, new = s.data().split(b"\n"), out.split(b"\n")
    assert [a == b for a, b in zip(lines, new, strict=True)] == [True, True, False, True, True, True]
    assert new[2] == lines[2].replace(b"never-written", b"u002")


def test_all_places_where_it_ends_are_mended_at_once() -> None:
    s = Session()
    for parent in (None, "lost-1", None, "lost-2"):
        s.at = parent
        talk(s, "one", "two")
    (found,) = findings(opened(s))
    assert found.message == "A resume would read 2 of 8 messages: line 7 names a parent that the file does not have."
    assert "ends at lines 5, 3 as well" in found.reason
    assert [(fix.effect, len(fix.edits)) for fix in found.fixes] == [("exact", 3)]
    assert findings(mended(opened(s), "resume-chain-broken")[0]) == []


def test_where_nothing_is_lost_there_is_no_finding() -> None:
    trimmed = Session()
    trimmed.at = "not-in-this-file"
    talk(trimmed, "one", "two", "three")
    compacted = Session()
    talk(compacted, "one", "two")
    compacted.boundary()
    compacted.say("This session is being continued.", isCompactSummary=True)
    talk(compacted, "three", "four")
    kept = Session()
    uuids = talk(kept, "one", "two")
    kept.boundary(preservedSegment={"headUuid": uuids[1], "tailUuid": uuids[1], "anchorUuid": "u004"})
    kept.say("This session is being continued.", isCompactSummary=True)
    kept.say("three", parent=uuids[1])
    rewound = Session()
    at = talk(rewound, "one", "two")[-1]
    talk(rewound, "three", "four")
    rewound.say("three again", parent=at)
    agent = Session()
    talk(agent, "one", "two")
    agent.say("do", isSidechain=True, parent=None)
    agent.answer(text_block("done"), isSidechain=True)
    agent.say("more", parent="u002")
    hooks = Session()
    first = hooks.node("progress", None, data={"type": "hook_progress"})
    hooks.say("one", parent=first)
    hooks.node("system", subtype="turn_duration", durationMs=5)
    hooks.answer(text_block("two"))
    hooks.loose(messageId="u001")
    without_uuids = b'{"type":"user","sessionId":"s","parentUuid":null,"message":{"role":"user","content":"hi"}}\n' * 3
    for data in (trimmed, compacted, kept, rewound, agent, hooks, without_uuids):
        assert told(opened(data)) == []


def test_parallel_calls_and_their_results_are_put_back() -> None:
    s = Session()
    s.say("go")
    one = s.answer(call("c1"), id="m")
    two = s.answer(call("c2"), id="m")
    s.result(result_block("c1"), parent=one)
    s.result(result_block("c2"), parent=two)
    s.answer(text_block("done"))
    assert told(opened(s)) == []


def test_what_hangs_beside_the_way_is_not_read() -> None:
    s = Session()
    at = s.say("go")
    s.answer(text_block("it is"))
    s.answer(text_block("it is so"))
    s.answer(text_block("it was asked again"), parent=at)
    s.say("thank you")
    dump = opened(s)
    assert told(dump) == [
        ("resume-message-aside", "/1", "2 messages (lines 2 to 3) stand beside the way that a resume takes: they would not be read.")
    ]
    again, out = mended(dump, "resume-message-aside")
    assert findings(again) == []
    assert [json.loads(line)["parentUuid"] for line in out.splitlines()] == [None, "u001", "u002", "u003", "u004"]


def test_a_parent_that_stands_further_on_is_a_parent() -> None:
    s = Session()
    talk(s, "one", "two")
    s.node("attachment", "u004", attachment={"type": "hook_success"})
    s.node("system", "u002", subtype="turn_duration")
    s.say("three", parent="u003")
    assert told(opened(s)) == []


def test_a_way_that_leads_back_to_itself_ends() -> None:
    s = Session()
    talk(s, "one", "two", "three")
    s.lines[1]["parentUuid"] = "u003"  # type: ignore[index, call-overload]
    assert told(opened(s)) == [("resume-chain-broken", "/1", "A resume would read 2 of 3 messages: line 2 names no parent.")]


def test_the_newest_message_on_another_branch_is_told() -> None:
    s = Session()
    at = talk(s, "one", "two")[-1]
    talk(s, "left behind")
    s.lines[-1]["timestamp"] = "2026-03-09T10:00:00.000Z"  # type: ignore[index, call-overload]
    s.say("asked again", parent=at)
    (found,) = findings(opened(s))
    assert (found.rule, found.at, found.fixes) == ("resume-branch-newer", "/2", ())
    assert found.message == "The newest message of the session, line 3, stands on another branch (branch-u003)."


# -- lines and ids --------------------------------------------------------------------------------------------------------------------


def test_a_line_that_is_no_json_is_taken_out_and_kept(tmp_path: Path) -> None:
    s = Session()
    talk(s, "one", "two")
    s.raw(b'{"type":"user","mess')
    talk(s, "three")
    path = tmp_path / "in.jsonl"
    path.write_bytes(s.data())
    dump = load(Source.open(path))
    assert told(dump) == [("resume-line-unreadable", "/2", "Line 3 is no JSON.")]
    (fix,) = findings(dump)[0].fixes
    assert (fix.title, fix.effect) == ("Take line 3 out", "loses")
    transcript = repair(dump.transcripts[0], dump, ANTHROPIC, None, "prefix", "none", ["resume-line-unreadable"])[1]
    done = export(dump, [transcript], tmp_path / "out.jsonl", ANTHROPIC, None, "prefix")
    lines = s.data().splitlines(True)
    assert (tmp_path / "out.jsonl").read_bytes() == b"".join(lines[:2] + lines[3:])
    assert (tmp_path / "out.jsonl.taken-out.txt").read_bytes() == lines[2]
    assert "out.jsonl.taken-out.txt" in done.summary
    assert (done.dropped, done.same) == (1, 3)
    export(dump, [transcript], tmp_path / "out.jsonl", ANTHROPIC, None, "prefix")
    assert (tmp_path / "out.jsonl.taken-out-2.txt").read_bytes() == lines[2]


def test_records_that_share_a_line_get_lines_of_their_own() -> None:
    s = Session()
    talk(s, "one", "two", "three", "four")
    lines = s.data().split(b"\n")
    torn = b'{"type":"pr-link","sess'
    for line, effect, message in (
        (lines[1] + lines[2], "exact", "Line 2 holds 2 records."),
        (torn + lines[1] + b"\n" + lines[2], "loses", "Line 2 holds a record and a part of one that was cut off."),
        (b"\0" * 40 + lines[1] + lines[2] + torn, "loses", "Line 2 holds 2 records and a part of one that was cut off."),
    ):
        dump = opened(b"\n".join([lines[0], line, *lines[3:]]))
        (found,) = findings(dump)
        assert (found.message, [fix.effect for fix in found.fixes]) == (message, [effect])
        assert mended(dump, "resume-line-unreadable")[1] == s.data()


def test_equal_ids_become_different_ones_and_nothing_else_changes() -> None:
    s = Session()
    talk(s, "one", "two", "three", "four")
    s.lines[2] |= {"uuid": "u001"}  # type: ignore[operator]
    s.lines[3] |= {"parentUuid": "u001"}  # type: ignore[operator]
    dump = opened(s)
    found = next(f for f in findings(dump) if f.rule == "record-id-duplicate")
    assert (found.at, found.ids, found.message) == ("/2", ("u001",), "2 records bear one uuid: lines 1, 3.")
    again, out = mended(dump, "record-id-duplicate")
    assert findings(again) == []
    records: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    assert [r["uuid"] for r in records][:2] == ["u001", "u002"]
    assert records[3]["parentUuid"] == records[2]["uuid"] not in ("u001", "u002")


def test_a_record_that_gets_another_id_is_named_by_it() -> None:
    s = Session()
    talk(s, "one", "two", "three")
    s.lines[2] |= {"uuid": "u002"}  # type: ignore[operator]
    s.say("four", parent=None)
    again, out = mended(opened(s), *READER.judges)
    assert findings(again) == []
    records = [json.loads(line) for line in out.splitlines()]
    assert records[3]["parentUuid"] == records[2]["uuid"] != "u002"


# -- reasoning -----------------------------------------------------------------------------------------------------------------------


def thinking(text: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": text, "signature": "EqQBCkYIARgC"}


@pytest.mark.parametrize(("older", "newest", "found"), [("so", "", True), ("", "", False), ("", "so", False), ("so", "so", False)])
def test_emptied_reasoning_counts_where_other_reasoning_has_its_text(older: str, newest: str, found: bool) -> None:
    s = Session()
    s.say("one")
    s.answer(thinking(older), text_block("two"))
    s.say("three")
    s.answer(thinking(newest), text_block("four"))
    assert [f.rule for f in findings(opened(s))] == ["reasoning-emptied"] * found
    if found:
        again, out = mended(opened(s), "reasoning-emptied")
        assert findings(again) == []
        assert out.count(b"signature") == 1


# -- at random ------------------------------------------------------------------------------------------------------------------------


def slow_reach(records: list[dict[str, Any]]) -> tuple[int, int]:
    """Messages that a resume would read, and how many there are: by the letter, record by record."""
    by_uuid = {r["uuid"]: r for r in records}
    spoken = [r for r in records if "message" in r and not r.get("isApiErrorMessage")]
    at, reached = spoken[-1], []
    while at is not None:
        reached.append(at)
        at = by_uuid.get(at["parentUuid"])
    ids = {r["message"]["id"] for r in reached if "id" in r.get("message", {})}
    injected = "<local-command-stdout>"
    again = [r for r in spoken if r in reached or r["message"].get("id") in ids]
    again += [r for r in spoken if r not in again and (r.get("isMeta") or str(r["message"]["content"]).startswith(injected))]
    for r in spoken:
        answers = isinstance(r["message"]["content"], list) and r["message"]["content"][0]["type"] == "tool_result"
        if r not in again and answers and by_uuid.get(r["parentUuid"]) in again:
            again.append(r)
    first = records.index(reached[-1])
    return sum(records.index(r) >= first for r in again), len(spoken)


def linked(seed: int) -> list[dict[str, Any]]:
    """A session of one conversation whose records all have uuids; some of them lost their parents."""
    records = []
    for line in random_session(seed, branches=False, odd=False, walls=False).splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and record.get("uuid"):
            records.append(record)
    r = random.Random(seed)
    for number in range(r.randrange(3)):  # two that name one parent would be a fork
        r.choice(records)["parentUuid"] = r.choice([None, f"gone-{number}"])
    return records


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_what_is_reached_is_what_a_slow_reader_reaches(seed: int) -> None:
    records = linked(seed)
    reached, messages = slow_reach(records)
    found = findings(opened(b"\n".join(json.dumps(record).encode() for record in records)))
    broken = [f for f in found if f.rule == "resume-chain-broken"]
    beside = [f for f in found if f.rule == "resume-message-aside"]
    assert bool(found) == (reached < messages)
    if broken:
        assert broken[0].message.startswith(f"A resume would read {reached:,} of {messages:,} messages")
    elif beside:
        assert sum(int(f.message.split()[0]) if f.message[0].isdigit() else 1 for f in beside) == messages - reached


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_all_that_can_be_mended_is_mended_and_the_conversations_stay(seed: int) -> None:
    dump = opened(random_session(seed, mixed=seed % 3 == 0))
    before = findings(dump)
    try:
        again, out = mended(dump, *READER.judges)
        again = mended(again, *READER.judges)[0]  # what shared a line has one of its own now
    except RefusedError:  # a prompt that hangs on another record now may be one of a fork: that is not written
        return
    assert [f for f in findings(again) if f.fixes] == []
    if not before:
        assert out == dump.source.read(0, dump.source.size)
