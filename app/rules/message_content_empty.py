"""A message without any part (Gemini).

`parts` is absent, or an empty list: what is left when all that a client sent was filtered out. A text of no characters is a part, and
taken (7 recorded requests with status 200); a part written as `{}` is `part-empty-object`.

Evidence: egoist/chatwise-releases#250; QuantumNous/new-api#1060; vercel/ai#3775; google-gemini/gemini-cli#7769. Vertex says it in other
words (anomalyco/opencode#17519).

Repair: the message goes; where nothing else is left, "(empty)" is put in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class MessageContentEmpty(Rule):
    name = "message-content-empty"
    summary = "a message without any part"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        nothing = (view.kind == Kind.EMPTY) & ((view.flags & Flag.CONTENT_ODD) == 0)
        return [self.hit(reading, np.flatnonzero(nothing & reading.sent))]

    def say(self, site: Site) -> Said:
        return Said("This message holds nothing.", cause="empty message", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        words = site.change("Put “(empty)” in it", "adds", Set(site.row, "text", _fixes.EMPTY))
        if len(site.reading.wire) == 1:
            return [words]
        return [site.change("Drop the empty message", "exact", Drop(_fixes.rows(site, [site.position]))), words]


RULE = MessageContentEmpty()
