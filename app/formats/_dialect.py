"""What speaks for Anthropic's and for OpenAI's way of writing a list of messages: the evidence, in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from app.formats import _gemini_dialect
from app.formats._peek import Peek

_NINE = re.compile(r"[A-Za-z0-9]{9}").fullmatch
_MISTRAL = re.compile(r"(?:mistralai/)?(?:open-)?(?:mistral|mixtral|ministral|magistral|codestral|pixtral|devstral)", re.I)
ANTHROPIC_BLOCKS: Final = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use", "container_upload", "image", "document"}
)
OPENAI_PARTS: Final = frozenset({"image_url", "input_audio", "file", "refusal"})
OPENAI_ROLES: Final = frozenset({"developer", "tool", "function"})
OPENAI_OBJECTS: Final = frozenset({"chat.completion", "traffic.completion"})


@dataclass
class Evidence:
    """`anthropic` and `openai`: what speaks for each, once each; `mistral`: what tells its dialect of OpenAI's wire. `plain`: there are
    messages of role and content, whatever is in them."""

    anthropic: dict[str, None] = field(default_factory=dict)
    openai: dict[str, None] = field(default_factory=dict)
    mistral: dict[str, None] = field(default_factory=dict)
    plain: bool = False

    def both(self) -> bool:
        return bool(self.anthropic) and bool(self.openai)


def evidence(seen: Peek) -> Evidence | None:
    """Of a head that is one document with messages, or an answer; None of any other."""
    value = seen.value
    if seen.lines or not isinstance(value, dict | list) or _gemini_dialect.evidence(seen):
        return None
    found = Evidence()
    if isinstance(value, dict):
        if "messages" not in value and ("input" in value or isinstance(value.get("output"), list)):
            return None  # OpenAI's Responses
        _of_request(value, found)
    messages = seen.messages()
    objects = [m for m in messages or () if isinstance(m, dict)]
    _of_mistral(value.get("model") if isinstance(value, dict) else None, objects, found)
    if messages is not None:
        _of_messages(objects, found)
        named = [m for m in objects if isinstance(m.get("role"), str)]
        found.plain = 2 * len(named) > len(messages) or (not messages and isinstance(value, dict))
    return found if found.plain or found.anthropic or found.openai else None


def _of_request(request: dict[str, Any], found: Evidence) -> None:
    anthropic, openai = found.anthropic, found.openai
    if request.get("type") == "message" and "role" in request and "content" in request:
        anthropic["a response: type message"] = None
    if "anthropic_version" in request:
        anthropic["anthropic_version"] = None
    if "messages" in request and "system" in request and not _untyped(request["system"]):
        anthropic["system beside the messages"] = None
    model = request.get("model")
    if isinstance(model, str):
        if "claude" in model.lower():
            anthropic["a model named claude"] = None
        elif model.lower().startswith(("gpt", "o1", "o3", "o4", "chatgpt", "deepseek", "openai/", "ft:gpt")):
            openai["its model"] = None
    choices = request.get("choices")
    if isinstance(choices, list) and (not choices or isinstance(choices[0], dict)):
        openai["choices"] = None
    if str(request.get("object")) in OPENAI_OBJECTS:
        openai[f"object {request['object']}"] = None
    for tool in request["tools"] if isinstance(request.get("tools"), list) else ():
        if not isinstance(tool, dict):
            continue
        if "input_schema" in tool:
            anthropic["tools with input_schema"] = None
        elif isinstance(tool.get("function"), dict):
            openai["tools of type function"] = None
    if "functions" in request:
        openai["functions"] = None


def _untyped(system: Any) -> bool:
    """Whether system text stands in blocks without a type, as Bedrock's Converse has them."""
    return isinstance(system, list) and bool(system) and all(isinstance(block, dict) and "type" not in block for block in system)


def _of_messages(messages: list[dict[str, Any]], found: Evidence) -> None:
    anthropic, openai = found.anthropic, found.openai
    for message in messages:
        role = message.get("role")
        if isinstance(role, str) and role in OPENAI_ROLES:
            openai[f"the role {role}"] = None
        for key in ("tool_calls", "function_call", "tool_call_id", "reasoning_content"):
            if message.get(key) is not None:
                openai[key] = None
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            word = block.get("type") if isinstance(block, dict) else None
            if not isinstance(word, str):
                continue
            if word in ANTHROPIC_BLOCKS or word.endswith("_tool_result"):
                anthropic[f"blocks of type {word}"] = None
            elif word in OPENAI_PARTS:
                openai[f"parts of type {word}"] = None


def _of_mistral(model: Any, messages: list[dict[str, Any]], found: Evidence) -> None:
    """Mistral writes OpenAI's wire. Its models tell it; where none is named, ids of nine letters and digits, which no other host makes, or
    members of its own."""
    if isinstance(model, str) and model:
        if _MISTRAL.match(model):
            found.mistral["its model"] = None
        return
    calls = [call for m in messages if isinstance(m.get("tool_calls"), list) for call in m["tool_calls"]]
    ids = [call.get("id") for call in calls if isinstance(call, dict)]
    if ids and all(isinstance(i, str) and _NINE(i) for i in ids):
        found.mistral["call ids of nine letters and digits"] = None
    if any(isinstance(m.get("prefix"), bool) for m in messages):
        found.mistral["prefix"] = None
    parts = [part for m in messages if isinstance(m.get("content"), list) for part in m["content"] if isinstance(part, dict)]
    if any(part.get("type") == "document_url" for part in parts):
        found.mistral["parts of type document_url"] = None


def words(reasons: dict[str, None]) -> str:
    """Reasons in words, the first few."""
    return ", ".join(list(reasons)[:4])
