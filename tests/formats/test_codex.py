"""Codex rollouts: what is a message and what is a copy, places, and the way back."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.edits import Change, HeadOf, Insert, Made
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import round_trip, unchanged

FORMAT = FORMATS["codex"]
Line = dict[str, Any] | bytes


def line(type: str, payload: Any, second: int = 0) -> dict[str, Any]:
    return {"timestamp": f"2026-02-01T10:{second // 60:02d}:{second % 60:02d}.000Z", "type": type, "payload": payload}


def said(role: str, text: str) -> dict[str, Any]:
    word = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": word, "text": text}]}


def call(id: str, **args: Any) -> dict[str, Any]:
    return {"type": "function_call", "name": "shell", "arguments": json.dumps(args), "call_id": id}


def output(id: str, text: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": id, "output": text}


def data(lines: list[Line], end: str = "\n", final: bool = True, compact: bool = True) -> bytes:
    style: dict[str, Any] = {"separators": (",", ":")} if compact else {}
    texts = [one if isinstance(one, bytes) else json.dumps(one, ensure_ascii=False, **style).encode() for one in lines]
    return end.encode().join(texts) + (end.encode() if final else b"")


META = line("session_meta", {"id": "s-1", "cwd": "/w", "cli_version": "0.60.0"})
SESSION: list[Line] = [
    META,
    line("turn_context", {"cwd": "/w", "model": "gpt-5-codex"}, 1),
    line("response_item", said("user", "go"), 2),
    line("event_msg", {"type": "user_message", "message": "go"}, 2),
    line("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"}, 3),
    line("response_item", call("call_1", cmd="ls"), 4),
    line("response_item", output("call_1", "a.txt"), 5),
    line("response_item", said("assistant", "done"), 6),
    b'{"timestamp":"2026',
]


def test_a_rollout() -> None:
    dump = unchanged("codex", data(SESSION))
    (transcript,) = dump.transcripts
    assert (transcript.id, transcript.model) == ("s-1", "gpt-5-codex")
    assert dump.records == {"shown": 5, "hidden": 3, "unparsed": 1}
    found = counts(make_view(transcript, source=dump.source))
    assert (found["tool_calls"], found["tool_results"], found["orphan_results"], found["messages"]) == (1, 1, 0, 5)
    blocks = [FORMAT.block(transcript, row, dump.source) for row in transcript.order.tolist()]
    assert [block.pointer for block in blocks] == ["/2/payload/content/0", "/4/payload", "/5/payload", "/6/payload", "/7/payload/content/0"]
    assert blocks[2].name == "shell"
    assert blocks[3].texts == ("a.txt",)


def test_it_is_detected_by_its_lines() -> None:
    best = detect(Source.of(data(SESSION), "x.json"))[0]
    assert (best.format, best.why) == ("codex", "lines of timestamp, type and payload")


def test_what_was_before_a_compaction_is_not_sent() -> None:
    lines = [*SESSION[:3], line("compacted", {"message": "sum", "replacement_history": [said("user", "sum")]}), *SESSION[4:6]]
    dump = FORMAT.parse(Source.of(data(lines)))
    (transcript,) = dump.transcripts
    assert transcript.start == 1
    assert [(wall.row, wall.record) for wall in transcript.walls] == [(1, 3)]


def test_bare_items_of_old_files() -> None:
    lines: list[Line] = [{"id": "old", "timestamp": "2025-01-01", "instructions": None}, said("user", "go"), {"record_type": "state"}]
    dump = unchanged("codex", data(lines))
    assert dump.records == {"shown": 1, "hidden": 2, "unparsed": 0}


@pytest.mark.parametrize(("end", "final", "compact"), [("\n", True, True), ("\r\n", True, False), ("\n", False, False)])
def test_how_lines_end_is_kept(end: str, final: bool, compact: bool) -> None:
    unchanged("codex", data(SESSION, end, final, compact))


def test_a_made_result_stands_in_a_line_like_the_one_before() -> None:
    text = data([*SESSION[:6], SESSION[7]])
    dump = FORMAT.parse(Source.of(text))
    insert = Insert(HeadOf(2), Made(Kind.TOOL_RESULT, Role.TOOL, "[none]", call=2))
    after = apply(dump.transcripts[0], [Change("x", "rule:x", "adds", (insert,))], PROVIDERS["openai-responses"]).transcript
    out = b"".join(FORMAT.write_plan(dump, [after]).chunks())
    before, new = text.split(b"\n"), out.split(b"\n")
    assert new[:7] + new[8:] == before
    assert json.loads(new[7]) == line("response_item", output("call_1", "[none]"), 6)
    assert b'"payload":{"type":"function_call_output","call_id":"call_1","output":"[none]"}' in new[7]


def random_rollout(seed: int) -> bytes:
    r = random.Random(seed)
    lines: list[Line] = [META] if r.random() < 0.8 else []
    number = 0
    for second in range(r.randrange(2, 12)):
        pick = r.randrange(8)
        if pick < 2:
            role, text = r.choice(["user", "assistant", "developer"]), r.choice(["é", "go", '"q"\u2028'])
            lines.append(line("response_item", said(role, text), second))
        elif pick < 5:
            number += 1
            ids = [f"call_{number}_{k}" for k in range(r.choice([1, 1, 2]))]
            lines += [line("response_item", call(id, a=r.random()), second) for id in ids]
            lines += [line("response_item", output(id, "out é"), second) for id in ids if r.random() < 0.9]
        elif pick == 5:
            lines.append(line("event_msg", {"type": "token_count", "info": None}, second))
        elif pick == 6:
            lines.append(r.choice([b"", b"{torn", b"[1]", b"  "]))
        else:
            lines.append(line("response_item", {"type": "reasoning", "id": f"rs_{second}", "summary": []}, second))
    return data(lines, r.choice(["\n", "\r\n"]), r.random() < 0.7, r.random() < 0.7)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same(seed: int) -> None:
    text = random_rollout(seed)
    if any(one.strip() for one in text.splitlines()):
        unchanged("codex", text)
        round_trip("codex", text, seed)
