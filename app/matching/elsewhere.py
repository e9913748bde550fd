"""Refusals that are about something else than the transcript: limits, money, keys, the network. No rule could find a reason for them.

Words and statuses: code.claude.com/docs/en/errors (its table of messages), the error pages of the Anthropic and OpenAI documentation.
"""

from __future__ import annotations

import re
from typing import Final

# what it is about, the words that say so; the first that fits
_KINDS: Final = (
    ("the context window: more tokens than the model takes",
     r"prompt is too long|context.?(?:length|window)|maximum context|input (?:is|length).{0,20}too long|too "
     r"many (?:input )?tokens|conversation too "
     r"long|reduce the length|(?:token count|tokens).{0,40}exceed|exceed.{0,40}\btokens"),
    ("the size of the request", r"request too large|request_too_large|payload too large|request exceeds the maximum size"),
    ("credit or billing", r"credit balance|billing|insufficient.{0,12}(?:quota|balance|funds|credit)|payment "
     "required|exceeded your current quota"),
    ("a rate or usage limit",
     r"rate.?limit|too many requests|usage limit|hit your .{0,20}limit|limiting requests|request rejected "
     r"\(429\)|resource.?(?:has been )?exhausted|"
     r"throttl|quota"),
    ("an overloaded server", r"overloaded|high load|at capacity|temporarily unavailable|service unavailable|try again later"),
    ("the key or the account",
     r"api.?key|unauthori[sz]ed|authenticat|permission|forbidden|/login|oauth|access denied|organi[sz]ation has "
     r"been disabled|not logged in"),
    ("the model's name, or access to it", r"model.{0,80}(?:not found|does not exist|not available|not exist|no "
     "access)|issue with the selected model"),
    ("the network",
     r"connection (?:error|refused|reset|closed)|timed? ?out|econn|etimedout|fetch failed|unable to connect|ssl|certificate|socket|network|"
     r"request was aborted|stream (?:ended|error)"),
    ("the provider's usage policy", r"usage policy|content (?:policy|filter)|safety system|flagged"),
    ("a setting of the request",
     r"budget_tokens|max_tokens|temperature|top_p|anthropic-beta|tool_choice|reasoning.effort|not supported (?:for|with) this model"),
    ("an error inside the provider's server", r"internal server error|api_error|server_error|bad gateway|unexpected error"),
)  # fmt: skip
_PATTERNS: Final = tuple((what, re.compile(words, re.I)) for what, words in _KINDS)
_STATUS: Final = {
    401: "the key or the account", 402: "credit or billing", 403: "the key or the account", 408: "the network",
    413: "the size of the request", 429: "a rate or usage limit", 500: "an error inside the provider's server",
    502: "an error inside the provider's server",
    503: "an overloaded server", 504: "the network", 529: "an overloaded server",
}  # fmt: skip


def elsewhere(text: str, status: int | None) -> str:
    """What a refusal is about where it is not the transcript, as words behind "it is about"; "" where nothing says so."""
    if status in _STATUS:
        return _STATUS[status]
    return next((what for what, pattern in _PATTERNS if pattern.search(text)), "")
