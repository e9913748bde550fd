"""More than four cache marks in a request (Anthropic).

Tools, system text and messages count together, in that order; the finding stands at the first mark over the limit.

Evidence: tghamm/Anthropic.SDK#50; continuedev/continue PR #6937; vellum-ai/vellum-assistant PR #18023; a live probe of 2026-09-10.

Repair: the last mark of the tools, the last of the system text and the newest ones of the messages stay, the others go.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Change, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.rules._cache import marked
from app.rules._rule import Rule, Said
from app.rules._scene import Site

MARKS_MAX = 4


class CacheBreakpointsTooMany(Rule):
    name = "cache-breakpoints-too-many"
    summary = "more than four cache marks in a request"
    any_of = Flag.CACHE

    def check(self, reading: Reading) -> Sequence[Hit]:
        found = marked(reading) if reading.native else np.empty(0, np.int64)
        return [self.hit(reading, found[MARKS_MAX : MARKS_MAX + 1])]

    def say(self, site: Site) -> Said:
        count = len(marked(site.reading))
        message = f"The request has {count} cache marks; this is the first over {MARKS_MAX}."
        return Said(message, cause="cache marks", words={"count": str(count)})

    def fixes(self, site: Site) -> Sequence[Change]:
        view, found = site.scene.view, marked(site.reading)
        kind = view.kind[found]
        wrong = (kind == Kind.REASONING) | ((view.flags[found] & Flag.TEXT_EMPTY) != 0)  # marks that other rules take away
        found, kind = found[~wrong], kind[~wrong]
        kept = [int(found[kind == head][-1]) for head in (Kind.TOOLS, Kind.SYSTEM) if (kind == head).any()]
        inside = found[(kind != Kind.TOOLS) & (kind != Kind.SYSTEM)].tolist()
        kept += inside[max(0, len(inside) - (MARKS_MAX - len(kept))) :]
        away = [Set(site.row_of(at), "block.cache_control", DELETE) for at in found.tolist() if at not in kept]
        return [site.change("Take the older marks away", "exact", *away)] if away else []


RULE = CacheBreakpointsTooMany()
