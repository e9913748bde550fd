"""What Codex would make of a rollout when it resumes: what is found, and what mends it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.findings import Finding
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.diff import difference
from app.pipeline.repair import repair
from app.pipeline.shared_rows import agreed
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from app.readers import READERS
from tests.formats.test_codex import call, data, line, output, said

OPENAI, READER, FORMAT = PROVIDERS["openai-responses"], READERS["codex"], FORMATS["codex"]
ID = "019fbcca-9fd4-7d20-83dc-0762b2f839b3"
META = line("session_meta", {"id": ID, "cwd": "/w", "cli_version": "0.146.0"})


def item(payload: dict[str, Any], second: int = 1) -> dict[str, Any]:
    return line("response_item", payload, second)


WHOLE = [META, item(said("user", "go")), item(call("c1", cmd="ls")), item(output("c1", "a.txt")), item(said("assistant", "done"))]


def opened(lines: list[Any], **style: Any) -> Dump:
    return FORMAT.parse(Source.of(data(lines, **style), "rollout.jsonl"))


def findings(dump: Dump, index: int = 0) -> list[Finding]:
    transcript = dump.transcripts[index]
    report = check(make_view(transcript, source=dump.source), OPENAI, transcript.model, "prefix", dump)
    found = [finding for finding in report.findings if finding.rule in READER.judges]
    assert all(finding.severity != "error" for finding in found)
    return found


def told(dump: Dump, index: int = 0) -> list[tuple[str, str, str]]:
    return [(f.rule.removeprefix("resume-"), f.severity, f.at) for f in findings(dump, index)]


def mended(dump: Dump, *rules: str) -> tuple[Dump, bytes, list[bytes]]:
    transcripts = [repair(t, dump, OPENAI, t.model, "prefix", "none", rules)[1] for t in dump.transcripts]
    writing = FORMAT.write_plan(dump, agreed(dump, transcripts))
    out = b"".join(writing.chunks())
    again = FORMAT.parse(Source.of(out, "rollout.jsonl"))
    assert difference(dump, transcripts, again) is None
    for transcript in again.transcripts:
        assert not repair(transcript, again, OPENAI, transcript.model, "prefix", "none", rules)[0].passes
    return again, out, writing.aside


def test_a_whole_rollout_is_resumed() -> None:
    assert told(opened(WHOLE)) == []


@pytest.mark.parametrize("id", [None, "s-1", "[trimmed for fixture]", 7])
def test_without_an_id_of_a_session_nothing_is_resumed(id: Any) -> None:
    dump = opened([line("session_meta", {"id": id, "cwd": "/w"}), *WHOLE[1:]])
    assert told(dump) == [("header-missing", "warning", "/0")]
    assert not findings(dump)[0].fixes
    assert told(opened([*WHOLE[1:], META])) == []  # the first that there is, wherever it stands


def test_a_line_that_was_cut_off_is_taken_out_and_kept_beside() -> None:
    dump = opened([*WHOLE, b'{"timestamp":"2026-02-01T10:00:0'], final=False)
    assert told(dump) == [("line-unreadable", "warning", "/5")]
    again, out, aside = mended(dump, "resume-line-unreadable")
    assert out == data(WHOLE)
    assert aside == [b'{"timestamp":"2026-02-01T10:00:0']
    assert told(again) == []


def test_a_line_in_the_middle() -> None:
    dump = opened([*WHOLE[:2], b"\x00\x00", *WHOLE[2:]])
    assert told(dump) == [("line-unreadable", "warning", "/2")]
    assert mended(dump, "resume-line-unreadable")[1] == data(WHOLE)


@pytest.mark.parametrize(
    ("payload", "wrong"),
    [
        ({"role": "user", "content": [{"type": "input_text", "text": "x"}]}, "its payload has no `type`"),
        ({"type": "message", "role": "user", "content": "x"}, "no list"),
        ({"type": "function_call", "name": "shell", "call_id": "c9", "arguments": {"a": 1}}, "no string"),
    ],
)
def test_a_record_that_codex_does_not_write_is_passed_over(payload: dict[str, Any], wrong: str) -> None:
    found = [finding for finding in findings(opened([*WHOLE, item(payload)])) if finding.rule == "resume-record-unread"]
    assert [(f.at, wrong in f.message, f.fixes) for f in found] == [("/5", True, ())]


def test_a_missing_timestamp_is_that_of_the_record_before() -> None:
    bare = dict(WHOLE[4])
    del bare["timestamp"]
    dump = opened([*WHOLE[:4], bare])
    assert told(dump) == [("record-unread", "warning", "/4")]
    again, out, _ = mended(dump, "resume-record-unread")
    assert json.loads(out.splitlines()[4]) == {**bare, "timestamp": WHOLE[3]["timestamp"]}
    assert out.splitlines()[:4] == data(WHOLE).splitlines()[:4]
    assert told(again) == []


def test_items_of_files_before_the_envelope() -> None:
    head = {"id": ID, "timestamp": "2025-05-07T17:24:21.597Z", "instructions": None}
    dump = opened([head, {"record_type": "state"}, said("user", "go"), said("assistant", "done")])
    assert told(dump) == [("header-missing", "warning", "/0"), ("record-unread", "warning", "/2"), ("record-unread", "warning", "/3")]


def test_calls_without_an_output_are_answered_aborted() -> None:
    lines = [META, item(said("user", "go")), item(call("c1")), item(call("c2")), item(output("c2", "x")), item(output("c9", "lost")),
             item(said("user", "and")), item(call("c3"))]  # fmt: skip
    dump = opened(lines)
    assert told(dump) == [
        ("call-aborted", "warning", "/2/payload"), ("call-aborted", "warning", "/5/payload"), ("call-aborted", "note", "/7/payload"),
    ]  # fmt: skip
    assert "“aborted”" in findings(dump)[0].message
    assert [fix.effect for fix in findings(dump)[0].fixes] == ["exact", "adds"]  # an output waits, of a call that is not there
    assert [fix.effect for fix in findings(dump)[2].fixes] == ["adds"]
    assert not findings(dump)[1].fixes
    again, out, _ = mended(dump, "resume-call-aborted")
    assert told(again) == []
    assert out.count(b"no result recorded") == 1


def test_custom_tools_and_shells_too_and_what_the_server_runs_not() -> None:
    lines = [META, item(said("user", "go")), item({"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": "x"}),
             item({"type": "local_shell_call", "call_id": "c2", "action": {"type": "exec", "command": ["ls"]}}),
             item({"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "x"}}),
             item({"type": "tool_search_call", "call_id": "c4", "execution": "server", "arguments": {}}),
             item(said("user", "and"))]  # fmt: skip
    assert told(opened(lines)) == [("call-aborted", "warning", "/2/payload"), ("call-aborted", "warning", "/3/payload")]


KEPT = [said("user", "go"), {"type": "compaction", "encrypted_content": "gAAA"}]


@pytest.mark.parametrize(("payload", "words"), [
    ({"message": "", "replacement_history": KEPT}, "2 items that line 6"),
    ({"message": "what was said"}, "the person's messages and the summary of line 6"),
])  # fmt: skip
def test_a_compaction_stands_for_what_is_before_it(payload: dict[str, Any], words: str) -> None:
    dump = opened([*WHOLE, line("compacted", payload, 2), item(said("user", "on"), 3)])
    assert told(dump) == [("history-replaced", "note", "/5")]
    assert words in findings(dump)[0].message


ENVIRONMENT = "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"


def back(turns: int) -> dict[str, Any]:
    return line("event_msg", {"type": "thread_rolled_back", "num_turns": turns}, 9)


def texts(dump: Dump, index: int) -> list[str]:
    transcript = dump.transcripts[index]
    return [FORMAT.block(transcript, row, dump.source).text for row in transcript.order.tolist()]


def test_turns_that_were_taken_back_are_a_branch() -> None:
    turn = [item(said("user", ENVIRONMENT)), item(said("user", "two")), item(call("c2")), item(said("assistant", "no"))]
    dump = opened([*WHOLE, *turn, back(1), item(said("user", "three"))])
    main, branch = dump.transcripts
    assert (dump.opened, branch.id, branch.forks_from, branch.shared_records) == (0, f"{ID}~1", ID, 4)
    assert texts(dump, 0) == ["go", '{"cmd": "ls"}', "a.txt", "done", "three"]
    assert texts(dump, 1)[4:] == [ENVIRONMENT, "two", "{}", "no"]
    assert told(dump) == told(dump, 1) == []  # the open call was taken back
    assert [int(branch.own().sum()), int(main.own().sum())] == [4, 5]


@pytest.mark.parametrize(("turns", "left"), [(0, 3), (1, 2), (2, 1), (3, 0), (9, 0)])
def test_as_many_turns_as_are_said(turns: int, left: int) -> None:
    talk = [piece for n in range(3) for piece in (item(said("user", f"q{n}")), item(said("assistant", f"a{n}")))]
    dump = opened([META, item(said("user", ENVIRONMENT)), *talk, back(turns)])
    assert texts(dump, 0) == [ENVIRONMENT, *(text for n in range(left) for text in (f"q{n}", f"a{n}"))]
    assert len(dump.transcripts) == (2 if turns else 1)


def test_taken_back_twice_and_behind_a_compaction() -> None:
    lines = [META, item(said("user", "one")), item(said("user", "two")), back(1), item(said("user", "three")), back(1),
             line("compacted", {"message": "s", "replacement_history": []}, 2), item(said("user", "four")), back(3)]  # fmt: skip
    dump = opened(lines)
    assert [texts(dump, index) for index in range(4)] == [["one"], ["one", "two"], ["one", "three"], ["one", "four"]]
    assert (dump.transcripts[0].start, dump.transcripts[3].start) == (1, 1)
    assert b"".join(FORMAT.write_plan(dump, dump.transcripts).chunks()) == data(lines)
