"""Where the provider's cache was lost, by what the dump records: less was read from it although no less was sent.

A loss counts from 2,000 tokens and a twentieth of what was read before on (the bounds of pydantic-ai-harness's detector). Its cause is what
stands in the dump between the two requests, the surest first; where nothing does, that is said and not guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.model.replay import walls_of
from app.model.table import Ints
from app.model.tokens import Recorded
from app.model.view import View

LEAST: Final = 2_000
SHARE: Final = 0.05
SHORT: Final = 5 * 60.0  # seconds that Anthropic keeps a cache unless told otherwise (docs.claude.com, prompt caching)
LONG: Final = 60 * 60.0  # ... and where it is told so
UNKNOWN: Final = "nothing in the dump tells why: system text, tools or cache marks that it does not hold may have changed"


@dataclass(frozen=True)
class CacheLoss:
    """At the request of `step`: tokens read from the cache at the request `before` (a step) and here, and why, in words. `row`: the first
    place of the dump that changed between them, -1 where none is known."""

    step: int
    before: int
    read_before: int
    read: int
    cause: str
    row: int = -1

    @property
    def words(self) -> str:
        return f"the cache was lost: {self.read:,} tokens read from it, {self.read_before:,} at the request before; {self.cause}"


def cache_losses(view: View, recorded: Recorded) -> list[CacheLoss]:
    """In the order of the requests. `view`: the transcript as opened, of which `recorded` was read."""
    known = np.flatnonzero((recorded.input >= 0) & (recorded.cache_read >= 0))
    if len(known) < 2 or len(recorded.input) != view.groups.steps:
        return []
    read, sent = recorded.cache_read[known], recorded.input[known]
    fell = read[:-1] - read[1:]
    lost = (fell >= LEAST) & (fell > SHARE * read[:-1]) & (sent[1:] >= sent[:-1])
    return [_loss(view, int(known[i]), int(known[i + 1]), int(read[i]), int(read[i + 1])) for i in np.flatnonzero(lost).tolist()]


def _loss(view: View, before: int, step: int, read_before: int, read: int) -> CacheLoss:
    first = view.groups.step_first
    begin, end = int(first[before]), int(first[step])
    walls: Ints = walls_of(view)
    between = walls[(walls > begin) & (walls <= end)]
    if len(between):
        return CacheLoss(step, before, read_before, read, "a recorded compaction stands between", int(view.rows[between[0]]))
    records = view.transcript.table.records
    a, b = (int(view.transcript.table.record[view.rows[at]]) for at in (begin, end))
    if a >= 0 and b >= 0 and records.model[a] >= 0 and records.model[b] >= 0 and records.model[a] != records.model[b]:
        models = view.transcript.table.models
        return CacheLoss(step, before, read_before, read, f"another model: {models[records.model[a]]}, then {models[records.model[b]]}")
    gap = _gap(view, begin, end)
    if gap > SHORT:
        kept = "an hour" if gap > LONG else "5 minutes"
        return CacheLoss(step, before, read_before, read, f"{_span(gap)} since the request before: longer than a cache of {kept} is kept")
    return CacheLoss(step, before, read_before, read, UNKNOWN)


def _gap(view: View, begin: int, end: int) -> float:
    """Seconds between two requests, by when their answers are recorded; 0 where that is not told."""
    table = view.transcript.table
    record = table.record[view.rows[[begin, end]]]
    if (record < 0).any():
        return 0.0
    a, b = table.records.time[record]
    return 0.0 if np.isnan(a) or np.isnan(b) else float(b - a)


def _span(seconds: float) -> str:
    minutes = seconds / 60
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.0f} hours" if minutes < 48 * 60 else f"{minutes / 1440:.0f} days"
