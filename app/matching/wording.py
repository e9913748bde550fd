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
    "encrypted-reasoning-unverifiable": "encrypted reasoning of another key, organisation or model",
    "no-user-message": "no message of the user at all",
    "previous-response-not-found": "the earlier response that the request builds on is gone",
    "provider-error-wrapped": "the error of another provider, wrapped; its own words stand inside",
    "role-alternation-after-system": "roles that do not take turns behind the system message",
    "system-not-first": "a system message that is not the first",
}  # fmt: skip


def meaning(rule: str) -> str:
    """What a rule means that is not judged here under this name; "" where nothing is known of it."""
    return MEANINGS.get(rule, "")
