"""A cache mark on an empty text block (Anthropic).

The empty block is refused by itself (`text-empty`); with a mark on it the provider names the mark first.

Evidence: NousResearch/hermes-agent PR #1216; anthropics/claude-code#50082, #55302.

Repair: the mark goes, and the block by `text-empty`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Change, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class CacheOnEmptyText(Rule):
    name = "cache-on-empty-text"
    summary = "a cache mark on an empty text block"
    any_of = Flag.CACHE

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        both = Flag.CACHE | Flag.TEXT_EMPTY
        marked = (view.kind == Kind.TEXT) & ((view.flags & both) == both)
        return [self.hit(reading, np.flatnonzero(marked & reading.sent) if reading.native else np.empty(0, np.int64))]

    def say(self, site: Site) -> Said:
        return Said("A cache mark stands on an empty text block.", cause="empty text")

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Take the mark away", "exact", Set(site.row, "block.cache_control", DELETE))]


RULE = CacheOnEmptyText()
