"""Exchanges as units that can be dropped whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.model.plan import NEVER
from app.model.table import Ints
from app.strategies._guard import Guard
from app.strategies._savings import never
from app.strategies._strategy import Ask
from app.strategies._ties import Clusters, clusters, ties


@dataclass(frozen=True, eq=False)
class Drops:
    """For each position the action that drops it, for each action the position before which it cuts."""

    drop_at: Ints
    seam: Ints


def exchange_drops(ask: Ask, guard: Guard, strict: bool = False) -> Drops:
    """Exchanges, the oldest first: never the live one, never one in which a pinned row stands, never the one that holds the newest step.
    Those that a pair crosses go together, or, unless `strict`, the late result leaves with the older one."""
    view, groups = ask.view, ask.view.groups
    free = np.ones(groups.exchanges, bool)
    held = np.unique(groups.exchange[guard.pinned & ~guard.system]).tolist() if guard.pinned.any() else ()
    free[[e for e in (*held, guard.live, guard.newest_exchange) if 0 <= e < len(free)]] = False
    found = ties(view, ask.provider, guard, groups.exchange, groups.exchange)
    if strict:
        found.loose[:] = False
    joined = clusters(found, free)
    cluster = np.where(groups.exchange >= 0, joined.of[groups.exchange] if len(joined.of) else -1, -1)
    can = guard.open & (cluster >= 0)
    can[can] = joined.free[cluster[can]]
    action, count = numbered(cluster[can], joined)
    drop_at = never(len(view))
    drop_at[can] = action[cluster[can]]
    leave_late(drop_at, joined, action)
    last = np.append(np.flatnonzero(np.diff(joined.of)), groups.exchanges - 1)  # last exchange of each cluster
    ends = np.append(groups.first, len(view))[last + 1] if len(joined.of) else last
    seam = np.zeros(count, np.int32)
    done = action < NEVER
    seam[action[done]] = ends[done]
    return Drops(drop_at, seam)


def numbered(clusters_of_rows: Ints, joined: Clusters) -> tuple[Ints, int]:
    """Action of each cluster that has a row to drop, oldest first, NEVER for the others; and how many actions there are."""
    some = np.bincount(clusters_of_rows, minlength=len(joined.free)) > 0
    return np.where(some, np.cumsum(some) - 1, NEVER).astype(np.int32), int(some.sum())


def leave_late(drop_at: Ints, joined: Clusters, action: Ints) -> None:
    """Loose results leave with their call, in place."""
    if len(joined.late):
        drop_at[joined.late] = np.minimum(drop_at[joined.late], action[joined.late_with])


def whole_after(unit: Ints, rows: Ints, drop_at: Ints, actions: int) -> tuple[Ints, int]:
    """How many units still have a row after n actions, and how many there are. `unit`: along positions, -1 none; `rows`: mask of those
    that count."""
    inside = np.flatnonzero(rows & (unit >= 0))
    if not len(inside):
        return np.zeros(actions + 1, np.int32), 0
    last = np.full(int(unit[inside].max()) + 1, -1, np.int32)
    np.maximum.at(last, unit[inside], drop_at[inside])
    units = int((last >= 0).sum())
    gone = np.bincount(last[(last >= 0) & (last < NEVER)], minlength=actions)
    return np.concatenate([[units], units - np.cumsum(gone)]).astype(np.int32), units
