"""A request of Anthropic's wire as Bedrock's Converse has it, so that drawings (see tests.builders) and random requests serve there too."""

from __future__ import annotations

from typing import Any

from tests.builders import request_of

CLAUDE, NOVA, LLAMA = "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.amazon.nova-pro-v1:0", "us.meta.llama4-maverick-17b-instruct-v1:0"
MISTRAL, WRITER, QWEN = "mistral.mistral-large-2402-v1:0", "us.writer.palmyra-x4-v1:0", "qwen.qwen3-32b-v1:0"
FAMILIES = (CLAUDE, NOVA, LLAMA, MISTRAL, WRITER, QWEN, None)


def drawn(drawing: str, model: str | None = None, tools: bool = True, **members: Any) -> dict[str, Any]:
    """The request that a drawing stands for; with tools, where it calls any."""
    return converse(request_of(drawing, "anthropic"), model, tools, **members)


def converse(request: dict[str, Any], model: str | None = None, tools: bool = True, **members: Any) -> dict[str, Any]:
    """`model`: the id of a model. `members`: further members of the request."""
    messages = [message_of(message) for message in request["messages"]]
    made: dict[str, Any] = {"modelId": model} if model is not None else {}
    system = request.get("system")
    if system is not None:
        texts = [system] if isinstance(system, str) else [block["text"] for block in system]
        made["system"] = [{"text": text} for text in texts]
    made.update(members, messages=messages)
    names = [block["toolUse"].get("name") or "look" for message in messages for block in message["content"] or () if "toolUse" in block]
    if tools and (names or any("toolResult" in block for message in messages for block in message["content"] or ())):
        specs = [{"toolSpec": {"name": name, "inputSchema": {"json": {"type": "object"}}}} for name in dict.fromkeys(names or ["look"])]
        made["toolConfig"] = {"tools": specs}
    return made


def message_of(message: dict[str, Any]) -> dict[str, Any]:
    """A message; content that is one string becomes a list of one block."""
    content = message["content"]
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    return {"role": message["role"], "content": None if content is None else [_block(block) for block in content]}


def _block(block: dict[str, Any]) -> dict[str, Any]:
    word = block["type"]
    if word == "text":
        return {"text": block["text"]}
    if word in ("tool_use", "server_tool_use"):
        call = {"toolUseId": block.get("id"), "name": block["name"], "input": block["input"]}
        if "id" not in block:
            del call["toolUseId"]
        return {"toolUse": {**call, **({"type": "server_tool_use"} if word == "server_tool_use" else {})}}
    if word == "tool_result" or word.endswith("_tool_result"):
        return {"toolResult": _result(block)}
    if word == "thinking":
        return {"reasoningContent": {"reasoningText": {"text": block["thinking"], "signature": block["signature"]}}}
    if word == "redacted_thinking":
        return {"reasoningContent": {"redactedContent": block["data"]}}
    assert word == "image", word
    return {"image": {"format": "png", "source": {"bytes": block["source"]["data"]}}}


def _result(block: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {} if "tool_use_id" not in block else {"toolUseId": block["tool_use_id"]}
    content = block.get("content", [])
    made["content"] = [{"text": content}] if isinstance(content, str) else [_block(part) for part in content]
    return {**made, **({"status": "error"} if block.get("is_error") else {})}
