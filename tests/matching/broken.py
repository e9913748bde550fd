"""A small request for each rule of a provider, with the defect in it: where an error text has to lead to.

Drawn as in tests/builders.py. `text` of a row is what stands for the ids in a reported text: the id that the defect is about.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import app.rules
from app.model.dump import Dump
from app.model.source import Source
from app.pipeline.load import load
from tests.builders import request_of

LONG = "x" * 65
THINKING = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}


def _anthropic(drawing: str, **members: Any) -> dict[str, Any]:
    return {"model": "claude-sonnet-4-5", "max_tokens": 100, **request_of(drawing, **members)}


def _chat(drawing: str, **members: Any) -> dict[str, Any]:
    return {"model": "gpt-5", **request_of(drawing, "openai-chat", **members)}


def _messages(*messages: Any, **members: Any) -> dict[str, Any]:
    return {"model": "claude-sonnet-4-5", "max_tokens": 100, "messages": list(messages), **members}


def _called(**result: Any) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}
    answer = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "found", **result}
    return [{"role": "user", "content": "q"}, {"role": "assistant", "content": [call]}, {"role": "user", "content": [answer]}]


def _marked(*texts: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}} for text in texts]


def _thought(**block: Any) -> list[dict[str, Any]]:
    content = [{"type": "thinking", "thinking": "hm", "signature": "c2ln", **block}, {"type": "text", "text": "ok"}]
    return [{"role": "user", "content": "q"}, {"role": "assistant", "content": content}, {"role": "user", "content": "x"}]


ANTHROPIC: dict[str, dict[str, Any]] = {
    "tool-call-unanswered": _anthropic("u:q | a:call toolu_1 | u:go on | a:ok | u:x"),
    "tool-call-partially-answered": _anthropic("u:q | a:call toolu_1,call toolu_2 | u:result toolu_2 | a:ok | u:x"),
    "tool-result-not-adjacent": _anthropic("u:q | a:call toolu_1 | u:wait | a:ok | u:result toolu_1"),
    "tool-call-trailing": _anthropic("u:q | a:call toolu_1"),
    "tool-result-orphan": _anthropic("u:q | a:ok | u:result toolu_1 | a:ok | u:x"),
    "tool-result-duplicate": _anthropic("u:q | a:call toolu_1 | u:result toolu_1,result toolu_1"),
    "tool-call-id-duplicate": _anthropic("u:q | a:call toolu_1,call toolu_1 | u:result toolu_1,result toolu_1"),
    "tool-result-not-first": _anthropic("u:q | a:call toolu_1 | u:wait,result toolu_1"),
    "text-after-tool-result-with-open-server-tool": _anthropic("u:q | a:server srvtoolu_1 web_search,call toolu_1 | u:result toolu_1,text"),
    "content-after-tool-call": _anthropic("u:q | a:think,call toolu_1,text | u:result toolu_1"),
    "block-role-mismatch": _anthropic("u:q | a:call toolu_1,result toolu_1 | u:x"),
    "tool-result-id-missing": _anthropic("u:q | a:call toolu_1 | u:result -"),
    "id-format": _anthropic("u:q | a:call toolu.1 | u:result toolu.1"),
    "tool-name-format": _anthropic(f"u:q | a:call toolu_1 {'n' * 201} | u:result toolu_1"),
    "tool-args-invalid": _anthropic("u:q | a:call toolu_1 args=null | u:result toolu_1"),
    "first-message-not-user": _anthropic("a:hello | u:q"),
    "messages-empty": _anthropic(""),
    "text-empty": _anthropic("u:q,empty | a:ok | u:x"),
    "message-content-empty-user": _anthropic("u:q | a:ok | u=empty"),
    "message-content-empty-assistant": _anthropic("u:q | a=empty | u:x"),
    "system-message-first": _anthropic("s:x | u:q"),
    "system-message-position": _anthropic("u:q | a:ok | s:x | u:more"),
    "system-message-position-next": _anthropic("u:q | s:x | u:more"),
    "prefill-unsupported": {**_anthropic("u:q | a:so"), "model": "claude-opus-4-6"},
    "prefill-trailing-whitespace": _messages({"role": "user", "content": "q"}, {"role": "assistant", "content": "so "}),
    "reasoning-missing": _anthropic("u:q | a:call toolu_1 | u:result toolu_1", **THINKING),
    "reasoning-modified": _anthropic("u:q | a:think,think,text | u:x"),
    "reasoning-signature-missing": _anthropic("u:q | a:think?,text | u:x"),
    "reasoning-last-block": _anthropic("u:q | a:text,think"),
    "cache-breakpoints-too-many": _messages({"role": "user", "content": _marked("a", "b", "c", "d", "e")}),
    "cache-on-empty-text": _messages({"role": "user", "content": [*_marked(""), {"type": "text", "text": "q"}]}),
    "cache-on-thinking": _messages(*_thought(cache_control={"type": "ephemeral"})),
    "block-type-unknown": _messages({"role": "user", "content": [{"type": "input_text", "text": "x"}]}),
    "tool-result-error-non-text": _messages(*_called(is_error=True, content=[PICTURE])),
    "text-lone-surrogate": _messages({"role": "user", "content": "half \ud83d of it"}),
    "tool-result-content-empty-list": _messages(*_called(content=[])),
}

CHAT: dict[str, dict[str, Any]] = {
    "tool-call-unanswered": _chat("u=q | a:call call_1 | u=go on"),
    "tool-call-partially-answered": _chat("u=q | a:call call_1,call call_2 | t:result call_2 | u=go on"),
    "tool-call-trailing": _chat("u=q | a:call call_1"),
    "tool-result-orphan": _chat("u=q | t:result call_1 | u=x"),
    "tool-result-id-mismatch": _chat("u=q | a:call call_1 | t:result call_1 | a:call call_2 | t:result call_1 | u=x"),
    "tool-result-duplicate": _chat("u=q | a:call call_1 | t:result call_1 | t:result call_1"),
    "tool-result-not-adjacent": _chat("u=q | a:call call_1 | u=wait | t:result call_1"),
    "id-format": _chat(f"u=q | a:call {LONG} | t:result {LONG}"),
    "tool-calls-empty-array": _messages({"role": "user", "content": "q"}, {"role": "assistant", "content": "ok", "tool_calls": []}),
    "assistant-empty": _chat("u=q | a:null | u=x"),
    "content-type-invalid": _messages({"role": "user", "content": {"text": "q"}}, {"role": "assistant", "content": "ok"}, model="gpt-5"),
    "tool-result-content-type": _chat("u=q | a:call call_1 | t:result~ call_1"),
    "tool-args-invalid": _messages(
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": {"q": 1}}}]},
        {"role": "tool", "tool_call_id": "call_1", "content": "found"},
    ),
    "tool-name-format": _chat("u=q | a:call call_1 mcp.look | t:result call_1"),
    "tool-result-id-missing": _chat("u=q | a:call call_1 | t:result -"),
    "image-in-tool-result": _messages(
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "call_1", "content": [
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]},
    ),
    "image-in-assistant-message": _chat("u=q | a:text,image | u=x"),
    "messages-empty": _chat(""),
}  # fmt: skip


def _converse(*contents: Any, model: str = "us.anthropic.claude-sonnet-4-5-20250929-v1:0", tools: bool = True) -> dict[str, Any]:
    """Messages of Bedrock, the user first and then in turn; a string is text, `>id` a call, `<id` its result."""
    messages = []
    for number, content in enumerate(contents):
        blocks = [_converse_block(block) for block in content]
        messages.append({"role": ("user", "assistant")[number % 2], "content": blocks})
    declared = {"toolConfig": {"tools": [{"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}]}} if tools else {}
    return {"modelId": model, "messages": messages, **declared}


def _converse_block(block: Any) -> Any:
    if isinstance(block, str) and block.startswith(">"):
        return {"toolUse": {"toolUseId": block[1:], "name": "look", "input": {}}}
    if isinstance(block, str) and block.startswith("<"):
        return {"toolResult": {"toolUseId": block[1:], "content": [{"text": "found"}]}}
    return {"text": block} if isinstance(block, str) else block


CONVERSE: dict[str, dict[str, Any]] = {
    "tool-call-partially-answered": _converse(["q"], [">tooluse_1", ">tooluse_2"], ["<tooluse_2"]),
    "tool-result-not-adjacent": _converse(["q"], [">tooluse_1"], ["wait"], ["ok"], ["<tooluse_1"]),
    "tool-result-orphan": _converse(["q"], [">tooluse_0"], ["<tooluse_0", "<tooluse_1"]),
    "tool-result-duplicate": _converse(["q"], [">tooluse_1"], ["<tooluse_1", "<tooluse_1"]),
    "tool-call-id-duplicate": _converse(["q"], [">tooluse_1", ">tooluse_1"], ["<tooluse_1", "<tooluse_1"]),
    "tool-args-invalid": _converse(["q"], [{"toolUse": {"toolUseId": "tooluse_1", "name": "look", "input": "x"}}], ["<tooluse_1"]),
    "text-empty": _converse(["q", ""], ["ok"], ["x"]),
    "prefill-unsupported": _converse(["q"], ["so"], model="us.anthropic.claude-opus-4-6-v1"),
}


def _mistral(drawing: str) -> dict[str, Any]:
    return {"model": "mistral-large-latest", **request_of(drawing, "openai-chat")}


MISTRAL: dict[str, dict[str, Any]] = {
    "tool-result-duplicate": _mistral("u=q | a:call abcdefgh1 | t:result abcdefgh1 | t:result abcdefgh1 | a=ok | u=x"),
    "tool-result-orphan": _mistral("u=q | a:call abcdefgh1 | t:result abcdefgh1 | t:result abcdefgh2 | a=ok | u=x"),
    "tool-call-id-duplicate": _mistral("u=q | a:call abcdefgh1,call abcdefgh1 | t:result abcdefgh1 | t:result abcdefgh1 | a=ok | u=x"),
    "tool-name-format": _mistral(f"u=q | a:call abcdefgh1 {'n' * 65} | t:result abcdefgh1 | a=ok | u=x"),
}


def _items(*items: Any) -> dict[str, Any]:
    """Items of Responses: a string is the user's text, `>id` a call, `<id` its output."""
    made: list[dict[str, Any]] = []
    for item in items:
        if item.startswith(">"):
            made.append({"type": "function_call", "call_id": item[1:], "name": "look", "arguments": "{}"})
        elif item.startswith("<"):
            made.append({"type": "function_call_output", "call_id": item[1:], "output": "found"})
        else:
            made.append({"role": "user", "content": item})
    return {"model": "gpt-5", "input": made}


RESPONSES: dict[str, dict[str, Any]] = {
    "tool-call-partially-answered": _items("q", ">call_1", ">call_2", "<call_2", "go on"),
    "tool-call-trailing": _items("q", ">call_1"),
}

GEMINI: dict[str, dict[str, Any]] = {
    "tool-call-trailing": {"model": "gemini-2.5-flash", "contents": [
        {"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {}}}]},
    ]},
}  # fmt: skip

# provider to the format of its requests, and a request for each rule
BROKEN: dict[str, tuple[str, dict[str, dict[str, Any]]]] = {
    "anthropic": ("anthropic-messages", ANTHROPIC), "openai-chat": ("openai-chat", CHAT), "deepseek": ("openai-chat", CHAT),
    "bedrock": ("bedrock-converse", CONVERSE), "mistral": ("mistral", MISTRAL), "openai-responses": ("openai-responses", RESPONSES),
    "gemini": ("gemini", GEMINI),
}  # fmt: skip
JUDGES = {"deepseek-chat": "deepseek", "deepseek-responses": "deepseek", "deepseek-anthropic": "deepseek"}
EXAMPLES = Path(app.rules.__file__).parent / "examples"


def broken(provider: str, rule: str) -> Dump:
    """A dump with the defect: drawn here, else the example that comes with the rule."""
    format, requests = BROKEN[provider]
    if rule in requests:
        return load(Source.of(data_of(requests[rule]), f"{rule}.json"), format)
    return load(Source.open(_example(provider, rule)[0]))


def has_broken(provider: str, rule: str) -> bool:
    """Whether there is one: a document that breaks `image-too-large` has megabytes."""
    return provider in BROKEN and (rule in BROKEN[provider][1] or bool(_example(provider, rule)))


def _example(provider: str, rule: str) -> list[Path]:
    return sorted(EXAMPLES.glob(f"{rule}.{provider}.*"))


def data_of(request: dict[str, Any]) -> bytes:
    return json.dumps(request).encode()
