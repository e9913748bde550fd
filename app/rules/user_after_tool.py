"""A user message directly behind a tool message (Mistral).

Refused by the hosted API in reports up to 2026-06, and by mistral-common up to 1.11.6; 1.11.7 (2026-07-23) takes it. What the API does
since is not known: a warning that names the dispute.

Evidence: datapizza-labs/datapizza-ai#98; BerriAI/litellm#17761; onyx-dot-app/onyx#6458; pipecat-ai/pipecat-flows#178;
aliou/pi-neuralwatt#12 (2026-06). Against it: mistralai/mistral-common@bc022b9, protocol/instruct/validator.py.

Repair: a message of the assistant (“OK”) between.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Before, Change, Insert, Made
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class UserAfterTool(Rule):
    name = "user-after-tool"
    summary = "a user message directly behind a tool message"

    def check(self, reading: Reading) -> Sequence[Hit]:
        role = reading.turn_role
        found = np.flatnonzero((role[1:] == Role.USER) & (role[:-1] == Role.TOOL)) + 1
        return [self.hit(reading, reading.wire[reading.turn_start[found]])]

    def say(self, site: Site) -> Said:
        message = "A user message stands directly behind a tool message (refused up to 2026-06; Mistral's library takes it since 2026-07)."
        return Said(message, cause="roles", whole=True, words={"role": "user", "before": "tool"})

    def fixes(self, site: Site) -> Sequence[Change]:
        made = Insert(Before(site.row), Made(Kind.TEXT, Role.ASSISTANT, "OK"))
        return [site.change("Insert a message of the assistant between: “OK”", "adds", made)]


RULE = UserAfterTool()
