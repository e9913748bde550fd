"""Claude Code's web export and its stream: sessions, subagents, compactions, refusals, and the way back."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.edits import Change, Edit, End, HeadOf, Insert, Made, Move, Replace, Stub, drop
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import damaged, round_trip, unchanged

WEB, STREAM = "claude-code-web", "claude-stream-json"


def event(type: str, content: Any, number: int, **more: Any) -> dict[str, Any]:
    """A line of the stream."""
    message: dict[str, Any] = {"role": type, "content": content}
    if type == "assistant":
        usage = {"input_tokens": 3, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 1, "output_tokens": 5}
        message = {"model": "claude-x", "id": f"msg_{number // 10}", "type": "message", **message, "usage": usage}
    return {"type": type, "message": message, "parent_tool_use_id": None, "session_id": "s-1", "uuid": f"u{number}"} | more


def call(id: str, **input: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": id, "name": "Read", "input": input}]


def result(id: str, text: str = "x") -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": id, "content": text}]


INIT = {"type": "system", "subtype": "init", "session_id": "s-1", "tools": ["Read"], "model": "claude-x", "uuid": "u0"}
STREAMED = [
    INIT,
    event("user", "go", 1),
    {"type": "stream_event", "event": {"type": "message_start"}, "session_id": "s-1", "uuid": "u2", "parent_tool_use_id": None},
    event("assistant", [{"type": "thinking", "thinking": "hm", "signature": "S"}], 10),
    event("assistant", call("t1", path="a"), 11),
    event("user", "look", 12, parent_tool_use_id="t1"),
    event("assistant", call("t2"), 20, parent_tool_use_id="t1"),
    event("user", result("t2"), 21, parent_tool_use_id="t1", tool_use_result={"stdout": "x"}),
    event("user", result("t1"), 22, tool_use_result="x"),
    event("assistant", [{"type": "text", "text": "done"}], 30),
    {"type": "result", "subtype": "success", "is_error": False, "num_turns": 2, "session_id": "s-1", "usage": {}, "uuid": "u9"},
]


def lines(values: list[Any], end: str = "\n", final: bool = True) -> bytes:
    texts = [v if isinstance(v, bytes) else json.dumps(v, separators=(",", ":"), ensure_ascii=False).encode() for v in values]
    return end.encode().join(texts) + (end.encode() if final else b"")


def record(type: str, content: Any, number: int = 0, **more: Any) -> dict[str, Any]:
    """An element of the web's export."""
    return {"type": type, "timestamp": f"2026-01-01T10:00:{number:02d}.000Z", "message": {"role": type, "content": content}, **more}


def web(values: list[Any], **style: Any) -> bytes:
    return json.dumps({"loglines": values}, **({"indent": 2} | style)).encode()


def after(transcript: Transcript, *edits: Edit) -> Transcript:
    return apply(transcript, [Change("x", "rule:x", "loses", edits)], PROVIDERS["anthropic"]).transcript


def written(name: str, data: bytes, *edits: Edit, index: int = 0) -> bytes:
    dump = FORMATS[name].parse(Source.of(data))
    edited = [after(t, *edits) if t.index == index else t for t in dump.transcripts]
    return b"".join(FORMATS[name].write_plan(dump, edited).chunks())


def test_a_stream() -> None:
    dump = unchanged(STREAM, lines(STREAMED))
    main, side = dump.transcripts
    assert [(t.id, t.model, t.subagent, len(t.order)) for t in dump.transcripts] == [
        ("main", "claude-x", False, 5), ("sidechain-t1", "claude-x", True, 3),
    ]  # fmt: skip
    found = [counts(make_view(t, source=dump.source)) for t in (main, side)]
    assert [[c[k] for k in ("tool_calls", "tool_results", "exchanges", "steps")] for c in found] == [[1, 1, 1, 2], [1, 1, 1, 1]]
    assert dump.records == {"shown": 8, "hidden": 3, "unparsed": 0}
    assert dump.table.usages.message.tolist() == [2, 4, 7]  # the parts of one message repeat what it cost: the last one counts
    assert dump.table.usages.input.tolist() == [24, 24, 24]
    assert dump.table.flags[side.order[0]] & Flag.PROMPT
    block = FORMATS[STREAM].block(side, int(side.order[2]), dump.source)
    assert (block.pointer, block.texts) == ("/7/message/content/0", ("x",))
    assert detect(Source.of(lines(STREAMED), "x"))[0].format == STREAM


def test_a_list_of_them() -> None:
    data = json.dumps(STREAMED, indent=1).encode()
    dump = unchanged(STREAM, data)
    assert detect(Source.of(data, "x"))[0].format == STREAM
    assert [len(t.order) for t in dump.transcripts] == [5, 3]
    assert FORMATS[STREAM].block(dump.transcripts[0], 0, dump.source).pointer == "/1/message/content"


def test_others_are_not_taken() -> None:
    droid = [{"type": "system", "session_id": "s", "cwd": "/"}, {"type": "message", "session_id": "s", "role": "user", "text": "go"}]
    assert FORMATS[STREAM].sniff(lines(droid), "x", True) is None
    log = [{"type": "user", "uuid": "a", "parentUuid": None, "sessionId": "s", "message": {"role": "user", "content": "go"}}] * 2
    assert FORMATS[STREAM].sniff(lines(log), "x", True) is None


def test_what_stops_a_stream() -> None:
    refused = event("assistant", [{"type": "text", "text": "API Error: 529 Overloaded"}], 40, error="server_error")
    refused["message"]["model"] = "<synthetic>"
    bound = {"type": "system", "subtype": "compact_boundary", "compact_metadata": {"pre_tokens": 900}, "session_id": "s-1"}
    dump = unchanged(STREAM, lines([*STREAMED[:5], bound, event("user", "sum", 41, isSynthetic=True), refused]))
    (main,) = dump.transcripts
    assert (main.start, [(w.row, w.before) for w in main.walls]) == (3, [(3, 900)])
    assert [(r.status, r.text) for r in main.refusals] == [(529, "Overloaded")]
    assert dump.table.flags[3] & Flag.INJECTED


def test_sessions_are_told_apart() -> None:
    dump = unchanged(STREAM, lines([INIT, event("user", "go", 1), event("user", "on", 2, session_id="s-2"), b"{torn"]))
    assert [t.id for t in dump.transcripts] == ["session-s-1", "session-s-2"]
    assert dump.records == {"shown": 2, "hidden": 1, "unparsed": 1}


def test_the_web_export() -> None:
    told = [
        record("user", "go"), record("assistant", call("t1"), 1), record("user", result("t1"), 2),
        record("user", "This session is being continued", 3, isCompactSummary=True),
        record("assistant", [{"type": "text", "text": "on"}], 4),
        record("assistant", call("t2"), 5, isSidechain=True, agentId="a1"), {"type": "summary", "summary": "x"},
    ]  # fmt: skip
    dump = unchanged(WEB, web(told))
    main, side = dump.transcripts
    assert (main.id, main.start, len(main.order), side.id, side.subagent) == ("main", 3, 5, "sidechain-a1", True)
    assert dump.table.flags[3] & Flag.SUMMARY
    assert FORMATS[WEB].block(main, 1, dump.source).pointer == "/loglines/1/message/content/0"
    assert detect(Source.of(web(told), "x"))[0].format == WEB


def test_edits_stand_in_records_like_those_around_them() -> None:
    out = written(STREAM, lines(STREAMED), Replace(drop(6).rows, Stub("stub"))).splitlines()
    assert json.loads(out[8]) == event("user", result("t1", "stub"), 22)
    cut = [line for line in STREAMED if line is not STREAMED[8]]
    out = written(STREAM, lines(cut), Insert(HeadOf(2), Made(Kind.TOOL_RESULT, Role.USER, "none", call=2))).splitlines()
    made = json.loads(next(line for line in out if b'"none"' in line))
    assert (made["type"], made["message"], made["session_id"]) == ("user", {"role": "user", "content": result("t1", "none")}, "s-1")
    assert made["uuid"] not in [line.get("uuid") for line in cut]
    chain = [record("user", "go", uuid="a", parentUuid=None), record("assistant", call("t1"), uuid="b", parentUuid="a"),
             record("user", "on", uuid="c", parentUuid="b")]  # fmt: skip
    out = json.loads(written(WEB, web(chain), drop(1)))["loglines"]
    assert [(one["uuid"], one["parentUuid"]) for one in out] == [("a", None), ("c", "a")]
    out = json.loads(written(WEB, web(chain), Insert(End(), Made(Kind.TEXT, Role.USER, "more"))))["loglines"]
    assert (out[3]["type"], out[3]["message"]["content"], out[3]["timestamp"]) == ("user", "more", chain[2]["timestamp"])


def random_records(r: random.Random, make: Any) -> list[dict[str, Any]]:
    made = []
    for number in range(0, 20 * r.randrange(1, 6), 20):
        pick = r.randrange(5)
        if pick < 2:
            made.append(make("user", r.choice(["é", "go", [{"type": "text", "text": "p"}]]), number))
        else:
            made.append(make("assistant", [{"type": "text", "text": "I ü"}], number))
            if pick > 2:
                made.append(make("assistant", call(f"t{number}", a=r.random()), number + 1))
                if r.random() < 0.8:
                    made.append(make("user", result(f"t{number}"), number + 2))
    return made


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same(seed: int) -> None:
    r = random.Random(seed)
    data = lines([INIT, *random_records(r, event)], r.choice(["\n", "\r\n"]), r.random() < 0.7)
    unchanged(STREAM, data)
    round_trip(STREAM, data, seed, takes=lambda _, edit: not isinstance(edit, Move))
    style: dict[str, Any] = r.choice([{"indent": 2}, {"indent": None}])
    data = web(random_records(r, lambda t, c, n: record(t, c, n % 60)), **style)
    unchanged(WEB, data)
    round_trip(WEB, data, seed, takes=lambda _, edit: not isinstance(edit, Move))


@pytest.mark.parametrize(("name", "data"), [(STREAM, lines(STREAMED)), (WEB, web([record("user", "go"), record("assistant", call("t1"))]))])
def test_damage_is_said_in_one_line_or_opened(name: str, data: bytes) -> None:
    damaged(name, data, 80)
