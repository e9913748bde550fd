"""AWS Bedrock, Converse.

Two layers answer: Converse's own checks, then those of the model's family ("The model returned the following errors: ..." carries
Anthropic's texts). For the results nothing is joined: all of them stand in the one message behind the calls (anomalyco/opencode#41780 of
2026-08-11: split 400, merged 200), whatever Converse does with other neighbours of one role. Places count on the list as it was sent. What
depends on the family (pydantic/pydantic-ai, providers/bedrock.py and its recorded requests) is judged where the model's id tells it.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.model.provider import Overhead, Provider
from app.providers._models import bedrock_binds, bedrock_family, refuses_prefill
from app.providers.anthropic import image_tokens

_MISSING = "Expected toolResult blocks at {answer}.content for the following Ids: {ids}"
_EXCEEDS = "The number of toolResult blocks at {message}.content exceeds the number of toolUse blocks of previous turn."
_BLANK = "The text field in the ContentBlock object at {at} is blank. Add text to the text field, and try again."
_EMPTY = "The content field in the Message object at {message} is empty. Add a ContentBlock object to the content field and try again."
_START = "A conversation must start with a user message. Try again with a conversation that starts with a user message."
_FAMILY = "The model returned the following errors: "
_NEEDS = "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
_VALUE = "Value at '{at}.{member}' failed to satisfy constraint: Member must satisfy regular expression pattern: "

WORDS = {
    "tool-call-unanswered": _MISSING,
    "tool-call-unanswered/server": _MISSING,
    "tool-call-partially-answered": _MISSING,
    "tool-call-trailing": _MISSING,
    "tool-call-id-duplicate": "The toolUse blocks at {message}.content contain duplicate Ids: {id}",
    "tool-results-split-across-messages": _MISSING,
    "tool-result-not-adjacent": _MISSING,
    "tool-result-not-first": _FAMILY
    + "{answer}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. "
    + _NEEDS,
    "tool-result-orphan": _EXCEEDS,
    "tool-result-duplicate": "The toolResult blocks at {message}.content contain duplicate Ids: {id}",
    "tool-result-duplicate/later": _EXCEEDS,
    "tool-result-id-missing": 'Parameter validation failed: Missing required parameter in {at}.toolResult: "toolUseId"',
    "tool-result-id-missing/empty": _VALUE.format(at="{at}", member="toolResult.toolUseId") + "[a-zA-Z0-9_.:-]+",
    "tool-result-colocated-content": "{message}.content: Conversation blocks and tool result blocks cannot be provided in the same turn.",
    "tool-result-colocated-content/call": "{message}.content: Conversation blocks and tool use blocks cannot be provided in the same turn.",
    "tool-result-error-empty": "The content field at {at}.toolResult cannot be empty when status value is error.",
    "tool-result-error-non-text": _FAMILY + "{at}.tool_result: all content must be type `text` if `is_error` is true",
    "tool-result-not-object": "The format of the value at {at}.toolResult.content.{part}.json is invalid. Provide a json object for the "
    "field and try again.",
    "tool-result-status-unsupported": "This model doesn't support the status field. Remove status and try again.",
    "tool-blocks-without-tools": "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
    "tool-args-invalid": "The format of the value at {at}.toolUse.input is invalid. Provide a json object for the field and try again.",
    "tool-name-format": _VALUE.format(at="{at}", member="toolUse.name") + "[a-zA-Z0-9_-]+",
    "tool-name-format/empty": "Value '' at '{at}.toolUse.name' failed to satisfy constraint: Member must have length greater than or equal "
    "to 1",
    "id-format": _VALUE.format(at="{at}", member="toolUse.toolUseId") + "[a-zA-Z0-9_.:-]+",
    "id-format/result": _VALUE.format(at="{at}", member="toolResult.toolUseId") + "[a-zA-Z0-9_.:-]+",
    "id-format/absent": 'Parameter validation failed: Missing required parameter in {at}.toolUse: "toolUseId"',
    "text-empty": _BLANK,
    "text-empty/blank": _FAMILY + "messages: text content blocks must contain non-whitespace text",
    "text-empty/result": _FAMILY + "messages: text content blocks must be non-empty",
    "message-content-empty-user": _EMPTY,
    "message-content-empty-assistant": _EMPTY,
    "messages-empty": _START,
    "first-message-not-user": _START,
    "role-alternation": "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between "
    "user and assistant roles and try again.",
    "block-role-mismatch/result": _FAMILY + "{message}: `tool_result` blocks can only be in `user` messages",
    "block-role-mismatch/call": _FAMILY + "{message}: `tool_use` blocks can only be in `assistant` messages",
    "media-unsupported": "This model doesn't support the {type} content block that you provided. Update the content block and try again.",
    "media-unsupported/result": _FAMILY + "Malformed input request: #/{path}: extraneous key [toolResult] is not permitted, please "
    "reformat your input and try again.",
    "media-unsupported/remote": "This model doesn't support the s3Uri field. Remove s3Uri and try again.",
    "prefill-unsupported": "This model does not support assistant message prefill. The conversation must end with a user message.",
    "prefill-trailing-whitespace": _FAMILY + "messages: final assistant content cannot end with trailing whitespace",
    "reasoning-missing": _FAMILY + "{at}.type: Expected `thinking` or `redacted_thinking`, but found `{type}`. When `thinking` is enabled, "
    "a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).",
    "reasoning-modified": _FAMILY + "{at}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. "
    "These blocks must remain as they were in the original response.",
    "reasoning-signature-missing": _FAMILY + "{at}: Invalid `signature` in `thinking` block",
    "reasoning-last-block": _FAMILY + "{message}: The final block in an assistant message cannot be `thinking`.",
    "body-not-json": "The request body is not valid JSON",
    "text-lone-surrogate": "The request body is not valid JSON",
}

JUDGES = frozenset({
    "block-role-mismatch", "body-not-json", "first-message-not-user", "id-format", "media-unsupported", "message-content-empty-assistant",
    "message-content-empty-user", "messages-empty", "prefill-trailing-whitespace", "prefill-unsupported", "reasoning-last-block",
    "reasoning-missing", "reasoning-modified", "reasoning-signature-missing", "role-alternation", "text-empty", "text-lone-surrogate",
    "tool-args-invalid", "tool-blocks-without-tools", "tool-call-id-duplicate", "tool-call-partially-answered", "tool-call-trailing",
    "tool-call-unanswered", "tool-name-format", "tool-result-colocated-content", "tool-result-duplicate", "tool-result-error-empty",
    "tool-result-error-non-text", "tool-result-id-missing", "tool-result-not-adjacent", "tool-result-not-first", "tool-result-not-object",
    "tool-result-orphan", "tool-result-status-unsupported", "tool-results-split-across-messages",
})  # fmt: skip

_CLAUDE = frozenset({"claude"})
ONLY_FOR = {
    "first-message-not-user": frozenset({"nova", "llama", "mistral", "cohere", "ai21", "writer"}),
    "tool-result-status-unsupported": frozenset({"writer"}),
    **dict.fromkeys(
        (
            "prefill-trailing-whitespace", "prefill-unsupported", "reasoning-last-block", "reasoning-missing", "reasoning-modified",
            "reasoning-signature-missing", "tool-result-error-non-text", "tool-result-not-first",
        ),
        _CLAUDE,
    ),
}  # fmt: skip

PROVIDER = Provider(
    name="bedrock",
    title="Bedrock",
    summary="AWS Bedrock Converse: wants all results in the one message behind the calls; more by the model's family",
    pairing="next-message",
    joins=frozenset(),
    answers=Role.USER,
    overhead=Overhead(
        message=3,
        name=0,
        call=3,
        sources={
            "message": "borrowed from OpenAI's cookbook on counting with tiktoken; AWS publishes none: an estimate",
            "call": "ours: an estimate",
            "image": "as Claude takes it (Anthropic's documentation on vision: width x height / 750, at most 1,600); other families differ",
        },
    ),
    image_tokens=image_tokens,
    words=WORDS,
    judges=JUDGES,
    not_judged=(
        "what depends on the model's family is judged only where the model's id tells it",
        "signatures of reasoning can't be checked offline",
        "sizes of images and documents and limits of the whole request are not judged",
    ),
    refuses_prefill=refuses_prefill,
    id_max=64,
    id_alphabet="dotted",
    id_prefix="tooluse_",
    places={"message": "messages.{message}", "block": "messages.{message}.content.{block}", "call": "messages.{message}.content.{block}"},
    arguments="object",
    name_pattern=r"[a-zA-Z0-9_-]{1,64}",
    family=bedrock_family,
    only_for=ONLY_FOR,
    severities={"text-empty/blank": "warning", "first-message-not-user": "error", "message-content-empty-assistant": "error"},
    strict=frozenset({"message-content-empty-assistant/last", "tool-args-invalid/empty-key"}),
    binds=bedrock_binds,
)
