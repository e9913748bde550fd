"""The last message is the assistant's and ends with a thinking block (Anthropic, Claude on Bedrock).

In the middle of a conversation the same message is taken. A finding only where the transcript would be sent now.

Evidence: text-index ids 6551681841 (with a request id), 62156641668; a live probe of 2026-07-25 (400 only when that message is the last,
200 in the middle).

Repair: a user message "Continue." behind it; else the block goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.model.edits import Change, End, Insert, Made
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ReasoningLastBlock(Rule):
    name = "reasoning-last-block"
    summary = "the last message is the assistant's and ends with a thinking block"
    by_mode = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        last = reading.turns - 1
        if reading.mode == "prefix" or not reading.native or last < 0 or reading.turn_role[last] != Role.ASSISTANT:
            return []
        if reading.provider.refuses_prefill(reading.model):
            return []  # `prefill-unsupported` says it
        block = reading.of_turn(last)[-1:]
        return [self.hit(reading, block[reading.view.kind[block] == Kind.REASONING])]

    def say(self, site: Site) -> Said:
        return Said("The conversation ends with a thinking block.", cause="last message")

    def fixes(self, site: Site) -> Sequence[Change]:
        more = site.change("Insert a message of the user: “Continue.”", "adds", Insert(End(), Made(Kind.TEXT, Role.USER, "Continue.")))
        return [more, _fixes.drop(site, "Drop the thinking block", [site.position])]


RULE = ReasoningLastBlock()
