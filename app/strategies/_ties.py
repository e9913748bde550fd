"""Which exchanges or steps belong together: a place that a call and its result cross is no seam.

Units (exchanges or steps) are numbered as they stand. A unit is dropped with all its rows; where a pair has its ends in two units,
either the late result is *loose* and leaves together with its call, wherever it stands, or both units and all between them become one.
It is loose only where its leaving cannot make anything worse: it is the answer to the last call of its id before it, it may be
touched, its call is dropped no later than it, all calls of the step around it have results, and the turn in which it stands is not
emptied (two assistant messages would become one turn, and what stood behind a call would be refused).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.model.kinds import Flag, Kind, Role
from app.model.provider import Provider
from app.model.table import Ints
from app.model.view import View
from app.strategies._guard import Guard


@dataclass(frozen=True, eq=False)
class Ties:
    """Pairs that touch more than one unit: of each the position of its result, the unit that its call leaves with, the lowest and the
    highest unit that it touches, and whether the result is loose. `held`: units that cannot leave, since a row of them has a partner that
    belongs to no unit, or stands before all units."""

    result: Ints
    older: Ints
    low: Ints
    high: Ints
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


def ties(view: View, provider: Provider, guard: Guard, unit: Ints, standing: Ints) -> Ties:
    """Pairs across units, in the sent part. `unit`: along positions, the unit that a row leaves with; `standing`: the one in whose midst it
    stands (a late result of an older step stands in a newer one); -1 none.

    A result is tied to its partner and to the last call of its id before it: where ids repeat these may be two, and then nobody can
    say which one a provider takes.
    """
    results = view.start + np.flatnonzero(view.kind[view.start :] == Kind.TOOL_RESULT)
    partner = view.links.partner[results].astype(np.int64)
    partner[partner < view.start] = -1
    apart = unit[partner] != unit[results]
    if standing is not unit:
        apart |= (unit[results] != standing[results]) | (unit[partner] != standing[partner])
    odd = (partner < 0) | (partner > results) | apart
    results, partner = results[odd], partner[odd]
    last = _last_call(view, results)
    other = last != partner
    calls = np.concatenate([partner, last[other]])
    answers = np.concatenate([results, results[other]])
    agreed = np.concatenate([~other, (partner < 0)[other]])  # a further result of an answered id belongs to the last call alone
    touched = np.stack([unit[calls], standing[calls], unit[answers], standing[answers]])
    low, high = touched.min(axis=0), touched.max(axis=0)
    across = (calls >= 0) & (low >= 0) & (low != high)
    calls, answers, agreed, low, high = calls[across], answers[across], agreed[across], low[across], high[across]
    loose = agreed & (calls < answers) & (unit[calls] == standing[calls]) & guard.open[answers] & ~view.server[answers]
    loose &= ~_in_open_step(view, answers)
    loose &= _spared(view, provider, answers, loose, (unit >= 0) & (unit != standing))
    return Ties(answers, unit[calls], low, high, loose, _held(view, unit, standing, guard))


def _in_open_step(view: View, answers: Ints) -> Ints:
    """Mask over `answers`: the step in whose midst the result stands has a call without any result. Whether that is said of the one call or
    of the whole turn depends on what stands between."""
    groups = view.groups
    if not len(answers) or not groups.steps:
        return np.zeros(len(answers), bool)
    waiting = (view.kind == Kind.TOOL_CALL) & (view.links.partner < 0) & (groups.step >= 0) & ((view.flags & Flag.ANSWERED) == 0)
    is_open = np.bincount(groups.step[waiting], minlength=groups.steps) > 0
    at = np.searchsorted(groups.step_first, answers, side="right") - 1
    return (at >= 0) & is_open[np.maximum(at, 0)]


def _held(view: View, unit: Ints, standing: Ints, guard: Guard) -> Ints:
    leaves = (unit >= 0) & ~guard.system
    leaves[: view.start] = False
    stays = view.start + np.flatnonzero(~leaves[view.start :] & (view.links.partner[view.start :] >= view.start))
    ends = view.links.partner[stays]
    held = [unit[ends[leaves[ends]]]]
    if standing is not unit:
        held.append(unit[leaves & (standing < 0)])
    return np.unique(np.concatenate(held))


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


def _spared(view: View, provider: Provider, answers: Ints, loose: Ints, elsewhere: Ints) -> Ints:
    """Mask over `answers`: the turn in which the result stands is not emptied when all that is loose leaves, and all that stands
    `elsewhere` than in its unit; and no system message leans on it."""
    if Role.USER not in provider.joins or not loose.any():
        return np.ones(len(answers), bool)
    leaving = elsewhere.copy()
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


def clusters(found: Ties, free: Ints) -> Clusters:
    """Joins units as the ties demand. `free`: whether a unit may be dropped as far as it alone goes."""
    tight = ~found.loose
    free = free.copy()
    free[found.held] = False
    while True:
        of = _joined(found.low[tight], found.high[tight], len(free))
        starts = np.flatnonzero(np.diff(of, prepend=-1))
        free_cluster = np.logical_and.reduceat(free, starts) if len(free) else free
        held = ~tight & ~free_cluster[of[found.older]] & (of[found.low] != of[found.high])
        if not held.any():
            break
        tight |= held
    late = np.flatnonzero(~tight)
    return Clusters(of, free_cluster, found.result[late], of[found.older[late]])


def _joined(low: Ints, high: Ints, count: int) -> Ints:
    """Cluster of each unit when every one from `low` to `high` is of one cluster."""
    if not count:
        return np.empty(0, np.int32)
    cover = np.bincount(low, minlength=count + 1) - np.bincount(high, minlength=count + 1)
    crossed = np.cumsum(cover)[: count - 1] > 0  # between a unit and the next
    return np.concatenate([[0], np.cumsum(~crossed)]).astype(np.int32)
