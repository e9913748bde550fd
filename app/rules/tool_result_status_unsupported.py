"""A result that says whether it is an error, for a model that takes no such mark (Writer's Palmyra on Bedrock).

Evidence: pydantic/pydantic-ai, providers/bedrock.py (it leaves the status out for Writer).

Repair: the mark goes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Change, Set
from app.model.findings import Hit
from app.model.kinds import Mark
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ToolResultStatusUnsupported(Rule):
    name = "tool-result-status-unsupported"
    summary = "a result with a status, for a model that takes none"

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        return [self.hit(reading, np.flatnonzero(view.results & reading.sent & view.marked(Mark.STATUS)))]

    def say(self, site: Site) -> Said:
        return Said("This result has a status, which the model does not take.", ids=site.ids, cause="status")

    def fixes(self, site: Site) -> Sequence[Change]:
        error = site.block is not None and site.block.error
        return [site.change("Take the status away", "loses" if error else "exact", Set(site.row, "block.status", DELETE))]


RULE = ToolResultStatusUnsupported()
