"""Cut risk: how many of the places between messages part a call from its result, for whoever cuts by messages.

A pass that keeps "the newest n messages" cuts at one of these places without looking. What that makes of sessions is a product: where 12 of
100 sessions are compacted and 27 of 100 places are bad, one session in 31 ends in a request that is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.model.kinds import Kind
from app.model.view import View

COMPACTING: Final = 0.12
"""A share of sessions that are compacted, to have a figure to speak of."""


@dataclass(frozen=True)
class CutRisk:
    """`places` between neighbouring messages of what would be sent, and how many of them are `bad`."""

    places: int
    bad: int

    @property
    def share(self) -> float:
        return self.bad / self.places if self.places else 0.0

    def one_in(self, compacting: float = COMPACTING) -> int | None:
        """One session of how many ends broken, where this share of them is compacted; None where none does."""
        risk = self.share * compacting
        return round(1 / risk) if risk > 0 else None

    def words(self) -> str:
        """A sentence; "" where there is nothing to cut between."""
        if not self.places:
            return ""
        share = f"{self.bad:,} of {self.places:,} places between messages ({round(100 * self.share)} %) part a call from its result"
        one_in = self.one_in()
        if one_in is None:
            return f"no place between messages parts a call from its result ({self.places:,} places)"
        return f"{share}; where {round(100 * COMPACTING)} in 100 sessions are cut by messages, one in {one_in:,} breaks"


def cut_risk(view: View) -> CutRisk:
    """Of the sent part of a view; made once for it."""
    key = ("cut risk",)
    if key not in view.readings:
        view.readings[key] = _risk(view)
    found: CutRisk = view.readings[key]
    return found


def _risk(view: View) -> CutRisk:
    inside = view.in_messages.copy()
    inside[: view.start] = False
    numbers, rank = np.unique(view.message[inside], return_inverse=True)
    place = np.full(len(view), -1, np.int64)
    place[inside] = rank
    calls = np.flatnonzero(inside & (view.kind == Kind.TOOL_CALL) & (view.links.partner >= view.start))
    first, last = place[calls], place[view.links.partner[calls]]
    apart = (first >= 0) & (last > first)
    crossed = np.zeros(len(numbers) + 1, np.int64)
    np.add.at(crossed, first[apart] + 1, 1)
    np.add.at(crossed, last[apart] + 1, -1)
    bad = int((np.cumsum(crossed)[1 : len(numbers)] > 0).sum())
    return CutRisk(max(0, len(numbers) - 1), bad)
