"""Goose and Continue: calls in what became of them, what a compaction hides, the database, and the way back."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.edits import Cap, Change, Edit, End, HeadOf, Insert, Made, Replace, Set, Stub, drop
from app.model.errors import InspectorError
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.export import export
from app.pipeline.load import load
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import damaged, round_trip, unchanged

FORMAT = FORMATS["goose"]
HEADER = {"working_dir": "/w", "description": "A walk", "message_count": 4, "total_tokens": 100}


def message(role: str, *content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": role, "created": 1740000000, "content": list(content), **more}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def request(id: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "toolRequest", "id": id, "toolCall": {"status": "success", "value": {"name": "shell", "arguments": arguments}}}


def response(id: str, words: str = "x", **wrapped: Any) -> dict[str, Any]:
    value: Any = {"content": [text(words)], **wrapped} if wrapped else [text(words)]
    return {"type": "toolResponse", "id": id, "toolResult": {"status": "success", "value": value}}


FAILED = {"type": "toolResponse", "id": "c2", "toolResult": {"status": "error", "error": "no"}}
SAID = [
    message("user", text("go")),
    message("assistant", {"type": "thinking", "thinking": "hm", "signature": "S"}, text("I"), request("c1", a=1), request("c2")),
    message("user", response("c1", "out", isError=False), FAILED),
    message("assistant", {"type": "systemNotification", "notificationType": "inlineMessage", "msg": "note"}, text("done")),
]  # fmt: skip


def lines(*values: Any, end: str = "\n", final: bool = True) -> bytes:
    texts = [json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() for value in values]
    return end.encode().join(texts) + (end.encode() if final else b"")


def document(messages: list[Any] = SAID, **style: Any) -> bytes:
    told = {"id": "20260101_1", "working_dir": "/w", "name": "A walk", "conversation": messages, "model_config": {"model_name": "m"}}
    return json.dumps(told, **({"indent": 2} | style)).encode()


def database(path: Path, messages: list[dict[str, Any]]) -> Path:
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, working_dir TEXT, session_type TEXT,"
                     " created_at TIMESTAMP, model_config_json TEXT)")  # fmt: skip
        base.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, role TEXT,"
                     " content_json TEXT, created_timestamp INTEGER, metadata_json TEXT)")  # fmt: skip
        base.execute("INSERT INTO sessions VALUES ('s1', 'A walk', '', '/w', 'user', '2026-01-01', '{\"model_name\": \"m\"}')")
        for number, one in enumerate(messages):
            row = f"msg_{number}", one["role"], json.dumps(one["content"]), one["created"], json.dumps(one.get("metadata", {}))
            base.execute("INSERT INTO messages VALUES (NULL, ?, 's1', ?, ?, ?, ?)", row)
    base.close()
    return path


def after(transcript: Transcript, *edits: Edit) -> Transcript:
    return apply(transcript, [Change("x", "rule:x", "loses", edits)], PROVIDERS["anthropic"]).transcript


def written(data: bytes, *edits: Edit) -> list[Any]:
    dump = FORMAT.parse(Source.of(data))
    out = b"".join(FORMAT.write_plan(dump, [after(dump.transcripts[0], *edits)]).chunks())
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize("data", [lines(HEADER, *SAID), document(), json.dumps(SAID).encode()])
def test_a_session(data: bytes) -> None:
    dump = unchanged("goose", data)
    (transcript,) = dump.transcripts
    assert transcript.title == ("A walk" if b"A walk" in data else "")
    blocks = [FORMAT.block(transcript, row, dump.source) for row in transcript.order.tolist()]
    assert [block.kind for block in blocks] == [
        Kind.TEXT, Kind.REASONING, Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TOOL_RESULT, Kind.TEXT,
    ]  # fmt: skip
    assert [(block.texts, block.error, block.call_id) for block in blocks[5:7]] == [(("out",), False, "c1"), (("no",), True, "c2")]
    assert (blocks[3].name, blocks[3].texts) == ("shell", ('{"a":1}',))
    found = counts(make_view(transcript, source=dump.source))
    assert [found[k] for k in ("messages", "tool_calls", "tool_results", "orphan_results", "exchanges", "steps")] == [4, 2, 2, 0, 1, 2]
    assert detect(Source.of(data, "x"))[0].format == "goose"


def test_what_a_compaction_hides() -> None:
    hidden = [{**one, "metadata": {"userVisible": True, "agentVisible": False}} for one in SAID]
    summary = message("user", text("the summary"), metadata={"userVisible": False, "agentVisible": True})
    dump = unchanged("goose", lines(HEADER, *hidden, summary))
    (transcript,) = dump.transcripts
    assert (transcript.start, [wall.row for wall in transcript.walls], len(transcript.order)) == (8, [8], 9)


def test_a_database_is_read_from_a_copy(tmp_path: Path) -> None:
    path = database(tmp_path / "sessions.db", SAID)
    before = path.read_bytes()
    dump = load(Source.open(path))
    (transcript,) = dump.transcripts
    assert (dump.format, transcript.title, transcript.model, len(transcript.order)) == ("goose", "A walk", "m", 8)
    export(dump, dump.transcripts, tmp_path / "out.db", PROVIDERS["anthropic"], None, "prefix", allow_broken=True)
    assert (tmp_path / "out.db").read_bytes() == path.read_bytes() == before
    with pytest.raises(InspectorError, match="goose session export"):
        FORMAT.write_plan(dump, [after(transcript, drop(0))])


def test_edits_stand_where_goose_has_them() -> None:
    data = lines(HEADER, *SAID)
    value = written(data, Replace(drop(5).rows, Stub("stub")))[3]["content"][0]["toolResult"]["value"]
    assert value == {"content": [text("stub")], "isError": False}
    assert written(data, Replace(drop(6).rows, Stub("stub")))[3]["content"][1]["toolResult"] == {"status": "error", "error": "stub"}
    assert written(data, Set(3, "name", "bash"))[2]["content"][2] == {**request("c1", a=1), "toolCall": {
        "status": "success", "value": {"name": "bash", "arguments": {"a": 1}},
    }}  # fmt: skip
    assert written(data, drop(4, 6))[2:4] == [message("assistant", *SAID[1]["content"][:3]), message("user", SAID[2]["content"][0])]
    made = written(lines(HEADER, *SAID[:2]), Insert(HeadOf(3), Made(Kind.TOOL_RESULT, Role.USER, "none", call=3)))
    assert made[3] == message("user", response("c1", "none"))
    assert written(data, Insert(End(), Made(Kind.TEXT, Role.USER, "on")))[-1] == message("user", text("on"))
    long = lines(HEADER, SAID[0], message("assistant", request("c1")), message("user", response("c1", "y" * 900)))
    assert len(written(long, Replace(drop(2).rows, Cap(300)))[3]["content"][0]["toolResult"]["value"][0]["text"]) == 300


def random_messages(r: random.Random) -> list[dict[str, Any]]:
    made = []
    for number in range(r.randrange(1, 8)):
        pick = r.randrange(6)
        if pick < 2:
            made.append(message("user", *[text(r.choice(["é", "go"])) for _ in range(r.choice([1, 1, 2]))]))
        elif pick < 5:
            ids = [f"c{number}{k}" for k in range(r.choice([1, 1, 2]))]
            made.append(message("assistant", text("I ü"), *[request(id, a=r.random()) for id in ids]))
            results = [response(id, "out é", **r.choice([{}, {"isError": False}])) for id in ids if r.random() < 0.9]
            if results:
                made.append(message("user", *results))
        else:
            made.append(message("assistant", text("said")))
    return made


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same(seed: int) -> None:
    r = random.Random(seed)
    said = random_messages(r)
    if r.random() < 0.5:
        data = lines(HEADER, *said, end=r.choice(["\n", "\r\n"]), final=r.random() < 0.7)
    else:
        data = document(said, ensure_ascii=r.random() < 0.5, indent=r.choice([None, 2]))
    unchanged("goose", data)
    round_trip("goose", data, seed)


def test_damage_is_said_in_one_line_or_opened() -> None:
    damaged("goose", lines(HEADER, *SAID), 80)
    damaged("goose", document(), 80)


# -- Continue -----------------------------------------------------------------------------------------------------------------------


def item(role: str, content: Any, **more: Any) -> dict[str, Any]:
    known = ("toolCalls", "toolCallId", "signature")
    message = {"role": role, "content": content, **{key: more.pop(key) for key in known if key in more}}
    return {"message": message, "contextItems": [], **more}


CALL = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"p":1}'}}
HISTORY = [
    item("user", "go") | {"contextItems": [{"name": "a.py", "content": "print()"}]},
    item("thinking", "hm", signature="S"),
    item("assistant", "", toolCalls=[CALL, {**CALL, "id": "c2"}, {**CALL, "id": "c3"}], toolCallStates=[
        {"toolCallId": "c1", "status": "done", "output": [{"name": "out", "content": "x"}]},
        {"toolCallId": "c2", "status": "canceled"}, {"toolCallId": "c3", "status": "generated"},
    ]),
    item("tool", "x", toolCallId="c1"),
    item("assistant", [{"type": "text", "text": "done"}]),
]  # fmt: skip


def test_a_session_of_continue() -> None:
    data = json.dumps({"sessionId": "s", "title": "A walk", "workspaceDirectory": "/w", "history": HISTORY}, indent=2).encode()
    assert detect(Source.of(data, "x"))[0].format == "continue"
    dump = unchanged("continue", data)
    (transcript,) = dump.transcripts
    blocks = [FORMATS["continue"].block(transcript, row, dump.source) for row in transcript.order.tolist()]
    assert [block.kind for block in blocks] == [
        Kind.TEXT, Kind.TEXT, Kind.REASONING, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TOOL_RESULT, Kind.TEXT,
    ]  # fmt: skip
    assert [block.texts for block in blocks[6:8]] == [("x",), ("The user cancelled this tool call.",)]
    found = counts(make_view(transcript, source=dump.source))
    assert [found[k] for k in ("tool_calls", "tool_results", "unanswered_calls", "orphan_results", "exchanges")] == [3, 2, 1, 0, 1]
    assert dump.records == {"shown": 4, "hidden": 1, "unparsed": 0}
    damaged("continue", data, 100)
