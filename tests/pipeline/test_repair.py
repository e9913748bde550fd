"""Repairs: the least lossy fix first, checked again, stable at a second run; over real bytes, there and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.edits import Change
from app.model.findings import Finding, Report
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.repair import Level, repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests import generate
from tests.builders import request_of
from tests.slow_checker import findings

TAKES_PREFILL = "claude-sonnet-4-5"


class Mended:
    """A request before and after a repair."""

    def __init__(self, request: dict[str, Any], wire: str = "anthropic", level: Level = "all", rules: tuple[str, ...] = ()) -> None:
        self.wire, self.provider = wire, PROVIDERS[wire]
        self.data = json.dumps({"model": TAKES_PREFILL, **request}, ensure_ascii=True).encode()
        self.dump = loaded(self.data, wire)
        self.before = self.report(self.dump)
        transcript = self.dump.transcripts[0]
        self.layer, self.transcript = repair(transcript, self.dump, self.provider, None, "complete", level, rules)
        self.out = b"".join(FORMATS[self.dump.format].write(self.dump, [self.transcript]))
        self.again = loaded(self.out, wire)
        self.after = self.report(self.again)
        self.request: dict[str, Any] = json.loads(self.out)
        self.changes: tuple[Change, ...] = self.layer.changes
        self.second, _ = repair(self.again.transcripts[0], self.again, self.provider, None, "complete", level, rules)

    def report(self, dump: Dump) -> Report:
        return check(make_view(dump.transcripts[0]), self.provider, None, "complete", dump)

    def left(self, *effects: str) -> list[Finding]:
        """Errors that a fix of one of the effects would still mend."""
        return [f for f in self.after.findings if f.severity == "error" and any(fix.effect in effects for fix in f.fixes)]


def loaded(data: bytes, wire: str) -> Dump:
    return load(Source.of(data, "request.json"), "anthropic-messages" if wire == "anthropic" else "openai-chat")


def mended(drawing: str, wire: str = "anthropic", level: Level = "all", rules: tuple[str, ...] = (), **members: Any) -> Mended:
    return Mended(request_of(drawing, wire, **members), wire, level, rules)


def drawn_back(request: dict[str, Any]) -> str:
    """The messages of a request as a drawing, roughly: what stands where."""
    return " | ".join(f"{m['role'][0]}:{','.join(_blocks(m))}" for m in request["messages"])


def _blocks(message: dict[str, Any]) -> list[str]:
    content = message.get("content")
    blocks = [content] if isinstance(content, str) else [_block(block) for block in content or []]
    blocks = [f"result {message['tool_call_id']} {content}"] if message["role"] == "tool" else blocks
    return blocks + [f"call {call['id']}" for call in message.get("tool_calls") or []]


def _block(block: dict[str, Any]) -> str:
    if block["type"] == "tool_use":
        return f"call {block['id']}"
    if block["type"] == "tool_result":
        mark = "!" if block.get("is_error") else ""
        return f"result{mark} {block['tool_use_id']} {block.get('content')}"
    return str(block.get("text", block["type"]))


NONE = "[no result recorded; the call may have run]"


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        # late results go home, nothing is made up
        ("u:q | a:call 1 | u:text,result 1", "u:q | a:call 1 | u:result 1 found,text"),
        ("u:q | a:call 1,call 2 | u:result 1,text | u:result 2", "u:q | a:call 1,call 2 | u:result 1 found,result 2 found,text"),
        ("u:q | a:call 1 | u:wait | a:ok | u:result 1", "u:q | a:call 1 | u:result 1 found,wait | a:ok"),
        ("u:result 1 old | a:call 1 | u:go", "a:call 1 | u:result 1 old,go"),
        ("u:q | a:call 1 | u:result 9 | a:ok", "u:q | a:call 1 | u:result 1 found | a:ok"),
        ("u:q | a:call 1,result 1 | u:go", "u:q | a:call 1 | u:result 1 found,go"),
        # made up, at the head of the turn that answers
        ("u:q | a:call 1,call 2 | u:go on", f"u:q | a:call 1,call 2 | u:result! 1 {NONE},result! 2 {NONE},go on"),
        ("u:q | a:call 1,call 2 | u:result 2,text", f"u:q | a:call 1,call 2 | u:result 2 found,result! 1 {NONE},text"),
        ("u:q | a:call 1", f"u:q | a:call 1 | u:result! 1 {NONE}"),
        # taken away
        ("u:result 1 | a:so | u:hi", "a:so | u:hi"),
        ("u:q | a:call 1 | u:result 1,result 2 | a:ok", "u:q | a:call 1 | u:result 1 found | a:ok"),
        ("u:q | a:call 1 | u:result 1,result 1", "u:q | a:call 1 | u:result 1 found"),
        ("u:q | a:text,server s,text | u:and", "u:q | a:text,text | u:and"),
        # renamed, emptied, put together
        ("u:q | a:call 1 | u:result 1 one,result 1 two", "u:q | a:call 1 | u:result 1 one\n\ntwo"),
        ("u:q | a:empty,call 1 | u:result 1", "u:q | a:call 1 | u:result 1 found"),
        ("u:q | a:blank | u:and", "u:q | a:(empty) | u:and"),
        ("u:q | a:call 1 args=3 | u:result 1", "u:q | a:call 1 | u:result 1 found"),
        ("u:q | a:think,call 1,text | u:result 1", "u:q | a:thinking,text,call 1 | u:result 1 found"),
        ("u:q | a:think,call 1 | a:think,call 2 | u:result 1,result 2",
         "u:q | a:thinking,call 1 | u:result 1 found | a:thinking,call 2 | u:result 2 found"),
    ],
)  # fmt: skip
def test_anthropic(drawing: str, expected: str) -> None:
    found = mended(drawing)
    assert drawn_back(found.request) == expected
    assert found.after.verdict == "accept"
    assert not found.second.passes


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        ("u=q | a:call 1 | u=wait | a=ok | t:result 1", "u:q | a:call 1 | t:result 1 found | u:wait | a:ok"),
        ("u=q | a:call 1 | a:call 2 | t:result 1 | t:result 2", "u:q | a:call 1 | t:result 1 found | a:call 2 | t:result 2 found"),
        ("u=q | a:call 1,call 2 | t:result 1 | a=so", f"u:q | a:call 1,call 2 | t:result 1 found | t:result 2 {NONE} | a:so"),
        ("s=x | t:result 1 | t:result 2 | a=so", "s:x | a:so"),
        ('u=q | a:call 1,call 2 | t:result 1 | t:result ""', "u:q | a:call 1,call 2 | t:result 1 found | t:result 2 found"),
        ("u=q | a:null | u=x", "u:q | u:x"),
        ("u=q | a:call 1 | t:result~ 1", "u:q | a:call 1 | t:result 1 "),
        ("t:result 1 | a:call 1 | u=so", "a:call 1 | t:result 1 found | u:so"),
    ],
)
def test_openai_chat(drawing: str, expected: str) -> None:
    found = mended(drawing, "openai-chat")
    assert drawn_back(found.request) == expected
    assert found.after.verdict == "accept"
    assert not found.second.passes


def test_safe_loses_nothing() -> None:
    found = mended("u:q | a:call 1 | u:result 2,result 3", level="safe")
    assert {change.effect for change in found.changes} == {"adds"}
    assert [f.rule for f in found.after.findings] == ["tool-result-orphan", "tool-result-orphan"]
    assert drawn_back(found.request) == f"u:q | a:call 1 | u:result 2 found,result 3 found,result! 1 {NONE}"


def test_warnings_are_mended_by_name_only() -> None:
    drawing = "a:hello | u:q | a:call 1,text | u:result 1"
    assert mended(drawing).out == mended(drawing).data
    named = mended(drawing, level="none", rules=("content-after-tool-call",))
    assert drawn_back(named.request) == "a:hello | u:q | a:text,call 1 | u:result 1 found"
    assert {f.rule for f in named.after.findings} == {"first-message-not-user"}


def test_named_rules_alone_leave_errors_of_others() -> None:
    found = mended("u:q | a:empty,call 1 | u:go", level="none", rules=("text-empty",))
    assert [f.rule for f in found.after.findings] == ["tool-call-unanswered"]


def test_ids_are_renamed_in_pairs_and_injectively() -> None:
    found = mended("u:q | a:call a.b,call a|b | u:result a|b,result a.b | a:call a.b | u:result a.b".replace("a|b", "a:b"))
    ids = [block["id"] for message in found.request["messages"] for block in message["content"] if block["type"] == "tool_use"]
    assert ids[0] == ids[2] != ids[1]
    assert found.after.verdict == "accept"
    assert not found.second.passes


@pytest.mark.parametrize("wire", ["anthropic", "openai-chat"])
def test_damage_is_healed_and_stays_healed(wire: str) -> None:
    @given(generate.damaged(wire))
    @settings(max_examples=40, deadline=None)
    def heal(messages: list[dict[str, Any]]) -> None:
        found = Mended({"messages": messages}, wire)
        assert found.after.verdict == "accept"
        assert not findings(found.request, wire)
        assert not found.second.passes
        if found.before.verdict == "accept":
            assert found.out == found.data

    heal()


@given(generate.ANTHROPIC)
@settings(max_examples=40, deadline=None)
def test_whatever_comes_in_no_error_that_has_a_fix_is_left(drawing: str) -> None:
    heals(request_of(drawing), "anthropic")


@given(generate.OPENAI)
@settings(max_examples=40, deadline=None)
def test_whatever_comes_in_openai_chat(drawing: str) -> None:
    heals(request_of(drawing, "openai-chat"), "openai-chat")


@given(generate.MIXED_ANTHROPIC, st.sampled_from(["claude-sonnet-4-5", "claude-opus-4-6"]), st.booleans())
@settings(max_examples=40, deadline=None)
def test_whatever_comes_in_of_all_kinds(drawing: str, model: str, thinking: bool) -> None:
    more = {"thinking": {"type": "enabled", "budget_tokens": 1024}} if thinking else {}
    heals(request_of(drawing, model=model, **more), "anthropic")


@given(generate.MIXED_OPENAI)
@settings(max_examples=40, deadline=None)
def test_whatever_comes_in_of_all_kinds_openai_chat(drawing: str) -> None:
    heals(request_of(drawing, "openai-chat"), "openai-chat")


def heals(request: dict[str, Any], wire: str) -> None:
    found = Mended(request, wire)
    assert not found.left("exact", "adds", "loses")
    assert not found.second.passes
    careful = Mended(request, wire, "safe")
    assert not careful.left("exact", "adds")
    assert not careful.second.passes
    assert all(change.effect != "loses" for change in careful.changes)


@pytest.mark.parametrize("wire", ["anthropic", "openai-chat"])
def test_what_is_clean_comes_back_byte_for_byte(wire: str) -> None:
    @given(generate.clean(wire))
    @settings(max_examples=40, deadline=None)
    def same(messages: list[dict[str, Any]]) -> None:
        found = Mended({"messages": messages}, wire)
        assert found.transcript is found.dump.transcripts[0]
        assert found.out == found.data

    same()


def test_requests_of_many_small_defects() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    text = {"type": "text", "text": "x", **mark}
    tools = [{"name": name, "input_schema": {"type": "object"}, **mark} for name in "ab"]
    thinking = {"type": "thinking", "thinking": "hm", "signature": "c2ln", **mark}
    messages = [
        {"role": "user", "content": [text, {"type": "input_text", "text": "hi"}, {"type": "image_url", "image_url": {"url": "x"}}]},
        {"role": "assistant", "content": [thinking, {"type": "text", "text": "ok", **mark}]},
        {"role": "user", "content": "half \ud83d"},
        {"role": "assistant", "content": "so \n"},
    ]
    found = Mended({"system": [text, text], "tools": tools, "messages": messages})
    assert found.after.verdict == "accept"
    assert not found.second.passes
    marks = json.dumps(found.request).count("cache_control")
    assert marks == 4
    assert [m["content"] for m in found.request["messages"]][2:] == ["half \ufffd", "so"]
    assert found.request["messages"][0]["content"][1] == {"type": "text", "text": "hi"}
    assert found.request["messages"][1]["content"][0]["signature"] == "c2ln"


def test_system_messages_find_a_place() -> None:
    found = mended("s:one | s:two | u:q | a:ok | s:three,more | s:four | u:go on", max_tokens=1)
    assert found.after.verdict == "accept"
    assert not found.second.passes
    assert found.request["system"] == "one\n\ntwo"
    assert drawn_back(found.request) == "u:q | a:ok | u:go on | s:three,more | s:four"
