"""Small logs of LLM calls, one of each kind, for the tests of their formats."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

USER: dict[str, Any] = {"role": "user", "content": "weather?"}
CALLED = {"id": "call_1", "type": "function", "function": {"name": "find", "arguments": '{"q": 1}'}}
ASKED: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CALLED]}
ANSWERED = {"role": "tool", "tool_call_id": "call_1", "content": "sunny"}
SAID = {"role": "assistant", "content": "It is sunny."}

USE: dict[str, Any] = {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "find", "input": {"q": 1}}]}
RESULT: dict[str, Any] = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "sunny"}]}
ANTHROPIC_EVENTS: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
                                          "content": [], "usage": {"input_tokens": 12, "cache_read_input_tokens": 3, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "I l"}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "ook."}},
    {"type": "content_block_stop", "index": 1},
    {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "toolu_1", "name": "find", "input": {}}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"q":'}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": " 1}"}},
    {"type": "content_block_stop", "index": 2},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 30}},
    {"type": "message_stop"},
]  # fmt: skip


def chunk(delta: dict[str, Any], **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "gpt-4o", "choices": [choice], **more}


CHAT_EVENTS = [
    chunk({"role": "assistant", "content": ""}),
    chunk({"content": "I "}), chunk({"content": "look."}),
    chunk({"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": ""}}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"q"'}}]}),
    chunk({"tool_calls": [{"index": 1, "id": "call_2", "type": "function", "function": {"name": "look", "arguments": "{}"}}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}),
    {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}},
]  # fmt: skip
ITEM = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "find", "arguments": '{"q": 1}', "status": "completed"}
RESPONSES_EVENTS: list[dict[str, Any]] = [
    {"type": "response.created", "response": {"id": "resp_1", "object": "response", "model": "gpt-5", "output": []}},
    {"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning", "id": "rs_1", "summary": []}},
    {"type": "response.output_item.done", "output_index": 0, "item": {"type": "reasoning", "id": "rs_1", "summary": []}},
    {"type": "response.output_item.added", "output_index": 1, "item": {**ITEM, "arguments": "", "status": "in_progress"}},
    {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": '{"q": 1}'},
    {"type": "response.output_item.done", "output_index": 1, "item": ITEM},
    {"type": "response.completed", "response": {"id": "resp_1", "object": "response", "model": "gpt-5", "output": [],
                                                "usage": {"input_tokens": 7, "output_tokens": 5}}},
]  # fmt: skip
GEMINI_EVENTS: list[dict[str, Any]] = [
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "I "}]}}], "modelVersion": "gemini-2.5-pro"},
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "look."}]}}]},
    {"candidates": [{"content": {"role": "model", "parts": [{"functionCall": {"name": "find", "args": {"q": 1}}}]},
                     "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 4, "candidatesTokenCount": 2}},
]  # fmt: skip
BEDROCK_EVENTS: list[dict[str, Any]] = [
    {"messageStart": {"role": "assistant"}},
    {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "I look."}}},
    {"contentBlockStop": {"contentBlockIndex": 0}},
    {"contentBlockStart": {"contentBlockIndex": 1, "start": {"toolUse": {"toolUseId": "tooluse_1", "name": "find"}}}},
    {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": '{"q": 1}'}}}},
    {"contentBlockStop": {"contentBlockIndex": 1}},
    {"messageStop": {"stopReason": "tool_use"}},
    {"metadata": {"usage": {"inputTokens": 3, "outputTokens": 8}}},
]  # fmt: skip
STREAMS = {
    "anthropic-messages-stream": ANTHROPIC_EVENTS, "openai-chat-stream": CHAT_EVENTS, "openai-responses-stream": RESPONSES_EVENTS,
    "gemini-stream": GEMINI_EVENTS, "bedrock-converse-stream": BEDROCK_EVENTS,
}  # fmt: skip


def dumped(value: Any, indent: int | None = None) -> bytes:
    return json.dumps(value, indent=indent).encode()


def lines(values: list[Any]) -> bytes:
    return b"".join(dumped(value) + b"\n" for value in values)


def sse(events: list[Any], end: str = "\n") -> str:
    return (
        "".join(f"event: {event.get('type', 'message')}{end}data: {json.dumps(event)}{end}{end}" for event in events)
        + f"data: [DONE]{end}{end}"
    )


def frame(headers: dict[str, str], payload: bytes) -> bytes:
    """A frame of AWS's event stream."""
    head = b"".join(bytes([len(k)]) + k.encode() + b"\x07" + struct.pack(">H", len(v)) + v.encode() for k, v in headers.items())
    length = 16 + len(head) + len(payload)
    prelude = struct.pack(">II", length, len(head))
    body = prelude + struct.pack(">I", zlib.crc32(prelude)) + head + payload
    return body + struct.pack(">I", zlib.crc32(body))


def converse_frames(events: list[dict[str, Any]]) -> bytes:
    return b"".join(frame({":event-type": next(iter(e)), ":message-type": "event"}, dumped(next(iter(e.values())))) for e in events)


def invoke_frames(events: list[dict[str, Any]]) -> bytes:
    """The frames of InvokeModelWithResponseStream, which hold the model's own events."""
    payloads = [dumped({"bytes": base64.b64encode(dumped(event)).decode(), "p": "abc"}) for event in events]
    return b"".join(frame({":event-type": "chunk", ":content-type": "application/json"}, payload) for payload in payloads)


def entry(
    time: str, body: Any, response: Any, status: int = 200, url: str = "https://api.anthropic.com/v1/messages?key=1", **content: Any
) -> dict[str, Any]:
    text = response if isinstance(response, str) else json.dumps(response)
    return {
        "startedDateTime": time, "time": 2.5e-05,
        "request": {"method": "POST", "url": url, "headers": [{"name": "X-Api-Key", "value": "sk-secret"}],
                    "postData": {"mimeType": "application/json", "text": body if isinstance(body, str) else json.dumps(body)}},
        "response": {"status": status, "content": {"mimeType": "application/json", "text": text, **content}},
    }  # fmt: skip


def har(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"log": {"version": "1.2", "creator": {"name": "test"}, "entries": list(entries)}}


def asks(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"model": "claude-sonnet-4-5", "max_tokens": 9, "system": "be kind", "messages": list(messages), **more}


def answers(*content: Any, **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 5, "output_tokens": 6}
    return {
        "id": "msg_9",
        "type": "message",
        "role": "assistant",
        "content": list(content),
        "stop_reason": "end_turn",
        "usage": usage,
        **more,
    }


REFUSED = {"type": "error", "error": {"type": "invalid_request_error", "message": "messages.1: `tool_use` ids were found without "
           "`tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the "
           "next message."}}  # fmt: skip
HAR_REFUSED = har(
    entry("2026-01-01T00:00:03Z", asks(USER, USE, RESULT), answers({"type": "text", "text": "It is sunny."})),
    entry("2026-01-01T00:00:01Z", asks(USER, stream=True), sse(ANTHROPIC_EVENTS[:1] + ANTHROPIC_EVENTS[9:])),
    entry("2026-01-01T00:00:02Z", asks(USER, USE, {"role": "user", "content": "well?"}), REFUSED, 400),
    {"startedDateTime": "2026-01-01T00:00:00Z", "request": {"method": "GET", "url": "https://example.org/v1/messages", "headers": []}},
)
HAR = har(*(one for number, one in enumerate(HAR_REFUSED["log"]["entries"]) if number != 2))
NOCK = [
    {"scope": "https://api.openai.com:443", "method": "POST", "path": "/v1/chat/completions",
     "body": {"model": "gpt-4o", "messages": [USER]}, "status": 200, "rawHeaders": ["set-cookie", "a=b"],
     "response": sse([event for number, event in enumerate(CHAT_EVENTS) if number != 5])},
    {"scope": "https://api.openai.com:443", "method": "POST", "path": "/v1/chat/completions",
     "body": {"model": "gpt-4o", "messages": [USER, ASKED, ANSWERED]}, "status": 200,
     "response": {"id": "chatcmpl-2", "object": "chat.completion", "choices": [{"index": 0, "message": SAID, "finish_reason": "stop"}]}},
    {"scope": "https://telemetry.example", "method": "POST", "path": "/batch", "body": {"events": []}, "status": 200, "response": ""},
]  # fmt: skip
LITELLM = {
    "messages": [USER, ASKED, ANSWERED], "tools": [{"type": "function", "function": {"name": "find", "parameters": {}}}],
    "kwargs": {"model": "gpt-4o"}, "response": {"id": "chatcmpl-3", "object": "chat.completion", "choices": [{"index": 0, "message": SAID}],
                                                "usage": {"prompt_tokens": 5, "completion_tokens": 2}},
    "cost": 2.5e-05, "timestamp": 1757015029.09, "latency_sec": 1.5,
}  # fmt: skip


def generation(id: str, start: str, input: Any, output: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "traceId": "t", "type": "GENERATION", "name": "chat", "startTime": start, "model": "gpt-4o", "level": "DEFAULT",
            "statusMessage": None, "input": input, "output": output, "usageDetails": {"input": 5, "output": 3}, **more}  # fmt: skip


LANGFUSE = {
    "trace": {"id": "t", "name": "agent", "input": json.dumps(json.dumps([USER])), "output": None},
    "observations": [
        generation("g2", "2026-01-01T00:00:02.000Z", json.dumps([USER, ASKED, ANSWERED]), json.dumps(SAID), parentObservationId="outer"),
        generation(
            "g1", "2026-01-01T00:00:01.000Z", json.dumps({"messages": [USER]}), json.dumps(json.dumps(ASKED)), parentObservationId="outer"
        ),
        generation("outer", "2026-01-01T00:00:00.000Z", "weather?", "It is sunny."),
        {"id": "s", "traceId": "t", "type": "TOOL", "name": "find", "input": {"q": 1}, "output": "sunny", "parentObservationId": "outer"},
    ],
}
BRAINTRUST = [
    {"span_id": "b", "span_attributes": {"type": "llm", "name": "chat"}, "input": [USER, ASKED, ANSWERED], "metrics": {"start": 2.0},
     "output": [{"index": 0, "message": SAID, "finish_reason": "stop"}], "metadata": {"model": "gpt-4o", "tools": [{"type": "function"}]}},
    {"span_id": "a", "span_attributes": {"type": "llm", "name": "chat"}, "input": [USER], "metrics": {"start": 1.0, "prompt_tokens": 3},
     "output": [{"index": 0, "message": ASKED, "finish_reason": "tool_calls"}], "metadata": {"model": "gpt-4o"}, "error": None},
    {"span_id": "t", "span_attributes": {"type": "tool", "name": "find"}, "input": {"q": 1}, "output": "sunny"},
]  # fmt: skip


def attribute(key: str, value: Any) -> dict[str, Any]:
    kind = "stringValue" if isinstance(value, str) else "intValue"
    return {"key": key, "value": {kind: value if isinstance(value, str) else str(value)}}


def otlp_span(id: str, start: int, attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    held = [attribute(key, value) for key, value in attributes.items()]
    return {"traceId": "t", "spanId": id, "name": "chat gpt-4o", "startTimeUnixNano": str(start * 10**9), "attributes": held, **more}


def otlp(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def otel(message: dict[str, Any]) -> dict[str, Any]:
    """A message of Chat Completions as OpenTelemetry's conventions write it."""
    if message["role"] == "tool":
        return {"role": "tool", "parts": [{"type": "tool_call_response", "id": message["tool_call_id"], "response": message["content"]}]}
    calls = [{"type": "tool_call", "id": c["id"], "name": c["function"]["name"], "arguments": json.loads(c["function"]["arguments"])}
             for c in message.get("tool_calls", [])]  # fmt: skip
    text = [{"type": "text", "content": message["content"]}] if message["content"] else []
    return {"role": message["role"], "parts": text + calls}


GENAI = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o"}
OTLP = otlp(
    otlp_span("b", 2, {**GENAI, "gen_ai.input.messages": json.dumps([otel(m) for m in (USER, ASKED, ANSWERED)]),
                       "gen_ai.output.messages": json.dumps([{**otel(SAID), "finish_reason": "stop"}])}),
    otlp_span("a", 1, {**GENAI, "gen_ai.input.messages": json.dumps([otel(USER)]), "gen_ai.usage.input_tokens": 12,
                       "gen_ai.output.messages": json.dumps([{**otel(ASKED), "finish_reason": "tool_call"}])}),
    otlp_span("c", 3, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find"}),
)  # fmt: skip
OPENINFERENCE = [
    {"name": "ChatCompletion", "spanContext": {"traceId": "t", "spanId": "a"}, "startTime": [1, 5], "status": {"code": 0}, "attributes": {
        "openinference.span.kind": "LLM", "llm.model_name": "gpt-4o",
        "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "weather?",
        "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.tool_calls.0.tool_call.id": "call_1",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "find",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"q": 1}'}},
    {"name": "agent", "spanContext": {"traceId": "t", "spanId": "z"}, "startTime": [0, 5],
     "attributes": {"openinference.span.kind": "AGENT"}},
]  # fmt: skip
SDK_CALL = {"type": "tool-call", "toolCallId": "call_1", "toolName": "find", "input": {"q": 1}}
SDK_RESULT = {"type": "tool-result", "toolCallId": "call_1", "toolName": "find", "output": {"type": "text", "value": "sunny"}}
MODEL_MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": "weather?"}]}, {"role": "assistant", "content": [SDK_CALL]},
    {"role": "tool", "content": [SDK_RESULT]}, {"role": "assistant", "content": "It is sunny."},
]  # fmt: skip
VERCEL = [
    {"name": "ai.generateText.doGenerate", "spanContext": {"spanId": "b"}, "startTime": [2, 0], "attributes": {
        "ai.operationId": "ai.generateText.doGenerate", "ai.prompt.messages": json.dumps(MODEL_MESSAGES[:3]),
        "ai.response.text": "It is sunny.", "ai.response.model": "gpt-4o"}},
    {"name": "ai.generateText.doGenerate", "spanContext": {"spanId": "a"}, "startTime": [1, 0], "attributes": {
        "ai.operationId": "ai.generateText.doGenerate", "ai.prompt.messages": json.dumps(MODEL_MESSAGES[:1]),
        "ai.response.toolCalls": json.dumps([{"toolCallId": "call_1", "toolName": "find", "input": '{"q": 1}'}])}},
    {"name": "ai.generateText", "spanContext": {"spanId": "o"}, "startTime": [0, 0], "attributes": {
        "ai.operationId": "ai.generateText", "ai.response.text": "It is sunny."}},
]  # fmt: skip


def constructed(name: str, **kwargs: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": kwargs}


LANGCHAIN = [
    constructed("HumanMessage", content="weather?"),
    constructed("AIMessage", content=[{"type": "tool_use", "id": "call_1", "name": "find", "input": {"q": 1}}], additional_kwargs={
        "tool_calls": [CALLED]}, tool_calls=[{"name": "find", "args": {"q": 1}, "id": "call_1", "type": "tool_call"}]),
    constructed("ToolMessage", content="sunny", tool_call_id="call_1", status="success"),
    constructed("AIMessage", content="It is sunny."),
]  # fmt: skip
LANGSMITH = [
    {"id": "root", "run_type": "chain", "name": "agent", "inputs": {}, "outputs": {}, "start_time": "2026-01-01T00:00:00", "child_runs": [
        {"id": "r2", "run_type": "llm", "name": "ChatOpenAI", "start_time": "2026-01-01T00:00:02", "inputs": {"messages": [LANGCHAIN[:3]]},
         "outputs": {"generations": [[{"text": "It is sunny.", "message": LANGCHAIN[3]}]]}},
        {"id": "r1", "run_type": "llm", "name": "ChatOpenAI", "start_time": "2026-01-01T00:00:01", "inputs": {"messages": [LANGCHAIN[:1]]},
         "outputs": {"generations": [[{"text": "", "message": LANGCHAIN[1]}]]}, "extra": {"invocation_params": {"model": "gpt-4o"}}},
    ]},
]  # fmt: skip
PYDANTIC = [
    {"kind": "request", "instructions": "be brief", "parts": [{"part_kind": "user-prompt", "content": "weather?"}]},
    {"kind": "response", "model_name": "gpt-4o", "parts": [
        {"part_kind": "tool-call", "tool_name": "find", "args": '{"q": 1}', "tool_call_id": "call_1"}]},
    {"kind": "request", "parts": [{"part_kind": "tool-return", "tool_name": "find", "content": "sunny", "tool_call_id": "call_1"}]},
    {"kind": "response", "parts": [{"part_kind": "text", "content": "It is sunny."}]},
]  # fmt: skip
UI_MESSAGES = [
    {"id": "1", "role": "user", "parts": [{"type": "text", "text": "weather?"}]},
    {"id": "2", "role": "assistant", "parts": [
        {"type": "step-start"},
        {"type": "tool-find", "toolCallId": "call_1", "state": "output-available", "input": {"q": 1}, "output": "sunny"},
        {"type": "step-start"}, {"type": "text", "text": "It is sunny."}]},
]  # fmt: skip
BEDROCK_LOG = [
    {"schemaType": "ModelInvocationLog", "timestamp": "2026-01-01T00:00:02Z", "requestId": "q2", "operation": "Converse", "modelId": "m",
     "input": {"inputBodyJson": {"messages": [
         {"role": "user", "content": [{"text": "weather?"}]},
         {"role": "assistant", "content": [
             {"text": "I look."}, {"toolUse": {"toolUseId": "tooluse_1", "name": "find", "input": {"q": 1}}}]},
         {"role": "user", "content": [{"toolResult": {"toolUseId": "tooluse_1", "content": [{"text": "sunny"}]}}]}]}},
     "output": {"outputBodyJson": {"output": {"message": {"role": "assistant", "content": [{"text": "It is sunny."}]}},
                                   "stopReason": "end_turn"}}},
    {"schemaType": "ModelInvocationLog", "timestamp": "2026-01-01T00:00:01Z", "requestId": "q1", "operation": "ConverseStream",
     "modelId": "m", "input": {"inputBodyJson": {"messages": [{"role": "user", "content": [{"text": "weather?"}]}]}},
     "output": {"outputBodyJson": BEDROCK_EVENTS}},
]  # fmt: skip
DUMPS: dict[str, bytes] = {
    **{name: dumped(events, 2) for name, events in STREAMS.items()},
    "har": dumped(HAR, 2), "nock-http-capture": dumped(NOCK, 2), "litellm-log": dumped(LITELLM, 4), "langfuse": dumped(LANGFUSE, 2),
    "braintrust-spans": dumped(BRAINTRUST, 2), "otlp-json": dumped(OTLP), "otel-spans": dumped(OPENINFERENCE, 2),
    "vercel-ai-sdk-spans": dumped(VERCEL, 2), "langchain-messages": dumped(LANGCHAIN), "langsmith-runs": dumped(LANGSMITH),
    "pydantic-ai-messages": dumped(PYDANTIC), "vercel-ui-messages": dumped(UI_MESSAGES), "vercel-model-messages": dumped(MODEL_MESSAGES),
    "bedrock-invocation-log": lines(BEDROCK_LOG),
}  # fmt: skip
CONVERSATION = [
    "har", "nock-http-capture", "litellm-log", "langfuse", "braintrust-spans", "otlp-json", "vercel-ai-sdk-spans", "langchain-messages",
    "langsmith-runs", "pydantic-ai-messages", "vercel-ui-messages", "vercel-model-messages", "bedrock-invocation-log",
]  # fmt: skip
"""Those that hold one question, a call, its result and an answer, said in two requests or in one list."""
