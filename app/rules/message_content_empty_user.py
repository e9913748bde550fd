"""A user message without content (Anthropic, Bedrock).

Refused, as the empty string and as nothing at all. Anthropic joins an empty list with the user's messages beside it and takes it where
one of these says something: a warning there.

Evidence: a live probe of 2026-07-25 (`content: ""` on a user message); measured on 2026-08-31 ([user [], user 'a']: 200; text-index id
61383321887). Bedrock: archestra-ai/archestra PR #4220.

Repair: it goes where its turn holds something else, else "(empty)" is put in its place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Set
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._said import nothing_in
from app.rules._scene import Site


class MessageContentEmptyUser(Rule):
    name = "message-content-empty-user"
    summary = "a user message without content"

    def check(self, reading: Reading) -> Sequence[Hit]:
        nothing = nothing_in(reading, Role.USER)
        spoken = np.zeros(reading.turns + 1, bool)
        spoken[reading.turn[reading.sent & ~nothing]] = True
        listed = (reading.view.flags & Flag.CONTENT_NONE) != 0
        joined = nothing & listed & spoken[reading.turn]
        return [
            self.hit(reading, np.flatnonzero(nothing & ~joined)),
            self.hit(reading, np.flatnonzero(joined), variant="joined"),
        ]

    def say(self, site: Site) -> Said:
        if site.severity == "warning":
            message = "This message of the user has no content; what it is joined with has some."
            return Said(message, cause="empty message", whole=True)
        waits = site.scene.open_calls[site.reading.of_turn(site.turn - 1)].any()
        reason = "The results of the calls before it belong here." if waits else ""
        return Said("This message of the user has no content.", reason, cause="empty message", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        view, turn = site.scene.view, site.reading.of_turn(site.turn)
        nothing = (view.kind[turn] == Kind.EMPTY) | ((view.flags[turn] & Flag.TEXT_EMPTY) != 0)
        words = site.change("Put “(empty)” in its place", "adds", Set(site.row, "content", _fixes.EMPTY))
        if site.scene.open_calls[site.reading.of_turn(site.turn - 1)].any():
            return []  # the results of these calls come here and fill the turn
        if bool((~nothing).any()) or site.position != turn[0]:
            return [site.change("Drop the empty message", "exact", Drop(_fixes.rows(site, [site.position]))), words]
        return [words]


RULE = MessageContentEmptyUser()
