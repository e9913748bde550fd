"""A message whose role the wire does not have (Gemini).

Contents are the `user`'s or the `model`'s. `assistant`, `system`, `tool` and `function` come from other wires (or from the first years of
this one) and are refused. A content without a role is taken for the user's by AI Studio and refused by Vertex: a warning.

Evidence: recorded texts ("Please use a valid role: user, model."); Vertex wants one where AI Studio defaults it (two reports).

Repair: the role is spelled as this wire does; results and what a system message said become the user's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Mark, Role
from app.model.provider import Reading
from app.model.table import Ints
from app.rules._rule import Rule, Said
from app.rules._scene import Site

RENAMED = frozenset({Role.ASSISTANT, Role.USER, Role.TOOL, Role.FUNCTION})
"""Roles of which only the name is another one here."""


class RoleInvalid(Rule):
    name = "role-invalid"
    summary = "a message whose role the wire does not have"

    def check(self, reading: Reading) -> Sequence[Hit]:
        if not reading.native:
            return []
        foreign, absent = (_first(reading, reading.view.marked(word)) for word in (Mark.ROLE, Mark.ROLE_ABSENT))
        return [self.hit(reading, foreign), self.hit(reading, absent, np.ones(len(absent), np.int64), severity="warning")]

    def say(self, site: Site) -> Said:
        if site.severity == "warning":
            return Said("This message says no role (AI Studio takes the user's, Vertex refuses it).", cause="role", whole=True)
        role = Role(int(site.scene.view.role[site.position]))
        word = "of another wire" if role in (Role.ASSISTANT, Role.OTHER) else f"`{role.name.lower()}`"
        return Said(f"The role of this message is {word}; only `user` and `model` are known here.", cause="role", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        role = Role(int(site.scene.view.role[site.position]))
        calls = bool(site.scene.view.calls[site.scene.message_of(site.position)].any())
        new = "assistant" if role == Role.ASSISTANT or (role == Role.OTHER and calls) else "user"
        words = "model" if new == "assistant" else "user"
        effect = "exact" if role in RENAMED else "adds"
        return [site.change(f"Make it a message of the {words}", "exact" if effect == "exact" else "adds", Set(site.row, "role", new))]


def _first(reading: Reading, marked: Ints) -> Ints:
    """The first marked row of each message that would be sent."""
    found = np.flatnonzero(marked & reading.sent)
    return found[np.unique(reading.wire_message[found], return_index=True)[1]]


RULE = RoleInvalid()
