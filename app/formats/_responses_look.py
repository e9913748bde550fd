"""What tells a document of OpenAI's Responses: the types of its items and parts, and the members of its requests and responses."""

from __future__ import annotations

from typing import Any, Final

from app.formats._peek import Peek
from app.model.items import INPUT_PARTS, OUTPUT_PARTS, TYPES

OWN_TYPES: Final = TYPES - {"message"}
OWN_PARTS: Final = INPUT_PARTS | OUTPUT_PARTS - {"refusal"}
OWN_MEMBERS: Final = (
    "instructions", "previous_response_id", "conversation", "store", "include", "reasoning", "prompt_cache_key", "truncation",
)  # fmt: skip


def evidence(seen: Peek) -> tuple[float, str] | None:
    """How sure, and the keys that matched, in words; None of a document of another kind."""
    value = seen.value
    if seen.lines:
        return None
    if isinstance(value, dict):
        return _of_object(value)
    if isinstance(value, list) and value:
        found = items(value)
        return (0.97 if len(found) > 1 else 0.92, ", ".join(found[:4])) if found else None
    return None


def _of_object(value: dict[str, Any]) -> tuple[float, str] | None:
    if isinstance(value.get("messages"), list) or "choices" in value:
        return None
    kind = value.get("object")
    if kind == "response" and isinstance(value.get("output"), list | None):
        return 0.98, "object response"
    data = value.get("data")
    if kind == "list" and isinstance(data, list):
        found = items(data)
        return (0.95, f"object list, {', '.join(found[:3])}") if found else None
    for key in ("input", "output", "items"):
        held = value.get(key)
        if isinstance(held, list):
            found = items(held) or (_plain(held) if key == "input" and not isinstance(value.get("output"), dict) else [])
            if found:
                more = _members(value)
                return min(0.97, 0.75 + 0.08 * (len(found) + len(more))), ", ".join([f"{key} of items", *found[:3], *more[:2]])
    told = _members(value)
    if isinstance(value.get("input"), str) and "model" in value:
        return (0.9, f"input, {', '.join(told[:3])}") if told else (0.5, "input and model, which other endpoints have too")
    if "instructions" in told and "system" not in value and _flat_tools(value):
        return 0.7, "instructions, tools without a function inside"
    return None


def items(held: list[Any]) -> list[str]:
    """What speaks for a list of items, once each."""
    found: dict[str, None] = {}
    for item in held[:500]:
        if not isinstance(item, dict) or "tool_calls" in item:
            continue
        word = item.get("type")
        if isinstance(word, str) and word in OWN_TYPES:
            found[f"items of type {word}"] = None
        content = item.get("content")
        for part in content if isinstance(content, list) and "role" in item else ():
            kind = part.get("type") if isinstance(part, dict) else None
            if isinstance(kind, str) and kind in OWN_PARTS:
                found[f"parts of type {kind}"] = None
        if word == "message" and "role" in item and not _is_anthropic(item):
            found["items of type message"] = None
    return list(found)


def _is_anthropic(item: dict[str, Any]) -> bool:
    """A stored answer of Anthropic's, which has the type message too."""
    return "stop_reason" in item or "usage" in item


def _plain(held: list[Any]) -> list[str]:
    """Messages of role and content under `input`."""
    said = [item for item in held if isinstance(item, dict) and "role" in item and "content" in item]
    return ["role and content"] if 2 * len(said) > len(held) or not held else []


def _members(value: dict[str, Any]) -> list[str]:
    return [key for key in OWN_MEMBERS if key in value] + (["tools without a function inside"] if _flat_tools(value) else [])


def _flat_tools(value: dict[str, Any]) -> bool:
    """Tools as this wire has them: the name beside the type, or a hosted tool."""
    tools = value.get("tools")
    named = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    return any(isinstance(tool.get("type"), str) and "function" not in tool and "input_schema" not in tool for tool in named)
