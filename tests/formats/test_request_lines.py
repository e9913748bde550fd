"""Requests and answers, one a line, and the files of batches."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.formats import FORMATS
from app.formats.request_lines import _wire_inside
from app.model.dump import Dump
from app.model.kinds import Kind
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.names import judge_of, provider_named
from app.pipeline.view import make_view
from tests.conftest import SHARED

USER, CALLED = {"role": "user", "content": "q"}, {"role": "user", "content": "go on"}
CLAUDE: dict[str, Any] = {"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [USER]}
GPT: dict[str, Any] = {"model": "gpt-5", "messages": [USER]}


def opened(*lines: Any) -> Dump:
    return load(Source.of("".join(json.dumps(line) + "\n" for line in lines).encode(), "a.jsonl"))


def texts(dump: Dump, index: int = 0) -> list[str]:
    transcript = dump.transcripts[index]
    return [FORMATS[dump.format].block(transcript, row, dump.source).text for row in transcript.order.tolist()]


@pytest.mark.parametrize(("line", "judge"), [
    (CLAUDE, "anthropic"), (GPT, "openai-chat"), ({"model": "gpt-5", "input": [USER]}, "openai-responses"),
    ({"contents": [{"role": "user", "parts": [{"text": "q"}]}]}, "gemini"), ({"custom_id": "a", "params": CLAUDE}, "anthropic"),
    ({"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": GPT}, "openai-chat"),
])  # fmt: skip
def test_each_wire_is_judged_by_its_own(line: dict[str, Any], judge: str) -> None:
    dump = opened(line, {**line, "custom_id": "b"} if "custom_id" in line else line)
    assert (dump.format, judge_of(dump.table), texts(dump)) == ("request-lines", judge, ["q"])


def test_requests_that_extend_one_another_are_one_conversation() -> None:
    answer = {"role": "assistant", "content": "a"}
    other = {**CLAUDE, "messages": [{"role": "user", "content": "something else"}]}
    dump = opened(CLAUDE, other, {**CLAUDE, "messages": [USER, answer, CALLED]})
    assert [texts(dump, index) for index in range(len(dump.transcripts))] == [["q", "a", "go on"], ["something else"]]
    assert [transcript.id for transcript in dump.transcripts] == ["line-1", "line-2"]
    assert dump.records == {"shown": 4, "hidden": 3, "unparsed": 0}  # messages, and the lines that they stand in


def test_an_entry_that_failed_is_a_recorded_refusal() -> None:
    words = "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1"
    call = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
    message = {"id": "m", "type": "message", "role": "assistant", "content": [call],
               "model": "claude-sonnet-4-5", "stop_reason": "tool_use", "usage": {"input_tokens": 3, "output_tokens": 1}}  # fmt: skip
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": words}}
    dump = opened({"custom_id": "a", "result": {"type": "succeeded", "message": message}},
                  {"custom_id": "b", "result": {"type": "errored", "error": error}})  # fmt: skip
    assert {transcript.id: [refusal.text for refusal in transcript.refusals] for transcript in dump.transcripts} == {"a": [], "b": [words]}
    good = next(transcript for transcript in dump.transcripts if transcript.id == "a")
    assert [Kind(int(dump.table.kind[row])) for row in good.order.tolist()] == [Kind.TOOL_CALL]
    chat = opened(*({"custom_id": name, "response": {"status_code": 400, "body": {"error": {"message": "no"}}}} for name in "ab"))
    assert [(refusal.status, refusal.text) for refusal in chat.transcripts[0].refusals] == [(400, "no")]


def test_rows_of_a_data_set_are_none_of_them() -> None:
    rows = [{"messages": [USER, {"role": "assistant", "content": "a"}]}] * 2
    assert opened(*rows).format == "openai-finetune-jsonl"
    assert load(Source.of(json.dumps(CLAUDE).encode(), "a.jsonl")).format == "anthropic-messages"


def test_no_real_dump_is_taken_for_one() -> None:
    files = [path for path in sorted((SHARED / "samples").glob("*/*")) if path.is_file()] if SHARED.is_dir() else []
    if not files:
        pytest.skip("no folder of real dumps beside the project (TI_SHARED names another place)")
    format = FORMATS["request-lines"]
    taken = []
    for path in files:
        with path.open("rb") as file:
            head = file.read(1 << 16)
        found = format.sniff(head, path.name, len(head) < 1 << 16)
        best = max((other.sniff(head, path.name, len(head) < 1 << 16) for other in FORMATS.values()), key=lambda c: c.score if c else 0)
        if found is not None and best is not None and best.format == format.name:
            taken.append(path.name)
    assert taken == []


OPEN = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
BROKEN = {**CLAUDE, "messages": [USER, {"role": "assistant", "content": [OPEN]}, CALLED]}


@pytest.mark.parametrize("wrap", [
    lambda body: {"request": body, "response": {"type": "error", "error": {"message": "no"}}}, lambda body: {"payload": {"request": body}},
    lambda body: {"ts": 1, "level": "error", "msg": "400", "request": json.dumps(body)}, lambda body: {"params": body},
    lambda body: {"req": {"url": "/v1/messages", "body": json.dumps(body)}, "res": {"status": 400, "body": "bad"}},
    lambda body: {"url": "u", "method": "POST", "headers": {}, "body": body},
    lambda body: {"requests": [{"custom_id": "a", "params": body}]}, lambda body: {"input": body}, lambda body: [body, body],
])  # fmt: skip
def test_a_request_is_found_inside_what_logged_it(wrap: Callable[[Any], Any]) -> None:
    """Whoever wraps a broken request does not make it whole."""
    made = wrap(BROKEN)
    dumps = [load(Source.of(json.dumps(made).encode(), "a.json"))]
    if isinstance(made, dict) and {"requests", "input"}.isdisjoint(made):
        dumps.append(opened(made, {"level": "info"}))
    for dump in dumps:
        assert dump.format == "request-lines"
        view = make_view(dump.transcripts[dump.opened], source=dump.source)
        report = check(view, provider_named(judge_of(dump.table)), None, "prefix", dump.source)
        assert [finding.rule for finding in report.findings if finding.severity == "error"] == ["tool-call-unanswered"]


def test_where_no_message_is_found_nothing_is_said_to_be_judged() -> None:
    dump = load(Source.of(b'{"hello": {"a": 1}, "b": [2]}', "a.json"))
    assert (dump.format, make_view(dump.transcripts[0], source=dump.source).unread) == ("records", True)
    assert make_view(load(Source.of(b'{"id":"r","object":"response","output":[]}', "a.json")).transcripts[0]).unread
    assert not make_view(opened(CLAUDE, GPT).transcripts[0]).unread


@pytest.mark.parametrize(
    ("beside", "more", "wire"),
    [
        ({}, {"max_tokens": 5}, "anthropic"),
        ({"url": "https://api.anthropic.com/v1/messages"}, {}, "anthropic"),
        ({"url": "https://gate.example/v1/chat/completions"}, {"max_tokens": 5}, ""),
        ({"provider": "openrouter"}, {"max_tokens": 5}, ""),
        ({"response": {"choices": []}}, {"max_tokens": 5}, ""),
        ({"response": {"body": {"choices": []}}}, {"max_tokens": 5}, ""),
        ({}, {"max_tokens": 5, "tools": [{"type": "function", "function": {"name": "f"}}]}, ""),
    ],
)
def test_what_stands_beside_plain_messages_tells_their_wire(beside: dict[str, object], more: dict[str, object], wire: str) -> None:
    request = {"model": "claude-sonnet-4-5", "messages": [{"role": "user", "content": "hi"}], **more}
    assert (_wire_inside({**beside, "request": request}) or "") == wire
