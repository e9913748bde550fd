"""Mistral's rules: each row of the evidence, what is recorded as taken, and what mends them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from app.formats import FORMATS
from app.model.findings import Finding, Mode
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.builders import request_of
from tests.generate import OPENAI
from tests.slow_checker import findings as slowly

PROVIDER = PROVIDERS["mistral"]
A, B = "VB03LVVRm", "6SmIVvgTb"
STEP = f"u=q | a:call {A} | t:result {A}"
PAIRS = (
    "tool-call-unanswered", "tool-call-partially-answered", "tool-call-trailing", "tool-call-id-duplicate", "tool-result-orphan",
    "tool-result-id-mismatch", "tool-result-id-missing", "tool-result-duplicate", "tool-result-not-adjacent", "block-role-mismatch",
)  # fmt: skip


def found(request: dict[str, Any], mode: Mode = "complete", hint: str = "mistral") -> list[Finding]:
    dump = load(Source.of(json.dumps(request).encode(), "x.json"), hint)
    return check(make_view(dump.transcripts[0]), PROVIDER, None, mode, dump, all_findings=True).findings


def places(rule: str, findings: list[Finding]) -> str:
    """Severity and place of each finding of a rule, short: `e 1.0 w 2`."""
    short = [(f.severity[0], re.sub(r"/(content|tool_calls)/?", ".", f.at.removeprefix("/messages/"))) for f in findings if f.rule == rule]
    return " ".join(f"{severity} {place}" for severity, place in short)


def drawn(drawing: str) -> dict[str, Any]:
    return request_of(drawing, "openai-chat")


def answered(content: Any, **members: Any) -> dict[str, Any]:
    request = drawn(STEP + " | a=ok | u=more")
    request["messages"][2].update(content=content, **members)
    return request


IMAGE = [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": "https://x.io/a.png"}]

ROWS: list[tuple[str, dict[str, Any], str]] = [
    ("tool-call-unanswered", drawn(f"u=q | a:call {A} | u=go on"), "e 1.0"),
    ("tool-call-partially-answered", drawn(f"u=q | a:call {A},call {B} | t:result {A} | a=ok | u=x"), "e 1"),
    ("tool-call-trailing", drawn(f"u=q | a:call {A}"), "e 1.0"),
    ("tool-result-orphan", drawn(f"u=q | a:call {A} | t:result {A},result {B} | a=ok | u=x"), "e 3"),
    ("tool-result-orphan", drawn(f"u=q | t:result {A} | a=ok | u=x"), "e 1"),
    ("tool-result-duplicate", drawn(f"u=q | a:call {A} | t:result {A},result {A} | a=ok | u=x"), "e 3"),
    ("tool-result-not-adjacent", drawn(f"u=q | a:call {A} | u=wait | t:result {A}"), "e 3"),
    ("tool-call-id-duplicate", drawn(f"u=q | a:call {A},call {A} | t:result {A},result {A}"), "e 1.1"),
    ("tool-call-id-duplicate", drawn(f"{STEP} | a:call {A} | t:result {A}"), ""),  # the sets are cleared for each assistant message
    ("user-after-tool", drawn(f"{STEP} | u=go on"), "w 3"),  # disputed since 2026-07
    ("user-after-tool", drawn(f"{STEP} | a=ok | u=go on"), ""),
    ("role-order", drawn("u=q | a=ok | s=x | u=more"), "e 2"),
    ("role-order", drawn(f"{STEP} | s=x | a=ok | u=more"), "e 3"),
    ("role-order", drawn("s=x | s=y | u=q | s=z | u=more"), ""),
    ("id-format", drawn("u=q | a:call call_1 | t:result call_1"), "e 1.0 e 2"),
    ("id-format", drawn(f"u=q | a:call {A[:-1]}_ | t:result {A[:-1]}_"), "e 1.0 e 2"),
    ("id-format", drawn(STEP), ""),
    ("assistant-empty", drawn("u=q | a:null | u=x | a:none | u=x | a=empty | u=x"), "e 1 e 3 e 5"),
    ("assistant-empty", drawn(f"u=q | a:empty,call {A} | t:result {A}"), ""),
    ("last-message-not-user", drawn("u=q | a=ok"), "e 1"),
    ("last-message-not-user", {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "It", "prefix": True}]}, ""),
    ("last-message-not-user", drawn(STEP), ""),
    ("tool-name-format", drawn(f"u=q | a:call {A} mcp.tool | t:result {A}"), "e 1.0"),
    ("tool-name-format", answered("ok", name="mcp.tool"), "e 2"),
    ("tool-result-content-type", answered(IMAGE), "e 2"),
    ("tool-result-content-type", answered(None), "e 2"),
    ("tool-result-content-type", answered([{"type": "text", "text": "a"}]), ""),
    ("messages-empty", {"messages": []}, "e /messages"),
    # recorded, or in the validator, as taken
    ("first-message-not-user", drawn("a=hello | u=q"), ""),
    ("role-alternation", drawn("u=q | u=more | a=ok | a=ok | u=x"), ""),
    (
        "tool-calls-empty-array",
        {"messages": [{"role": "assistant", "content": "x", "tool_calls": []}, {"role": "user", "content": "q"}]},
        "",
    ),
    ("assistant-empty", {"messages": [{"role": "assistant", "content": "x", "tool_calls": []}, {"role": "user", "content": "q"}]}, ""),
]


@pytest.mark.parametrize(("rule", "request_", "want"), ROWS)
def test_rows(rule: str, request_: dict[str, Any], want: str) -> None:
    assert places(rule, found(request_)) == want


def test_what_is_taken_has_no_error_at_all() -> None:
    for drawing in ("a=hello | u=q", "u=q | u=more | a=ok | a=ok | u=x", f"{STEP} | u=go on", STEP):
        assert [f.rule for f in found(drawn(drawing)) if f.severity == "error"] == []


def test_every_row_has_a_test(shared: Path) -> None:
    rows = {row["id"] for row in json.loads((shared / "rules" / "rules.json").read_text()) if row["provider"] == "mistral"}
    assert rows - {rule for rule, *_ in ROWS} == {"tool-result-count-mismatch"}  # its findings bear other names


def test_a_tool_message_without_an_id_answers_by_its_place() -> None:
    """As old tokenizers count; newer ones want the id."""
    request = drawn(f"u=q | a:call {A},call {B} | t:result {A}")
    request["messages"].append({"role": "tool", "content": "ok"})
    rules = {f.rule for f in found(request)}
    assert rules == {"tool-result-id-missing", "tool-call-partially-answered"}
    assert len(mended(request)["messages"]) == 4


def test_an_answer_that_is_not_the_last_is_asked_for_only_where_it_would_be_sent() -> None:
    assert places("last-message-not-user", found(drawn("u=q | a=ok"), "prefix")) == ""


@settings(max_examples=25, deadline=None)
@given(drawing=OPENAI)
def test_pairs_are_those_of_the_run_of_tool_messages(drawing: str) -> None:
    request = drawn(drawing)
    for mode in ("complete", "prefix"):
        ours = {(f.rule, f.at) for f in found(request, mode) if f.rule in PAIRS}  # type: ignore[arg-type]
        assert ours == {pair for pair in slowly(request, "openai-chat", mode) if pair[0] in PAIRS}, mode


def mended(request: dict[str, Any], rules: tuple[str, ...] = ()) -> dict[str, Any]:
    """Repaired and written; it must hold then, and not change again."""
    dump = load(Source.of(json.dumps(request).encode(), "x.json"), "mistral")
    _, after = repair(dump.transcripts[0], dump, PROVIDER, None, "complete", "all", rules)
    data = b"".join(FORMATS["mistral"].write(dump, [after]))
    again = load(Source.of(data, "x.json"), "mistral")
    report = check(make_view(again.transcripts[0]), PROVIDER, None, "complete", again)
    assert report.verdict == "accept", [f.rule for f in report.findings]
    assert not repair(again.transcripts[0], again, PROVIDER, None, "complete", "all", rules)[0].passes
    made: dict[str, Any] = json.loads(data)
    return made


def test_every_error_is_mended() -> None:
    for rule, request, want in ROWS:
        if "e " in want and rule != "messages-empty":
            mended(request)


def test_ids_become_nine_letters_and_digits_one_for_one() -> None:
    request = drawn("u=q | a:call call_1,call call_2 | t:result call_2,result call_1 | a:call call_1 | t:result call_1")
    found = mended(request)["messages"]
    calls = [call["id"] for message in (found[1], found[4]) for call in message["tool_calls"]]
    results = [message["tool_call_id"] for message in found if message["role"] == "tool"]
    assert [results[1], results[0], results[2]] == calls
    assert calls[0] == calls[2] != calls[1]
    assert all(re.fullmatch("[A-Za-z0-9]{9}", call) for call in calls)


def test_a_system_message_moves_up_to_where_it_may_stand() -> None:
    found = mended(drawn(f"s=first | u=q | a:call {A} | t:result {A} | s=note | a=ok | u=x"))["messages"]
    assert [message["role"] for message in found] == ["system", "user", "system", "assistant", "tool", "assistant", "user"]
    found = mended(drawn("a=hello | s=note | u=x"))["messages"]
    assert [message["role"] for message in found] == ["system", "assistant", "user"]


def test_a_bridge_is_put_in_by_name_only() -> None:
    request = drawn(f"{STEP} | u=go on")
    assert mended(request) == request
    assert mended(request, ("user-after-tool",))["messages"][3] == {"role": "assistant", "content": "OK"}


def test_an_image_in_a_tool_message_leaves_a_note() -> None:
    assert mended(answered(IMAGE))["messages"][2]["content"] == "a\n[image left out: this model takes text alone here]"


def test_a_dump_of_openai_is_judged_as_its_own_wire() -> None:
    rules = {f.rule for f in found(drawn("u=q | a:call call_1 | t:result call_1 | u=x"), hint="openai-chat")}
    assert rules == {"id-format", "user-after-tool"}


def test_its_words_say_which_role_follows_which() -> None:
    orphan = next(f for f in found(drawn(f"u=q | t:result {A} | a=ok | u=x")) if f.rule == "tool-result-orphan")
    assert orphan.provider_error == "Unexpected role 'tool' after role 'user'"
    note = next(f for f in found(drawn(f"{STEP} | s=x | a=ok | u=more")) if f.rule == "role-order")
    assert note.provider_error == "Unexpected role 'system' after role 'tool'"
