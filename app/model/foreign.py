"""Members that belong to another dialect than Anthropic's Messages wire, by where they stand. Not every member that a list lacks: betas
add some, and what a beta header allows can't be seen in a dump.

Sources: a live probe of 2026-09-10 ("Extra inputs are not permitted"); BerriAI/litellm#23510 (`tool_calls` beside blocks);
ErlichLiu/DeepClaude#79 (`messages.0.id`); langchain-ai/langchain#40483, #39100 (`id` of a text), #31208 (`index`);
anthropics/claude-code#4378 (`text` of a call); amrit110/oli#7 (`response_format`); Aider-AI/aider#3367, #4404 (`extra_body`).
"""

from __future__ import annotations

from typing import Final

FOREIGN_KEYS: Final = frozenset({"tool_calls", "tool_call_id", "function_call", "reasoning_content", "refusal", "parsed_output"})
"""In a message and in a block."""

MESSAGE_KEYS: Final = FOREIGN_KEYS | {"id"}
"""In a message of a request: its `id` is of another SDK, or of an answer that was put into the list whole."""

BLOCK_KEYS: Final = FOREIGN_KEYS | {"index"}
"""In a block: an `index` is left of a stream."""

TEXT_KEYS: Final = BLOCK_KEYS | {"id"}
"""In a text."""

CALL_KEYS: Final = BLOCK_KEYS | {"text"}
"""In a call."""

REQUEST_KEYS: Final = frozenset({
    "response_format", "extra_body", "functions", "function_call", "frequency_penalty", "presence_penalty", "logit_bias", "logprobs",
    "top_logprobs", "stream_options", "parallel_tool_calls", "max_completion_tokens", "reasoning_effort",
})  # fmt: skip
"""In a request, beside its messages."""


def foreign_keys(word: str) -> frozenset[str]:
    """Those of a block of a type."""
    if word == "text":
        return TEXT_KEYS
    return CALL_KEYS if word.endswith("tool_use") else BLOCK_KEYS
