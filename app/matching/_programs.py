"""Programs that put a provider's error into words of their own, and write those into the session."""

from __future__ import annotations

from app.matching._wording import Wording

WORDINGS: tuple[Wording, ...] = (
    Wording(
        "claude-code",
        ("tool-call-unanswered", "tool-call-partially-answered", "tool-result-not-first", "tool-call-trailing", "tool-result-not-adjacent",
         "content-after-tool-call", "tool-result-orphan"),
        ("API Error: 400 due to tool use concurrency issues. Run /rewind to recover the conversation.",),
        "code.claude.com/docs/en/errors, \"tool use or thinking block mismatch\"; anthropics/claude-code#20694, #39316",
    ),
    Wording(
        "claude-code",
        ("tool-call-id-duplicate",),
        ("API Error: 400 duplicate tool_use ID in conversation history. Run /rewind to recover the conversation.",),
        "public copies of its table of errors",
    ),
    Wording(
        "claude-code",
        ("image-too-many-pixels",),
        ("An image in the conversation exceeds the dimension limit for many-image requests (2000px).",),
        "public copies of its table of errors",
    ),
    Wording(
        "claude-code",
        ("image-too-large",),
        ("Image was too large. Double press esc to go back and try again with a smaller image.",),
        "code.claude.com/docs/en/errors",
    ),
    Wording(
        "vercel-ai",
        ("tool-call-unanswered", "tool-call-partially-answered", "tool-call-trailing"),
        ("AI_MissingToolResultsError: Tool results are missing for tool calls: {ids}", "Tool result is missing for tool call {id}."),
        "ai-sdk.dev/docs/troubleshooting/missing-tool-results-error",
    ),
)  # fmt: skip
