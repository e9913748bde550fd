"""A result that is marked as an error and holds an image or a document (Anthropic).

Evidence: reports of "all content must be type `text` if `is_error` is true", of Claude on Bedrock too.

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
