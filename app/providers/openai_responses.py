"""OpenAI Responses.

Calls and outputs pair by `call_id`, anywhere in the list (see `_anywhere.py`). There is a second pairing: while items carry the ids that
the server gave them, a reasoning item wants the item that it led to. Sending by value, without ids, avoids all of its errors. What the
server keeps is not in a dump: a request that continues another one is judged for what it holds.

Places count items of `input` (`input[61].id`); the figures for tokens are those of Chat Completions.
"""

from __future__ import annotations

from app.model.kinds import Role
from app.model.provider import Overhead, Provider
from app.providers._models import openai_binds, openai_family
from app.providers.openai_chat import image_tokens

_OPEN = "No tool output found for {} {{id}}."
_ORPHAN = "No tool call found for {} output with call_id {{id}}."
_EMPTY = "Invalid '{at}.call_id': empty string. Expected a string with minimum length 1, but got an empty string instead."
_LONG = "string too long. Expected a string with maximum length 64, but got a string with length {length} instead."
_SPOKEN = {
    "custom_tool_call": "custom tool call", "apply_patch_call": "apply patch call", "tool_search_call": "tool search call",
    "computer_call": "computer call", "shell_call": "shell call", "local_shell_call": "local shell call",
}  # fmt: skip
"""How error texts name a type; the last two are inferred from the others."""

WORDS = {
    **{rule: _OPEN.format("function call") for rule in ("tool-call-unanswered", "tool-call-partially-answered", "tool-call-trailing")},
    **{
        f"{rule}/{word}": _OPEN.format(spoken)
        for rule in ("tool-call-unanswered", "tool-call-partially-answered", "tool-call-trailing")
        for word, spoken in _SPOKEN.items()
    },
    "tool-result-orphan": _ORPHAN.format("function call"),
    **{f"tool-result-orphan/{word}_output": _ORPHAN.format(spoken) for word, spoken in _SPOKEN.items()},
    "tool-result-id-missing": "Missing required parameter: '{at}.call_id'.",
    "tool-result-id-missing/empty": _EMPTY,
    "tool-result-duplicate": "Duplicate function_call_output for call_id '{id}'. Each function_call must have exactly one matching "
    "function_call_output",
    "tool-call-id-duplicate": "Duplicate 'call_id': {id}",
    "item-id-duplicate": "Duplicate item found with id {id}. Remove duplicate items from your input and try again.",
    "id-format": "Invalid '{at}.call_id': " + _LONG,
    "id-format/absent": "Missing required parameter: '{at}.call_id'.",
    "id-format/empty": _EMPTY,
    "id-format/item": "Invalid '{message}.id': '{id}'. Expected an ID that begins with '{prefix}'.",
    "id-format/item-long": "Invalid '{message}.id': " + _LONG,
    "reasoning-unpaired": "Item '{id}' of type 'reasoning' was provided without its required following item.",
    "reasoning-unpaired/item": "Item '{id}' of type '{type}' was provided without its required 'reasoning' item: 'rs_...'.",
    "item-not-persisted": "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with `store` set "
    "to true, or remove this item from your input.",
    "tool-output-type-invalid": "Invalid type for '{at}.output': expected one of a string or array of objects, but got {got} instead.",
    "tool-output-type-invalid/absent": "Missing required parameter: '{at}.output'.",
    "content-part-role-mismatch": "Invalid value: '{type}'. Supported values are: {legal}.",
    "item-type-unknown": "Invalid value: '{type}'. Supported values are: 'apply_patch_call', 'apply_patch_call_output', "
    "'code_interpreter_call', 'compaction', 'compaction_trigger', 'computer_call', ... and 'web_search_call'.",
    "item-type-unknown/role": "Invalid value: '{type}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
    "compaction-content-empty": "Missing required parameter: '{at}.encrypted_content'.",
    "tool-args-invalid": "Invalid type for '{at}.arguments': expected a string, but got {got} instead.",
    "tool-args-invalid/object": "Invalid type for '{at}.arguments': expected an object, but got a string instead.",
    "tool-name-format": "Invalid '{at}.name': string does not match pattern. Expected a string that matches the pattern "
    "'^[a-zA-Z0-9_-]+$'.",
    "tool-name-format/empty": "Missing required parameter: '{at}.name'.",
    "body-not-json": "We could not parse the JSON body of your request.",
}  # fmt: skip

JUDGES = frozenset({
    "block-role-mismatch", "body-not-json", "call-output-family-mismatch", "compaction-content-empty", "content-part-role-mismatch",
    "id-format", "item-id-duplicate",
    "item-not-persisted", "item-type-unknown", "local-shell-id", "reasoning-unpaired", "tool-args-invalid", "tool-call-id-duplicate",
    "tool-call-partially-answered", "tool-call-trailing", "tool-call-unanswered", "tool-name-format", "tool-output-type-invalid",
    "tool-result-duplicate", "tool-result-id-missing", "tool-result-orphan",
})  # fmt: skip

PROVIDER = Provider(
    name="openai-responses",
    title="OpenAI Responses",
    summary="OpenAI Responses: pairs by call_id anywhere in the list; reasoning and items by the server's own ids",
    pairing="anywhere",
    joins=frozenset(),
    answers=Role.TOOL,
    overhead=Overhead(
        message=3,
        name=1,
        call=3,
        sources={
            "message": "borrowed from OpenAI's cookbook on counting with tiktoken, Chat Completions: 3 an item, an estimate",
            "name": "borrowed from OpenAI's cookbook on counting with tiktoken",
            "call": "ours: an estimate",
            "image": "OpenAI's documentation on vision: 85 and 170 for each tile of 512",
        },
    ),
    image_tokens=image_tokens,
    words=WORDS,
    judges=JUDGES,
    not_judged=(
        "what the server keeps (an earlier response, a conversation, whether an item is still stored) can't be seen in a dump",
        "whether encrypted reasoning can still be read can't be checked offline",
        "limits of the whole request, images and files are not judged",
    ),
    id_max=64,
    places={"message": "input[{message}]", "block": "input[{message}]", "call": "input[{message}]"},
    arguments="string",
    name_pattern=r"[a-zA-Z0-9_-]{1,64}",
    family=openai_family,
    binds=openai_binds,
    strict=frozenset({"id-format/empty"}),
    severities={"tool-result-duplicate": "warning"},
)
