"""A result whose content is an empty list (Anthropic).

One client leaves such a list out because the provider refuses it; no text of a refusal is known, and `content` itself may be absent: a
warning.

Evidence: a comment in pydantic-ai (`models/anthropic.py`).

Repair: an empty text part is refused, so the content becomes the empty string.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Flag
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ToolResultContentEmptyList(Rule):
    name = "tool-result-content-empty-list"
    summary = "a result whose content is an empty list"
    any_of = Flag.CONTENT_NONE
    severity = "warning"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        return [self.hit(reading, np.flatnonzero(view.results & reading.sent & ((view.flags & Flag.CONTENT_NONE) != 0)))]

    def say(self, site: Site) -> Said:
        return Said(
            "The content of this result is an empty list, which one client takes care never to send.", ids=site.ids, cause="empty list"
        )

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Make the content an empty string", "exact", Set(site.row, "content", ""))]


RULE = ToolResultContentEmptyList()
