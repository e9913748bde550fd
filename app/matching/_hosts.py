"""Hosts whose rules are not judged, or only by the wire that they speak: their texts lead to the rule all the same."""

from __future__ import annotations

from app.matching._wording import Wording

_OPEN = ("tool-call-unanswered", "tool-call-partially-answered", "tool-result-not-adjacent", "tool-call-trailing")
_MISSING = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."

WORDINGS: tuple[Wording, ...] = (
    Wording(
        "deepseek",
        _OPEN,
        (f"{_MISSING} (insufficient tool messages following tool_calls message)",),
        "agno-agi/agno#3105; smallmain/vscode-unify-chat-provider#248",
    ),
    Wording(
        "deepseek",
        ("tool-result-orphan", "tool-result-duplicate", "tool-result-not-adjacent", "tool-result-id-mismatch"),
        ("Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",),
        "FoundationAgents/OpenManus#23, #744; qwersyk/Newelle#425; itmisx/deepx-code#94",
    ),
    Wording(
        "deepseek",
        ("reasoning-missing",),
        ("Missing `reasoning_content` field in the assistant message at message index {n}. For more information, please refer to "
         "https://api-docs.deepseek.com/guides/thinking_mode#tool-calls",
         "The `reasoning_content` in the thinking mode must be passed back to the API.",
         "The `reasoning_text` in the thinking mode must be passed back to the API."),
        "abhigyanpatwari/GitNexus#43; continuedev/continue#11285; earendil-works/pi#3636; Responses: rikkahub/rikkahub#1690",
    ),
    Wording(
        "deepseek",
        ("tool-call-unanswered", "tool-result-not-adjacent"),
        ("No tool output found for tool call {id}.",),
        "a recorded refusal of pydantic/pydantic-ai@4fda389",
    ),
    Wording(
        "deepseek",
        ("tool-result-duplicate",),
        ("messages.{n}.content.{n}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}",),
        "its Anthropic endpoint: QwenLM/qwen-code#8163",
    ),
    Wording(
        "cohere",
        _OPEN,
        (f"invalid request: {_MISSING}     The following tool_call_ids did not have response messages: {{ids}}",),
        "oracle/langchain-oracle#10",
    ),
    Wording(
        "cohere",
        ("assistant-empty", "text-empty"),
        ("invalid request: all elements in history must have a message.",),
        "kwaroran/Risuai#458",
    ),
    Wording(
        "qwen",
        _OPEN,
        ('<400> InternalError.Algo.InvalidParameter: An assistant message with "tool_calls" must be followed by '
         'tool messages responding to '
         'each "tool_call_id". The following tool_call_ids did not have response messages: message[{n}].role',),
        "QwenLM/qwen-code#606, #869, #315",
    ),
    Wording(
        "moonshot",
        _OPEN,
        ("an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following "
         "tool_call_ids did not have response messages: {ids}",),
        "MoonshotAI/kimi-cli#2405",
    ),
    Wording(
        "moonshot",
        ("tool-result-id-mismatch", "tool-result-id-missing", "tool-result-orphan"),
        ("Invalid request: tool_call_id {id} is not found",),
        "public reports",
    ),
    Wording(
        "minimax",
        ("tool-result-orphan", "tool-result-not-adjacent", "tool-call-id-duplicate", "tool-result-id-mismatch", "tool-result-duplicate"),
        ("invalid params, tool call result does not follow tool call (2013)",),
        "can1357/oh-my-pi#2055",
    ),
    Wording(
        "groq",
        ("tool-result-id-missing",),
        ("'messages.{n}' : for 'role:tool' the following must be satisfied[('messages.{n}.tool_call_id' : property 'tool_call_id' is "
         "missing)]",),
        "public reports",
    ),
    Wording(
        "groq",
        ("tool-result-content-type",),
        ("'messages.{n}' : for 'role:tool' the following must be satisfied[('messages.{n}.content' : value must be a string)]",
         "'messages.{n}' : for 'role:tool' the following must be satisfied[('messages.{n}.content' : minimum number of items is 1)]",
         "'messages.{n}' : for 'role:tool' the following must be satisfied[('messages.{n}.content' : property 'content' is missing)]"),
        "public reports",
    ),
    Wording(
        "xai",
        ("message-content-empty", "text-empty", "assistant-empty", "tool-result-content-type"),
        ("Invalid request content: Each message must have at least one content element.",),
        "public reports",
    ),
    Wording(
        "openrouter",
        ("provider-error-wrapped",),
        ("Provider returned error",),
        "tailcallhq/forgecode#892; charmbracelet/crush#279; diegosouzapw/OmniRoute#3044",
    ),
    # -- chat templates of local servers
    Wording(
        "local",
        ("role-alternation",),
        ("Conversation roles must alternate user/assistant/user/assistant/...",),
        "microsoft/autogen#1037; idiap/sdialog#122; withcatai/node-llama-cpp#263; run-llama/llama_index#11731",
    ),
    Wording(
        "local",
        ("role-alternation-after-system", "role-alternation"),
        ("After the optional system message, conversation roles must alternate user and assistant roles except "
         "for tool calls and results.",),
        "ggml-org/llama.cpp#19851; SWE-agent/mini-swe-agent#759; charmbracelet/crush#279",
    ),
    Wording(
        "local",
        ("tool-result-orphan", "tool-result-not-adjacent"),
        ("Message has tool role, but there was no previous assistant message with a tool call!",),
        "the template of gpt-oss",
    ),
    Wording("local", ("no-user-message",), ("No user query found in messages.",), "templates of Qwen3"),
    Wording("local", ("system-not-first",), ("System message must be at the beginning.",), "pydantic-ai, docs/models/openai.md"),
    Wording(
        "local",
        ("assistant-double-trailing",),
        ("Cannot have 2 or more assistant messages at the end of the list.",),
        "the server of llama.cpp",
    ),
    Wording(
        "local",
        ("id-format",),
        ("Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9",),
        "ml-explore/mlx-lm#1375; jundot/omlx#1997",
    ),
)  # fmt: skip
