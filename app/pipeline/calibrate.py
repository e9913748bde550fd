"""Calibrate: what the dump itself records of its requests, beside what we count of them. It shows, it never counts.

The recorded input of one request minus that of the one before is what the blocks appended between them cost. One factor for all
is wrong at both ends (on a real session the ratio needed ran from 1.16 to 1.41), so the median is given with its quartiles, and what
the first request has beyond its own blocks (system text, tools, template: *not in the dump*) is a number of its own.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from app.model.provider import Provider
from app.model.table import Ints
from app.model.tokens import Calibration, Recorded, Tokens
from app.model.view import View
from app.pipeline.weigh import weigh

FALL: Final = 8_000  # tokens; a smaller fall is reasoning that the provider took out, or another cache
SHARE: Final = 0.25
AHEAD: Final = 3  # requests that a fall must last to be a compaction and not a request on the side


def recorded(view: View) -> Recorded:
    """Usage by step, -1 where the dump records none: input, cache read and cache written of the step's first request that has a
    usage, output of all its requests."""
    steps = view.groups.steps
    columns = [np.full(steps, -1, np.int64) for _ in range(4)]
    usages = view.transcript.table.usages
    step = _step_of_messages(view)
    inside = (usages.message >= 0) & (usages.message < len(step))
    at = np.where(inside, step[np.where(inside, usages.message, 0)], -1)
    known = np.flatnonzero(at >= 0)
    first = known[::-1]  # the last write wins: the first request of the step
    for column, values in zip(columns, (usages.input, usages.cache_read, usages.cache_write), strict=False):
        column[at[first]] = values[first]
    output = np.bincount(at[known], weights=usages.output[known], minlength=steps).astype(np.int64)
    seen = columns[0] >= 0
    columns[3][seen] = output[seen]
    return Recorded(*columns)


def _step_of_messages(view: View) -> Ints:
    """For each message number of the table the step in which it begins, -1 where it is in none."""
    message = view.transcript.table.message
    step = np.full(int(message.max(initial=-1)) + 1, -1, np.int64)
    inside = np.flatnonzero(view.in_messages & (message[view.rows] >= 0))[::-1]
    step[message[view.rows[inside]]] = view.groups.step[inside]
    return step


def calibrate(view: View, tokens: Tokens, provider: Provider, recorded: Recorded | None) -> Calibration | None:
    """Recorded over counted of what was appended between requests; None where the dump records no usage.

    Fit it on the dump as it was opened, never after an edit.
    """
    if recorded is None:
        return None
    steps = np.flatnonzero(recorded.input > 0)
    if not len(steps):
        return None
    if view.message_overhead is None:
        weigh(view, tokens, provider)
    assert view.message_overhead is not None
    before = _counted_before(view, tokens, view.message_overhead)
    start = view.groups.step_first[steps]
    steps, start = steps[np.argsort(start, kind="stable")], np.sort(start)
    told = recorded.input[steps]
    steady = _steady(told)
    told, counted = told[steady], before[start[steady]]
    grew, added = np.diff(told), np.diff(counted)
    usable = (grew > 0) & (added > 0)
    if not usable.any():
        return Calibration(1.0, max(0, int(told[0] - counted[0])), 1)
    low, factor, high = np.percentile(grew[usable] / added[usable], [25, 50, 75])
    own = counted[0] - _unsent_before(view, before, int(start[steady][0]))
    offset = max(0, round(float(told[0]) - float(factor) * float(own)))
    return Calibration(float(factor), offset, int(usable.sum()) + 1, float(low), float(high))


def _counted_before(view: View, tokens: Tokens, overhead: Ints) -> Ints:
    """Tokens that stand before each position, messages' overhead at their first row; one entry more than positions."""
    own = tokens.own[view.rows].astype(np.int64)
    message = view.message
    inside = np.flatnonzero(message >= 0)[::-1]
    first = np.full(len(overhead), -1, np.int64)
    first[message[inside]] = inside
    live = first >= 0
    own[first[live]] += overhead[live]
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(own)])


def _unsent_before(view: View, before: Ints, first: int) -> int:
    """Of what stands before the first recorded request, the tokens that lie behind a wall, where that request was sent after it."""
    return int(before[view.start]) if first >= view.start else 0


def _steady(told: Ints) -> Ints:
    """Indices of the requests without those on the side: an input that falls by FALL and SHARE and is made good within AHEAD requests
    belongs to another conversation (a title, a probe of a cheaper model). A fall that lasts is a compaction; no pair across it grows."""
    kept, inputs = [0], told.tolist()
    for i in range(1, len(inputs)):
        last = inputs[kept[-1]]
        most = last - max(FALL, SHARE * last)
        if inputs[i] <= most and any(later > most for later in inputs[i + 1 : i + 1 + AHEAD]):
            continue
        kept.append(i)
    return np.asarray(kept, np.int64)
