"""A session as the requests that were sent, replayed under a strategy: nouns only (app/pipeline/replay.py does it).

Request k carries what stands before the first row of step k and behind the last wall before that; the last one is what would be sent now,
where something waits for an answer. A *compaction* is done when a request would be larger than the trigger; what it leaves is what the
following requests go on from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from app.model.errors import InspectorError
from app.model.prices import Prices
from app.model.table import Ints
from app.model.view import View

TRIGGER: Final = 0.9
"""Of what fits: share at which a compaction is due (180,000 of 200,000 in the measured runs; Codex compacts at nine tenths)."""

PAUSE: Final = 0.01
"""Of what fits: growth after which a request that could not be brought under the trigger is compacted again."""

TARGET: Final = 0.5
"""Of the trigger: share down to which it goes (Agent Framework's default)."""

WHY: Final = (
    "Freeing no more than is missing looks thrifty and is not. Each compaction changes something early in the request, and all that "
    "stands behind it is sent anew at the price of a cache write. What is freed beyond the deficit buys requests until that happens "
    "again: look at the cost beside the requests between two compactions."
)
"""Why the least overshoot is not the cheapest, for whoever reads the table."""


@dataclass(frozen=True)
class Setup:
    """What a replay goes by. Tokens. `window`: of the model, `room` of it kept for the answer; `trigger`: a request over it is compacted
    first; `target`: how far. `beside`: what every request carries that is not in the dump. `kept`: a compaction is remembered; else
    every request over the trigger is compacted anew from the whole history."""

    window: int
    room: int
    trigger: int
    target: int
    prices: Prices = field(default_factory=Prices)
    beside: int = 0
    kept: bool = True

    @property
    def pause(self) -> int:
        """By how much a request has to grow that could not be brought under the trigger, before it is tried again."""
        return int(self.limit * PAUSE)

    @property
    def limit(self) -> int:
        """The largest request that a provider takes."""
        return self.window - self.room

    @classmethod
    def of(
        cls, window: int, room: int = 0, trigger: str | int | None = None, target: str | int | None = None, prices: Prices | None = None,
        beside: int = 0, kept: bool = True,
    ) -> Setup:  # fmt: skip
        """`trigger` and `target` as numbers or shares: `90%` of what fits, `50%` of the trigger. InspectorError, one line, where they
        do not go together."""
        limit = window - room
        if limit <= 0:
            raise InspectorError(f"a window of {window:,} leaves nothing beside {room:,} tokens for the answer")
        due = _amount("trigger", trigger, limit, TRIGGER)
        least = _amount("target", target, due, TARGET)
        if due > limit:
            raise InspectorError(f"a trigger of {due:,} lies over the {limit:,} tokens that fit; it would never be reached in time")
        if least > due:
            raise InspectorError(f"a target of {least:,} lies over the trigger of {due:,}; nothing would be freed")
        return cls(window, room, due, least, prices or Prices(), beside, kept)


def _amount(what: str, given: str | int | None, whole: int, default: float) -> int:
    if given is None:
        return max(1, int(whole * default))
    text = str(given).strip().replace(",", "")
    try:
        number = float(int(text)) if not text.endswith("%") else max(1.0, whole * share / 100) if (share := float(text[:-1])) > 0 else -1.0
    except ValueError:
        number = -1.0
    if not 1 <= number < 1e12:
        raise InspectorError(f"{what}: {given!r} is neither a number of tokens nor a share like 50%")
    return int(number)


@dataclass(frozen=True)
class Compaction:
    """One compaction: in front of which request (its column), tokens before and after, the row that changed first (-1: none did), tokens
    in front of it that the cache still holds (`prefix`), tokens of the request before that it no longer serves (`lost`), of these those
    that are sent again (`again`), blocks that went and blocks that were shortened, how many units were taken, and errors that were not
    there before (None: not checked)."""

    column: int
    before: int
    after: int
    row: int
    prefix: int
    lost: int
    again: int
    dropped: int
    replaced: int
    actions: int
    deficit: int
    new_errors: int | None = None

    @property
    def freed(self) -> int:
        return self.before - self.after

    @property
    def overshoot(self) -> float:
        """What was freed in deficits."""
        return self.freed / self.deficit if self.deficit else 0.0


@dataclass(eq=False)
class Run:
    """A strategy replayed. Along the session's requests, int64: `sent`, -1 from where the session would have ended; `read`, of it from the
    cache. `refused`: index of the first request that a provider would refuse, -1 none known; `why`: window or errors.
    `checked`: whether every compaction was really checked."""

    spec: str
    strategy: str
    sent: Ints
    read: Ints
    compactions: tuple[Compaction, ...] = ()
    refused: int = -1
    why: str = ""
    extra: float = 0.0  # cost of summaries that a model would have written
    breaks_pairs: bool = False
    asks_model: bool = False
    failed: str = ""  # it could not be replayed: one line
    checked: bool = False
    unit: float = 0.0  # mean tokens of what one action takes
    left: Ints | None = None  # along rows: the column from which on it is not carried any more, as many as there are where it always is
    changed: Ints | None = None  # along rows: the column from which on it is carried otherwise than it was

    @property
    def length(self) -> int:
        """How many requests were sent."""
        gone = np.flatnonzero(self.sent < 0)
        return int(gone[0]) if len(gone) else len(self.sent)

    @cached_property
    def total(self) -> int:
        return int(self.sent[: self.length].sum())

    @cached_property
    def reads(self) -> int:
        return int(self.read[: self.length].sum())

    @property
    def writes(self) -> int:
        return self.total - self.reads

    @property
    def again(self) -> int:
        """Tokens that were sent before and had to be written anew."""
        return sum(one.again for one in self.compactions)

    @property
    def breaks(self) -> int:
        """Requests at which the cache was lost behind some place."""
        return sum(one.lost > 0 for one in self.compactions)

    def cost(self, prices: Prices) -> float:
        """In tokens of fresh input."""
        return prices.read * self.reads + prices.write * self.writes + self.extra

    @cached_property
    def deficit(self) -> float:
        """What a compaction typically had to free: the median."""
        found = sorted(one.deficit for one in self.compactions if one.deficit > 0)
        return float(np.median(found)) if found else 0.0

    @property
    def lumps(self) -> float | None:
        """Mean unit over typical deficit: from about 1 on a strategy cannot hit what it aims at. None where nothing was compacted."""
        return self.unit / self.deficit if self.deficit and self.unit else None

    @cached_property
    def overshoot(self) -> float | None:
        """The median of what was freed, in deficits; None where nothing had to be."""
        found = [one.overshoot for one in self.compactions if one.deficit > 0]
        return float(np.median(found)) if found else None

    @property
    def gap(self) -> float | None:
        """Requests from one compaction to the next, the mean; None where there are none or one."""
        columns = [one.column for one in self.compactions]
        return (columns[-1] - columns[0]) / (len(columns) - 1) if len(columns) > 1 else None

    @property
    def next(self) -> int | None:
        """Requests between the first compaction and the next trigger; None where that is not reached."""
        columns = [one.column for one in self.compactions]
        return columns[1] - columns[0] if len(columns) > 1 else None


@dataclass(eq=False)
class Replay:
    """`columns`: for each request its step; as many as there are steps for the one that would be sent now. `none`: without any
    compaction, whatever the window."""

    setup: Setup
    columns: Ints
    none: Run
    runs: tuple[Run, ...] = ()
    walls: int = 0  # compactions that the dump itself records, which stand in every run
    unsent: bool = False  # the last request is the one to be sent

    @property
    def calm(self) -> str:
        """Where no request is over the trigger: why nothing is compacted; "" where one is."""
        most = int(self.none.sent.max(initial=0))
        if most > self.setup.trigger:
            return ""
        largest = f"the largest request has {most:,} tokens, the trigger is {self.setup.trigger:,}"
        return f"{largest}: no strategy has anything to do; a smaller window shows what each would do"

    def share(self, run: Run) -> float:
        """Cost of a run over that of the same requests without compaction."""
        count = run.length
        prices = self.setup.prices
        read, sent = int(self.none.read[:count].sum()), int(self.none.sent[:count].sum())
        base = prices.read * read + prices.write * (sent - read)
        return run.cost(prices) / base if base else 1.0

    def reached(self, column: int) -> int:
        """The first request at or behind a column, as many as there are where none is."""
        return int(np.searchsorted(self.columns, column))


@dataclass(frozen=True)
class Sweep:
    """The same strategy at another target: `target` tokens, cost over that without compaction, compactions, requests between them (None:
    one or none), and whether the session was carried to its end."""

    target: int
    cost: float
    compactions: int
    gap: float | None
    ended: bool


def walls_of(view: View) -> Ints:
    """Positions behind which nothing of what stands before is carried, rising: recorded compactions, and where the sent part begins."""
    at = [view.at(wall.row) for wall in view.transcript.walls]
    hiding = [one for one in at if 0 < one < view.start]
    return np.unique(hiding + ([view.start] if 0 < view.start <= len(view) else [])).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Seen:
    """What the model saw at a request: its column (see Replay), a mask over positions, and under which strategy ("": as it was)."""

    column: int
    mask: Ints
    strategy: str = ""

    @property
    def blocks(self) -> int:
        return int(self.mask.sum())


def seen_at(view: View, column: int, run: Run | None = None) -> Seen:
    """What a request of the transcript carried, or would have carried under a run that knows when each row left."""
    groups, count = view.groups, len(view)
    first = np.maximum.accumulate(groups.step_first.astype(np.int64)) if groups.steps else np.empty(0, np.int64)
    column = min(max(column, 0), groups.steps)
    bound = int(first[column]) if column < groups.steps else count
    walls = walls_of(view)
    behind = walls[walls <= bound]
    at = np.arange(count)
    mask = (at < bound) & (at >= (int(behind[-1]) if len(behind) else 0))
    mask |= ~view.in_messages & (at >= view.start)
    if run is not None and run.left is not None:
        known = view.rows < len(run.left)
        mask[known] &= run.left[view.rows[known]] > column
    return Seen(column, mask, run.strategy if run is not None else "")


def figures(replay: Replay, run: Run) -> dict[str, Any]:
    """A run in the shapes of `replay --json`, but for the path, the transcript and the counter."""
    count = run.length
    refused = None
    if run.refused >= 0:
        refused = {"request": int(replay.columns[run.refused]) + 1, "why": run.why}
    return {
        "strategy": run.spec, "requests": len(replay.columns), "sent_requests": count, "tokens_sent": run.total,
        "cache_read": run.reads, "cache_written": run.writes, "written_again": run.again, "cache_breaks": run.breaks,
        "cost": round(run.cost(replay.setup.prices)), "cost_share": round(replay.share(run), 4), "refused": refused,
        "checked": run.checked, "unit_tokens": round(run.unit), "typical_deficit": round(run.deficit),
        "unit_to_deficit": None if run.lumps is None else round(run.lumps, 3),
        "overshoot": None if run.overshoot is None else round(run.overshoot, 3),
        "requests_between": None if run.gap is None else round(run.gap, 1), "requests_to_next": run.next,
        "compactions": [
            {
                "request": one.column + 1, "before": one.before, "after": one.after, "prefix_kept": one.prefix, "written_again": one.again,
                "dropped": one.dropped, "replaced": one.replaced, "overshoot": round(one.overshoot, 3), "new_errors": one.new_errors,
            }
            for one in run.compactions
        ],
    }  # fmt: skip
