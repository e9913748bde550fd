"""A system message in front of a user message (Anthropic).

Inside `messages` a system message must stand before an assistant message or end the list.

Evidence: a live probe of 2026-09-10 (its text is the provider's); CrewAI through OpenRouter, 2026-07.

Repair: as for `system-message-position`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Role
from app.model.provider import Reading
from app.rules import _system
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class SystemMessagePositionNext(Rule):
    name = "system-message-position-next"
    summary = "a system message in front of a user message"

    def check(self, reading: Reading) -> Sequence[Hit]:
        firsts, lasts = _system.runs(reading)
        lasts = lasts[(firsts > 0) & (lasts < reading.turns - 1)]  # at the head it is `system-message-first`
        wrong = lasts[reading.turn_role[lasts + 1] != Role.ASSISTANT]
        return [self.hit(reading, _system.first_of(reading, wrong) if reading.native else np.empty(0, np.int64))]

    def say(self, site: Site) -> Said:
        return Said(
            "This system message stands before a message of the user; it must stand before the assistant's.",
            cause="system message",
            whole=True,
        )

    def fixes(self, site: Site) -> Sequence[Change]:
        return _system.moves(site)


RULE = SystemMessagePositionNext()
