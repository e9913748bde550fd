"""Which providers of the evidence are which of ours, and which of its rows are no rule here, with the reason.

The evidence numbers providers finer than the product: DeepSeek has one name for each of its endpoints, and here the wire of a dump says
which one is meant. Hosts that copy OpenAI's rules with other words, and templates of local servers, serve the matching of error texts
only. A row that stands neither among the rules that its provider judges by nor here is one that was forgotten; a test looks for such.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Served(NamedTuple):
    """A provider of ours, and the one whose wire the dump is in where it depends on that; "" for its own."""

    provider: str
    wire: str = ""


SERVED: Final = {
    "anthropic": Served("anthropic"),
    "openai-chat": Served("openai-chat"),
    "openai-responses": Served("openai-responses"),
    "gemini": Served("gemini"),
    "bedrock": Served("bedrock"),
    "mistral": Served("mistral"),
    "deepseek-chat": Served("deepseek"),
    "deepseek-responses": Served("deepseek", "openai-responses"),
    "deepseek-anthropic": Served("deepseek", "anthropic"),
}
"""By the name that the evidence uses."""

MATCHED_ONLY: Final = {
    "cohere-v2": "a host of OpenAI's wire: its words are matched, judge for openai-chat",
    "qwen-dashscope": "a host of OpenAI's wire: its words are matched, judge for openai-chat",
    "moonshot": "a host of OpenAI's wire: its words are matched, judge for openai-chat",
    "minimax": "a host of OpenAI's wire: its words are matched, judge for openai-chat",
    "groq": "a host of OpenAI's wire: its words are matched, judge for openai-chat",
    "xai": "a host of OpenAI's wire: its words are matched, judge for openai-chat",
    "openrouter": "passes on what another provider said: judge for that one",
    "local-chat-template": "the template that a server was started with decides, and no dump holds it",
}
"""Providers whose rows are no rules, each with what serves them instead."""

NO_RULE: Final[dict[str, dict[str, str]]] = {
    "anthropic": {
        "fallback-block-dropped": "only the answer tells that a `fallback` block stood there; what is seen without it, two runs of "
        "thinking side by side, is `reasoning-modified`",
    },
    "openai-responses": {
        "previous-response-not-found": "whether the server still keeps an earlier response is not in a dump",
        "encrypted-reasoning-unverifiable": "which key, organisation or model can read the ciphertext only the server knows",
    },
    "gemini": {
        "tool-call-partially-answered": "only numbers count: another name of `tool-result-count-mismatch`, where too few results stand",
        "tool-result-duplicate": "only numbers count: another name of `tool-result-count-mismatch`, where too many stand",
        "tool-result-orphan": "another name of `tool-result-turn-order`",
    },
    "mistral": {
        "tool-result-count-mismatch": "every result has an id here: too few are `tool-call-partially-answered`, and one too many is "
        "`tool-result-orphan` or `tool-result-duplicate`",
    },
    "bedrock": {
        "tool-result-count-mismatch": "every result has an id here: `tool-result-orphan` and `tool-result-duplicate` name the one that is "
        "too many",
    },
}
"""Rows that are no rule, by the name of the provider in the evidence and the row's own, each with the reason."""


def reason(provider: str, rule: str) -> str | None:
    """Why a row of the evidence is no rule here; None where it is one, or was forgotten."""
    return MATCHED_ONLY.get(provider) or NO_RULE.get(provider, {}).get(rule)
