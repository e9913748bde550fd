"""pi sessions: the tree, what a compaction keeps, turns that were stopped, and the way back."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.edits import After, Before, Change, Edit, HeadOf, Insert, Made, Replace, Words, drop
from app.model.errors import UnreadableError
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.edits import state
from tests.formats.logs import damaged, round_trip, unchanged

FORMAT = FORMATS["pi"]
Line = dict[str, Any] | bytes


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(id: str, name: str = "bash", **args: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": id, "name": name, "arguments": args}


def user(words: str) -> dict[str, Any]:
    return {"role": "user", "content": [text(words)], "timestamp": 1763681630791}


def assistant(*blocks: dict[str, Any], stop: str = "stop", **more: Any) -> dict[str, Any]:
    usage = {"input": 10, "output": 5, "cacheRead": 3, "cacheWrite": 2, "totalTokens": 20, "cost": {"total": 0.000025}}
    held = {"api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5", "usage": usage, "stopReason": stop}
    return {"role": "assistant", "content": list(blocks), **held, **more}


def result(id: str, words: str = "ok", error: bool = False) -> dict[str, Any]:
    return {"role": "toolResult", "toolCallId": id, "toolName": "bash", "content": [text(words)], "isError": error}


class Session:
    """Entries one after the other; each hangs on the one before it unless told."""

    def __init__(self, version: int = 3, r: random.Random | None = None) -> None:
        self.version, self.r = version, r
        header: dict[str, Any] = {"type": "session", "id": "0b7d-uuid", "timestamp": "2026-07-09T10:00:00.000Z", "cwd": "/w"}
        self.lines: list[Line] = [{**header, "version": version} if version > 1 else header]
        self.last: str | None = None
        self.count = 0

    def entry(self, type: str, parent: Any = ..., **more: Any) -> str:
        self.count += 1
        id = f"{self.count:08x}"
        stamp = f"2026-07-09T10:{self.count // 60:02d}:{self.count % 60:02d}.000Z"
        link = {"id": id, "parentId": self.last if parent is ... else parent} if self.version > 1 else {}
        self.lines.append({"type": type, **link, "timestamp": stamp, **more})
        self.last = id
        return id

    def say(self, message: dict[str, Any], parent: Any = ...) -> str:
        return self.entry("message", parent, message=message)

    def data(self, end: str = "\n", final: bool = True) -> bytes:
        style: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}
        texts = [one if isinstance(one, bytes) else json.dumps(one, **style).encode() for one in self.lines]
        return end.encode().join(texts) + (end.encode() if final else b"")


def after(transcript: Transcript, *edits: Edit) -> Transcript:
    return apply(transcript, [Change("x", "rule:x", "loses", edits)], PROVIDERS["anthropic"]).transcript


def written(text_: bytes, *edits: Edit) -> list[dict[str, Any]]:
    dump = FORMAT.parse(Source.of(text_))
    transcripts = list(dump.transcripts)
    transcripts[dump.opened] = after(transcripts[dump.opened], *edits)
    out = b"".join(FORMAT.write_plan(dump, transcripts).chunks())
    return [json.loads(line) for line in out.splitlines()]


def session() -> Session:
    s = Session()
    s.entry("model_change", provider="anthropic", modelId="claude-opus-4")
    s.say(user("go"))
    s.say(assistant({"type": "thinking", "thinking": "hm", "thinkingSignature": "sig"}, text("I look"), call("c1", command="ls")))
    s.say(result("c1", "a.txt"))
    s.say(assistant(text("done")))
    return s


def test_a_session() -> None:
    s = session()
    s.entry("session_info", name="a walk")
    dump = unchanged("pi", s.data())
    (transcript,) = dump.transcripts
    assert (transcript.id, transcript.title, transcript.model) == ("main", "a walk", "claude-sonnet-4-5")
    assert dump.records == {"shown": 4, "hidden": 3, "unparsed": 0}
    found = counts(make_view(transcript, source=dump.source))
    assert [found[k] for k in ("messages", "tool_calls", "tool_results", "unanswered_calls", "orphan_results")] == [4, 1, 1, 0, 0]
    blocks = [FORMAT.block(transcript, row, dump.source) for row in transcript.order.tolist()]
    assert [block.pointer for block in blocks] == [
        "/2/message/content/0", "/3/message/content/0", "/3/message/content/1", "/3/message/content/2", "/4/message",
        "/5/message/content/0",
    ]  # fmt: skip
    assert [block.kind for block in blocks] == [Kind.TEXT, Kind.REASONING, Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TEXT]
    assert blocks[3].texts == ('{"command":"ls"}',)
    assert dump.table.usages.input.tolist() == [15, 15]
    assert float(dump.table.records.time[2]) == 1783591202.0
    assert detect(Source.of(s.data(), "x.txt"))[0].format == "pi"


def test_a_branch_counts_what_it_alone_holds() -> None:
    s = session()
    s.say(user("left"))
    left = s.say(assistant(call("c2")))
    s.say(user("right"), parent="00000005")
    s.say(assistant(text("yes")))
    dump = unchanged("pi", s.data())
    main, branch = dump.transcripts
    assert (main.id, branch.id, branch.forks_from, branch.shared_records) == ("main", "branch-00000006", "main", 5)
    assert dump.opened == 0
    assert [t.texts for t in (FORMAT.block(main, int(main.order[r]), dump.source) for r in (-2, -1))] == [("right",), ("yes",)]
    assert FORMAT.block(branch, int(branch.order[-1]), dump.source).call_id == "c2"
    assert [counts(make_view(t))["tool_calls"] for t in (main, branch)] == [1, 1]
    assert sum(counts(make_view(t))["records"] for t in (main, branch)) == sum(dump.records.values())
    assert left


def test_a_prompt_that_names_no_parent_begins_anew() -> None:
    s = session()
    s.say(user("once more"), parent=None)
    main, branch = FORMAT.parse(Source.of(s.data())).transcripts
    assert (len(main.order), main.why, branch.forks_from, len(branch.order)) == (1, "", None, 6)


def compacted(version: int) -> Session:
    s = Session(version)
    s.say(user("one"))
    s.say(assistant(text("two")))
    kept = s.say(user("three"))
    s.say(assistant(text("four")))
    told = {"firstKeptEntryId": kept} if version > 1 else {"firstKeptEntryIndex": 3}
    s.entry("compaction", summary="sum", tokensBefore=500, **told)
    s.say(user("five"))
    return s


@pytest.mark.parametrize("version", [1, 3])
def test_a_compaction_sends_its_summary_then_what_it_keeps(version: int) -> None:
    dump = unchanged("pi", compacted(version).data())
    (transcript,) = dump.transcripts
    words = [FORMAT.block(transcript, row, dump.source).text for row in transcript.order.tolist()]
    assert (words[: transcript.start], words[transcript.start :]) == (["one", "two"], ["sum", "three", "four", "five"])
    assert [(wall.record, wall.before) for wall in transcript.walls] == [(5, 500)]


@pytest.mark.parametrize(("version", "key"), [(1, "firstKeptEntryIndex"), (3, "firstKeptEntryId")])
def test_what_a_compaction_keeps_is_kept_in_step(version: int, key: str) -> None:
    data = compacted(version).data()
    lines = written(data, drop(2))  # "three", the first that is kept
    wall = next(line for line in lines if line["type"] == "compaction")
    assert wall[key] == (3 if version == 1 else "00000004")
    lines = written(data, drop(0))
    assert next(line for line in lines if line["type"] == "compaction")[key] == (2 if version == 1 else "00000003")
    lines = written(data, Insert(Before(2), Made(Kind.TEXT, Role.USER, "between")))
    at = next(i for i, line in enumerate(lines) if line.get("message", {}).get("content") == [text("between")])
    wall = next(line for line in lines if line["type"] == "compaction")
    assert wall[key] == (at if version == 1 else lines[at]["id"])
    assert lines[at + 1]["message"]["content"] == [text("three")]
    assert ("id" in lines[at]) == (version > 1)


def test_what_hung_on_a_dropped_entry_hangs_on_the_one_above_it() -> None:
    lines = written(session().data(), drop(4, 3))
    assert [(line["id"], line["parentId"]) for line in lines[1:]] == [
        ("00000001", None), ("00000002", "00000001"), ("00000003", "00000002"), ("00000005", "00000003"),
    ]  # fmt: skip
    assert [block["type"] for block in lines[3]["message"]["content"]] == ["thinking", "text"]


def test_a_made_result_has_an_id_of_its_own() -> None:
    s = Session()
    s.say(user("go"))
    s.say(assistant(call("c1")))
    s.say(user("on"))
    data = s.data()
    lines = written(data, Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.TOOL, "[none]", call=1, error=True)))
    made = lines[3]
    assert len(made["id"]) == 8
    assert made["id"] not in {line.get("id") for line in lines[:3]}
    assert (made["parentId"], lines[4]["parentId"]) == ("00000002", made["id"])
    told = {key: made["message"][key] for key in ("role", "toolCallId", "toolName", "content", "isError")}
    assert told == {"role": "toolResult", "toolCallId": "c1", "toolName": "bash", "content": [text("[none]")], "isError": True}
    assert lines == written(data, Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.TOOL, "[none]", call=1, error=True)))


def test_a_made_answer_has_what_pi_reads() -> None:
    lines = written(session().data(), Insert(After(0), Made(Kind.TEXT, Role.ASSISTANT, "yes")))
    message = lines[3]["message"]
    assert (message["role"], message["content"], message["model"], message["stopReason"]) == (
        "assistant", [text("yes")], "claude-sonnet-4-5", "stop",
    )  # fmt: skip
    assert message["usage"]["cost"]["total"] == 0
    assert message["timestamp"] == 1783591202000


def test_version_one_has_no_ids() -> None:
    lines = written(compacted(1).data(), Insert(After(0), Made(Kind.TEXT, Role.USER, "x")), drop(1))
    assert not any("id" in line or "parentId" in line for line in lines[1:])


def test_turns_that_were_stopped() -> None:
    s = session()
    s.say(user("and now"))
    s.say(assistant(text("I"), call("c9"), stop="aborted", errorMessage="Request was aborted"))
    s.say(user("again"))
    s.say(assistant(stop="error", errorMessage='429 {"type":"error","error":{"type":"rate_limit_error"}}'))
    s.say(assistant(stop="aborted"))
    dump = unchanged("pi", s.data())
    (transcript,) = dump.transcripts
    assert [(r.status, r.text[:3]) for r in transcript.refusals] == [(429, "429")]
    view = make_view(transcript, source=dump.source)
    report = check(view, PROVIDERS["anthropic"], None, "prefix", source=dump.source)
    (found,) = [f for f in report.findings if f.rule.startswith("tool-call")]
    assert found.reason.startswith("Its turn was aborted")


def test_what_pi_makes_a_users_text_of() -> None:
    s = session()
    s.say({"role": "bashExecution", "command": "ls", "output": "a", "exitCode": 2, "cancelled": False, "truncated": False})
    s.say({"role": "bashExecution", "command": "pwd", "output": "a", "excludeFromContext": True})
    s.say({"role": "custom", "customType": "x", "content": "words", "display": True})
    s.entry("custom_message", customType="y", content=[text("more")], display=False)
    s.entry("branch_summary", fromId="00000003", summary="was there")
    dump = unchanged("pi", s.data())
    (transcript,) = dump.transcripts
    blocks = [FORMAT.block(transcript, row, dump.source) for row in transcript.order.tolist()[-4:]]
    assert [block.text for block in blocks] == ["Ran `ls`\n```\na\n```\n\nCommand exited with code 2", "words", "more", "was there"]
    assert {block.role for block in blocks} == {Role.USER}
    assert counts(make_view(transcript))["exchanges"] == 1
    lines = written(s.data(), Replace(transcript.order[-4:-3], Words("gone")))
    assert lines[6]["message"] == {"role": "user", "content": [text("gone")]}


def random_session(seed: int) -> bytes:
    r = random.Random(seed)
    s = Session(r.choice([1, 3, 3, 3]))
    if r.random() < 0.3:
        s.entry("model_change", provider="p", modelId="m")
    ids: list[str] = []
    for number in range(r.randrange(2, 10)):
        pick = r.randrange(12)
        parent = r.choice([*ids, None]) if ids and s.version > 1 and r.random() < 0.12 else ...
        if pick < 3:
            ids.append(s.say(user(r.choice(["é", "go", '"q"\u2028'])), parent))
        elif pick < 7:
            calls = [f"c{number}{k}" for k in range(r.choice([1, 1, 2]))]
            blocks = [text("I")] if r.random() < 0.5 else []
            ids.append(s.say(assistant(*blocks, *(call(id, a=r.random()) for id in calls)), parent))
            ids += [s.say(result(id, "out é", r.random() < 0.2)) for id in calls if r.random() < 0.9]
        elif pick == 7:
            ids.append(s.say(assistant(text("said"), stop=r.choice(["stop", "error"]), errorMessage="400 no"), parent))
        elif pick == 8:
            ran = {"role": "bashExecution", "command": "ls", "output": ""}
            s.say(r.choice([ran, {"role": "custom", "customType": "x", "content": "c"}]))
        elif pick == 9 and ids:
            kept = {"firstKeptEntryId": r.choice(ids)} if s.version > 1 else {"firstKeptEntryIndex": r.randrange(1, s.count + 1)}
            s.entry("compaction", summary="sum é", tokensBefore=5, **kept)
        elif pick == 10:
            s.entry("label", targetId="00000001", label="x")
        else:
            s.lines.append(r.choice([b"{torn", b"[1]", b"", b"  "]))
    return s.data(r.choice(["\n", "\r\n"]), r.random() < 0.7)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same(seed: int) -> None:
    data = random_session(seed)
    unchanged("pi", data)
    round_trip("pi", data, seed, takes=_takes, leaf=True)


def _takes(transcript: Transcript, edit: Edit) -> bool:
    """Nothing is sent in front of a summary: pi sends it first."""
    place = edit.place if isinstance(edit, Insert) else None
    return not (isinstance(place, Before) and bool(transcript.table.flags[place.row] & Flag.SUMMARY))


def test_damage_is_said_in_one_line_or_opened() -> None:
    s = compacted(3)
    s.say(assistant(call("c1"), stop="error", errorMessage="400"))
    damaged("pi", s.data(), 150)
    with pytest.raises(UnreadableError):
        FORMAT.parse(Source.of(b"\n"))


def test_states_are_compared_with_something_in_them() -> None:
    dump = FORMAT.parse(Source.of(session().data()))
    assert len(state(dump, dump.transcripts[0])) == 6
