"""A system or developer message for a model that takes none (OpenAI Chat).

Only models of the kind of `o1-mini` and `o1-preview`; all others take them at any place.

Evidence: pydantic/pydantic-ai@4fda389, test_openai_o1_mini_system_role; agno-agi/agno#1770; openai/openai-python#2047.

Repair: it becomes a message of the user.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Role
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site

TAKES_NONE = re.compile(r"(?:.*/)?o1-(?:mini|preview)(?:-\d{4}-\d{2}-\d{2})?")


class SystemRoleUnsupported(Rule):
    name = "system-role-unsupported"
    summary = "a system message for a model that takes none"

    def check(self, reading: Reading) -> Sequence[Hit]:
        if not TAKES_NONE.fullmatch(reading.model or ""):
            return []
        found = np.flatnonzero(np.isin(reading.view.role, (Role.SYSTEM, Role.DEVELOPER)) & reading.sent)
        return [self.hit(reading, found[np.unique(reading.wire_message[found], return_index=True)[1]])]

    def say(self, site: Site) -> Said:
        role = Role(int(site.scene.view.role[site.position])).name.lower()
        return Said(f"{site.reading.model} takes no {role} message.", cause="system role", whole=True, words={"role": role})

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Make it a message of the user", "adds", Set(site.row, "role", "user"))]


RULE = SystemRoleUnsupported()
