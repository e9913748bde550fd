"""All wordings in one table, what the hosts are called, and what a rule means that no module of app/rules bears the name of."""

from __future__ import annotations

from typing import Final

from app.matching import _anthropic, _bedrock, _google, _hosts, _mistral, _openai, _programs
from app.matching._wording import Wording

__all__ = ["MEANINGS", "TITLES", "WORDINGS", "Wording", "meaning"]

WORDINGS: Final[tuple[Wording, ...]] = tuple(
    wording
    for module in (_anthropic, _openai, _google, _bedrock, _mistral, _hosts, _programs)
    for wording in module.WORDINGS
)  # fmt: skip

# Whose words they are; those that judge have a title of their own in app/providers.
TITLES: Final = {
    "anthropic": "Anthropic", "openai-chat": "OpenAI Chat", "openai-responses": "OpenAI Responses", "gemini": "Gemini",
    "bedrock": "Bedrock", "mistral": "Mistral", "deepseek": "DeepSeek", "cohere": "Cohere", "qwen": "Qwen", "moonshot": "Moonshot",
    "minimax": "MiniMax", "groq": "Groq", "xai": "xAI", "openrouter": "OpenRouter", "local": "a local chat template",
    "claude-code": "Claude Code", "vercel-ai": "the AI SDK",
}  # fmt: skip

# One line for each rule that may be named by an error text and is not judged under this name: needs the live API or what a dump does not
# hold, is taken by now, or belongs to a host that is not judged.
MEANINGS: Final = {
    "assistant-double-trailing": "two messages of the assistant at the end",
    "cache-ttl-order": "a cache mark of one hour behind one of five minutes",
    "caller-field-dropped": "a nested call that lost the field `caller`",
    "container-missing": "a call made by code execution, and no container named in the request",
    "container-unexpected": "a container named in the request without the code execution tool",
    "content-part-role-mismatch": "a content part of the wrong direction for its role",
    "content-part-unsupported": "a content part that this model does not take",
    "context-edit-needs-thinking": "a context edit that clears thinking, with thinking off",
    "encrypted-reasoning-unverifiable": "encrypted reasoning of another key, organisation or model",
    "image-too-large": "an image of more bytes than are taken",
    "image-too-many-pixels": "an image with too many pixels for a request of many images",
    "item-id-duplicate": "two input items with one id",
    "item-not-persisted": "an item id that the server does not keep, with store set to false",
    "item-type-unknown": "an input item of an unknown type",
    "last-message-not-user": "the last message is the assistant's",
    "media-unsupported": "a kind of media that this model does not take",
    "message-content-empty": "a message without any content",
    "no-user-message": "no message of the user at all",
    "part-empty-object": "a part without any data",
    "previous-response-not-found": "the earlier response that the request builds on is gone",
    "provider-error-wrapped": "the error of another provider, wrapped; its own words stand inside",
    "reasoning-empty": "a reasoning block without any reasoning",
    "reasoning-not-first": "reasoning that does not stand first in its message",
    "reasoning-unpaired": "a reasoning item without the item that followed it, or the other way round",
    "reasoning-while-disabled": "reasoning in the last message, with thinking off",
    "role-alternation": "two messages of one role in a row",
    "role-alternation-after-system": "roles that do not take turns behind the system message",
    "role-invalid": "a role that the provider does not know",
    "role-order": "a role that may not follow the one before it",
    "server-tool-not-declared": "a call of the provider's own tool, and the tool not declared in the request",
    "system-not-first": "a system message that is not the first",
    "system-role-unsupported": "a model that takes no system message",
    "thought-signature-corrupt": "a thought signature that was altered or is another provider's",
    "tool-blocks-without-tools": "calls or results, and no tools declared in the request",
    "tool-call-turn-order": "a call that does not follow a user's turn or a result",
    "tool-names-not-unique": "two tools with one name",
    "tool-output-type-invalid": "an output that is neither a string nor a list",
    "tool-reference-unknown": "a reference to a tool that is not declared",
    "tool-result-colocated-content": "a result that shares its message with other content",
    "tool-result-count-mismatch": "more or fewer results than calls",
    "tool-result-error-empty": "a result marked as an error, and nothing in it",
    "tool-result-name-missing": "a result without the name of its tool",
    "tool-result-not-object": "a result that is no JSON object",
    "tool-result-turn-order": "a result that does not follow directly on its call",
    "tool-results-split-across-messages": "results of one batch in several messages",
    "tools-all-deferred": "all tools deferred, and none to begin with",
    "unknown-field": "a field that the provider does not know",
    "user-after-tool": "a message of the user directly behind a result",
}  # fmt: skip


def meaning(rule: str) -> str:
    """What a rule means that is not judged here under this name; "" where nothing is known of it."""
    return MEANINGS.get(rule, "")
