"""An assistant message without content that is not the last one (Anthropic, Bedrock).

Anthropic: refused in 2025, taken by a live probe in 2026-07 ([] and "" in the middle of a conversation): a warning, since the dates
disagree. Null is neither a string nor a list, and refused. Bedrock refuses it at any place, the last one too.

Evidence: anthropics/claude-code#6795 and tidyverse/ellmer#709 (400, 2025-08); a live probe of 2026-07-25 (200). Bedrock:
archestra-ai/archestra PR #4220; earendil-works/pi PR #3443; maximhq/bifrost PR #6732 (null).

Repair: the message goes; its neighbours are joined.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._said import nothing_in
from app.rules._scene import Site


class MessageContentEmptyAssistant(Rule):
    name = "message-content-empty-assistant"
    summary = "an assistant message without content, not the last one"
    severity = "warning"

    def check(self, reading: Reading) -> Sequence[Hit]:
        nothing = nothing_in(reading, Role.ASSISTANT)
        no_shape = nothing & ((reading.view.flags & (Flag.CONTENT_NULL | Flag.CONTENT_ODD)) != 0)
        nothing &= ~no_shape
        if f"{self.name}/last" not in reading.provider.strict:
            nothing &= reading.wire_message != reading.wire_message.max(initial=-1)
        return [
            self.hit(reading, np.flatnonzero(nothing)),
            self.hit(reading, np.flatnonzero(no_shape) if reading.native else np.empty(0, np.int64), severity="error"),
        ]

    def say(self, site: Site) -> Said:
        disputed = " (refused in 2025, taken in 2026)" if site.severity == "warning" else ""
        return Said(f"This message of the assistant has no content{disputed}.", cause="empty message", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        if len(site.reading.wire) == 1:
            return [site.change("Put “(empty)” in its place", "adds", Set(site.row, "content", _fixes.EMPTY))]
        return [site.change("Drop the empty message", "exact", Drop(_fixes.rows(site, [site.position])))]


RULE = MessageContentEmptyAssistant()
