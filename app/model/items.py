"""Words of OpenAI's Responses: which types items have, which output answers which call, how the server numbers them.

Source: the types that the API itself lists (router-for-me/CLIProxyAPI#3414, 2026-05), openai/openai-openapi@f85dbe2 openapi.yaml
(2026-08: `program`, `program_output`, `additional_tools`), ids of recorded requests (pydantic/pydantic-ai@4fda389, braintrustdata/lingua)
and the prefixes that error texts ask for (see `PREFIXES`).
"""

from __future__ import annotations

from typing import Final

OUTPUTS: Final = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "local_shell_call": "local_shell_call_output",
    "shell_call": "shell_call_output",
    "apply_patch_call": "apply_patch_call_output",
    "computer_call": "computer_call_output",
    "tool_search_call": "tool_search_output",
}
"""Calls that the client answers (a tool search may be the server's own: `execution`), and the item that answers each."""

HOSTED: Final = frozenset({"web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call"})
"""Calls that the server answers itself; each holds its own result."""

OTHERS: Final = frozenset({
    "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "compaction", "compaction_trigger", "item_reference",
    "additional_tools",
})  # fmt: skip
"""Items that are neither said, nor thought, nor called."""

TYPES: Final = frozenset({"message", "reasoning", "program", "program_output", *OUTPUTS, *OUTPUTS.values(), *HOSTED, *OTHERS})

ROLES: Final = ("user", "assistant", "system", "developer")

INPUT_PARTS: Final = frozenset({"input_text", "input_image", "input_file", "input_audio", "computer_screenshot"})
OUTPUT_PARTS: Final = frozenset({"output_text", "refusal"})
"""Parts of a message: of what is sent to the model, and of what it said."""

PREFIXES: Final = {
    "message": "msg", "reasoning": "rs", "function_call": "fc", "function_call_output": "fc", "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctc", "web_search_call": "ws",
}  # fmt: skip
"""How the id of an item begins, where an error text asks for it: "Expected an ID that begins with 'fc'" and so on (openai/codex#33176,
Wei-Shaw/sub2api#3981 for messages; kaitranntt/CLIProxyAPIPlus PR #149 for calls; text-index ids 61458860007 for outputs, 58570724592 for
web searches; UKGovernmentBEIS/inspect_ai PR #1545)."""

SEEN_PREFIXES: Final = {
    "file_search_call": "fs", "code_interpreter_call": "ci", "image_generation_call": "ig", "mcp_call": "mcp", "mcp_list_tools": "mcp",
    "mcp_approval_request": "mcp", "computer_call": "cu", "tool_search_call": "tsc", "tool_search_output": "tso", "compaction": "cmp",
}  # fmt: skip
"""The same where no error text is known: only seen."""

ID_MAX: Final = 64
"""Characters of an item's id (can1357/oh-my-pi#284, #457), and of a `call_id` (openai/openai-openapi@f85dbe2)."""

NO_TEXT: Final = frozenset({"computer_call"})
"""Calls for which no result can be made up: theirs is a picture."""


def made_output(call: str) -> str:
    """The type of the output that is made up for a call of a type. A search for tools finds tools, which nobody can make up; a
    `function_call_output` that answers one is recorded with status 200 (pydantic/pydantic-ai@4fda389)."""
    return "function_call_output" if call in NO_TEXT or call == "tool_search_call" else OUTPUTS.get(call, "function_call_output")
