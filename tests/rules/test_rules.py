"""Each rule on its own: where it finds its defect, where it does not, and what its fixes are."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.model.findings import Finding, Mode
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from app.readers import READERS
from app.rules import RULES
from tests.builders import draw

THINKING = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
LONG = "x" * 65


def found(drawing: str, wire: str = "anthropic", model: str | None = None, mode: Mode = "complete", **members: Any) -> list[Finding]:
    """The findings about a drawing, read from its bytes."""
    dump = load(Source.of(draw(drawing, wire, **members).data, "x.json"), "anthropic-messages" if wire == "anthropic" else "openai-chat")
    return check(make_view(dump.transcripts[0]), PROVIDERS[wire], model, mode, dump).findings


def places(rule: str, findings: list[Finding]) -> str:
    """Severity and place of each finding of a rule, short: `e 1.0 w 2`."""
    short = [
        (f.severity[0], re.sub(r"/(content|tool_calls|function_call)/?", ".", f.at.removeprefix("/messages/")))
        for f in findings
        if f.rule == rule
    ]
    return " ".join(f"{severity} {place}" for severity, place in short)


ANTHROPIC = [
    ("id-format", "u:q | a:call a.b | u:result a.b", "e 1.0 e 2.0"),
    ("id-format", 'u:q | a:call "" | u:result ""', "e 1.0 e 2.0"),
    ("id-format", "u:q | a:call - | u:result 1", "e 1.0"),
    ("id-format", 'u:q | a:call 1 | u:result ""', ""),  # tool-result-id-missing says it
    ("id-format", "u:q | a:server ws_1,found ws_1 | u:x", "e 1.0 e 1.1"),
    ("id-format", "u:q | a:server srvtoolu_1,found srvtoolu_1 | u:x", ""),
    ("id-format", f"u:q | a:call {LONG} | u:result {LONG}", ""),
    ("tool-name-format", f"u:q | a:call 1 {'n' * 200} | u:result 1", ""),
    ("tool-name-format", f"u:q | a:call 1 {'n' * 201} | u:result 1", "e 1.0"),
    ("tool-args-invalid", 'u:q | a:call 1 args="{}",call 2 args=null,call 3 args=[1],call 4 args={} | u:result 1', "e 1.0 e 1.1 e 1.2"),
    ("text-empty", "u:q,empty | a:blank,call 1 | u:result 1", "e 0.1 e 1.0"),
    ("text-empty", "u:q | a=blank | u:x", "e 1."),
    ("text-empty", "u=empty | a=empty | u:x", ""),
    ("message-content-empty-user", "u=empty | a:ok | u:none | a:ok | u:null", "e 0 e 2 e 4"),
    ("message-content-empty-assistant", "u:q | a=empty | u:x | a:none | u:x | a:null | u:x", "e 5 w 1 w 3"),
    ("message-content-empty-assistant", "u:q | a=empty", ""),
    ("messages-empty", "", "e /messages"),
    ("first-message-not-user", "a:hello | u:q", "w 0"),
    ("first-message-not-user", "u:q | a:hello", ""),
    ("system-message-first", "s:x | u:q", "e 0"),
    ("system-message-first", "u:q | s:x", ""),
    ("system-message-position", "u:q | a:ok | s:x | u:more", "e 2"),
    ("system-message-position", "u:q | a:ok | u:more | s:x | s:y | a:ok | u:x | s:x", ""),
    ("system-message-position", "u:q | a:server s,found s | s:x | a:ok", ""),
    ("system-message-position-next", "u:q | s:x | s:y | u:more", "e 2"),
    ("system-message-position-next", "u:q | s:x | a:ok", ""),
    ("content-after-tool-call", "u:q | a:think,call 1,text,more | u:result 1", "e 1.2"),
    ("content-after-tool-call", "u:q | a:call 1,text | u:result 1", "w 1.1"),
    ("content-after-tool-call", "u:q | a:call 1 | a:text,think | u:result 1", "e 2.0"),
    ("content-after-tool-call", "u:q | a:call 1,server s,found s | u:result 1", "e 1.1"),
    ("content-after-tool-call", "u:q | a:call 1,server s | u:result 1", ""),
    ("content-after-tool-call", "u:q | a:think,text,call 1,call 2 | u:result 1,result 2", ""),
    ("text-after-tool-result", "u:q | a:call 1,call 2 | u:result 1,image,result 2 | u:text", ""),
    ("text-after-tool-result", "u:q | a:call 1 | u:result 1,text,more", "w 2.1"),
    ("text-after-tool-result-with-open-server-tool", "u:q | a:server s,call 1 | u:result 1,text", "e 2.1"),
    ("text-after-tool-result-with-open-server-tool", "u:q | a:server s,call 1 | u:result 1", ""),
    ("text-after-tool-result-with-open-server-tool", "u:q | a:server s,found s,call 1 | u:result 1,text", ""),
    ("tool-result-content-empty-list", "u:q | a:call 1 | u:result 1", ""),
    ("reasoning-signature-missing", "u:q | a:think?,text | u:x | a:think,redacted,text | u:x", "e 1.0"),
    ("reasoning-modified", "u:q | a:think,think,text | u:x | a:think,redacted,think,think,call 1 | u:result 1", "e 3.3"),
    ("block-role-mismatch", "u:q | a:call 1,result 1 | u:call 2", "e 1.1 e 2.0"),
    ("reasoning-last-block", "u:q | a:text,think", "e 1.1"),
    ("reasoning-last-block", "u:q | a:text,think | u:more", ""),
]


@pytest.mark.parametrize(("rule", "drawing", "expected"), ANTHROPIC)
def test_anthropic(rule: str, drawing: str, expected: str) -> None:
    assert places(rule, found(drawing)) == expected


OPENAI = [
    ("assistant-empty", "u=q | a:null | u=x | a:none | u=x | a=empty", "e 1 e 3"),
    ("content-type-invalid", "u:null | s:none | a=ok", "e 1 w 0"),
    ("tool-result-content-type", "u=q | a:call 1 | t:result~ 1", "e 2"),
    ("tool-calls-empty-array", "u=q | a=ok", ""),
    ("id-format", f"u=q | a:call {LONG} | t:result {LONG}", "e 1.0 e 2"),
    ("id-format", f"u=q | a:call {LONG[:64]} | t:result {LONG[:64]}", "w 1.0 w 2"),
    ("id-format", "u=q | a:call a|b | t:result a|b".replace("a|b", "a:b."), ""),
    ("tool-name-format", "u=q | a:call 1 mcp.tool,call 2 ok_-1 | t:result 1,result 2", "e 1.0"),
    ("tool-name-format", f"u=q | a:call 1 {'n' * 65} | t:result 1", "e 1.0"),
    ("tool-args-invalid", 'u=q | a:call 1 args="{oops",call 2 args="[1]",call 3 | t:result 1', "w 1.0 w 1.1"),
    ("image-in-assistant-message", "u:q,image | a:text,image", "e 1.1"),
    ("messages-empty", "", "e /messages"),
    ("block-role-mismatch", "u:q,call 1 | a=ok", "e 0.0"),
    ("tool-result-id-mismatch", "u=q | a:call 1 | t:result 1 | a:call 2 | t:result 1", "e 4"),
]


@pytest.mark.parametrize(("rule", "drawing", "expected"), OPENAI)
def test_openai_chat(rule: str, drawing: str, expected: str) -> None:
    assert places(rule, found(drawing, "openai-chat")) == expected


def raw(wire: str, messages: list[dict[str, Any]], **members: Any) -> list[Finding]:
    import json

    dump = load(
        Source.of(json.dumps({"messages": messages, **members}).encode(), "x.json"), "anthropic-messages" if wire == "anthropic" else wire
    )
    return check(make_view(dump.transcripts[0]), PROVIDERS[wire], None, "complete", dump).findings


USER = {"role": "user", "content": "q"}
CALL = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}


def test_shapes_that_are_not_drawn() -> None:
    empty_list = {"type": "tool_result", "tool_use_id": "1", "content": []}
    call = {"type": "tool_use", "id": "1", "name": "look", "input": {}}
    messages = [USER, {"role": "assistant", "content": [call]}, {"role": "user", "content": [empty_list]}]
    assert places("tool-result-content-empty-list", raw("anthropic", messages)) == "w 2.0"
    empty_part = {**empty_list, "content": [{"type": "text", "text": "x"}, {"type": "text", "text": " "}]}
    messages[2] = {"role": "user", "content": [empty_part]}
    assert places("text-empty", raw("anthropic", messages)) == "e 2.0/content/1".replace("/content/", ".")
    surrogate = [{"role": "user", "content": "half \ud83d"}]
    assert places("text-lone-surrogate", raw("anthropic", surrogate)) == "e 0."
    bare = [USER, {"role": "assistant", "content": "ok", "tool_calls": []}, {**USER, "content": {"a": 1}}, {"role": "user", "content": 3}]
    assert places("tool-calls-empty-array", raw("openai-chat", bare)) == "e 1"
    assert places("content-type-invalid", raw("openai-chat", bare)) == "e 2 e 3"
    odd = {**CALL, "function": {"name": "look", "arguments": {"a": 1}}}
    messages = [
        USER,
        {"role": "assistant", "content": None, "tool_calls": [odd]},
        {"role": "tool", "tool_call_id": "1", "content": {"a": 1}},
    ]
    assert places("tool-args-invalid", raw("openai-chat", messages)) == "e 1.0"
    assert places("tool-result-content-type", raw("openai-chat", messages)) == "e 2"
    photo = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    messages = [
        USER,
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{**empty_list, "content": [photo], "is_error": True}]},
    ]
    assert places("tool-result-error-non-text", raw("anthropic", messages)) == "e 2.0"
    foreign = [{"type": "input_text", "text": "hi"}, {"type": "hologram"}]
    assert places("block-type-unknown", raw("anthropic", [{"role": "user", "content": foreign}])) == "e 0.0 w 0.1"
    image = [{"type": "text", "text": "x"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]
    messages = [USER, {"role": "assistant", "content": None, "tool_calls": [CALL]}, {"role": "tool", "tool_call_id": "1", "content": image}]
    assert places("image-in-tool-result", raw("openai-chat", messages)) == "w 2"


@pytest.mark.parametrize(
    ("model", "drawing", "mode", "expected"),
    [
        ("claude-opus-4-6", "u:q | a:ok", "complete", "e 1"),
        ("claude-sonnet-5", "u:q | a:one | a:two", "complete", "e 2"),
        ("claude-opus-4-6", "u:q | a:ok", "prefix", ""),
        ("claude-sonnet-4-5", "u:q | a:ok", "complete", ""),
        (None, "u:q | a:ok", "complete", ""),
        ("claude-opus-4-6", "u:q | a:text,server s", "complete", ""),  # a turn that pauses
        ("claude-opus-4-6", "u:q | a:text,call 1", "complete", ""),  # tool-call-trailing says it
        ("claude-opus-4-6", "u:q | a:ok | u:more", "complete", ""),
    ],
)
def test_prefill(model: str | None, drawing: str, mode: Mode, expected: str) -> None:
    assert places("prefill-unsupported", found(drawing, model=model, mode=mode)) == expected


def test_prefill_ends_without_white_space() -> None:
    messages = [USER, {"role": "assistant", "content": "1. Bolt\n"}]
    assert places("prefill-trailing-whitespace", raw("anthropic", messages)) == "e 1."
    assert not raw("anthropic", [*messages, USER])


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        ("u:q | a:text,call 1 | u:result 1", "e 1"),
        ("u:q | a:think,call 1 | u:result 1", ""),
        ("u:q | a:redacted,call 1 | u:result 1", ""),
        ("u:q | a:call 1 | u:result 1 | a:ok | u:more", ""),  # the loop is closed
        ("u:q | a:call 1 | u:result 1 | a:think,call 2 | u:result 2", ""),
    ],
)
def test_reasoning_of_the_open_loop(drawing: str, expected: str) -> None:
    assert places("reasoning-missing", found(drawing, **THINKING)) == expected
    assert places("reasoning-missing", found(drawing)) == ""


FIXES = [
    ("anthropic", "tool-call-unanswered", "u:q | a:call 1 | u:go", ["adds", "loses"]),
    ("anthropic", "tool-call-unanswered", "u:q | a:call 1 | u:result 2", ["exact", "adds", "loses"]),
    ("anthropic", "tool-call-partially-answered", "u:q | a:call 1,call 2 | u:result 1", ["adds", "loses"]),
    ("anthropic", "tool-result-orphan", "u:result 1 | a:ok | u:q", ["loses", "loses"]),
    ("anthropic", "tool-result-not-first", "u:q | a:call 1 | u:text,result 1", ["exact"]),
    ("anthropic", "tool-result-duplicate", "u:q | a:call 1 | u:result 1,result 1", ["exact"]),
    ("anthropic", "tool-result-duplicate", "u:q | a:call 1 | u:result 1 a,result 1 b", ["exact", "loses"]),
    ("anthropic", "tool-result-duplicate", "u:q | a:server s,found s | u:result s", ["loses"]),
    ("anthropic", "tool-call-id-duplicate", "u:q | a:call 1,call 1 | u:result 1", ["exact", "exact"]),
    ("anthropic", "tool-call-id-duplicate", "u:q | a:call 1,call 1 | u:result 1,result 1", ["exact"]),
    ("anthropic", "text-empty", "u:q,empty | a:ok", ["exact"]),
    ("anthropic", "text-empty", "u:q | a:empty | u:x", ["adds"]),
    ("anthropic", "block-role-mismatch", "u:q | a:ok | u:text,call 1 | a:ok", ["loses"]),
    ("anthropic", "block-role-mismatch", "u:q | a:ok | u:call 1 | u:result 1", ["exact", "loses"]),
    ("anthropic", "tool-args-invalid", 'u:q | a:call 1 args="{}" | u:result 1', ["exact"]),
    ("anthropic", "tool-args-invalid", 'u:q | a:call 1 args="oops" | u:result 1', ["adds", "loses"]),
    ("anthropic", "content-after-tool-call", "u:q | a:think,call 1,think,text | u:result 1", ["loses"]),
    ("openai-chat", "tool-result-id-mismatch", "u=q | a:call 1 | t:result 1 | a:call 2 | t:result 1", ["exact", "loses"]),
    ("openai-chat", "tool-result-id-missing", "u=q | a:call 1 | t:result -", ["exact", "loses"]),
    ("openai-chat", "assistant-empty", "u=q | a:null | u=x", ["exact", "exact"]),
]


@pytest.mark.parametrize(("wire", "rule", "drawing", "effects"), FIXES)
def test_fixes_come_least_lossy_first(wire: str, rule: str, drawing: str, effects: list[str]) -> None:
    one = next(finding for finding in found(drawing, wire) if finding.rule == rule)
    assert [fix.effect for fix in one.fixes] == effects
    assert all(fix.origin == f"rule:{rule}" and fix.edits for fix in one.fixes)


# -- rules as documents ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_explains_itself(name: str) -> None:
    rule = RULES[name]
    assert "Evidence:" in rule.help
    assert "Repair:" in rule.help
    assert rule.summary
    assert "\n" not in rule.summary
    assert not rule.summary.endswith(".")
    assert not re.search(r"\bvalid\b|safe to send", rule.help)
    assert rule.everywhere or rule.of_reader or any(name in provider.judges for provider in PROVIDERS.values())
    assert rule.of_reader == any(name in reader.judges for reader in READERS.values())


@pytest.mark.parametrize("name", sorted(PROVIDERS))
def test_a_provider_names_rules_that_are_there(name: str) -> None:
    provider = PROVIDERS[name]
    assert provider.judges <= set(RULES)
    assert {key.split("/")[0] for key in provider.words} <= provider.judges
    assert provider.not_judged
    assert set(provider.places) == {"message", "block", "call"}
    assert {"message", "call", "image"} <= set(provider.overhead.sources)


def test_cache_marks() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    text = {"type": "text", "text": "x", **mark}
    tools = [{"name": name, "input_schema": {"type": "object"}, **mark} for name in "ab"]
    members = {"system": [text, text], "tools": tools, "max_tokens": 10, "model": "claude-sonnet-4-5"}
    messages = [{"role": "user", "content": [text]}, {"role": "assistant", "content": [{"type": "text", "text": "", **mark}]}, USER]
    findings = raw("anthropic", messages, **members)
    assert places("cache-breakpoints-too-many", findings) == "e 0.0"
    assert places("cache-on-empty-text", findings) == "e 1.0"
    (finding,) = [f for f in findings if f.rule == "cache-breakpoints-too-many"]
    assert finding.provider_error == "A maximum of 4 blocks with cache_control may be provided. Found 6."
    assert len(finding.fixes[0].edits) == 2  # the mark on the empty text is taken away by its own rule
    thinking = {"type": "thinking", "thinking": "hm", "signature": "c2ln", **mark}
    messages = [USER, {"role": "assistant", "content": [thinking, {"type": "text", "text": "x"}]}, USER]
    assert places("cache-on-thinking", raw("anthropic", messages)) == "e 1.0"
    assert not raw("anthropic", [USER], system=[text, text], tools=tools)
