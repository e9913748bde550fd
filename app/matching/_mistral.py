"""Mistral: what the API was seen to answer, and the templates of its own validator (mistral-common@bc022b9, v1.11.7)."""

from __future__ import annotations

from functools import partial

from app.matching._wording import Wording

_says = partial(Wording, "mistral")
_OWN = "mistralai/mistral-common@bc022b9, protocol/instruct/validator.py"

WORDINGS: tuple[Wording, ...] = (
    _says(
        ("tool-result-count-mismatch", "tool-call-unanswered", "tool-call-partially-answered", "tool-call-trailing", "tool-result-orphan",
         "tool-result-duplicate", "tool-result-not-adjacent"),
        ("Not the same number of function calls and responses",),
        f"mistralai/client-ts#106; partITech/php-mistral#57; NousResearch/hermes-agent#11722; {_OWN}",
    ),
    _says(
        ("user-after-tool", "role-order", "tool-result-not-adjacent"),
        ("Unexpected role 'user' after role 'tool'",),
        "datapizza-labs/datapizza-ai#98; BerriAI/litellm#17761; onyx-dot-app/onyx#6458; taken by mistral-common since 2026-07",
    ),
    _says(
        ("role-order", "user-after-tool", "tool-result-orphan", "tool-result-not-adjacent"),
        ("Unexpected role 'tool' after role 'user'", "Unexpected role '{role}' after role '{role}'"),
        f"charmbracelet/crush#279; {_OWN}",
    ),
    _says(("tool-result-duplicate",), ("Duplicate tool call id {id} in tool results",), _OWN),
    _says(("tool-result-orphan", "tool-result-id-mismatch"), ("Unexpected tool call id {id} in tool results",), _OWN),
    _says(("tool-call-id-duplicate",), ("Duplicate tool call id {id} in assistant message",), _OWN),
    _says(
        ("id-format",),
        ("Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.",),
        "anomalyco/opencode#1680; editor-code-assistant/eca#233; karthink/gptel#1203; langchain-ai/langchain#24668",
    ),
    _says(("tool-result-id-missing", "id-format"), ("Tool call id has to be defined.",), "Gage-Technologies/mistral-go#8"),
    _says(
        ("assistant-empty",),
        ("Assistant message must have either content or tool_calls, but not none.",
         "Assistant message must have either content or tool_calls, but not both."),
        f"OpenHands/OpenHands#8685; {_OWN}",
    ),
    _says(
        ("last-message-not-user", "tool-call-trailing"),
        ("Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",),
        f"public reports (code 3230); {_OWN}",
    ),
    _says(
        ("tool-name-format",),
        ("Function name was {name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.",),
        _OWN,
    ),
)  # fmt: skip
