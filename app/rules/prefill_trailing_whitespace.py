"""The last message is the assistant's and ends in white space (Anthropic, Claude on Bedrock).

Models that take the beginning of an answer refuse one that ends so. A finding only where the transcript would be sent now.

Evidence: tailcallhq/forgecode#1872; GCWing/OpenBitFun PR #825; langchain-ai/langchain-google PR #1733.

Repair: the white space at the end of the last text goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class PrefillTrailingWhitespace(Rule):
    name = "prefill-trailing-whitespace"
    summary = "the last message is the assistant's and ends in white space"
    by_mode = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        last, view = reading.turns - 1, reading.view
        ends = last >= 0 and reading.turn_role[last] == Role.ASSISTANT
        if reading.mode == "prefix" or not ends or reading.provider.refuses_prefill(reading.model):
            return []
        block = reading.of_turn(last)[-1:]
        found = (view.kind[block] == Kind.TEXT) & ((view.flags[block] & Flag.TEXT_TRAILING) != 0)
        found &= (view.flags[block] & Flag.TEXT_BLANK) == 0
        return [self.hit(reading, block[found])]

    def say(self, site: Site) -> Said:
        return Said("The last text, the beginning of an answer, ends in white space.", cause="last message")

    def fixes(self, site: Site) -> Sequence[Change]:
        block = site.block
        if block is None:
            return []
        return [site.change("Take the white space away", "exact", Set(site.row, "text", block.text.rstrip()))]


RULE = PrefillTrailingWhitespace()
