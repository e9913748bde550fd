"""Which exchanges or steps belong together: a place that a call and its result cross is no seam.

Units (exchanges or steps) are numbered as they stand. A unit is dropped with all its rows; where a pair has its ends in two units,
either the late result is *loose* and leaves together with its call, wherever it stands, or both units and all between them become one.
It is loose only where its leaving cannot make anything worse: it is the answer to the last call of its id before it, it may be
touched, its call is dropped no later than it, and the turn in which it stands is not emptied (two assistant messages would become
one turn, and what stood behind a call would be refused).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.model.kinds import Kind, Role
from app.model.provider import Provider
from app.model.table import Ints
from app.model.view import View
from app.strategies._guard import Guard


@dataclass(frozen=True, eq=False)
class Ties:
    """Pairs whose ends stand in two units: positions of call and result, and whether the result is loose. `held`: units (numbers) of which
    a row has a partner that belongs to no unit, so that they cannot leave."""

    call: Ints
    result: Ints
    loose: Ints
    held: Ints


@dataclass(frozen=True, eq=False)
class Clusters:
    """`of`: cluster of each unit, rising; `free`: whether a cluster may be dropped. `late`, `late_with`: positions of loose results
    and the cluster that each leaves with."""

    of: Ints
    free: Ints
    late: Ints
    late_with: Ints


def ties(view: View, provider: Provider, guard: Guard, unit: Ints, member: Ints) -> Ties:
    """Pairs across units, in the sent part. `unit`: along positions, -1 none; `member`: mask of the rows that leave with a unit.

    A result is tied to its partner and to the last call of its id before it: where ids repeat these may be two, and then nobody can
    say which one a provider takes.
    """
    results = np.flatnonzero((view.kind == Kind.TOOL_RESULT) & (np.arange(len(view)) >= view.start))
    partner = view.links.partner[results].astype(np.int64)
    partner[partner < view.start] = -1
    odd = (partner < 0) | (unit[partner] != unit[results]) | (partner > results)
    results, partner = results[odd], partner[odd]
    last = _last_call(view, results)
    same = last == partner
    calls = np.concatenate([partner, last[~same]])
    answers = np.concatenate([results, results[~same]])
    agreed = np.concatenate([same, np.zeros(int((~same).sum()), bool)])
    agreed |= np.concatenate([partner < 0, (partner < 0)[~same]])  # a further result of an answered id belongs to that call alone
    across = (calls >= 0) & (unit[calls] >= 0) & (unit[answers] >= 0) & (unit[calls] != unit[answers])
    calls, answers, agreed = calls[across], answers[across], agreed[across]
    loose = agreed & (calls < answers) & guard.open[answers] & ~view.server[answers]
    return Ties(calls, answers, loose & _spared(view, provider, answers, loose), _held(view, unit, member & (unit >= 0) & ~guard.system))


def _held(view: View, unit: Ints, leaves: Ints) -> Ints:
    partner = view.links.partner
    ends = view.start + np.flatnonzero(partner[view.start :] >= view.start)
    ends = ends[leaves[ends] & ~leaves[partner[ends]]]
    return np.unique(unit[ends[unit[ends] >= 0]])


def _last_call(view: View, results: Ints) -> Ints:
    """For each of these results the last sent call of its id that stands before it, -1 where none does."""
    found = np.full(len(results), -1, np.int64)
    key = view.key
    wanted = key[results].astype(np.int64)
    calls = np.flatnonzero((view.kind == Kind.TOOL_CALL) & (key >= 0))
    calls = calls[calls >= view.start]
    if not len(calls) or not len(results):
        return found
    width = len(view) + 1
    spot = np.sort(key[calls].astype(np.int64) * width + calls)
    at = np.searchsorted(spot, wanted * width + results) - 1
    hit = (at >= 0) & (wanted >= 0)
    hit[hit] = spot[at[hit]] // width == wanted[hit]
    found[hit] = spot[at[hit]] % width
    return found


def _spared(view: View, provider: Provider, answers: Ints, loose: Ints) -> Ints:
    """Mask over `answers`: the turn in which the result stands is not emptied when all loose ones leave; no system message leans on it."""
    if Role.USER not in provider.joins or not loose.any():
        return np.ones(len(answers), bool)
    leaving = np.zeros(len(view), bool)
    leaving[answers[loose]] = True
    new = np.concatenate([[True], view.message[1:] != view.message[:-1]])
    run, starts = np.cumsum(new) - 1, np.flatnonzero(new)
    ends = np.append(starts[1:], len(view))
    emptied = np.add.reduceat(leaving, starts) == ends - starts
    here = run[answers]
    user = (view.role == Role.USER) & view.in_messages & ~leaving
    system = (view.role == Role.SYSTEM) | (view.role == Role.DEVELOPER)
    before, behind = starts[here] - 1, ends[here]
    some, more = before >= view.start, behind < len(view)
    stays = (some & user[np.maximum(before, 0)]) | (more & user[np.minimum(behind, len(view) - 1)])
    leans = more & system[np.minimum(behind, len(view) - 1)]
    return ~emptied[here] | (stays & ~leans)


def clusters(found: Ties, unit: Ints, free: Ints) -> Clusters:
    """Joins units as the ties demand. `free`: whether a unit may be dropped as far as it alone goes."""
    count = len(free)
    one, other = unit[found.call], unit[found.result]
    low, high = np.minimum(one, other), np.maximum(one, other)
    tight = ~found.loose
    free = free.copy()
    free[found.held] = False
    while True:
        of = _joined(low[tight], high[tight], count)
        starts = np.flatnonzero(np.diff(of, prepend=-1))
        free_cluster = np.logical_and.reduceat(free, starts) if count else np.empty(0, bool)
        held = ~tight & ~free_cluster[of[one]] & (of[one] != of[other])
        if not held.any():
            break
        tight |= held
    late = np.flatnonzero(~tight)
    return Clusters(of, free_cluster, found.result[late], of[one[late]])


def _joined(low: Ints, high: Ints, count: int) -> Ints:
    """Cluster of each unit when every one from `low` to `high` is of one cluster."""
    if not count:
        return np.empty(0, np.int32)
    cover = np.bincount(low, minlength=count + 1) - np.bincount(high, minlength=count + 1)
    crossed = np.cumsum(cover)[: count - 1] > 0  # between a unit and the next
    return np.concatenate([[0], np.cumsum(~crossed)]).astype(np.int32)
