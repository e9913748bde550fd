"""DeepSeek: its own chat endpoint, and the two that are compatible with other vendors' wires.

Chat is OpenAI's wire with one thing of its own: in thinking mode the `reasoning_content` of a message that calls must be sent back. The
endpoint of Anthropic's wire checks pairs as Anthropic does (text-index id 54559488857; QwenLM/qwen-code PR #8163: a duplicate is refused,
and taken once it is gone). The one of OpenAI's Responses is stricter than OpenAI's: the calls of a turn stand side by side, then their
outputs (pydantic/pydantic-ai@4fda389, recorded: `test_deepseek_responses_rejects_interleaved_function_calls` = 400, which OpenAI takes).
Which wire a dump is in decides: `on` has one provider for each.
"""

from __future__ import annotations

from dataclasses import replace

from app.model.provider import Overhead, Provider
from app.providers import anthropic, openai_chat, openai_responses
from app.providers._models import deepseek_family

_MISSING = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
    "(insufficient tool messages following tool_calls message)"
)
_ORPHAN = "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
_THINKING = "The `reasoning_content` in the thinking mode must be passed back to the API."

WORDS = {
    **{name: openai_chat.WORDS[name] for name in (
        "assistant-empty", "content-type-invalid", "content-type-invalid/null", "image-in-tool-result", "tool-args-invalid",
        "tool-calls-empty-array", "tool-name-format", "tool-name-format/empty", "tool-result-content-type",
        "tool-result-id-missing", "tool-result-id-missing/empty",
    )},
    "tool-call-unanswered": _MISSING,
    "tool-call-partially-answered": _MISSING,
    "tool-call-trailing": _MISSING,
    "tool-result-not-adjacent": _MISSING,
    "tool-result-orphan": _ORPHAN,
    "tool-result-id-mismatch": _ORPHAN,
    "tool-result-duplicate": _ORPHAN,
    "reasoning-missing": "Missing `reasoning_content` field in the assistant message at message index {index}. For more information, "
    "please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls",
    "reasoning-missing/passed": _THINKING,
    "body-not-json": "Failed to parse the request body as JSON",
    "text-lone-surrogate": "Failed to parse the request body as JSON",
    "messages-empty": "Empty input messages",
}  # fmt: skip

JUDGES = frozenset({
    "assistant-empty", "block-role-mismatch", "body-not-json", "content-type-invalid", "image-in-tool-result", "messages-empty",
    "reasoning-missing", "text-lone-surrogate", "tool-args-invalid", "tool-call-id-duplicate", "tool-call-partially-answered",
    "tool-call-trailing", "tool-call-unanswered", "tool-calls-empty-array", "tool-name-format", "tool-result-content-type",
    "tool-result-duplicate", "tool-result-id-mismatch", "tool-result-id-missing", "tool-result-not-adjacent", "tool-result-orphan",
})  # fmt: skip

_OVERHEAD = Overhead(
    message=3,
    name=1,
    call=3,
    sources={
        "message": "borrowed from OpenAI's cookbook on counting with tiktoken; DeepSeek publishes none: an estimate",
        "name": "borrowed from OpenAI's cookbook on counting with tiktoken",
        "call": "ours: an estimate",
        "image": "its models take no images: 1,600 each, an estimate",
    },
)
_NOT_JUDGED = (
    "whether thinking is on is taken from the request, the model's name, or reasoning in the dump",
    "limits of the whole request, audio and files are not judged",
)


def image_tokens(width: int | None, height: int | None) -> int:
    """DeepSeek's chat models take no images; what is not known costs 1,600."""
    return 1600


_PAIRS = frozenset({
    "block-role-mismatch", "body-not-json", "messages-empty", "text-lone-surrogate", "tool-args-invalid", "tool-call-id-duplicate",
    "tool-call-partially-answered", "tool-call-trailing", "tool-call-unanswered", "tool-result-duplicate", "tool-result-id-missing",
    "tool-result-not-adjacent", "tool-result-not-first", "tool-result-orphan",
})  # fmt: skip

ANTHROPIC = replace(
    anthropic.PROVIDER,
    name="deepseek",
    title="DeepSeek",
    overhead=_OVERHEAD,
    image_tokens=image_tokens,
    judges=_PAIRS,
    not_judged=("only pairs and roles are judged on this endpoint: nothing else is known of it", *_NOT_JUDGED),
    refuses_prefill=lambda model: False,
    id_alphabet="any",
    id_prefix="call_",
    name_pattern=None,
    wires=frozenset({"anthropic"}),
    binds=lambda model: "",
)

_OPEN = "No tool output found for tool call {ids}."

RESPONSES = replace(
    openai_responses.PROVIDER,
    name="deepseek",
    title="DeepSeek",
    pairing="contiguous-run",
    overhead=_OVERHEAD,
    image_tokens=image_tokens,
    words={
        **dict.fromkeys(
            ("tool-call-unanswered", "tool-call-partially-answered", "tool-call-trailing", "tool-result-not-adjacent"), _OPEN
        ),
        "tool-result-orphan": openai_responses.WORDS["tool-result-orphan"],
        "reasoning-missing": "The `reasoning_text` in the thinking mode must be passed back to the API.",
        "body-not-json": WORDS["body-not-json"],
    },
    judges=frozenset({
        "block-role-mismatch", "body-not-json", "reasoning-missing", "text-lone-surrogate", "tool-args-invalid", "tool-call-id-duplicate",
        "tool-call-partially-answered", "tool-call-trailing", "tool-call-unanswered", "tool-result-duplicate", "tool-result-id-mismatch",
        "tool-result-id-missing", "tool-result-not-adjacent", "tool-result-orphan",
    }),
    not_judged=("only pairs, roles and reasoning are judged on this endpoint: nothing else is known of it", *_NOT_JUDGED),
    id_max=None,
    calls_alone=True,
    family=deepseek_family,
    wires=frozenset({"openai-responses"}),
    binds=lambda model: "",
    severities={"reasoning-missing": "warning", "tool-call-id-duplicate": "warning", "tool-result-duplicate": "warning"},
    strict=frozenset({"reasoning-missing/item"}),
)  # fmt: skip

PROVIDER: Provider = replace(
    openai_chat.PROVIDER,
    name="deepseek",
    title="DeepSeek",
    summary="DeepSeek: OpenAI's chat wire, with the reasoning of calls sent back; its endpoints of other wires by the dump's",
    overhead=_OVERHEAD,
    image_tokens=image_tokens,
    words=WORDS,
    judges=JUDGES,
    not_judged=_NOT_JUDGED,
    id_max=None,
    wires=frozenset({"openai-chat", "mistral"}),
    family=deepseek_family,
    on={"anthropic": ANTHROPIC, "openai-responses": RESPONSES},
    severities={"assistant-empty": "warning", "content-type-invalid": "warning", "tool-call-id-duplicate": "warning"},
    strict=frozenset({"reasoning-missing/message"}),
)
