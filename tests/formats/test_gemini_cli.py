"""Gemini CLI sessions: results inside calls, lines that are replayed, and the way back."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.edits import After, Change, Edit, HeadOf, Insert, Made, Move, Replace, Set, Stub, drop
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import damaged, round_trip, unchanged

FORMAT = FORMATS["gemini-cli"]
HEAD = {"sessionId": "s-1", "projectHash": "ab", "startTime": "2026-01-16T18:34:00.000Z", "lastUpdated": "2026-01-16T18:34:10.000Z"}


def message(id: str, type: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": "2026-01-16T18:34:01.000Z", "type": type, "content": content, **more}


def response(id: str, text: str) -> list[dict[str, Any]]:
    return [{"functionResponse": {"id": id, "name": "read", "response": {"output": text}}}]


def entry(id: str, text: str | None = "ok", status: str = "success", **args: Any) -> dict[str, Any]:
    made = {"id": id, "name": "read", "args": args, "status": status, "timestamp": "2026-01-16T18:34:02.000Z"}
    return {**made, "result": None if text is None else response(id, text), "resultDisplay": text}


TOKENS = {"input": 10, "output": 5, "cached": 4, "thoughts": 2, "tool": 0, "total": 17}
MESSAGES = [
    message("m1", "user", "go"),
    message("m2", "info", "checking"),
    message(
        "m3", "gemini", "I look", thoughts=[{"subject": "Plan", "description": "read"}], tokens=TOKENS, model="gemini-2.5-pro",
        toolCalls=[entry("c1", "a", path="x"), entry("c2", None, "cancelled")],
    ),
    message("m4", "error", "[API Error: 429 too many]"),
    message("m5", "user", [{"text": "on"}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]),
]  # fmt: skip


def document(messages: list[Any] = MESSAGES, **more: Any) -> bytes:
    return json.dumps({**HEAD, "messages": messages, **more}, indent=2).encode()


def lines(*values: Any, end: str = "\n", final: bool = True) -> bytes:
    texts = [v if isinstance(v, bytes) else json.dumps(v, separators=(",", ":"), ensure_ascii=False).encode() for v in values]
    return end.encode().join(texts) + (end.encode() if final else b"")


def after(transcript: Transcript, *edits: Edit) -> Transcript:
    return apply(transcript, [Change("x", "rule:x", "loses", edits)], PROVIDERS["gemini"]).transcript


def written(data: bytes, *edits: Edit) -> bytes:
    dump = FORMAT.parse(Source.of(data))
    return b"".join(FORMAT.write_plan(dump, [after(dump.transcripts[0], *edits), *dump.transcripts[1:]]).chunks())


def words(data: bytes, index: int = 0) -> list[str]:
    dump = FORMAT.parse(Source.of(data))
    transcript = dump.transcripts[index]
    return [FORMAT.block(transcript, row, dump.source).text for row in transcript.order.tolist()]


@pytest.mark.parametrize("data", [document(summary="a walk"), lines({**HEAD, "summary": "a walk"}, *MESSAGES)])
def test_a_session(data: bytes) -> None:
    dump = unchanged("gemini-cli", data)
    (transcript,) = dump.transcripts
    assert (transcript.title, transcript.model) == ("a walk", "gemini-2.5-pro")
    found = counts(make_view(transcript, source=dump.source))
    assert [found[k] for k in ("messages", "tool_calls", "tool_results", "unanswered_calls", "orphan_results")] == [4, 2, 1, 1, 0]
    blocks = [FORMAT.block(transcript, row, dump.source) for row in transcript.order.tolist()]
    kinds = [Kind.TEXT, Kind.REASONING, Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TEXT, Kind.MEDIA]
    assert [block.kind for block in blocks] == kinds
    place = "/messages/2" if data[:2] == b"{\n" else "/3"
    assert [block.pointer for block in blocks[1:6]] == [
        f"{place}/{rest}" for rest in ("thoughts/0", "content", "toolCalls/0", "toolCalls/1", "toolCalls/0/result")
    ]
    assert (blocks[5].texts, blocks[5].call_id, blocks[5].role) == (("a",), "c1", Role.USER)
    assert [(r.status, r.after) for r in transcript.refusals] == [(429, 5)]
    assert (dump.table.usages.input.tolist(), dump.table.usages.output.tolist()) == ([10], [7])
    assert detect(Source.of(data, "x"))[0].format == "gemini-cli"


def test_a_checkpoint_is_contents() -> None:
    history = [{"role": "user", "parts": [{"text": "go"}]}, {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}]
    data = json.dumps({"history": history, "authType": "x"}).encode()
    dump = unchanged("gemini-cli", data)
    assert counts(make_view(dump.transcripts[0]))["tool_calls"] == 1
    out = json.loads(written(data, Insert(HeadOf(1), Made(Kind.TOOL_RESULT, Role.USER, "none", call=1))))
    assert out["history"][2] == {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"output": "none"}}}]}


def test_the_last_of_a_message_written_twice_stands() -> None:
    twice = [message("m3", "gemini", "", toolCalls=[entry("c1", text)]) for text in (None, "ok")]
    data = lines(HEAD, MESSAGES[0], *twice)
    dump = unchanged("gemini-cli", data)
    assert dump.records == {"shown": 2, "hidden": 2, "unparsed": 0}
    found = counts(make_view(dump.transcripts[0]))
    assert (found["tool_calls"], found["tool_results"], found["records"]) == (1, 1, 4)
    out = written(data, Replace(dump.transcripts[0].order[-1:], Stub("stub"))).splitlines()
    assert out[2] == out[3]
    assert b'"resultDisplay"' not in out[3]
    assert written(data, drop(*dump.transcripts[0].order[1:].tolist())) == lines(HEAD, MESSAGES[0])


def test_a_rewind_takes_back() -> None:
    three = [message(f"m{n}", "user", f"w{n}") for n in range(1, 5)]
    data = lines(HEAD, *three[:3], {"$rewindTo": "m2"}, three[3])
    dump = unchanged("gemini-cli", data)
    assert [words(data, i) for i in (0, 1)] == [["w1", "w4"], ["w1", "w2", "w3"]]
    assert (dump.transcripts[1].forks_from, dump.transcripts[1].shared_records) == ("main", 1)
    edited = [dump.transcripts[0], after(dump.transcripts[1], drop(1))]
    out = b"".join(FORMAT.write_plan(dump, edited).chunks())
    assert json.loads(out.splitlines()[3]) == {"$rewindTo": "m3"}
    edited = [dump.transcripts[0], after(dump.transcripts[1], drop(1, 2))]
    assert b"".join(FORMAT.write_plan(dump, edited).chunks()) == lines(HEAD, three[0], three[3])


def test_a_new_list_is_a_wall() -> None:
    three = [message(f"m{n}", "user", f"w{n}") for n in range(1, 5)]
    data = lines(HEAD, *three[:2], {"$set": {"messages": [message("s", "user", "sum"), three[1]], "lastUpdated": "x"}}, three[3])
    dump = unchanged("gemini-cli", data)
    (transcript,) = dump.transcripts
    assert (words(data)[: transcript.start], words(data)[transcript.start :]) == (["w1"], ["sum", "w2", "w4"])
    assert len(transcript.walls) == 1
    pointers = [FORMAT.block(transcript, row, dump.source).pointer for row in transcript.order.tolist()]
    assert pointers == ["/1/content", "/3/$set/messages/0/content", "/3/$set/messages/1/content", "/4/content"]
    row = int(transcript.order[2])
    out = written(data, Set(row, "text", "other"), Insert(After(row), Made(Kind.TEXT, Role.USER, "made")))
    assert words(out) == ["w1", "sum", "other", "made", "w4"]
    assert json.loads(out.splitlines()[2])["content"] == "other"
    assert json.loads(out.splitlines()[3])["$set"]["lastUpdated"] == "x"


def test_a_made_result_goes_into_its_call() -> None:
    out = json.loads(written(document(), Insert(HeadOf(4), Made(Kind.TOOL_RESULT, Role.USER, "none", call=4, error=True))))
    made = out["messages"][2]["toolCalls"][1]["result"]
    assert made == [{"functionResponse": {"id": "c2", "name": "read", "response": {"error": "none"}}}]
    assert out["messages"][:2] + out["messages"][3:] == MESSAGES[:2] + MESSAGES[3:]


def test_a_result_apart_from_its_call_is_a_message() -> None:
    out = json.loads(written(document(), drop(3)))
    assert [c["id"] for c in out["messages"][2]["toolCalls"]] == ["c2"]
    made = out["messages"][3]
    assert (made["type"], made["content"], len(made["id"])) == ("user", response("c1", "a"), 36)
    out = json.loads(written(document(), drop(5)))
    first = out["messages"][2]["toolCalls"][0]
    assert first["result"] is None
    assert "resultDisplay" not in first


def random_messages(r: random.Random) -> list[dict[str, Any]]:
    made = []
    for number in range(r.randrange(1, 8)):
        pick = r.randrange(7)
        if pick < 2:
            made.append(message(f"m{number}", "user", r.choice(["é", "go", [{"text": "p"}, {"text": "q"}]])))
        elif pick < 5:
            calls = [entry(f"c{number}{k}", r.choice(["out é", None]), a=r.random()) for k in range(r.choice([1, 1, 2]))]
            thoughts = [{"subject": "s", "description": "d"}] if r.random() < 0.4 else []
            made.append(message(f"m{number}", "gemini", r.choice(["", "I", [{"text": "p"}]]), toolCalls=calls, thoughts=thoughts))
        elif pick == 5:
            made.append(message(f"m{number}", "gemini", "said"))
        else:
            made.append(message(f"m{number}", r.choice(["info", "error"]), "note"))
    return made


def random_session(seed: int) -> bytes:
    r = random.Random(seed)
    messages = random_messages(r)
    if r.random() < 0.4:
        style: dict[str, Any] = r.choice([{"indent": 2}, {"indent": 4}, {"separators": (",", ":")}])
        return json.dumps({**HEAD, "messages": messages}, ensure_ascii=r.random() < 0.5, **style).encode()
    out: list[Any] = [HEAD]
    for one in messages:
        if one["type"] == "gemini" and r.random() < 0.4:
            out.append({**one, "content": "", "toolCalls": []})
        out.append(one)
        if r.random() < 0.1:
            out.append(r.choice([b"{torn", b"", {"$set": {"lastUpdated": "y"}}]))
        if r.random() < 0.08:
            out.append({"$rewindTo": r.choice(messages)["id"]})
        if r.random() < 0.08:
            out.append({"$set": {"messages": [message(f"s{len(out)}", "user", "sum"), one]}})
    return lines(*out, end=r.choice(["\n", "\r\n"]), final=r.random() < 0.7)


def _takes(transcript: Transcript, edit: Edit) -> bool:
    """A result that stands before its call, or a move of one, says nothing here: results stand in their calls."""
    return not (isinstance(edit, Move) and transcript.table.kind[edit.row] == Kind.TOOL_RESULT)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same(seed: int) -> None:
    data = random_session(seed)
    unchanged("gemini-cli", data)
    round_trip("gemini-cli", data, seed, takes=_takes, inside=True)


def test_damage_is_said_in_one_line_or_opened() -> None:
    damaged("gemini-cli", document(), 120)
    damaged("gemini-cli", lines(HEAD, *MESSAGES, {"$set": {"messages": MESSAGES[2:3]}}, {"$rewindTo": "m3"}), 120)


def test_a_session_in_which_nothing_was_said_yet_opens() -> None:
    dump = unchanged("gemini-cli", document([]))
    assert [len(one.order) for one in dump.transcripts] == [0]
