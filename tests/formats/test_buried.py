"""Messages somewhere inside a document of no kind that is known: they are found, judged, and what is mended is written as a request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.formats._buried import buried
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.export import export
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.pipeline.translate import translate
from app.pipeline.view import make_view
from app.providers import PROVIDERS

CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
TALK = [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "user", "content": "go on"},
]
REQUEST = {"model": "gpt-5", "messages": TALK}
HOLDERS: dict[str, Any] = {
    "a graph's state": {"values": {"messages": TALK}, "next": []},
    "an error with its request": {"error": {"message": "Error code: 400", "request": REQUEST}},
    "a chat of an export": {"id": 7, "chat": {"title": "x", "messages": TALK}},
    "a body in a string": {"at": 1, "request_body": json.dumps(REQUEST)},
    "an answer of a query": {"data": {"run": {"inputs": {"messages": TALK}}}},
    "of many, the longest": {"a": {"examples": TALK[:1]}, "b": [{"c": {"turns": TALK}}]},
}


@pytest.mark.parametrize("name", HOLDERS)
def test_it_is_found_judged_and_mended(name: str, tmp_path: Path) -> None:
    data = json.dumps(HOLDERS[name], indent=1).encode()
    dump = load(Source.of(data, "x.json"))
    provider = PROVIDERS["openai-chat"]
    assert (dump.format, [len(t.order) for t in dump.transcripts]) == ("request-lines", [3])
    transcript = dump.transcripts[0]
    assert [f.rule for f in check(make_view(transcript, None, provider), provider, None, "prefix", dump).findings][:1] == [
        "tool-call-unanswered"
    ]
    out = tmp_path / "out.json"
    export(dump, dump.transcripts, out, provider, None, "prefix", allow_broken=True)
    assert out.read_bytes() == data
    layer, mended = repair(transcript, dump.source, provider, None, "prefix", "all")
    assert layer.changes
    written = translate(dump, mended, str(out), "openai-chat")
    assert written.path == str(out)
    messages = json.loads(out.read_bytes())["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "user"]
    assert messages[2]["tool_call_id"] == "call_1"


@pytest.mark.parametrize("value", [{}, {"a": [1, 2]}, {"messages": ["x"]}, {"a": "[1"}, {"people": [{"role": "admin", "name": "x"}]}])
def test_nothing_is_found_where_nobody_talks(value: Any) -> None:
    assert buried(value) is None


def test_it_looks_no_deeper_than_it_may() -> None:
    value: Any = TALK
    for _ in range(12):
        value = {"x": value}
    assert buried(value) is None
    assert buried({"x": [[]] * 30_000, "y": TALK}) == ("y",)
