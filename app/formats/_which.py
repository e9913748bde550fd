"""Which wire a list of messages is written in, told by the messages alone."""

from __future__ import annotations

import copy
from typing import Any, Final

from app.formats._dialect import ANTHROPIC_BLOCKS
from app.formats._langchain import word_of
from app.formats._responses_look import items as item_words
from app.formats._vercel import MODEL_BLOCKS, UI_PARTS

_BEDROCK: Final = frozenset({"toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent"})
_CONTENT: Final = ("text", "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "image", "document")
_OTEL: Final = frozenset({"tool_call", "tool_call_response", "reasoning", "blob", "uri"})
_SDK: Final = frozenset({"reasoning", "file", "image"})
_ANTHROPIC: Final = ANTHROPIC_BLOCKS - {"image", "document"}
_NONE: Final = object()


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
    look = Look()
    for message in messages:
        look.add(message)
    return look.wire(hint, answer)


class Look:
    """What tells the wire of a list of messages, one after the other: so that of a list that goes on with another one only what it adds is
    looked at."""

    __slots__ = ("blocks", "called", "calling", "chat", "event", "items", "langchain", "named", "objects", "parted", "parts", "pydantic",
                 "replied", "roles", "told", "ui", "within")  # fmt: skip

    def __init__(self) -> None:
        self.objects = self.langchain = self.pydantic = self.parted = self.within = 0
        self.called = self.named = self.ui = self.items = self.calling = self.told = self.event = self.roles = self.chat = False
        self.replied = False
        self.parts = _Parts()
        self.blocks = _Blocks()

    def copy(self) -> Look:
        other = copy.copy(self)
        other.parts, other.blocks = copy.copy(self.parts), copy.copy(self.blocks)
        other.blocks.words = set(self.blocks.words)
        return other

    def add(self, message: Any) -> None:
        """The next message."""
        if not isinstance(message, dict):
            return
        role = message.get("role", _NONE)
        if role is _NONE or "lc" in message:
            self.langchain += word_of(message) is not None
        if role is not _NONE:
            self.roles = True
            self.named = self.named or "additional_kwargs" in message or _has_bare_calls(message)
            self.replied = self.replied or role == "tool" or role == "function"
            self.chat = self.chat or role == "system"
        if not self.items and self.objects < 500:
            self.items = bool(item_words([message]))
        self.objects += 1
        parts = message.get("parts")
        if isinstance(parts, list):
            self.pydantic += message.get("kind") in ("request", "response")
            self.parted += 1
            self.parts.add(parts)
        content = message.get("content")
        if isinstance(content, list):
            self.blocks.add(content)
        self.calling = self.calling or "tool_calls" in message or "tool_call_id" in message
        self.chat = self.chat or "tool_calls" in message or "function_call" in message
        self.ui = self.ui or "toolInvocations" in message
        self.called = self.called or "callId" in message or message.get("type") == "function_call_result"
        self.event = self.event or "event.name" in message or "gen_ai.system" in message
        self.within += isinstance(message.get("message"), dict)

    def wire(self, hint: str | None, answer: bool) -> str:
        """The word of the wire of all that was added."""
        count = self.objects
        if not count:
            return hint or ("said-assistant" if answer else "said-user")
        if self.langchain * 2 > count or self.named:
            return "langchain"
        if self.pydantic == count:
            return "pydantic"
        if 2 * self.parted > count:
            return self.parts.wire()
        if self.ui:
            return "ui-message"
        found = self.blocks.wire()
        if found is not None:
            return found
        if self.called:
            return "agents"
        if not self.calling and self.items:
            return "responses"
        if hint == "responses" and (self.calling or self.replied):
            return "chat"
        if self.event:
            return "event"
        if self.roles:
            return "chat" if (self.chat or self.replied) and hint in (None, "anthropic", "bedrock", "gemini") else hint or "chat"
        if self.within == count:
            return "event"
        return hint if hint in ("responses", "gemini", "bedrock") else "said-assistant" if answer else "said-user"


class _Parts:
    """The parts of messages that have some."""

    __slots__ = ("content", "otel", "ui", "worded")

    def __init__(self) -> None:
        self.worded = self.ui = self.otel = self.content = False

    def add(self, parts: list[Any]) -> None:
        for part in parts:
            if not isinstance(part, dict):
                continue
            self.content = self.content or "content" in part
            word = part.get("type")
            if isinstance(word, str):
                self.worded = True
                self.ui = self.ui or word in UI_PARTS or (word.startswith("tool-") and "-" in word) or word.startswith("data-")
                self.otel = self.otel or (word in _OTEL and "text" not in part)

    def wire(self) -> str:
        if not self.worded:
            return "gemini"
        if self.ui:
            return "ui-message"
        return "otel" if self.otel or self.content else "ui-message"


class _Blocks:
    """The blocks of contents that are lists."""

    __slots__ = ("bare", "bedrock", "count", "sdk", "source", "texts", "words")

    def __init__(self) -> None:
        self.words: set[str] = set()
        self.count = self.bare = self.texts = 0
        self.sdk = self.source = self.bedrock = False

    def add(self, content: list[Any]) -> None:
        for block in content:
            if not isinstance(block, dict):
                continue
            self.count += 1
            word = block.get("type", _NONE)
            if isinstance(word, str):
                self.words.add(word)
                self.sdk = self.sdk or (word in _SDK and _is_sdk_block(block))
            elif word is _NONE:
                self.bare += 1
                self.texts += "text" in block
                self.bedrock = self.bedrock or not _BEDROCK.isdisjoint(block)
            self.source = self.source or isinstance(block.get("source"), dict)

    def wire(self) -> str | None:
        """None where they do not tell."""
        words = self.words
        if words & MODEL_BLOCKS or self.sdk:
            return "model-message"
        if any(word in _ANTHROPIC or word.endswith("_tool_result") for word in words):
            return "anthropic"
        if {"image", "document"} & words and self.source:
            return "anthropic"
        if self.bare and (self.bedrock or (self.bare == self.count and self.texts == self.bare)):
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
