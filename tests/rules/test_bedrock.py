"""Bedrock's rules: each row of the evidence, errors and what is recorded as taken, by the family of the model; and what mends them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.formats import FORMATS
from app.model.findings import Finding, Mode
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.converse import CLAUDE, LLAMA, MISTRAL, NOVA, QWEN, WRITER, drawn

BEDROCK = PROVIDERS["bedrock"]
STEP = "u:q | a:call 1 | u:result 1"
LONG = "x" * 65
TXT = {"document": {"format": "txt", "name": "d", "source": {"bytes": "aGk="}}}
PDF = {"document": {"format": "pdf", "name": "d", "source": {"bytes": "aGk="}}}
VIDEO = {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://a/b"}}}}
STORED = {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://a/b"}}}}


def found(request: dict[str, Any], model: str | None = None, mode: Mode = "complete") -> list[Finding]:
    dump = load(Source.of(json.dumps(request).encode(), "x.json"), "bedrock-converse")
    return check(make_view(dump.transcripts[0]), BEDROCK, model, mode, dump).findings


def places(rule: str, findings: list[Finding]) -> str:
    """Severity and place of each finding of a rule, short: `e 1.0 w 2`."""
    short = [(f.severity[0], f.at.removeprefix("/messages/").replace("/content/", ".", 1)) for f in findings if f.rule == rule]
    return " ".join(f"{severity} {place}" for severity, place in short)


def beside(*blocks: dict[str, Any], model: str | None = None) -> dict[str, Any]:
    """One step, with blocks behind its result."""
    request = drawn(STEP, model)
    request["messages"][2]["content"] += blocks
    return request


def answered(*parts: Any, model: str | None = None, **members: Any) -> dict[str, Any]:
    """One step whose result has this content."""
    request = drawn(STEP, model)
    request["messages"][2]["content"][0]["toolResult"].update(content=list(parts), **members)
    return request


def called(arguments: Any) -> dict[str, Any]:
    request = drawn(STEP)
    request["messages"][1]["content"][0]["toolUse"]["input"] = arguments
    return request


ROWS: list[tuple[str, dict[str, Any], str]] = [
    # pairs: tests/providers/test_next_message.py has more
    ("tool-call-unanswered", drawn("u:q | a:call 1,call 2 | u:go on"), "e 1.0 e 1.1"),
    ("tool-call-partially-answered", drawn("u:q | a:call 1,call 2 | u:result 1"), "e 1"),
    ("tool-call-trailing", drawn("u:q | a:call 1"), "e 1.0"),
    ("tool-results-split-across-messages", drawn("u:q | a:call 1,call 2 | u:result 1 | u:result 2"), "e 3.0"),
    ("tool-result-orphan", drawn("u:q | a:call 2 | u:result 1,result 2"), "e 2.0"),
    ("tool-result-not-adjacent", drawn("u:q | a:call 1 | u:go on | u:result 1"), "e 3.0"),
    ("tool-result-duplicate", drawn("u:q | a:call 1 | u:result 1,result 1"), "e 2.1"),
    ("tool-call-id-duplicate", drawn("u:q | a:call 1,call 1 | u:result 1"), "e 1.1"),
    # the whole request
    ("tool-blocks-without-tools", drawn(STEP, tools=False), "e 1.0"),
    ("tool-blocks-without-tools", {**drawn(STEP, tools=False), "toolConfig": {"tools": []}}, "e 1.0"),
    ("tool-blocks-without-tools", drawn(STEP), ""),
    ("tool-blocks-without-tools", drawn("u:q | a:ok"), ""),
    ("messages-empty", {"modelId": NOVA, "messages": []}, "e /messages"),
    # text
    ("text-empty", drawn("u:q,empty | a:ok"), "e 0.1"),
    ("text-empty", drawn("u:q,blank | a:ok"), "w 0.1"),  # taken beside a document, refused in reports for Claude
    ("text-empty", answered({"text": "a"}, {"text": ""}), "e 2.0/toolResult/content/1"),
    ("text-empty", answered({"text": " "}), "w 2.0/toolResult/content/0"),
    ("message-content-empty-user", drawn("u:none | a:ok | u:null"), "e 0 e 2"),
    ("message-content-empty-assistant", drawn("u:q | a:none | u:more | a:none"), "e 1 e 3"),
    # roles
    ("role-alternation", drawn("u:q | u:more | a:ok | a:ok"), "w 1 w 3"),
    ("role-alternation", drawn("u:q | a:ok | u:more"), ""),
    ("block-role-mismatch", drawn("u:q | a:call 1,result 1 | u:result 1"), "e 1.1"),
    ("block-role-mismatch", drawn("u:q | a:server s,found s,text"), ""),  # server-tool-result-in-turn, recorded on nova-2-lite
    ("tool-call-unanswered", drawn("u:q | a:server s,found s,text"), ""),
    # results
    ("tool-result-error-empty", answered(status="error"), "e 2.0"),
    ("tool-result-error-empty", answered(status="success"), ""),
    ("tool-result-not-object", answered({"text": "a"}, {"json": [1]}), "e 2.0/toolResult/content/1"),
    ("tool-result-not-object", answered({"json": 3}), "e 2.0/toolResult/content/0"),
    ("tool-result-not-object", answered({"json": {"a": []}}), ""),
    # calls
    ("tool-args-invalid", called("{}"), "e 1.0"),
    ("tool-args-invalid", called(None), "e 1.0"),
    ("tool-args-invalid", called([1]), "e 1.0"),
    ("tool-args-invalid", called({"": {}}), "e 1.0"),
    ("tool-args-invalid", called({"a": {"": 1}}), ""),
    ("tool-name-format", drawn("u:q | a:call 1 mcp.tool | u:result 1"), "e 1.0"),
    ("tool-name-format", drawn(f"u:q | a:call 1 {'n' * 64} | u:result 1"), ""),
    ("id-format", drawn('u:q | a:call "" | u:result ""'), "e 1.0 e 2.0"),
    ("id-format", drawn("u:q | a:call a#1 | u:result a#1"), "e 1.0 e 2.0"),
    ("id-format", drawn(f"u:q | a:call {LONG} | u:result {LONG}"), "e 1.0 e 2.0"),
    ("id-format", drawn("u:q | a:call functions.f:0 | u:result functions.f:0"), ""),  # recorded with status 200
    ("id-format", drawn(f"u:q | a:call {LONG[1:]} | u:result {LONG[1:]}"), ""),
]


@pytest.mark.parametrize(("rule", "request_", "want"), ROWS)
def test_rows(rule: str, request_: dict[str, Any], want: str) -> None:
    assert places(rule, found(request_)) == want


FAMILIES: list[tuple[str, str | None, dict[str, Any], str]] = [
    *(("first-message-not-user", model, drawn("a:hello | u:q"), "e 0") for model in (NOVA, LLAMA, MISTRAL, WRITER)),
    ("first-message-not-user", "cohere.command-r-plus-v1:0", drawn("a:hello | u:q"), "e 0"),
    ("first-message-not-user", "ai21.jamba-1-5-large-v1:0", drawn("a:hello | u:q"), "e 0"),
    *(("first-message-not-user", model, drawn("a:hello | u:q"), "") for model in (CLAUDE, QWEN, None)),
    # beside a result
    *(("tool-result-colocated-content", model, drawn("u:q | a:call 1 | u:result 1,go on"), "e 2.1") for model in (LLAMA, MISTRAL, WRITER)),
    *(("tool-result-colocated-content", model, drawn("u:q | a:call 1 | u:result 1,go on"), "") for model in (CLAUDE, NOVA, QWEN, None)),
    ("tool-result-colocated-content", LLAMA, drawn("u:q | a:call 1,call 2 | u:result 1,result 2"), ""),
    ("tool-result-colocated-content", CLAUDE, beside({"text": "x"}, TXT), "e 2.2"),
    ("tool-result-colocated-content", CLAUDE, beside({"text": "x"}, PDF), ""),  # recorded with status 200, three times
    ("tool-result-colocated-content", CLAUDE, beside(VIDEO), "e 2.1"),
    ("tool-result-colocated-content", NOVA, beside({"text": "x"}, TXT, VIDEO), ""),
    ("tool-result-colocated-content", None, beside(TXT, VIDEO), ""),
    ("tool-result-colocated-content", LLAMA, drawn("u:q | a:text,call 1 | u:result 1"), "w 1.0"),  # in reports only
    ("tool-result-colocated-content", NOVA, drawn("u:q | a:text,call 1 | u:result 1"), ""),
    ("tool-result-not-first", CLAUDE, drawn("u:q | a:call 1 | u:go on,result 1"), "e 2.1"),
    ("tool-result-not-first", NOVA, drawn("u:q | a:call 1 | u:go on,result 1"), ""),
    # what a model takes
    ("tool-result-status-unsupported", WRITER, answered({"text": "a"}, status="success"), "e 2.0"),
    ("tool-result-status-unsupported", WRITER, answered({"text": "a"}), ""),
    ("tool-result-status-unsupported", CLAUDE, answered({"text": "a"}, status="error"), ""),
    ("media-unsupported", CLAUDE, answered(VIDEO), "e 2.0"),
    (
        "media-unsupported",
        CLAUDE,
        {**drawn("u:q"), "messages": [{"role": "user", "content": [{"text": "q"}, VIDEO, STORED]}]},
        "e 0.1 e 0.2",
    ),
    ("media-unsupported", NOVA, answered(VIDEO), "e 2.0"),
    ("media-unsupported", NOVA, {**drawn("u:q"), "messages": [{"role": "user", "content": [{"text": "q"}, VIDEO, STORED]}]}, ""),
    ("media-unsupported", None, answered(VIDEO), ""),
    # Claude's own rules
    ("prefill-unsupported", "us.anthropic.claude-sonnet-4-6", drawn("u:q | a:ok"), "e 1"),
    ("prefill-unsupported", CLAUDE, drawn("u:q | a:ok"), ""),
    ("prefill-unsupported", NOVA, drawn("u:q | a:ok"), ""),
    ("reasoning-signature-missing", CLAUDE, drawn("u:q | a:think?,call 1 | u:result 1"), "e 1.0"),
    ("reasoning-signature-missing", "openai.gpt-oss-120b-1:0", drawn("u:q | a:think?,call 1 | u:result 1"), ""),
    ("tool-result-error-non-text", CLAUDE, answered({"image": STORED["image"]}, status="error"), "e 2.0"),
    ("tool-result-error-non-text", NOVA, answered({"image": STORED["image"]}, status="error"), ""),
]


@pytest.mark.parametrize(("rule", "model", "request_", "want"), FAMILIES)
def test_families(rule: str, model: str | None, request_: dict[str, Any], want: str) -> None:
    assert places(rule, found({**request_, **({"modelId": model} if model else {})})) == want
    if model:  # named beside the dump, as a URL has it
        assert places(rule, found({k: v for k, v in request_.items() if k != "modelId"}, model.replace(":", "%3A"))) == want


def test_thinking_is_switched_on_below_the_models_own_fields() -> None:
    thinking = {"additionalModelRequestFields": {"thinking": {"type": "enabled"}, "top_k": 5}}
    request = drawn("u:q | a:text,call 1 | u:result 1", CLAUDE, **thinking)
    assert places("reasoning-missing", found(request)) == "e 1"
    assert places("reasoning-missing", found(drawn("u:q | a:think,call 1 | u:result 1", CLAUDE, **thinking))) == ""
    assert places("reasoning-missing", found({**request, "modelId": NOVA})) == ""
    assert json.loads(mended(request))["additionalModelRequestFields"] == {"top_k": 5}


def test_every_row_has_a_test(shared: Path) -> None:
    rows = {row["id"] for row in json.loads((shared / "rules" / "rules.json").read_text()) if row["provider"] == "bedrock"}
    tested = {rule for rule, *_ in (*ROWS, *FAMILIES)}
    assert rows - tested == {"tool-result-count-mismatch", "server-tool-result-in-turn"}  # named otherwise; under block-role-mismatch


# -- repairs --------------------------------------------------------------------------------------------------------------------


def mended(request: dict[str, Any], model: str | None = None, rules: tuple[str, ...] = ()) -> bytes:
    """Repaired and written; it must hold then, and not change again."""
    dump = load(Source.of(json.dumps(request).encode(), "x.json"), "bedrock-converse")
    _, after = repair(dump.transcripts[0], dump, BEDROCK, model, "complete", "all", rules)
    data = b"".join(FORMATS["bedrock-converse"].write(dump, [after]))
    again = load(Source.of(data, "x.json"), "bedrock-converse")
    report = check(make_view(again.transcripts[0]), BEDROCK, model, "complete", again)
    assert report.verdict == "accept", [f.rule for f in report.findings]
    assert not repair(again.transcripts[0], again, BEDROCK, model, "complete", "all", rules)[0].passes
    return data


def messages(request: dict[str, Any], model: str | None = None, rules: tuple[str, ...] = ()) -> list[Any]:
    return [message["content"] for message in json.loads(mended(request, model, rules))["messages"]]


def test_every_error_is_mended() -> None:
    for rule, request, want in ROWS:
        if "e " in want and rule != "messages-empty":
            mended(request)
    for _, model, request, want in FAMILIES:
        if "e " in want:
            mended({**request, "modelId": model})


def test_ids_are_changed_in_call_and_result_together_one_for_one() -> None:
    request = drawn("u:q | a:call a#1,call a#2 | u:result a#2,result a#1 | a:call a#1 | u:result a#1")
    found = json.loads(mended(request))["messages"]
    calls = [block["toolUse"]["toolUseId"] for block in (*found[1]["content"], *found[3]["content"])]
    results = [block["toolResult"]["toolUseId"] for block in (*found[2]["content"], *found[4]["content"])]
    assert (results[1], results[0], results[2]) == tuple(calls)
    assert calls[0] == calls[2] != calls[1]
    assert all(call.startswith("tooluse_") and len(call) <= 64 for call in calls)


def test_results_and_the_rest_are_parted_by_a_bridge() -> None:
    request = drawn("u:q | a:call 1 | u:go on,result 1,more | a:ok")
    assert messages(request, LLAMA)[2:5] == [
        [{"toolResult": {"toolUseId": "1", "content": [{"text": "found"}]}}], [{"text": "."}], [{"text": "go on"}, {"text": "more"}],
    ]  # fmt: skip
    spoken = messages(drawn("u:q | a:text,call 1 | u:result 1"), LLAMA, ("tool-result-colocated-content",))
    assert [[next(iter(block)) for block in content] for content in spoken] == [["text"], ["text"], ["text"], ["toolUse"], ["toolResult"]]


def test_tools_of_the_history_are_declared() -> None:
    request = drawn("u:q | a:call 1 look,call 2 read,call 3 look | u:result 1,result 2,result 3", tools=False)
    tools = json.loads(mended(request))["toolConfig"]["tools"]
    assert tools == [{"toolSpec": {"name": name, "inputSchema": {"json": {"type": "object"}}}} for name in ("look", "read")]


def test_json_is_put_under_a_key() -> None:
    assert messages(answered({"json": [1]}, {"text": "a"}, {"json": "x"}))[2][0]["toolResult"]["content"] == [
        {"json": {"items": [1]}}, {"text": "a"}, {"json": {"output": "x"}},
    ]  # fmt: skip


def test_a_member_without_a_name_goes_or_gets_one() -> None:
    assert messages(called({"": {}, "a": 1}))[1][0]["toolUse"]["input"] == {"a": 1}
    assert messages(called({"": 5, "value": 1}))[1][0]["toolUse"]["input"] == {"value": 1, "value_": 5}


def test_a_made_result_has_no_status_where_the_model_takes_none() -> None:
    request = drawn("u:q | a:call 1 | u:go on")
    assert messages(request, NOVA)[2][0]["toolResult"]["status"] == "error"
    assert "status" not in messages(request, WRITER)[2][0]["toolResult"]


def test_two_messages_of_one_role_are_put_together_by_name_only() -> None:
    request = drawn("u:q | u:more | a:ok")
    assert len(messages(request)) == 3
    assert messages(request, None, ("role-alternation",)) == [[{"text": "q"}, {"text": "more"}], [{"text": "ok"}]]


def test_an_answer_and_a_bare_list_are_no_request() -> None:
    step = drawn(STEP, tools=False)["messages"]
    answer = {"output": {"message": step[1]}, "stopReason": "tool_use"}
    for made in (step, answer):
        dump = load(Source.of(json.dumps(made).encode(), "x.json"), "bedrock-converse")
        report = check(make_view(dump.transcripts[0]), BEDROCK, None, "prefix", dump)
        assert not [f.rule for f in report.findings]
