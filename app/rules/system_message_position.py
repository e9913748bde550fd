"""A system message behind a plain assistant message (Anthropic).

Inside `messages` a system message must follow a user message, or an assistant message that ends in the result of a provider's tool.

Evidence: a live probe of 2026-09-10 (its text is the provider's); twenty recorded requests with status 200 on claude-opus-4-8 and
claude-fable-5 fit the rule and none breaks it.

Repair: it moves behind the next user turn, else behind the one before; where there is none it becomes a message of the user.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.rules import _system
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class SystemMessagePosition(Rule):
    name = "system-message-position"
    summary = "a system message behind a plain assistant message"

    def check(self, reading: Reading) -> Sequence[Hit]:
        heads = _system.runs(reading)[0]
        heads = heads[heads > 0]
        before = reading.wire[reading.turn_start[heads] - 1] if len(heads) else heads
        ends_in_server = (reading.view.kind[before] == Kind.TOOL_RESULT) & ((reading.view.flags[before] & Flag.SERVER) != 0)
        wrong = (reading.turn_role[heads - 1] != Role.USER) & ~ends_in_server
        return [self.hit(reading, _system.first_of(reading, heads[wrong]) if reading.native else np.empty(0, np.int64))]

    def say(self, site: Site) -> Said:
        return Said(
            "This system message follows a message of the assistant; it must follow one of the user.", cause="system message", whole=True
        )

    def fixes(self, site: Site) -> Sequence[Change]:
        return _system.moves(site)


RULE = SystemMessagePosition()
