"""Texts of the user role that no person typed, told by how they begin.

Any wire: reminders, environment and instruction texts that agents put into the conversation, and the summary that a compaction
leaves. Program output that Claude Code records as a user's text is told by `app/formats/claude_code.py` itself.
"""

from __future__ import annotations

import re
from typing import Final

from app.model.kinds import Flag

WRAPPED: Final = re.compile(
    r"\s*(?:<(system-reminder|environment_context|user_instructions|environment_details|EXTERNAL_INTEGRATIONS)\b[^>]*>.*?</\1>\s*)+", re.S
)
AGENTS: Final = re.compile(r"\s*# AGENTS\.md\b")
SUMMARIES: Final = (
    "[summary of an earlier part of this conversation, made from its transcript]",  # our own, app/strategies/summarize_prefix.py
    "This session is being continued from a previous conversation",  # Claude Code's /compact
    "Another language model started to solve this problem and produced a summary",  # Codex
    "The conversation history before this point was compacted into the following summary",  # pi
)


def mark(text: str) -> int:
    """Flags of a text of the user role: INJECTED where it holds nothing that a person typed, SUMMARY where a compaction wrote it."""
    first = text[:1]
    if first in "<# \n" and first:
        if WRAPPED.fullmatch(text) or AGENTS.match(text):
            return Flag.INJECTED
        return Flag.SUMMARY if text.lstrip().startswith(SUMMARIES) else 0
    return Flag.SUMMARY if first in "[TA" and first and text.startswith(SUMMARIES) else 0
