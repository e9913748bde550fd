"""Messages stand before the newest compaction block (Anthropic).

The model does not see them, but they are sent and paid for in bytes, and an error in them still refuses the whole request. A block whose
content is null is of a compaction that failed: what stands before it is seen.

Evidence: pydantic/pydantic-ai@4fda389: round trips of [compaction, text] with status 200 (claude-sonnet-4-6), and models/anthropic.py:594
(what stands before a compaction block is passed over, and still looked at).

Repair: what stands before the block goes, with what belongs to it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Mark
from app.model.provider import Reading
from app.model.table import Ints
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class CompactionBeforeContent(Rule):
    name = "compaction-before-content"
    summary = "messages before the newest compaction block"
    severity = "warning"

    def check(self, reading: Reading) -> Sequence[Hit]:
        at = _newest(reading)
        return [self.hit(reading, reading.wire[at : at + 1])] if at > 0 else []

    def say(self, site: Site) -> Said:
        before = int(site.reading.wire_message[site.position])
        many = f"{before:,} message{'' if before == 1 else 's'}" if before else "blocks"
        return Said(f"The model does not see the {many} before this compaction block; an error in them still counts.", cause="compaction")

    def fixes(self, site: Site) -> Sequence[Change]:
        reading = site.reading
        gone = reading.wire[: _newest(reading)]
        partner = reading.partner[gone]
        away = np.unique(np.concatenate([gone, partner[partner >= 0]]))
        return [_fixes.drop(site, "Drop what stands before it", away[away != site.position].tolist())]


def _newest(reading: Reading) -> int:
    """Index in the wire of the last compaction block that holds something; -1 where there is none."""
    types = reading.view.transcript.table.types
    if not reading.native or "compaction" not in types:
        return -1
    view = reading.view
    holds = (view.type == types.index("compaction")) & ~view.marked(Mark.NOTHING) & ~view.marked(Mark.FAILED)
    found: Ints = np.flatnonzero(holds[reading.wire])
    return int(found[-1]) if len(found) else -1


RULE = CompactionBeforeContent()
