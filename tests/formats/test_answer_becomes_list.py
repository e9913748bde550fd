"""An answer behind which something is put becomes a request: what only an answer has is left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.formats import FORMATS
from app.model.edits import Change, End, Insert, Made
from app.model.kinds import Kind, Role
from app.model.source import Source
from app.pipeline.apply import apply
from app.pipeline.diff import difference
from app.providers import PROVIDERS

CLAUDE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [{"type": "text", "text": "hi"}],
          "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 2}}  # fmt: skip
CHOICE = {"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}
CHAT = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4o", "choices": [CHOICE],
        "usage": {"prompt_tokens": 1}}  # fmt: skip
CONVERSE = {"output": {"message": {"role": "assistant", "content": [{"text": "hi"}]}}, "stopReason": "end_turn",
            "usage": {"inputTokens": 1}, "metrics": {"latencyMs": 9}}  # fmt: skip


@pytest.mark.parametrize(
    ("format", "provider", "answer", "left"),
    [
        ("anthropic-messages", "anthropic", CLAUDE, {"model", "messages"}),
        ("openai-chat", "openai-chat", CHAT, {"model", "messages"}),
        ("bedrock-converse", "bedrock", CONVERSE, {"messages"}),
    ],
)
def test_what_only_an_answer_has_is_left_out(format: str, provider: str, answer: dict[str, Any], left: set[str]) -> None:
    dump = FORMATS[format].parse(Source.of(json.dumps(answer).encode(), "answer.json"))
    change = Change("go on", "test", "adds", (Insert(End(), Made(Kind.TEXT, Role.USER, "go on")),))
    after = apply(dump.transcripts[0], [change], PROVIDERS[provider]).transcript
    writing = FORMATS[format].write_plan(dump, [after])
    out = b"".join(writing.chunks())
    assert set(json.loads(out)) == left
    assert len(json.loads(out)["messages"]) == 2
    assert any("what only an answer has was left out" in what for _, what in writing.tally.notes)
    assert difference(dump, [after], FORMATS[format].parse(Source.of(out, "answer.json"))) is None


def test_beside_messages_an_answer_that_stays_keeps_all() -> None:
    request = {**CHAT, "messages": [{"role": "user", "content": "q"}]}
    dump = FORMATS["openai-chat"].parse(Source.of(json.dumps(request).encode(), "log.json"))
    change = Change("first", "test", "adds", (Insert(End(), Made(Kind.TEXT, Role.USER, "go on")),))
    untouched = b"".join(FORMATS["openai-chat"].write(dump, dump.transcripts))
    assert untouched == dump.source.all()
    out = b"".join(FORMATS["openai-chat"].write(dump, [apply(dump.transcripts[0], [change], PROVIDERS["openai-chat"]).transcript]))
    assert [message["role"] for message in json.loads(out)["messages"]] == ["user", "assistant", "user"]
