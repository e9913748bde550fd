"""What Gemini makes of a transcript: pairs by count, order, signatures, parts and roles, against drawings and a slow second opinion."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from app.formats import FORMATS
from app.model.dump import Dump
from app.model.findings import Finding, Mode
from app.model.source import Source
from app.pipeline.check import check
from app.pipeline.load import load
from app.pipeline.repair import repair
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from app.providers._models import gemini_family
from tests import gemini
from tests.gemini import request

GEMINI = PROVIDERS["gemini"]
PAIRS = {
    "tool-call-unanswered", "tool-call-trailing", "tool-call-turn-order", "tool-result-count-mismatch", "tool-result-not-adjacent",
    "tool-result-turn-order", "tool-results-split-across-messages", "block-role-mismatch", "message-content-empty", "part-empty-object",
    "messages-empty",
}  # fmt: skip


def opened(made: dict[str, Any]) -> Dump:
    return FORMATS["gemini"].parse(Source.of(json.dumps(made).encode()))


def findings(made: dict[str, Any], mode: Mode = "complete", model: str | None = None) -> list[Finding]:
    dump = opened(made)
    report = check(make_view(dump.transcripts[0]), GEMINI, model, mode, dump)
    return [finding for finding in report.findings if finding.severity != "note"]


def said(drawing: str, mode: Mode = "complete", **members: Any) -> str:
    """Rules and places, short; warnings in brackets: `unanswered 1.0, (not-first 2.1)`."""
    words = []
    for finding in findings(request(drawing, **members), mode):
        place = finding.at.removeprefix("/contents/").replace("/parts/", ".")
        rule = finding.rule.removeprefix("tool-").removeprefix("result-").removeprefix("call-")
        words.append((place, f"{rule} {place}" if finding.severity == "error" else f"({rule} {place})"))
    return ", ".join(word for _, word in sorted(words))


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        # taken: joined contents of the model, any order, ids that do not fit, text around
        ("u:q | m:call 1,call 2 | u:result 2,result 1", ""),
        ("u:q | m:call 1 | m:call 2 | u:result 1,result 2", "(turn-order 2.0)"),
        ("u:q | m:text | m:call 2 | u:result 2", "(turn-order 2.0)"),
        ("u:q | m:call 1 | u:result 9", ""),
        ("u:q | m:call - | u:result 9", ""),
        ("u:q | m:call 1 read | u:result - look", ""),
        ("u:q | m:call 1 | u:result 1,text", ""),
        ("u:q | m:call 1 | u:result 1 | u:text | u:more", ""),
        ("u:q | m:call 1 | u:result 1 | m:call 1 | u:result 1", ""),
        ("u:q | u:r | m:a | m:b | u:c", ""),
        ("u:q | m:text,call 1 | u:result 1", ""),
        ("u:q | m:call 1,text | u:result 1", ""),
        ("u:q | m:think,call 1 | u:result 1,image", ""),
        # numbers
        ("u:q | m:call 1,call 2 | u:result 1", "count-mismatch 2"),
        ("u:q | m:call -,call - | u:result -", "count-mismatch 2"),
        ("u:q | m:call 1 | u:result 1,result 1", "count-mismatch 2"),
        ("u:q | m:call 1 | u:result 1,result 2", "count-mismatch 2"),
        ("u:q | m:call 1 | m:call 2 | u:result 1", "(turn-order 2.0), count-mismatch 3"),
        ("u:q | m:call 1,call 2 | u:go on", "unanswered 1.0, unanswered 1.1"),
        ("u:q | m:call 1 | u:image | m:so | u:r", "unanswered 1.0"),
        ("u:q | m:call 1", "trailing 1.0"),
        ("u:q | m:call 1,call 2 | u:result 1 | u:go on", "count-mismatch 2"),
        # in several contents
        ("u:q | m:call 1,call 2 | u:result 1 | u:result 2", "results-split-across-messages 3.0"),
        ("u:q | m:call -,call - | u:result - | u:result -", "results-split-across-messages 3.0"),
        ("u:q | m:call - a,call - b | u:result - b | u:result - a", "results-split-across-messages 3.0"),
        ("u:q | m:call 1,call 2,call 3 | u:result 1 | u:result 2", "count-mismatch 2, results-split-across-messages 3.0"),
        ("u:q | m:call 1 | m:call 2 | u:result 1 | u:result 2", "(turn-order 2.0), results-split-across-messages 4.0"),
        # too late, too early, of nobody
        ("u:q | m:call 1 | u:wait | u:result 1", "not-adjacent 3.0"),
        ("u:q | m:call - | u:wait | u:result -", "not-adjacent 3.0"),
        ("u:q | m:call 1 | u:no | m:so | u:result 1", "not-adjacent 4.0"),
        ("u:q | m:call 1 | u:wait | u:result -", "not-adjacent 3.0"),
        ("u:q | m:call - | u:wait | u:result 9", "unanswered 1.0, turn-order 3.0"),
        ("u:result 1 | m:call 1 | u:wait | u:result -", "turn-order 0.0, unanswered 1.0, turn-order 3.0"),
        ("u:q | m:call 1 | u:no | m:call 2 | u:result 1,result 2", "not-adjacent 4.0"),
        ("u:result 1 | m:so", "turn-order 0.0, (last-message-not-user 1)"),
        ("u:q | m:call 1 | u:result 1 | u:result 1", "turn-order 3.0"),
        ("u:q | m:call 1 | u:result 1 | m:so | u:result 1", "turn-order 4.0"),
        ("u:result 1 | m:call 1 | u:go", "turn-order 0.0, unanswered 1.0"),
        ("u:q | m:so | u:result 4,text", "turn-order 2.0"),
        # order, role, parts
        ("m:call 1 | u:result 1", "turn-order 0.0"),
        ("m:hello | u:q", "(first-message-not-user 0)"),
        ("u:q | m:hello", "(last-message-not-user 1)"),
        ("u:q | m:call 1 | u:text,result 1", "(not-first 2.1)"),
        ("u:q | m:call 1,call 2 | u:result 1,text,result 2", "(not-first 2.2)"),
        ("u:q | m:call 1,result 1 | u:go", "unanswered 1.0, block-role-mismatch 1.1"),
        ("u:q,call 1 | m:so | u:r", "(block-role-mismatch 0.1)"),
        ("u:q | m:none | u:r", "message-content-empty 1"),
        ("u:q | m:{} | u:r", "part-empty-object 1.0"),
        ("u:q,{} | m:so,{} | u:r", "part-empty-object 0.1, part-empty-object 1.1"),
        ("s:be brief | u:q | a:so | u:r", "role-invalid 0, role-invalid 2"),
        ("u:q | m:call 1 | f:result 1", "role-invalid 2"),
        ("u:q | m:call 1 | t:result 1", "role-invalid 2"),
        ("n:q | m:so | u:r", "(role-invalid 0)"),
        ("u:q | m:call 1 | u:result 1 _", "name-missing 2.0"),
    ],
)
def test_what_stands_where(drawing: str, expected: str) -> None:
    assert said(drawing) == expected


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        ("u:q | m:call 1", ""),
        ("u:q | m:call 1,call 2 | u:result 1", ""),
        ("u:q | m:so", ""),
        ("u:q | m:call 1,call 2 | u:result 1,text", "count-mismatch 2"),
        ("u:q | m:call 1 | u:go", "unanswered 1.0"),
    ],
)
def test_a_prefix_may_go_on(drawing: str, expected: str) -> None:
    assert said(drawing, "prefix") == expected


def test_an_empty_text_is_taken() -> None:
    made = request("u:q | m:so | u:r")
    made["contents"][0]["parts"].append({"text": ""})
    made["contents"][1]["parts"] = [{"text": ""}]
    assert not findings(made)


def test_what_a_cached_content_holds_is_not_asked_for() -> None:
    drawing = "u:result 1 | m:so | u:r"
    assert said(drawing, cachedContent="cachedContents/1") == ""
    assert said("m:call 1 | u:result 1", cachedContent="cachedContents/1") == ""


def test_an_answer_by_itself_is_no_beginning() -> None:
    for parts in ([{"functionCall": {"name": "look", "args": {}}}], [{"text": "so"}]):
        assert not findings({"candidates": [{"content": {"role": "model", "parts": parts}}]}, "prefix")


# -- signatures -----------------------------------------------------------------------------------------------------------------

LOOP = "u:old | m:call 0 | u:result 0 | m:so | u:q | m:call 1,call 2 | u:result 1,result 2 | m:text,call! 3 | u:result 3"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gemini-3-pro-preview", "reasoning-signature-missing 5.0"),
        ("google/gemini-3.1-flash-lite", "reasoning-signature-missing 5.0"),
        ("models/gemini-4-argon", "reasoning-signature-missing 5.0"),
        ("gemini-3-pro-image-preview", ""),
        ("gemini-2.5-pro", ""),
        ("gemini-1.5-flash", ""),
        ("gemini-flash-latest", "(reasoning-signature-missing 5.0)"),
        (None, "(reasoning-signature-missing 5.0)"),
    ],
)
def test_the_first_call_of_each_turn_of_the_running_loop_is_signed(model: str | None, expected: str) -> None:
    assert said(LOOP, **({"model": model} if model else {})) == expected


def test_nothing_is_asked_of_a_dump_without_any_signature_and_model() -> None:
    assert said(LOOP.replace("call!", "call")) == ""


def test_joined_contents_want_one_signature() -> None:
    assert said("u:q | m:call! 1 | m:call 2 | u:result 1,result 2", model="gemini-3-pro") == "(turn-order 2.0)"
    assert said("u:q | m:call! 1 | u:result 1,note | m:call 2 | u:result 2", model="gemini-3-pro") == "reasoning-signature-missing 3.0"


def test_families() -> None:
    assert gemini_family("gemini-3.6-flash") == "signed-calls"
    assert gemini_family("gemini-2.0-flash-exp") == "plain"
    assert gemini_family("claude-sonnet-4-5") is None


@pytest.mark.parametrize("signature", ["YWI=YWI=", "[removed]", "abcde", "gAAAAABoXyz="])
def test_a_signature_that_cannot_be_one(signature: str) -> None:
    made = request("u:q | m:call! 1,text | u:result 1", model="gemini-2.5-pro")
    made["contents"][1]["parts"][0]["thoughtSignature"] = signature
    assert [(f.rule, f.severity, f.at) for f in findings(made)] == [("thought-signature-corrupt", "error", "/contents/1/parts/0")]
    assert mended(made)["contents"][1]["parts"][0]["thoughtSignature"] == "skip_thought_signature_validator"


# -- requests beside the contents, values --------------------------------------------------------------------------------------------


def test_names_are_judged_where_they_are_declared() -> None:
    made = request("u:q | m:call 1 read file | u:result 1", tools=[{"functionDeclarations": [{"name": "ok_1"}, {"name": "read file"}]}])
    made["contents"][1]["parts"][0]["functionCall"]["name"] = "read file"
    made["contents"][2]["parts"][0]["functionResponse"]["name"] = "read file"
    found = findings(made)
    assert [(f.rule, f.at) for f in found] == [("tool-name-format", "/tools/0/functionDeclarations/1")]
    assert "GenerateContentRequest.tools[0].function_declarations[1].name: Invalid function name." in str(found[0].provider_error)
    out = mended(made)
    assert out["tools"] == [{"functionDeclarations": [{"name": "ok_1"}, {"name": "read_file"}]}]
    assert out["contents"][1]["parts"][0]["functionCall"]["name"] == "read_file"
    assert out["contents"][2]["parts"][0]["functionResponse"]["name"] == "read_file"


@pytest.mark.parametrize(("value", "wrapped"), [("21 C", {"output": "21 C"}), ([1, 2], {"items": [1, 2]}), (5, {"output": 5})])
def test_a_response_is_an_object(value: Any, wrapped: Any) -> None:
    made = request("u:q | m:call 1 | u:result 1")
    made["contents"][2]["parts"][0]["functionResponse"]["response"] = value
    assert [(f.rule, f.at) for f in findings(made)] == [("tool-result-not-object", "/contents/2/parts/0")]
    assert mended(made)["contents"][2]["parts"][0]["functionResponse"]["response"] == wrapped


@pytest.mark.parametrize(("args", "refused"), [({}, False), (None, False), ("{}", True), ([1], True)])
def test_arguments_are_an_object_or_nothing(args: Any, refused: bool) -> None:
    made = request("u:q | m:call 1 | u:result 1")
    made["contents"][1]["parts"][0]["functionCall"]["args"] = args
    assert [f.rule for f in findings(made)] == (["tool-args-invalid"] if refused else [])


def test_places_are_counted_as_they_were_sent() -> None:
    made = request("u:q | m:text | m:text,call 1 | u:result 1 | u:r,{}")
    found = {finding.rule: finding for finding in findings(made)}
    assert found["part-empty-object"].provider_at == "contents[4].parts[1]"
    assert found["part-empty-object"].provider_error == (
        "GenerateContentRequest.contents[4].parts[1].data: required oneof field 'data' must have one initialized field"
    )
    assert found["tool-call-turn-order"].provider_at == "contents[2].parts[1]"


# -- other wires judged as Gemini ---------------------------------------------------------------------------------------------------


def test_messages_of_one_result_each_are_one_content() -> None:
    calls = [{"id": f"c{n}", "type": "function", "function": {"name": "look", "arguments": "{}"}} for n in (1, 2)]
    results = [{"role": "tool", "tool_call_id": f"c{n}", "content": "x"} for n in (1, 2)]
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": calls, "content": None}, *results]
    for sent, rules in ((messages, []), (messages[:3], ["tool-result-count-mismatch"])):
        dump = load(Source.of(json.dumps({"model": "gpt-5", "messages": sent}).encode()))
        report = check(make_view(dump.transcripts[0]), GEMINI, None, "complete", dump)
        assert [f.rule for f in report.findings if f.severity == "error"] == rules


# -- laws -------------------------------------------------------------------------------------------------------------------------------


def mended(made: dict[str, Any]) -> Any:
    dump = opened(made)
    _, transcript = repair(dump.transcripts[0], dump, GEMINI, None, "complete", "all")
    return json.loads(b"".join(FORMATS["gemini"].write(dump, [transcript])))


@settings(max_examples=150, deadline=None)
@given(gemini.DRAWINGS)
def test_it_agrees_with_a_slow_second_opinion(drawing: str) -> None:
    made = request(drawing)
    errors = {f.rule for f in findings(made) if f.severity == "error"}
    assert errors <= PAIRS
    assert bool(errors) == bool(gemini.refused(made["contents"])), (drawing, errors, gemini.refused(made["contents"]))


@settings(max_examples=100, deadline=None)
@given(gemini.clean())
def test_a_clean_one_has_no_error_and_comes_back(contents: list[str]) -> None:
    made = request(" | ".join(contents), model="gemini-3-pro")
    assert not [f.rule for f in findings(made) if f.severity == "error"]
    assert mended(made) == made


@settings(max_examples=120, deadline=None)
@given(gemini.damaged())
def test_a_single_damage_is_mended_and_stays_so(drawing: str) -> None:
    made = request(drawing, model="gemini-3-pro")
    bad = bool({f.rule for f in findings(made) if f.severity == "error"} & PAIRS)
    assert bad == bool(gemini.refused(made["contents"]))
    out = mended(made)
    assert not gemini.refused(out["contents"])
    assert not [f.rule for f in findings(out) if f.severity == "error"]
    assert mended(out) == out


@settings(max_examples=80, deadline=None)
@given(gemini.DRAWINGS)
def test_every_repair_ends_without_an_error(drawing: str) -> None:
    out = mended(request(drawing))
    assert not gemini.refused(out["contents"]), out
    assert mended(out) == out
