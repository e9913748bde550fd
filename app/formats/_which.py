"""Which wire a list of messages is written in, told by the messages alone."""

from __future__ import annotations

from typing import Any, Final

from app.formats._dialect import ANTHROPIC_BLOCKS
from app.formats._langchain import word_of
from app.formats._responses_look import items as item_words
from app.formats._vercel import MODEL_BLOCKS, UI_PARTS

_BEDROCK: Final = frozenset({"toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent"})
_CONTENT: Final = ("text", "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "image", "document")
_OTEL: Final = frozenset({"tool_call", "tool_call_response", "reasoning", "blob", "uri"})


def is_message(value: Any) -> bool:
    """Whether an object is one message, by itself."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("role"), str) and (
        {"content", "blocks", "parts", "tool_calls", "toolInvocations", "function_call"} & value.keys()
    ):
        return True
    if value.get("kind") in ("request", "response") and isinstance(value.get("parts"), list):
        return True
    word = word_of(value)
    return word is not None and bool({"content", "data", "kwargs"} & value.keys())


def wire_of(messages: list[Any], hint: str | None = None, answer: bool = False) -> str:
    """The word of the wire. `hint`: what it is where the messages do not tell; `answer`: they came back."""
    objects = [message for message in messages if isinstance(message, dict)]
    if not objects:
        return hint or ("said-assistant" if answer else "said-user")
    if sum(word_of(m) is not None and ("role" not in m or "lc" in m) for m in objects) * 2 > len(objects):
        return "langchain"
    if any("role" in m and ("additional_kwargs" in m or _has_bare_calls(m)) for m in objects):
        return "langchain"
    if all(m.get("kind") in ("request", "response") and isinstance(m.get("parts"), list) for m in objects):
        return "pydantic"
    with_parts = [m for m in objects if isinstance(m.get("parts"), list)]
    if 2 * len(with_parts) > len(objects):
        return _of_parts(with_parts)
    if any("toolInvocations" in m for m in objects):
        return "ui-message"
    found = _of_blocks(objects)
    if found is not None:
        return found
    if any("callId" in m or m.get("type") == "function_call_result" for m in objects):
        return "agents"
    if not any({"tool_calls", "tool_call_id"} & m.keys() for m in objects) and item_words(objects):
        return "responses"
    if hint == "responses" and any({"tool_calls", "tool_call_id"} & m.keys() or m.get("role") in ("tool", "function") for m in objects):
        return "chat"
    if any("event.name" in m or "gen_ai.system" in m for m in objects):
        return "event"
    if any("role" in m for m in objects):
        chat = any({"tool_calls", "function_call"} & m.keys() or m.get("role") in ("tool", "function", "system") for m in objects)
        return "chat" if chat and hint in (None, "anthropic", "bedrock", "gemini") else hint or "chat"
    messages_inside = [m for m in objects if isinstance(m.get("message"), dict)]
    if messages_inside and len(messages_inside) == len(objects):
        return "event"
    return hint if hint in ("responses", "gemini", "bedrock") else "said-assistant" if answer else "said-user"


def _of_parts(messages: list[dict[str, Any]]) -> str:
    parts = [part for m in messages for part in m["parts"] if isinstance(part, dict)]
    words = [part["type"] for part in parts if isinstance(part.get("type"), str)]
    if not words:
        return "gemini"
    if any(word in UI_PARTS or (word.startswith("tool-") and "-" in word) or word.startswith("data-") for word in words):
        return "ui-message"
    if any(word in _OTEL and "text" not in part for part in parts if isinstance(word := part.get("type"), str)):
        return "otel"
    return "otel" if any("content" in part for part in parts) else "ui-message"


def _of_blocks(messages: list[dict[str, Any]]) -> str | None:
    """By the blocks of contents that are lists; None where they do not tell."""
    blocks = [b for m in messages if isinstance(m.get("content"), list) for b in m["content"] if isinstance(b, dict)]
    words = {b["type"] for b in blocks if isinstance(b.get("type"), str)}
    if words & MODEL_BLOCKS or any(map(_is_sdk_block, blocks)):
        return "model-message"
    if any(word in ANTHROPIC_BLOCKS - {"image", "document"} or word.endswith("_tool_result") for word in words):
        return "anthropic"
    if {"image", "document"} & words and any(isinstance(b.get("source"), dict) for b in blocks):
        return "anthropic"
    untyped = [b for b in blocks if "type" not in b]
    if untyped and any(not _BEDROCK.isdisjoint(b) for b in untyped):
        return "bedrock"
    if untyped and len(untyped) == len(blocks) and all("text" in b for b in untyped):
        return "bedrock"
    return None


def _has_bare_calls(message: dict[str, Any]) -> bool:
    """Calls with their name and arguments beside their id, as LangChain keeps them."""
    calls = message.get("tool_calls")
    return isinstance(calls, list) and any(isinstance(call, dict) and "args" in call and "function" not in call for call in calls)


def blocks_of_one(items: list[Any]) -> str | None:
    """Whose blocks a list without roles is, where it is the content of one message: `blocks` (typed), `bedrock`, `ai-calls`."""
    held = [item for item in items if isinstance(item, dict)]
    if not held or len(held) != len(items) or any("role" in item for item in held):
        return None
    if all("toolCallId" in item and "toolName" in item for item in held):
        return "ai-calls"
    words = [item.get("type") for item in held]
    if all(word in _CONTENT for word in words) and ("text" not in words or all("text" in i for i in held if i.get("type") == "text")):
        return "blocks"
    if all("type" not in item and ("text" in item or not _BEDROCK.isdisjoint(item)) for item in held) and all(len(i) == 1 for i in held):
        return "bedrock"
    return None


def _is_sdk_block(block: dict[str, Any]) -> bool:
    """A block of reasoning or media as the Vercel AI SDK writes it."""
    word = block.get("type")
    if word == "reasoning":
        return isinstance(block.get("text"), str) and "summary" not in block
    return (word == "file" and "mediaType" in block) or (
        word in ("file", "image") and "mimeType" in block and ("data" in block or "image" in block)
    )
