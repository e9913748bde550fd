"""Gemini, AI Studio and Vertex AI: what generateContent was seen to answer. It counts, so its texts name no ids."""

from __future__ import annotations

from functools import partial

from app.matching._wording import Wording

_says = partial(Wording, "gemini")

WORDINGS: tuple[Wording, ...] = (
    _says(
        ("tool-result-count-mismatch", "tool-call-unanswered", "tool-results-split-across-messages", "tool-call-partially-answered",
         "tool-result-duplicate", "tool-call-trailing"),
        ("Please ensure that the number of function response parts is equal to the number of function call parts of the function call "
         "turn.",),
        "google-gemini/gemini-cli#16984, #4217, #4324; vertesia/llumiverse#620; google/adk-python#7115, #2215; microsoft/vscode#299295",
    ),
    _says(
        ("tool-call-turn-order", "first-message-not-user"),
        ("Please ensure that function call turn comes immediately after a user turn or after a function response turn.",),
        "google-gemini/gemini-cli#11814, #26486; lobehub/lobehub#10049; continuedev/continue#11164",
    ),
    _says(
        ("tool-result-turn-order", "tool-result-orphan", "tool-results-split-across-messages", "tool-result-not-adjacent"),
        ("Please ensure that function response turn comes immediately after a function call turn.",),
        "GoogleCloudPlatform/generative-ai#368; langchain-ai/langchain#27799; BerriAI/litellm#26755; google-gemini/gemini-cli#26956",
    ),
    _says(
        ("reasoning-signature-missing",),
        ("Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing "
         "thought_signature may lead to degraded model performance. Additional data, function call `{name}` , "
         "position {n}. Please refer to "
         "https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
         "Unable to submit request because function call `{name}` in the {n}. content block is missing a `thought_signature`"),
        "lbjlaq/Antigravity-Manager#938; nanbingxyz/5ire#405; Vertex: GewoonJaap/gemini-cli-openai#156",
    ),
    _says(
        ("thought-signature-corrupt", "reasoning-signature-missing"),
        ("Corrupted thought signature.",),
        "public reports, transient at times",
    ),
    _says(
        ("message-content-empty",),
        ("* GenerateContentRequest.contents[{n}].parts: contents.parts must not be empty.",
         "Unable to submit request because it must include at least one parts field, which describes the prompt input."),
        "google-gemini/gemini-cli#7769; Vertex: anomalyco/opencode#17519",
    ),
    _says(
        ("part-empty-object", "message-content-empty"),
        ("* GenerateContentRequest.contents[{n}].parts[{n}].data: required oneof field 'data' must have one initialized field",),
        "54xzh/FLIT#69",
    ),
    _says(("role-invalid",), ("Please use a valid role: user, model.",), "public reports"),
    _says(
        ("tool-result-name-missing",),
        ("* GenerateContentRequest.contents[{n}].parts[{n}].function_response.name: Name cannot be empty.",),
        "public reports",
    ),
    _says(
        ("role-alternation",),
        ("Please ensure that multiturn requests alternate between user and model.",),
        "old wording; accepted now: recorded requests of pydantic/pydantic-ai@4fda389",
    ),
    _says(
        ("last-message-not-user",),
        ("Please ensure that multiturn requests ends with a user role or a function response.",),
        "old wording; still guarded against by crewAIInc/crewAI#6973",
    ),
    _says(
        ("tool-name-format",),
        ("* GenerateContentRequest.tools[{n}].function_declarations[{n}].name: Invalid function name. Must start with a letter or an "
         "underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes "
         "(-), with a maximum length of 64.",),
        "public reports",
    ),
    _says(
        ("tool-result-not-object",),
        ("Invalid value at 'contents[{n}].parts[{n}].function_response.response' (type.googleapis.com/google.protobuf.Struct)",
         "Invalid function_response.response: field `{name}` has an empty value. All values must have a type (null, bool, number, string, "
         "list, or object)."),
        "randombet/bodhi_realtime_agent#10; AstrBotDevs/AstrBot#7216; takeshy/obsidian-gemini-helper#80",
    ),
)  # fmt: skip
