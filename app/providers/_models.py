"""What a model's name says. Only what a rule depends on, each with its source."""

from __future__ import annotations

import re

_CLAUDE = re.compile(r"claude-([a-z]+)-(\d+)(?:[-.](\d{1,2}))?(?![0-9])")


def claude_version(model: str | None) -> tuple[int, int] | None:
    """Version of a Claude model from its name: `claude-sonnet-4-5-20250929` gives (4, 5), `us.anthropic.claude-opus-5` (5, 0).

    None for names of the older scheme (`claude-3-5-sonnet`) and for all others.
    """
    found = _CLAUDE.search(model or "")
    return (int(found[2]), int(found[3] or 0)) if found else None


def refuses_prefill(model: str | None) -> bool:
    """Claude 4.6 and newer refuse a last message of the assistant (ericc-ch/copilot-api PR #261; vybestack/llxprt-code PR #3695)."""
    version = claude_version(model)
    return version is not None and version >= (4, 6)
