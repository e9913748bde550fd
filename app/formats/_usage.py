"""The usage of a logged call, in the words of whichever provider or framework wrote it down."""

from __future__ import annotations

from typing import Any

from app.formats._columns import Columns, tokens_of

_INPUT = ("prompt_tokens", "input_tokens", "inputTokens", "promptTokens", "promptTokenCount", "prompt_token_count", "input",
          "gen_ai.usage.input_tokens", "llm.token_count.prompt", "prompt_eval_count")  # fmt: skip
_OUTPUT = ("completion_tokens", "output_tokens", "outputTokens", "completionTokens", "candidatesTokenCount", "candidates_token_count",
           "output", "gen_ai.usage.output_tokens", "llm.token_count.completion", "eval_count")  # fmt: skip
_READ = ("cache_read_input_tokens", "cacheReadInputTokens", "cachedContentTokenCount", "cached_content_token_count", "cached_tokens",
         "cachedInputTokens", "prompt_cached_tokens", "cache_read", "input_cached_tokens", "gen_ai.usage.cache_read.input_tokens",
         "llm.token_count.prompt_details.cache_read")  # fmt: skip
_WRITTEN = ("cache_creation_input_tokens", "cacheWriteInputTokens", "prompt_cache_creation_tokens", "cache_creation",
            "gen_ai.usage.cache_creation.input_tokens", "llm.token_count.prompt_details.cache_write")  # fmt: skip
_BESIDE = ("cache_read_input_tokens", "cacheReadInputTokens")
"""Where these stand, what was read from a cache is not among the input (Anthropic, Bedrock)."""


def add_usage(columns: Columns, message: int, usage: dict[str, Any]) -> None:
    """Notes the usage of a call with the message that came back; nothing where it tells no figure."""
    total, output = tokens_of(usage, *_INPUT), tokens_of(usage, *_OUTPUT)
    read, written = tokens_of(usage, *_READ), tokens_of(usage, *_WRITTEN)
    for key in ("prompt_tokens_details", "input_tokens_details", "input_token_details", "inputTokenDetails"):
        details = usage.get(key)
        if isinstance(details, dict) and not read:
            read = tokens_of(details, "cached_tokens", "cache_read", "cacheReadTokens")
    if not (total or output or read or written):
        return
    if any(key in usage for key in _BESIDE) and "prompt_tokens" not in usage:
        columns.usage(message, fresh=total, cache_read=read, cache_write=written, output=output)
        return
    read = min(read, total)
    written = min(written, total - read)
    columns.usage(message, fresh=total - read - written, cache_read=read, cache_write=written, output=output)
