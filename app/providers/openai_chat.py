"""OpenAI Chat Completions.

Messages are not joined. The results of an assistant message are the run of `tool` messages directly behind it, in any order; anything
between, an assistant message too, gives a 400 (router-for-me/CLIProxyAPI#2798, `param` "messages.[6].role"; bug-ops/zeph#3235). A legacy
`function_call` and its `function` message have no ids and are not paired by the API.
"""

from __future__ import annotations

from math import ceil

from app.model.kinds import Role
from app.model.provider import Overhead, Provider

_MISSING = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
    "The following tool_call_ids did not have response messages: {ids}"
)
_ORPHAN = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."

WORDS = {
    "tool-call-unanswered": _MISSING,
    "tool-call-partially-answered": _MISSING,
    "tool-call-trailing": _MISSING,
    "tool-result-orphan": _ORPHAN,
    "tool-result-orphan/run": "Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message.",
    "tool-result-id-mismatch": "Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message.",
    "tool-result-id-missing": "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
    "tool-result-id-missing/empty": "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
    "tool-result-duplicate": "Invalid parameter: Duplicate value for 'tool_call_id' of '{id}', in {first} and {at}.",
    "tool-result-duplicate/later": _ORPHAN,
    "tool-result-not-adjacent": _MISSING,
    "id-format": "Invalid '{at}.id': string too long. Expected a string with maximum length 64, but got a string with length {length} "
    "instead.",
    "id-format/result": "Invalid '{at}.tool_call_id': string too long. Expected a string with maximum length 64, but got a string with "
    "length {length} instead.",
    "id-format/absent": "Missing required parameter: '{at}.id'.",
    "id-format/old": "Invalid '{at}.id': string too long. Expected a string with maximum length 40, but got a string with length {length}",
    "id-format/old-result": "Invalid '{at}.tool_call_id': string too long. Expected a string with maximum length 40, but got a string with "
    "length {length}",
    "tool-calls-empty-array": "Invalid '{message}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty "
    "array instead.",
    "assistant-empty": "Invalid value for 'content': expected a string, got null.",
    "content-type-invalid/null": "Invalid value for 'content': expected a string, got null.",
    "content-type-invalid": "Invalid type for '{message}.content': expected one of a string or array of objects, but got {got} instead.",
    "tool-result-content-type": "Invalid value for 'content': expected a string, got null.",
    "tool-args-invalid": "Invalid type for '{at}.function.arguments': expected a string, but got {got} instead.",
    "tool-name-format": "Invalid {at}.function.name: string does not match pattern. Expected a string that matches the pattern "
    "^[a-zA-Z0-9_-]+$.",
    "tool-name-format/empty": "Invalid {at}.function.name: string does not match pattern. Expected a string that matches the pattern "
    "^[a-zA-Z0-9_-]+$.",
    "image-in-tool-result": "Invalid '{message}'. Image URLs are only allowed for messages with role 'user', but this message with role "
    "'tool' contains an image URL.",
    "image-in-assistant-message": "Invalid '{message}'. Image URLs are only allowed for messages with role 'user', but this message with "
    "role 'assistant' contains an image URL.",
    "content-part-unsupported": "Invalid '{message}'. Content blocks are expected to be either text or image_url type.",
    "content-part-unsupported/type": "Invalid value: '{type}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', "
    "'audio', and 'file'.",
    "role-invalid": "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    "role-invalid/absent": "Missing required parameter: '{message}.role'.",
    "role-invalid/element": "Invalid type for '{message}': expected an object, but got {got} instead.",
    "system-role-unsupported": "Unsupported value: '{message}.role' does not support '{role}' with this model.",
    "body-not-json": "We could not parse the JSON body of your request.",
    "messages-empty": "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
}

JUDGES = frozenset({
    "assistant-empty", "block-role-mismatch", "content-part-unsupported", "content-type-invalid", "id-format", "role-invalid",
    "system-role-unsupported", "image-in-assistant-message", "image-in-tool-result",
    "body-not-json", "messages-empty", "tool-args-invalid", "tool-call-id-duplicate", "tool-call-partially-answered", "tool-call-trailing",
    "tool-call-unanswered", "tool-calls-empty-array", "tool-name-format", "tool-result-content-type", "tool-result-duplicate",
    "tool-result-id-mismatch", "tool-result-id-missing", "tool-result-not-adjacent", "tool-result-orphan",
})  # fmt: skip


def image_tokens(width: int | None, height: int | None) -> int:
    """85 and 170 for each tile of 512, scaled into 2,048 and to a shorter side of 768; 1,600 where the size is not known."""
    if not width or not height:
        return 1600
    scale = min(1.0, 2048 / max(width, height))
    wide, high = width * scale, height * scale
    scale = min(1.0, 768 / min(wide, high))
    return 85 + 170 * ceil(wide * scale / 512) * ceil(high * scale / 512)


PROVIDER = Provider(
    name="openai-chat",
    title="OpenAI Chat",
    summary="OpenAI Chat Completions: wants a run of tool messages directly behind the assistant message that calls",
    pairing="contiguous-run",
    joins=frozenset(),
    answers=Role.TOOL,
    overhead=Overhead(
        message=3,
        name=1,
        call=3,
        sources={
            "message": "OpenAI's cookbook on counting with tiktoken, Chat Completions: 3 a message",
            "name": "OpenAI's cookbook on counting with tiktoken: 1 for a `name`",
            "call": "ours: an estimate",
            "image": "OpenAI's documentation on vision: 85 and 170 for each tile of 512",
        },
    ),
    image_tokens=image_tokens,
    words=WORDS,
    judges=JUDGES,
    not_judged=(
        "what a compatible host refuses beyond api.openai.com",
        "limits of the whole request, audio and files are not judged",
    ),
    id_max=64,
    places={"message": "messages[{message}]", "block": "messages[{message}]", "call": "messages[{message}].tool_calls[{block}]"},
    arguments="string",
    name_pattern=r"[a-zA-Z0-9_-]{1,64}",
    wires=frozenset({"mistral"}),
    strict=frozenset({"id-format/old", "role-invalid/absent", "role-invalid/element"}),
)
