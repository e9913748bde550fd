"""Google's generateContent, on AI Studio and on Vertex.

Counts, not ids, decide: neighbouring contents of the model are joined, and a model's turn of n calls must be followed by ONE content with n
responses (contents of the user are not joined for that): 485 recorded requests fit, four of them only when the model's contents are joined
(pydantic/pydantic-ai@4fda389). Google's own client repairs a history by the same rules (google-gemini/gemini-cli@5411f11,
`historyHardening.ts`). The texts of its errors name no place, or count contents and parts as they were sent.
"""

from __future__ import annotations

from math import ceil

from app.model.kinds import Role
from app.model.provider import Overhead, Provider
from app.providers._models import gemini_binds, gemini_family

_COUNT = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
_RESPONSE = "Please ensure that function response turn comes immediately after a function call turn."
_CALL = "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
_MIXED = "Please ensure that function call turn contains at least one function_call part which can not be mixed with function_response "
_MIXED += "parts."
_AT = "GenerateContentRequest.{at}"
_NAME = "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), "
_NAME += "colons (:), or dashes (-), with a maximum length of 64."

WORDS = {
    "tool-result-count-mismatch": _COUNT,
    "tool-results-split-across-messages": _COUNT,
    "tool-call-unanswered": _COUNT,
    "tool-call-trailing": _COUNT,
    "tool-result-not-adjacent": _COUNT,
    "tool-result-turn-order": _RESPONSE,
    "tool-call-turn-order": _CALL,
    "block-role-mismatch": _CALL,
    "block-role-mismatch/result": _MIXED,
    "reasoning-signature-missing": "Function call is missing a thought_signature in functionCall parts. This is required for tools to "
    "work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call "
    "`default_api:{name}` , position {n}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
    "thought-signature-corrupt": "Invalid value at '{at}.thought_signature' (TYPE_BYTES), Base64 decoding failed for the signature.",
    "message-content-empty": f"* {_AT}.parts: contents.parts must not be empty.",
    "part-empty-object": f"{_AT}.data: required oneof field 'data' must have one initialized field",
    "role-invalid": "Please use a valid role: user, model.",
    "tool-result-name-missing": f"* {_AT}.function_response.name: Name cannot be empty.",
    "tool-name-format": f"* {_AT}.name: {_NAME}",
    "tool-result-not-object": "Invalid JSON payload received. Unknown name \"response\" at '{at}.function_response': Proto field is not "
    "repeating, cannot start list.",
    "tool-result-not-object/value": "Invalid value at '{at}.function_response.response' (type.googleapis.com/google.protobuf.Struct)",
    "tool-args-invalid": "Invalid value at '{at}.function_call.args' (type.googleapis.com/google.protobuf.Struct)",
    "last-message-not-user": "Please ensure that multiturn requests ends with a user role or a function response.",
    "messages-empty": "* GenerateContentRequest.contents: contents is not specified",
    "body-not-json": "Invalid JSON payload received. Unexpected end of string.",
}

JUDGES = frozenset({
    "block-role-mismatch", "body-not-json", "first-message-not-user", "last-message-not-user", "message-content-empty", "messages-empty",
    "part-empty-object", "reasoning-signature-missing", "role-invalid", "thought-signature-corrupt", "tool-args-invalid",
    "tool-call-trailing", "tool-call-turn-order", "tool-call-unanswered", "tool-name-format", "tool-result-count-mismatch",
    "tool-result-name-missing", "tool-result-not-adjacent", "tool-result-not-first", "tool-result-not-object", "tool-result-turn-order",
    "tool-results-split-across-messages",
})  # fmt: skip


def image_tokens(width: int | None, height: int | None) -> int:
    """258, and for a larger image 258 for each tile of 768 that it is cut into; 1,600 where the size is not known."""
    if not width or not height:
        return 1600
    if width <= 384 and height <= 384:
        return 258
    return 258 * ceil(width / 768) * ceil(height / 768)


PROVIDER = Provider(
    name="gemini",
    title="Gemini",
    summary="Gemini generateContent: joins the model's contents, wants as many results as calls in the one content behind them",
    pairing="count",
    joins=frozenset({Role.ASSISTANT}),
    answers=Role.USER,
    overhead=Overhead(
        message=3,
        name=0,
        call=3,
        sources={
            "message": "borrowed from OpenAI's cookbook on counting with tiktoken; Google publishes none: an estimate",
            "call": "ours: an estimate",
            "image": "Google's documentation on tokens (https://ai.google.dev/gemini-api/docs/tokens): 258 up to 384 pixels on both sides, "
            "else 258 for each tile of 768; Gemini 3 counts by media resolution instead",
        },
    ),
    image_tokens=image_tokens,
    words=WORDS,
    judges=JUDGES,
    not_judged=(
        "whether a thought signature is genuine can't be checked offline",
        "limits of the whole request, the schemas of tools, and media are not judged",
        "what a cached content (`cachedContent`) holds is not in the dump",
    ),
    id_prefix="call_",
    places={"message": "contents[{message}]", "block": "contents[{message}].parts[{block}]", "call": "contents[{message}].parts[{block}]"},
    arguments="object or none",
    name_pattern=r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}",
    family=gemini_family,
    binds=gemini_binds,
    severities={
        "block-role-mismatch/call": "warning", "first-message-not-user": "warning", "last-message-not-user": "warning",
        "tool-result-not-first": "warning",
    },
    strict=frozenset({"reasoning-signature-missing/call", "tool-name-format/declaration"}),
)  # fmt: skip
