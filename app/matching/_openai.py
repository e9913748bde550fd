"""OpenAI, Chat Completions and Responses: what the API and hosts that speak its wire were seen to answer. The place often stands beside the
text, as `param`: "messages.[6].role"."""

from __future__ import annotations

from functools import partial

from app.matching._wording import Wording

_chat = partial(Wording, "openai-chat")
_responses = partial(Wording, "openai-responses")
_RECORDED = "recorded requests of pydantic/pydantic-ai@4fda389"

WORDINGS: tuple[Wording, ...] = (
    _chat(
        ("tool-call-unanswered", "tool-call-partially-answered", "tool-result-not-adjacent", "tool-call-trailing"),
        ("An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following "
         "tool_call_ids did not have response messages: {ids}",
         "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."),
        "aliasrobotics/cai#111; router-for-me/CLIProxyAPI#2798; BerriAI/litellm#10083; "
        "coze-dev/coze-studio#2765; anomalyco/opencode#44852; "
        "i-am-bee/beeai-framework#963; bug-ops/zeph#3235; exoharness/exo#256",
    ),
    _chat(
        ("tool-result-orphan", "tool-result-duplicate", "tool-result-id-mismatch", "tool-result-not-adjacent"),
        ("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",),
        "miurla/morphic#136; smarter-sh/smarter#264; run-llama/llama_index#10493; dimagi/open-chat-studio#1659",
    ),
    _chat(
        ("tool-result-id-mismatch", "tool-result-orphan"),
        ("Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message.",),
        "a comment of cline's openai-format.ts; public reports",
    ),
    _chat(
        ("tool-result-duplicate",),
        ("Invalid parameter: Duplicate value for 'tool_call_id' of '{id}', in messages[{n}] and messages[{n}].",),
        "agno-agi/agno#5116",
    ),
    _chat(
        ("tool-result-id-missing",),
        ("Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",),
        "langchain-ai/langchain#22600; MadcowD/ell#325; vercel/ai#2178; smallest-inc/smallest-python-sdk#118",
    ),
    _chat(
        ("id-format",),
        ("Invalid 'messages[{n}].tool_calls[{n}].id': string too long. Expected a string with maximum length 64, but got a string with "
         "length {n} instead.",
         "Invalid 'messages[{n}].tool_call_id': string too long. Expected a string with maximum length 40, but "
         "got a string with length {n}",
         "Missing required parameter: 'messages[{n}].tool_calls[{n}].id'."),
        "decolua/9router#3167; jin-bo/agentao#321; openclaw/openclaw#875; the limit of 40: agno-agi/agno#5382, vercel/ai#5171",
    ),
    _chat(
        ("tool-calls-empty-array",),
        ("Invalid 'messages[{n}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
         "[] is too short - 'messages.{n}.tool_calls'"),
        "public reports; the older form as in run-llama/llama_index#9373",
    ),
    _chat(
        ("assistant-empty", "tool-result-content-type", "content-type-invalid"),
        ("Invalid value for 'content': expected a string, got null.",),
        "vercel/ai#13744; run-llama/llama_index#17555; docker/docker-agent#63",
    ),
    _chat(
        ("content-type-invalid",),
        ("Invalid type for 'messages[{n}].content': expected one of a string or array of objects, but got an object instead.",),
        "public reports",
    ),
    _chat(
        ("tool-args-invalid",),
        ("Invalid type for 'messages[{n}].tool_calls[{n}].function.arguments': expected a string, but got an object instead.",
         "failed to parse tool call arguments as json"),
        "public reports; of compatible hosts: OpenHands, classifier.py",
    ),
    _chat(
        ("tool-name-format",),
        ("Invalid messages[{n}].tool_calls[{n}].function.name: string does not match pattern. Expected a string that matches the pattern "
         "^[a-zA-Z0-9_-]+$.",
         "Invalid 'messages[{n}].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."),
        "a decision record of Semantic Kernel; openai/openai-openapi@f85dbe2",
    ),
    _chat(
        ("image-in-tool-result",),
        ("Invalid 'messages[{n}]'. Image URLs are only allowed for messages with role 'user', but this message "
         "with role 'tool' contains an "
         "image URL.",),
        "OpenHands/OpenHands#7700 (2025-04); taken and not read since: openai/openai-openapi#523",
    ),
    _chat(
        ("image-in-assistant-message",),
        ("Invalid 'messages[{n}]'. Image URLs are only allowed for messages with role 'user', but this message with role 'assistant' "
         "contains an image URL.",),
        "openai/openai-node#1030",
    ),
    _chat(
        ("content-part-unsupported",),
        ("Invalid 'messages[{n}]'. Content blocks are expected to be either text or image_url type.",),
        _RECORDED,
    ),
    _chat(
        ("messages-empty",),
        ("Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
         "[] is too short - 'messages'"),
        "public reports; the older form: run-llama/llama_index#9373, sashabaranov/go-openai#605",
    ),
    _chat(
        ("system-role-unsupported",),
        ("Unsupported value: 'messages[{n}].role' does not support 'system' with this model.",),
        _RECORDED,
    ),
    _chat(
        ("body-not-json",),
        ("We could not parse the JSON body of your request.",),
        "public reports",
    ),
    # -- Responses
    _responses(
        ("tool-call-unanswered", "tool-call-partially-answered", "tool-call-trailing"),
        ("No tool output found for function call {id}.", "No tool output found for custom tool call {id}.",
         "No tool output found for apply patch call {id}.", "No tool output found for tool search call {id}.",
         "No tool output found for computer call {id}.", "No tool output found for {family} call {id}."),
        "symgraph/GhidrAssist#78; Gitlawb/openclaude#187; openai/codex#5385; openai/openai-support-agent-demo#12",
    ),
    _responses(
        ("tool-result-orphan",),
        ("No tool call found for function call output with call_id {id}.", "No tool call found for custom tool "
         "call output with call_id {id}."),
        "continuedev/continue#10092",
    ),
    _responses(
        ("reasoning-unpaired", "item-not-persisted"),
        ("Item '{id}' of type 'reasoning' was provided without its required following item.",
         "Item '{id}' of type 'function_call' was provided without its required 'reasoning' item: '{id}'.",
         "Item '{id}' of type 'message' was provided without its required 'reasoning' item: '{id}'."),
        "continuedev/continue#8933; vercel/ai#7099, #8379; openai/openai-node#1567; 0xPlaygrounds/rig#751; mastra-ai/mastra#8738",
    ),
    _responses(
        ("item-id-duplicate",),
        ("Duplicate item found with id {id}. Remove duplicate items from your input and try again.",),
        "vercel/ai#13307",
    ),
    _responses(
        ("id-format",),
        ("Invalid 'input[{n}].id': '{id}'. Expected an ID that begins with 'fc'.",
         "Invalid 'input[{n}].id': string too long. Expected a string with maximum length 64, but got a string with length {n} instead.",
         "Invalid 'input[{n}].call_id': string too long. Expected a string with maximum length 64, but got a "
         "string with length {n} instead."),
        "earendil-works/pi#10257; can1357/oh-my-pi#284, #457; NousResearch/hermes-agent#62225; RooCodeInc/Roo-Code#10763",
    ),
    _responses(
        ("item-not-persisted", "reasoning-unpaired"),
        ("Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with "
         "`store` set to true, or remove "
         "this item from your input.",),
        "anomalyco/opencode#7724",
    ),
    _responses(
        ("previous-response-not-found",),
        ("Previous response with id '{id}' not found.",),
        "public reports; code previous_response_not_found",
    ),
    _responses(
        ("encrypted-reasoning-unverifiable",),
        ("The encrypted content {text} could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
         "Encrypted content item_id did not match the target item id"),
        "public reports; code invalid_encrypted_content",
    ),
    _responses(
        ("tool-call-id-duplicate",),
        ("Duplicate 'call_id': {id}", "Duplicate call_ids submitted: {ids}"),
        "earendil-works/pi#9057; alvesvaren/zod-to-openai-tool#263",
    ),
    _responses(
        ("tool-output-type-invalid",),
        ("Invalid type for 'input[{n}].output': expected one of a string or array of objects, but got an object instead.",),
        "public reports",
    ),
    _responses(
        ("content-part-role-mismatch",),
        ("Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
         "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', and 'input_file'."),
        "public reports, of Azure too",
    ),
    _responses(
        ("item-type-unknown",),
        ("Invalid value: '{type}'. Supported values are: 'apply_patch_call', 'apply_patch_call_output', "
         "'code_interpreter_call', 'compaction', "
         "'compaction_trigger', 'computer_call', … and 'web_search_call'.",),
        "router-for-me/CLIProxyAPI#3414",
    ),
)  # fmt: skip
