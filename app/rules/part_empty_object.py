"""A part without any data, written as `{}` (Gemini).

A serialiser that leaves out what is empty makes one of a text of no characters. The text itself, `{"text": ""}`, is taken: 7 recorded
requests with status 200 (gemini-2.5-flash, gemini-3-flash-preview).

Evidence: 54xzh/FLIT#69; recorded texts ("required oneof field 'data' must have one initialized field").

Repair: the part goes, and its message with it where it held nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Insert, Made
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site

WORD = "(empty)"
"""What formats call such a part."""


class PartEmptyObject(Rule):
    name = "part-empty-object"
    summary = "a part without any data"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        types = view.transcript.table.types
        if WORD not in types:
            return []
        bare = (view.kind == Kind.OTHER) & (view.type == types.index(WORD)) & ((view.flags & Flag.SIGNED) == 0)
        return [self.hit(reading, np.flatnonzero(bare & reading.sent))]

    def say(self, site: Site) -> Said:
        return Said("This part holds no data.", cause="empty part")

    def fixes(self, site: Site) -> Sequence[Change]:
        drop = Drop(_fixes.rows(site, [site.position]))
        if len(site.reading.wire) == 1:
            made = Made(Kind.TEXT, Role(int(site.scene.view.role[site.position])), _fixes.EMPTY)
            return [site.change("Put “(empty)” in its place", "adds", Insert(_fixes.beside(site), made), drop)]
        alone = len(site.scene.message_of(site.position)) == 1
        return [site.change("Drop the empty message" if alone else "Drop the empty part", "exact", drop)]


RULE = PartEmptyObject()
