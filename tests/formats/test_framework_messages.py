"""Messages of LangChain and of the Vercel AI SDK are written back: what no edit touches stays, copies of a call are kept in step."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.edits import Change, Edit, Set, drop
from app.model.source import Source
from app.pipeline.apply import apply
from app.providers import PROVIDERS
from tests.formats.call_logs import CALLED, constructed, dumped, lines
from tests.formats.logs import round_trip, unchanged

_NAMES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage", "system": "SystemMessage"}
_OUTPUTS: list[Any] = [
    {"type": "text", "value": "out é"}, {"type": "json", "value": {"k": 1}}, {"type": "error-text", "value": "bad"},
    {"type": "content", "value": [{"type": "text", "text": "p1"}, {"type": "text", "text": "p2"}]},
]  # fmt: skip


def random_model_messages(r: random.Random) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for n in range(r.randrange(1, 6)):
        if r.random() < 0.3:
            content = r.choice(["é", [{"type": "text", "text": "go"}, {"type": "text", "text": '"q"'}]])
            out.append({"role": r.choice(["user", "system", "assistant"]), "content": content})
            continue
        new, id = r.random() < 0.6, r.choice(["same", f"c{n}"])
        calls = [
            {"type": "tool-call", "toolCallId": f"{id}{i}", "toolName": "f", "input" if new else "args": {"a": 1}}
            for i in range(r.randrange(1, 3))
        ]  # fmt: skip
        before = r.choice([[], [{"type": "reasoning", "text": "hm"}], [{"type": "text", "text": "t"}]])
        given = [{"output": r.choice(_OUTPUTS)} if new else {"result": r.choice(["x", {"k": 2}])} for _ in calls]
        results = [
            {"type": "tool-result", "toolCallId": call["toolCallId"], "toolName": "f", **held}
            for call, held in zip(calls, given, strict=True)
        ]  # fmt: skip
        out.append({"role": "assistant", "content": [*before, *calls]})
        out += [{"role": "tool", "content": results}] if r.random() < 0.5 else [{"role": "tool", "content": [one]} for one in results]
    return [
        *out,
        {
            "role": "tool",
            "content": [{"type": "tool-result", "toolCallId": "z", "toolName": "f", "output": {"type": "text", "value": "v"}}],
        },
    ]


def random_langchain(r: random.Random) -> list[dict[str, Any]]:
    form = r.randrange(3)

    def message(word: str, **held: Any) -> dict[str, Any]:
        if form == 0:
            return {**constructed(_NAMES[word]), "kwargs": held}
        return {"type": word, "data": held} if form == 1 else {"type": word, **held}

    out = [message("human", content="hi")]
    for n in range(r.randrange(1, 5)):
        if r.random() < 0.3:
            out.append(message(r.choice(["human", "system", "ai"]), content=r.choice(["é", [{"type": "text", "text": "go"}, "text"]])))
            continue
        ids = [r.choice(["same", f"c{n}"]) + str(i) for i in range(r.randrange(1, 3))]
        held: dict[str, Any] = {"content": r.choice(["", "text"])}
        held["tool_calls"] = [{"name": "f", "args": {"x": 1}, "id": id, "type": "tool_call"} for id in ids]
        if r.random() < 0.5:
            function = {"name": "f", "arguments": '{"x": 1}'}
            held["additional_kwargs"] = {"tool_calls": [{"id": id, "type": "function", "function": function} for id in ids]}
        if r.random() < 0.3:
            held["content"] = [
                {"type": "text", "text": "w"},
                *({"type": "tool_use", "id": id, "name": "f", "input": {"x": 1}} for id in ids),
            ]
        out.append(message("ai", **held))
        content = r.choice(["ok é", [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]])
        out += [message("tool", content=content, tool_call_id=id, name="f") for id in ids if r.random() < 0.9]
    return out


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(["vercel-model-messages", "langchain-messages"]))
def test_exported_and_opened_again_it_is_the_same(seed: int, name: str) -> None:
    r = random.Random(seed)
    messages = random_model_messages(r) if name == "vercel-model-messages" else random_langchain(r)
    form = r.randrange(3)
    data = (
        lines(messages)
        if form == 0
        else dumped(messages, r.choice([None, 2]))
        if form == 1
        else dumped({"id": "q", "messages": messages}, 2)
    )
    unchanged(name, data)
    round_trip(name, data, seed)


THRICE = constructed(
    "AIMessage", content=[{"type": "text", "text": "t"}, {"type": "tool_use", "id": "call_1", "name": "find", "input": {"q": 1}}],
    additional_kwargs={"tool_calls": [CALLED]}, tool_calls=[{"name": "find", "args": {"q": 1}, "id": "call_1", "type": "tool_call"}],
)  # fmt: skip


def edited(*edits: Edit) -> dict[str, Any]:
    format = FORMATS["langchain-messages"]
    dump = format.parse(Source.of(dumped([constructed("HumanMessage", content="q"), THRICE])))
    change = Change("an edit", "rule:x", "loses", edits)
    after = apply(dump.transcripts[0], [change], PROVIDERS["openai-chat"]).transcript
    kwargs: dict[str, Any] = json.loads(b"".join(format.write_plan(dump, [after]).chunks()))[1]["kwargs"]
    return kwargs


@pytest.mark.parametrize(
    ("edit", "calls"),
    [
        (Set(2, "call_id", "new"), [("new", "find", {"q": 1})] * 3),
        (Set(2, "name", "look"), [("call_1", "look", {"q": 1})] * 3),
        (Set(2, "input", {"z": [2]}), [("call_1", "find", {"z": [2]})] * 3),
        (drop(2), []),
    ],
)
def test_the_three_places_of_a_call_are_kept_in_step(edit: Edit, calls: list[Any]) -> None:
    held = edited(edit)
    found = [(call["id"], call["name"], call["args"]) for call in held["tool_calls"]]
    for call in held["additional_kwargs"]["tool_calls"]:
        found.append((call["id"], call["function"]["name"], json.loads(call["function"]["arguments"])))
    found += [(block["id"], block["name"], block["input"]) for block in held["content"] if block["type"] == "tool_use"]
    assert found == calls


def test_a_text_that_is_taken_away_leaves_an_empty_one() -> None:
    format = FORMATS["langchain-messages"]
    called = [{"name": "find", "args": {}, "id": "c", "type": "tool_call"}]
    dump = format.parse(Source.of(dumped([{"type": "human", "content": "q"}, {"type": "ai", "content": "text", "tool_calls": called}])))
    after = apply(dump.transcripts[0], [Change("an edit", "rule:x", "loses", (drop(1),))], PROVIDERS["openai-chat"]).transcript
    assert json.loads(b"".join(format.write_plan(dump, [after]).chunks()))[1] == {"type": "ai", "tool_calls": called, "content": ""}
