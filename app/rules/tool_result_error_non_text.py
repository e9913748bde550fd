"""A result that is marked as an error and holds an image or a document (Anthropic, Claude on Bedrock).

What says that a tool failed is taken as text alone: a screenshot of the failure is refused with it.

Evidence: text-index ids 54726482882, 70604783719; of Claude on Bedrock 71089437572.

Repair: the mark goes; what the result holds stays.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import DELETE, Change, Set
from app.model.findings import Hit
from app.model.kinds import Flag
from app.model.provider import Reading
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ToolResultErrorNonText(Rule):
    name = "tool-result-error-non-text"
    summary = "a result that is marked as an error and holds an image"
    any_of = Flag.ERROR

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        both = Flag.ERROR | Flag.MEDIA
        return [self.hit(reading, np.flatnonzero(view.results & reading.sent & ((view.flags & both) == both)))]

    def say(self, site: Site) -> Said:
        return Said("This result is marked as an error and holds more than text.", ids=site.ids, cause="image in an error")

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Take the error mark away", "loses", Set(site.row, "block.is_error", DELETE))]


RULE = ToolResultErrorNonText()
