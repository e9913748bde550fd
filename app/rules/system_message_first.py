"""The first message has the role `system` (Anthropic).

A system message may stand inside `messages` on current models, but not at its head: the initial system prompt belongs into `system`.

Evidence: live probes of claude-haiku-4-5 (2026-08-28) and of 2026-09-10.

Repair: where the request has no `system` yet, the text moves there; else it becomes a message of the user.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop, Set, SetRequest
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class SystemMessageFirst(Rule):
    name = "system-message-first"
    summary = "the first message has the role system"

    def check(self, reading: Reading) -> Sequence[Hit]:
        first = reading.native and reading.turns > 0 and reading.turn_role[0] == Role.SYSTEM
        return [self.hit(reading, reading.wire[: 1 if first else 0])]

    def say(self, site: Site) -> Said:
        return Said("The first message has the role system; the initial prompt belongs into `system`.", cause="system message", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        turns = int(np.argmax(np.append(site.reading.turn_role != Role.SYSTEM, True)))
        head = np.concatenate([site.reading.of_turn(turn) for turn in range(turns)]).tolist()
        blocks = [site.scene.block(at) for at in head]
        texts = [block.text for block in blocks if block is not None]
        found = []
        others = turns < site.reading.turns and not bool((site.scene.view.kind == Kind.SYSTEM).any())
        if others and len(texts) == len(head) and _is_request(site):
            lift = SetRequest("/system", "\n\n".join(texts)), Drop(_fixes.rows(site, head))
            found.append(site.change("Move the text into `system`", "exact", *lift))
        messages = {int(site.reading.wire_message[at]): site.row_of(at) for at in reversed(head)}
        roles = (Set(row, "role", "user") for row in sorted(messages.values()))
        return [*found, site.change("Make it a message of the user", "adds", *roles)]


def _is_request(site: Site) -> bool:
    """Whether the dump is a request, which has a place for system text, and not a bare list of messages."""
    return bool(site.scene.table.request)


RULE = SystemMessageFirst()
