"""A thinking block with neither text nor signature (Anthropic).

One without text that has its signature is taken: with `display: "omitted"` the text is left out.

Evidence: UKGovernmentBEIS/inspect_ai@499e615, src/inspect_ai/model/_providers/anthropic.py ("each thinking block must contain thinking").

Repair: the block goes: it says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop
from app.model.findings import Hit
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.model.table import Ints
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ReasoningEmpty(Rule):
    name = "reasoning-empty"
    summary = "a thinking block with neither text nor signature"
    any_of = Flag.TEXT_EMPTY

    def check(self, reading: Reading) -> Sequence[Hit]:
        return [self.hit(reading, np.flatnonzero(empty(reading) & reading.sent))] if reading.native else []

    def say(self, site: Site) -> Said:
        return Said("This thinking block has neither text nor signature.", cause="empty thinking")

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Drop the empty block", "exact", Drop(_fixes.rows(site, [site.position])))]


def empty(reading: Reading) -> Ints:
    """Mask over positions: thinking without text and without signature."""
    flags = reading.view.flags
    bare = (flags & (Flag.TEXT_EMPTY | Flag.SIGNED | Flag.REDACTED)) == Flag.TEXT_EMPTY
    return np.asarray((reading.view.kind == Kind.REASONING) & bare)


RULE = ReasoningEmpty()
