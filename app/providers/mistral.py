"""Mistral, chat.

The validator of mistral-common says what the API refuses, in nearly its words. Up to tokenizer v10 it only counts: as many `tool` messages
before the next assistant message as the assistant made calls. From v11 on it looks at the ids as well, within one assistant message. Which
tokenizer serves a model is not in a dump: ids are judged. Roles follow each other in a fixed way; a user message behind a tool message was
refused by the API up to 2026-06 and is taken by mistral-common 1.11.7 (2026-07-23).
"""

from __future__ import annotations

from app.model.kinds import Role
from app.model.provider import Overhead, Provider

_COUNT = "Not the same number of function calls and responses"
_NAME = "Function name was {name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64."
_ID = "Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9."
_ROLE = "Unexpected role '{role}' after role '{before}'"

WORDS = {
    "tool-call-unanswered": _COUNT,
    "tool-call-partially-answered": _COUNT,
    "tool-call-trailing": _COUNT,
    "tool-result-not-adjacent": _COUNT,
    "tool-call-id-duplicate": "Duplicate tool call id {id} in assistant message",
    "tool-result-duplicate": "Duplicate tool call id {id} in tool results",
    "tool-result-duplicate/later": "Unexpected tool call id {id} in tool results",
    "tool-result-orphan": "Unexpected role 'tool' after role '{before}'",
    "tool-result-orphan/run": "Unexpected tool call id {id} in tool results",
    "tool-result-id-mismatch": "Unexpected tool call id {id} in tool results",
    "tool-result-id-missing": "Tool call id has to be defined.",
    "tool-result-id-missing/empty": _ID,
    "user-after-tool": _ROLE,
    "role-order": _ROLE,
    "id-format": _ID,
    "id-format/result": _ID,
    "id-format/absent": "Tool call id has to be defined in serving mode.",
    "tool-name-format": _NAME,
    "tool-name-format/empty": _NAME,
    "assistant-empty": "Assistant message must have either content or tool_calls, but not none.",
    "assistant-empty/text": "Assistant message must have either content or tool_calls, but not none.",
    "last-message-not-user": "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
    "block-role-mismatch/result": "Unexpected role '{role}'",
    "block-role-mismatch/call": "Extra inputs are not permitted: tool_calls",
    "tool-result-content-type": "Tool messages must hold text only",
    "messages-empty": "Conversation must have at least one message",
    "body-not-json": "The request body is not valid JSON",
    "text-lone-surrogate": "The request body is not valid JSON",
}

JUDGES = frozenset({
    "assistant-empty", "block-role-mismatch", "body-not-json", "id-format", "last-message-not-user", "messages-empty", "role-order",
    "text-lone-surrogate", "tool-call-id-duplicate", "tool-call-partially-answered", "tool-call-trailing", "tool-call-unanswered",
    "tool-name-format", "tool-result-content-type", "tool-result-duplicate", "tool-result-id-mismatch",
    "tool-result-id-missing", "tool-result-not-adjacent", "tool-result-orphan", "user-after-tool",
})  # fmt: skip


def image_tokens(width: int | None, height: int | None) -> int:
    """One for each square of 28 pixels (patches of 14, merged two by two), scaled so that no side is over 1,540, and one for the end of
    each row; 1,600 where the size is not known."""
    if not width or not height:
        return 1600
    scale = max(1.0, max(width, height) / 1540)
    wide, high = round(width / scale), round(height / scale)
    return ((max(1, wide) - 1) // 28 + 2) * ((max(1, high) - 1) // 28 + 1)


PROVIDER = Provider(
    name="mistral",
    title="Mistral",
    summary="Mistral chat: as many tool messages as calls, ids of nine letters and digits, a fixed order of roles",
    pairing="contiguous-run",
    joins=frozenset(),
    answers=Role.TOOL,
    overhead=Overhead(
        message=3,
        name=1,
        call=3,
        sources={
            "message": "borrowed from OpenAI's cookbook on counting with tiktoken; Mistral publishes none: an estimate",
            "name": "borrowed from OpenAI's cookbook on counting with tiktoken",
            "call": "ours: an estimate",
            "image": "mistralai/mistral-common tokens/tokenizers/image.py with the figures of Mistral Small 3.1 and later (patch 14, merge "
            "2, 1,540 pixels); Pixtral 12B takes more",
        },
    ),
    image_tokens=image_tokens,
    words=WORDS,
    judges=JUDGES,
    not_judged=(
        "which tokenizer serves the model is not in a dump: what only older or only newer ones refuse may be judged otherwise",
        "limits of the whole request, audio and files are not judged",
    ),
    places={"message": "messages[{message}]", "block": "messages[{message}]", "call": "messages[{message}].tool_calls[{block}]"},
    arguments="any",
    name_pattern=r"[a-zA-Z0-9_-]{1,64}",
    wires=frozenset({"openai-chat"}),
    severities={"user-after-tool": "warning"},
    strict=frozenset({"assistant-empty/text", "last-message-not-user/prefix", "tool-name-format/result", "tool-result-content-type/image"}),
    id_pattern=r"[a-zA-Z0-9]{9}",
)
