"""A cache mark on a thinking block (Anthropic).

Such a block has no member `cache_control`. A client that marks whatever block stands last can hit one.

Evidence: text-index ids 69044902780, 67110938675, 60906058194 (a redacted block).

Repair: the mark goes; the block and its signature stay as they are.
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


class CacheOnThinking(Rule):
    name = "cache-on-thinking"
    summary = "a cache mark on a thinking block"
    any_of = Flag.CACHE

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        marked = (view.kind == Kind.REASONING) & ((view.flags & Flag.CACHE) != 0)
        return [self.hit(reading, np.flatnonzero(marked & reading.sent) if reading.native else np.empty(0, np.int64))]

    def say(self, site: Site) -> Said:
        return Said("A cache mark stands on a thinking block.", cause="cache marks", words={"type": site.scene.type(site.position)})

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Take the mark away", "exact", Set(site.row, "block.cache_control", DELETE))]


RULE = CacheOnThinking()
