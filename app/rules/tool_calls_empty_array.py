"""An assistant message with an empty list of calls (OpenAI Chat, DeepSeek).

A message without calls has no member `tool_calls`; a client that always writes the list is refused. Mistral takes it (recorded with status
200).

Evidence: text-index ids 7878918544, 59409365871 (DeepSeek); pydantic/pydantic-ai@4fda389 (Mistral).

Repair: the key goes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Change, Set
from app.model.findings import Hit
from app.model.kinds import Flag
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ToolCallsEmptyArray(Rule):
    name = "tool-calls-empty-array"
    summary = "an assistant message with an empty list of calls"
    any_of = Flag.CALLS_NONE

    def check(self, reading: Reading) -> Sequence[Hit]:
        if not reading.native:
            return []
        found = np.flatnonzero(((reading.view.flags & Flag.CALLS_NONE) != 0) & reading.sent)
        return [self.hit(reading, found[np.unique(reading.wire_message[found], return_index=True)[1]])]

    def say(self, site: Site) -> Said:
        return Said("The list of calls of this message is empty; the key must go.", cause="empty list of calls", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Take the empty list away", "exact", Set(site.row, "message.tool_calls", DELETE))]


RULE = ToolCallsEmptyArray()
