"""Anthropic Messages: what the API was seen to answer. Also seen through Bedrock ("The model returned the following errors: …"), Vertex AI
and endpoints that speak this wire."""

from __future__ import annotations

from functools import partial

from app.matching._wording import Wording

_says = partial(Wording, "anthropic")
_PROBE_1 = "live probe of 2026-07-25"
_PROBE_2 = "live probe of claude-haiku-4-5, 2026-08-28"
_PROBE_3 = "live probe of 2026-09-10"
_RECORDED = "recorded requests of pydantic/pydantic-ai@4fda389"

WORDINGS: tuple[Wording, ...] = (
    # -- calls and results
    _says(
        ("tool-call-unanswered", "tool-call-partially-answered", "tool-result-not-first", "tool-call-trailing", "tool-result-not-adjacent",
         "content-after-tool-call"),
        ("messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. Each `tool_use` block must have a "
         "corresponding `tool_result` block in the next message.",
         "`tool_use` ids were found without `tool_result` blocks immediately after",
         "messages.{n}: Did not find {n} `tool_result` block(s) at the beginning of this message. Messages "
         "following `tool_use` blocks must "
         "begin with a matching number of `tool_result` blocks.",
         "the following `tool_use` ids were not found in `tool_result` blocks: {ids}"),
        "Kilo-Org/kilocode#5163; anthropics/claude-code#5060, #5989; letta-ai/letta#3308; "
        "stacklok/mecatl#1465; OpenHands/software-agent-sdk"
        f"#1344; {_PROBE_1}; older wordings: apify/tester-mcp-client#12, anthropics/anthropic-sdk-typescript#653, pydantic/pydantic-ai#653",
    ),
    _says(
        ("tool-result-orphan", "tool-result-not-adjacent", "tool-result-id-mismatch"),
        ("messages.{n}.content.{n}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a "
         "corresponding `tool_use` block in the previous message.",
         "unexpected `tool_use_id` found in `tool_result` blocks: {id}"),
        "router-for-me/CLIProxyAPI#497; anthropics/claude-code#13460, #18947; decocms/studio#1803; OpenHands/software-agent-sdk#1344",
    ),
    _says(
        ("tool-result-duplicate",),
        ("messages.{n}.content.{n}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}",),
        "sipeed/picoclaw#1792; RooCodeInc/Roo-Code#9248; vercel/eve#1246",
    ),
    _says(
        ("tool-call-id-duplicate",),
        ("messages.{n}.content.{n}: `tool_use` ids must be unique",),
        "anthropics/claude-code#20901, #28515; trycua/cua#524; BerriAI/litellm#23510; anomalyco/opencode#1279",
    ),
    _says(
        ("tool-result-id-missing",),
        ("messages.{n}.content.{n}.tool_result.tool_use_id: Field required",),
        _PROBE_2,
    ),
    _says(
        ("id-format", "tool-result-id-missing"),
        ("messages.{n}.content.{n}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
         "messages.{n}.content.{n}.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'",
         "messages.{n}.content.{n}.tool_use.id: Field required"),
        "anomalyco/opencode#1279; HKUDS/nanobot#4356",
    ),
    _says(
        ("id-format",),
        ("messages.{n}.content.{n}.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",),
        "betmoar/cc-proxy-plugin#67",
    ),
    _says(
        ("tool-name-format",),
        ("messages.{n}.content.{n}.tool_use.name: String should have at most 200 characters",
         "messages.{n}.content.{n}.tool_use.name: String should have at least 1 character",
         "tools.{n}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"),
        "the changelog of Claude Code (\"permanently stuck\"); public reports; in the list of tools: anthropics/claude-code#1405",
    ),
    _says(
        ("tool-args-invalid",),
        ("messages.{n}.content.{n}.tool_use.input: Input should be a valid dictionary",
         "messages.{n}.content.{n}.tool_use.input: Input should be an object",
         "messages.{n}.content.{n}.tool_use.input: Field required"),
        "public reports of both wordings",
    ),
    _says(
        ("block-role-mismatch",),
        ("messages.{n}: `tool_result` blocks can only be in `user` messages",
         "messages.{n}: `tool_use` blocks can only be in `assistant` messages"),
        f"{_PROBE_2}; microsoft/agent-framework#4328; V1ki/dsh-plugin-subscriptions#23",
    ),
    # -- tools of the provider
    _says(
        ("tool-call-unanswered", "text-after-tool-result-with-open-server-tool", "content-after-tool-call", "caller-field-dropped"),
        ("messages.{n}: `{name}` tool use with id `{id}` was found without a corresponding `{name}_tool_result` block",
         "`web_search` tool use with id `{id}` was found without a corresponding `web_search_tool_result` block",
         "`code_execution` tool use with id {id} was found without a corresponding `code_execution_tool_result` block",
         "`text_editor_code_execution` tool use with id `{id}` was found without a corresponding `text_editor_code_execution_tool_result` "
         "block"),
        "anthropics/anthropic-sdk-typescript#1090; can1357/oh-my-pi#4781; vercel/ai#13013; the page on stop reasons of Anthropic's docs",
    ),
    _says(
        ("tool-result-orphan",),
        ("messages.{n}.content.{n}: unexpected `tool_use_id` found in `{name}_tool_result` blocks: {id}. Each `{name}_tool_result` block "
         "must have a corresponding `server_tool_use` block before it.",
         "messages.{n}.content.{n}: unexpected `tool_use_id` found in `advisor_tool_result` blocks: {id}. Each `advisor_tool_result` block "
         "must have a corresponding `server_tool_use` block before it."),
        "anthropics/claude-code#64383, #80439, #84783, #64026",
    ),
    _says(
        ("server-tool-not-declared",),
        ("…but no `web_search` tool was provided", "but no `{name}` tool was provided"),
        "the page on stop reasons of Anthropic's docs; pydantic-ai, models/anthropic.py",
    ),
    _says(
        ("container-missing",),
        ("container_id is required when there are pending tool uses generated by code execution with tools.",),
        "public reports",
    ),
    _says(("container-unexpected",), ("Container identifier can only be provided when using the code execution tool",), _PROBE_3),
    _says(
        ("tool-reference-unknown",),
        ("Tool reference '{name}' not found in available tools",),
        "the page on tool search of Anthropic's docs",
    ),
    _says(
        ("tools-all-deferred",),
        ("At least one tool must have defer_loading=false. All tools cannot be deferred.",),
        "the page on tool search of Anthropic's docs; nearai/ironclaw#7274",
    ),
    _says(("tool-names-not-unique",), ("tools: Tool names must be unique.",), "tailcallhq/forgecode#892"),
    _says(
        ("tool-blocks-without-tools",),
        ("Requests which include `tool_use` or `tool_result` blocks must define tools.",),
        "refused until 2025-02: anthropics/anthropic-sdk-python#849; taken since: vercel/ai#16991",
    ),
    # -- order and roles
    _says(
        ("first-message-not-user",),
        ('messages: first message must use the "user" role',),
        "reports of 2023 and 2024; accepted now: " + _RECORDED,
    ),
    _says(
        ("role-alternation",),
        ('messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',),
        "old wording; joined now: anthropics/anthropic-sdk-typescript@bfa9197",
    ),
    _says(
        ("system-message-first", "system-message-position", "system-message-position-next"),
        ("messages.{n}: use the top-level 'system' parameter for the initial system prompt",
         'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message '
         "role."),
        f"{_PROBE_2}; {_PROBE_3}; older wording: ianarawjo/ChainForge#271, aaronrussell/anthropix#2",
    ),
    _says(
        ("system-message-position",),
        ("messages.{n}: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; the "
         "directive-only form (content: [] with output_config) is accepted at any position",),
        _PROBE_3,
    ),
    _says(
        ("system-message-position-next",),
        ("messages.{n}: role 'system' must precede an 'assistant' message or end the array; the directive-only form (content: [] with "
         "output_config) is accepted at any position",),
        _PROBE_3,
    ),
    _says(
        ("prefill-unsupported", "content-after-tool-call"),
        ("This model does not support assistant message prefill. The conversation must end with a user message.",),
        "smallmain/vscode-unify-chat-provider#249; cortexkit/magic-context#511; Tarquinen/opencode-dynamic-context-pruning#520; behind a "
        "call: stacklok/mecatl#1465",
    ),
    _says(
        ("prefill-trailing-whitespace",),
        ("messages: final assistant content cannot end with trailing whitespace",),
        "tailcallhq/forgecode#1872; langchain-ai/langchain-google#1733",
    ),
    # -- empty content
    _says(("messages-empty",), ("messages: at least one message is required",), _PROBE_3),
    _says(
        ("text-empty",),
        ("messages: text content blocks must be non-empty", "messages: text content blocks must contain non-whitespace text"),
        f"anomalyco/opencode#15715; anthropics/claude-code#23440; stacklok/mecatl#291; {_PROBE_1}",
    ),
    _says(
        ("message-content-empty-user", "text-empty"),
        ("user messages must have non-empty content",),
        _PROBE_1,
    ),
    _says(
        ("message-content-empty-assistant", "message-content-empty-user"),
        ("messages.{n}: all messages must have non-empty content except for the optional final assistant message",),
        f"anthropics/claude-code#6795; tidyverse/ellmer#709; taken for an assistant by the {_PROBE_1}",
    ),
    # -- reasoning
    _says(
        ("reasoning-missing",),
        ("messages.{n}.content.{n}.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a "
         "final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). "
         "We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our "
         "documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
         "Expected `thinking` or `redacted_thinking`, but found `{type}`. When `thinking` is enabled, a final "
         "`assistant` message must start "
         "with a thinking block"),
        "Kilo-Org/kilocode#5219; anomalyco/opencode#3077; deepset-ai/haystack-core-integrations#2146; mastra-ai/mastra#7799",
    ),
    _says(
        ("reasoning-while-disabled",),
        ("messages.{n}.content.{n}: When thinking is disabled, an `assistant` message in the final position "
         "cannot contain `thinking`. To use "
         "thinking blocks, enable `thinking` in your request.",),
        "tailcallhq/forgecode#1853",
    ),
    _says(
        ("reasoning-modified", "reasoning-missing"),
        ("messages.{n}.content.{n}: `thinking` or `redacted_thinking` blocks in the latest assistant message "
         "cannot be modified. These blocks "
         "must remain as they were in the original response.",),
        "anthropics/claude-code#19539, #63203, #63404, #25361; Yeachan-Heo/gajae-code#4418",
    ),
    _says(
        ("reasoning-signature-missing", "reasoning-modified"),
        ("messages.{n}.content.{n}: Invalid `signature` in `thinking` block",
         "messages.{n}.content.{n}: Invalid `data` in `redacted_thinking` block",
         "messages.{n}.content.{n}.thinking.signature: Field required"),
        "microsoft/vscode#322138; openclaw/openclaw#120596; public reports",
    ),
    _says(
        ("reasoning-empty",),
        ("messages.{n}.content.{n}.thinking: each thinking block must contain thinking",),
        "UKGovernmentBEIS/inspect_ai@499e615",
    ),
    _says(
        ("reasoning-last-block",),
        ("messages.{n}: The final block in an assistant message cannot be `thinking`.",),
        f"public reports; {_PROBE_1}: only where that message is the last",
    ),
    _says(
        ("reasoning-not-first",),
        ("messages.{n}.content.{n}: If an assistant message contains any thinking blocks, the first block must be `thinking` or "
         "`redacted_thinking`. Found `{type}`.",),
        f"reports of 2025-11; taken in the {_PROBE_1}",
    ),
    # -- cache marks, types, fields, limits
    _says(
        ("cache-breakpoints-too-many",),
        ("A maximum of 4 blocks with cache_control may be provided. Found {n}.",),
        f"tghamm/Anthropic.SDK#50; continuedev/continue#6937; vellum-ai/vellum-assistant#18023; {_PROBE_3}",
    ),
    _says(
        ("cache-ttl-order",),
        ("messages.{n}.content.{n}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. "
         "Note that blocks are processed in the following order: `tools`, `system`, `messages`.",),
        "public reports",
    ),
    _says(
        ("cache-on-empty-text", "text-empty"),
        ("messages.{n}.content.{n}.text: cache_control cannot be set for empty text blocks",),
        "NousResearch/hermes-agent#1216; anthropics/claude-code#50082, #55302",
    ),
    _says(
        ("cache-on-thinking",),
        ("messages.{n}.content.{n}.thinking.cache_control: Extra inputs are not permitted",
         "messages.{n}.content.{n}.redacted_thinking.cache_control: Extra inputs are not permitted"),
        "public reports of both types",
    ),
    _says(
        ("block-type-unknown",),
        ("messages.{n}.content.{n}.tool_result.content.{n}: Input tag '{type}' found using 'type' does not match any of the expected tags: "
         "'document', 'image', 'search_result', 'text'",
         "messages.{n}.content.{n}: Input tag '{type}' found using 'type' does not match any of the expected tags"),
        "anthropics/claude-code#11678; public reports",
    ),
    _says(
        ("unknown-field",),
        ("context_management: Extra inputs are not permitted", "{field}: Extra inputs are not permitted"),
        _PROBE_3,
    ),
    _says(
        ("tool-result-error-non-text",),
        ("messages.{n}.content.{n}.tool_result: all content must be type `text` if `is_error` is true",),
        "public reports",
    ),
    _says(
        ("context-edit-needs-thinking",),
        ("`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive",),
        "public reports",
    ),
    _says(
        ("image-too-many-pixels",),
        ("messages.{n}.content.{n}.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image "
         "requests: 2000 pixels",),
        "public reports",
    ),
    _says(
        ("image-too-large",),
        ("messages.{n}.content.{n}.image.source.base64: image exceeds 5 MB maximum: {n} bytes > {n} bytes",),
        "public reports",
    ),
    _says(
        ("text-lone-surrogate", "body-not-json"),
        ("The request body is not valid JSON: no low surrogate in string: line 1 column {n} (char {n})",),
        "anthropics/claude-code#6902, #6376",
    ),
    _says(
        ("body-not-json", "text-lone-surrogate"),
        ("The request body is not valid JSON: {what}: line {n} column {n} (char {n})",),
        "anthropics/claude-code#3995",
    ),
)  # fmt: skip
