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
from app.model.table import Ints
from app.rules._rule import Rule, Said
from app.rules._scene import Site

MARKS_MAX = 4


class CacheBreakpointsTooMany(Rule):
    name = "cache-breakpoints-too-many"
    summary = "more than four cache marks in a request"
    any_of = Flag.CACHE

    def check(self, reading: Reading) -> Sequence[Hit]:
        marked = _marked(reading) if reading.native else np.empty(0, np.int64)
        return [self.hit(reading, marked[MARKS_MAX : MARKS_MAX + 1])]

    def say(self, site: Site) -> Said:
        count = len(_marked(site.reading))
        message = f"The request has {count} cache marks; this is the first over {MARKS_MAX}."
        return Said(message, cause="cache marks", words={"count": str(count)})

    def fixes(self, site: Site) -> Sequence[Change]:
        view, marked = site.scene.view, _marked(site.reading)
        kind = view.kind[marked]
        wrong = (kind == Kind.REASONING) | ((view.flags[marked] & Flag.TEXT_EMPTY) != 0)  # marks that other rules take away
        marked, kind = marked[~wrong], kind[~wrong]
        kept = [int(marked[kind == head][-1]) for head in (Kind.TOOLS, Kind.SYSTEM) if (kind == head).any()]
        inside = marked[(kind != Kind.TOOLS) & (kind != Kind.SYSTEM)].tolist()
        kept += inside[max(0, len(inside) - (MARKS_MAX - len(kept))) :]
        away = [Set(site.row_of(at), "block.cache_control", DELETE) for at in marked.tolist() if at not in kept]
        return [site.change("Take the older marks away", "exact", *away)] if away else []


def _marked(reading: Reading) -> Ints:
    """Positions of the marked blocks, in the order in which the provider counts them."""
    view = reading.view
    marked = (view.flags & Flag.CACHE) != 0
    heads = [np.flatnonzero(marked & (view.kind == kind)) for kind in (Kind.TOOLS, Kind.SYSTEM)]
    return np.concatenate([*heads, reading.wire[marked[reading.wire]]])


RULE = CacheBreakpointsTooMany()
