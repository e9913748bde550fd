"""Logs of requests written back: what was edited is edited in every request that carries it, and all else keeps its bytes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import After, Change, Drop, Edit, End, HeadOf, Insert, Made, Move, Replace, Set, SetRequest, Stub, drop
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.model.transcript import Transcript
from app.pipeline.apply import apply
from app.pipeline.names import judge_of, provider_named
from tests.formats.logs import round_trip, unchanged

Json = dict[str, Any]


def user(text: str) -> Json:
    return {"role": "user", "content": text}


def claude_call(number: int) -> Json:
    use = {"type": "tool_use", "id": f"t{number}", "name": "f", "input": {"a": number}}
    return {"role": "assistant", "content": [{"type": "text", "text": f"calling {number}"}, use]}


def claude_result(number: int) -> Json:
    return user([{"type": "tool_result", "tool_use_id": f"t{number}", "content": f"result {number} é"}])  # type: ignore[arg-type]


def claude(count: int = 3, answers: bool = False) -> list[Json]:
    said, lines = [user("q")], list[Json]()
    for number in range(count):
        request = {"model": "claude-sonnet-4-5", "max_tokens": 9, "system": "be brief", "messages": list(said)}
        answer = {"id": f"m{number}", "type": "message", **claude_call(number), "stop_reason": "tool_use", "usage": {"input_tokens": 5}}
        lines.append({"request": request, "response": answer} if answers else request)
        said += [claude_call(number), claude_result(number)]
    return lines


def litellm(count: int = 3) -> list[Json]:
    said, lines = [{"role": "system", "content": "s"}, user("q")], list[Json]()
    for number in range(count):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        answer = {"id": f"x{number}", "object": "chat.completion", "choices": [{"index": 0, "message": message}]}
        lines.append({"messages": list(said), "kwargs": {}, "response": answer, "latency_sec": 1.50, "timestamp": 1.5 + number})
        said += [message, {"role": "tool", "tool_call_id": f"c{number}", "content": f"r{number}"}]
    return lines


def responses(count: int = 3) -> list[Json]:
    said, lines = [user("q")], list[Json]()
    for number in range(count):
        items: list[Json] = [
            {"type": "reasoning", "id": f"rs{number}", "summary": []},
            {"type": "function_call", "call_id": f"c{number}", "name": "f", "arguments": "{}", "id": f"fc{number}"},
        ]
        lines.append({"request": {"model": "gpt-5", "input": list(said)}, "response": {"id": "r", "object": "response", "output": items}})
        said += [*items, {"type": "function_call_output", "call_id": f"c{number}", "output": f"o{number}"}]
    return lines


def gemini(count: int = 3) -> list[Json]:
    said, lines = [{"role": "user", "parts": [{"text": "q"}]}], list[Json]()
    for number in range(count):
        call: Json = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"n": number}}}]}
        lines.append({"request": {"contents": list(said)}, "response": {"candidates": [{"content": call}]}})
        result: Json = {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"r": number}}}]}
        said += [call, result]
    return lines


def text(lines: list[Json], **style: Any) -> bytes:
    return "".join(json.dumps(line, **style) + "\n" for line in lines).encode()


def as_strings(lines: list[Json]) -> list[Json]:
    return [{"at": 1.50, **{key: json.dumps(value, ensure_ascii=False) for key, value in line.items()}} for line in lines]


LOGS = {
    "requests": ("request-lines", text(claude(), separators=(",", ":"), ensure_ascii=False)),
    "two conversations": (
        "request-lines",
        text([*claude(), *({**one, "messages": [user("x"), *one["messages"]]} for one in claude(2))]),
    ),
    "batch": ("request-lines", text([{"custom_id": str(number), "params": line} for number, line in enumerate(claude())])),
    "a list": ("request-lines", json.dumps(claude(), indent=2).encode()),
    "with answers": ("request-lines", text(claude(answers=True)).replace(b"\n", b"\r\n")[:-2]),
    "strings": ("request-lines", text(as_strings(claude(answers=True)))),
    "responses": ("request-lines", text(responses())),
    "gemini": ("request-lines", text(gemini())),
    "litellm": ("litellm-log", text(litellm())),
    "one call": ("litellm-log", json.dumps(litellm()[-1], indent=1).encode()),
}


def takes(transcript: Transcript, edit: Edit) -> bool:
    """All but what moves along the requests, and what leaves nothing of the first one."""
    table, order = transcript.table, transcript.order
    if isinstance(edit, Move):
        return False
    first = order[table.message[order] == table.message[order[table.message[order] >= 0]][0]]
    return not isinstance(edit, Drop) or not set(first.tolist()) & set(edit.rows.tolist())


@pytest.mark.parametrize("name", LOGS)
def test_exported_and_opened_again_it_is_the_same(name: str) -> None:
    format, data = LOGS[name]
    unchanged(format, data)
    for seed in range(10):
        round_trip(format, data, seed, takes=takes)


def edited(dump: Dump, *edits: Edit) -> list[Transcript]:
    change = Change("an edit", "rule:none", "loses", edits)
    first = apply(dump.transcripts[0], [change], provider_named(judge_of(dump.table))).transcript
    return [first, *dump.transcripts[1:]]


def written(data: bytes, format: str, *edits: Edit) -> list[str]:
    dump = FORMATS[format].parse(Source.of(data))
    return b"".join(FORMATS[format].write_plan(dump, edited(dump, *edits)).chunks()).decode().splitlines()


def test_only_the_requests_that_carry_it_are_written_anew() -> None:
    data = text(claude(), separators=(" , ", " : "))
    before = data.decode().splitlines()
    stub = Replace(np.asarray([7], np.int32), Stub("gone"))  # the second result: the third request alone has it
    assert written(data, "request-lines", stub) == [*before[:2], before[2].replace("result 1 \\u00e9", "gone")]
    after = written(data, "request-lines", drop(2, 3, 4))
    assert [len(json.loads(line)["messages"]) for line in after] == [1, 1, 3]
    assert after[0] == before[0]


def test_a_missing_result_is_put_into_the_requests_that_carry_its_call() -> None:
    lines = claude()
    for line in lines:
        line["messages"] = [message if message != claude_result(0) else user("hm") for message in line["messages"]]
    after = written(text(lines), "request-lines", Insert(HeadOf(3), Made(Kind.TOOL_RESULT, Role.USER, "[none]", 3)))
    assert after[0] == json.dumps(lines[0])
    made = {"type": "tool_result", "tool_use_id": "t0", "content": "[none]"}
    for written_line in after[1:]:
        assert json.loads(written_line)["messages"][2] == user([made, {"type": "text", "text": "hm"}])  # type: ignore[arg-type]


def test_an_answer_is_edited_in_its_response_and_in_its_copies() -> None:
    lines = claude(answers=True)
    after = written(text(lines), "request-lines", Set(2, "text", "hm"))
    want = json.dumps(lines).replace("calling 0", "hm")
    assert [json.loads(line) for line in after] == json.loads(want)


def test_an_answer_that_is_answered_goes_into_its_request() -> None:
    lines = litellm(1)
    made = Insert(End(), Made(Kind.TEXT, Role.USER, "go on"))
    after = json.loads(written(text(lines), "litellm-log", made)[0])
    assert after["messages"] == [*lines[0]["messages"], lines[0]["response"]["choices"][0]["message"], user("go on")]
    assert after["response"] == {**lines[0]["response"], "choices": [{"index": 0, "message": None}]}


def test_members_of_a_request_are_set_in_the_last_one() -> None:
    before = text(claude()).decode().splitlines()
    assert written(text(claude()), "request-lines", SetRequest("/max_tokens", 5)) == [
        *before[:2], before[2].replace('"max_tokens": 9', '"max_tokens": 5'),
    ]  # fmt: skip


def test_a_branch_keeps_what_was_put_into_the_other_one() -> None:
    lines = claude(2)
    other = {**lines[1], "messages": [*lines[1]["messages"][:1], user("another")]}
    data = text([*lines, other])
    after = written(data, "request-lines", Insert(After(3), Made(Kind.TEXT, Role.USER, "more")))
    assert after[2] == json.dumps(other)
    assert "more" in after[1]
