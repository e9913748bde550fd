"""A cache mark that is to hold for an hour behind one that holds for five minutes (Anthropic).

Tools, system text and messages are looked at in that order; a mark without a `ttl` holds for five minutes. The finding stands at the first
mark for an hour that comes too late.

Evidence: recorded texts of the API (text-index ids 70194207851, 53792624764, 61980901041).

Repair: the later marks hold for five minutes too; or the earlier ones for an hour, which costs more to write.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.model.edits import Change, Edit, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Mark
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._cache import marked
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class CacheTtlOrder(Rule):
    name = "cache-ttl-order"
    summary = "a cache mark for an hour behind one for five minutes"
    any_of = Flag.CACHE

    def check(self, reading: Reading) -> Sequence[Hit]:
        if not reading.native or Mark.ONE_HOUR not in reading.view.transcript.table.marks:
            return []
        _, late = _split(reading)
        return [self.hit(reading, late[:1])]

    def say(self, site: Site) -> Said:
        early, _ = _split(site.reading)
        reason = f"The first mark for five minutes stands at {site.scene.pointer(int(early[0]))}." if len(early) else ""
        return Said("A cache mark for an hour stands behind one for five minutes.", reason, cause="cache marks")

    def fixes(self, site: Site) -> Sequence[Change]:
        early, late = _split(site.reading)
        lower = [self._set(site, int(at), None) for at in late]
        raised = [self._set(site, int(at), "1h") for at in early]
        return [
            site.change("Let the later marks hold for five minutes", "exact", *lower),
            site.change("Let the earlier marks hold for an hour", "exact", *raised),
        ]

    def _set(self, site: Site, position: int, ttl: str | None) -> Edit:
        block = site.scene.block(position)
        value = block.value if block is not None and isinstance(block.value, dict) else {}
        held: dict[str, Any] = value["cache_control"] if isinstance(value.get("cache_control"), dict) else {"type": "ephemeral"}
        rest = {key: member for key, member in held.items() if key != "ttl"}
        return Set(site.row_of(position), "block.cache_control", rest if ttl is None else {**rest, "ttl": ttl})


def _split(reading: Reading) -> tuple[Ints, Ints]:
    """Positions, as the provider counts them, of the marks for an hour that stand behind one for five minutes, and in front of that the
    marks for five minutes before the last of them."""
    found = marked(reading)
    hour = reading.view.marked(Mark.ONE_HOUR)[found]
    late = np.flatnonzero(hour & (np.cumsum(~hour) > 0))
    early = np.flatnonzero(~hour)
    return found[early[early < late.max(initial=-1)]], found[late]


RULE = CacheTtlOrder()
