"""Cline and Roo Code: the conversation as it is sent, the SDK's session, the screen's log, and the way back."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.edits import Change, Edit, End, HeadOf, Insert, Made, Move, Set, drop
from app.model.errors import InspectorError
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import damaged, round_trip, unchanged

API, SDK, UI = "cline-roo-api-history", "cline-sdk-session", "cline-roo-ui-messages"


def message(role: str, content: Any, ts: int = 1000, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "ts": ts, **more}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


CALL = {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "a"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}
FILE = {"type": "file", "path": "/a.py", "content": "print()"}
TASK = [
    message("user", [text("<task>\ngo\n</task>"), text("<environment_details>\n.\n</environment_details>")]),
    message("assistant", [text("I read"), CALL], 2000),
    message("user", [RESULT, FILE], 3000),
    {"type": "reasoning", "summary": [], "encrypted_content": "xx", "ts": 3500},
    message("assistant", "done", 4000),
]
SESSION = {
    "version": 1, "updated_at": "2026-01-01", "agent": "lead", "sessionId": "s",
    "messages": [
        {"id": "m1", **message("user", [text("go"), FILE])},
        {"id": "m2", **message("assistant", [text("I read"), CALL], 2000, modelInfo={"id": "claude-x"},
                               metrics={"inputTokens": 100, "outputTokens": 7, "cacheReadTokens": 60, "cacheWriteTokens": 10})},
        {"id": "m3", **message("user", [{**RESULT, "name": "read_file"}], 3000)},
    ],
    "system_prompt": "You are Cline.",
}  # fmt: skip


def dumped(value: Any, **style: Any) -> bytes:
    return json.dumps(value, **({"indent": "\t"} | style)).encode()


def after(transcript: Transcript, *edits: Edit) -> Transcript:
    return apply(transcript, [Change("x", "rule:x", "loses", edits)], PROVIDERS["anthropic"]).transcript


def written(name: str, data: bytes, *edits: Edit) -> Any:
    dump = FORMATS[name].parse(Source.of(data))
    return json.loads(b"".join(FORMATS[name].write_plan(dump, [after(dump.transcripts[0], *edits)]).chunks()))


def test_a_task() -> None:
    dump = unchanged(API, dumped(TASK))
    (transcript,) = dump.transcripts
    found = counts(make_view(transcript, source=dump.source))
    assert [found[k] for k in ("records", "messages", "tool_calls", "tool_results", "exchanges", "steps")] == [5, 5, 1, 1, 1, 2]
    blocks = [FORMATS[API].block(transcript, row, dump.source) for row in transcript.order.tolist()]
    assert [(b.kind, b.texts) for b in blocks[4:]] == [
        (Kind.TOOL_RESULT, ("x",)), (Kind.TEXT, ("print()",)), (Kind.REASONING, ()), (Kind.TEXT, ("done",)),
    ]  # fmt: skip
    assert (blocks[5].pointer, blocks[5].value, blocks[6].pointer) == ("/2/content/1", FILE, "/3")
    assert dump.table.records.time.tolist() == [1, 2, 3, 3.5, 4]
    assert dump.table.flags[1] & Flag.INJECTED


OLD = [{"role": "user", "content": TASK[0]["content"]}]


@pytest.mark.parametrize("values", [TASK, [message("user", "hi"), message("assistant", "ho")], OLD])
def test_it_is_detected_by_its_messages(values: Any) -> None:
    assert detect(Source.of(dumped(values), "x"))[0].format == API


def test_others_are_not_taken() -> None:
    for values in (
        [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}],
        [{"role": "user", "content": "hi", "ts": 1}, {"role": "tool", "content": "ho", "ts": 1, "tool_call_id": "x"}],
    ):
        assert API not in [found.format for found in detect(Source.of(dumped(values), "x"))]


def test_what_a_summary_stands_for_is_not_seen() -> None:
    told = [
        message("user", "task", condenseParent="c1"),
        message("assistant", "a1", condenseParent="c1"),
        message("user", "the summary", isSummary=True, condenseId="c1"),
        message("user", "on", truncationParent="gone"),
        message("assistant", "a2"),
    ]
    dump = unchanged(API, dumped(told))
    (transcript,) = dump.transcripts
    assert (transcript.order.tolist(), transcript.start, [w.record for w in transcript.walls]) == ([0, 1, 2, 3, 4], 2, [2])
    assert dump.table.flags[2] & Flag.SUMMARY
    assert detect(Source.of(dumped(told), "x"))[0].format == API
    cut = [
        message("user", "task"), message("assistant", "a1", truncationParent="t1"),
        message("user", "[cut]", isTruncationMarker=True, truncationId="t1"), message("assistant", "a2"),
    ]  # fmt: skip
    (transcript,) = unchanged(API, dumped(cut)).transcripts
    assert (transcript.order.tolist(), transcript.start) == ([1, 0, 2, 3], 1)
    old = [message("user", "task"), message("assistant", "a1"), message("assistant", "sum", isSummary=True), message("user", "on")]
    (transcript,) = unchanged(API, dumped(old)).transcripts
    assert (transcript.order.tolist(), transcript.start) == ([1, 0, 2, 3], 1)


def test_a_session_of_the_sdk() -> None:
    dump = unchanged(SDK, dumped(SESSION))
    (transcript,) = dump.transcripts
    assert transcript.model == "claude-x"
    blocks = [FORMATS[SDK].block(transcript, row, dump.source) for row in transcript.order.tolist()]
    assert [(b.kind, b.pointer) for b in blocks[:3]] == [
        (Kind.SYSTEM, "/system_prompt"), (Kind.TEXT, "/messages/0/content/0"), (Kind.TEXT, "/messages/0/content/1"),
    ]  # fmt: skip
    assert blocks[0].texts == ("You are Cline.",)
    assert dump.records == {"shown": 3, "hidden": 0, "unparsed": 0}
    usages = dump.table.usages
    assert (usages.message.tolist(), usages.input.tolist(), usages.cache_read.tolist(), usages.output.tolist()) == ([1], [100], [60], [7])
    assert detect(Source.of(dumped(SESSION), "x"))[0].format == SDK


def test_a_compaction_of_the_sdk_is_a_wall() -> None:
    first = {**SESSION["messages"][0], "metadata": {"kind": "compaction_summary", "tokensBefore": 900}}
    (transcript,) = unchanged(SDK, dumped({**SESSION, "messages": [first, *SESSION["messages"][1:]]})).transcripts
    assert [(wall.row, wall.before) for wall in transcript.walls] == [(0, 900)]


def test_edits_are_written_as_the_program_has_them() -> None:
    made = Insert(End(), Made(Kind.TEXT, Role.USER, "on"))
    assert written(API, dumped(TASK), made)[-1] == {"role": "user", "content": "on", "ts": 4000}
    assert written(SDK, dumped(SESSION), made)["messages"][-1] == {"role": "user", "content": "on", "id": "m3-1", "ts": 3000}
    assert written(SDK, dumped(SESSION), Set(1, "text", "other"))["messages"][0]["content"] == [text("go"), {**FILE, "content": "other"}]
    system = int(FORMATS[SDK].parse(Source.of(dumped(SESSION))).transcripts[0].order[0])
    assert written(SDK, dumped(SESSION), Set(system, "text", "You."))["system_prompt"] == "You."
    assert written(SDK, dumped(SESSION), drop(system))["system_prompt"] is None
    out = written(API, dumped(TASK[:2]), Insert(HeadOf(3), Made(Kind.TOOL_RESULT, Role.USER, "none", call=3, error=True)))
    assert out[2]["content"] == [{"type": "tool_result", "tool_use_id": "t1", "content": "none", "is_error": True}]


def test_the_screen() -> None:
    cost = json.dumps({"request": "…", "tokensIn": 9, "tokensOut": 4, "cacheReads": 5})
    said = [
        {"ts": 1, "type": "say", "say": "text", "text": "go"}, {"ts": 2, "type": "say", "say": "api_req_started", "text": cost},
        {"ts": 3, "type": "say", "say": "reasoning", "text": "hm"}, {"ts": 4, "type": "say", "say": "text", "text": "I read"},
        {"ts": 5, "type": "ask", "ask": "tool", "text": '{"tool":"readFile"}'}, {"ts": 6, "type": "say", "say": "error", "text": "429"},
        {"ts": 7, "type": "ask", "ask": "completion_result", "text": ""}, {"ts": 8, "type": "say", "say": "user_feedback", "text": "more"},
    ]  # fmt: skip
    dump = unchanged(UI, dumped(said))
    (transcript,) = dump.transcripts
    blocks = [FORMATS[UI].block(transcript, row, dump.source) for row in transcript.order.tolist()]
    kinds = [Kind.TEXT, Kind.REASONING, Kind.TEXT, Kind.OTHER, Kind.TEXT]
    assert [b.kind for b in blocks] == kinds
    assert [b.role for b in blocks] == [Role.USER, *[Role.ASSISTANT] * 3, Role.USER]
    assert counts(make_view(transcript))["tool_calls"] == 0
    assert (dump.table.usages.input.tolist(), [r.text for r in transcript.refusals]) == ([14], ["429"])
    assert detect(Source.of(dumped(said), "x"))[0].format == UI
    with pytest.raises(InspectorError, match="never written"):
        FORMATS[UI].write_plan(dump, [after(transcript, drop(0))])


def random_messages(r: random.Random) -> list[dict[str, Any]]:
    made = []
    for number in range(r.randrange(1, 8)):
        pick = r.randrange(6)
        if pick < 2:
            made.append(message("user", r.choice(["é", "go", [text("p"), FILE]]), number))
        elif pick < 4:
            calls = [{**CALL, "id": f"t{number}{k}"} for k in range(r.choice([1, 1, 2]))]
            made.append(message("assistant", [text("I"), *calls], number))
            results = [{**RESULT, "tool_use_id": call["id"]} for call in calls if r.random() < 0.9]
            if results:
                made.append(message("user", results, number))
        else:
            made.append(message("assistant", r.choice(["said", [text("said ü")]]), number))
    return made


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same(seed: int) -> None:
    r = random.Random(seed)
    style: dict[str, Any] = r.choice([{"indent": "\t"}, {"indent": 2}, {"indent": None, "separators": (",", ":")}])
    told = random_messages(r)
    data = dumped(told, ensure_ascii=r.random() < 0.5, **style)
    unchanged(API, data)
    round_trip(API, data, seed)
    values = [{"id": f"m{number}", **one} for number, one in enumerate(told)]
    data = dumped({**SESSION, "messages": values}, ensure_ascii=r.random() < 0.5, **style)
    unchanged(SDK, data)
    round_trip(SDK, data, seed, takes=lambda _, edit: not isinstance(edit, Move))


def test_damage_is_said_in_one_line_or_opened() -> None:
    damaged(API, dumped([*TASK, message("user", "sum", isSummary=True, condenseId="c")]), 80)
    damaged(SDK, dumped(SESSION), 80)
    damaged(UI, dumped([{"ts": 1, "type": "say", "say": "text", "text": "go"}, {"ts": 2, "type": "ask", "ask": "tool", "text": "{}"}]), 60)
