"""Columns of codes: the n-th of one paired with the n-th of another, or a queue; which of them there are. No loop over rows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.model.table import Ints


def nth(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Pairs the n-th entry of a code in `left` with the n-th entry of the same code in `right`.

    `left`, `right`: integer codes, in the order in which they count. Gives for each entry the index of its partner in the other
    column, -1 where it has none (int64).
    """
    of_left, of_right = np.full(len(left), -1, np.int64), np.full(len(right), -1, np.int64)
    if not len(left) or not len(right):
        return of_left, of_right
    by_left, by_right = np.argsort(left, kind="stable"), np.argsort(right, kind="stable")
    codes, others = left[by_left], right[by_right]
    rank = np.arange(len(codes)) - np.searchsorted(codes, codes)
    first = np.searchsorted(others, codes)
    hit = first + rank < np.searchsorted(others, codes, side="right")
    ours, theirs = by_left[hit], by_right[first[hit] + rank[hit]]
    of_left[ours] = theirs
    of_right[theirs] = ours
    return of_left, of_right


def queued(left: Ints, left_at: Ints, right: Ints, right_at: Ints) -> tuple[Ints, Ints]:
    """Pairs each entry of `right` with the oldest entry of its code in `left` that stands before it and is still free.

    `left_at`, `right_at`: where each entry stands, all different. Gives what `nth` gives.
    """
    of_left, of_right = np.full(len(left), -1, np.int64), np.full(len(right), -1, np.int64)
    if not len(left) or not len(right):
        return of_left, of_right
    size = len(left) + len(right)
    code = np.concatenate([left, right]).astype(np.int64)
    by = np.lexsort((np.concatenate([left_at, right_at]), code))
    code = code[by]
    opens = by < len(left)
    new = np.ones(size, bool)
    new[1:] = code[1:] != code[:-1]
    segment = np.cumsum(new) - 1
    total = np.cumsum(np.where(opens, 1, -1))
    starts = np.flatnonzero(new)
    waiting = total - np.concatenate([[0], total])[starts][segment]
    # A result is served unless the count falls below all that went before it in its segment. Each segment lies `size + 1`
    # deeper than the one before, so that one running minimum serves all of them.
    floor = segment * -(size + 1)
    lowest = np.minimum.accumulate(np.minimum(waiting, 0) + floor)
    before = np.where(new, floor, np.concatenate([[0], lowest[:-1]]))
    served = np.flatnonzero(~opens & (waiting + floor >= before))
    free = np.flatnonzero(opens)
    rank = np.arange(len(served)) - np.searchsorted(segment[served], segment[served])
    pick = free[np.searchsorted(segment[free], segment[served]) + rank]
    ours, theirs = by[pick], by[served] - len(left)
    of_left[ours] = theirs
    of_right[theirs] = ours
    return of_left, of_right


def among(codes: Ints, known: Ints) -> Ints:
    """Mask over `codes`: those that are in `known`. For codes of any size, of which most come in order."""
    if not len(codes) or not len(known):
        return np.zeros(len(codes), bool)
    ordered = np.sort(known, kind="stable")
    at = np.minimum(np.searchsorted(ordered, codes), len(ordered) - 1)
    return np.asarray(ordered[at] == codes)


def one_of(codes: Ints, few: Iterable[int]) -> Ints:
    """Mask over `codes`: those that are one of a few; `np.isin` looks for the least and the greatest of all first."""
    found: Ints = np.zeros(len(codes), bool)
    for code in few:
        found |= codes == code
    return found


def distinct(codes: Ints) -> Ints:
    """The different codes, rising. `np.unique` hashes them all, and its first call imports `numpy.ma` (a tenth of a second)."""
    ordered = np.sort(codes, kind="stable")  # soon done: most come in order
    new = np.ones(len(ordered), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]
