"""Anthropic Messages.

Neighbouring messages of one role are joined into one turn before anything is paired: the SDK's own words ("consecutive `user` or
`assistant` turns in your request will be combined", anthropics/anthropic-sdk-typescript@bfa9197) and recorded requests with status 200
(pydantic/pydantic-ai@4fda389). The results must be the leading run of the joined user turn. `messages.N.content.M` of an error counts
on the joined list (sipeed/picoclaw#1792; medium confidence).
"""

from __future__ import annotations

from math import ceil

from app.model.kinds import Role
from app.model.provider import Overhead, Provider
from app.providers._models import claude_binds, refuses_prefill

_NEEDS = "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
_MISSING = "{answer}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. " + _NEEDS
_PREFILL = "This model does not support assistant message prefill. The conversation must end with a user message."
_POSITION = "; the directive-only form (content: [] with output_config) is accepted at any position"

WORDS = {
    "tool-call-unanswered": _MISSING,
    "tool-call-unanswered/server": "{turn}: `{name}` tool use with id `{id}` was found without a corresponding `{name}_tool_result` block",
    "tool-call-partially-answered": _MISSING,
    "tool-call-trailing": _MISSING,
    "tool-call-id-duplicate": "{at}: `tool_use` ids must be unique",
    "tool-result-orphan": "{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a "
    "corresponding `tool_use` block in the previous message.",
    "tool-result-orphan/server": "{at}: unexpected `tool_use_id` found in `{type}` blocks: {id}. Each `{type}` block must have a "
    "corresponding `server_tool_use` block before it.",
    "tool-result-id-missing": "{at}.tool_result.tool_use_id: Field required",
    "tool-result-id-missing/empty": "{at}.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    "tool-result-duplicate": "{at}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}",
    "tool-result-not-first": _MISSING,
    "tool-result-not-adjacent": _MISSING,
    "block-role-mismatch/result": "{turn}: `tool_result` blocks can only be in `user` messages",
    "block-role-mismatch/call": "{turn}: `tool_use` blocks can only be in `assistant` messages",
    "content-after-tool-call": _MISSING,
    "text-after-tool-result-with-open-server-tool": "`{name}` tool use with id `{id}` was found without a corresponding "
    "`{name}_tool_result` block",
    "id-format": "{at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    "id-format/result": "{at}.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    "id-format/absent": "{at}.tool_use.id: Field required",
    "tool-name-format": "{at}.tool_use.name: String should have at most 200 characters",
    "tool-name-format/empty": "{at}.tool_use.name: String should have at least 1 character",
    "tool-args-invalid": "{at}.tool_use.input: Input should be a valid dictionary",
    "first-message-not-user": 'messages: first message must use the "user" role',
    "body-not-json": "The request body is not valid JSON",
    "messages-empty": "messages: at least one message is required",
    "text-empty": "messages: text content blocks must be non-empty",
    "text-empty/blank": "messages: text content blocks must contain non-whitespace text",
    "message-content-empty-user": "user messages must have non-empty content",
    "message-content-empty-assistant": "{turn}: all messages must have non-empty content except for the optional final assistant message",
    "system-message-first": "messages.0: use the top-level 'system' parameter for the initial system prompt",
    "system-message-position": "{turn}: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result"
    + _POSITION,
    "system-message-position-next": "{turn}: role 'system' must precede an 'assistant' message or end the array" + _POSITION,
    "prefill-unsupported": _PREFILL,
    "prefill-trailing-whitespace": "messages: final assistant content cannot end with trailing whitespace",
    "reasoning-missing": "{at}.type: Expected `thinking` or `redacted_thinking`, but found `{type}`. When `thinking` is enabled, a final "
    "`assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).",
    "reasoning-modified": "{at}: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These "
    "blocks must remain as they were in the original response.",
    "reasoning-signature-missing": "{at}: Invalid `signature` in `thinking` block",
    "reasoning-last-block": "{turn}: The final block in an assistant message cannot be `thinking`.",
    "cache-breakpoints-too-many": "A maximum of 4 blocks with cache_control may be provided. Found {count}.",
    "cache-on-empty-text": "{at}.text: cache_control cannot be set for empty text blocks",
    "cache-on-thinking": "{at}.{type}.cache_control: Extra inputs are not permitted",
    "cache-ttl-order": "{at}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note "
    "that blocks are processed in the following order: `tools`, `system`, `messages`.",
    "caller-field-dropped": "`{name}` tool use with id {code} was found without a corresponding `{name}_tool_result` block",
    "container-missing": "container_id is required when there are pending tool uses generated by code execution with tools.",
    "container-unexpected": "Container identifier can only be provided when using the code execution tool",
    "context-edit-needs-thinking": "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive",
    "context-edit-needs-thinking/order": "",
    "image-too-large": "{at}.image.source.base64: image exceeds 5 MB maximum: {length} bytes > 5242880 bytes",
    "image-too-many-pixels": "{at}.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image "
    "requests: 2000 pixels",
    "image-too-many-pixels/huge": "{at}.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 "
    "pixels",
    "reasoning-empty": "{at}: each thinking block must contain thinking",
    "reasoning-not-first": "{first}: If an assistant message contains any thinking blocks, the first block must be `thinking` or "
    "`redacted_thinking`. Found `{type}`.",
    "reasoning-while-disabled": "{at}: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. "
    "To use thinking blocks, enable `thinking` in your request.",
    "role-invalid": 'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant".',
    "role-invalid/absent": "{turn}.role: Field required",
    "role-invalid/element": "",
    "server-tool-not-declared": "...but no `{name}` tool was provided",
    "tool-names-not-unique": "tools: Tool names must be unique.",
    "tool-reference-unknown": "Tool reference '{name}' not found in available tools",
    "tools-all-deferred": "At least one tool must have defer_loading=false. All tools cannot be deferred.",
    "unknown-field": "{at}.{type}.{key}: Extra inputs are not permitted",
    "unknown-field/message": "{turn}.{key}: Extra inputs are not permitted",
    "unknown-field/request": "{key}: Extra inputs are not permitted",
    "tool-result-error-non-text": "{at}.tool_result: all content must be type `text` if `is_error` is true",
    "block-type-unknown": "{at}: Input tag '{type}' found using 'type' does not match any of the expected tags",
    "block-type-unknown/absent": "{at}.type: Field required",
    "block-type-unknown/text": "{at}.{type}.{type}: Field required",
    "block-type-unknown/element": "{at}: Input should be an object",
    "text-lone-surrogate": "The request body is not valid JSON: no low surrogate in string",
}

JUDGES = frozenset({
    "block-role-mismatch", "block-type-unknown", "cache-breakpoints-too-many", "cache-on-empty-text", "cache-on-thinking",
    "content-after-tool-call", "first-message-not-user", "id-format", "message-content-empty-assistant", "message-content-empty-user",
    "body-not-json", "messages-empty", "prefill-trailing-whitespace", "prefill-unsupported", "reasoning-last-block", "reasoning-missing",
    "reasoning-modified", "reasoning-signature-missing", "system-message-first", "system-message-position",
    "system-message-position-next", "text-after-tool-result", "text-after-tool-result-with-open-server-tool", "text-empty",
    "text-lone-surrogate", "tool-args-invalid", "tool-call-id-duplicate", "tool-call-partially-answered", "tool-call-trailing",
    "tool-call-unanswered", "tool-name-format", "tool-result-content-empty-list", "tool-result-duplicate", "tool-result-error-non-text",
    "tool-result-id-missing", "tool-result-not-adjacent", "tool-result-not-first", "tool-result-orphan",
    "cache-ttl-order", "caller-field-dropped", "compaction-before-content", "compaction-content-empty", "container-missing",
    "container-unexpected", "context-edit-needs-thinking", "image-too-large", "image-too-many-pixels", "messages-too-many",
    "reasoning-empty", "reasoning-not-first", "reasoning-while-disabled", "role-invalid", "server-tool-not-declared",
    "tool-names-not-unique", "tool-reference-unknown", "tools-all-deferred", "unknown-field",
})  # fmt: skip


def image_tokens(width: int | None, height: int | None) -> int:
    """width x height / 750, at most 1,600, which is also what an image of unknown size is taken for."""
    return min(1600, ceil(width * height / 750)) if width and height else 1600


PROVIDER = Provider(
    name="anthropic",
    title="Anthropic",
    summary="Anthropic Messages: joins neighbours of one role, wants results in the leading run of the next user turn",
    pairing="leading-run",
    joins=frozenset({Role.USER, Role.ASSISTANT}),
    answers=Role.USER,
    overhead=Overhead(
        message=3,
        name=0,
        call=3,
        sources={
            "message": "borrowed from OpenAI's cookbook on counting with tiktoken; Anthropic publishes none: an estimate",
            "call": "ours: an estimate",
            "image": "Anthropic's documentation on vision: width x height / 750, at most 1,600",
        },
    ),
    image_tokens=image_tokens,
    words=WORDS,
    judges=JUDGES,
    not_judged=(
        "signatures of reasoning can't be checked offline",
        "of limits of the whole request only the number of messages, of images and of cache marks is judged; images that are named by a "
        "URL or a file id can't be measured",
        "what a beta header or an older API version allows can't be seen in a dump",
    ),
    refuses_prefill=refuses_prefill,
    id_alphabet="word",
    id_prefix="toolu_",
    places={"message": "messages.{turn}", "block": "messages.{turn}.content.{block}", "call": "messages.{turn}.content.{block}"},
    arguments="object",
    name_pattern=r"[\s\S]{1,200}",
    severities={"message-content-empty-user/joined": "warning"},
    strict=frozenset({"role-invalid/absent", "role-invalid/element"}),
    binds=claude_binds,
)
