"""A further result of a call that has one, where the provider takes that.

Where it does not, the finding is an error of its own (`tool-result-duplicate`). Two results of one call are two reports of one act, or
traces of an act that was done twice.

Evidence: none is needed: both results stand in the dump.

Repair: none; nothing is wrong with the request.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.model.findings import Hit
from app.model.provider import Defect, Reading
from app.rules._rule import Rule, Said
from app.rules._said import named
from app.rules._scene import Site


class ResultRepeated(Rule):
    name = "result-repeated"
    summary = "a further result of a call that has one"
    severity = "note"
    everywhere = True

    def check(self, reading: Reading) -> Sequence[Hit]:
        view = reading.view
        if not view.links.extra.any():
            return []
        found = np.flatnonzero(view.links.extra & view.results & reading.sent & (reading.defect == Defect.NONE))
        return [self.hit(reading, found, view.rows[_before(reading, found)])]

    def related(self, site: Site) -> int:
        return site.detail

    def say(self, site: Site) -> Said:
        before = site.scene.view.at(site.detail)
        reason = f"The one before it stands at {site.scene.pointer(before)}." if before >= 0 and before != site.position else ""
        return Said(f"This result {named(site)}came a second time.", reason, site.ids, f"results {site.id}")


def _before(reading: Reading, found: np.ndarray[tuple[int], np.dtype[np.int64]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each further result the last one of its id before it; itself where there is none."""
    view = reading.view
    results = np.flatnonzero(view.results & reading.sent)
    by = results[np.argsort(view.key[results], kind="stable")]
    at = np.empty(len(view), np.int64)
    at[by] = np.arange(len(by))
    before = by[np.maximum(at[found] - 1, 0)]
    return np.where(view.key[before] == view.key[found], before, found)


RULE = ResultRepeated()
