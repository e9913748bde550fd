"""Refusals that stand in a dump beside its messages: a response that failed, an attempt that Claude Code made again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.source import Source
from tests.formats.claude_sessions import Session, text_block

WORDS = "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."


def response(**members: Any) -> Dump:
    item = {"type": "message", "role": "user", "content": "hi"}
    data = {"object": "response", "model": "gpt-5", "input": [item], "output": [], **members}
    return FORMATS["openai-responses"].parse(Source.of(json.dumps(data).encode()))


def test_a_response_that_failed() -> None:
    (transcript,) = response(status="failed", error={"code": "server_error", "message": "No tool output found"}).transcripts
    assert [(r.record, r.after, r.status, r.text) for r in transcript.refusals] == [(-1, 0, None, "No tool output found")]


@pytest.mark.parametrize("error", [None, "x", {}, {"message": ""}, {"message": 7}])
def test_one_that_says_nothing_of_an_error(error: Any) -> None:
    assert not response(error=error).transcripts[0].refusals


def session(error: Any) -> Dump:
    lines = Session()
    lines.say("go")
    lines.answer(text_block("so"))
    lines.node("system", subtype="api_error", error=error)
    lines.say("again")
    return FORMATS["claude-code"].parse(Source.of(lines.data()))


@pytest.mark.parametrize(
    "error",
    [
        {"status": 400, "error": {"type": "error", "error": {"type": "invalid_request_error", "message": WORDS}}},
        {"status": 400, "message": WORDS},
        {"status": 400, "message": "400 " + json.dumps({"type": "error", "error": {"message": WORDS}})},
        {"status": 413, "formatted": WORDS},
    ],
)
def test_an_attempt_that_was_refused_for_what_was_sent(error: dict[str, Any]) -> None:
    dump = session(error)
    (refusal,) = dump.transcripts[0].refusals
    assert (refusal.record, refusal.status, refusal.text) == (2, error["status"], WORDS)
    assert refusal.after == dump.transcripts[0].order[1]


@pytest.mark.parametrize(
    "error",
    [None, "x", {}, {"status": 529, "message": "Overloaded"}, {"status": 429, "message": "Rate limited"}, {"message": "Connection error."},
     {"status": True, "message": "x"}, {"status": 401, "message": "Invalid bearer token"}, {"status": 400}],
)  # fmt: skip
def test_lost_connections_and_limits_say_nothing_of_what_was_sent(error: Any) -> None:
    assert not session(error).transcripts[0].refusals
