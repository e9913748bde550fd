"""A compaction block whose content is the empty string (Anthropic), or a compaction item without its ciphertext (OpenAI Responses).

Anthropic: null stands for a compaction that failed and is passed over; the empty string is refused. OpenAI asks for `encrypted_content`:
it is all that such an item holds.

Evidence: anthropics/anthropic-sdk-typescript@bfa9197, src/resources/beta/messages/messages.ts ("Empty string content is not allowed");
openai/openai-openapi@f85dbe2 openapi.yaml, CompactionSummaryItemParam.

Repair: the block goes: it says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Drop
from app.model.findings import Hit
from app.model.kinds import Kind, Mark
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class CompactionContentEmpty(Rule):
    name = "compaction-content-empty"
    summary = "a compaction block without content"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native or Mark.NOTHING not in view.transcript.table.marks:
            return []
        return [self.hit(reading, np.flatnonzero(view.marked(Mark.NOTHING) & (view.kind == Kind.OTHER) & reading.sent))]

    def say(self, site: Site) -> Said:
        if site.scene.table.item is not None:
            return Said("This compaction item holds nothing: its `encrypted_content` is not there.", cause="empty compaction")
        return Said("The content of this compaction block is empty; it has a summary, or null.", cause="empty compaction")

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Drop the empty block", "exact", Drop(_fixes.rows(site, [site.position])))]


RULE = CompactionContentEmpty()
