"""A system message behind the assistant's or a tool's (Mistral).

System messages may follow each other and the user's. (A tool message behind the user's or the system's is refused by the same check; which
result that is, `tool-result-orphan` and `tool-result-not-adjacent` say.)

Evidence: charmbracelet/crush#279; mistralai/mistral-common@bc022b9 v1.11.7 (2026-07-23), protocol/instruct/validator.py.

Repair: the message moves up to the nearest place where it may stand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import After, Before, Change, Edit, Move, Place
from app.model.findings import Hit
from app.model.kinds import Role
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site

SYSTEM = (Role.SYSTEM, Role.DEVELOPER)


class RoleOrder(Rule):
    name = "role-order"
    summary = "a system message behind the assistant's or a tool's"

    def check(self, reading: Reading) -> Sequence[Hit]:
        role = reading.turn_role
        found = np.flatnonzero(np.isin(role[1:], SYSTEM) & np.isin(role[:-1], (Role.ASSISTANT, Role.TOOL))) + 1
        return [self.hit(reading, reading.wire[reading.turn_start[found]])]

    def say(self, site: Site) -> Said:
        before = Role(int(site.reading.turn_role[site.turn - 1])).name.lower()
        message = f"A system message stands behind a message of {'a tool' if before == 'tool' else 'the assistant'}."
        return Said(message, cause="roles", whole=True, words={"role": "system", "before": before})

    def fixes(self, site: Site) -> Sequence[Change]:
        reading = site.reading
        fits = [t for t in range(site.turn) if int(reading.turn_role[t]) in (Role.USER, *SYSTEM)]
        place: Place = Before(site.row_of(int(reading.wire[0])))
        if fits:
            place = After(site.row_of(int(reading.of_turn(fits[-1])[-1])))
        edits: list[Edit] = []
        for at in reading.of_turn(site.turn).tolist():
            edits.append(Move(site.row_of(at), place))
            place = After(site.row_of(at), join=True)
        return [site.change("Move it up", "exact", *edits)]


RULE = RoleOrder()
