"""A thinking block without a signature (Anthropic).

The provider checks the signature of each thinking block that it gets back; an empty one, or none, is refused. Whether one that is there is
genuine can't be checked offline.

Evidence: anthropics/claude-code#21726, #66204; microsoft/vscode#322138; openclaw/openclaw#120596 (the field absent).

Repair: the block goes; thinking of finished turns may always be left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change
from app.model.findings import Hit
from app.model.kinds import Flag, Kind
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ReasoningSignatureMissing(Rule):
    name = "reasoning-signature-missing"
    summary = "a thinking block without a signature"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not reading.native:
            return []
        unsigned = (view.kind == Kind.REASONING) & ((view.flags & (Flag.SIGNED | Flag.REDACTED)) == 0)
        return [self.hit(reading, np.flatnonzero(unsigned & reading.sent))]

    def say(self, site: Site) -> Said:
        return Said("This thinking block has no signature.", cause="signature")

    def fixes(self, site: Site) -> Sequence[Change]:
        return [_fixes.drop(site, "Drop the thinking block", [site.position])]


RULE = ReasoningSignatureMissing()
