"""Bedrock Converse: what the API was seen to answer, as a ValidationException. Claude on Bedrock passes Anthropic's own texts
through. Where the API's own reader refuses a value, its places count from 1: "messages.2.member.content.1.member"."""

from __future__ import annotations

from functools import partial

from app.matching._wording import Wording

_says = partial(Wording, "bedrock")
_ORPHANS = ("tool-result-count-mismatch", "tool-result-orphan", "tool-result-duplicate")

WORDINGS: tuple[Wording, ...] = (
    _says(
        ("tool-call-unanswered", "tool-call-partially-answered", "tool-results-split-across-messages", "tool-result-not-adjacent",
         "tool-call-trailing"),
        ("Expected toolResult blocks at messages.{n}.content for the following Ids: {ids}",),
        "camel-ai/camel#3954; genkit-ai/aws-bedrock-js-plugin#664; agno-agi/agno#6694; NousResearch/hermes-agent#108585; "
        "anomalyco/opencode#41780",
    ),
    _says(
        _ORPHANS,
        ("The number of toolResult blocks at messages.{n}.content exceeds the number of toolUse blocks of previous turn.",),
        "Just-Curieous/Curie#16; strands-agents/harness-sdk#1435; pydantic/pydantic-ai#2327; langgenius/dify-official-plugins#765",
    ),
    _says(
        ("tool-result-duplicate", "tool-call-id-duplicate"),
        ("The toolResult blocks at messages.{n}.content contain duplicate Ids: {ids}",),
        "BerriAI/litellm#20047; vstorm-co/pydantic-deepagents#79; kirodotdev/Kiro#9355",
    ),
    _says(
        ("tool-call-id-duplicate", "tool-result-duplicate"),
        ("The toolUse blocks at messages.{n}.content contain duplicate Ids: {ids}",),
        "agno-agi/agno#2336",
    ),
    _says(
        ("tool-blocks-without-tools",),
        ("The toolConfig field must be defined when using toolUse and toolResult content blocks.",),
        "langgenius/dify#17545, #16421; vercel/ai#7537; vxcontrol/pentagi#196",
    ),
    _says(
        ("text-empty",),
        ("The text field in the ContentBlock object at messages.{n}.content.{n} is blank. Add text to the text field, and try again.",),
        "aws-samples/bedrock-engineer#8; OpenHands/OpenHands#5339; continuedev/continue#9767; boto/botocore#3525",
    ),
    _says(
        ("text-empty",),
        ("The model returned the following errors: messages: text content blocks must contain non-whitespace text",
         "The model returned the following errors: messages: text content blocks must be non-empty"),
        "NousResearch/hermes-agent#63983, #55092",
    ),
    _says(
        ("first-message-not-user", "messages-empty"),
        ("A conversation must start with a user message. Try again with a conversation that starts with a user message.",),
        "langchain-ai/langchain-aws#238; strands-agents/sdk-typescript#727",
    ),
    _says(
        ("role-alternation",),
        ("A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant "
         "roles and try again.",),
        "Portkey-AI/gateway#748 (2024-11); microsoft/semantic-kernel#10281 (2025-03)",
    ),
    _says(
        ("tool-result-colocated-content",),
        ("messages.{n}.content: Conversation blocks and tool result blocks cannot be provided in the same turn.",
         "messages.{n}.content: Conversation blocks and tool use blocks cannot be provided in the same turn."),
        "langchain-ai/langchain-aws#141; strands-agents/harness-sdk#1223; quarkiverse/quarkus-langchain4j#1983",
    ),
    _says(
        ("tool-result-error-empty",),
        ("The content field at messages.{n}.content.{n}.toolResult cannot be empty when status value is error.",),
        "aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15",
    ),
    _says(
        ("tool-result-not-object",),
        ("The format of the value at messages.{n}.content.{n}.toolResult.content.{n}.json is invalid. Provide a "
         "json object for the field and "
         "try again.",),
        "sigoden/aichat#1550",
    ),
    _says(
        ("tool-args-invalid",),
        ("messages.{n}.content.{n}.toolUse.input is invalid. Provide a json object",
         "The format of the value at messages.{n}.content.{n}.toolUse.input is invalid. Provide a json object "
         "for the field and try again."),
        "public reports",
    ),
    _says(
        ("id-format",),
        ("Value at 'messages.{n}.member.content.{n}.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular "
         "expression pattern: [a-zA-Z0-9_.:-]+",
         "Value at 'messages.{n}.member.content.{n}.member.toolResult.toolUseId' failed to satisfy constraint: "
         "Member must have length less "
         "than or equal to 64"),
        "tontinton/maki#38; the AWS API reference of ToolUseBlock",
    ),
    _says(
        ("tool-name-format",),
        ("Value at 'messages.{n}.member.content.{n}.member.toolUse.name' failed to satisfy constraint: Member "
         "must satisfy regular expression "
         "pattern: [a-zA-Z0-9_-]+",),
        "openclaw/openclaw#12892; pydantic/pydantic-ai#4631",
    ),
    _says(
        ("media-unsupported",),
        ("This model doesn't support the video content block that you provided. Update the content block and try again.",
         "This model doesn't support the {kind} content block that you provided."),
        "recorded requests of pydantic/pydantic-ai@4fda389",
    ),
    _says(
        ("prefill-unsupported",),
        ("This model does not support assistant message prefill. The conversation must end with a user message.",),
        "Claude 4.6 and newer, hosted: as at Anthropic",
    ),
)  # fmt: skip
