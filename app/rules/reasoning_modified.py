"""Two thinking blocks side by side in the latest assistant turn (Anthropic, Claude on Bedrock).

The blocks of the latest assistant turn must be what the model wrote. Whether a text was changed can't be seen without the original; two
`thinking` blocks next to each other can: the model writes none, a merge of two responses does.

Evidence: anthropics/claude-code#19539, #63203, #63404; Yeachan-Heo/gajae-code#4418 (reproduced against the live endpoint).

Repair: the block of the response that made the calls stays, the other one goes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Flag, Kind, Role
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ReasoningModified(Rule):
    name = "reasoning-modified"
    summary = "two thinking blocks side by side in the latest assistant turn"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        turns = np.flatnonzero(reading.turn_role == Role.ASSISTANT)
        if not len(turns) or not reading.native:
            return []
        rows = reading.of_turn(int(turns[-1]))
        plain = (view.kind[rows] == Kind.REASONING) & ((view.flags[rows] & Flag.REDACTED) == 0)
        return [self.hit(reading, rows[1:][plain[1:] & plain[:-1]])]

    def say(self, site: Site) -> Said:
        before = self._before(site)
        return Said("Two thinking blocks stand side by side; one response has only one in a place.",
                    f"The other one stands at {site.scene.pointer(before)}.", cause=f"turn {site.turn}")  # fmt: skip

    def fixes(self, site: Site) -> Sequence[Change]:
        return [_fixes.drop(site, "Drop the thinking block before it", [self._before(site)])]

    def _before(self, site: Site) -> int:
        rows = site.reading.of_turn(site.turn)
        return int(rows[np.flatnonzero(rows == site.position)[0] - 1])


RULE = ReasoningModified()
