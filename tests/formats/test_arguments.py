"""Every format tells which calls have the same arguments, so that a call made twice and one that stayed open are noted everywhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.model.findings import Report
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.names import format_named, provider_named
from app.pipeline.view import make_view

Calls = list[tuple[str, str, dict[str, Any], bool]]  # id, name, arguments, answered
TWICE: Calls = [("c1", "look", {"q": "ä", "n": 1}, True), ("c2", "look", {"q": "ä", "n": 1}, True), ("c3", "look", {"q": "a"}, True)]
OPEN: Calls = [("c1", "send_mail", {"to": "x"}, False), ("c2", "look", {}, True)]


def gemini(calls: Calls) -> bytes:
    contents: list[Any] = [{"role": "user", "parts": [{"text": "q"}]}]
    for number, (_, name, args, answered) in enumerate(calls):
        signature = {} if number else {"thoughtSignature": "c2lnbmF0dXJlLXNhbXBsZQ=="}
        contents.append({"role": "model", "parts": [{"functionCall": {"name": name, "args": args}, **signature}]})
        if answered:
            contents.append({"role": "user", "parts": [{"functionResponse": {"name": name, "response": {"output": "ok"}}}]})
    return json.dumps({"contents": [*contents, {"role": "user", "parts": [{"text": "go"}]}]}).encode()


def bedrock(calls: Calls) -> bytes:
    messages: list[Any] = [{"role": "user", "content": [{"text": "q"}]}]
    for call_id, name, args, answered in calls:
        messages.append({"role": "assistant", "content": [{"toolUse": {"toolUseId": call_id, "name": name, "input": args}}]})
        result = {"toolResult": {"toolUseId": call_id, "content": [{"text": "ok"}]}}
        messages.append({"role": "user", "content": [result if answered else {"text": "go"}]})
    return json.dumps({"modelId": "anthropic.claude-sonnet-4-5", "messages": messages, "toolConfig": {"tools": []}}).encode()


def items(calls: Calls) -> list[Any]:
    found: list[Any] = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "q"}]}]
    for call_id, name, args, answered in calls:
        found.append({"type": "function_call", "call_id": call_id, "name": name, "arguments": json.dumps(args)})
        if answered:
            found.append({"type": "function_call_output", "call_id": call_id, "output": "ok"})
    return [*found, {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]}]


def responses(calls: Calls) -> bytes:
    return json.dumps({"model": "gpt-5", "input": items(calls)}).encode()


def codex(calls: Calls) -> bytes:
    lines = [{"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "s1"}}]
    lines += [{"timestamp": "2026-01-01T00:00:01Z", "type": "response_item", "payload": item} for item in items(calls)]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def pi(calls: Calls) -> bytes:
    lines: list[Any] = [{"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/x"}]

    def add(message: dict[str, Any]) -> None:
        above = lines[-1]["id"] if len(lines) > 1 else None
        known = {"type": "message", "id": f"m{len(lines)}", "parentId": above, "timestamp": "2026-01-01T00:00:00Z"}
        lines.append({**known, "message": message})

    add({"role": "user", "content": [{"type": "text", "text": "q"}]})
    for call_id, name, args, answered in calls:
        block = {"type": "toolCall", "id": call_id, "name": name, "arguments": args}
        add({"role": "assistant", "content": [block], "provider": "anthropic", "model": "claude-sonnet-4-5", "stopReason": "toolUse"})
        if answered:
            told = [{"type": "text", "text": "ok"}]
            add({"role": "toolResult", "toolCallId": call_id, "toolName": name, "content": told, "isError": False})
    add({"role": "user", "content": [{"type": "text", "text": "go"}]})
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def mistral(calls: Calls) -> bytes:
    messages: list[Any] = [{"role": "user", "content": "q"}]
    for call_id, name, args, answered in calls:
        call = {"id": call_id * 4 + "x", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        if answered:
            messages.append({"role": "tool", "tool_call_id": call["id"], "name": name, "content": "ok"})
    return json.dumps({"model": "mistral-large-latest", "messages": [*messages, {"role": "user", "content": "go"}]}).encode()


WIRES = {"gemini": gemini, "bedrock-converse": bedrock, "openai-responses": responses, "codex": codex, "pi": pi, "mistral": mistral}


def judged(name: str, calls: Calls) -> Report:
    dump = load(Source.of(WIRES[name](calls), "dump"))
    assert dump.format == name
    transcript = dump.transcripts[dump.opened]
    return check(make_view(transcript, source=dump.source), provider_named(format_named(dump.format).provider), None, "complete", dump)


@pytest.mark.parametrize("name", WIRES)
def test_the_same_call_again_is_noted(name: str) -> None:
    report = judged(name, TWICE)
    assert report.counts.get("call-repeated") == 1
    note = next(finding for finding in report.findings if finding.rule == "call-repeated")
    assert note.row > note.related >= 0


@pytest.mark.parametrize("name", WIRES)
def test_a_call_with_effects_that_stayed_open_is_noted(name: str) -> None:
    report = judged(name, OPEN)
    assert report.counts.get("effect-unanswered") == 1, report.counts
    assert "call-repeated" not in report.counts


@pytest.mark.parametrize("spelled", [{}, {"thought": True}])
def test_a_call_in_an_unusual_shape_is_the_same_call(spelled: dict[str, Any]) -> None:
    """Parts that are read in two ways have the same hash of their arguments."""
    request = json.loads(gemini(TWICE))
    request["contents"][3]["parts"][0] |= {"thoughtSignature": "c2lnbmF0dXJlLXNhbXBsZQ==", **spelled, "videoMetadata": {}}
    dump = load(Source.of(json.dumps(request, ensure_ascii=False).encode(), "dump"))
    report = check(make_view(dump.transcripts[0]), provider_named(format_named(dump.format).provider), None, "complete", dump)
    assert report.counts.get("call-repeated") == 1
