"""Mistral's dialect of OpenAI's wire: how it is told, and what it has of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Change, Edit, Set, drop
from app.model.kinds import ARGS_SHIFT, Args, Flag, Kind, Mark, Role
from app.model.source import Source
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats.edits import edited, state
from tests.formats.wild import PIXEL, request, styled

FORMAT = FORMATS["mistral"]
USER = {"role": "user", "content": "hi"}


def call(call_id: str, **more: Any) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "look", "arguments": "{}"}, **more}


def opened(made: Any) -> Dump:
    return FORMAT.parse(Source.of(json.dumps(made).encode()))


def asks(*calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "tool_calls": list(calls), **more}


@pytest.mark.parametrize(
    ("made", "want"),
    [
        ({"model": "mistral-large-latest", "messages": [USER]}, "mistral"),
        ({"model": "mistralai/devstral-small", "messages": [USER]}, "mistral"),
        ({"model": "open-mixtral-8x22b", "messages": [USER]}, "mistral"),
        ({"messages": [USER, asks(call("VB03LVVRm"))]}, "mistral"),
        ([USER, asks(call("123456789"), call("abcdefghi"))], "mistral"),
        ([USER, {"role": "assistant", "content": "x", "prefix": True}], "mistral"),
        ([{"role": "user", "content": [{"type": "document_url", "document_url": "https://x.io/a.pdf"}]}], "mistral"),
        ({"messages": [USER, asks(call("VB03LVVRm"), call("call_1"))]}, "openai-chat"),
        ({"model": "gpt-5", "messages": [USER, asks(call("123456789"))]}, "openai-chat"),
        ({"model": "deepseek-chat", "messages": [USER, {"role": "assistant", "content": "x", "prefix": True}]}, "openai-chat"),
        ({"choices": [{"message": asks(call("123456789"))}]}, "openai-chat"),
        ({"model": "mistral-small-latest", "choices": [{"message": asks(call("123456789"))}]}, "mistral"),
    ],
)
def test_it_is_told_by_model_ids_and_members(made: Any, want: str) -> None:
    found = detect(Source.of(json.dumps(made).encode(), "x.json"))
    assert found[0].format == want
    assert want == "openai-chat" or found[0].score - found[1].score >= 0.25


def test_text_alone_is_openais() -> None:
    assert detect(Source.of(json.dumps({"messages": [USER], "tools": []}).encode(), "x.json"))[0].format == "openai-chat"


def test_what_it_has_of_its_own() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    made = [
        {"role": "user", "content": [
            {"type": "text", "text": "look"}, {"type": "image_url", "image_url": f"data:image/png;base64,{PIXEL}"},
            {"type": "document_url", "document_url": "https://x.io/a.pdf"},
        ]},
        {"role": "assistant", "content": [thinking, {"type": "text", "text": "a"}], "tool_calls": [
            {"id": "VB03LVVRm", "function": {"name": "look", "arguments": {"q": 1}}, "index": 0},
        ]},
        {"role": "tool", "name": "look", "tool_call_id": "VB03LVVRm", "content": "ok"},
        {"role": "assistant", "content": "It is", "prefix": True},
    ]  # fmt: skip
    dump = opened(made)
    blocks = list(FORMAT.each_block(dump.table, dump.source, range(len(dump.table))))
    assert [(b.kind, b.type) for b in blocks] == [
        (Kind.TEXT, "text"), (Kind.MEDIA, "image_url"), (Kind.MEDIA, "document_url"), (Kind.REASONING, "thinking"), (Kind.TEXT, "text"),
        (Kind.TOOL_CALL, "function"), (Kind.TOOL_RESULT, "tool"), (Kind.TEXT, "text"),
    ]  # fmt: skip
    assert (blocks[1].media[0].width, blocks[1].media[0].height, blocks[2].media[0].mime) == (5, 7, "document")
    assert (blocks[3].texts, blocks[5].texts, blocks[5].name) == (("hm",), ('{"q":1}',), "look")
    assert (int(dump.table.flags[5]) & Flag.ARGS) >> ARGS_SHIFT == Args.OBJECT
    assert dump.table.marks[Mark.PREFIX].tolist() == [7]


def after(dump: Dump, *edits: Edit) -> str:
    done = apply(dump.transcripts[0], [Change("an edit", "rule:none", "loses", edits)], PROVIDERS["mistral"]).transcript
    return b"".join(FORMAT.write(dump, [done])).decode()


def test_the_mark_of_a_beginning_is_set_and_counts() -> None:
    dump = opened([USER, {"role": "assistant", "content": "It is"}])
    assert json.loads(after(dump, Set(1, Mark.PREFIX, True)))[1] == {"role": "assistant", "content": "It is", "prefix": True}
    done = apply(
        dump.transcripts[0], [Change("an edit", "rule:none", "adds", (Set(1, Mark.PREFIX, True),))], PROVIDERS["mistral"]
    ).transcript
    assert done.table.marks[Mark.PREFIX].tolist() == [1]


def test_reasoning_that_is_there_and_empty_is_a_mark_on_each_row_of_its_message() -> None:
    dump = opened([USER, asks(call("VB03LVVRm"), call("VB03LVVRn"), reasoning_content="")])
    assert dump.table.marks[Mark.REASONING].tolist() == [1, 2]
    kept = json.loads(after(dump, drop(2)))[1]
    assert kept["reasoning_content"] == ""
    assert len(kept["tool_calls"]) == 1


def test_samples_hold_what_was_counted(shared: Path) -> None:
    want = {"no_tools": (7, 0, 0, 0), "parallel_calls": (8, 3, 3, 0), "several_calls": (9, 3, 3, 0)}
    for path in sorted((shared / "samples" / "mistral").glob("*.json")):
        dump = FORMAT.parse(Source.open(path))
        found = counts(make_view(dump.transcripts[0]))
        name = next(name for name in want if name in path.name)
        assert tuple(found[key] for key in ("messages", "tool_calls", "tool_results", "orphan_results")) == want[name]
        assert b"".join(FORMAT.write(dump, dump.transcripts)) == path.read_bytes()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_exported_and_opened_again_it_is_the_same_transcript(seed: int) -> None:
    dump = FORMAT.parse(Source.of(styled(request("openai-chat", seed), seed)))
    transcript, edits = edited(dump, seed)
    again = FORMAT.parse(Source.of(b"".join(FORMAT.write(dump, [transcript]))))
    assert state(again, again.transcripts[0]) == state(dump, transcript), edits
    assert Role.TOOL not in again.table.role or again.table.args_text
