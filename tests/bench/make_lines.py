"""Makes JSON Lines of every format that keeps a session or a log that way: `make(name, path, megabytes, record_bytes)`.

The same talk is told in each format's own shape: prompts, reasoning, texts, one call or several, their results, and now and then a record
that is no message. Logs of calls hold what was sent each time: it grows for some calls and begins anew. Texts are cut from what
`make_dumps` makes; the same arguments give the same bytes.

    python -m tests.bench.make_lines NAME PATH [MEGABYTES [RECORD_BYTES]]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.make_dumps import _TOOLS, _Session

Records = Iterator[dict[str, Any]]


@dataclass
class Step:
    """One answer of a model: what was asked before it (or None), its reasoning and text (or None), its calls with their results."""

    prompt: str | None
    thinking: str | None
    text: str | None
    calls: list[tuple[str, str, dict[str, Any], str]] = field(default_factory=list)


def steps(s: _Session, small: float = 1.0) -> Iterator[Step]:
    """The talk, without end."""
    rng = s.rng
    while True:
        prompt: str | None = s.text(40, 400)
        for _ in range(rng.randint(1, 12)):
            calls = []
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                given: dict[str, Any] = {"path": f"/home/ana/ledger/{rng.getrandbits(20):x}.py", "limit": rng.randint(1, 2000)}
                if rng.random() < 0.3:
                    given["content"] = s.text(40, 3000)
                calls.append((f"call_{rng.getrandbits(88):022x}", rng.choice(_TOOLS), given, s.text(60, max(61, int(12_000 * small)))))
            thinking = s.text(60, 900) if rng.random() < 0.25 else None
            yield Step(prompt, thinking, s.text(30, 300) if rng.random() < 0.45 else None, calls)
            prompt = None
        yield Step(None, None, s.text(80, 900))


def _usage(s: _Session) -> tuple[int, int]:
    return s.rng.randint(100, 90_000), s.rng.randint(20, 900)


# -- session logs -------------------------------------------------------------------------------------------------------------------


def codex(s: _Session) -> Records:
    def line(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": s.stamp(0.4), "type": kind, "payload": payload}

    yield line(
        "session_meta",
        {"id": s.session, "timestamp": s.stamp(0), "cwd": "/home/ana", "originator": "codex_cli_rs", "cli_version": "0.146.0"},
    )
    for step in steps(s):
        if step.prompt:
            yield line("turn_context", {"cwd": "/home/ana", "approval_policy": "never", "model": "gpt-5.6-luna", "effort": "high"})
            yield line("response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": step.prompt}]})
            yield line("event_msg", {"type": "user_message", "message": step.prompt, "images": []})
        if step.thinking:
            summary = [{"type": "summary_text", "text": step.thinking}]
            yield line(
                "response_item", {"type": "reasoning", "id": f"rs_{s.uuid()}", "summary": summary, "encrypted_content": step.thinking}
            )
        if step.text:
            yield line("response_item", {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": step.text}]})
        for id, name, given, _ in step.calls:
            yield line("response_item", {"type": "function_call", "name": name, "arguments": json.dumps(given), "call_id": id})
        for id, _, _, result in step.calls:
            yield line("response_item", {"type": "function_call_output", "call_id": id, "output": result})
        fresh, out = _usage(s)
        used = {
            "input_tokens": fresh,
            "cached_input_tokens": fresh // 2,
            "output_tokens": out,
            "reasoning_output_tokens": 0,
            "total_tokens": fresh + out,
        }
        info = {"total_token_usage": used, "last_token_usage": used, "model_context_window": 258_400}
        yield line("event_msg", {"type": "token_count", "info": info, "rate_limits": None})


def codex_bare(s: _Session) -> Records:
    """Before 0.32: bare items behind a bare header."""
    yield {"id": s.session, "timestamp": s.stamp(0), "instructions": None, "git": {}}
    for record in codex(s):
        if record["type"] == "response_item":
            yield record["payload"]
        elif record["type"] == "turn_context":
            yield {"record_type": "state"}


def stream_json(s: _Session) -> Records:
    def line(kind: str, message: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"type": kind, "message": message, "parent_tool_use_id": None, "session_id": s.session, "uuid": s.uuid(), **more}

    yield {
        "type": "system",
        "subtype": "init",
        "cwd": "/home/ana",
        "session_id": s.session,
        "tools": list(_TOOLS),
        "model": "claude-sonnet-4-5",
    }
    for step in steps(s):
        if step.prompt:
            yield line("user", {"role": "user", "content": [{"type": "text", "text": step.prompt}]})
        blocks: list[dict[str, Any]] = []
        if step.thinking:
            blocks.append({"type": "thinking", "thinking": step.thinking, "signature": "EooGCpMB" * 20})
        if step.text:
            blocks.append({"type": "text", "text": step.text})
        blocks += [{"type": "tool_use", "id": id, "name": name, "input": given} for id, name, given, _ in step.calls]
        fresh, out = _usage(s)
        body = {
            "model": "claude-sonnet-4-5", "id": f"msg_01{s.rng.getrandbits(96):024x}", "type": "message", "role": "assistant",
            "stop_reason": None,
            "usage": {"input_tokens": fresh, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 900, "output_tokens": out},
        }  # fmt: skip
        for block in blocks:
            yield line("assistant", {**body, "content": [block]})
        for id, _, _, result in step.calls:
            more = {"tool_use_result": {"stdout": result, "stderr": ""}} if s.rng.random() < 0.35 else {}
            yield line("user", {"role": "user", "content": [{"tool_use_id": id, "type": "tool_result", "content": result}]}, **more)


def pi(s: _Session) -> Records:
    before: str | None = None

    def entry(kind: str, **more: Any) -> dict[str, Any]:
        nonlocal before
        id, parent = f"{s.rng.getrandbits(32):08x}", before
        before = id
        return {"type": kind, "id": id, "parentId": parent, "timestamp": s.stamp(1), **more}

    yield {"type": "session", "version": 3, "id": s.session, "timestamp": s.stamp(0), "cwd": "/home/ana"}
    yield entry("model_change", provider="anthropic", modelId="claude-sonnet-4-5")
    for step in steps(s):
        if step.prompt:
            yield entry("message", message={"role": "user", "content": [{"type": "text", "text": step.prompt}], "timestamp": 1763681581544})
        content: list[dict[str, Any]] = []
        if step.thinking:
            content.append({"type": "thinking", "thinking": step.thinking, "thinkingSignature": "EooG" * 40})
        if step.text:
            content.append({"type": "text", "text": step.text})
        content += [{"type": "toolCall", "id": id, "name": name, "arguments": given} for id, name, given, _ in step.calls]
        fresh, out = _usage(s)
        cost = {"input": 0.1, "output": 0.00002, "cacheRead": 0, "cacheWrite": 0, "total": 0.1}
        usage = {"input": fresh, "output": out, "cacheRead": 0, "cacheWrite": 0, "cost": cost}
        stop = "toolUse" if step.calls else "stop"
        told = {"api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5", "usage": usage, "stopReason": stop}
        yield entry("message", message={"role": "assistant", "content": content, **told, "timestamp": 1763681581545})
        for id, name, _, result in step.calls:
            held = [{"type": "text", "text": result}]
            yield entry(
                "message",
                message={"role": "toolResult", "toolCallId": id, "toolName": name, "content": held, "isError": False, "timestamp": 1},
            )


def gemini_cli(s: _Session) -> Records:
    yield {
        "sessionId": s.session,
        "projectHash": "0b7dfb1274ee51b336813b17",
        "startTime": s.stamp(0),
        "lastUpdated": s.stamp(0),
        "kind": "main",
    }
    for step in steps(s):
        if step.prompt:
            yield {"id": s.uuid(), "timestamp": s.stamp(1), "type": "user", "content": [{"text": step.prompt}]}
        calls = [
            {"id": id, "name": name, "args": given, "status": "success", "timestamp": s.stamp(0),
             "result": [{"functionResponse": {"id": id, "name": name, "response": {"output": result}}}], "resultDisplay": result[:200]}
            for id, name, given, result in step.calls
        ]  # fmt: skip
        fresh, out = _usage(s)
        record: dict[str, Any] = {"id": s.uuid(), "timestamp": s.stamp(1), "type": "gemini", "content": step.text or ""}
        if step.thinking:
            record["thoughts"] = [{"subject": "Plan", "description": step.thinking, "timestamp": s.stamp(0)}]
        tokens = {"input": fresh, "output": out, "cached": 0, "thoughts": 0, "tool": 0, "total": fresh + out}
        yield {**record, "tokens": tokens, "model": "gemini-3-flash-preview", **({"toolCalls": calls} if calls else {})}


def qwen(s: _Session) -> Records:
    def entry(kind: str, message: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
        uuid, parent = s.uuid(), s.parent
        s.parent = uuid
        held = {} if message is None else {"message": message}
        return {
            "uuid": uuid, "parentUuid": parent, "sessionId": s.session, "timestamp": s.stamp(1), "type": kind, "cwd": "/home/ana",
            "version": "0.6.0", "gitBranch": "main", **held, **more,
        }  # fmt: skip

    for step in steps(s):
        if step.prompt:
            yield entry("user", {"role": "user", "parts": [{"text": step.prompt}]})
        parts: list[dict[str, Any]] = []
        if step.thinking:
            parts.append({"text": step.thinking, "thought": True})
        if step.text:
            parts.append({"text": step.text})
        parts += [{"functionCall": {"id": id, "name": name, "args": given}} for id, name, given, _ in step.calls]
        fresh, out = _usage(s)
        usage = {"promptTokenCount": fresh, "candidatesTokenCount": out, "cachedContentTokenCount": 0, "totalTokenCount": fresh + out}
        yield entry("assistant", {"role": "model", "parts": parts}, model="coder-model", usageMetadata=usage)
        if s.rng.random() < 0.1:
            yield entry("system", None, subtype="ui_telemetry", systemPayload={"uiEvent": {"event.name": "qwen-code.api_response"}})
        for id, name, _, result in step.calls:
            response = {"functionResponse": {"id": id, "name": name, "response": {"output": result}}}
            yield entry("tool_result", {"role": "user", "parts": [response]}, toolCallResult={"callId": id, "status": "success"})


def goose(s: _Session) -> Records:
    yield {
        "working_dir": "/home/ana",
        "description": "Invoices",
        "message_count": 2,
        "total_tokens": 1,
        "input_tokens": 1,
        "output_tokens": 1,
    }
    clock = 1_763_681_581

    def said(role: str, content: list[dict[str, Any]]) -> dict[str, Any]:
        nonlocal clock
        clock += 1
        return {
            "id": f"msg_{s.uuid()}",
            "role": role,
            "created": clock,
            "content": content,
            "metadata": {"userVisible": True, "agentVisible": True},
        }

    for step in steps(s):
        if step.prompt:
            yield said("user", [{"type": "text", "text": step.prompt}])
        content: list[dict[str, Any]] = [{"type": "text", "text": step.text}] if step.text else []
        content += [
            {"type": "toolRequest", "id": id, "toolCall": {"status": "success", "value": {"name": name, "arguments": given}}}
            for id, name, given, _ in step.calls
        ]
        yield said("assistant", content)
        if step.calls:
            yield said("user", [
                {"type": "toolResponse", "id": id, "toolResult": {"status": "success", "value": [{"type": "text", "text": result}]}}
                for id, _, _, result in step.calls
            ])  # fmt: skip


def openhands(s: _Session) -> Records:
    def event(kind: str, source: str, **more: Any) -> dict[str, Any]:
        return {"id": s.uuid(), "timestamp": s.stamp(1)[:-1], "source": source, **more, "kind": kind}

    yield event("ConversationStateUpdateEvent", "environment", key="execution_status", value="running")
    for step in steps(s):
        if step.prompt:
            held: dict[str, Any] = {"role": "user", "content": [{"cache_prompt": False, "type": "text", "text": step.prompt}]}
            yield event("MessageEvent", "user", llm_message=held, activated_skills=[], extended_content=[])
        response, seen = f"resp-{s.rng.getrandbits(64):x}", list[tuple[Any, ...]]()
        for id, name, given, result in step.calls:
            thought = [{"cache_prompt": False, "type": "text", "text": step.text}] if step.text and not seen else []
            call = {"id": id, "responses_item_id": None, "name": name, "arguments": json.dumps(given), "origin": "completion"}
            done = event("ActionEvent", "agent", thought=thought, reasoning_content=step.thinking, thinking_blocks=[],
                         action={**given, "kind": "TerminalAction"},
                         tool_name=name, tool_call_id=id, tool_call=call, llm_response_id=response, security_risk="UNKNOWN")  # fmt: skip
            seen.append((done["id"], id, name, result))
            yield done
        for action, id, name, result in seen:
            held = {"content": [{"cache_prompt": False, "type": "text", "text": result}], "is_error": False, "kind": "TerminalObservation"}
            yield event("ObservationEvent", "environment", tool_name=name, tool_call_id=id, observation=held, action_id=action)


def copilot(s: _Session) -> Records:
    before: str | None = None

    def event(kind: str, data: dict[str, Any]) -> dict[str, Any]:
        nonlocal before
        id, parent = s.uuid(), before
        before = id
        return {"type": kind, "data": data, "id": id, "timestamp": s.stamp(1), "parentId": parent}

    yield event("session.start", {"sessionId": s.session, "version": 1, "producer": "copilot-agent", "copilotVersion": "0.0.420"})
    for step in steps(s):
        if step.prompt:
            yield event("user.message", {"content": step.prompt, "transformedContent": step.prompt, "attachments": []})
        asked = [{"toolCallId": id, "name": name, "arguments": given} for id, name, given, _ in step.calls]
        yield event("assistant.message", {"messageId": s.uuid(), "content": step.text or "", "toolRequests": asked})
        for id, name, given, result in step.calls:
            yield event("tool.execution_start", {"toolCallId": id, "toolName": name, "arguments": given})
            yield event("tool.execution_complete", {"toolCallId": id, "success": True, "result": {"content": result}})


def openai_messages(step: Step) -> Records:
    """A step as messages of Chat Completions."""
    if step.prompt:
        yield {"role": "user", "content": step.prompt}
    calls = [
        {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(given)}} for id, name, given, _ in step.calls
    ]
    yield {"role": "assistant", "content": step.text, **({"tool_calls": calls} if calls else {})}
    for id, _, _, result in step.calls:
        yield {"role": "tool", "tool_call_id": id, "content": result}


def anthropic_messages(step: Step) -> Records:
    if step.prompt:
        yield {"role": "user", "content": step.prompt}
    blocks: list[dict[str, Any]] = [{"type": "text", "text": step.text}] if step.text else []
    blocks += [{"type": "tool_use", "id": id, "name": name, "input": given} for id, name, given, _ in step.calls]
    yield {"role": "assistant", "content": blocks}
    if step.calls:
        yield {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": id, "content": result} for id, _, _, result in step.calls],
        }


def _langchain(message: dict[str, Any]) -> dict[str, Any]:
    """A message of Chat Completions as LangChain dumps it."""
    kind = {"user": "HumanMessage", "assistant": "AIMessage", "tool": "ToolMessage", "system": "SystemMessage"}[message["role"]]
    held: dict[str, Any] = {
        "content": message["content"] or "",
        "type": {"HumanMessage": "human", "AIMessage": "ai", "ToolMessage": "tool"}.get(kind, "system"),
    }
    if message.get("tool_calls"):
        held["tool_calls"] = [
            {"name": call["function"]["name"], "args": json.loads(call["function"]["arguments"]), "id": call["id"], "type": "tool_call"}
            for call in message["tool_calls"]
        ]
    if "tool_call_id" in message:
        held["tool_call_id"] = message["tool_call_id"]
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": held}


def langchain(s: _Session) -> Records:
    for step in steps(s):
        for message in openai_messages(step):
            yield _langchain(message)["kwargs"]


# -- logs of calls: what was sent each time, and what came back -----------------------------------------------------------------------


def calls(s: _Session, made: Callable[[Step], Records]) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    """What is sent and what comes back: three calls or so to a conversation, each extending the one before."""
    s.factor /= 6
    sent: list[dict[str, Any]] = []
    for step in steps(s):
        answer = Step(None, None, step.text, [(i, n, g, "") for i, n, g, _ in step.calls])
        back = next(m for m in made(answer) if m["role"] == "assistant")
        asked = [{"role": "user", "content": step.prompt}] if step.prompt else []
        if not sent:
            asked = asked or [{"role": "user", "content": s.text(40, 400)}]
        yield sent + asked, back
        sent = sent + list(made(step)) if sent or step.prompt else [*asked, *made(step)]
        if len(sent) > 9 or not step.calls:
            sent = []


def requests_chat(s: _Session) -> Records:
    for sent, _ in calls(s, openai_messages):
        yield {"model": "gpt-5.1", "messages": sent, "stream": True}


def requests_anthropic(s: _Session) -> Records:
    for sent, _ in calls(s, anthropic_messages):
        yield {"model": "claude-sonnet-4-5", "max_tokens": 4096, "messages": sent}


def litellm(s: _Session) -> Records:
    for sent, back in calls(s, openai_messages):
        response = {"id": f"chatcmpl-{s.uuid()}", "model": "gpt-5.1", "object": "chat.completion", "created": 1763681581,
                    "choices": [{"index": 0, "finish_reason": "stop", "message": back}],
                    "usage": {"prompt_tokens": 10, "completion_tokens": 5}}  # fmt: skip
        yield {
            "messages": sent,
            "kwargs": {"extra_body": {}},
            "response": response,
            "cost": 0.01,
            "timestamp": 1763681581.5,
            "latency_sec": 1.2,
        }


def langsmith(s: _Session) -> Records:
    for sent, back in calls(s, openai_messages):
        yield {
            "id": s.uuid(), "trace_id": s.session, "dotted_order": f"20260312T000000000000Z{s.uuid()}", "run_type": "llm",
            "name": "ChatOpenAI",
            "start_time": s.stamp(1), "end_time": s.stamp(1), "parent_run_id": None, "error": None,
            "extra": {"invocation_params": {"model": "gpt-5.1"}},
            "inputs": {"messages": [[_langchain(m) for m in sent]]},
            "outputs": {"generations": [[{"text": back["content"] or "", "message": _langchain(back)}]], "llm_output": None},
        }  # fmt: skip


def _parts(message: dict[str, Any]) -> dict[str, Any]:
    """A message of Chat Completions as OpenTelemetry's GenAI conventions have it."""
    parts: list[dict[str, Any]] = []
    if message["role"] == "tool":
        parts.append({"type": "tool_call_response", "id": message["tool_call_id"], "response": message["content"]})
    elif message["content"]:
        parts.append({"type": "text", "content": message["content"]})
    for call in message.get("tool_calls") or ():
        parts.append(
            {
                "type": "tool_call",
                "id": call["id"],
                "name": call["function"]["name"],
                "arguments": json.loads(call["function"]["arguments"]),
            }
        )
    return {"role": message["role"], "parts": parts}


def _genai(sent: list[dict[str, Any]], back: dict[str, Any]) -> dict[str, Any]:
    return {
        "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-5.1",
        "gen_ai.usage.input_tokens": 97, "gen_ai.usage.output_tokens": 52,
        "gen_ai.input.messages": json.dumps([_parts(m) for m in sent], separators=(",", ":")),
        "gen_ai.output.messages": json.dumps([{**_parts(back), "finish_reason": "stop"}], separators=(",", ":")),
    }  # fmt: skip


def otel(s: _Session) -> Records:
    for number, (sent, back) in enumerate(calls(s, openai_messages)):
        yield {"name": "chat gpt-5.1", "traceId": f"{number // 3:032x}", "spanId": f"{number:016x}", "startTime": [1747754793 + number, 0],
               "endTime": [1747754794 + number, 0], "status": {"code": 0}, "attributes": _genai(sent, back)}  # fmt: skip


def otlp(s: _Session) -> Records:
    for number, (sent, back) in enumerate(calls(s, openai_messages)):
        held = [
            {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}
            for key, value in _genai(sent, back).items()
        ]
        span = {"traceId": f"{number // 3:032x}", "spanId": f"{number:016x}", "name": "chat gpt-5.1", "kind": 3,
                "startTimeUnixNano": str(1747754793000000000 + number * 10**9),
                "endTimeUnixNano": str(1747754794000000000 + number * 10**9),
                "attributes": held, "status": {}}  # fmt: skip
        yield {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "app"}, "spans": [span]}]}]}


def vercel(s: _Session) -> Records:
    for number, (sent, back) in enumerate(calls(s, openai_messages)):
        prompt = []
        for m in sent:
            if m["role"] == "tool":
                held: Any = [
                    {
                        "type": "tool-result",
                        "toolCallId": m["tool_call_id"],
                        "toolName": "Read",
                        "output": {"type": "text", "value": m["content"]},
                    }
                ]
            elif m.get("tool_calls"):
                held = [
                    {
                        "type": "tool-call",
                        "toolCallId": c["id"],
                        "toolName": c["function"]["name"],
                        "input": json.loads(c["function"]["arguments"]),
                    }
                    for c in m["tool_calls"]
                ]
            else:
                held = [{"type": "text", "text": m["content"] or ""}]
            prompt.append({"role": m["role"], "content": held})
        answers = [
            {"toolCallId": c["id"], "toolName": c["function"]["name"], "input": c["function"]["arguments"]}
            for c in back.get("tool_calls") or ()
        ]
        told = {"ai.response.toolCalls": json.dumps(answers)} if answers else {"ai.response.text": back["content"] or ""}
        yield {
            "name": "ai.generateText.doGenerate", "spanContext": {"traceId": f"{number // 3:032x}", "spanId": f"{number:016x}"},
            "attributes": {"operation.name": "ai.generateText.doGenerate", "ai.operationId": "ai.generateText.doGenerate",
                           "ai.model.id": "gpt-5.1",
                           "ai.prompt.messages": json.dumps(prompt, separators=(",", ":")), "ai.response.finishReason": "stop", **told},
            "status": {"code": 0}, "startTime": [1770131992 + number, 0], "endTime": [1770131993 + number, 0], "events": [],
        }  # fmt: skip


def braintrust(s: _Session) -> Records:
    for sent, back in calls(s, openai_messages):
        yield {
            "id": s.uuid(), "span_id": s.uuid(), "root_span_id": s.session, "span_parents": [], "created": s.stamp(1), "model": "gpt-5.1",
            "metrics": {"completion_tokens": 101, "prompt_tokens": 444}, "span_attributes": {"name": "Chat", "type": "llm"}, "input": sent,
            "output": [{"finish_reason": "stop", "index": 0, "message": back}],
        }  # fmt: skip


def bedrock(s: _Session) -> Records:
    for sent, back in calls(s, anthropic_messages):
        body = {"anthropic_version": "bedrock-2023-05-31", "max_tokens": 4096, "messages": sent}
        answer = {
            "id": f"msg_{s.uuid()}",
            "type": "message",
            "usage": {"input_tokens": 9, "output_tokens": 9},
            "stop_reason": "end_turn",
            **back,
        }
        yield {
            "schemaType": "ModelInvocationLog", "schemaVersion": "1.0", "timestamp": s.stamp(1), "requestId": s.uuid(),
            "operation": "InvokeModel",
            "modelId": "anthropic.claude-sonnet-4-5", "input": {"inputContentType": "application/json", "inputBodyJson": body,
            "inputTokenCount": 9},
            "output": {"outputContentType": "application/json", "outputBodyJson": answer, "outputTokenCount": 9},
        }  # fmt: skip


def finetune(s: _Session) -> Records:
    for sent, back in calls(s, openai_messages):
        yield {"messages": [*sent, back]}


# -- recorded streams: one event a line ----------------------------------------------------------------------------------------------


def _cut(s: _Session, text: str) -> list[str]:
    size = max(20, s.target - 150)
    return [text[i : i + size] for i in range(0, len(text), size)]


def anthropic_stream(s: _Session) -> Records:
    s.factor *= 4
    for step in steps(s):
        head: dict[str, Any] = {"id": f"msg_{s.uuid()}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
                "content": [],
                "stop_reason": None,
                "usage": {"input_tokens": 472, "output_tokens": 2}}  # fmt: skip
        yield {"type": "message_start", "message": head}
        blocks: list[tuple[dict[str, Any], str, str, str]] = []
        if step.text:
            blocks.append(({"type": "text", "text": ""}, "text_delta", "text", step.text + "".join(r for *_, r in step.calls)))
        for id, name, given, result in step.calls:
            asked = json.dumps({**given, "content": result})
            blocks.append(({"type": "tool_use", "id": id, "name": name, "input": {}}, "input_json_delta", "partial_json", asked))
        for index, (block, kind, key, text) in enumerate(blocks):
            yield {"type": "content_block_start", "index": index, "content_block": block}
            for part in _cut(s, text):
                yield {"type": "content_block_delta", "index": index, "delta": {"type": kind, key: part}}
            yield {"type": "content_block_stop", "index": index}
        yield {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 89}}
        yield {"type": "message_stop"}


def chat_stream(s: _Session) -> Records:
    s.factor *= 4
    for step in steps(s):
        head = {"id": f"chatcmpl-{s.uuid()}", "object": "chat.completion.chunk", "created": 1763681581, "model": "gpt-5.1"}

        def chunk(delta: dict[str, Any], stop: str | None = None, head: dict[str, Any] = head) -> dict[str, Any]:
            return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": stop}]}

        yield chunk({"role": "assistant", "content": ""})
        for part in _cut(s, (step.text or "") + "".join(r for *_, r in step.calls)):
            yield chunk({"content": part})
        for index, (id, name, given, _) in enumerate(step.calls):
            yield chunk({"tool_calls": [{"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}}]})
            for part in _cut(s, json.dumps(given)):
                yield chunk({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
        yield chunk({}, "tool_calls" if step.calls else "stop")


def responses_stream(s: _Session) -> Records:
    s.factor *= 4
    for step in steps(s):
        response = {"id": f"resp_{s.uuid()}", "object": "response", "status": "in_progress", "model": "gpt-5.1", "output": []}
        number = 0

        def event(kind: str, **more: Any) -> dict[str, Any]:
            nonlocal number
            number += 1
            return {"type": f"response.{kind}", "sequence_number": number, **more}

        yield event("created", response=response)
        output: list[dict[str, Any]] = []
        for index, (id, name, given, result) in enumerate(step.calls):
            text = json.dumps({**given, "content": result})
            item = {"id": f"fc_{s.uuid()}", "type": "function_call", "status": "completed", "call_id": id, "name": name, "arguments": ""}
            yield event("output_item.added", output_index=index, item=item)
            for part in _cut(s, text):
                yield event("function_call_arguments.delta", item_id=item["id"], output_index=index, delta=part)
            output.append({**item, "arguments": text})
            yield event("output_item.done", output_index=index, item=output[-1])
        yield event("completed", response={**response, "status": "completed", "output": output})


def gemini_stream(s: _Session) -> Records:
    for step in steps(s):
        told = {
            "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 9},
            "modelVersion": "gemini-3-flash",
            "responseId": s.uuid(),
        }

        def piece(parts: list[dict[str, Any]], told: dict[str, Any] = told, **more: Any) -> dict[str, Any]:
            return {"candidates": [{"content": {"parts": parts, "role": "model"}, "index": 0, **more}], **told}

        for part in _cut(s, (step.text or "") + "".join(r for *_, r in step.calls)):
            yield piece([{"text": part}])
        held = [{"functionCall": {"name": name, "args": given}} for _, name, given, _ in step.calls]
        yield piece(held or [{"text": ""}], finishReason="STOP")


MAKERS: dict[str, Callable[[_Session], Records]] = {
    "codex": codex, "codex (bare)": codex_bare, "anthropic-messages-stream": anthropic_stream, "openai-chat-stream": chat_stream,
    "openai-responses-stream": responses_stream, "gemini-stream": gemini_stream, "claude-stream-json": stream_json, "pi": pi,
    "gemini-cli": gemini_cli, "qwen-code": qwen, "goose": goose, "langsmith-runs": langsmith, "langchain-messages": langchain,
    "litellm-log": litellm, "otel-spans": otel, "otlp-json": otlp, "vercel-ai-sdk-spans": vercel, "braintrust-spans": braintrust,
    "bedrock-invocation-log": bedrock, "request-lines (chat)": requests_chat, "request-lines (anthropic)": requests_anthropic,
    "openhands-v1": openhands, "other-copilot-cli": copilot, "openai-finetune-jsonl": finetune,
}  # fmt: skip


def make(name: str, path: Path, megabytes: float, record_bytes: int) -> Path:
    """Writes lines of a format to `path`; the path comes back."""
    session = _Session(7, record_bytes)
    limit = int(megabytes * 1_000_000)
    with path.open("wb", buffering=1 << 20) as file:
        for record in MAKERS[name](session):
            file.write(session.line(record))
            if session.bytes >= limit:
                break
    return path


def main(argv: list[str]) -> int:
    if len(argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    make(argv[0], Path(argv[1]), *[int(a) for a in argv[2:]] or [20, 6700])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
