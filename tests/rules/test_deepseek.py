"""DeepSeek: its chat endpoint with the reasoning that must come back, and its endpoints of other wires, by the wire of the dump."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.formats import FORMATS
from app.model.findings import Finding
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.builders import request_of

PROVIDER = PROVIDERS["deepseek"]
ON, OFF = {"thinking": {"type": "enabled"}}, {"thinking": {"type": "disabled"}}
V4, REASONER = {"model": "deepseek-v4-pro"}, {"model": "deepseek-reasoner"}


def found(request: Any, hint: str = "openai-chat") -> list[Finding]:
    dump = load(Source.of(json.dumps(request).encode(), "x.json"), hint)
    report = check(make_view(dump.transcripts[0]), PROVIDER, None, "complete", dump)
    return [finding for finding in report.findings if finding.severity != "note"]


def places(rule: str, findings: list[Finding]) -> str:
    return " ".join(f"{f.severity[0]} {f.at.removeprefix('/messages/').replace('/tool_calls/', '.')}" for f in findings if f.rule == rule)


def drawn(drawing: str, **members: Any) -> dict[str, Any]:
    return request_of(drawing, "openai-chat", **members)


STEP = "u=q | a:call 1 | t:result 1"


@pytest.mark.parametrize(
    ("rule", "drawing", "want"),
    [
        ("tool-call-unanswered", "u=q | a:call 1 | u=go on", "e 1.0"),
        ("tool-call-partially-answered", "u=q | a:call 1,call 2 | t:result 1", "e 1"),
        ("tool-call-trailing", "u=q | a:call 1", "e 1.0"),
        ("tool-result-orphan", "u=q | t:result 1", "e 1"),
        ("tool-result-duplicate", "u=q | a:call 1 | t:result 1,result 1", "e 3"),
        ("tool-result-not-adjacent", "u=q | a:call 1 | u=x | t:result 1", "e 3"),
        ("tool-call-id-duplicate", "u=q | a:call 1,call 1 | t:result 1,result 1", "w 1.1"),  # not known
        ("assistant-empty", "u=q | a:null | u=x", "w 1"),  # not known
        ("tool-name-format", "u=q | a:call 1 mcp.tool | t:result 1", "e 1.0"),
    ],
)
def test_pairs_are_those_of_openai_chat(rule: str, drawing: str, want: str) -> None:
    assert places(rule, found(drawn(drawing))) == want


def test_its_words_are_its_own() -> None:
    unanswered = next(f for f in found(drawn("u=q | a:call 1 | u=go on")) if f.rule == "tool-call-unanswered")
    assert "(insufficient tool messages following tool_calls message)" in (unanswered.provider_error or "")
    orphan = next(f for f in found(drawn("u=q | t:result 1")) if f.rule == "tool-result-orphan")
    assert orphan.provider_error == "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"


@pytest.mark.parametrize(
    ("drawing", "members", "want"),
    [
        (STEP, {}, ""),  # nothing says that it thinks
        (STEP, ON, "e 1"),
        (STEP, OFF, ""),
        (STEP, V4, "e 1"),
        (STEP, {**V4, **OFF}, ""),
        (STEP, REASONER, "e 1"),
        (STEP, {"model": "deepseek-chat"}, ""),
        ("u=q | a:think,call 1 | t:result 1", ON, ""),
        ("u=q | a:think,call 1 | t:result 1 | a:call 2 | t:result 2", {}, "e 3"),  # the dump shows that it thinks
        ("u=q | a:call 1 | t:result 1 | a=ok | u=more | a:think,call 2 | t:result 2", ON, ""),  # an older prompt's calls, 2025
        ("u=q | a:call 1 | t:result 1 | a=ok | u=more | a:think,call 2 | t:result 2", V4, "e 1 e 3"),
        ("u=q | a=ok | u=more | a:think,call 2 | t:result 2", V4, "w 1"),  # no call: disputed
        ("u=q | a=ok | u=more", ON, ""),
    ],
)
def test_reasoning_is_sent_back_with_calls(drawing: str, members: dict[str, Any], want: str) -> None:
    assert places("reasoning-missing", found(drawn(drawing, **members))) == want


def test_an_empty_field_is_taken_and_is_what_mends_it() -> None:
    request = drawn(STEP, **V4)
    dump = load(Source.of(json.dumps(request).encode(), "x.json"), "openai-chat")
    _, after = repair(dump.transcripts[0], dump, PROVIDER, None, "complete", "safe")
    made = json.loads(b"".join(FORMATS["openai-chat"].write(dump, [after])))
    assert made["messages"][1] == {**request["messages"][1], "reasoning_content": ""}
    assert found(made) == []
    message = next(f for f in found(request) if f.rule == "reasoning-missing")
    assert message.provider_error == "The `reasoning_content` in the thinking mode must be passed back to the API."
    older = next(f for f in found(drawn(STEP, **ON)) if f.rule == "reasoning-missing")
    assert "at message index 1." in (older.provider_error or "")


def test_anthropics_wire_is_paired_as_anthropic_does() -> None:
    request = request_of("u:q | a:call a.1 | u:result a.1,result a.1 | a:ok", "anthropic", model="claude-opus-4-6")
    assert [(f.rule, f.at) for f in found(request, "anthropic-messages")] == [("tool-result-duplicate", "/messages/2/content/1")]
    split = request_of("u:q | a:call 1,call 2 | u:result 2 | u:result 1", "anthropic")
    assert found(split, "anthropic-messages") == []


CALLS = [{"type": "function_call", "call_id": f"call-{i}", "name": "f", "arguments": "{}"} for i in "ab"]
OUTPUTS = [{"type": "function_call_output", "call_id": f"call-{i}", "output": "1"} for i in "ab"]
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "and"}]}
THOUGHT = {"type": "reasoning", "summary": [], "encrypted_content": "x"}
ASKED = {"type": "message", "role": "user", "content": "q"}


def responses(*items: dict[str, Any]) -> dict[str, Any]:
    return {"model": "deepseek-v4-pro", "store": False, "input": [ASKED, *items]}


def test_calls_of_responses_stand_side_by_side() -> None:
    assert [f.rule for f in found(responses(*CALLS, *OUTPUTS), "openai-responses")] == []
    assert [f.rule for f in found(responses(CALLS[0], OUTPUTS[0], SAID, CALLS[1], OUTPUTS[1]), "openai-responses")] == []
    for between in (SAID, THOUGHT):
        request = responses(CALLS[0], between, CALLS[1], *OUTPUTS)
        assert [(f.rule, f.at) for f in found(request, "openai-responses")] == [("tool-result-not-adjacent", "/input/4")]
        dump = load(Source.of(json.dumps(request).encode(), "x.json"), "openai-responses")
        accepted = check(make_view(dump.transcripts[0]), PROVIDERS["openai-responses"], None, "complete", dump)
        assert accepted.verdict == "accept"
        _, after = repair(dump.transcripts[0], dump, PROVIDER, None, "complete", "safe")
        made = json.loads(b"".join(FORMATS["openai-responses"].write(dump, [after])))
        assert made["input"] == [ASKED, CALLS[0], OUTPUTS[0], between, CALLS[1], OUTPUTS[1]]


def test_a_second_call_without_reasoning_of_its_own_is_a_warning() -> None:
    assert [(f.rule, f.severity, f.at) for f in found(responses(THOUGHT, *CALLS, *OUTPUTS), "openai-responses")] == [
        ("reasoning-missing", "warning", "/input/3")
    ]
