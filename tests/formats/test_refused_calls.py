"""Refusals that logs of requests record, wherever in the record of a call; several requests in one document; bodies of errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.formats import FORMATS
from app.formats._error_body import body_of, refused
from app.model.dump import Dump
from app.model.source import Source
from app.pipeline.load import load

WORDS = "messages.2: user messages must have non-empty content"
ERROR = {"type": "error", "error": {"type": "invalid_request_error", "message": WORDS}}
OPENAI = {"error": {"message": WORDS, "type": "invalid_request_error", "param": None, "code": None}}
ASKED: dict[str, Any] = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [{"role": "user", "content": "q"}]}
OTHER: dict[str, Any] = {"model": "gpt-5", "messages": [{"role": "user", "content": "something else"}]}
ANSWER = {"id": "m", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_reason": "end_turn",
          "content": [{"type": "text", "text": json.dumps(ERROR)}], "usage": {"input_tokens": 1, "output_tokens": 1}}  # fmt: skip


def opened(*lines: Any) -> Dump:
    return load(Source.of("".join(json.dumps(line) + "\n" for line in lines).encode(), "a.jsonl"))


def document(value: Any) -> Dump:
    return load(Source.of(json.dumps(value).encode(), "a.json"))


@pytest.mark.parametrize(("beside", "status"), [
    ({"status": 400, "error": ERROR}, 400), ({"status": 400, "error": ERROR["error"]}, 400), ({"status": "400", "error": WORDS}, 400),
    ({"response_body": json.dumps(ERROR), "status": 400}, 400), ({"response": {"status": 422, "body": OPENAI}}, 422),
    ({"response": {"status_code": 400, "text": json.dumps(OPENAI)}}, 400), ({"response": ERROR}, None), ({"response": [OPENAI]}, None),
    ({"http": {"response": {"status": 529, "body": {"string": json.dumps(ERROR)}}}}, 529), ({"error": f"Error code: 400 - {WORDS}"}, 400),
    ({"data": {"status": 500, "error": {"message": WORDS}}}, 500), ({"error": {"error": OPENAI["error"]}}, None),
])  # fmt: skip
def test_a_refusal_is_found_wherever_it_stands(beside: dict[str, Any], status: int | None) -> None:
    for line, other in (({"request": ASKED, **beside}, {"request": OTHER}), ({**ASKED, **beside}, OTHER)):
        dump = opened(line, other)
        assert [(one.refused, one.status) for one in dump.requests] == [(True, status), (False, None)], line
        (refusal,) = dump.transcripts[0].refusals
        assert (refusal.status, refusal.text.removeprefix("Error code: 400 - ")) == (status, WORDS)
        assert refusal.after == dump.transcripts[0].order[-1]


@pytest.mark.parametrize("beside", [
    {}, {"status": 200, "response": ANSWER}, {"status": 200, "error": None}, {"response": {"text": json.dumps(ERROR)}},
    {"status": "ok", "code": 0}, {"duration": 400},
])  # fmt: skip
def test_what_came_back_is_no_refusal(beside: dict[str, Any]) -> None:
    assert [one.refused for one in opened({"request": ASKED, **beside}).requests] == [False]
    assert refused({"request": ASKED, **beside}) is None


def test_a_status_alone_is_a_refusal() -> None:
    dump = opened({"request": ASKED, "response": {"status": 503}})
    assert [(one.status, one.text) for one in dump.transcripts[0].refusals] == [(503, "HTTP status 503")]


def test_a_refusal_on_a_later_line_belongs_to_its_request() -> None:
    dump = opened({"request": ASKED}, {"msg": "sent"}, {"response": {"status": 400, "body": ERROR}}, {"request": OTHER})
    assert [(one.refused, one.status) for one in dump.requests] == [(True, 400), (False, None)]
    answers = [{"request_id": "a", "response": {"status": 400, "body": ERROR}}, {"request_id": "c", "response": {"status": 500}}]
    dump = opened({"request_id": "a", "request": ASKED}, {"request_id": "b", "request": OTHER}, *answers)
    assert [one.refused for one in dump.requests] == [True, False]
    assert [[refusal.record for refusal in one.refusals] for one in dump.transcripts] == [[4], []]
    dump = opened({"request": ASKED}, {"response": ANSWER}, {"status": 400, "error": ERROR})
    assert not any(one.refused for one in dump.requests)


@pytest.mark.parametrize("wrap", [
    lambda calls: {"entries": calls}, lambda calls: {"log": {"calls": calls, "v": 1}}, lambda calls: {"data": {"log": {"logs": calls}}},
])  # fmt: skip
@pytest.mark.parametrize("calls", [
    [{"request": ASKED, "response": ERROR}, {"request": OTHER}], [{**ASKED, "error": ERROR}, OTHER],
    [{"input": ASKED, "output": ERROR}, {"input": OTHER}],
])  # fmt: skip
def test_each_request_of_a_document_is_a_transcript(wrap: Any, calls: list[Any]) -> None:
    dump = document(wrap(calls))
    assert (dump.format, [len(one.order) for one in dump.transcripts]) == ("request-lines", [1, 1])
    assert [one.refused for one in dump.requests] == [True, False]
    again = b"".join(FORMATS[dump.format].write(dump, dump.transcripts))
    assert again == json.dumps(wrap(calls)).encode()


@pytest.mark.parametrize(("body", "told"), [
    ({"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": json.dumps(ERROR)}}}, (400, WORDS, "anthropic")),
    ({"error": {"message": json.dumps(OPENAI), "code": 502, "type": "x"}}, (502, WORDS, "")),
    ({"object": "error", "message": {"detail": [{"loc": ["body", "messages", 0], "msg": "no"}]}}, (None, "body.messages.0: no", "mistral")),
    ({"detail": [{"loc": ["body"], "msg": "a"}, {"msg": "b", "type": "missing"}]}, (None, "body: a; b", "")),
    ({"detail": "Not Found"}, None), ({"detail": [{"text": "x"}]}, None), ({"role": "user", "message": "x"}, None),
])  # fmt: skip
def test_a_body_says_its_innermost_words(body: Any, told: Any) -> None:
    assert body_of(body) == told
    assert (document(body).format == "provider-error") == (told is not None)


def test_bodies_one_a_line_are_each_a_refusal() -> None:
    dump = opened(OPENAI, ERROR, {"detail": [{"loc": ["body"], "msg": "a"}]})
    assert dump.format == "provider-error"
    assert [(one.record, one.after, one.text) for one in dump.transcripts[0].refusals] == [(0, 0, WORDS), (1, 1, WORDS), (2, 2, "body: a")]
    assert opened({"message": "hello"}, {"message": "there"}).format != "provider-error"
