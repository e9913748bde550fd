"""Two messages of one role in a row (Bedrock).

Refused in reports of 2024 up to 2025-03 (Claude 3 and 3.5), and none with a date since: a warning, since the dates disagree. What is sure
is that results in a second message do not count (`tool-results-split-across-messages`). Anthropic, OpenAI, Gemini and Mistral take it.

Evidence: Portkey-AI/gateway#748 (2024-11); microsoft/semantic-kernel#10281 (2025-03); langchain-ai/langchainjs#6724; against it
strands-agents/harness-sdk#120 and pydantic-ai of 2026-08 ("Bedrock re-merges consecutive same-role turns").

Repair: the second message is put into the first; nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import After, Change, Edit, Move
from app.model.findings import Hit
from app.model.kinds import Kind, Role
from app.model.provider import Defect, Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class RoleAlternation(Rule):
    name = "role-alternation"
    summary = "two messages of one role in a row"
    severity = "warning"

    def check(self, reading: Reading) -> Sequence[Hit]:
        role = reading.turn_role
        split = np.zeros(reading.turns, bool)  # results that belong into the message before: they are found as such
        split[reading.turn[reading.defect == Defect.RESULTS_SPLIT]] = True
        again = np.flatnonzero((role[1:] == role[:-1]) & np.isin(role[1:], (Role.USER, Role.ASSISTANT)) & ~split[1:]) + 1
        return [self.hit(reading, reading.wire[reading.turn_start[again]])]

    def say(self, site: Site) -> Said:
        role = Role(int(site.scene.view.role[site.position])).name.lower()
        message = f"This is a second message of the {role} in a row (refused up to 2025-03, in no report since)."
        return Said(message, cause="roles", whole=True)

    def fixes(self, site: Site) -> Sequence[Change]:
        reading, view = site.reading, site.scene.view
        before, here = reading.of_turn(site.turn - 1), reading.of_turn(site.turn)
        if (view.kind[np.concatenate([before, here])] == Kind.EMPTY).any() or not site.scene.table.joins:
            return []
        anchor = site.row_of(int(before[-1]))
        edits: list[Edit] = []
        for at in here.tolist():
            edits.append(Move(site.row_of(at), After(anchor, join=True)))
            anchor = site.row_of(at)
        return [site.change("Put it into the message before it", "exact", *edits)]


RULE = RoleAlternation()
