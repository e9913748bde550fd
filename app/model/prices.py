"""What a request's tokens cost beside fresh input, by model; and how large a model's window is, where its vendor says so.

Ratios, never money. Sources (2026): Anthropic, prompt caching: a write of 5 minutes 1.25 times fresh input, a read 0.1 times; output 5
times (docs.claude.com, prompt caching and pricing). OpenAI writes without a fee; a read is 0.5 times fresh input for gpt-4o and the o
models before o3, 0.25 times for gpt-4.1, o3 and o4, 0.1 times for gpt-5 (openai.com/api/pricing); gpt-5.6 writes at 1.25. Gemini 0.1,
xAI 0.16 (both by LiteLLM's price table). Windows: platform.claude.com (models overview), platform.openai.com (models),
ai.google.dev (gemini-2.5-pro: 1,048,576).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True)
class Prices:
    """Of one token, as a ratio of a token of fresh input. `write`: one that goes into the cache; `read`: one that is read from it;
    `output`: one that the model writes. `source`: where that is known from, in words."""

    read: float = 0.1
    write: float = 1.25
    output: float = 5.0
    source: str = "Anthropic, prompt caching of 5 minutes"

    def with_(self, read: float | None = None, write: float | None = None) -> Prices:
        """With what a person set."""
        if read is None and write is None:
            return self
        return replace(self, read=self.read if read is None else read, write=self.write if write is None else write, source="set by you")


_ANTHROPIC: Final = Prices()
_MODELS: Final[tuple[tuple[str, Prices], ...]] = (
    (r"claude|anthropic", _ANTHROPIC),
    (r"gpt-5\.[6-9]", Prices(0.1, 1.25, 8.0, "OpenAI, gpt-5.6")),
    (r"gpt-5|codex", Prices(0.1, 1.0, 8.0, "OpenAI, gpt-5")),
    (r"gpt-4\.1|\bo3(?!-mini)|\bo4", Prices(0.25, 1.0, 4.0, "OpenAI, gpt-4.1")),
    (r"gpt-4o|\bo1|\bo3-mini", Prices(0.5, 1.0, 4.0, "OpenAI, gpt-4o")),
    (r"gemini", Prices(0.1, 1.0, 8.0, "Gemini, implicit caching")),
    (r"grok", Prices(0.16, 1.0, 5.0, "xAI, by LiteLLM's price table")),
)
_PROVIDERS: Final = {
    "anthropic": _ANTHROPIC, "bedrock": replace(_ANTHROPIC, source="Anthropic on Bedrock, prompt caching of 5 minutes"),
    "openai-chat": Prices(0.5, 1.0, 4.0, "OpenAI, gpt-4o"), "openai-responses": Prices(0.1, 1.0, 8.0, "OpenAI, gpt-5"),
    "gemini": Prices(0.1, 1.0, 8.0, "Gemini, implicit caching"),
}  # fmt: skip

_WINDOWS: Final[tuple[tuple[str, int], ...]] = (
    (r"claude.*(opus-4-[6-9]|sonnet-4-[6-9]|sonnet-5|opus-5)", 1_000_000),
    (r"claude", 200_000),
    (r"gpt-4\.1", 1_047_576),
    (r"gpt-4o|gpt-4-turbo", 128_000),
    (r"gpt-5", 400_000),
    (r"\bo[134]\b|\bo[134]-", 200_000),
    (r"gemini-(1\.5|2|3)", 1_048_576),
)


def prices_of(provider: str, model: str | None) -> Prices:
    """By the model's name, else by whose rules judge; Anthropic's where neither is known."""
    for pattern, prices in _MODELS:
        if model and re.search(pattern, model.lower()):
            return prices
    return _PROVIDERS.get(provider, _ANTHROPIC)


def window_of(model: str | None) -> int | None:
    """Tokens of a model's window; None where its name does not tell."""
    for pattern, window in _WINDOWS:
        if model and re.search(pattern, model.lower()):
            return window
    return None
