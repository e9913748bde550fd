"""A provider's refusal by itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.formats import FORMATS
from app.model.source import Source
from app.pipeline.load import load
from app.pipeline.names import judge_of, provider_named
from app.pipeline.recall import recall
from app.pipeline.view import make_view

WORDS = {
    "anthropic": "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.",
    "openai-chat": "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    "gemini": "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
    "bedrock": "The model returned the following errors: Expected toolResult blocks at messages.2.content for the following Ids: tooluse_1",
    "mistral": "Not the same number of function calls and responses",
}
GOOGLE = {"error": {"code": 400, "message": WORDS["gemini"], "status": "INVALID_ARGUMENT"}}
BODIES: list[tuple[str, Any, int | None]] = [
    ("anthropic", {"type": "error", "error": {"type": "invalid_request_error", "message": WORDS["anthropic"]}, "request_id": "r"}, None),
    ("openai-chat", {"error": {"message": WORDS["openai-chat"], "type": "invalid_request_error", "param": "m", "code": None}}, None),
    ("gemini", GOOGLE, 400),
    ("gemini", [GOOGLE], 400),
    ("bedrock", {"message": WORDS["bedrock"]}, None),
    ("bedrock", {"__type": "ValidationException", "message": WORDS["bedrock"]}, None),
    ("mistral", {"object": "error", "message": WORDS["mistral"], "type": "invalid_request_error", "param": None, "code": None}, None),
]


@pytest.mark.parametrize(("provider", "body", "status"), BODIES)
def test_it_says_what_it_is_and_what_it_may_mean(provider: str, body: Any, status: int | None) -> None:
    data = json.dumps(body, indent=2).encode()
    dump = load(Source.of(data, "error.json"))
    assert (dump.format, judge_of(dump.table)) == ("provider-error", provider)
    one = dump.transcripts[0]
    assert [(refusal.status, refusal.text) for refusal in one.refusals] == [(status, WORDS[provider])]
    assert any("open the request" in why for why in dump.whys)
    judge = provider_named(judge_of(dump.table))
    found = recall(make_view(one, None, judge, frozenset(), dump.source), judge, None, dump.source)
    assert found[0].explained.candidates or found[0].explained.absent
    assert b"".join(FORMATS[dump.format].write(dump, dump.transcripts)) == data


@pytest.mark.parametrize("body", [
    {"message": "hello", "role": "user"}, {"error": None, "choices": [{"message": {"role": "assistant", "content": "a"}}]},
    {"error": {"message": "x"}, "messages": []},
    {"type": "message", "message": "hi"}, {"error": "no"}, {"message": 5},
])  # fmt: skip
def test_what_holds_more_is_none(body: Any) -> None:
    assert load(Source.of(json.dumps(body).encode(), "x.json")).format != "provider-error"
