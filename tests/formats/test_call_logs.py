"""Logs of LLM calls: what was said once stands there once, in its conversation, whichever log wrote it down."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import FORMATS
from app.model.block import Block
from app.model.dump import Dump
from app.model.edits import Change, drop
from app.model.errors import InspectorError, UnreadableError
from app.model.kinds import Flag, Kind, Role
from app.model.source import Source
from app.model.table import RecordKind
from app.pipeline.apply import apply
from app.pipeline.counts import counts
from app.pipeline.detect import detect
from app.pipeline.load import load
from app.pipeline.names import judge_of
from app.pipeline.view import make_view
from app.providers import PROVIDERS
from tests.formats import call_logs as made
from tests.formats.logs import damaged, unchanged


def opened(value: Any, name: str | None = None) -> Dump:
    return load(Source.of(value if isinstance(value, bytes) else made.dumped(value), "x"), name)


def blocks(dump: Dump, index: int = 0) -> list[Block]:
    transcript = dump.transcripts[index]
    return [FORMATS[dump.format].block(transcript, int(row), dump.source) for row in transcript.order]


def told(dump: Dump, index: int = 0) -> list[tuple[str, str]]:
    """Kind and text (or name) of what was said, reasoning and what stands beside the messages left out."""
    kept = [b for b in blocks(dump, index) if b.kind not in (Kind.REASONING, Kind.SYSTEM, Kind.TOOLS)]
    return [(b.kind.word, b.name if b.kind == Kind.TOOL_CALL and b.name else "".join(b.texts)) for b in kept]


TALK = [("text", "weather?"), ("tool call", "find"), ("tool result", "sunny"), ("text", "It is sunny.")]


@pytest.mark.parametrize("name", made.DUMPS)
def test_each_is_known_by_its_content_and_copied_byte_for_byte(name: str) -> None:
    found = detect(Source.of(made.DUMPS[name], "x"))
    assert found[0].format == name
    assert found[0].score >= 0.9
    unchanged(name, made.DUMPS[name])


@pytest.mark.parametrize("name", made.CONVERSATION)
def test_requests_that_extend_one_another_are_one_conversation(name: str) -> None:
    dump = opened(made.DUMPS[name])
    found = [one for one in told(dump) if one != ("text", "I look.")]
    assert found == TALK
    view = make_view(dump.transcripts[0], source=dump.source)
    held = counts(view)
    assert (held["tool_calls"], held["tool_results"], held["orphan_results"]) == (1, 1, 0)
    ids = [b.call_id for b in blocks(dump) if b.kind in (Kind.TOOL_CALL, Kind.TOOL_RESULT)]
    assert ids[0] == ids[1]
    assert ids[0]


@pytest.mark.parametrize(
    ("name", "judge"),
    [("har", "anthropic"), ("nock-http-capture", "openai-chat"), ("litellm-log", "openai-chat"), ("bedrock-invocation-log", "bedrock"),
     ("openai-responses-stream", "openai-responses"), ("gemini-stream", "gemini"), ("anthropic-messages-stream", "anthropic")],
)  # fmt: skip
def test_the_judge_is_the_provider_that_was_called(name: str, judge: str) -> None:
    assert judge_of(opened(made.DUMPS[name]).table) == judge


# -- streams ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", made.STREAMS)
@pytest.mark.parametrize("form", ["list", "lines", "text", "text with carriage returns"])
def test_a_stream_comes_to_the_answer_that_it_carries(name: str, form: str) -> None:
    events = made.STREAMS[name]
    data = {
        "list": made.dumped(events), "lines": made.lines(events), "text": made.sse(events).encode(),
        "text with carriage returns": made.sse(events, "\r\n").encode(),
    }[form]  # fmt: skip
    dump = opened(data)
    assert dump.format == name
    calls = [b for b in blocks(dump) if b.kind == Kind.TOOL_CALL]
    assert calls[0].name == "find"
    assert json.loads(calls[0].texts[0]) == {"q": 1}
    if name != "openai-responses-stream":
        assert ("text", "I look.") in told(dump)
    assert all(b.role == Role.ASSISTANT for b in blocks(dump))
    assert dump.records["hidden"] >= len(events)
    assert FORMATS[name].mode == "prefix"
    assert not FORMATS[name].writable


def test_pieces_of_calls_are_put_together_by_their_number() -> None:
    dump = opened(made.CHAT_EVENTS)
    assert [(b.call_id, b.texts) for b in blocks(dump) if b.kind == Kind.TOOL_CALL] == [("call_1", ('{"q": 1}',)), ("call_2", ("{}",))]
    assert dump.table.usages.input.tolist() == [9]
    assert dump.table.usages.output.tolist() == [4]


def test_calls_that_all_have_the_number_0_are_told_apart_by_their_ids() -> None:
    piece = {"index": 0, "type": "function"}
    events = [made.chunk({"tool_calls": [{**piece, "id": id, "function": {"name": "f", "arguments": "{}"}}]}) for id in ("a", "b")]
    assert [b.call_id for b in blocks(opened(events)) if b.kind == Kind.TOOL_CALL] == ["a", "b"]


def test_reasoning_keeps_its_signature_and_usage_is_whole() -> None:
    dump = opened(made.ANTHROPIC_EVENTS)
    reasoning = next(b for b in blocks(dump) if b.kind == Kind.REASONING)
    assert reasoning.texts == ("hm",)
    assert dump.table.flags[reasoning.row] & Flag.SIGNED
    assert (dump.table.usages.input.tolist(), dump.table.usages.cache_read.tolist(), dump.table.usages.output.tolist()) == ([15], [3], [30])
    assert dump.transcripts[0].id == "msg_1"
    assert dump.transcripts[0].model == "claude-sonnet-4-5"


def test_a_stream_that_was_cut_off_shows_what_came() -> None:
    dump = opened(made.ANTHROPIC_EVENTS[:11])
    call = next(b for b in blocks(dump) if b.kind == Kind.TOOL_CALL)
    assert call.texts == ('{"q":',)
    responses = opened(made.RESPONSES_EVENTS[:5])
    assert [b.texts for b in blocks(responses) if b.kind == Kind.TOOL_CALL] == [('{"q": 1}',)]


def test_an_error_in_a_stream_is_a_refusal() -> None:
    failed = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    dump = opened([*made.ANTHROPIC_EVENTS[:8], failed])
    assert [(r.status, r.text) for r in dump.transcripts[0].refusals] == [(None, "Overloaded")]


def test_several_answers_in_one_file_are_conversations() -> None:
    second = [{**event} for event in made.ANTHROPIC_EVENTS]
    second[0] = {**second[0], "message": {**second[0]["message"], "id": "msg_2"}}
    assert [t.id for t in opened([*made.ANTHROPIC_EVENTS, *second]).transcripts] == ["msg_1", "msg_2"]


def test_recorded_answers_of_gemini_cli() -> None:
    recorded = [{"method": "generateContentStream", "response": made.GEMINI_EVENTS},
                {"method": "countTokens", "response": {"totalTokens": 3}},
                {"method": "generateContent", "response": made.GEMINI_EVENTS[0]}]  # fmt: skip
    dump = opened(made.lines(recorded))
    assert dump.format == "gemini-stream"
    assert [told(dump, index) for index in range(len(dump.transcripts))] == [[("text", "I look."), ("tool call", "find")], [("text", "I ")]]


@pytest.mark.parametrize("form", ["hex", "base64", "pieces"])
def test_frames_of_an_event_stream_are_read(form: str) -> None:
    data = made.invoke_frames(made.ANTHROPIC_EVENTS)
    body: Any = (
        data.hex() if form == "hex" else base64.b64encode(data).decode() if form == "base64" else [data.hex()[:100], data.hex()[100:]]
    )
    captured = {"scope": "https://bedrock-runtime.us-east-1.amazonaws.com:443", "method": "POST", "status": 200, "response": body,
                "path": "/model/anthropic.claude-3-sonnet/invoke-with-response-stream",
                "body": {"anthropic_version": "bedrock-2023-05-31", "max_tokens": 5, "messages": [made.USER]}}  # fmt: skip
    assert told(opened([captured])) == [("text", "weather?"), ("text", "I look."), ("tool call", "find")]


def test_frames_of_converse_stand_in_an_archive() -> None:
    body = {"messages": [{"role": "user", "content": [{"text": "weather?"}]}]}
    text = base64.b64encode(made.converse_frames(made.BEDROCK_EVENTS)).decode()
    url = "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.amazon.nova/converse-stream"
    dump = opened(made.har(made.entry("2026-01-01T00:00:00Z", body, text, url=url, encoding="base64")))
    assert told(dump) == [("text", "weather?"), ("text", "I look."), ("tool call", "find")]
    assert judge_of(dump.table) == "bedrock"
    assert dump.transcripts[0].model == "us.amazon.nova"


# -- captured traffic -------------------------------------------------------------------------------------------------------------


def test_a_refused_request_is_brought_to_what_it_was_refused_for() -> None:
    dump = opened(made.HAR_REFUSED)
    refused, mended = dump.transcripts
    assert (dump.opened, mended.forks_from, mended.refusals) == (0, refused.id, ())
    assert [(r.status, r.after) for r in refused.refusals] == [(400, int(refused.order[-1]))]
    assert "tool_use" in refused.refusals[0].text
    assert refused.title == "api.anthropic.com/v1/messages · 2 requests"
    assert told(dump, 1) == TALK


def test_keys_in_headers_and_addresses_are_nowhere_to_be_seen() -> None:
    dump = opened(made.HAR)
    seen = [t.title for t in dump.transcripts] + ["".join(b.texts) for b in blocks(dump)] + dump.whys
    assert not any("sk-secret" in text or "key=1" in text for text in seen)
    assert any("hold keys" in why for why in dump.whys)


def test_what_is_no_call_of_a_model_is_a_hidden_record() -> None:
    dump = opened(made.HAR)
    assert dump.records == {"shown": 4, "hidden": 3, "unparsed": 0}
    assert not opened(made.har(made.HAR["log"]["entries"][2])).transcripts


def test_what_a_later_request_leaves_out_stands_where_it_stood() -> None:
    dropped = [made.USER, {"role": "user", "content": "summarise"}]
    dump = opened(made.har(
        made.entry("2026-01-01T00:00:01Z", made.asks(made.USER), made.answers(made.USE["content"][0])),
        made.entry("2026-01-01T00:00:02Z", made.asks(*dropped), made.answers({"type": "text", "text": "short"})),
    ))  # fmt: skip
    first, second = dump.transcripts
    assert (second.forks_from, second.shared_records) == (first.id, 1)
    assert told(dump, 0) == [("text", "weather?"), ("tool call", "find")]
    assert told(dump, 1) == [("text", "weather?"), ("text", "summarise"), ("text", "short")]
    assert second.own().tolist().count(False) == 2  # the system text and the question


def test_a_request_with_other_tools_has_its_own_beside_what_it_shares() -> None:
    tool = {"name": "find", "input_schema": {"type": "object"}}
    dump = opened(made.har(
        made.entry("2026-01-01T00:00:01Z", made.asks(made.USER, tools=[tool]), made.answers({"type": "text", "text": "a"})),
        made.entry("2026-01-01T00:00:02Z", made.asks(made.USER), made.answers({"type": "text", "text": "b"})),
    ))  # fmt: skip
    kinds = [[b.kind for b in blocks(dump, index)][:2] for index in (0, 1)]
    assert kinds == [[Kind.SYSTEM, Kind.TOOLS], [Kind.SYSTEM, Kind.TEXT]]


def test_a_request_that_was_sent_again_after_an_error_is_the_same_conversation() -> None:
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    dump = opened(made.har(
        made.entry("2026-01-01T00:00:01Z", made.asks(made.USER), overloaded, 529),
        made.entry("2026-01-01T00:00:02Z", made.asks(made.USER), made.answers({"type": "text", "text": "a"})),
    ))  # fmt: skip
    (only,) = dump.transcripts
    assert only.title.endswith("2 requests")
    assert [r.status for r in only.refusals] == [529]


def test_responses_that_name_the_one_before_go_on_with_it() -> None:
    url = "https://api.openai.com/v1/responses"
    output = {"type": "function_call_output", "call_id": "call_1", "output": "sunny"}
    dump = opened(made.har(
        made.entry("2026-01-01T00:00:01Z", {"model": "gpt-5", "input": "weather?"}, made.sse(made.RESPONSES_EVENTS), url=url),
        made.entry("2026-01-01T00:00:02Z", {"model": "gpt-5", "previous_response_id": "resp_1", "input": [output]},
                   {"id": "resp_2", "object": "response", "output": [{"type": "message", "role": "assistant", "content": [
                       {"type": "output_text", "text": "It is sunny."}]}]}, url=url),
    ))  # fmt: skip
    assert len(dump.transcripts) == 1
    assert told(dump) == TALK


# -- traces -------------------------------------------------------------------------------------------------------------------------


def test_wrapping_generations_and_the_trace_are_copies() -> None:
    dump = opened(made.LANGFUSE)
    assert [t.id for t in dump.transcripts] == ["g1"]
    assert dump.records == {"shown": 4, "hidden": 4, "unparsed": 0}
    assert blocks(dump)[0].pointer == "/observations/1/input"


def test_status_messages_of_langfuse_are_refusals() -> None:
    failed = made.generation("g", "2026-01-01T00:00:01.000Z", [made.USER], None, level="ERROR", statusMessage="Error code: 400 - bad")
    dump = opened({"trace": {"id": "t"}, "observations": [failed]})
    assert [(r.status, r.text, r.after) for r in dump.transcripts[0].refusals] == [(None, "Error code: 400 - bad", 0)]


def test_observations_come_alone_too() -> None:
    assert told(opened(made.lines(made.LANGFUSE["observations"]))) == TALK
    assert told(opened({"id": "t", "sessionId": "s", "observations": made.LANGFUSE["observations"]})) == TALK


def test_errors_of_litellm_are_refusals() -> None:
    payload = {"id": "p", "call_type": "acompletion", "model_group": "gpt", "status": "failure", "response": None, "messages": [made.USER],
               "error_str": "litellm.BadRequestError: nope", "error_information": {"error_code": "400"}, "startTime": 1.5}  # fmt: skip
    dump = opened(made.dumped([payload]))
    assert dump.format == "litellm-log"
    assert [(r.status, r.text) for r in dump.transcripts[0].refusals] == [(400, "litellm.BadRequestError: nope")]


def test_attributes_are_read_in_every_convention() -> None:
    flat = {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "weather?", "gen_ai.completion.0.role": "assistant",
            "gen_ai.completion.0.tool_calls.0.id": "call_1", "gen_ai.completion.0.tool_calls.0.name": "find",
            "gen_ai.completion.0.tool_calls.0.arguments": '{"q": 1}', "llm.request.type": "chat"}  # fmt: skip
    events = [{"name": "gen_ai.user.message", "attributes": {"content": "weather?"}},
              {"name": "gen_ai.choice",
               "attributes": {"gen_ai.event.content": json.dumps({"index": 0, "message": made.ASKED})}}]  # fmt: skip
    values = {"openinference.span.kind": "LLM", "input.value": json.dumps({"messages": [made.USER]}),
              "output.value": json.dumps({"choices": [{"message": made.ASKED}]})}  # fmt: skip
    for dump in (
        opened(made.otlp(made.otlp_span("a", 1, flat))),
        opened([{"name": "chat", "spanContext": {"spanId": "a"}, "attributes": made.GENAI, "events": events}]),
        opened([{"name": "chat", "spanContext": {"spanId": "a"}, "attributes": values}]),
        opened(made.OPENINFERENCE),
    ):
        assert told(dump) == TALK[:2]
        assert dump.transcripts[0].id == "a"


def test_failed_spans_are_refusals() -> None:
    asked = {**made.GENAI, "gen_ai.input.messages": json.dumps([made.otel(made.USER)]), "http.response.status_code": 400}
    failed = {
        "events": [{"name": "exception", "attributes": [made.attribute("exception.message", "400 bad request")]}],
        "status": {"code": 2},
    }
    dump = opened(made.otlp(made.otlp_span("a", 1, asked, **failed)))
    assert [(r.status, r.text) for r in dump.transcripts[0].refusals] == [(400, "400 bad request")]


def test_ids_that_an_answer_left_out_come_from_its_copy() -> None:
    bare = {**made.ASKED, "tool_calls": [{"type": "function", "function": made.CALLED["function"]}]}
    rows = [{"input": [made.USER], "output": [bare]}, {"input": [made.USER, made.ASKED, made.ANSWERED], "output": [made.SAID]}]
    dump = opened(rows)
    assert told(dump) == TALK
    assert blocks(dump)[1].call_id == "call_1"
    assert dump.records == {"shown": 4, "hidden": 3, "unparsed": 0}


def test_of_two_answers_to_the_same_the_one_that_is_sent_again_goes_on() -> None:
    more = {"role": "user", "content": "and?"}
    rows = [{"input": [made.USER], "output": {"role": "assistant", "content": answer}} for answer in ("one", "two")]
    dump = opened(
        [*rows, {"input": [made.USER, {"role": "assistant", "content": "one"}, more], "output": {"role": "assistant", "content": "three"}}]
    )
    assert [[text for _, text in told(dump, index)] for index in range(2)] == [["weather?", "one", "and?", "three"], ["weather?", "two"]]


def test_times_put_calls_in_order() -> None:
    assert [t.id for t in opened(made.OTLP).transcripts] == ["a"]
    assert [round(float(t)) for t in opened(made.OTLP).table.records.time[-4:]] == [1, 1, 2, 2]


LANGCHAIN_CALL = {"name": "find", "args": {"q": 1}, "id": "call_1", "type": "tool_call"}
FRAMEWORKS: dict[str, tuple[Any, Any]] = {
    "LangGraph": ([made.USER, {"role": "assistant", "content": "", "tool_calls": [LANGCHAIN_CALL],
                               "additional_kwargs": {"tool_calls": [made.CALLED]}}, made.ANSWERED], made.SAID),
    "AI SDK": (made.MODEL_MESSAGES[:3], "It is sunny."),
    "Anthropic": ({"system": "s", "messages": [made.USER, made.USE, made.RESULT]}, [{"type": "text", "text": "It is sunny."}]),
    "ADK": ({"model": "gemini", "config": {"system_instruction": "s"}, "contents": [
        {"role": "user", "parts": [{"text": "weather?"}]},
        {"role": "model", "parts": [{"function_call": {"id": "a", "name": "find", "args": {}}}]},
        {"role": "user", "parts": [{"function_response": {"id": "a", "name": "find", "response": {"result": "sunny"}}}]}]},
            {"content": {"parts": [{"text": "It is sunny."}], "role": "model"}, "usage_metadata": {"prompt_token_count": 4}}),
    "LlamaIndex": ([{"role": "user", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": "weather?"}]},
                    {"role": "assistant", "additional_kwargs": {"tool_calls": [made.CALLED]}, "blocks": []},
                    {"role": "tool", "additional_kwargs": {"tool_call_id": "call_1"}, "blocks": [{"block_type": "text", "text": "sunny"}]}],
                   {"role": "assistant", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": "It is sunny."}]}),
    "Semantic Kernel": ([{**made.USER, "event.name": "gen_ai.user.message"}, {**made.ASKED, "event.name": "gen_ai.assistant.message"},
                         {"role": "tool", "id": "call_1", "content": "sunny", "event.name": "gen_ai.tool.message"}],
                        {"index": 0, "message": made.SAID, "event.name": "gen_ai.choice"}),
    "OpenAI Agents": ([made.USER, made.ITEM, {"type": "function_call_output", "call_id": "call_1", "output": "sunny"}],
                      {"object": "response", "output": [{"type": "message", "role": "assistant", "content": [
                          {"type": "output_text", "text": "It is sunny."}]}]}),
    "OpenTelemetry": ([made.otel(m) for m in (made.USER, made.ASKED, made.ANSWERED)], [made.otel(made.SAID)]),
    "Pydantic AI": (made.PYDANTIC[:3], made.PYDANTIC[3]),
    "Bedrock": (made.BEDROCK_LOG[0]["input"]["inputBodyJson"], made.BEDROCK_LOG[0]["output"]["outputBodyJson"]),
}  # fmt: skip


@pytest.mark.parametrize("name", FRAMEWORKS)
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_what_frameworks_hand_over_is_read_in_their_own_words(name: str, depth: int) -> None:
    """Of one observation, its payloads as they are, as JSON in a string, and as that once more."""
    held = list(FRAMEWORKS[name])
    for _ in range(depth):
        held = [json.dumps(value) for value in held]
    dump = opened({"trace": {"id": "t"}, "observations": [made.generation("g", "2026-01-01T00:00:00.000Z", *held)]})
    found = [(kind, text) for kind, text in told(dump) if text != "I look."]
    assert [found[0], found[1], found[3]] == [TALK[0], TALK[1], TALK[3]]
    assert found[2][0] == "tool result"
    assert "sunny" in found[2][1]
    view = counts(make_view(dump.transcripts[0], source=dump.source))
    assert (view["tool_calls"], view["tool_results"], view["orphan_results"]) == (1, 1, 0)


def test_an_answer_may_be_nothing_but_its_calls() -> None:
    calls = json.dumps([{"toolCallType": "function", "toolCallId": "c", "toolName": "find", "args": "{}"}])
    dump = opened({"trace": {}, "observations": [made.generation("g", "2026-01-01T00:00:00.000Z", [made.USER], calls)]})
    assert told(dump) == TALK[:2]


def test_blocks_of_bedrock_stand_in_events() -> None:
    used = [{"toolUse": {"toolUseId": "u", "name": "find", "input": {}}}]
    events = [{"name": "gen_ai.user.message", "attributes": {"content": json.dumps([{"text": "weather?"}])}},
              {"name": "gen_ai.choice", "attributes": {"finish_reason": "tool_use", "message": json.dumps(used)}}]  # fmt: skip
    assert told(opened([{"name": "chat", "spanContext": {"spanId": "a"}, "attributes": made.GENAI, "events": events}])) == TALK[:2]


# -- messages of frameworks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["constructors", "dicts", "flat", "state"])
def test_langchain_writes_messages_in_three_ways(form: str) -> None:
    words = {"HumanMessage": "human", "AIMessage": "ai", "ToolMessage": "tool"}
    held = [(words[m["id"][-1]], m["kwargs"]) for m in made.LANGCHAIN]
    value: Any = {
        "constructors": made.LANGCHAIN,
        "dicts": [{"type": word, "data": kwargs} for word, kwargs in held],
        "flat": [{"type": word, **kwargs} for word, kwargs in held],
        "state": {"values": {"messages": [{"type": word, **kwargs} for word, kwargs in held]}, "next": []},
    }[form]
    dump = opened(value)
    assert dump.format == "langchain-messages"
    assert told(dump) == TALK


def test_calls_of_langchain_that_were_no_json_are_calls_too() -> None:
    broken = {
        "type": "ai",
        "content": "",
        "tool_calls": [],
        "invalid_tool_calls": [{"name": "find", "args": "{q", "id": "x", "error": None}],
    }
    (call,) = blocks(opened([{"type": "human", "content": "q"}, broken]))[1:]
    assert (call.kind, call.call_id, call.texts) == (Kind.TOOL_CALL, "x", ("{q",))


def test_a_retry_that_names_a_tool_answers_its_call() -> None:
    retry = {"part_kind": "retry-prompt", "tool_name": "find", "tool_call_id": "call_1", "content": [{"msg": "missing"}]}
    dump = opened([*made.PYDANTIC[:2], {"kind": "request", "parts": [retry, {"part_kind": "user-prompt", "content": "well?"}]}])
    found = blocks(dump)
    assert [b.kind for b in found] == [Kind.SYSTEM, Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_RESULT, Kind.TEXT]
    assert found[3].error
    assert found[3].call_id == "call_1"
    assert found[0].texts == ("be brief",)


@pytest.mark.parametrize(
    ("state", "answered", "error"),
    [("input-available", False, False), ("approval-requested", False, False), ("output-available", True, False),
     ("output-error", True, True),     ("output-denied", True, True)],
)  # fmt: skip
def test_a_tool_part_is_a_call_and_what_it_came_to(state: str, answered: bool, error: bool) -> None:
    part = {"type": "tool-find", "toolCallId": "c", "state": state, "input": {}, "output": "ok", "errorText": "boom",
            "approval": {"id": "a", "reason": "no"}}  # fmt: skip
    found = blocks(opened([made.UI_MESSAGES[0], {"id": "2", "role": "assistant", "parts": [{"type": "step-start"}, part]}]))
    assert found[1].kind == Kind.TOOL_CALL
    assert found[1].name == "find"
    assert [(b.kind, b.error) for b in found[2:]] == ([(Kind.TOOL_RESULT, error)] if answered else [])


def test_invocations_of_version_4_are_calls_with_results() -> None:
    invoked = {"state": "result", "toolCallId": "c", "toolName": "find", "args": {"q": 1}, "result": "sunny"}
    chat = {
        "id": "chat-1",
        "title": "T",
        "messages": [{"role": "user", "content": "weather?"}, {"role": "assistant", "content": "", "toolInvocations": [invoked]}],
    }
    dump = opened(chat)
    assert dump.format == "vercel-ui-messages"
    assert dump.transcripts[0].id == "chat-1"
    assert told(dump) == TALK[:3]


def test_messages_stand_one_a_line_with_an_id_around_them() -> None:
    dump = opened(made.lines([{"id": n, "message": message} for n, message in enumerate(made.MODEL_MESSAGES)]))
    assert dump.format == "vercel-model-messages"
    assert told(dump) == TALK


def test_what_the_provider_ran_itself_is_no_call_of_the_client() -> None:
    call = {**made.SDK_CALL, "providerExecuted": True}
    dump = opened([*made.MODEL_MESSAGES[:1], {"role": "assistant", "content": [call, {**made.SDK_RESULT}]}])
    assert counts(make_view(dump.transcripts[0], source=dump.source))["tool_calls"] == 0


# -- laws -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["har", "langfuse", "otlp-json"])
def test_they_are_not_written(name: str) -> None:
    dump = opened(made.DUMPS[name])
    change = Change("an edit", "rule:x", "loses", (drop(int(dump.transcripts[0].order[-1])),))
    edited = apply(dump.transcripts[0], [change], PROVIDERS["openai-chat"]).transcript
    with pytest.raises(InspectorError, match="read and never written"):
        FORMATS[name].write_plan(dump, [edited, *dump.transcripts[1:]])


@pytest.mark.parametrize("name", made.DUMPS)
def test_a_damaged_file_opens_or_is_refused_with_one_line(name: str) -> None:
    damaged(name, made.DUMPS[name], 40)


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(sorted(made.DUMPS)),
    at=st.integers(0, 10**6),
    new=st.sampled_from([None, {}, [], "", -1, [[]], {"type": []}, ["x"]]),
)
def test_values_of_other_types_raise_nothing(name: str, at: int, new: Any) -> None:
    lined = name == "bedrock-invocation-log"
    value = [json.loads(line) for line in made.DUMPS[name].splitlines()] if lined else json.loads(made.DUMPS[name])
    _swap(value, at, new)
    data = made.lines(value) if lined else made.dumped(value)
    try:
        dump = FORMATS[name].parse(Source.of(data))
    except UnreadableError:
        return
    for index in range(len(dump.transcripts)):
        blocks(dump, index)
    kinds = dump.table.records.kind
    assert sum(dump.records.values()) == int((kinds != RecordKind.HEAD).sum())


def _swap(value: Any, at: int, new: Any) -> None:
    """Puts another value in the place of the n-th member or element."""
    places: list[tuple[Any, Any]] = []
    todo = [value]
    while todo:
        held = todo.pop()
        for key in range(len(held)) if isinstance(held, list) else list(held):
            places.append((held, key))
            if isinstance(held[key], list | dict):
                todo.append(held[key])
    held, key = places[at % len(places)]
    held[key] = new


@settings(max_examples=40, deadline=None)
@given(cuts=st.lists(st.integers(1, 6), min_size=1, max_size=5), repeats=st.booleans())
def test_however_a_talk_is_cut_into_requests_it_is_told_once(cuts: list[int], repeats: bool) -> None:
    """Rounds of a call and its result, sent in requests that each repeat all before: one conversation, every message once."""
    talk: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    rows = []
    for number, size in enumerate(cuts):
        calls = [{"id": f"c{number}-{n}", "type": "function", "function": {"name": "f", "arguments": "{}"}} for n in range(size)]
        asked = {"role": "assistant", "content": None, "tool_calls": calls}
        rows.append({"input": list(talk), "output": [asked]})
        if repeats:
            rows.append({"input": list(talk), "output": None})
        talk += [asked, *({"role": "tool", "tool_call_id": call["id"], "content": "ok"} for call in calls)]
    rows.append({"input": list(talk), "output": [{"role": "assistant", "content": "done"}]})
    dump = opened(rows if not repeats else [row for row in rows if row["output"] is not None])
    assert len(dump.transcripts) == 1
    held = counts(make_view(dump.transcripts[0], source=dump.source))
    assert (held["tool_calls"], held["tool_results"], held["orphan_results"]) == (sum(cuts), sum(cuts), 0)
    assert held["messages"] == len(talk) + 1
