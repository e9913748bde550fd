"""Data sets and trajectories that are rows of messages: ShareGPT, LLaMA-Factory, OpenAI fine-tuning, Harbor, mini-swe-agent."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Change, drop
from app.model.errors import UnreadableError
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.pipeline.apply import apply
from app.pipeline.check import check
from app.pipeline.detect import detect
from app.pipeline.load import load
from app.pipeline.names import judge_of
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.logs import damaged, round_trip, unchanged

CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"a": 1}'}}


def turn(who: str, value: str) -> dict[str, Any]:
    return {"from": who, "value": value}


def part(kind: str, value: str) -> dict[str, Any]:
    return {"type": kind, "value": value}


def said(role: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": role, "content": list(parts), **more}


def asked(**args: Any) -> str:
    return json.dumps({"name": "find", "arguments": args})


SHAREGPT = [
    {
        "conversations": [turn("human", "hi"), turn("function_call", asked(q="é")), turn("observation", "[1]"), turn("gpt", "one")],
        "tools": "[]", "system": "be kind",
    },
    {"conversations": [turn("human", "again"), turn("gpt", "so")], "chosen": turn("gpt", "a"), "rejected": turn("gpt", "b")},
]
LLAMA = [
    {
        "tools": "[]",
        "messages": [
            said("system", part("text", "be kind")), said("user", part("text", "hi"), part("image_url", "data:image/png;base64,AAAA")),
            said("assistant", part("reasoning", "hm"), part("tool_call", asked(a=1)), part("tool_call", asked(b=2)), loss_weight=0.5),
            said("tool", part("text", "[1, 2]")), said("assistant", part("text", "done"), loss_weight=1.0),
        ],
    },
    {"messages": [said("user", part("text", "on")), said("assistant", part("tool_call", "not json"))]},
]  # fmt: skip
FINETUNE = [
    {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "hi"}, {"role": "assistant", "tool_calls": [CALL]},
                  {"role": "tool", "tool_call_id": "c1", "content": "ok"}], "tools": []},
    {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y", "weight": 0}]},
]  # fmt: skip
PREFERENCE = [
    {"input": {"messages": [{"role": "user", "content": "hi"}]}, "preferred_output": [{"role": "assistant", "content": "good"}],
     "non_preferred_output": [{"role": "assistant", "content": "bad"}]}
] * 2  # fmt: skip
HARBOR = [
    {"conversations": [{"content": "do", "role": "user"}, {"content": '{"keystrokes": ""}', "role": "assistant"}], "agent": "terminus-2",
     "model": "gpt-4o", "task": "hello", "episode": "episode-0", "run_id": "r", "trial_name": "t", "result": None}
]  # fmt: skip
MINI = {
    "info": {"mini_version": "2.2.7", "exit_status": "Submitted", "model_stats": {"instance_cost": 0.1},
             "config": {"model": {"model_name": "deepseek/chat"}}},
    "messages": [
        {"role": "system", "content": "s"}, {"role": "user", "content": "task"},
        {"content": "I look", "role": "assistant", "tool_calls": [CALL], "function_call": None,
         "extra": {"actions": [{"command": "ls"}], "timestamp": 1775809100.5, "response": {
             "model": "deepseek-chat",
             "usage": {"prompt_tokens": 10, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 3}}}}},
        {"content": "out", "tool_call_id": "c1", "role": "tool", "extra": {"returncode": 0}},
        {"content": "bye", "role": "assistant", "tool_calls": [CALL | {"id": "c2"}]},
        {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted"}},
    ],
    "trajectory_format": "mini-swe-agent-1.1", "instance_id": "django-1",
}  # fmt: skip


def lines(rows: list[Any], **style: Any) -> bytes:
    return b"".join(json.dumps(row, **style).encode() + b"\n" for row in rows)


def document(value: Any, **style: Any) -> bytes:
    return json.dumps(value, **style).encode()


def response(number: int, *items: dict[str, Any]) -> dict[str, Any]:
    call = {"type": "function_call", "call_id": f"call_{number}", "name": "bash", "arguments": '{"command": "ls"}', "id": f"fc_{number}"}
    return {"id": f"resp_{number}", "object": "response", "created_at": 1.50, "output": [*items, call], "usage": {"input_tokens": 9,
            "output_tokens": 3}, "extra": {"actions": [{"command": "ls", "tool_call_id": f"call_{number}"}], "cost": 0.10}}  # fmt: skip


MINI_ITEMS = {
    "info": {"mini_version": "2.2.7", "exit_status": "Submitted", "model_stats": {"instance_cost": 0.1}, "config": {}},
    "messages": [
        {"role": "system", "content": "be kind"}, {"role": "user", "content": "go"},
        response(1, {"type": "reasoning", "id": "rs_1", "summary": []}),
        {"type": "function_call_output", "call_id": "call_1", "output": "out é", "extra": {"returncode": 0}},
        response(2, {"type": "message", "role": "assistant", "id": "msg_2", "content": [{"type": "output_text", "text": "look"}]}),
        {"type": "function_call_output", "call_id": "call_2", "output": "more", "extra": {"returncode": 0}},
        {"role": "exit", "content": "done", "extra": {"exit_status": "Submitted"}},
    ],
    "trajectory_format": "mini-swe-agent-1.1",
}  # fmt: skip

FILES: dict[str, list[bytes]] = {
    "sharegpt": [document(SHAREGPT, indent=2, ensure_ascii=False), lines(SHAREGPT[:1] * 2), document(SHAREGPT[:1])],
    "llamafactory-v1": [lines(LLAMA), document(LLAMA, indent=4), lines(LLAMA, ensure_ascii=False)],
    "openai-finetune-jsonl": [lines(FINETUNE), lines(FINETUNE, separators=(",", ":")), lines(PREFERENCE)],
    "harbor-sft-traces": [document(HARBOR, indent=2), lines(HARBOR * 2)],
    "mini-swe-agent": [document(MINI, indent=2), document(MINI), document(MINI_ITEMS, indent=2)],
}
ALL = [pytest.param(name, data, id=f"{name}-{number}") for name, files in FILES.items() for number, data in enumerate(files)]


def rows_of(dump: Dump, index: int = 0) -> list[tuple[str, Role, str]]:
    transcript = dump.transcripts[index]
    table = transcript.table
    return [(Kind(int(table.kind[r])).name, Role(int(table.role[r])), table.types[table.type[r]]) for r in transcript.order]


@pytest.mark.parametrize(("name", "data"), ALL)
def test_it_is_known_and_comes_back(name: str, data: bytes) -> None:
    assert detect(Source.of(data, "x"))[0].format == name
    dump = unchanged(name, data)
    assert dump.records["unparsed"] == 0


@pytest.mark.parametrize(("name", "data"), ALL)
def test_exported_and_opened_again_it_is_the_same(name: str, data: bytes) -> None:
    for seed in range(8):
        round_trip(name, data, seed, takes=lambda transcript, edit: "chosen" not in data.decode() or hasattr(edit, "rows"))


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
@pytest.mark.parametrize("name", FILES)
def test_damage_is_refused_in_one_line_or_opened(name: str, seed: int) -> None:
    damaged(name, random.Random(seed).choice(FILES[name]), 4, seed)


def test_turns_of_sharegpt() -> None:
    dump = load(Source.of(FILES["sharegpt"][0], "x"))
    assert [t.id for t in dump.transcripts] == ["0", "1", "1-rejected"]
    assert rows_of(dump) == [
        ("SYSTEM", Role.SYSTEM, "text"), ("TEXT", Role.USER, "text"),
        ("TOOL_CALL", Role.ASSISTANT, "function_call"), ("TOOL_RESULT", Role.TOOL, "observation"),
        ("TEXT", Role.ASSISTANT, "text"),
    ]  # fmt: skip
    block = FORMATS["sharegpt"].block(dump.transcripts[0], 1, dump.source)
    assert dump.records == {"shown": 8, "hidden": 0, "unparsed": 0}
    assert (block.name, block.texts, block.pointer) == ("find", ('{"q":"é"}',), "/0/conversations/1")
    assert rows_of(dump, 1)[-1] == rows_of(dump, 2)[0] == ("TEXT", Role.ASSISTANT, "text")
    assert make_view(dump.transcripts[0]).links.partner.tolist() == [-1, -1, 3, 2, -1]


def test_one_answer_after_two_calls_of_llamafactory() -> None:
    dump = load(Source.of(FILES["llamafactory-v1"][0], "x"))
    links = make_view(dump.transcripts[0]).links
    kinds = [kind for kind, _, _ in rows_of(dump)]
    assert kinds == ["TEXT", "TEXT", "MEDIA", "REASONING", "TOOL_CALL", "TOOL_CALL", "TOOL_RESULT", "TEXT"]
    assert links.partner.tolist()[4:7] == [6, -1, 4]


def test_a_run_of_mini_swe_agent() -> None:
    dump = load(Source.of(FILES["mini-swe-agent"][0], "x"))
    transcript = dump.transcripts[0]
    assert (transcript.title, transcript.model) == ("django-1, Submitted", "deepseek/chat")
    assert dump.records == {"shown": 5, "hidden": 1, "unparsed": 0}
    assert transcript.table.records.time[2] == 1775809100.5
    usages = transcript.table.usages
    assert (usages.input.tolist(), usages.cache_read.tolist(), usages.output.tolist()) == ([10], [3], [4])
    report = check(make_view(transcript), PROVIDERS["openai-chat"], None, "prefix")
    assert report.verdict == "accept"  # the last call is unanswered by design, and exit was never sent


def test_a_run_of_mini_swe_agent_over_responses() -> None:
    dump = load(Source.of(FILES["mini-swe-agent"][2], "x"))
    assert (dump.format, judge_of(dump.table)) == ("mini-swe-agent", "openai-responses")
    assert [Kind(int(kind)).name for kind in dump.table.kind] == [
        "TEXT", "TEXT", "REASONING", "TOOL_CALL", "TOOL_RESULT", "TEXT", "TOOL_CALL", "TOOL_RESULT",
    ]  # fmt: skip
    assert dump.table.usages.input.tolist() == [9, 9]


def test_a_dropped_row_leaves_all_other_bytes() -> None:
    data = FILES["sharegpt"][0]
    dump = FORMATS["sharegpt"].parse(Source.of(data))
    transcripts = list(dump.transcripts)
    transcripts[0] = apply(transcripts[0], [Change("x", "rule:x", "loses", (drop(1, 2),))], PROVIDERS["openai-chat"]).transcript
    out = b"".join(FORMATS["sharegpt"].write_plan(dump, transcripts).chunks())
    wanted = json.loads(data)
    del wanted[0]["conversations"][1:3]
    assert out == document(wanted, indent=2, ensure_ascii=False)


def test_what_is_no_row_is_refused() -> None:
    with pytest.raises(UnreadableError):
        FORMATS["sharegpt"].parse(Source.of(b'[{"a": 1}]'))
