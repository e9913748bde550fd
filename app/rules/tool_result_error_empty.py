"""A result that is marked as an error and holds nothing (Bedrock).

An empty list is taken where the status says success, or nothing.

Evidence: aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15.

Repair: a text is put in its place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.edits import Change, Set
from app.model.findings import Hit
from app.model.kinds import Flag
from app.model.provider import Reading
from app.rules import _fixes
from app.rules._rule import Rule, Said
from app.rules._scene import Site


class ToolResultErrorEmpty(Rule):
    name = "tool-result-error-empty"
    summary = "a result that is marked as an error and holds nothing"
    any_of = Flag.ERROR

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        nothing = (view.flags & (Flag.CONTENT_NONE | Flag.CONTENT_NULL)) != 0
        return [self.hit(reading, np.flatnonzero(view.results & nothing & ((view.flags & Flag.ERROR) != 0) & reading.sent))]

    def say(self, site: Site) -> Said:
        return Said("This result is marked as an error and has no content.", ids=site.ids, cause="empty error")

    def fixes(self, site: Site) -> Sequence[Change]:
        return [site.change("Put “(empty)” in its place", "adds", Set(site.row, "content", _fixes.EMPTY))]


RULE = ToolResultErrorEmpty()
